// SPDX-License-Identifier: Apache-2.0
// Tests the exit status over two devices at once: lavapipe and SwiftShader.
#include "two_drivers.h"

// An entry of a suite. SwiftShader lacks f16, so a suite of only f16 measures nothing there.
#define POINTS(kernel, dtype, sizes)                                                                                   \
    "{\"kernel\": \"" kernel "\", \"dtypes\": [\"" dtype "\"], \"dims\": {\"n\": [" sizes "]}, \"shapes\": "           \
    "\"default\"}"

static void write_expectation(const char *name, const char *device) {
    char text[400], file[60];
    snprintf(file, sizeof file, "%s.json", name);
    snprintf(text, sizeof text,
        "{\"schema_version\": 1, \"expectations\": [{\"points\": \"relu.*\", \"device\": \"%s\", \"status\": \"fail\", "
        "\"reason\": \"so that it passes against it\"}]}",
        device);
    write_text(file, text);
}

static int set_up(void **state) {
    if (two_drivers_open(state) != 0) return -1;
    write_suite("plain", POINTS("relu.scalar", "f32", "1025"));
    write_suite("half", POINTS("relu.scalar", "f16", "1025"));
    write_suite("none", "{\"kernel\": \"relu.scalar\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": 4000000000}, "
                        "\"shapes\": \"default\"}");
    static const char slow[] =
        "{\"schema_version\": 1, \"name\": \"slow\", \"summary\": \"a test\", \"settings\": {\"point_seconds\": 0.3, "
        "\"precision\": 1e-9, \"most_samples\": 1000000, \"reference_seconds\": 0.01}, \"entries\": [%s]}";
    char text[1000];
    snprintf(text, sizeof text, slow, POINTS("relu.scalar", "f16", "1025, 1026, 1027"));
    write_text("slow_half.json", text);
    snprintf(
        text, sizeof text, slow, POINTS("relu.scalar", "f16", "1026, 1027") ", " POINTS("relu.scalar", "f32", "1025"));
    write_text("slow_both.json", text);
    snprintf(text, sizeof text, slow, POINTS("relu.scalar", "f32", "1025, 1026, 1027"));
    write_text("slow.json", text);
    write_expectation("lavapipe", "llvmpipe*");
    write_expectation("swiftshader", "SwiftShader*");
    return 0;
}

static int over(const char *devices, const char *suite, const char *more) {
    return run("bench --device %s --suite %s/%s.json --quiet --out %s/out %s", devices, folder, suite, folder, more);
}

static void each_pair_of_statuses(void **state) {
    static const struct {
        const char *suite, *expectation, *budget;
        int on_swiftshader, on_lavapipe, together;
    } cases[] = {
        {"plain", NULL, "", STATUS_OK, STATUS_OK, STATUS_OK},
        {"plain", "swiftshader", "", STATUS_WRONG, STATUS_OK, STATUS_WRONG},
        {"plain", "lavapipe", "", STATUS_OK, STATUS_WRONG, STATUS_WRONG},
        {"none", NULL, "", STATUS_NOTHING, STATUS_NOTHING, STATUS_NOTHING},
        {"half", NULL, "", STATUS_NOTHING, STATUS_OK, STATUS_PARTIAL},
        {"half", "lavapipe", "", STATUS_NOTHING, STATUS_WRONG, STATUS_WRONG},
        {"slow_half", NULL, "--budget 0.2", STATUS_NOTHING, STATUS_PARTIAL, STATUS_PARTIAL},
        {"slow_both", NULL, "--budget 0.2", STATUS_OK, STATUS_PARTIAL, STATUS_PARTIAL},
        {"slow_both", "swiftshader", "--budget 0.2", STATUS_WRONG, STATUS_PARTIAL, STATUS_WRONG},
        {"slow", NULL, "--budget 0.2", STATUS_PARTIAL, STATUS_PARTIAL, STATUS_PARTIAL},
    };
    needs_swiftshader();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char more[400] = "";
        if (cases[i].expectation)
            snprintf(more, sizeof more, "--expectations %s/%s.json ", folder, cases[i].expectation);
        strcat(more, cases[i].budget);
        const int expected[] = {cases[i].on_swiftshader, cases[i].on_lavapipe, cases[i].together, cases[i].together};
        static const char *const devices[] = {"swiftshader", "llvmpipe", "all", "llvmpipe,swiftshader"};
        for (int d = 0; d < (i == 1 ? 4 : 3); d++) {
            int found = over(devices[d], cases[i].suite, more);
            if (found != expected[d])
                fail_msg("%s %s on %s: status %d, expected %d\n%s", cases[i].suite, more, devices[d], found,
                    expected[d], content("output"));
        }
    }
}

static void a_device_that_is_none_or_named_twice_is_refused(void **state) {
    needs_swiftshader();
    assert_int_equal(over("llvmpipe,nvidia", "plain", ""), STATUS_USAGE);
    assert_says("no device matches \"nvidia\"");
    assert_int_equal(over("llvmpipe,LLVMPIPE", "plain", ""), STATUS_USAGE);
    assert_says("names a device twice");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pair_of_statuses),
        cmocka_unit_test(a_device_that_is_none_or_named_twice_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}
