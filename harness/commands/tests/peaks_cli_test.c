// SPDX-License-Identifier: Apache-2.0
// Tests `peaks`: the roofs of a device on one screen and in a result.
#include "vkassay_program.h"

#include "../../record/result.h"
#include "../../record/record.h"
#include "../../record/terms.h"

#include <math.h>

static int open_peaks(void **state) {
    if (program_open(state) != 0) return -1;
    write_suite("peaks",
        "{\"kernel\": \"nothing.empty\", \"dims\": {\"n\": 1}, \"shapes\": \"default\", \"peak\": "
        "\"empty_dispatch_ns\"},"
        "{\"kernel\": \"mad_chain.i32\", \"dims\": {\"n\": 4096, \"iterations\": 64}, \"shapes\": \"default\","
        "\"peak\": \"mad_i32_ops_per_s\"},"
        "{\"kernel\": \"matrix_chain.bf16_f32\", \"dims\": {\"m\": 32, \"n\": 32, \"k\": 64, \"iterations\": 4},"
        "\"shapes\": \"default\", \"peak\": \"matrix_bf16_f32_flops_per_s\"}");
    write_suite("others", "{\"kernel\": \"relu.scalar\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": 7}}");
    return 0;
}

static void peaks_are_measured_shown_and_kept(void **state) {
    struct result result;
    assert_int_equal(run("peaks --suite %s/peaks.json --seconds 0.01 --out %s/run", folder, folder), STATUS_OK);
    assert_says("multiply-add i32");
    assert_says("host empty dispatch");
    assert_says("matrix units bf16 into f32");
    read_result("run", &result);
    assert_int_equal(result.count, 3);
    const struct record *chain = record_of(&result, "mad_chain.i32");
    struct peak_figure figure;
    assert_non_null(chain);
    assert_string_equal(chain->arithmetic, "mad_i32");
    assert_true(peak_figure(chain, &figure));
    // The cost is 2 operations per element and step, at any size.
    assert_true(fabs(figure.value / (2.0 * 4096 * 64 / chain->time[FIGURE_COMPUTE].median * 1e9) - 1) < 1e-12);
    assert_true(figure.lo <= figure.value && figure.value <= figure.hi);
    // Both are computed from text by separate divisions.
    assert_true(fabs(result_peak(&result, "mad_i32_ops_per_s") / figure.value - 1) < 1e-9);
    result_free(&result);
    assert_int_equal(run("peaks %s/run/*/*/result.json", folder), STATUS_OK); // a result made elsewhere
    assert_says("multiply-add i32");
    const int same = run("compare %s/run/*/*/result.json %s/run/*/*/result.json", folder, folder);
    assert_true(same == STATUS_OK || same == STATUS_PARTIAL); // undecided on a busy machine
}

// --quiet hides the progress, but not the requested output.
static void peaks_are_told_quietly_too(void **state) {
    assert_int_equal(run("peaks --quiet %s/run/*/*/result.json", folder), STATUS_OK);
    assert_says("multiply-add i32");
}

// ---- peaks added to a selection

static const char *bench_relu(const char *options) {
    assert_int_equal(shell("rm -rf %s/bench", folder), 0);
    assert_int_equal(run("bench %s --suite %s/rulers.json --out %s/bench", options, folder, folder), STATUS_OK);
    return content("bench/*/*/result.json");
}

static void assert_measured(const char *options, bool measured) {
    const char *result = bench_relu(options);
    if (measured != !strstr(result, "peaks_from"))
        fail_msg("%s: expected peaks to be %s", options, measured ? "measured" : "remembered");
    if (measured != !strstr(content("output"), "using peaks measured at 20")) fail_msg("%s", content("output"));
}

// A second run reuses the first run's peak. Runs that ask for the peak, or use no cache, measure it.
static void peaks_are_measured_once(void **state) {
    struct result first, second;
    write_suite("rulers",
        "{\"kernel\": \"copy.vec4\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": 4096}, \"shapes\": \"default\","
        "\"peak\": \"copy_bytes_per_s\"},"
        "{\"kernel\": \"relu.scalar\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": 7}}");
    assert_int_equal(shell("rm -rf %s/cache", folder), 0);
    assert_measured("relu", true);
    read_result("bench", &first);
    assert_measured("relu", false);
    read_result("bench", &second);
    assert_true(record_of(&first, "copy.vec4")->time[FIGURE_COMPUTE].median ==
                record_of(&second, "copy.vec4")->time[FIGURE_COMPUTE].median);
    assert_true(result_peak(&second, "copy_bytes_per_s") == result_peak(&first, "copy_bytes_per_s"));
    result_free(&first);
    result_free(&second);
    assert_measured("relu --no-cache", true);
    assert_measured("relu copy.vec4", true);
    assert_measured("", true); // a whole suite
    assert_measured("relu --cache cold", true);
    assert_measured("relu", false);
}

// A damaged file only costs a measurement.
static void what_is_remembered_is_not_trusted(void **state) {
    static const char *const damages[] = {"s/2[0-9][0-9][0-9]-/<b>-/", "s/\"sources\":\"/&x/", "s/\"name\":\"copy/&y/",
        "s/\"status\":\"pass\"/\"status\":\"fail\"/", "s/\"median_ns\":/\"median_ns\":\"x\",\"was\":/g", "s/^./[/"};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        assert_measured("relu", false);
        assert_int_equal(shell("sed -i '%s' %s/cache/peaks-*.json", damages[i], folder), 0);
        assert_measured("relu", true);
    }
}

// The remembered copy is made so slow that no kernel can be as fast as this one.
static void remembered_peaks_limit_times_of_ab_and_tune(void **state) {
    char tune[200];
    snprintf(tune, sizeof tune, "tune --out %s/limited", folder);
    const char *const verbs[] = {"ab --base kernels --head kernels", tune};
    for (size_t edited = 0; edited < 2; edited++) {
        assert_measured("relu copy.vec4", true);
        if (edited) shell("sed -i 's/\"median_ns\":[0-9.]*/\"median_ns\":1e15/g' %s/cache/peaks-*.json", folder);
        for (size_t i = 0; i < 2; i++) {
            run("%s relu.scalar --cache cold --samples 4 --suite %s/rulers.json", verbs[i], folder);
            if (edited != !!strstr(content("output"), "its time is not possible: ")) fail_msg("%s", content("output"));
        }
    }
}

static void odd_input_is_said(void **state) {
    assert_int_equal(run("peaks %s/none.json", folder), STATUS_BAD_INPUT);
    assert_int_equal(run("peaks --suite %s/none.json", folder), STATUS_BAD_INPUT);
    assert_int_equal(run("peaks --shard 1/2"), STATUS_USAGE);
    // A suite without peaks measures none.
    assert_int_equal(
        run("peaks --suite %s/others.json --seconds 0.01 --quiet --out %s/others", folder, folder), STATUS_NOTHING);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peaks_are_measured_shown_and_kept),
        cmocka_unit_test(peaks_are_told_quietly_too),
        cmocka_unit_test(peaks_are_measured_once),
        cmocka_unit_test(what_is_remembered_is_not_trusted),
        cmocka_unit_test(remembered_peaks_limit_times_of_ab_and_tune),
        cmocka_unit_test(odd_input_is_said),
    };
    return cmocka_run_group_tests(tests, open_peaks, folder_remove);
}
