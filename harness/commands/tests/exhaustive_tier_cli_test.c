// SPDX-License-Identifier: Apache-2.0
// Tests the exhaustive tier from outside, over ranges affordable on a small machine. Kernels in sweep/ are wrong for
// one argument only.
#include "vkassay_program.h"
#include "../../record/terms.h"
#include "../../record/record.h"

#include <math.h>

// Two chunks, because the range crosses a multiple of 2^26.
#define RANGE "--range 0x3bff0000:0x3c00ffff"
enum { RANGE_INPUTS = 0x20000 };
// A chunk of two pieces, and the beginning of the next chunk.
#define LONG_RANGE "--range 0x3bb00000:0x3c00ffff"
enum { LONG_INPUTS = 0x510000 };

// Runs `vkassay check ARGUMENTS --out FOLDER/NAME` and returns the exit status.
static int check(const char *arguments, const char *name) {
    return run("check %s --out %s/%s", arguments, folder, name);
}

#define EXHAUSTIVE_KERNELS "--tier exhaustive --kernels harness/commands/tests/sweep "

static void one_wrong_argument_is_found(void **state) {
    struct result result;
    assert_int_equal(check(EXHAUSTIVE_KERNELS "neg.right neg.gap " RANGE, "wrong"), STATUS_WRONG);
    read_result("wrong", &result);
    assert_int_equal(result.count, 2);
    const struct record *right = record_of(&result, "neg.right"), *gap = record_of(&result, "neg.gap");
    assert_int_equal(right->status, RECORD_PASS);
    assert_int_equal(right->check.checked, RANGE_INPUTS);
    assert_int_equal(right->exhaustive.inputs, RANGE_INPUTS);
    assert_int_equal(gap->status, RECORD_FAIL);
    assert_int_equal(gap->check.failures, 1);
    assert_int_equal(gap->exhaustive.argument, 0x3c00beef);
    assert_says("0x3c00beef");
    result_free(&result);
}

// The kernel is wrong in the last bit, in the second piece of a chunk. The replay line runs only this piece and finds
// it.
static void a_failure_names_its_argument_and_replays(void **state) {
    struct result result, again;
    char line[2000];
    assert_int_equal(check(EXHAUSTIVE_KERNELS "neg.slip " LONG_RANGE, "first"), STATUS_WRONG);
    read_result("first", &result);
    const struct record *record = record_of(&result, "neg.slip");
    assert_int_equal(record->exhaustive.inputs, LONG_INPUTS);
    assert_int_equal(record->check.checked, LONG_INPUTS);
    assert_int_equal(record->check.failures, 1);
    assert_int_equal(record->exhaustive.argument, 0x3bfffeef);
    assert_int_equal(record->check.worst_index, 0x3bfffeef - 0x3bb00000);
    assert_true(record->exhaustive.ulp == 1 && record->check.bound_ulp == 0);
    assert_true(record->check.inputs[0].value == 0x1.fffddep-8 && record->check.want == -0x1.fffddep-8);
    assert_non_null(strstr(record->reason, "worst at 0x3bfffeef (0.00781237287): got"));
    assert_holds("first/*/*/exhaustive.md", "| neg.slip | f32 | 5308416 | 0 | 1 | 0 | 0x3bfffeef | 0.00781237287 |");
    assert_string_equal(record->replay,
        "vkassay check 'neg.slip/f32/n=4194304/wg=64x1x1/bits=3bf00000-3bffffff' --seed 1 "
        "--kernels harness/commands/tests/sweep");
    snprintf(line, sizeof line, "%s", record->replay + strlen("vkassay check "));
    assert_int_equal(check(line, "again"), STATUS_WRONG);
    read_result("again", &again);
    assert_int_equal(again.records[0].exhaustive.argument, record->exhaustive.argument);
    assert_true(again.records[0].check.got == record->check.got);
    result_free(&result);
    result_free(&again);
}

// An expectation applies to an exhaustive check as a whole, not to its parts.
static void a_sweep_is_expected_as_a_whole(void **state) {
    struct result result;
    char arguments[1000];
    assert_int_equal(check(EXHAUSTIVE_KERNELS "neg.slip neg.right " LONG_RANGE, "known"), STATUS_WRONG);
    snprintf(arguments, sizeof arguments,
        EXHAUSTIVE_KERNELS "neg.slip neg.right " LONG_RANGE " --expectations %s/known/*/*/expectations.json", folder);
    assert_int_equal(check(arguments, "expected"), STATUS_OK);
    read_result("expected", &result);
    assert_int_equal(result.count, 2);
    assert_string_equal(record_of(&result, "neg.slip")->expected.status, "fail");
    assert_int_equal(record_of(&result, "neg.slip")->status, RECORD_FAIL);
    assert_null(record_of(&result, "neg.right")->expected.status);
    result_free(&result);
    write_text("mended.json", "{\"schema_version\": 1, \"expectations\": ["
                              "{\"points\": \"neg.right\", \"status\": \"fail\", \"reason\": \"was\"}]}");
    snprintf(arguments, sizeof arguments, EXHAUSTIVE_KERNELS "neg.right " LONG_RANGE " --expectations %s/mended.json",
        folder);
    assert_int_equal(check(arguments, "mended"), STATUS_WRONG);
    assert_says("passed unexpectedly");
}

static void the_worst_of_a_native_function_is_within_its_bound(void **state) {
    struct result result;
    assert_int_equal(check("--tier exhaustive 'exp.scalar/f32' " RANGE, "exp"), STATUS_OK);
    read_result("exp", &result);
    const struct record *record = &result.records[0];
    assert_int_equal(result.count, 1);
    assert_int_equal(record->check.checked, RANGE_INPUTS);
    assert_true(record->exhaustive.ulp > 0 && record->exhaustive.ulp <= record->check.bound_ulp);
    assert_true(record->exhaustive.argument >= 0x3bff0000 && record->exhaustive.argument <= 0x3c00ffff);
    // The argument, its value and its expected result belong together.
    uint32_t bits = (uint32_t)record->exhaustive.argument;
    float x;
    memcpy(&x, &bits, sizeof x);
    assert_true(record->check.inputs[0].value == (double)x);
    assert_true(record->check.want == exp((double)x));
    result_free(&result);
}

static void sixteen_bits_are_always_whole(void **state) {
    struct result result;
    int status = check("--tier exhaustive 'exp.scalar/f16' 'exp.scalar/bf16' " RANGE, "half");
    read_result("half", &result);
    assert_int_equal(result.count, 2);
    for (size_t i = 0; i < result.count; i++) {
        const struct record *record = &result.records[i];
        if (record->status == RECORD_SKIP) continue; // the device lacks the type
        assert_int_equal(record->status, RECORD_PASS);
        assert_int_equal(record->exhaustive.inputs, 65536);
        assert_int_equal(record->check.checked + record->check.excluded, 65536);
        // NaN, infinities and subnormals are excluded if the device does not honour them.
        int fraction = strcmp(record->dtype, "f16") == 0 ? 10 : 7;
        int specials = record->check.specials ? 0 : 2 << fraction,
            denorms = record->check.denorms ? 0 : (2 << fraction) - 2;
        assert_int_equal(record->check.excluded, specials + denorms);
    }
    assert_true(status == STATUS_OK || (status == STATUS_NOTHING && result.records[0].status == RECORD_SKIP));
    result_free(&result);
}

// Excluded inputs are counted even if nothing is checked.
static void a_range_without_a_bound_is_left_out(void **state) {
    struct result result;
    assert_int_equal(check("--tier exhaustive 'log.map/f32' --range 0xbbfffff0:0xbc00000f", "out"), STATUS_OK);
    read_result("out", &result);
    const struct record *record = &result.records[0];
    assert_int_equal(record->check.excluded, 32);
    assert_int_equal(record->check.checked, 0);
    assert_true(isnan(record->check.max_ulp) && record->check.worst_index < 0);
    assert_holds("out/*/*/exhaustive.md", "| log.map | f32 | 32 | 100% | - | - | - | - |");
    result_free(&result);
}

static void assert_same_but_for_time(const struct record *a, const struct record *b) {
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->status, b->status);
    assert_true(a->check.output_hash == b->check.output_hash);
    assert_true(a->check.max_ulp == b->check.max_ulp && a->check.mean_ulp == b->check.mean_ulp);
    assert_int_equal(a->check.checked, b->check.checked);
    assert_memory_equal(a->check.histogram, b->check.histogram, sizeof a->check.histogram);
    assert_int_equal(a->exhaustive.argument, b->exhaustive.argument);
    assert_int_equal(a->exhaustive.inputs, b->exhaustive.inputs);
}

// Imitates a killed run: the journal ends in the middle of a record.
static void a_run_cut_short_goes_on_to_the_same_result(void **state) {
    struct result whole, resumed;
    assert_int_equal(check(EXHAUSTIVE_KERNELS "neg.right 'exp.scalar/f32' " RANGE, "whole"), STATUS_OK);
    int status = shell("cd %s && cp -r whole cut && rm cut/*/*/result.json && f=$(echo cut/*/*/journal.jsonl) && "
                       "[ $(wc -l <$f) -eq 5 ] && head -n 2 $f >$f.new && sed -n 3p $f | head -c 300 >>$f.new && "
                       "mv $f.new $f",
        folder);
    assert_int_equal(status, 0);
    assert_int_equal(run("check --resume $(dirname %s/cut/*/*/journal.jsonl)", folder), STATUS_OK);
    read_result("whole", &whole);
    read_result("cut", &resumed);
    assert_int_equal(whole.count, 2);
    assert_int_equal(resumed.count, 2);
    for (size_t i = 0; i < whole.count; i++) {
        assert_int_equal(whole.records[i].exhaustive.inputs, RANGE_INPUTS);
        assert_same_but_for_time(&whole.records[i], &resumed.records[i]);
    }
    result_free(&whole);
    result_free(&resumed);
}

static void options_are_checked(void **state) {
    static const char *const wrong[][2] = {
        {"--tier whole", "--tier expects"},
        {"--tier exhaustive --range 5:4", "--range expects FROM:TO, found '5:4'"},
        {"--tier exhaustive --range 0:0x100000000", "--range expects FROM:TO"},
        {"--tier exhaustive --range 0x10", "--range expects FROM:TO"},
        {"--tier exhaustive --suite smoke", "use --suite or --tier"},
        {"--pairs", "--pairs requires --tier exhaustive"},
        {"--tier smoke --range 1:2", "--range requires --tier exhaustive"},
        {"--tier exhaustive matmul.naive", "no point"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(check(wrong[i][0], "unused"), STATUS_USAGE);
        assert_says(wrong[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_wrong_argument_is_found),
        cmocka_unit_test(a_failure_names_its_argument_and_replays),
        cmocka_unit_test(a_sweep_is_expected_as_a_whole),
        cmocka_unit_test(the_worst_of_a_native_function_is_within_its_bound),
        cmocka_unit_test(sixteen_bits_are_always_whole),
        cmocka_unit_test(a_range_without_a_bound_is_left_out),
        cmocka_unit_test(a_run_cut_short_goes_on_to_the_same_result),
        cmocka_unit_test(options_are_checked),
    };
    return cmocka_run_group_tests(tests, program_open, folder_remove);
}
