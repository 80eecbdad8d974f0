// SPDX-License-Identifier: Apache-2.0
// Batch invariance. A kernel sums rows in the same order for any number of rows; another reverses it for a single
// row. Runs on the best device, from the top of the repository.
#include "own_kernels.h"
#include "../../../record/record.h"
#include "../../../record/terms.h"

#define MAIN(AT)                                                                                                       \
    "#version 450\n"                                                                                                   \
    "layout(local_size_x = 32) in;\n"                                                                                  \
    "layout(push_constant) uniform P { uint rows, cols; };\n"                                                          \
    "layout(binding = 0) readonly buffer X { float x[]; };\n"                                                          \
    "layout(binding = 1) writeonly buffer Y { float y[]; };\n"                                                         \
    "void main() {\n"                                                                                                  \
    "    uint row = gl_GlobalInvocationID.x;\n"                                                                        \
    "    if (row >= rows) return;\n"                                                                                   \
    "    float sum = 0;\n"                                                                                             \
    "    for (uint i = 0; i < cols; i++) sum += x[row * cols + (" AT ")];\n"                                           \
    "    y[row] = sum;\n"                                                                                              \
    "}\n"
static const struct own_shader shaders[] = {
    {"one.comp", MAIN("i")}, {"two.comp", MAIN("rows == 1 ? cols - 1 - i : i")}};

#define K(SHADER)                                                                                                      \
    "\"shader\": \"" SHADER ".comp\", \"local_size\": [32], \"push\": [\"rows\", \"cols\"], \"grid\": [{\"over\": "    \
    "\"rows\", \"by\": \"WG_X\"}], \"bindings\": [\"x\", \"y\"], \"depth\": [{\"over\": \"cols\"}]"
#define P "f32/rows=9,cols=999/wg=32x1x1/draws=2"
static const struct own_kernel one = {"sum_rows", K("one"), P, NULL}, two = {"sum_rows", K("two"), P, NULL};

static void check(const struct own_device *device, const struct own_kernel *kernel, bool same) {
    struct arena arena = {0};
    struct error err;
    const struct record record = own_run(&arena, device, kernel, false, &err);
    if (*err.text || record.status != RECORD_PASS) fail_msg("%s%s", err.text, record.reason ? record.reason : "");
    assert_string_equal(record.check.lines.dim, "rows");
    assert_int_equal(record.check.lines.count, 9);
    assert_int_equal(record.check.lines.same_bits, same);
    arena_free(&arena);
}

static void a_row_alone_has_its_bits_or_not(void **state) {
    const struct own_device *device = *state;
    needs_hardware(device->info, "Vulkan device");
    check(device, &one, true);
    check(device, &two, false);
}

static void what_all_rows_come_together_in_has_no_lines(void **state) {
    static const struct own_kernel kernel = {"sum_cols",
        "\"shader\": \"cols.comp\", \"local_size\": [32], \"push\": "
        "[\"rows\", \"cols\"], \"grid\": [{\"over\": \"cols\", \"by\": \"WG_X\"}], \"bindings\": [\"x\", \"y\"], "
        "\"depth\": [{\"over\": \"rows\"}]",
        P, NULL};
    const struct own_device *device = *state;
    struct arena arena = {0};
    struct error err;
    needs_hardware(device->info, "Vulkan device");
    own_write("cols.comp", "#version 450\nlayout(local_size_x = 32) in;\n"
                           "layout(push_constant) uniform P { uint rows, cols; };\n"
                           "layout(binding = 0) readonly buffer X { float x[]; };\n"
                           "layout(binding = 1) writeonly buffer Y { float y[]; };\n"
                           "void main() { uint at = gl_GlobalInvocationID.x; if (at >= cols) return; float sum = 0;\n"
                           "for (uint i = 0; i < rows; i++) sum += x[i * cols + at]; y[at] = sum; }\n");
    const struct record record = own_run(&arena, device, &kernel, false, &err);
    if (*err.text || record.status != RECORD_PASS) fail_msg("%s%s", err.text, record.reason ? record.reason : "");
    assert_null(record.check.lines.dim);
    arena_free(&arena);
}

static int open_device(void **state) {
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_row_alone_has_its_bits_or_not),
        cmocka_unit_test(what_all_rows_come_together_in_has_no_lines)};
    return cmocka_run_group_tests(tests, open_device, own_close);
}
