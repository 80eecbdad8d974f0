// SPDX-License-Identifier: Apache-2.0
// `peaks`: the roofs of a device on one screen and in a result.
#include "vkassay_program.h"

#include "../../record/result.h"

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
    (void)state;
    assert_int_equal(run("peaks --suite %s/peaks.json --seconds 0.01 --out %s/run", folder, folder), STATUS_OK);
    assert_says("multiply-add i32");
    assert_says("host empty dispatch");
    assert_says("matrix units bf16 into f32");
    read_result("run", &result);
    assert_int_equal(result.count, 3);
    const struct record *chain = record_of(&result, "mad_chain.i32");
    struct peak_figure figure;
    assert_non_null(chain);
    assert_true(peak_figure(chain, &figure));
    // The cost is 2 operations an element and a step, whatever the size.
    assert_true(fabs(figure.value / (2.0 * 4096 * 64 / chain->time[FIGURE_COMPUTE].median * 1e9) - 1) < 1e-12);
    assert_true(figure.lo <= figure.value && figure.value <= figure.hi);
    // Both are read from text, each by a division of its own.
    assert_true(fabs(result_peak(&result, "mad_i32_ops_per_s") / figure.value - 1) < 1e-9);
    result_free(&result);
    assert_int_equal(run("peaks %s/run/*/*/result.json", folder), STATUS_OK); // one that was made elsewhere
    assert_says("multiply-add i32");
    assert_int_equal(run("compare %s/run/*/*/result.json %s/run/*/*/result.json", folder, folder), STATUS_OK);
}

static void odd_input_is_said(void **state) {
    (void)state;
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
        cmocka_unit_test(odd_input_is_said),
    };
    return cmocka_run_group_tests(tests, open_peaks, folder_remove);
}
