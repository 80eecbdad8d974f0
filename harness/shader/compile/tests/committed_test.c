// SPDX-License-Identifier: Apache-2.0
// SPIR-V kept beside its source: its note, its use and its refusal. A program of a few lines stands for the newer
// compiler.
#include "../committed.h"
#include "../../spirv/spirv.h"

#include "../../../base/file.h"
#include "../../../base/tests/folder.h"
#include "../../../../reference/tests/unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct arena arena;

// A module without functions is enough here: nothing runs it.
static const uint32_t module[] = {SpvMagicNumber, 0x00010300, 0, 1, 0, 2 << SpvWordCountShift | SpvOpCapability,
    SpvCapabilityShader, 3 << SpvWordCountShift | SpvOpMemoryModel, 0, 1};

static const char source[] = "#version 450\n"
                             "#extension GL_KHR_cooperative_matrix : require\n"
                             "#ifdef LATER\nconst int later = 1;\n#endif\n"
                             "void main() {}\n";

static void use_compiler(const char *last_line) {
    struct error err;
    char *script = arena_format(&arena,
        "#!/bin/sh\n"
        "if [ \"$1\" = --version ]; then echo shaderc 9.9-1; echo spirv-tools; echo glslang 99.1; exit; fi\n"
        "while [ $# -gt 1 ]; do if [ \"$1\" = -o ]; then %s; fi; shift; done\n",
        last_line);
    const char *path = arena_copy(&arena, in_folder("glslc"));
    assert_true(file_write(in_folder("made.spv"), module, sizeof module, &err));
    assert_true(file_write(path, script, strlen(script), &err));
    assert_int_equal(chmod(path, 0755), 0);
    setenv("VKASSAY_GLSLC", path, 1);
}

static bool make(bool commit, bool later, struct spirv *out, struct error *err) {
    static const struct define define = {.name = "LATER", .value = "1"};
    const struct shader_request request = {
        .path = in_folder("s.comp"), .defines = &define, .define_count = later, .commit = commit};
    struct error ignored;
    assert_true(file_write(request.path, source, strlen(source), &ignored));
    *err = (struct error){0};
    return shader_make(&arena, &request, out, err);
}

static struct spirv commit(void) {
    struct spirv spirv;
    struct error err;
    use_compiler("cp \"$(dirname \"$0\")/made.spv\" \"$2\"");
    if (!make(true, false, &spirv, &err)) fail_msg("%s", err.text);
    return spirv;
}

static void a_module_says_its_source_and_its_compilers(void **state) {
    struct error err;
    size_t bytes;
    const struct spirv made = commit();
    const char *path = shader_committed_path(&arena, in_folder("s.comp"), made.source_hash);
    const char *name = strrchr(path, '/');
    assert_string_equal(name, arena_format(&arena, "/s-%016llx.spv", (unsigned long long)made.source_hash));
    const char *content = file_read(&arena, path, &bytes, &err);
    assert_non_null(content);
    const uint32_t *words = (const uint32_t *)content;
    assert_int_equal(spirv_op(&words[sizeof module / sizeof *module]), SpvOpString);
    assert_int_equal(words[SPIRV_BOUND], 2);
    assert_string_equal((const char *)&words[sizeof module / sizeof *module + 2],
        arena_format(
            &arena, "vkassay: of source %016llx by shaderc 9.9-1, glslang 99.1", (unsigned long long)made.source_hash));
}

// If the compiler knows the extension, it compiles the source instead.
static void it_is_taken_where_the_compiler_lacks_the_extension(void **state) {
    struct spirv made = commit(), taken;
    struct error err;
    setenv("VKASSAY_GLSLC", "/nonexistent/glslc", 1);
    if (!make(false, false, &taken, &err)) fail_msg("%s", err.text);
    assert_true(taken.any_device);
    assert_true(taken.source_hash == made.source_hash);
    if (compile_knows("GL_KHR_cooperative_matrix")) {
        assert_true(taken.count > made.count);
        return;
    }
    assert_int_equal(taken.count, made.count);
    assert_memory_equal(taken.words, made.words, made.count * sizeof *made.words);
}

static void another_text_is_not_taken_from_it(void **state) {
    struct spirv spirv;
    struct error err;
    commit();
    const bool made = make(false, true, &spirv, &err);
    assert_true(made == compile_knows("GL_KHR_cooperative_matrix"));
    if (made) return;
    assert_int_equal(err.kind, ERROR_SKIP);
    assert_non_null(strstr(err.text, "the shader compiler lacks GL_KHR_cooperative_matrix"));
    assert_non_null(strstr(err.text, "vkassay spirv"));
}

static void a_file_of_other_source_is_refused(void **state) {
    struct error err;
    struct spirv spirv = commit();
    spirv.source_hash++;
    const char *shader = in_folder("s.comp"), *path = shader_committed_path(&arena, shader, spirv.source_hash);
    assert_true(file_write(path, spirv.words, spirv.count * sizeof *spirv.words, &err));
    assert_false(committed_read(&arena, shader, &spirv, &err));
    assert_int_equal(err.kind, ERROR_COMPILE);
    assert_non_null(strstr(err.text, "expected the note"));
    assert_true(file_write(path, spirv.words, 7, &err)); // damaged
    assert_false(committed_read(&arena, shader, &spirv, &err));
    assert_int_equal(err.kind, ERROR_COMPILE);
}

static void a_compiler_that_fails_or_is_missing_is_said(void **state) {
    struct spirv spirv;
    struct error err;
    use_compiler("echo what it says; exit 1");
    assert_false(make(true, true, &spirv, &err));
    assert_non_null(strstr(err.text, "what it says"));
    setenv("VKASSAY_GLSLC", "/nonexistent/glslc", 1);
    assert_false(make(true, true, &spirv, &err));
    assert_non_null(strstr(err.text, "VKASSAY_GLSLC"));
}

static void texts_are_told_apart_by_their_extensions(void **state) {
    bool required;
    assert_false(committed_kind("#version 450\n#extension GL_EXT_control_flow_attributes : require\n"));
    assert_false(committed_kind("#extension GL_KHR_cooperative_matrix : disable\n// GL_EXT_bfloat16\n"));
    assert_true(committed_kind("void f();\n #extension GL_EXT_bfloat16 : enable\n"));
    assert_true(committed_for_13("#extension GL_NV_cooperative_matrix2 : require\n"));
    assert_false(committed_for_13("#extension GL_KHR_cooperative_matrix : require\n"));
    const char *unknown = committed_unknown("#extension GL_EXT_bfloat16 : enable\n", &required);
    assert_true((unknown == NULL) == compile_knows("GL_EXT_bfloat16"));
    assert_false(required);
    assert_null(committed_unknown("#extension GL_KHR_memory_scope_semantics : require\n", &required));
}

static int group_setup(void **state) {
    return folder_make(state);
}
static int group_teardown(void **state) {
    arena_free(&arena);
    return folder_remove(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_module_says_its_source_and_its_compilers),
        cmocka_unit_test(it_is_taken_where_the_compiler_lacks_the_extension),
        cmocka_unit_test(another_text_is_not_taken_from_it),
        cmocka_unit_test(a_file_of_other_source_is_refused),
        cmocka_unit_test(a_compiler_that_fails_or_is_missing_is_said),
        cmocka_unit_test(texts_are_told_apart_by_their_extensions),
    };
    return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
