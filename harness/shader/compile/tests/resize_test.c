// SPDX-License-Identifier: Apache-2.0
// Other workgroup sizes in texts and modules, and the search for compilers.
#include "../shader.h"

#include "../../../base/file.h"
#include "../../../base/tests/folder.h"
#include "../../spirv/module.h"
#include "../../spirv/spirv_tools.h"
#include "../../spirv/tests/assemble.h"
#include "../compiler_command.h"

#include <string.h>
#include <sys/stat.h>

static struct arena arena;
static const uint32_t size[3] = {8, 4, 2};

static const struct {
    enum language language;
    const char *text, *becomes;
} texts[] = {
    {LANGUAGE_GLSL, "layout(local_size_x = 64) in;", "layout(local_size_x = 8) in;"},
    {LANGUAGE_GLSL, "layout(local_size_z=1,local_size_y = 2*N , local_size_x\n=\n(3,4)) in;",
        "layout(local_size_z=2,local_size_y = 4, local_size_x\n=\n8) in;"},
    {LANGUAGE_GLSL, "layout(local_size_x_id = 0) in;", "layout(local_size_x_id = 0) in;"},
    {LANGUAGE_GLSL, "my_local_size_x = 3; local_size_w = 4; local_size_x;",
        "my_local_size_x = 3; local_size_w = 4; local_size_x;"},
    {LANGUAGE_GLSL, "local_size_xy = 3; local_size_{ = 1; local_sizes_x = 3; global_size_x = 5; local_size_x",
        "local_size_xy = 3; local_size_{ = 1; local_sizes_x = 3; global_size_x = 5; local_size_x"},
    {LANGUAGE_GLSL, "local_size_y\t=\t7,local_size_y=7)", "local_size_y\t=\t4,local_size_y=4)"},
    {LANGUAGE_HLSL, "numthreads[1, 1, 1) numthreadz(1, 1, 1) numthreads(((1)), f(2, g(3, 4)), 5)",
        "numthreads[1, 1, 1) numthreadz(1, 1, 1) numthreads(8, 4, 2)"},
    {LANGUAGE_HLSL, "numthreads(,,)", "numthreads(8, 4, 2)"},
    {LANGUAGE_GLSL, "[numthreads(64, 1, 1)]", "[numthreads(64, 1, 1)]"},
    {LANGUAGE_HLSL, "[numthreads(64, 1, 1)] void main()", "[numthreads(8, 4, 2)] void main()"},
    {LANGUAGE_HLSL, "[numthreads ( N(1, 2), (3), 1 )]", "[numthreads(8, 4, 2)]"},
    {LANGUAGE_HLSL, "numthreads(1, 2) my_numthreads(1, 1, 1) numthreads",
        "numthreads(1, 2) my_numthreads(1, 1, 1) numthreads"},
    {LANGUAGE_HLSL, "local_size_x = 64;", "local_size_x = 64;"},
};

static void sizes_in_texts_are_replaced(void **state) {
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        assert_string_equal(resize_text(&arena, texts[t].language, texts[t].text, size), texts[t].becomes);
}

// ---- modules

// The size of `main` is 64, 1, 1 by its mode, and by a constant of these parts if there is one.
static struct spirv module_of(const char *constant, const char *decoration) {
    return assemble(
        &arena, arena_format(&arena,
                    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\"\n"
                    "OpEntryPoint GLCompute %%other \"other\"\nOpExecutionMode %%other LocalSize 16 1 1\n"
                    "OpExecutionMode %%main LocalSize 64 1 1\n%s%%void = OpTypeVoid\n%%proc = OpTypeFunction %%void\n"
                    "%%uint = OpTypeInt 32 0\n%%uint3 = OpTypeVector %%uint 3\n%%c1 = OpConstant %%uint 1\n"
                    "%%c64 = OpConstant %%uint 64\n%%s5 = OpSpecConstant %%uint 5\n%s"
                    "%%main = OpFunction %%void None %%proc\n%%m0 = OpLabel\nOpReturn\nOpFunctionEnd\n"
                    "%%other = OpFunction %%void None %%proc\n%%o0 = OpLabel\nOpReturn\nOpFunctionEnd\n",
                    decoration, constant));
}

static void check_size(struct spirv spirv, const char *entry, uint32_t x, uint32_t y, uint32_t z) {
    struct shader_interface shader;
    struct error err;
    const char *why;
    if (!spirv_tools_valid(&arena, spirv.words, spirv.count, &why)) fail_msg("%s", why);
    assert_true(interface_read(&arena, spirv.words, spirv.count, entry, &shader, &err));
    assert_true(shader.size[0] == x && shader.size[1] == y && shader.size[2] == z);
}

static void sizes_of_modules_are_replaced(void **state) {
    static const char decorated[] = "OpDecorate %size BuiltIn WorkgroupSize\n";
    struct error err;
    struct spirv spirv = module_of("", "");
    assert_true(resize_module(&arena, &spirv, "main", size, &err));
    check_size(spirv, "main", 8, 4, 2);
    check_size(spirv, "other", 16, 1, 1);
    spirv = module_of("%size = OpConstantComposite %uint3 %c64 %c1 %c1\n", decorated);
    assert_true(resize_module(&arena, &spirv, "main", size, &err));
    check_size(spirv, "main", 8, 4, 2);
    spirv = module_of("%size = OpSpecConstantComposite %uint3 %s5 %c1 %c1\n", decorated); // specialized: it stays
    assert_true(resize_module(&arena, &spirv, "main", size, &err));
    check_size(spirv, "main", 5, 1, 1);
    spirv = module_of("%size = OpConstantComposite %uint3 %c64 %c1 %c1\n", ""); // some other constant
    assert_true(resize_module(&arena, &spirv, "other", size, &err));
    check_size(spirv, "other", 8, 4, 2);
    check_size(spirv, "main", 64, 1, 1);
}

static void other_modules_stay(void **state) {
    struct error err;
    struct spirv spirv = module_of("", ""), same = spirv;
    assert_true(resize_module(&arena, &same, "none", size, &err));
    assert_ptr_equal(same.words, spirv.words);
    spirv.words[SPIRV_BOUND] = SPIRV_MOST_IDS - 3; // no ids are left
    assert_true(resize_module(&arena, &same, "main", size, &err));
    assert_ptr_equal(same.words, spirv.words);
    spirv.words[SPIRV_BOUND]--;
    assert_true(resize_module(&arena, &same, "main", size, &err));
    assert_ptr_not_equal(same.words, spirv.words);
    same = (struct spirv){.words = spirv.words, .count = 4};
    assert_false(resize_module(&arena, &same, "main", size, &err));
}

// ---- programs on the PATH

static void programs_are_found_on_the_path(void **state) {
    struct error err;
    const char *path = getenv("PATH");
    char *kept = arena_copy(&arena, path ? path : "");
    char *two = arena_format(&arena, "%s/two", folder);
    assert_int_equal(mkdir(two, 0700), 0);
    const char *program = arena_format(&arena, "%s/compile-it", two), *plain = arena_format(&arena, "%s/plain", two);
    assert_true(file_write(program, "#!/bin/sh\n", 10, &err) && chmod(program, 0700) == 0);
    assert_true(file_write(plain, "#!/bin/sh\n", 10, &err) && chmod(plain, 0600) == 0);
    setenv("PATH", arena_format(&arena, ":/nonexistent:%s:%s", folder, two), 1);
    const char *found = command_program(&arena, "compile-it");
    assert_string_equal(found ? found : "none", program);
    assert_null(command_program(&arena, "compile"));
    assert_null(command_program(&arena, "plain")); // nobody may run it, root neither
    assert_string_equal(command_program(&arena, program), program);
    assert_null(command_program(&arena, "two/compile-it"));
    unsetenv("PATH");
    assert_null(command_program(&arena, "compile-it"));
    setenv("PATH", kept, 1);
}

static int end(void **state) {
    arena_free(&arena);
    return folder_remove(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_in_texts_are_replaced),
        cmocka_unit_test(sizes_of_modules_are_replaced),
        cmocka_unit_test(other_modules_stay),
        cmocka_unit_test(programs_are_found_on_the_path),
    };
    return cmocka_run_group_tests(tests, folder_make, end);
}
