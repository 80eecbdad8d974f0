// SPDX-License-Identifier: Apache-2.0
// Verdicts on made-up results: each class, each exit status, and results that must not be compared.
#include "compared.h"

static void each_verdict(void **state) {
    begin();
    add(&base, "same", 1000, 0.01), add(&new, "same", 1002, 0.01);
    add(&base, "slower", 1000, 0.01), add(&new, "slower", 1100, 0.01);
    add(&base, "slower still", 1000, 0.01), add(&new, "slower still", 3000, 0.01);
    add(&base, "faster", 1000, 0.01), add(&new, "faster", 900, 0.01);
    add(&base, "noisy", 1000, 0.5), add(&new, "noisy", 1100, 0.5);
    add(&base, "removed", 1000, 0.01);
    add(&base, "skipped", 1000, 0.01), break_record(add(&new, "skipped", 1, 0), RECORD_SKIP);
    add(&new, "new", 1000, 0.01);
    break_record(add(&base, "was skipped", 1, 0), RECORD_SKIP), add(&new, "was skipped", 1000, 0.01);
    add(&base, "wrong", 1000, 0.01), break_record(add(&new, "wrong", 1, 0), RECORD_FAIL);
    add(&base, "crash", 1000, 0.01), break_record(add(&new, "crash", 1, 0), RECORD_CRASH);
    break_record(add(&base, "wrong still", 1, 0), RECORD_FAIL),
        break_record(add(&new, "wrong still", 1, 0), RECORD_FAIL);
    break_record(add(&base, "fixed", 1, 0), RECORD_TIMEOUT), add(&new, "fixed", 1000, 0.01);
    add(&base, "known", 1000, 0.01), break_record(add(&new, "known", 1, 0), RECORD_FAIL);
    new.records[new.result.count - 1].expected.status = "fail";
    break_record(add(&base, "never ran", 1, 0), RECORD_SKIP), break_record(add(&new, "never ran", 1, 0), RECORD_SKIP);
    compare();
    assert_verdict("same", VERDICT_SAME, NULL);
    assert_verdict("slower", VERDICT_SLOWER, NULL);
    assert_verdict("slower still", VERDICT_SLOWER, NULL);
    assert_verdict("faster", VERDICT_FASTER, NULL);
    assert_verdict("noisy", VERDICT_AMBIGUOUS, "the interval crosses the band");
    assert_verdict("removed", VERDICT_REMOVED, "not in the new result");
    assert_verdict("skipped", VERDICT_REMOVED, "skipped: made up");
    assert_verdict("new", VERDICT_NEW, NULL);
    assert_verdict("was skipped", VERDICT_NEW, NULL);
    assert_verdict("wrong", VERDICT_WRONG, "fail: made up");
    assert_verdict("crash", VERDICT_WRONG, "crash: made up");
    assert_verdict("wrong still", VERDICT_WRONG, "as in the base: fail");
    assert_verdict("fixed", VERDICT_FIXED, "was timeout");
    assert_verdict("known", VERDICT_SAME, "fail, as expected");
    assert_int_equal(c.count, 14);
    assert_int_equal(c.both, 10);
    const size_t expected[VERDICT_COUNT] = {[VERDICT_WRONG] = 3,
        [VERDICT_SLOWER] = 2,
        [VERDICT_AMBIGUOUS] = 1,
        [VERDICT_REMOVED] = 2,
        [VERDICT_FIXED] = 1,
        [VERDICT_FASTER] = 1,
        [VERDICT_NEW] = 2,
        [VERDICT_SAME] = 2};
    assert_memory_equal(c.verdicts, expected, sizeof expected);
    // Important points come first, and within a verdict the largest difference.
    assert_string_equal(c.points[3].name, "slower still");
    assert_string_equal(c.points[4].name, "slower");
    assert_string_equal(c.points[12].name, "same");
    assert_int_equal(comparison_status(&c, false), STATUS_WRONG);
    // Points right and timed in both: 1.002, 1.1, 3, 0.9, 1.1.
    assert_int_equal(c.family_count, 1);
    assert_string_equal(c.families[0].name, "normalisation");
    assert_int_equal(c.families[0].points, 5);
    assert_true(fabs(c.families[0].ratio - pow(1.002 * 1.1 * 3 * 0.9 * 1.1, 0.2)) < 1e-12);
    assert_true(c.families[1].ratio == c.families[0].ratio);
    assert_true(fabs(c.families[0].least - 0.9) < 1e-12 && fabs(c.families[0].most - 3) < 1e-12);
    // All 12 samples lie above the other 12: 2 / C(24, 12). This is the smallest of the five p's, together with two
    // more, so the correction multiplies it by 5.
    assert_true(fabs(point("slower")->p - 5 * 2 / 2704156.0) < 1e-15);
}

static enum status status_of_pair(double median, double spread, bool strict) {
    begin();
    add(&base, "a", 1000, 0.001), add(&new, "a", 1000, 0.001);
    add(&base, "b", 1000, spread), add(&new, "b", median, spread);
    compare();
    return comparison_status(&c, strict);
}

// A removed point counts if all of the base is required, but an expected skip does not.
static void what_is_missing_counts_where_all_is_wanted(void **state) {
    for (int expected = 0; expected < 2; expected++)
        for (int whole = 0; whole < 2; whole++) {
            const struct compare_rules rules = {.effect = 0.03, .ulp_factor = 2, .whole = whole};
            begin();
            add(&base, "a", 1000, 0.01), add(&new, "a", 1000, 0.01);
            add(&base, "b", 1000, 0.01), break_record(add(&new, "b", 1, 0), RECORD_SKIP);
            new.records[1].expected.status = expected ? "skip" : "fail";
            compare_by(&rules);
            assert_verdict("b", expected ? VERDICT_SAME : VERDICT_REMOVED,
                expected ? "skipped, as expected: made up" : "skipped: made up");
            assert_int_equal(comparison_status(&c, false), whole && !expected ? STATUS_PARTIAL : STATUS_OK);
        }
}

// A busy host makes one of two attempts too late. The kernel is not at fault, and its time has no verdict.
static void a_point_that_was_late_once_is_undecided(void **state) {
    for (int v = 0; v < 2; v++) {
        begin();
        for (int k = 0; k < 2; k++) {
            struct record *r = add(k ? &new : &base, "a", 1000, 0.01);
            if (k != v) continue;
            r->status = RECORD_TIMEOUT;
            r->attempts.flaky = true;
            r->attempts.count = 2;
            r->attempts.statuses[0] = RECORD_TIMEOUT, r->attempts.statuses[1] = RECORD_PASS;
        }
        compare();
        assert_verdict("a", VERDICT_AMBIGUOUS, "one of two attempts took too long");
        assert_true(c.points[0].undecided);
        assert_int_equal(comparison_status(&c, false), STATUS_PARTIAL);
    }
}

// If one of two attempts passes, the driver crashes by chance, and no version deserves credit.
static void a_flaky_point_is_not_fixed(void **state) {
    static const struct {
        bool base_flaky, new_flaky, paired;
        enum verdict verdict;
        const char *note;
        enum status status;
    } cases[] = {
        {true, false, true, VERDICT_FLAKY, "flaky in the base: crash (crash, pass): made up", STATUS_WRONG},
        {true, false, false, VERDICT_AMBIGUOUS, "flaky in the base: crash (crash, pass): made up", STATUS_OK},
        {false, true, true, VERDICT_FLAKY, "flaky crash (crash, pass): made up", STATUS_WRONG},
        {false, true, false, VERDICT_FLAKY, "flaky crash (crash, pass): made up", STATUS_WRONG},
        {true, true, true, VERDICT_FLAKY, "as in the base: flaky crash (crash, pass): made up", STATUS_WRONG},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct compare_rules rules = COMPARE_RULES;
        begin();
        struct record *records[] = {add(&base, "a", 1000, 0.01), add(&new, "a", 1000, 0.01)};
        for (int v = 0; v < 2; v++) {
            if (!(v ? cases[i].new_flaky : cases[i].base_flaky)) continue;
            break_record(records[v], RECORD_CRASH);
            records[v]->attempts.count = 2;
            records[v]->attempts.statuses[0] = RECORD_CRASH;
            records[v]->attempts.statuses[1] = RECORD_PASS;
            records[v]->attempts.flaky = true;
        }
        rules.paired = cases[i].paired;
        compare_by(&rules);
        assert_int_equal(c.points[0].verdict, cases[i].verdict);
        assert_string_equal(c.points[0].note, cases[i].note);
        assert_int_equal(comparison_status(&c, false), cases[i].status);
    }
}

static void each_exit_status(void **state) {
    assert_int_equal(status_of_pair(1000, 0.01, true), STATUS_OK);
    assert_int_equal(status_of_pair(500, 0.01, true), STATUS_OK); // an improvement never fails
    assert_int_equal(status_of_pair(1200, 0.01, false), STATUS_SLOWER);
    assert_int_equal(status_of_pair(1100, 0.5, false), STATUS_PARTIAL); // undecided
    assert_int_equal(status_of_pair(1010, 0.04, false), STATUS_OK);     // ambiguous, but not slower by a tenth
    assert_int_equal(status_of_pair(10000, 9.5, false), STATUS_PARTIAL);
    assert_int_equal(status_of_pair(1100, 0.5, true), STATUS_SLOWER);
    begin();
    add(&base, "a", 1000, 0.01), add(&new, "b", 1000, 0.01);
    compare();
    assert_int_equal(comparison_status(&c, false), STATUS_NOTHING);
    new.result.count = base.result.count = 0;
    compare();
    assert_int_equal(comparison_status(&c, false), STATUS_NOTHING);
    assert_true(isnan(c.families[c.family_count].ratio) && isnan(c.families[c.family_count].most));
}

// All combinations of verdicts that are there or not, of options, and of the end of the run.
static void the_exit_status_is_that_of_the_worst_verdict(void **state) {
    enum { BITS = 10 };
    struct json_object *context = json_object_new_object(), *run = json_object_new_object();
    const struct result result = {.context = context, .device = &(struct device_info){0}};
    json_put(context, "run", run);
    for (unsigned bits = 0; bits < 1u << BITS; bits++) {
        const bool wrong = bits & 1, flaky = bits & 2, slower = bits & 4, ambiguous = bits & 8, removed = bits & 16,
                   both = bits & 32, whole = bits & 64, strict = bits & 128, cut = bits & 256,
                   undecided = ambiguous && (bits & 512);
        struct comparison made = {.new = &result, .both = both, .rules.whole = whole, .undecided = undecided};
        made.verdicts[VERDICT_WRONG] = wrong, made.verdicts[VERDICT_FLAKY] = flaky,
        made.verdicts[VERDICT_SLOWER] = slower;
        made.verdicts[VERDICT_AMBIGUOUS] = ambiguous, made.verdicts[VERDICT_REMOVED] = removed;
        made.verdicts[VERDICT_FASTER] = 3, made.verdicts[VERDICT_NEW] = 2,
        made.verdicts[VERDICT_FIXED] = 1; // never matter
        json_put(run, "complete", json_object_new_boolean(!cut));
        const enum status expected = wrong || flaky                    ? STATUS_WRONG
                                     : slower || (ambiguous && strict) ? STATUS_SLOWER
                                     : !both                           ? STATUS_NOTHING
                                     : undecided || cut                ? STATUS_PARTIAL
                                     : removed && whole                ? STATUS_PARTIAL
                                                                       : STATUS_OK;
        if (comparison_status(&made, strict) != expected) fail_msg("bits %x: expected %d", bits, expected);
    }
    json_object_put(context);
}

// Errors of the base are at a tenth of their bound.
static void errors_that_grow_are_wrong(void **state) {
    struct record *grown;
    begin();
    add(&base, "twice", 1000, 0.01), add(&new, "twice", 1000, 0.01)->check.worst_ratio = 0.2;
    add(&base, "more", 1000, 0.01), grown = add(&new, "more", 1000, 0.01);
    grown->check.worst_ratio = 0.21, grown->check.worst_ulp = 6.3;
    add(&base, "tiny", 1000, 0.01)->check.worst_ratio = 0.001, add(&new, "tiny", 1000, 0.01)->check.worst_ratio = 0.009;
    add(&base, "less", 1000, 0.01), add(&new, "less", 1000, 0.01)->check.worst_ratio = 0.01;
    compare();
    assert_verdict("twice", VERDICT_SAME, NULL);
    assert_verdict("more", VERDICT_WRONG, "error grew from 3/30 to 6.3/30 ULP, 21% of its bound");
    assert_verdict("tiny", VERDICT_SAME, NULL);
    assert_verdict("less", VERDICT_SAME, NULL);
    assert_int_equal(c.families[0].points, 3); // not the wrong one
    const struct compare_rules as_far_as_the_bound = {.effect = 0.03, .ulp_factor = INFINITY};
    compare_by(&as_far_as_the_bound);
    assert_verdict("more", VERDICT_SAME, NULL);
}

static void times_that_say_nothing_are_ambiguous(void **state) {
    begin();
    add(&base, "cold", 1000, 0.01), add(&new, "cold", 2000, 0.01)->cache = "cold";
    add(&base, "clock", 1000, 0.01), add(&new, "clock", 2000, 0.01)->clock = CLOCK_HOST;
    add(&base, "throttled", 1000, 0.01), throttle(add(&new, "throttled", 2000, 0.01), 2);
    throttle(add(&base, "slower than throttled", 1000, 0.01), 2), add(&new, "slower than throttled", 2000, 0.01);
    throttle(add(&base, "than throttled", 2000, 0.01), 2), add(&new, "than throttled", 1000, 0.01);
    add(&base, "few", 1000, 0.01), add(&new, "few", 2000, 0.01)->time[FIGURE_COMPUTE].samples = 5;
    add(&base, "untimed", 1000, 0.01), add(&new, "untimed", 2000, 0.01)->time[FIGURE_COMPUTE] = summarize(NULL, 0);
    add(&base, "checked", 1000, 0.01)->time[FIGURE_COMPUTE] = summarize(NULL, 0);
    add(&new, "checked", 2000, 0.01)->time[FIGURE_COMPUTE] = summarize(NULL, 0);
    compare();
    assert_verdict("cold", VERDICT_AMBIGUOUS, "cold");
    assert_verdict("clock", VERDICT_AMBIGUOUS, "clock");
    assert_verdict("throttled", VERDICT_AMBIGUOUS, "throttled");
    assert_verdict("slower than throttled", VERDICT_SLOWER, NULL);
    assert_verdict("than throttled", VERDICT_AMBIGUOUS, "throttled in the base");
    assert_verdict("few", VERDICT_AMBIGUOUS, "too few samples");
    assert_verdict("untimed", VERDICT_AMBIGUOUS, "not timed in the new result");
    assert_verdict("checked", VERDICT_SAME, "not timed");
}

// A known clock separates kernel and device: 1.1 times the time at a clock 1.1 times as low is the same work.
static void cycles_confirm_a_difference(void **state) {
    begin();
    add(&base, "clock", 1000, 0.01)->shader_clock_hz = 1.98e9, add(&new, "clock", 1100, 0.01)->shader_clock_hz = 1.8e9;
    add(&base, "kernel", 1000, 0.01)->shader_clock_hz = 1.98e9,
                               add(&new, "kernel", 1100, 0.01)->shader_clock_hz = 1.97e9;
    add(&base, "boost", 1100, 0.01)->shader_clock_hz = 1.8e9, add(&new, "boost", 1000, 0.01)->shader_clock_hz = 1.98e9;
    add(&base, "one", 1000, 0.01)->shader_clock_hz = 1.98e9, add(&new, "one", 1100, 0.01);
    compare();
    assert_verdict("clock", VERDICT_AMBIGUOUS, "1.000x in cycles: the shader clock was 1980 MHz, then 1800 MHz");
    assert_true(fabs(point("clock")->cycles - 1) < 1e-12);
    assert_verdict("kernel", VERDICT_SLOWER, NULL);
    assert_verdict("boost", VERDICT_AMBIGUOUS, "in cycles");
    assert_verdict("one", VERDICT_SLOWER, NULL);
    assert_true(isnan(point("one")->cycles));
}

// Twenty points on a device that was slow meanwhile: ten unchanged, ten slower by themselves, all slowed further by
// the device. The mark explains only its own drift.
static void a_mark_explains_no_more_than_its_drift(void **state) {
    static const double drifts[] = {1.06, 1.11, 1.15, 1.2, 1.25, 1.3, 1.4, 1.6, 2, 3},
                        factors[] = {1.1, 1.15, 1.2, 1.3, 1.5, 2, 3, 10, 30, 50};
    for (int i = 0; i < 10; i++) {
        begin();
        const double slow = drifts[i], kernel = factors[i];
        add(&base, "same", 1000, 0.01), throttle(add(&new, "same", 1000 * slow, 0.01), slow);
        add(&base, "unharmed", 1000, 0.01), throttle(add(&new, "unharmed", 1000, 0.01), slow);
        add(&base, "slower", 1000, 0.01), throttle(add(&new, "slower", 1000 * slow * kernel, 0.01), slow);
        add(&base, "faster", 1000 * slow * kernel, 0.01), throttle(&base.records[3], slow);
        add(&new, "faster", 1000, 0.01);
        // with a clock that fell as much: it is the same cause, and does not multiply
        add(&base, "clock", 1000, 0.01)->shader_clock_hz = 1.8e9;
        throttle(add(&new, "clock", 1000 * slow * kernel, 0.01), slow);
        new.records[4].shader_clock_hz = 1.8e9 / slow;
        compare();
        assert_verdict("same", VERDICT_AMBIGUOUS, "the device was throttled in the new result");
        assert_verdict("unharmed", VERDICT_SAME, NULL);
        assert_verdict("slower", VERDICT_SLOWER, NULL);
        assert_verdict("faster", VERDICT_FASTER, NULL);
        assert_verdict("clock", VERDICT_SLOWER, NULL);
        assert_int_equal(comparison_status(&c, false), STATUS_SLOWER);
    }
}

// On a CPU the mark of an older result is noise of its host. Other work on the host explains only its share.
static void on_a_cpu_other_work_explains_its_share_of_the_cores(void **state) {
    static const struct {
        double factor, load, steal;
        bool new_is_slow;
        enum verdict verdict;
        const char *note;
    } rows[] = {
        {1.08, 0.02, 0, true, VERDICT_SLOWER, NULL},
        {1.06, 0.05, 0, true, VERDICT_AMBIGUOUS, "other work took 5 % of the host's cores in the new result"},
        {1.06, 0, 0.05, true, VERDICT_AMBIGUOUS, "which explains up to 1.05x"},
        {1.9, 0.5, 0, true, VERDICT_AMBIGUOUS, "which explains up to 2.00x"},
        {1.9, 0.5, 0, false, VERDICT_AMBIGUOUS, "in the base, which explains up to 2.00x"},
        {2.2, 0.5, 0, true, VERDICT_SLOWER, NULL}, {2.2, 0.5, NAN, true, VERDICT_SLOWER, NULL},
        {2.2, 0.5, 0.1, true, VERDICT_AMBIGUOUS, "up to 2.50x"}, {1.9, NAN, NAN, true, VERDICT_SLOWER, NULL},
        {2.2, 0.5, 0, false, VERDICT_FASTER, NULL}, {50, 0.9, 0, true, VERDICT_SLOWER, NULL},
        {50, 1.2, 0.3, true, VERDICT_SLOWER, NULL}, // at most 20x
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin();
        base.result.device->kind = new.result.device->kind = DEVICE_CPU;
        struct made *slow = rows[i].new_is_slow ? &new : &base, *fast = rows[i].new_is_slow ? &base : &new;
        struct record *r = add(slow, "a", 1000 * rows[i].factor, 0.01);
        throttle(r, 1000);
        r->host_load = rows[i].load, r->host_steal = rows[i].steal;
        add(fast, "a", 1000, 0.01)->host_load = 0.9;
        compare();
        assert_verdict("a", rows[i].verdict, rows[i].note);
        base.result.device->kind = new.result.device->kind = DEVICE_DISCRETE; // there other work has no influence
        r->throttled = false;
        compare();
        assert_verdict("a", rows[i].new_is_slow ? VERDICT_SLOWER : VERDICT_FASTER, NULL);
    }
}

// A busy base hides that a changed kernel became slower, unless both were interleaved.
static void a_busy_base_leaves_changed_kernels_undecided(void **state) {
    static const struct {
        bool changed, interleaved, on_gpu;
        double factor, load;
        enum verdict verdict;
        bool undecided;
    } rows[] = {
        {true, false, false, 1, 0.5, VERDICT_AMBIGUOUS, true},
        {true, false, false, 1, 0.01, VERDICT_SAME, false},
        {true, false, false, 1.5, 0.5, VERDICT_AMBIGUOUS, true}, // looks faster
        {true, false, false, 3, 0.5, VERDICT_FASTER, false},
        {false, false, false, 1, 0.5, VERDICT_SAME, false},
        {true, true, false, 1, 0.5, VERDICT_SAME, false},
        {true, false, true, 1, 0.5, VERDICT_SAME, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct names interleaved = {0};
        begin();
        base.result.device->kind = new.result.device->kind = rows[i].on_gpu ? DEVICE_DISCRETE : DEVICE_CPU;
        struct record *old = add(&base, "a", 1000 * rows[i].factor, 0.001);
        old->host_load = rows[i].load;
        old->source_hash = 1;
        add(&new, "a", 1000, 0.001)->source_hash = rows[i].changed ? 2 : 1;
        if (rows[i].interleaved) names_put(&interleaved, "a", 1, 0);
        const struct compare_rules rules = {.effect = 0.03, .ulp_factor = 2, .interleaved = &interleaved};
        compare_by(&rules);
        assert_int_equal(point("a")->verdict, rows[i].verdict);
        assert_int_equal(point("a")->undecided, rows[i].undecided);
        names_free(&interleaved);
    }
}

static void compare_one(double median, double spread, double drift) {
    begin();
    add(&base, "a", 1000, 0.01), add(&new, "a", median, spread);
    if (drift > 1) throttle(&new.records[0], drift);
    compare();
}

// The verdict changes exactly at the stated factor.
static void a_kernel_that_is_slower_by_what_it_detects_is_called_slower(void **state) {
    static const double spreads[] = {0.001, 0.01, 0.1, 0.3}, drifts[] = {1, 1.2, 3};
    for (int i = 0; i < 12; i++) {
        const double spread = spreads[i % 4], drift = drifts[i / 4];
        compare_one(1000, spread, drift);
        const double detects = c.points[0].detects;
        assert_true(detects > 1.03 * drift && detects < 2 * drift);
        for (int beyond = 0; beyond < 2; beyond++) {
            compare_one(1000 * detects * (beyond ? 1.01 : 0.99), spread, drift);
            assert_int_equal(c.points[0].verdict == VERDICT_SLOWER, beyond);
        }
    }
}

// Without raw samples the stored intervals decide, and the comparison counts these points.
static void trimmed_results_are_compared(void **state) {
    begin();
    add(&base, "slower", 1000, 0.01)->samples[FIGURE_COMPUTE] = NULL, add(&new, "slower", 1100, 0.01);
    add(&base, "same", 1000, 0.01), add(&new, "same", 1000, 0.01);
    compare();
    assert_verdict("slower", VERDICT_SLOWER, NULL);
    assert_true(isnan(point("slower")->p));
    assert_int_equal(c.without_samples, 1);
}

static void what_differs_is_refused_or_said(void **state) {
    static const char *const expected[] = {"device: ", "driver: ", "processor: ", "seed: 1, then 2"};
    for (int i = 0; i < 4; i++) {
        struct compare_rules rules = COMPARE_RULES;
        struct error err;
        begin();
        open_result(&new, i == 3 ? "2" : "1");
        base.result.device->kind = new.result.device->kind = DEVICE_CPU;
        if (i == 0) strcpy(new.result.device->name, "another");
        if (i == 1) strcpy(new.result.device->driver_info, "1.3");
        if (i == 2) json_put_string(json_get(new.result.context, "host"), "cpu", "another processor");
        add(&base, "a", 1000, 0.01), add(&new, "a", 1000, 0.01)->check.worst_ratio = 0.9;
        assert_false(compares(&rules, &err));
        assert_int_equal(err.status, STATUS_BAD_INPUT);
        if (!strstr(err.text, expected[i])) fail_msg("%s", err.text);
        rules.allow_different = true;
        compare_by(&rules);
        assert_int_equal(c.difference_count, 1);
        assert_non_null(strstr(c.differences[0], expected[i]));
        // Other inputs have other errors.
        assert_int_equal(c.points[0].verdict, i == 3 ? VERDICT_SAME : VERDICT_WRONG);
    }
}

static void another_processor_beside_a_gpu_is_no_difference(void **state) {
    begin();
    base.result.device->kind = new.result.device->kind = DEVICE_DISCRETE;
    json_put_string(json_get(new.result.context, "host"), "cpu", "another processor");
    compare();
    assert_int_equal(c.difference_count, 0);
}

static void a_point_that_occurs_twice_is_refused(void **state) {
    const struct compare_rules rules = COMPARE_RULES;
    struct error err;
    begin();
    add(&base, "a", 1000, 0.01), add(&new, "a", 1000, 0.01), add(&new, "b", 1000, 0.01), add(&new, "a", 1000, 0.01);
    assert_false(compares(&rules, &err));
    assert_int_equal(err.status, STATUS_BAD_INPUT);
    assert_string_equal(err.text, "the new result: point a occurs twice");
}

// Adds a point with different bits in two runs; its error was between `lo` and `hi` of its bound over 8 runs.
static void add_unsteady(struct made *m, const char *name, double lo, double hi) {
    struct record *r = add(m, name, 1000, 0.01);
    r->kernel = "sum.atomic";
    r->check.spread.runs = CHECK_RUNS;
    r->check.spread.lo = lo;
    r->check.spread.hi = r->check.worst_ratio = hi;
}

static void errors_that_spread_must_all_grow(void **state) {
    static const struct {
        const char *name;
        double base[2], new[2];
        enum verdict verdict;
        const char *note;
    } points[] = {
        {"seen on a GPU", {0.014, 0.07}, {0.02, 0.09}, VERDICT_SAME, NULL},
        {"another order in the next process", {0.014, 0.036}, {0.076, 0.098}, VERDICT_SAME, NULL},
        {"the same order in all runs, and another", {0.0175, 0.0175}, {0.05, 0.05}, VERDICT_SAME, NULL},
        {"not in every run", {0.01, 0.02}, {0.49, 0.9}, VERDICT_SAME, NULL},
        {"in every run", {0.01, 0.02}, {0.51, 0.9}, VERDICT_WRONG,
            "error grew from at most 2% of its bound in 8 runs to at least 51% in 8"},
        {"not by the factor", {0.2, 0.4}, {0.79, 0.9}, VERDICT_SAME, NULL},
        {"by the factor", {0.2, 0.4}, {0.81, 0.9}, VERDICT_WRONG, "to at least 81% in 8"},
        {"always at the bound", {1, 1}, {1, 1}, VERDICT_SAME, NULL},
        {"less", {0.5, 0.9}, {0.1, 0.2}, VERDICT_SAME, NULL},
    };
    begin();
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        add_unsteady(&base, points[i].name, points[i].base[0], points[i].base[1]);
        add_unsteady(&new, points[i].name, points[i].new[0], points[i].new[1]);
    }
    compare();
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        assert_verdict(points[i].name, points[i].verdict, points[i].note);
}

// In older results, a single run stands for a point. A kernel with varying bits shows this at some point, in one of
// the results. For any other kernel all runs are equal.
static void one_run_tells_nothing_where_bits_differ(void **state) {
    struct record *r;
    begin();
    add(&base, "atomic", 1000, 0.01)->kernel = "sum.atomic";
    r = add(&new, "atomic", 1000, 0.01);
    r->kernel = "sum.atomic", r->check.worst_ratio = 0.9; // the same bits twice, by luck
    r = add(&base, "another size", 1000, 0.01);
    r->kernel = "sum.atomic", r->check.same_bits = false;
    add_unsteady(&new, "another size", 0.5, 0.9);
    add(&base, "too few runs", 1000, 0.01)->kernel = "sum.atomic";
    add_unsteady(&new, "too few runs", 0.8, 0.9), new.records[new.result.count - 1].check.spread.runs = CHECK_RUNS - 1;
    add(&base, "deterministic", 1000, 0.01), add(&new, "deterministic", 1000, 0.01)->check.worst_ratio = 0.9;
    // Different bits against the manifest are a failure, and do not affect the judging of the kernel's other points.
    r = add(&base, "other bits", 1000, 0.01);
    r->check.same_bits = false, break_record(r, RECORD_FAIL);
    add(&new, "other bits", 1000, 0.01);
    compare();
    assert_verdict("atomic", VERDICT_SAME, NULL);
    assert_verdict("another size", VERDICT_SAME, NULL);
    assert_verdict("too few runs", VERDICT_SAME, NULL);
    assert_verdict("deterministic", VERDICT_WRONG, "90% of its bound");
    assert_verdict("other bits", VERDICT_FIXED, "was fail");
}

static void compile_only(struct record *r, struct named_number *code, int count) {
    break_record(r, RECORD_COMPILED);
    r->reason = NULL;
    r->code = code, r->code_count = count;
}

static void machine_code_is_compared_by_spills_and_waves(void **state) {
    static struct named_number calm[] = {{"Spilled VGPRs", 0}, {"Subgroups per SIMD", 16}},
                               spills[] = {{"Spilled VGPRs", 12}, {"Subgroups per SIMD", 16}},
                               narrow[] = {{"Spilled VGPRs", 0}, {"Subgroups per SIMD", 10}}, none[] = {{"VGPRs", 3}};
    const struct {
        const char *name;
        struct named_number *base, *new;
        enum verdict verdict;
    } cases[] = {{"begins to spill", calm, spills, VERDICT_SLOWER}, {"no longer spills", spills, calm, VERDICT_FASTER},
        {"fewer waves", calm, narrow, VERDICT_AMBIGUOUS}, {"more waves", narrow, calm, VERDICT_SAME},
        {"unchanged", spills, spills, VERDICT_SAME}, {"not reported", none, none, VERDICT_SAME}};
    enum { CASES = sizeof cases / sizeof *cases };
    begin();
    for (size_t i = 0; i < CASES; i++) {
        compile_only(add(&base, cases[i].name, 1, 0), cases[i].base, cases[i].base == none ? 1 : 2);
        compile_only(add(&new, cases[i].name, 1, 0), cases[i].new, cases[i].new == none ? 1 : 2);
    }
    compare();
    for (size_t i = 0; i < CASES; i++)
        if (point(cases[i].name)->verdict != cases[i].verdict) fail_msg("%s", cases[i].name);
    assert_verdict("begins to spill", VERDICT_SLOWER, "spills 12 registers, 0 in the base");
    assert_verdict("no longer spills", VERDICT_FASTER, "spills 0 registers, 12 in the base");
    assert_verdict("fewer waves", VERDICT_AMBIGUOUS, "room for 10 waves, 16 in the base");
    assert_verdict("unchanged", VERDICT_SAME, "compiled, not run");
    assert_int_equal(comparison_status(&c, false), STATUS_SLOWER);
}

static void a_timed_kernel_that_begins_to_spill_is_slower(void **state) {
    static struct named_number calm[] = {{"Spill Count", 0}}, spills[] = {{"Spill Count", 12}};
    const struct {
        const char *name;
        double new_ns;
        bool timed;
        struct named_number *base, *new;
        enum verdict verdict;
    } cases[] = {{"as fast", 1000, true, calm, spills, VERDICT_SLOWER},
        {"faster", 500, true, calm, spills, VERDICT_FASTER}, {"slower", 2000, true, calm, spills, VERDICT_SLOWER},
        {"only checked", 1000, false, calm, spills, VERDICT_SLOWER},
        {"no longer", 1000, true, spills, calm, VERDICT_SAME}, {"as before", 1000, true, spills, spills, VERDICT_SAME}};
    enum { CASES = sizeof cases / sizeof *cases };
    begin();
    for (size_t i = 0; i < CASES; i++) {
        struct record *before = add(&base, cases[i].name, 1000, 0.01);
        struct record *after = add(&new, cases[i].name, cases[i].new_ns, 0.01);
        before->code = cases[i].base, after->code = cases[i].new;
        before->code_count = after->code_count = 1;
        if (!cases[i].timed) before->time[FIGURE_COMPUTE] = after->time[FIGURE_COMPUTE] = summarize(NULL, 0);
    }
    compare();
    for (size_t i = 0; i < CASES; i++)
        if (point(cases[i].name)->verdict != cases[i].verdict) fail_msg("%s", cases[i].name);
    assert_verdict("as fast", VERDICT_SLOWER, "spills 12 registers, 0 in the base");
    assert_int_equal(comparison_status(&c, false), STATUS_SLOWER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_verdict),
        cmocka_unit_test(what_is_missing_counts_where_all_is_wanted),
        cmocka_unit_test(a_flaky_point_is_not_fixed),
        cmocka_unit_test(a_point_that_was_late_once_is_undecided),
        cmocka_unit_test(each_exit_status),
        cmocka_unit_test(the_exit_status_is_that_of_the_worst_verdict),
        cmocka_unit_test(errors_that_grow_are_wrong),
        cmocka_unit_test(errors_that_spread_must_all_grow),
        cmocka_unit_test(one_run_tells_nothing_where_bits_differ),
        cmocka_unit_test(times_that_say_nothing_are_ambiguous),
        cmocka_unit_test(cycles_confirm_a_difference),
        cmocka_unit_test(a_mark_explains_no_more_than_its_drift),
        cmocka_unit_test(on_a_cpu_other_work_explains_its_share_of_the_cores),
        cmocka_unit_test(a_busy_base_leaves_changed_kernels_undecided),
        cmocka_unit_test(a_kernel_that_is_slower_by_what_it_detects_is_called_slower),
        cmocka_unit_test(trimmed_results_are_compared),
        cmocka_unit_test(what_differs_is_refused_or_said),
        cmocka_unit_test(another_processor_beside_a_gpu_is_no_difference),
        cmocka_unit_test(a_point_that_occurs_twice_is_refused),
        cmocka_unit_test(machine_code_is_compared_by_spills_and_waves),
        cmocka_unit_test(a_timed_kernel_that_begins_to_spill_is_slower),
    };
    return cmocka_run_group_tests(tests, NULL, end);
}
