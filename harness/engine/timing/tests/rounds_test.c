// SPDX-License-Identifier: Apache-2.0
// Rounds on a made-up device and clock.
#include "../rounds.h"
#include "../../../base/tests/within.h"
#include "fake_timing.h"
#include "../../../truth/stats/summary.h"
#include "../../../../reference/tests/unit.h"

enum { MANY = 4 };

struct world {
    struct fake fake;
    struct fake_kernel kernels[MANY];
    struct round_candidate list[MANY];
    struct round_settings settings;
};

static void start(struct world *w) {
    *w = (struct world){0};
    fake_start(&w->fake);
    for (int i = 0; i < MANY; i++) {
        w->kernels[i] = (struct fake_kernel){.ns = 2e6};
        w->list[i].sampler.target = fake_target(&w->kernels[i]);
    }
    w->settings = (struct round_settings){.timing = fake_settings(&w->fake), .seed = 3};
}

static void measure(struct world *w, size_t count) {
    struct error err = {0};
    if (!rounds_measure(w->list, count, &w->settings, &err)) fail_msg("%s", err.text);
}

static void end(struct world *w, size_t count) {
    rounds_release(&w->fake.device, w->list, count);
    assert_int_equal(w->fake.opened, w->fake.closed);
}

// No sample includes the cost of following another kernel.
static void times_are_those_of_one_dispatch(void **state) {
    struct world w;
    start(&w);
    w.kernels[0] = (struct fake_kernel){.ns = 50e3, .cold_ns = 100e3};
    w.kernels[1] = (struct fake_kernel){.ns = 400e3, .cold_ns = 100e3};
    measure(&w, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(w.list[i].count, w.settings.timing.rule.least);
        assert_int_equal(w.list[i].stop, STOP_PRECISE);
        for (size_t s = 0; s < w.list[i].count; s++)
            assert_true(fabs(w.list[i].samples[s] / w.kernels[i].ns - 1) < 1e-3);
    }
    end(&w, 2);
}

static double median_of(const struct round_candidate *c) {
    return summarize(c->samples, c->count).median;
}

// The probes of the second are disturbed for long. With repeats of its own, another share of an interval's fixed cost
// would fall on each of its dispatches.
static void candidates_of_one_speed_bear_one_share_of_the_fixed_cost(void **state) {
    for (int paired = 0; paired < 2; paired++) {
        struct world w;
        start(&w);
        w.fake.stamp_ns = 100e3;
        w.kernels[0] = (struct fake_kernel){.ns = 50e3};
        w.kernels[1] = (struct fake_kernel){.ns = 50e3, .slow_runs = 25};
        w.settings.paired = paired;
        measure(&w, 2);
        assert_int_equal(w.list[0].sampler.interval.repeats, w.list[1].sampler.interval.repeats);
        if (fabs(median_of(&w.list[1]) / median_of(&w.list[0]) - 1) > 2e-3)
            fail_msg("%g and %g", median_of(&w.list[0]), median_of(&w.list[1]));
        end(&w, 2);
    }
}

// One of a group may be much slower. It does not take the repeats of the others, and those do not take its.
static void a_much_slower_one_has_a_bounded_interval(void **state) {
    struct world w;
    start(&w);
    w.kernels[0].ns = 50e3;
    w.kernels[1].ns = 150e3;
    w.kernels[2].ns = 1e6;
    measure(&w, 3);
    assert_within(w.list[0].sampler.interval.repeats, 19, 21);
    assert_int_equal(w.list[1].sampler.interval.repeats, w.list[0].sampler.interval.repeats);
    assert_within(w.list[2].sampler.interval.repeats, 3, 4);
    end(&w, 3);
}

// The two of a pair are alike in every respect, also if one is much slower or overwrites its input.
static void a_pair_is_alike_in_repeats_and_warm_up_dispatch(void **state) {
    static const struct {
        double base_ns, head_ns;
        bool restore;
    } cases[] = {{50e3, 500e3, false}, {50e3, 12e6, false}, {9e6, 11e6, false}, {50e3, 50e3, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world w;
        start(&w);
        w.settings.paired = true;
        w.kernels[0].ns = cases[i].base_ns;
        w.kernels[1].ns = cases[i].head_ns;
        if (cases[i].restore) w.list[1].sampler.target.restore = fake_record;
        measure(&w, 2);
        const struct interval *a = &w.list[0].sampler.interval, *b = &w.list[1].sampler.interval;
        if (a->repeats != b->repeats || a->warm_up != b->warm_up)
            fail_msg(
                "case %zu: %d and %d repeats, warm-up %d and %d", i, a->repeats, b->repeats, a->warm_up, b->warm_up);
        end(&w, 2);
    }
}

static void a_single_one_needs_no_warm_up_dispatch(void **state) {
    struct world w;
    start(&w);
    measure(&w, 1);
    assert_false(w.list[0].sampler.interval.warm_up);
    end(&w, 1);
    start(&w);
    measure(&w, 2);
    assert_true(w.list[0].sampler.interval.warm_up && w.list[1].sampler.interval.warm_up);
    end(&w, 2);
}

// Returns the index of the kernel in this run.
static int place_of(const struct world *w, size_t run) {
    for (int i = 0; i < MANY; i++)
        if (w->fake.order[run] == &w->kernels[i]) return i;
    fail_msg("run %zu is nobody's", run);
    return -1;
}

// Each round has every candidate once, two successive rounds mirror each other, and not all pairs of rounds are
// alike.
static void rounds_are_drawn_and_mirrored(void **state) {
    struct world w;
    int first[20];
    size_t different = 0;
    start(&w);
    w.settings.timing.rule = (struct stop_rule){.least = 40, .most = 40, .precision = -1, .seconds = 100};
    measure(&w, MANY);
    size_t begin = w.fake.runs + 1 - 40 * MANY;
    for (size_t pair = 0; pair < 20; pair++) {
        unsigned seen = 0;
        size_t at = begin + pair * 2 * MANY;
        for (size_t i = 0; i < MANY; i++) {
            seen |= 1u << place_of(&w, at + i);
            assert_int_equal(place_of(&w, at + i), place_of(&w, at + 2 * MANY - 1 - i));
        }
        assert_int_equal(seen, (1u << MANY) - 1);
        first[pair] = place_of(&w, at);
        different += pair > 0 && first[pair] != first[pair - 1];
    }
    assert_true(different >= 8);
    end(&w, MANY);
}

// A steadily slowing device favours nobody.
static void a_linear_drift_cancels(void **state) {
    struct world w;
    start(&w);
    w.settings.timing.rule = (struct stop_rule){.least = 40, .most = 40, .precision = -1, .seconds = 100};
    w.settings.between = NULL;
    w.fake.slow_by = 1.2;
    w.fake.slow_from = 0.3e9;
    w.fake.slow_until = 1e12;
    measure(&w, 2);
    size_t slow[2] = {0};
    for (int i = 0; i < 2; i++)
        for (size_t s = 0; s < w.list[i].count; s++) slow[i] += w.list[i].samples[s] > 2.2e6;
    assert_true(slow[0] > 5 && slow[0] < 35);
    assert_true(abs((int)slow[0] - (int)slow[1]) <= 1);
    end(&w, 2);
}

// Every fifth dispatch takes half as long again. The median and its interval ignore it; the maximum shows it.
static void outliers_do_not_move_the_median(void **state) {
    struct world w;
    start(&w);
    w.kernels[0] = (struct fake_kernel){.ns = 12e6, .odd_ns = 6e6};
    measure(&w, 1);
    struct summary s = summarize(w.list[0].samples, w.list[0].count);
    assert_true(fabs(s.median / 12e6 - 1) < 1e-3 && s.max > 17e6);
    assert_int_equal(w.list[0].stop, STOP_PRECISE);
    end(&w, 1);
}

static bool drop_the_second(void *user, struct round_candidate *list, size_t count, size_t round) {
    assert_int_equal(count, 2);
    if (round == *(size_t *)user) list[1].dropped = true;
    return true;
}

static void the_dropped_take_no_more_samples(void **state) {
    struct world w;
    size_t last = 2;
    start(&w);
    w.settings.between = drop_the_second;
    w.settings.user = &last;
    measure(&w, 2);
    assert_int_equal(w.list[1].count, 3);
    assert_int_equal(w.list[1].stop, STOP_NOT_YET);
    assert_int_equal(w.list[0].count, 10);
    end(&w, 2);
}

static bool end_after(void *user, struct round_candidate *list, size_t count, size_t round) {
    for (size_t i = 0; i < count; i++) assert_int_equal(list[i].count, round + 1);
    return round + 1 < *(size_t *)user;
}

static void between_ends_the_rounds(void **state) {
    struct world w;
    size_t rounds = 5;
    start(&w);
    w.settings.between = end_after;
    w.settings.user = &rounds;
    measure(&w, 3);
    for (int i = 0; i < 3; i++) assert_int_equal(w.list[i].count, rounds);
    end(&w, 3);
}

// The first is precise long before its partner, but continues with it. Both stop at the end of an ABBA.
static void pairs_stop_together(void **state) {
    struct world w;
    start(&w);
    w.kernels[1].wild_ns = 1e6;
    w.settings.paired = true;
    w.settings.timing.rule = (struct stop_rule){.least = 11, .most = 100, .precision = 0.01, .seconds = 0.2};
    measure(&w, 2);
    assert_int_equal(w.list[0].count, w.list[1].count);
    assert_int_equal(w.list[0].count % 2, 0);
    assert_true(w.list[0].count > 11);
    assert_true(w.list[0].stop != STOP_NOT_YET && w.list[1].stop != STOP_NOT_YET);
    end(&w, 2);
}

// Other candidates' time is not charged to a candidate. A jump of the clock ends the time of only one of them.
static void time_is_each_one_s_own(void **state) {
    struct world w;
    start(&w);
    w.kernels[1].ns = 20e6;
    w.settings.timing.rule = (struct stop_rule){.least = 4, .most = 1000, .precision = -1, .seconds = 0.2};
    measure(&w, 2);
    assert_int_equal(w.list[0].stop, STOP_TIME);
    assert_within(w.list[0].count, 45, 50); // of 4 ms, its warm-up dispatch included
    assert_within(w.list[1].count, 9, 10);
    end(&w, 2);
    start(&w);
    w.fake.jumps_at = 30;
    w.fake.jump_ns = 1e12;
    w.settings.timing.rule.precision = -1;
    measure(&w, 2);
    assert_true(w.list[0].stop != w.list[1].stop);
    assert_true(w.list[0].stop == STOP_TIME || w.list[1].stop == STOP_TIME);
    end(&w, 2);
}

static void the_one_that_failed_is_named(void **state) {
    struct error err = {0};
    struct world w;
    for (size_t at = 1; at < 30; at++) {
        start(&w);
        w.fake.fails_at = at;
        assert_false(rounds_measure(w.list, 2, &w.settings, &err));
        int failed = w.list[1].failed;
        assert_true(w.list[0].failed != w.list[1].failed);
        if (at <= 2) assert_int_equal(failed, 0); // the first is being prepared
        if (at == 3 || at == 4) assert_int_equal(failed, 1);
        end(&w, 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_those_of_one_dispatch),
        cmocka_unit_test(candidates_of_one_speed_bear_one_share_of_the_fixed_cost),
        cmocka_unit_test(a_much_slower_one_has_a_bounded_interval),
        cmocka_unit_test(a_pair_is_alike_in_repeats_and_warm_up_dispatch),
        cmocka_unit_test(a_single_one_needs_no_warm_up_dispatch),
        cmocka_unit_test(rounds_are_drawn_and_mirrored),
        cmocka_unit_test(a_linear_drift_cancels),
        cmocka_unit_test(outliers_do_not_move_the_median),
        cmocka_unit_test(the_dropped_take_no_more_samples),
        cmocka_unit_test(between_ends_the_rounds),
        cmocka_unit_test(pairs_stop_together),
        cmocka_unit_test(time_is_each_one_s_own),
        cmocka_unit_test(the_one_that_failed_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
