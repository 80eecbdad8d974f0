// SPDX-License-Identifier: Apache-2.0
// Facts about programs that need no device: numbers in the code of all passes, and free slots.
#include "../shaders.h"

#include "../../../base/file.h"
#include "../../../base/tests/folder.h"
#include "../../../device/device_info.h"
#include "../../../shader/manifest/kernel.h"
#include "../program.h"

#include <string.h>

static void write_text(const char *name, const char *text) {
    struct error err;
    if (!file_write(in_folder(name), text, strlen(text), &err)) fail_msg("%s", err.text);
}

static int numbers_of(const char *manifest, uint32_t least, uint32_t most, uint32_t numbers[COMPARED_NUMBERS]) {
    static const struct run_options options = {0};
    struct device_info device = {.max_invocations = 1024, .push_bytes = 128, .subgroup_size = 32};
    const struct numbers_source source = {&device, &options};
    const char *folders[] = {folder};
    struct arena arena = {0};
    struct kernels kernels;
    struct error err;
    write_text("m.json", manifest);
    if (!kernels_load(&arena, folders, 1, &kernels, &err)) fail_msg("%s", err.text);
    const struct kernel *kernel = kernels.items[0];
    struct point point = {.kernel = kernel, .dtype = DTYPE_F32, .shape = kernel_default_shape(kernel, NULL)};
    const int count = program_numbers(&source, &point, &(struct numbers_wanted){.least = least, .most = most}, numbers);
    arena_free(&arena);
    return count;
}

#define MANIFEST(SECOND)                                                                                               \
    "{\"kernels\": [{\"name\": \"relu.own\", \"operator\": \"relu\", \"summary\": \"s\", \"dtypes\": [\"f32\"], "      \
    "\"scratch\": {\"s\": {\"dtype\": \"f32\", \"over\": [\"n\"]}}, \"shader\": \"first.comp\", \"local_size\": "      \
    "[32], "                                                                                                           \
    "\"grid\": [{\"over\": [1]}], \"passes\": [{\"bindings\": [\"x\", \"s\"]}, {\"shader\": \"" SECOND                 \
    "\", \"bindings\": [\"s\", \"y\"]}]}]}"

// Numbers are in the order of the passes, and ascending within each. A number of both passes is there once.
static void numbers_are_those_of_all_passes(void **state) {
    static const uint32_t expected[] = {40, 100, 60};
    uint32_t numbers[COMPARED_NUMBERS];
    assert_int_equal(numbers_of(MANIFEST("second.comp"), 6, 1000, numbers), 3);
    assert_memory_equal(numbers, expected, sizeof expected);
    assert_int_equal(numbers_of(MANIFEST("second.comp"), 41, 99, numbers), 1);
    assert_int_equal(numbers[0], 60);
    assert_int_equal(numbers_of(MANIFEST("broken.comp"), 6, 1000, numbers), 0);
}

// Asks for the free slot of a pass with these bindings.
static bool free_slot(const struct binding_place *places, int count, struct slot *out) {
    struct kernel kernel = {.passes[0] = {.binding_count = count}};
    memcpy(kernel.passes[0].places, places, (size_t)count * sizeof *places);
    return program_slot_behind(&(struct point){.kernel = &kernel}, 0, out);
}

static void a_free_slot_is_behind_all_of_set_0(void **state) {
    static const struct {
        struct binding_place places[3];
        uint32_t binding;
    } cases[] = {
        {{{.binding = 0}, {.binding = 1}, {.binding = 2}}, 3},
        {{{.binding = 7}, {.binding = 2}, {.binding = 4}}, 8},
        {{{.set = 1, .binding = 9}, {.binding = 3}, {.set = 2, .binding = 5}}, 4},
        {{{.set = 1, .binding = 0}, {.set = 1, .binding = 1}, {.set = 3, .binding = 2}}, 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct slot out = {.set = 5, .uniform = true};
        assert_true(free_slot(cases[c].places, 3, &out));
        assert_int_equal(out.binding, cases[c].binding);
        assert_true(out.set == 0 && !out.uniform);
    }
}

static void a_full_pass_has_no_free_slot(void **state) {
    struct kernel kernel = {.passes[0] = {.binding_count = KERNEL_BINDINGS, .block_count = KERNEL_BLOCKS - 1}};
    struct slot out;
    for (int i = 0; i < KERNEL_BLOCKS; i++) kernel.passes[0].blocks[i].kind = BLOCK_UNIFORM;
    assert_true(program_slot_behind(&(struct point){.kernel = &kernel}, 0, &out));
    kernel.passes[0].block_count++;
    assert_false(program_slot_behind(&(struct point){.kernel = &kernel}, 0, &out));
}

#define SHADER(CODE)                                                                                                   \
    "#version 450\nlayout(local_size_x = 32) in;\nlayout(binding = 0) readonly buffer X { float x[]; };\n"             \
    "layout(binding = 1) buffer Y { float y[]; };\nvoid main() {\nuint i = gl_GlobalInvocationID.x;\n" CODE "}\n"

static int make_shaders(void **state) {
    if (folder_make(state) != 0) return -1;
    write_text("first.comp", SHADER("if (i < 100) y[i] = x[i];\nif (i > 40) y[i] = 0;\n"));
    write_text("second.comp", SHADER("if (i < 100) y[i] = x[i];\nif (i == 60) y[i] = 0;\n"));
    write_text("broken.comp", SHADER("nothing\n"));
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_all_passes),
        cmocka_unit_test(a_free_slot_is_behind_all_of_set_0),
        cmocka_unit_test(a_full_pass_has_no_free_slot),
    };
    return cmocka_run_group_tests(tests, make_shaders, folder_remove);
}
