// SPDX-License-Identifier: Apache-2.0
// Tests failing drivers, with faults/layer.c in front of them. No fault lets a run end as if all had held.
// Each is attributed to a point with its call and code, a fresh worker retries the point, and the other points are
// measured.
#include "../../record/result.h"
#include "../../base/tests/depth.h"
#include "vkassay_program.h"
#include "../../record/record.h"
#include "../../record/terms.h"
#include "../../record/journal.h"

#include <math.h>

// Occurs only in the shader of relu.marked.
#define WORD "0x5eed7a1e"

static int open_drivers(void **state) {
    if (program_open(state) != 0 || shell("mkdir %s/marked", folder) != 0) return -1;
    write_text("marked/marked.comp",
        "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"grid.glsl\"\n"
        "layout(binding = 0) readonly buffer X { uint x[]; };\n"
        "layout(binding = 1) writeonly buffer Y { uint y[]; };\n"
        "layout(push_constant) uniform Push { uint n; };\n"
        "void main() {\n    uint i = linear_invocation();\n"
        "    if (i < n) y[i] = int(x[i]) > 0 && x[i] != " WORD "u ? x[i] : x[i] == " WORD "u ? x[i] : 0u;\n}\n");
    write_text("marked/marked.json", "{\"kernels\": [{\"name\": \"relu.marked\", \"operator\": \"relu\", \"summary\": "
                                     "\"by bits\", \"shader\": \"marked.comp\",\n"
                                     "\"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"],\n"
                                     "\"tunables\": {\"WG_X\": {\"values\": [64], \"default\": 64}}, \"grid\": "
                                     "[{\"over\": [\"n\"], \"by\": [\"WG_X\"]}],\n"
                                     "\"fold\": true}]}\n");
    write_suite("few",
        "{\"kernel\": \"relu.*\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": 1025}, \"shapes\": \"default\"},"
        "{\"kernel\": \"softmax.*\", \"dtypes\": [\"f32\"], \"dims\": {\"rows\": 3, \"cols\": 65}, \"shapes\": "
        "\"default\"}");
    return 0;
}

// Runs `vkassay VERB` on the suite above with a fault. The result goes to FOLDER/out. The driver has no pipelines from
// a run before, and no sanitized run is left out; compiled shaders stay, because they concern no driver.
static int run_with_fault(const char *verb, const char *call, const char *code, const char *more) {
    return shell("cd . && rm -rf %s/out %s/once %s/cache/pipelines* %s/cache/sanitized; env VKASSAY_CACHE=%s/cache "
                 "ASAN_OPTIONS=\"$ASAN_OPTIONS:handle_segv=0:handle_sigbus=0\" $FAULTS "
                 "FAULT_CALL=%s FAULT_CODE='%s' %s %s %s --suite %s/few.json --kernels %s/marked --timeout 20 --out "
                 "%s/out >%s/output 2>&1",
        folder, folder, folder, folder, folder, call, code, more, program, verb, folder, folder, folder, folder);
}

static size_t whole; // number of points in the suite

static void without_a_fault_all_passes(void **state) {
    struct result result;
    assert_int_equal(run_with_fault("check", "none", "0", ""), STATUS_OK);
    read_result("out", &result);
    whole = result.count;
    assert_true(whole > 5);
    for (size_t i = 0; i < whole; i++) assert_int_equal(result.records[i].status, RECORD_PASS);
    result_free(&result);
}

// Asserts one bad point with this reason, which was right in a fresh worker. `kernel` NULL: any kernel.
static void assert_one(const char *kernel, enum record_status status, const char *reason, const char *call) {
    struct result result;
    size_t bad = 0;
    read_result("out", &result);
    assert_int_equal(result.count, whole);
    for (size_t i = 0; i < result.count; i++) {
        const struct record *record = &result.records[i];
        if (record->status == RECORD_PASS) continue;
        bad++;
        if (record->status != status || !strstr(record->reason, reason))
            fail_msg("%s: %s: %s", record->name, record_status_name(record->status), record->reason);
        if (kernel) assert_string_equal(record->kernel, kernel);
        if (call) assert_string_equal(record->call, call);
        assert_int_equal(record->attempts.count, 2);
        assert_int_equal(record->attempts.statuses[1], RECORD_PASS);
    }
    if (bad != 1) fail_msg("%zu points are not right, expected one:\n%s", bad, content("output"));
    result_free(&result);
}

// Asserts that all points are right, and one lacks its sanitized run for this reason.
static void assert_unsanitized(const char *reason) {
    struct result result;
    size_t found = 0;
    read_result("out", &result);
    assert_int_equal(result.count, whole);
    for (size_t i = 0; i < result.count; i++) {
        assert_int_equal(result.records[i].status, RECORD_PASS);
        if (result.records[i].unsanitized) found++;
        if (result.records[i].unsanitized) assert_non_null(strstr(result.records[i].unsanitized, reason));
    }
    if (found != 1) fail_msg("%zu points lack their sanitized run, expected one:\n%s", found, content("output"));
    result_free(&result);
}

static void every_code_of_every_call_is_reported(void **state) {
    static const struct {
        const char *verb, *call, *code, *name;
        int from;
    } cases[] = {
        {"check", "vkAllocateMemory", "-2", "VK_ERROR_OUT_OF_DEVICE_MEMORY", 8},
        {"check", "vkAllocateMemory", "-1", "VK_ERROR_OUT_OF_HOST_MEMORY", 3},
        {"check", "vkAllocateMemory", "-10", "VK_ERROR_TOO_MANY_OBJECTS", 9},
        {"check", "vkCreateBuffer", "-1", "VK_ERROR_OUT_OF_HOST_MEMORY", 5},
        {"check", "vkCreateBuffer", "-2", "VK_ERROR_OUT_OF_DEVICE_MEMORY", 7},
        {"check", "vkBindBufferMemory", "-2", "VK_ERROR_OUT_OF_DEVICE_MEMORY", 2},
        {"check", "vkMapMemory", "-5", "VK_ERROR_MEMORY_MAP_FAILED", 1},
        {"check", "vkCreateDescriptorPool", "-1000161000", "VK_ERROR_FRAGMENTATION", 1},
        {"check", "vkAllocateDescriptorSets", "-1000069000", "VK_ERROR_OUT_OF_POOL_MEMORY", 3},
        {"check", "vkAllocateDescriptorSets", "-12", "VK_ERROR_FRAGMENTED_POOL", 1},
        {"check", "vkCreateShaderModule", "-1", "VK_ERROR_OUT_OF_HOST_MEMORY", 2},
        {"check", "vkCreateComputePipelines", "-8", "VK_ERROR_FEATURE_NOT_PRESENT", 4},
        {"check", "vkCreateComputePipelines", "-7", "VK_ERROR_EXTENSION_NOT_PRESENT", 1},
        {"check", "vkCreateDescriptorSetLayout", "-2", "VK_ERROR_OUT_OF_DEVICE_MEMORY", 2},
        {"check", "vkCreatePipelineLayout", "-13", "VK_ERROR_UNKNOWN", 1},
        {"check", "vkResetCommandPool", "-2", "VK_ERROR_OUT_OF_DEVICE_MEMORY", 4},
        {"check", "vkBeginCommandBuffer", "-1", "VK_ERROR_OUT_OF_HOST_MEMORY", 3},
        {"check", "vkEndCommandBuffer", "-2", "VK_ERROR_OUT_OF_DEVICE_MEMORY", 5},
        {"check", "vkResetFences", "-2", "VK_ERROR_OUT_OF_DEVICE_MEMORY", 2},
        {"check", "vkQueueSubmit", "-2", "VK_ERROR_OUT_OF_DEVICE_MEMORY", 7},
        {"check", "vkWaitForFences", "-1", "VK_ERROR_OUT_OF_HOST_MEMORY", 6},
        {"check", "vkWaitForFences", "-77", "VkResult -77", 1},
        {"bench", "vkAllocateMemory", "-2", "VK_ERROR_OUT_OF_DEVICE_MEMORY", 8},
        {"bench", "vkCreateQueryPool", "-2", "VK_ERROR_OUT_OF_DEVICE_MEMORY", 4},
        {"bench", "vkGetQueryPoolResults", "-1", "VK_ERROR_OUT_OF_HOST_MEMORY", 60},
        {"bench", "vkQueueSubmit", "-2", "VK_ERROR_OUT_OF_DEVICE_MEMORY", 150},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += is_presubmit() ? 7 : 1) {
        char more[200], call[100];
        snprintf(more, sizeof more, "FAULT_FROM=%d FAULT_ONCE=%s/once", cases[i].from, folder);
        snprintf(call, sizeof call, "%s: %s", cases[i].call, cases[i].name);
        int status = run_with_fault(cases[i].verb, cases[i].call, cases[i].code, more);
        if (status == STATUS_OK) // it met the sanitized run
            assert_unsanitized(call);
        else
            assert_one(NULL, RECORD_ERROR, call, call);
    }
}

// The fault affects every worker from its 12th allocation on.
static void a_fault_that_stays_skips_nothing(void **state) {
    struct result result;
    size_t errors = 0;
    assert_int_equal(run_with_fault("check", "vkAllocateMemory", "-2", "FAULT_FROM=12"), STATUS_WRONG);
    read_result("out", &result);
    assert_int_equal(result.count, whole);
    for (size_t i = 0; i < result.count; i++) {
        assert_int_not_equal(result.records[i].status, RECORD_SKIP);
        errors += result.records[i].status == RECORD_ERROR;
    }
    assert_true(errors > 0);
    result_free(&result);
}

// Shaders are built ahead on all cores. The fault is attributed to the shader being built.
static void a_fault_while_shaders_are_built_ahead_is_recorded(void **state) {
    static const struct {
        const char *call, *code;
        enum record_status status;
        const char *reason, *name;
    } cases[] = {
        {"vkCreateComputePipelines", "signal 11", RECORD_CRASH, "killed by SIGSEGV, while its shaders were built ahead",
            NULL},
        {"vkCreateComputePipelines", "signal 6", RECORD_CRASH, "killed by SIGABRT, while its shaders were built ahead",
            NULL},
        {"vkCreateShaderModule", "signal 7", RECORD_CRASH, "killed by SIGBUS, while its shaders were built ahead",
            NULL},
        {"vkCreateComputePipelines", "-4", RECORD_DEVICE_LOST, "vkCreateComputePipelines: VK_ERROR_DEVICE_LOST",
            "vkCreateComputePipelines: VK_ERROR_DEVICE_LOST"},
        {"vkCreateShaderModule", "-2", RECORD_ERROR, "vkCreateShaderModule: VK_ERROR_OUT_OF_DEVICE_MEMORY",
            "vkCreateShaderModule: VK_ERROR_OUT_OF_DEVICE_MEMORY"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += is_presubmit() ? 3 : 1) {
        char more[200];
        snprintf(more, sizeof more, "FAULT_WORD=" WORD " FAULT_ONCE=%s/once", folder);
        int status = run_with_fault("bench", cases[i].call, cases[i].code, more);
        if (status != STATUS_WRONG) fail_msg("%s %s: status %d", cases[i].call, cases[i].code, status);
        assert_one("relu.marked", cases[i].status, cases[i].reason, cases[i].name);
    }
}

// A driver ending the process gives no reason. The culprit is the shader that also does so by itself.
static void a_fatal_shader_is_found_by_itself(void **state) {
    struct result result;
    assert_int_equal(run_with_fault("check", "vkCreateComputePipelines", "exit 3", "FAULT_WORD=" WORD), STATUS_WRONG);
    read_result("out", &result);
    assert_int_equal(result.count, whole);
    for (size_t i = 0; i < whole; i++) {
        bool culprit = strcmp(result.records[i].kernel, "relu.marked") == 0;
        assert_int_equal(result.records[i].status, culprit ? RECORD_CRASH : RECORD_PASS);
        if (culprit) assert_non_null(strstr(result.records[i].reason, "exit status 3"));
    }
    result_free(&result);
}

// Every shader is fatal. The partial result is written, and the printed line completes the run.
static void lost_workers_leave_a_result_and_the_line_to_go_on_with(void **state) {
    struct result result;
    assert_int_equal(run_with_fault("check", "vkCreateComputePipelines", "signal 11", ""), STATUS_FAULT);
    assert_says("3 workers in a row were lost");
    assert_says("/result.jsonl\n");
    read_result("out", &result);
    assert_within(result.count, 1, whole - 1);
    struct json_object *of = json_get(result.context, "run");
    assert_false(whole_is(of));
    assert_non_null(strstr(json_get_string(of, "why", ""), "3 workers in a row were lost"));
    assert_int_equal(json_get_int(of, "left", -1), whole - result.count);
    result_free(&result);
    const char *line = strstr(content("output"), "Continue with: vkassay ");
    assert_non_null(line);
    line += strlen("Continue with: vkassay ");
    assert_int_equal(shell("VKASSAY_CACHE=%s/cache %s %.*s >%s/output 2>&1", folder, program, (int)strcspn(line, "\n"),
                         line, folder),
        STATUS_WRONG);
    read_result("out", &result);
    assert_int_equal(result.count, whole);
    assert_true(whole_is(json_get(result.context, "run")));
    result_free(&result);
}

// None of the interleaved points crashes again by itself.
static void a_crash_that_is_nobodys_is_not_forgotten(void **state) {
    char more[200];
    snprintf(more, sizeof more, "FAULT_FROM=80 FAULT_ONCE=%s/once", folder);
    assert_int_equal(run_with_fault("bench", "vkWaitForFences", "signal 11", more), STATUS_WRONG);
    assert_says("A worker was lost while a group was timed: killed by SIGSEGV");
    assert_holds("out/*/*/result.jsonl", "while a group was timed: killed by SIGSEGV");
    assert_holds("out/*/*/report.html", "while a group was timed: killed by SIGSEGV");
}

// Runs `vkassay ab` on the folder of relu.marked against itself, with a fault in its shader.
static int compare_with_itself(const char *code, const char *more) {
    return shell("cd . && rm -rf %s/once %s/cache/pipelines*; env VKASSAY_CACHE=%s/cache "
                 "ASAN_OPTIONS=\"$ASAN_OPTIONS:handle_segv=0:handle_sigbus=0\" "
                 "$FAULTS FAULT_CALL=vkCreateComputePipelines FAULT_WORD=" WORD " FAULT_CODE='%s' %s "
                 "%s ab --base %s/marked --head %s/marked --suite %s/pairs.json --timeout 20 >%s/output 2>&1",
        folder, folder, folder, code, more, program, folder, folder, folder, folder);
}

// A driver crash while building shaders is no fault of one equal folder, and no fix by the other.
static void a_crash_while_shaders_are_built_fixes_nothing(void **state) {
    char once[200];
    write_suite("pairs", "{\"kernel\": \"relu.marked\", \"dims\": {\"n\": [1025, 1026]}, \"shapes\": \"default\"}");
    snprintf(once, sizeof once, "FAULT_ONCE=%s/once", folder);
    assert_int_equal(compare_with_itself("signal 11", once), STATUS_WRONG);
    assert_says("1 flaky");
    assert_says("(crash, pass): killed by SIGSEGV");
    assert_null(strstr(content("output"), "fixed"));
    for (int i = is_presubmit() ? 4 : 0; i < 6; i++) { // the fault is drawn at random
        const int status = compare_with_itself("signal 11", "FAULT_CHANCE=50");
        const char *said = content("output");
        if (strstr(said, "fixed")) fail_msg("equal folders:\n%s", said);
        if (status == STATUS_OK || status == STATUS_SLOWER || status == STATUS_PARTIAL)
            assert_null(strstr(said, "SIGSEGV")); // no worker was lost
        else if (status != STATUS_WRONG && status != STATUS_FAULT)
            fail_msg("status %d:\n%s", status, said);
    }
}

// A driver refuses a block, and then the larger buffer so many times.
static void a_fragmented_memory_is_told_from_one_that_is_joined(void **state) {
    static const struct {
        int refused;
        double share; // of the bytes asked for
    } rows[] = {{1, 1}, {2, 0.5}, {3, 0.25}};
    write_suite("fragments", "{\"probe\": \"memory.fragmented\", \"dims\": {\"n\": 256}}");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct result result;
        double asked = 0, largest = 0;
        assert_int_equal(
            shell("rm -rf %s/out; env "
                  "ASAN_OPTIONS=\"$ASAN_OPTIONS:handle_segv=0\" $FAULTS "
                  "FAULT_CALL=vkAllocateMemory FAULT_CODE=-2 FAULT_FROM=100 FAULT_TIMES=%d %s bench --quiet --suite "
                  "%s/fragments.json --out %s/out >%s/output 2>&1",
                folder, rows[i].refused, program, folder, folder, folder),
            STATUS_OK);
        read_result("out", &result);
        for (int f = 0; f < result.records[0].metric_count; f++) {
            const struct named_number *fact = &result.records[0].metrics[f];
            if (strcmp(fact->name, "asked_bytes") == 0) asked = fact->value;
            if (strcmp(fact->name, "largest_bytes") == 0) largest = fact->value;
        }
        assert_true(asked > 1 << 20 && fabs(largest / asked - rows[i].share) < 1e-4);
        result_free(&result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_fault_all_passes),
        cmocka_unit_test(every_code_of_every_call_is_reported),
        cmocka_unit_test(a_fault_that_stays_skips_nothing),
        cmocka_unit_test(a_fault_while_shaders_are_built_ahead_is_recorded),
        cmocka_unit_test(a_fatal_shader_is_found_by_itself),
        cmocka_unit_test(a_crash_that_is_nobodys_is_not_forgotten),
        cmocka_unit_test(a_crash_while_shaders_are_built_fixes_nothing),
        cmocka_unit_test(a_fragmented_memory_is_told_from_one_that_is_joined),
        cmocka_unit_test(lost_workers_leave_a_result_and_the_line_to_go_on_with),
    };
    return cmocka_run_group_tests(tests, open_drivers, folder_remove);
}
