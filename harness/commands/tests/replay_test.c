// SPDX-License-Identifier: Apache-2.0
// Tests reproducibility: the printed replay line of a failure works here and on another driver, and a killed run
// resumes.
#include "vkassay_program.h"
#include "../../record/record.h"
#include "../../device/device_info.h"

// The printed replay line of a failing point gives the same bits.
static void a_failure_replays_bit_for_bit(void **state) {
    struct result first, again;
    int status =
        run("check 'relu.wrong/*' --seed 7 --suite %s/faults.json " FAULTY_KERNELS " --out %s/first", folder, folder);
    assert_int_equal(status, STATUS_WRONG);
    assert_says("vkassay check 'relu.wrong/f32/n=1025/wg=64x1x1' --seed 7");
    assert_says("--seed 7 " FAULTY_KERNELS "\n");
    status = run("check 'relu.wrong/f32/n=1025/wg=64x1x1' --seed 7 " FAULTY_KERNELS " --out %s/again", folder);
    assert_int_equal(status, STATUS_WRONG);
    read_result("first", &first);
    read_result("again", &again);
    const struct record *a = record_of(&first, "relu.wrong"), *b = record_of(&again, "relu.wrong");
    assert_int_equal(a->check.worst_index, b->check.worst_index);
    assert_true(a->check.got == b->check.got && a->check.want == b->check.want);
    assert_true(a->check.output_hash == b->check.output_hash);
    result_free(&first);
    result_free(&again);
}

// Returns the manifest of the driver not used by the tests; "" if it is not installed.
static const char *other_driver(void) {
    static char path[500];
    const char *find = on_swiftshader() ? "lavapipe_manifest" : "swiftshader_manifest";
    shell("bash -c '. scripts/find.sh; %s' >%s/driver", find, folder);
    snprintf(path, sizeof path, "%.*s", (int)strcspn(content("driver"), "\n"), content("driver"));
    return path;
}

// The printed line of a user's broken kernel, copied unchanged, reproduces the failure on another driver. The
// folder's name needs quoting in a shell.
static void a_failure_replays_on_the_other_driver(void **state) {
    struct result here, there;
    char line[1000];
    const char *driver = other_driver();
    if (!*driver) needs_swiftshader();
    assert_int_equal(shell("cp -r harness/commands/tests/faults \"%s/user's kernels\"", folder), 0);
    int status = run("check relu.wrong --seed 11 --suite %s/faults.json --kernels \"%s/user's "
                     "kernels\" --out %s/here",
        folder, folder, folder);
    assert_int_equal(status, STATUS_WRONG);
    const char *replay = strstr(content("output"), "    vkassay check ");
    assert_non_null(replay);
    replay += strlen("    vkassay ");
    snprintf(line, sizeof line, "%.*s", (int)strcspn(replay, "\n"), replay);
    status = shell("VK_DRIVER_FILES=%s VK_ICD_FILENAMES=%s VKASSAY_CACHE=%s/cache %s %s --out %s/there >%s/output 2>&1",
        driver, driver, folder, program, line, folder, folder);
    assert_int_equal(status, STATUS_WRONG);
    read_result("here", &here);
    read_result("there", &there);
    assert_string_not_equal(here.device->driver_uuid, there.device->driver_uuid);
    assert_int_equal(there.count, 1);
    const struct record *a = record_of(&here, "relu.wrong"), *b = &there.records[0];
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->replay, b->replay);
    assert_string_equal(a->reason, b->reason);
    assert_true(a->check.worst_index >= 0);
    assert_int_equal(a->check.worst_index, b->check.worst_index);
    assert_true(a->check.got == b->check.got && a->check.want == b->check.want && a->check.got != a->check.want);
    assert_true(a->check.inputs[0].value == b->check.inputs[0].value);
    assert_int_equal(a->check.failures, b->check.failures);
    result_free(&here);
    result_free(&there);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct record *)a)->name, ((const struct record *)b)->name);
}

static void a_killed_run_resumes_to_the_same_records(void **state) {
    struct result whole, resumed;
    write_suite("resume", "{\"kernel\": \"add.*\", \"dims\": {\"n\": [1, 33, 1025]}, \"shapes\": \"all\"},"
                          "{\"kernel\": \"tanh.*\", \"dims\": {\"n\": [1, 33, 1025]}, \"shapes\": \"all\"}");
    run("check --suite %s/resume.json --out %s/whole", folder, folder);
    // Kills the run as soon as its first records are in the journal.
    run("check --suite %s/resume.json --out %s/killed & pid=$!; for i in $(seq 600); do "
        "[ $(cat %s/killed/*/*/journal.jsonl 2>/dev/null | wc -l) -ge 4 ] && break; sleep 0.01; "
        "done; kill -9 $pid; wait",
        folder, folder, folder);
    run("check --resume $(dirname %s/killed/*/*/journal.jsonl)", folder);
    read_result("whole", &whole);
    read_result("killed", &resumed);
    assert_int_equal(whole.count, resumed.count);
    qsort(whole.records, whole.count, sizeof *whole.records, by_name);
    qsort(resumed.records, resumed.count, sizeof *resumed.records, by_name);
    for (size_t i = 0; i < whole.count; i++) {
        assert_string_equal(whole.records[i].name, resumed.records[i].name);
        assert_int_equal(whole.records[i].status, resumed.records[i].status);
        assert_true(whole.records[i].check.output_hash == resumed.records[i].check.output_hash);
    }
    result_free(&whole);
    result_free(&resumed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_replays_bit_for_bit),
        cmocka_unit_test(a_failure_replays_on_the_other_driver),
        cmocka_unit_test(a_killed_run_resumes_to_the_same_records),
    };
    return cmocka_run_group_tests(tests, program_open_with_faults, folder_remove);
}
