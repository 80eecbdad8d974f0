// SPDX-License-Identifier: Apache-2.0
// Tests that no cheat of the corpus passes, and honest kernels with the same looks do. A cheat is right or quick
// to a naive eye: one size, one seed, a tolerance, memory as the last run left it. `bench` or `check` must refuse each,
// for its own reason. In `make test`, only the first of each kind is tried.
#include "../../base/tests/depth.h"
#include "vkassay_program.h"
#include "../../record/cases.h"
#include "../../record/terms.h"

#define CORPUS "--only harness/commands/tests/cheats"

// The checks that may refuse a cheat. A result that an earlier run left has other bits, numbers or words.
enum {
    NUMBERS = CHECK_ULP | CHECK_CLASS,
    REPLAY = NUMBERS | CHECK_UNWRITTEN | CHECK_BITS | CHECK_REPLAY,
    NAMED = 1 << 29,     // its record names the memory it needs; no run may show the trick
    ELSEWHERE = 1 << 30, // right at the sizes of the suite; `check` refuses it at others
};

static const struct cheat {
    const char *kernel, *kind;
    uint32_t checks; // one of these must fail
} cheats[] = {
    {"softmax.cheat_replay_output", "replay from its output", REPLAY},
    {"exp.cheat_replay_tag", "replay from its output", REPLAY},
    {"relu.cheat_replay_saved", "replay from scratch", REPLAY},
    {"matmul.cheat_replay_weights", "replay from scratch", REPLAY},
    {"softmax.cheat_replay_ends", "replay by a fingerprint", REPLAY},
    {"softmax.cheat_replay_saved", "replay by a fingerprint", REPLAY},
    {"sum_rows.cheat_replay_first", "replay by a fingerprint", REPLAY},
    {"sum_rows.cheat_replay_hash", "replay by a fingerprint", REPLAY},
    {"matmul.cheat_replay_rows", "replay by a fingerprint", REPLAY},
    {"sum_rows.cheat_replay_slots", "replay by two fingerprints", REPLAY},
    {"exp.cheat_replay_memo", "replay beside its input", REPLAY},
    {"sum_rows.cheat_marks", "replay by shared memory", REPLAY | CHECK_UNSET},
    {"sum_rows.cheat_replay_sealed", "replay with a seal", REPLAY | NAMED},
    {"relu.cheat_replay_counter", "replay by a counter", REPLAY},
    {"sum_rows.cheat_counter", "replay by a counter", REPLAY},
    {"relu.cheat_replay_flag", "replay by a flag", REPLAY},
    {"softmax.cheat_replay_part", "replay of a part", REPLAY},
    {"softmax.cheat_replay_tiles", "replay of a part", REPLAY},
    {"sum_rows.cheat_zero_output", "memory taken for zeros", NUMBERS},
    {"sum_rows.cheat_zero_scratch", "memory taken for zeros", CHECK_REPLAY},
    {"max_rows.cheat_output", "memory taken for zeros", REPLAY},
    {"relu.cheat_zeros", "a constant", NUMBERS},
    {"softmax.cheat_constant", "a constant", NUMBERS},
    {"mean_rows.cheat_zero", "a constant", NUMBERS},
    {"tanh.cheat_input", "its input", NUMBERS},
    {"transpose.cheat_square", "its input", NUMBERS},
    {"relu.cheat_input_written", "its input changed", CHECK_INPUT},
    {"relu.cheat_large", "work left out at a size", CHECK_UNWRITTEN},
    {"relu.cheat_timed", "work left out at a size", CHECK_UNWRITTEN},
    {"relu.cheat_groups", "work left out in a large grid", CHECK_UNWRITTEN},
    {"relu.cheat_share", "work left out in a large grid", CHECK_UNWRITTEN},
    {"relu.cheat_16_bits", "indices too narrow", CHECK_UNWRITTEN},
    {"relu.cheat_tail", "the tail left out", CHECK_UNWRITTEN},
    {"sum_rows.cheat_beyond", "the tail left out", NUMBERS},
    {"max_rows.cheat_first", "the tail left out", NUMBERS},
    {"cumsum.cheat_no_carry", "the tail left out", NUMBERS},
    {"sum_rows.cheat_last", "fewer terms", NUMBERS},
    {"matmul.cheat_k", "fewer terms", NUMBERS},
    {"softmax.cheat_last", "fewer terms", NUMBERS},
    {"sum_rows.cheat_sampled", "a sample of terms", NUMBERS},
    {"matmul.cheat_sampled", "a sample of terms", NUMBERS},
    {"sum_rows.cheat_sampled_long", "a sample of many terms", NUMBERS},
    {"sum_rows.cheat_half", "a lower precision", NUMBERS},
    {"sum_rows.cheat_cut", "a lower precision", NUMBERS},
    {"matmul.cheat_cut", "a lower precision", NUMBERS},
    {"exp.cheat_half", "a lower precision", NUMBERS},
    {"copy.cheat_cut", "a lower precision", NUMBERS},
    {"exp.cheat_bits", "an approximation", NUMBERS},
    {"exp.cheat_polynomial", "an approximation", NUMBERS},
    {"tanh.cheat_clamp", "an approximation", NUMBERS},
    {"sigmoid.cheat_table", "an approximation", NUMBERS},
    {"sigmoid.cheat_hard", "an approximation", NUMBERS},
    {"softmax.cheat_no_rescale", "a step left out", NUMBERS},
    {"logsumexp.cheat_no_max", "small inputs only", NUMBERS},
    {"softmax.cheat_no_max", "small inputs only", NUMBERS},
    {"matmul.cheat_one", "one output wrong", NUMBERS},
    {"sum_rows.cheat_race", "a race", NUMBERS | CHECK_BITS | CHECK_RACE},
    {"max_rows.cheat_from_zero", "positive inputs only", NUMBERS | ELSEWHERE},
    {"sum_rows.cheat_fixed", "a size hard-coded", NUMBERS | ELSEWHERE},
    {"matmul.cheat_short", "a size hard-coded", NUMBERS | ELSEWHERE},
    {"matmul.cheat_tiles", "a shape hard-coded", CHECK_UNWRITTEN | ELSEWHERE},
    {"matmul.cheat_zeros", "zero factors left out", NUMBERS | ELSEWHERE},
    {"sum_rows.cheat_padding", "reads beyond the end", NUMBERS | CHECK_PACKED | CHECK_BITS | CHECK_BOUNDS | ELSEWHERE},
    {"sum_rows.cheat_race_last", "a race under load", REPLAY | CHECK_RACE | ELSEWHERE},
    {"sum_rows.cheat_seed", "one seed's results", NUMBERS},
};
enum { CHEATS = sizeof cheats / sizeof *cheats, LEAST_HONEST = 40 };

static struct arena arena;
static struct result timed, checked; // of `bench` at the suite's sizes, of `check`
static size_t tried[CHEATS], tried_count;

static const char suite[] =
    "{\"schema_version\": 1, \"name\": \"cheats\", \"summary\": \"the corpus at a few small sizes\", \"settings\": "
    "{\"point_seconds\": 0.01, \"reference_seconds\": 0.01, \"least_samples\": 3}, \"entries\": ["
    "{\"operator\": \"relu\", \"dims\": {\"n\": [1025, 100000]}, \"shapes\": \"default\"},"
    "{\"operator\": \"exp\", \"dims\": {\"n\": 1025}, \"shapes\": \"default\"},"
    "{\"operator\": \"tanh\", \"dims\": {\"n\": 1025}, \"shapes\": \"default\"},"
    "{\"operator\": \"sigmoid\", \"dims\": {\"n\": 1025}, \"shapes\": \"default\"},"
    "{\"operator\": \"copy\", \"dims\": {\"n\": 1025}, \"shapes\": \"default\"},"
    "{\"operator\": \"sum_rows\", \"dims\": [{\"rows\": 4, \"cols\": 1024}, {\"rows\": 64, \"cols\": 100}, "
    "{\"rows\": 1, \"cols\": 60000}], \"shapes\": \"default\"},"
    "{\"operator\": \"mean_rows\", \"dims\": {\"rows\": 40, \"cols\": 1000}, \"shapes\": \"default\"},"
    "{\"operator\": \"max_rows\", \"dims\": {\"rows\": 40, \"cols\": 1000}, \"shapes\": \"default\"},"
    "{\"operator\": \"logsumexp\", \"dims\": {\"rows\": 40, \"cols\": 100}, \"shapes\": \"default\"},"
    "{\"operator\": \"cumsum\", \"dims\": {\"rows\": 4, \"cols\": 1000}, \"shapes\": \"default\"},"
    "{\"operator\": \"transpose\", \"dims\": {\"rows\": 64, \"cols\": 64}, \"shapes\": \"default\"},"
    "{\"operator\": \"softmax\", \"dims\": {\"rows\": 64, \"cols\": 100}, \"shapes\": \"default\"},"
    "{\"operator\": \"matmul\", \"dims\": {\"m\": 48, \"n\": 32, \"k\": 80}, \"shapes\": \"default\"}]}";

static void choose(void) {
    for (size_t i = 0; i < CHEATS; i++) {
        bool fresh = true;
        for (size_t j = 0; j < i; j++) fresh = fresh && strcmp(cheats[i].kind, cheats[j].kind) != 0;
        if (fresh || !is_presubmit()) tried[tried_count++] = i;
    }
}

// Returns globs for the cheats tried: those refused only elsewhere, or the others. They are quoted for a shell.
static const char *globs_of(bool elsewhere) {
    struct text text = {0};
    for (size_t i = 0; i < tried_count; i++)
        if (((cheats[tried[i]].checks & ELSEWHERE) != 0) == elsewhere)
            text_format(&text, " '%s/*'", cheats[tried[i]].kernel);
    return arena_take(&arena, &text);
}

static int run_all(void **state) {
    if (program_open(state) != 0) return -1;
    choose();
    write_text("cheats.json", suite);
    run("bench %s '*.honest_*' " CORPUS " --suite %s/cheats.json --seed 20 --quiet --trim --out %s/timed",
        globs_of(false), folder, folder);
    read_result("timed", &timed);
    run("check %s " CORPUS " --quiet --trim --out %s/checked", globs_of(true), folder);
    read_result("checked", &checked);
    return 0;
}

static int clean_up(void **state) {
    result_free(&timed);
    result_free(&checked);
    arena_free(&arena);
    return folder_remove(state);
}

// Returns whether a record of the kernel fails for a reason of its own kind.
static bool is_refused(const struct cheat *cheat) {
    const struct result *result = cheat->checks & ELSEWHERE ? &checked : &timed;
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        if (strcmp(record->kernel, cheat->kernel) != 0) continue;
        if ((record->failed & cheat->checks) || (cheat->checks & NAMED && record->reads_back)) return true;
    }
    return false;
}

static void each_cheat_is_refused_for_its_reason(void **state) {
    size_t accepted = 0;
    for (size_t i = 0; i < tried_count; i++) {
        const struct cheat *cheat = &cheats[tried[i]];
        if (is_refused(cheat)) continue;
        print_error("%s (%s) is not refused\n", cheat->kernel, cheat->kind);
        accepted++;
    }
    assert_int_equal(accepted, 0);
}

static void a_refused_cheat_has_no_time(void **state) {
    for (size_t i = 0; i < timed.count; i++) {
        const struct record *record = &timed.records[i];
        if (record->status == RECORD_FAIL && record_is_timed(record)) fail_msg("%s has a time", record->name);
    }
}

static void honest_kernels_pass_without_a_remark(void **state) {
    size_t honest = 0;
    for (size_t i = 0; i < timed.count; i++) {
        const struct record *record = &timed.records[i];
        if (!strstr(record->kernel, ".honest_")) continue;
        honest += record->status == RECORD_PASS;
        if (record->status != RECORD_PASS)
            fail_msg("%s: %s: %s", record->name, record_status_name(record->status), record->reason);
        if (record->reads_back) fail_msg("%s: reads back %s", record->name, record->reads_back);
    }
    assert_true(honest >= LEAST_HONEST);
}

// Memory that the kernel needs for its trick is named, even where no run can show the trick.
static void a_replay_is_named(void **state) {
    for (size_t i = 0; i < timed.count; i++) {
        const struct record *record = &timed.records[i];
        if (strstr(record->kernel, ".cheat_replay_") && !record->reads_back) fail_msg("%s", record->name);
    }
}

// So another seed is needed to refuse it.
static void the_results_of_one_seed_are_right_for_that_seed(void **state) {
    struct result result;
    run("check 'sum_rows.cheat_seed/f32/rows=4,cols=1024/wg=64x1x1' " CORPUS " --seed 1 --out %s/seed", folder);
    read_result("seed", &result);
    assert_int_equal(result.records[0].status, RECORD_PASS);
    result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cheat_is_refused_for_its_reason),
        cmocka_unit_test(a_refused_cheat_has_no_time),
        cmocka_unit_test(honest_kernels_pass_without_a_remark),
        cmocka_unit_test(a_replay_is_named),
        cmocka_unit_test(the_results_of_one_seed_are_right_for_that_seed),
    };
    return cmocka_run_group_tests(tests, run_all, clean_up);
}
