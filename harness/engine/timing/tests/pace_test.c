// SPDX-License-Identifier: Apache-2.0
// Waiting for a device of made-up speed. Each point is settled and then measured for half a second, with a sample of
// the reference kernel before and after it.
#include "../pace.h"
#include "../../../../reference/tests/unit.h"

#include <stdbool.h>
#include <math.h>

static const int64_t second = 1000000000, sample_ns = 300000, busy_ns = 2000000;
static const double throttled_above = 1.1;

// A made-up device. `speed` is the factor of the reference kernel's time at `ns` since the start, after `busy_for_ns`
// of work.
struct world {
    struct pace pace;
    int64_t now, idle_since;
    double (*speed)(int64_t ns, int64_t busy_for_ns);
    int64_t waited, longest, beyond; // in all; by one point; in all beyond the free part of each point
    size_t points, marked, unsettled;
};

static double time_of(const struct world *w) {
    return 100e3 * w->speed(w->now, w->now - w->idle_since);
}

static bool sample(void *user, double *ns, struct error *err) {
    struct world *w = user;
    (void)err;
    *ns = time_of(w);
    w->now += sample_ns;
    return true;
}

static bool busy(void *user, struct error *err) {
    struct world *w = user;
    (void)err;
    w->now += busy_ns;
    return true;
}

static int64_t now(void *user) {
    return ((struct world *)user)->now;
}

static void open_world(struct world *w, double (*speed)(int64_t, int64_t)) {
    *w = (struct world){.now = 5 * second, .speed = speed};
    pace_start(&w->pace, w->now);
    for (int i = 0; i < 9; i++) pace_add(&w->pace, time_of(w));
}

// Asserts the limits of waiting; they hold at any time.
static void assert_bounded(const struct world *w) {
    int64_t elapsed = w->now - 5 * second, slack = busy_ns + sample_ns;
    assert_true(w->beyond <= elapsed / 10 + (int64_t)w->points * slack);
    assert_true(w->beyond <= 60 * second + (int64_t)w->points * slack);
    assert_true(w->longest <= second + PACE_FREE_NS + slack);
}

// Measures one point. Returns whether it is marked.
static bool measure(struct world *w) {
    const struct pace_device device = {sample, busy, now, w};
    struct error err;
    int64_t start = w->now;
    w->idle_since = start;
    assert_true(pace_settle(&w->pace, &device, &err));
    int64_t took = w->now - start - sample_ns;
    w->points++;
    w->waited += took;
    if (took > w->longest) w->longest = took;
    if (took > PACE_FREE_NS) w->beyond += took - PACE_FREE_NS;
    double before = pace_add(&w->pace, time_of(w));
    w->now += second / 2;
    double after = pace_add(&w->pace, time_of(w));
    bool marked = fmax(before, after) > throttled_above || w->pace.slow;
    w->marked += marked;
    assert_bounded(w);
    return marked;
}

static void measure_until(struct world *w, double seconds) {
    while ((double)(w->now - 5 * second) < seconds * 1e9) measure(w);
}

static double steady(int64_t ns, int64_t busy_for_ns) {
    (void)busy_for_ns;
    return 1 + 0.004 * (double)(ns / 1000 % 7 - 3) / 3; // noise of 0.4 %
}

static void a_lucky_sample_makes_nobody_wait(void **state) {
    for (int when = 0; when < 3; when++) { // among the first, early, late
        struct world w;
        open_world(&w, steady);
        if (when == 0) w.pace.count = 0, pace_add(&w.pace, 90e3);
        for (int i = 0; when == 0 && i < 8; i++) pace_add(&w.pace, time_of(&w));
        measure_until(&w, when == 2 ? 100 : 1);
        pace_add(&w.pace, 90e3);
        measure_until(&w, 150);
        assert_int_equal(w.waited, 0);
        assert_int_equal(w.marked, 0);
    }
}

// A device with a lowered clock after waiting for the host. At each point it is fast again after 40 ms of work.
static double wakes_up(int64_t ns, int64_t busy_for_ns) {
    return steady(ns, 0) * (busy_for_ns < 40000000 ? 1.4 : 1);
}
static void a_clock_that_fell_asleep_is_woken_at_every_point(void **state) {
    struct world w;
    open_world(&w, steady);
    w.speed = wakes_up;
    for (int i = 0; i < 2000; i++) assert_false(measure(&w));
    assert_true(w.waited >= 2000 * (int64_t)40000000 && w.longest < 50000000);
}

// 30 % slower from 60 s to 68 s.
static double spell(int64_t ns, int64_t busy_for_ns) {
    int64_t at = ns / second - 5;
    return steady(ns, busy_for_ns) * (at >= 60 && at < 68 ? 1.3 : 1);
}
static void a_slow_spell_is_waited_for_and_what_is_left_of_it_marked(void **state) {
    struct world w;
    open_world(&w, spell);
    measure_until(&w, 59.4);
    assert_int_equal(w.marked, 0);
    size_t points = w.points;
    measure_until(&w, 68);
    size_t within = w.points - points;
    assert_int_equal(w.marked, within); // none of them passes as good
    assert_true(w.waited > second && w.waited < 6 * second + (int64_t)within * PACE_FREE_NS);
    measure(&w); // may have begun within it
    size_t marked = w.marked;
    int64_t waited = w.waited;
    measure_until(&w, 200);
    assert_int_equal(w.marked, marked);
    assert_int_equal(w.waited, waited);
}

// A slow spell of 0.9 s. The one point in it waits until it is over, and is good.
static double hiccup(int64_t ns, int64_t busy_for_ns) {
    double at = (double)ns * 1e-9 - 5;
    return steady(ns, busy_for_ns) * (at >= 60 && at < 60.9 ? 1.3 : 1);
}
static void a_short_spell_costs_one_wait(void **state) {
    struct world w;
    open_world(&w, hiccup);
    measure_until(&w, 59.95);
    measure_until(&w, 200);
    assert_true(w.marked <= 1); // a point begun within the spell
    assert_true(w.waited > second / 4 && w.waited < second);
}

// 20 % slower for good from 60 s on.
static double step(int64_t ns, int64_t busy_for_ns) {
    return steady(ns, busy_for_ns) * (ns / second - 5 >= 60 ? 1.2 : 1);
}
static void a_new_level_is_taken_in_the_end(void **state) {
    struct world w;
    open_world(&w, step);
    measure_until(&w, 59.4);
    assert_int_equal(w.marked, 0);
    assert_true(measure(&w) && measure(&w));
    measure_until(&w, 260);
    // Waits in vain halve: 2 s for all of them, besides the free part of each point.
    assert_true(w.beyond < 2 * second + (int64_t)w.points * (busy_ns + sample_ns));
    size_t marked = w.marked;
    int64_t waited = w.waited;
    assert_true(marked > 50);
    measure_until(&w, 400);
    assert_int_equal(w.marked, marked);
    assert_int_equal(w.waited, waited);
}

// 20 % faster from 60 s on; nobody waits.
static double faster(int64_t ns, int64_t busy_for_ns) {
    return steady(ns, busy_for_ns) * (ns / second - 5 >= 60 ? 0.8 : 1);
}
static void a_faster_level_costs_nothing(void **state) {
    struct world w;
    open_world(&w, faster);
    measure_until(&w, 400);
    assert_true(w.waited == 0 && w.marked == 0);
}

// 8 % slower within 200 s, as a device warms up: the level follows. The steep ramp is 80 % within 200 s; the level
// cannot follow.
static double ramp(int64_t ns, int64_t busy_for_ns) {
    return steady(ns, busy_for_ns) * (1 + 0.08 * fmin((double)ns * 1e-9 - 5, 200) / 200);
}
static double steep_ramp(int64_t ns, int64_t busy_for_ns) {
    return steady(ns, busy_for_ns) * (1 + 0.8 * fmin((double)ns * 1e-9 - 5, 200) / 200);
}
static void a_ramp_is_followed_or_marked(void **state) {
    struct world w;
    open_world(&w, ramp);
    measure_until(&w, 300);
    assert_true(w.waited == 0 && w.marked == 0);
    open_world(&w, steep_ramp);
    measure_until(&w, 200);
    assert_true(w.marked > w.points / 2);
    assert_true((double)w.waited < 0.3 * 200e9);
    measure_until(&w, 350);
    size_t marked = w.marked;
    measure_until(&w, 450);
    assert_int_equal(w.marked, marked);
}

// Repeated slow spells, each waited for with success. The limits are a tenth of the time, and 60 s.
static double comes_and_goes(int64_t ns, int64_t busy_for_ns) {
    return steady(ns, busy_for_ns) * (ns / 100000000 % 30 < 10 ? 1.3 : 1);
}
static void waiting_is_bounded_over_a_whole_run(void **state) {
    struct world w;
    open_world(&w, comes_and_goes);
    measure_until(&w, 2000);
    assert_true(w.beyond > 50 * second); // it did wait; assert_bounded limits the time
}

// After being slow, 4 % is still slow; before, it is not.
static double level_of_the_day = 1;
static double level_now(int64_t ns, int64_t busy_for_ns) {
    (void)ns, (void)busy_for_ns;
    return level_of_the_day;
}
static void what_was_slow_must_come_back_all_the_way(void **state) {
    struct world w;
    level_of_the_day = 1;
    open_world(&w, level_now);
    measure_until(&w, 30);
    level_of_the_day = 1.04;
    assert_false(measure(&w));
    level_of_the_day = 1.07;
    assert_true(measure(&w));
    level_of_the_day = 1.04;
    assert_true(measure(&w));
    level_of_the_day = 1.01;
    assert_false(measure(&w));
    level_of_the_day = 1.04;
    assert_false(measure(&w));
}

// The reference kernel's noise is 4 %. After a slow spell, 5 % above its level is calm.
static void noise_after_a_slow_spell_is_calm(void **state) {
    struct world w;
    level_of_the_day = 1;
    open_world(&w, level_now);
    for (int i = 0; i < PACE_KEPT; i++) pace_add(&w.pace, i % 4 < 2 ? 98e3 : 102e3);
    level_of_the_day = 1.3;
    assert_true(measure(&w));
    level_of_the_day = 1.05;
    assert_false(measure(&w));
}

// A second try uses the same budget, and is refused if it is longer than the rest.
static void second_tries_are_bounded_too(void **state) {
    struct world w;
    open_world(&w, steady);
    assert_false(pace_repeats(&w.pace, 1, w.now));
    w.now += 100 * second;
    assert_false(pace_repeats(&w.pace, 11 * second, w.now));
    assert_true(pace_repeats(&w.pace, 6 * second, w.now));
    assert_false(pace_repeats(&w.pace, 6 * second, w.now));
    assert_true(pace_repeats(&w.pace, 4 * second, w.now));
    w.now += 10000 * second;
    assert_false(pace_repeats(&w.pace, 51 * second, w.now)); // 60 s in all
    assert_true(pace_repeats(&w.pace, 50 * second, w.now));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lucky_sample_makes_nobody_wait),
        cmocka_unit_test(a_clock_that_fell_asleep_is_woken_at_every_point),
        cmocka_unit_test(a_slow_spell_is_waited_for_and_what_is_left_of_it_marked),
        cmocka_unit_test(a_short_spell_costs_one_wait),
        cmocka_unit_test(a_new_level_is_taken_in_the_end),
        cmocka_unit_test(a_faster_level_costs_nothing),
        cmocka_unit_test(a_ramp_is_followed_or_marked),
        cmocka_unit_test(waiting_is_bounded_over_a_whole_run),
        cmocka_unit_test(what_was_slow_must_come_back_all_the_way),
        cmocka_unit_test(noise_after_a_slow_spell_is_calm),
        cmocka_unit_test(second_tries_are_bounded_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
