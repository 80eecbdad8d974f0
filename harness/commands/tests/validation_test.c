// SPDX-License-Identifier: Apache-2.0
// The validation layer made to speak, by kernels that take more shared memory than any device has: software drivers run
// them all the same, and their results are right. Skipped where the layer is not installed.
#include "vkassay_program.h"

enum { ROOM = 1 << 18, POINTS = 6 }; // floats: a mebibyte

static int open_kernels(void **state) {
    if (program_open(state) != 0 || shell("mkdir %s/roomy", folder) != 0) return -1;
    char text[1500];
    int length = snprintf(text, sizeof text, "{\"kernels\": [");
    for (int i = 1; i <= 2; i++)
        length += snprintf(text + length, sizeof text - (size_t)length,
            "%s{\"name\": \"relu.roomy%d\", \"operator\": \"relu\", \"summary\": \"more shared memory than there is\", "
            "\"shader\": \"roomy.comp\", \"defines\": {\"ROOM\": \"%d\"}, \"dtypes\": [\"f32\"], "
            "\"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], \"tunables\": {\"WG_X\": {\"values\": [64], "
            "\"default\": 64}}, \"grid\": [{\"over\": [\"n\"], \"by\": [\"WG_X\"]}]}",
            i > 1 ? ", " : "", i, i * ROOM);
    snprintf(text + length, sizeof text - (size_t)length, "]}\n");
    write_text("roomy/roomy.json", text);
    write_text("roomy/roomy.comp",
        "#version 450\nlayout(local_size_x_id = 0) in;\n"
        "layout(binding = 0) readonly buffer X { float x[]; };\n"
        "layout(binding = 1) writeonly buffer Y { float y[]; };\n"
        "layout(push_constant) uniform Push { uint n; };\n"
        "shared float room[ROOM];\n"
        "void main() {\n    uint i = gl_GlobalInvocationID.x, at = gl_LocalInvocationIndex;\n"
        "    room[at] = i < n ? x[i] : 0.0;\n    barrier();\n"
        "    if (i < n) y[i] = room[at] > 0.0 ? room[at] : 0.0;\n}\n");
    return 0;
}

// Of a kernel that is built once for all of its points, too, and of each what was said of it.
static void a_message_fails_its_own_point(void **state) {
    (void)state;
    static const struct {
        const char *kernel, *said; // NULL: nothing is
    } expected[POINTS] = {{"relu.roomy1", " 1048576 bytes"}, {"relu.scalar", NULL}, {"relu.roomy1", " 1048576 bytes"},
        {"relu.scalar", NULL}, {"relu.roomy2", " 2097152 bytes"}, {"relu.scalar", NULL}};
    needs_validation_layer();
    struct result result;
    int status = run("check relu.roomy1/f32/n=65/wg=64x1x1 relu.scalar/f32/n=65/wg=256x1x1,ITEMS=1 "
                     "relu.roomy1/f32/n=1025/wg=64x1x1 relu.scalar/f32/n=1025/wg=256x1x1,ITEMS=1 "
                     "relu.roomy2/f32/n=65/wg=64x1x1 relu.scalar/f32/n=66/wg=256x1x1,ITEMS=1 "
                     "--validate --kernels %s/roomy --out %s/out",
        folder, folder);
    if (status != STATUS_WRONG) fail_msg("status %d:\n%s", status, content("output"));
    read_result("out", &result);
    assert_int_equal(result.count, POINTS);
    for (size_t i = 0; i < POINTS; i++) {
        const struct record *r = &result.records[i];
        const char *said = expected[i].said;
        assert_string_equal(r->kernel, expected[i].kernel);
        assert_true(r->validated);
        assert_false(r->attempts.flaky);
        if (said ? r->status != RECORD_FAIL : r->status != RECORD_PASS) fail_msg("%s: %s", r->name, r->reason);
        assert_int_equal(r->validation_messages, said ? 1 : 0);
        if (said && (!strstr(r->reason, "validation layer: ") || !strstr(r->reason, said)))
            fail_msg("%s: %s", r->name, r->reason);
    }
    result_free(&result);
    assert_says("validation: 3 messages over 6 points");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_fails_its_own_point),
    };
    return cmocka_run_group_tests(tests, open_kernels, folder_remove);
}
