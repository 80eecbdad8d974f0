// SPDX-License-Identifier: Apache-2.0
// Tests several devices at work at the same time: lavapipe with SwiftShader, and two instances of lavapipe.
#include "../../base/cores.h"
#include "../../record/result.h"
#include "two_drivers.h"

static int set_up(void **state) {
    if (two_drivers_open(state) != 0) return -1;
    write_suite("few", "{\"kernel\": \"relu.*\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": [1025, 1026]}, \"shapes\": "
                       "\"default\"}");
    return shell("cc -shared -fPIC -O1 harness/commands/tests/faults/driver.c -o %s/driver.so", folder);
}

// Runs `vkassay VERB --device all` on the suite, with the faults of the preloaded driver.
static int run_all(const char *faults, const char *verb) {
    return shell("rm -rf %s/out %s/met; mkdir %s/met; env "
                 "ASAN_OPTIONS=\"$ASAN_OPTIONS:verify_asan_link_order=0:handle_segv=0\" LD_PRELOAD=%s/driver.so %s %s "
                 "%s --device all --suite %s/few.json --timeout 20 --out %s/out >%s/output 2>&1",
        folder, folder, folder, folder, faults, program, verb, folder, folder, folder);
}

static int64_t of_run(const char *device, const char *key) {
    char pattern[100];
    snprintf(pattern, sizeof pattern, "out/%s*/*/result.json", device);
    struct json_object *result = parsed(pattern);
    int64_t value = json_get_int(json_get(result, "run"), key, 0);
    json_object_put(result);
    return value;
}

// Each worker waits at device creation until another one is there. Run one after the other, neither could continue.
static void workers_of_two_devices_are_there_at_the_same_time(void **state) {
    char faults[200];
    needs_swiftshader();
    snprintf(faults, sizeof faults, "FAULT_CALL=vkCreateDevice FAULT_CODE='meet %s/met'", folder);
    assert_int_equal(run_all(faults, "check --jobs 1"), STATUS_OK);
    assert_int_equal(of_run("llvmpipe", "devices_at_once"), 2);
    assert_holds("out/llvmpipe*/*/result.json", "\"complete\": true");
    assert_holds("out/swiftshader*/*/result.json", "\"complete\": true");
    // Both devices share a progress line.
    assert_says("llvmpipe (LLVM");
    assert_says("SwiftShader Device (Subzero) 4/4");
}

static void those_that_are_timed_at_once_have_cores_of_their_own(void **state) {
    char faults[200];
    needs_swiftshader();
    needs_hardware(cores_whole() >= 2, "second core");
    snprintf(faults, sizeof faults, "FAULT_CALL=vkCreateDevice FAULT_CODE='meet %s/met'", folder);
    assert_int_equal(run_all(faults, "bench --together --samples 5"), STATUS_OK);
    int64_t a = of_run("llvmpipe", "cores"), b = of_run("swiftshader", "cores");
    assert_true(a >= 1 && b >= 1);
    assert_int_equal(a + b, cores_usable());
    assert_holds("out/devices/*/devices.html", "SwiftShader");
}

// Both drivers claim to be GPUs. Each has a core of its own, and both share the rest.
static void gpus_share_what_is_left_of_the_cores(void **state) {
    char faults[200];
    needs_swiftshader();
    needs_hardware(cores_whole() >= 2, "second core");
    snprintf(faults, sizeof faults, "FAULT_KIND=2 FAULT_CALL=vkCreateDevice FAULT_CODE='meet %s/met'", folder);
    assert_int_equal(run_all(faults, "bench --samples 5"), STATUS_OK);
    int64_t own[] = {of_run("llvmpipe", "own_cores"), of_run("swiftshader", "own_cores")};
    assert_true(own[0] >= 1 && own[1] >= 1);
    assert_int_equal(of_run("llvmpipe", "cores"), cores_usable() - own[1]);
    assert_int_equal(of_run("swiftshader", "cores"), cores_usable() - own[0]);
}

static void a_device_of_the_host_s_cores_is_timed_by_itself(void **state) {
    needs_swiftshader();
    assert_int_equal(run_all("", "bench --samples 5"), STATUS_OK);
    assert_says(
        cores_whole() < 2 ? "runs separately: there are fewer cores" : "runs separately: it uses the host's cores");
    assert_int_equal(of_run("llvmpipe", "devices_at_once"), 0);
    assert_int_equal(of_run("swiftshader", "cores"), 0);
}

static void a_device_that_dies_costs_its_own_points(void **state) {
    needs_swiftshader();
    int status = run_all("FAULT_CALL=vkQueueSubmit FAULT_CODE='signal 11' FAULT_DEVICE=SwiftShader", "check --jobs 1");
    assert_int_equal(status, STATUS_WRONG);
    assert_holds("out/llvmpipe*/*/result.json", "\"complete\": true");
    assert_holds("out/swiftshader*/*/result.json", "\"status\": \"crash\"");
    struct json_object *right = parsed("out/llvmpipe*/*/result.json");
    struct json_object *records = json_get(right, "records");
    for (size_t i = 0; i < json_object_array_length(records); i++)
        assert_string_equal(json_get_string(json_object_array_get_idx(records, i), "status", ""), "pass");
    json_object_put(right);
}

// No worker can be started for this device. Its run ends with a fault, and the other device's run is complete.
static void a_device_that_cannot_be_opened_stops_no_other(void **state) {
    needs_swiftshader();
    assert_int_equal(
        run_all("FAULT_CALL=vkCreateDevice FAULT_CODE='signal 11' FAULT_DEVICE=SwiftShader", "check"), STATUS_FAULT);
    assert_holds("out/llvmpipe*/*/result.json", "\"complete\": true");
    assert_holds("out/swiftshader*/*/result.json", "\"complete\": false");
}

static void points_are_spread_over_devices_that_are_alike(void **state) {
    static const char *const differing[] = {"wall", "build_ns", NULL};
    char twice[1000];
    needs_swiftshader();
    assert_int_equal(shell("cp %s %s/again.json", lavapipe, folder), 0);
    snprintf(twice, sizeof twice, "%s:%s/again.json:%s", lavapipe, folder, swiftshader);
    assert_int_equal(
        run("check --device llvmpipe --quiet --suite %s/few.json --out %s/one", folder, folder), STATUS_OK);
    use(twice);
    char words[300];
    snprintf(words, sizeof words, "--suite %s/few.json --out %s/two", folder, folder);
    assert_int_equal(run("check --device all --shard auto %s", words), STATUS_OK);
    assert_says("running on 2 devices of this model");
    // Twins share the UUID used to resume a run.
    assert_int_equal(shell("cd %s && cp -r two/llvmpipe*/* begun && sed -i '$d' begun/journal.jsonl", folder), 0);
    assert_int_equal(run("check --resume %s/begun", folder), STATUS_OK);
    assert_says("running on 2 devices of this model");
    use_both();
    struct json_object *one = records_without(differing, "one/*/*/result.json"),
                       *two = records_without(differing, "two/llvmpipe*/*/result.json");
    assert_int_equal(json_object_array_length(one), 4);
    assert_true(json_object_equal(one, two));
    json_object_put(one);
    json_object_put(two);
    assert_holds("two/llvmpipe*/*/result.json", "\"devices\": [");
    assert_int_equal(run("bench --shard auto 'relu.*'"), STATUS_USAGE);
    assert_says("--shard auto requires check");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_of_two_devices_are_there_at_the_same_time),
        cmocka_unit_test(those_that_are_timed_at_once_have_cores_of_their_own),
        cmocka_unit_test(gpus_share_what_is_left_of_the_cores),
        cmocka_unit_test(a_device_of_the_host_s_cores_is_timed_by_itself),
        cmocka_unit_test(a_device_that_dies_costs_its_own_points),
        cmocka_unit_test(a_device_that_cannot_be_opened_stops_no_other),
        cmocka_unit_test(points_are_spread_over_devices_that_are_alike),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}
