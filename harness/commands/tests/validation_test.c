// SPDX-License-Identifier: Apache-2.0
// Tests messages of the validation layer, with kernels using more shared memory than any device has. Software drivers
// still run them with right results. Skipped if the layer is not installed.
#include "vkassay_program.h"
#include "../../record/record.h"
#include "../../record/terms.h"

enum { ROOM = 1 << 18, POINTS = 6 }; // floats: one MiB

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

// A message fails the points of its own kernel, even if the kernel is built once for several points.
static void a_message_fails_its_own_point(void **state) {
    static const struct {
        const char *kernel, *said; // NULL: there is no message
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

// Uses the newer layer shipped with Chromium, instead of the distribution's. False: there is none.
static bool take_newer_layer(void) {
    static const char library[] = "/usr/lib/chromium/libVkLayer_khronos_validation.so";
    char text[800];
    if (access(library, R_OK) != 0 || shell("mkdir -p %s/layer", folder) != 0) return false;
    snprintf(text, sizeof text,
        "{\"file_format_version\": \"1.2.0\", \"layer\": {\"name\": \"VK_LAYER_KHRONOS_validation\", \"type\": "
        "\"GLOBAL\", \"library_path\": \"%s\", \"api_version\": \"1.4.300\", \"implementation_version\": \"1\", "
        "\"description\": \"newer\", \"instance_extensions\": [{\"name\": \"VK_EXT_debug_utils\", \"spec_version\": "
        "\"1\"}, {\"name\": \"VK_EXT_validation_features\", \"spec_version\": \"2\"}]}}",
        library);
    write_text("layer/layer.json", text);
    return setenv("VK_LAYER_PATH", in_folder("layer"), 1) == 0;
}

static void assert_many_fail(void) {
    enum { MANY = 14 };
    char points[1500] = "";
    struct result result;
    for (int i = 0; i < MANY; i++)
        snprintf(points + strlen(points), sizeof points - strlen(points), " relu.roomy1/f32/n=%d/wg=64x1x1", 65 + i);
    const int status = run("check %s --validate --kernels %s/roomy --out %s/many", points, folder, folder);
    if (status != STATUS_WRONG) fail_msg("status %d:\n%s", status, content("output"));
    read_result("many", &result);
    assert_int_equal(result.count, MANY);
    for (size_t i = 0; i < MANY; i++) assert_int_equal(result.records[i].status, RECORD_FAIL);
    result_free(&result);
    assert_int_equal(shell("rm -r %s/many", folder), 0);
}

// From 1.3.268 on, layers stop after ten messages of a kind. Later errors must not pass.
static void the_eleventh_message_of_a_kind_fails_its_point(void **state) {
    needs_validation_layer();
    assert_many_fail();
    if (take_newer_layer()) assert_many_fail();
    unsetenv("VK_LAYER_PATH");
}

#define SOUND "relu.scalar/f32/n=65/wg=256x1x1,ITEMS=1"

// A read far beyond the input is reported with the kernel and the file.
static void a_message_names_kernel_and_file(void **state) {
    needs_validation_layer();
    struct result result;
    write_kernel_folder("beyond", "beyond", UNARY_KERNEL("relu.beyond", "relu", "beyond"),
        "    float a = x[i < n ? i : i + 4096]; if (i < n) y[i] = max(a, 0.0);\n");
    const int status =
        run("check relu.beyond/f32/n=65/wg=64x1x1 --gpu-assisted --kernels %s/beyond --out %s/named", folder, folder);
    assert_int_equal(status, STATUS_WRONG);
    read_result("named", &result);
    assert_int_equal(result.records[0].failed, CHECK_VALIDATION);
    assert_non_null(strstr(result.records[0].reason, "relu.beyond"));
    assert_non_null(strstr(result.records[0].reason, "beyond.comp"));
    assert_true(strstr(result.records[0].reason, " line 9") || strstr(result.records[0].reason, "beyond.comp:9"));
    result_free(&result);
}

// Runs with a fault of pipeline creation: 'signal 11', or a VkResult.
static int run_points_with_fault(const char *name, const char *code, const char *points, const char *more) {
    return shell("env VKASSAY_CACHE=%s/cache ASAN_OPTIONS=\"$ASAN_OPTIONS:verify_asan_link_order=0:handle_segv=0\" "
                 "LD_PRELOAD=%s/driver.so FAULT_CALL=vkCreateComputePipelines FAULT_CODE='%s' %s %s check %s "
                 "--gpu-assisted --out %s/%s >%s/output 2>&1",
        folder, folder, code, more, program, points, folder, name, folder);
}

static int run_with_fault(const char *name, const char *more) {
    return run_points_with_fault(name, "signal 11", SOUND, more);
}

// If only the instrumented shader crashes the driver, the kernel is not blamed.
static void a_crash_of_the_instrumented_driver_is_not_the_kernel_s(void **state) {
    needs_validation_layer();
    struct result result;
    assert_int_equal(shell("cc -shared -fPIC -O1 harness/commands/tests/faults/driver.c -o %s/driver.so", folder), 0);
    const int status = run_with_fault("spared", "FAULT_INSTRUMENTED=1");
    if (status != STATUS_OK) fail_msg("status %d:\n%s", status, content("output"));
    assert_says("1 point ran without access checks, because the driver failed with them (killed by SIGSEGV");
    read_result("spared", &result);
    assert_int_equal(result.records[0].status, RECORD_PASS);
    assert_true(result.records[0].validated);
    assert_non_null(strstr(result.records[0].bounds_unchecked, "SIGSEGV"));
    result_free(&result);
    assert_int_equal(run_with_fault("blamed", ""), STATUS_WRONG); // it also crashes without the layer's checks
    read_result("blamed", &result);
    assert_int_equal(result.records[0].status, RECORD_CRASH);
    result_free(&result);
}

#define OTHER(kernel) " " kernel "/f32/n=65/wg=256x1x1,ITEMS=1"

// Each point costs an instrumented worker. No run ends by that, and no other failure is put on a kernel either.
static void failures_of_the_instrumented_driver_end_no_run(void **state) {
    static const char *const codes[] = {"signal 11", "-4", "-13"}; // a lost device, an unknown error
    enum { COUNT = 5 };
    needs_validation_layer();
    assert_int_equal(shell("cc -shared -fPIC -O1 harness/commands/tests/faults/driver.c -o %s/driver.so", folder), 0);
    for (size_t c = 0; c < sizeof codes / sizeof *codes; c++) {
        struct result result;
        assert_int_equal(shell("rm -rf %s/lasting", folder), 0);
        const int status = run_points_with_fault("lasting", codes[c],
            SOUND OTHER("silu.scalar") OTHER("tanh.scalar") OTHER("exp.scalar") OTHER("copy.scalar"),
            "FAULT_INSTRUMENTED=1");
        if (status != STATUS_OK) fail_msg("%s: status %d:\n%s", codes[c], status, content("output"));
        read_result("lasting", &result);
        assert_int_equal(result.count, COUNT);
        for (size_t i = 0; i < COUNT; i++) {
            assert_int_equal(result.records[i].status, RECORD_PASS);
            assert_non_null(result.records[i].bounds_unchecked);
        }
        result_free(&result);
    }
}

// Makes the loader find no layer, even if one is installed.
static void a_layer_that_is_missing_is_said_at_the_start(void **state) {
    static const char *const verbs[] = {"check", "bench", "tune"};
    assert_int_equal(setenv("VK_LAYER_PATH", in_folder("roomy"), 1), 0);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        assert_int_equal(run("%s relu --validate --out %s/lacks", verbs[i], folder), STATUS_NO_DEVICE);
        assert_says("is not installed; install the package vulkan-validationlayers");
        assert_int_equal(shell("test ! -e %s/lacks", folder), 0);
    }
    assert_int_equal(unsetenv("VK_LAYER_PATH"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_fails_its_own_point),
        cmocka_unit_test(the_eleventh_message_of_a_kind_fails_its_point),
        cmocka_unit_test(a_message_names_kernel_and_file),
        cmocka_unit_test(a_crash_of_the_instrumented_driver_is_not_the_kernel_s),
        cmocka_unit_test(failures_of_the_instrumented_driver_end_no_run),
        cmocka_unit_test(a_layer_that_is_missing_is_said_at_the_start),
    };
    return cmocka_run_group_tests(tests, open_kernels, folder_remove);
}
