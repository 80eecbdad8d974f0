// SPDX-License-Identifier: Apache-2.0
// The reference kernel and second tries, on a device of made-up speed and clock.
#include "../probe.h"
#include "../../timing/throttle.h"

#include "../../../../reference/philox.h"
#include "../../../base/tests/within.h"
#include "../../../record/record.h"
#include "../../../record/wall.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>

static const int64_t second = 1000000000, start_ns = 3000000000;

struct world {
    struct drift drift;
    int64_t now, slow_from, slow_until; // a slow spell
    double slow_by, ns_a_round, hz, overhead_ns;
    double noise;                                 // standard deviation of a probe's time, as a share
    size_t runs, fails_at, odd_every, mute_every; // every N-th run takes twice as long; every N-th gives no time
    bool broken;                                  // its timestamps are useless
    // A measurement: its duration, how often it ran and was discarded, and which tries are slow.
    size_t measured, discarded, slow_goes;
    int64_t window_ns; // duration of a slow clock, soon after a measurement's start
    size_t windows;    // measurements with such a window, besides the first
    int64_t takes_ns;
    struct wall wall;
    struct phase_timer phases;
};

static int64_t now_of(void *context) {
    return ((struct world *)context)->now;
}

// Returns a standard normal number, the same for the same `at`.
static double normal_at(uint64_t at) {
    const struct philox bits = philox(1, at, 0);
    const double a = ((double)bits.v[0] + 1) / 0x1p32, b = (double)bits.v[1] / 0x1p32;
    return sqrt(-2 * log(a)) * cos(6.283185307179586 * b);
}

static bool run(void *context, uint32_t rounds, uint32_t groups, double *ns, uint32_t *ticks, struct error *err) {
    struct world *w = context;
    if (++w->runs == w->fails_at) return error_of_kind(err, ERROR_DEVICE_LOST, "lost");
    bool slow = w->now >= w->slow_from && w->now < w->slow_until;
    double waves = groups > 1 ? (double)groups / 100 : 1,
           busy = w->ns_a_round * rounds * waves * (slow ? w->slow_by : 1);
    busy *= 1 + w->noise * normal_at((uint64_t)w->runs / 3);
    if (w->odd_every && w->runs % w->odd_every == 0) busy *= 2;
    *ns = w->broken || (w->mute_every && w->runs % w->mute_every == 0) ? -1 : busy + w->overhead_ns;
    w->now += (int64_t)(busy + w->overhead_ns) + 20000;
    if (ticks) *ticks = (uint32_t)(w->ns_a_round * rounds * waves * w->hz / 1e9); // the same work at any clock
    return true;
}

static struct drift_kernel kernel_of(struct world *w) {
    return (struct drift_kernel){
        .context = w, .timestamps = true, .own_clock = true, .reads_clock = true, .now = now_of, .run = run};
}

static void open_world(struct world *w) {
    *w = (struct world){.now = start_ns, .slow_by = 1.4, .ns_a_round = 10, .hz = 1.7e9, .takes_ns = second / 2};
    w->phases = phase_timer_start(&w->wall, WALL_COMPUTE);
}

static void start_with(struct world *w, const struct drift_kernel *kernel) {
    struct error err = {0};
    if (!drift_start(&w->drift, kernel, &err)) fail_msg("%s", err.text);
}

static void start(struct world *w) {
    open_world(w);
    const struct drift_kernel kernel = kernel_of(w);
    start_with(w, &kernel);
}

static double ratio_of(struct world *w) {
    struct error err = {0};
    double ratio;
    assert_true(drift_sample(&w->drift, &ratio, &err));
    return ratio;
}

static void the_kernel_lasts_100_us(void **state) {
    struct world w;
    start(&w);
    assert_int_equal(w.drift.rounds, 16384); // the first power of two with 100 us, at 10 ns each
    assert_true(w.now - start_ns > 4 * second / 10 && w.now - start_ns < second / 2); // from idle
    assert_int_equal(w.drift.pace.count, 25);
    assert_true(fabs(ratio_of(&w) - 1) < 1e-9);
    // 100 us are enough, half a nanosecond less is not.
    static const struct {
        double ns;
        uint32_t rounds;
    } edges[] = {{100000, 16384}, {99999.5, 32768}};
    for (size_t i = 0; i < 2; i++) {
        open_world(&w);
        w.ns_a_round = edges[i].ns / 16384;
        const struct drift_kernel kernel = kernel_of(&w);
        start_with(&w, &kernel);
        assert_int_equal(w.drift.rounds, edges[i].rounds);
    }
}

static void times_that_cannot_be_used_are_no_level(void **state) {
    struct world w;
    open_world(&w);
    w.mute_every = 1;
    const struct drift_kernel kernel = kernel_of(&w);
    start_with(&w, &kernel);
    assert_int_equal(w.drift.pace.count, 0);
}

static void a_clock_that_changes_shows_in_the_ratio(void **state) {
    struct world w;
    start(&w);
    w.slow_from = w.now;
    w.slow_until = w.now + second;
    assert_true(fabs(ratio_of(&w) - 1.4) < 1e-3);
    w.now = w.slow_until;
    assert_true(fabs(ratio_of(&w) - 1) < 1e-3);
}

// The least of three times counts, so one interruption does not probe like a slow clock.
static void an_interruption_is_no_drift(void **state) {
    struct world w;
    start(&w);
    w.odd_every = 2;
    for (int i = 0; i < 6; i++) assert_true(fabs(ratio_of(&w) - 1) < 1e-3);
    w.odd_every = 0;
    w.mute_every = 2; // nor does a useless reading
    for (int i = 0; i < 6; i++) assert_true(fabs(ratio_of(&w) - 1) < 1e-3);
}

static void without_timestamps_nothing_is_known(void **state) {
    struct world w;
    struct error err = {0};
    double hz;
    open_world(&w);
    struct drift_kernel kernel = kernel_of(&w);
    kernel.timestamps = kernel.own_clock = kernel.reads_clock = false;
    start_with(&w, &kernel);
    assert_true(isnan(ratio_of(&w)));
    assert_true(drift_settle(&w.drift, &err) && drift_clock(&w.drift, &hz, &err) && isnan(hz));
    assert_false(w.drift.pace.slow);
    assert_int_equal(w.runs, 0);
    start(&w);
    w.broken = true; // they exist, but are useless
    assert_true(isnan(ratio_of(&w)));
}

// A CPU's ratio is known, but nobody waits for it.
static void the_host_s_own_clock_is_not_waited_for(void **state) {
    struct world w;
    struct error err = {0};
    open_world(&w);
    struct drift_kernel kernel = kernel_of(&w);
    kernel.own_clock = false;
    start_with(&w, &kernel);
    assert_true(w.now - start_ns < second / 100);
    assert_true(ratio_of(&w) > 0);
    w.slow_until = w.now + 100 * second;
    size_t runs = w.runs;
    assert_true(drift_settle(&w.drift, &err));
    assert_int_equal(w.runs, runs);
}

static void the_cores_clock_is_of_the_difference_of_two_runs(void **state) {
    struct world w;
    struct error err = {0};
    double hz;
    start(&w);
    w.overhead_ns = 9000; // in both runs, so it cancels
    assert_true(drift_clock(&w.drift, &hz, &err));
    assert_true(fabs(hz / 1.7e9 - 1) < 1e-3);
    w.overhead_ns = 1e6; // the second run takes less than half as long again: not credible
    assert_true(drift_clock(&w.drift, &hz, &err) && isnan(hz));
}

static void a_device_that_slowed_down_is_waited_for(void **state) {
    struct world w;
    struct error err = {0};
    start(&w);
    w.now += 60 * second;
    int64_t before = w.now;
    w.slow_until = w.now + second / 20;
    assert_true(drift_settle(&w.drift, &err));
    assert_true(w.now >= w.slow_until && w.now < before + second / 10);
    assert_false(w.drift.pace.slow);
    w.slow_until = w.now + 100 * second; // in vain
    assert_true(drift_settle(&w.drift, &err) && w.drift.pace.slow);
}

// ---- measuring twice

enum { STEPS = 50 };

static bool measure(void *user, struct throttle_watch *watch, struct error *err) {
    struct world *w = user;
    w->measured++;
    for (int i = 0; i < STEPS; i++) {
        w->now += w->takes_ns / STEPS;
        if (w->window_ns && i == 3) w->slow_from = w->now, w->slow_until = w->now + w->window_ns;
        if (!throttle_probe(watch, err)) return false;
    }
    if (w->measured > w->windows) w->window_ns = 0;
    if (w->measured <= w->slow_goes) w->slow_from = w->now, w->slow_until = w->now + second / 100;
    return true;
}

static void discard(void *user) {
    ((struct world *)user)->discarded++;
}

static struct throttle go(struct world *w) {
    struct error err = {0};
    struct throttle out;
    const struct throttle_target target = {measure, discard, w};
    if (!throttle_measure(&w->drift, &target, &w->phases, &out, &err)) fail_msg("%s", err.text);
    return out;
}

static void a_calm_measurement_is_made_once(void **state) {
    struct world w;
    start(&w);
    struct throttle out = go(&w);
    assert_true(w.measured == 1 && w.discarded == 0 && !out.remeasured && !out.throttled);
    assert_true(fabs(out.drift - 1) < 1e-3);
}

// Slow at its end, and fast again at once: the second try counts.
static void a_slow_measurement_is_repeated(void **state) {
    struct world w;
    start(&w);
    w.now += 60 * second;
    w.slow_goes = 1;
    struct throttle out = go(&w);
    assert_true(w.measured == 2 && w.discarded == 1 && out.remeasured && !out.throttled);
    assert_true(fabs(out.drift - 1) < 1e-3);
}

static void a_second_that_is_slow_too_is_marked(void **state) {
    struct world w;
    start(&w);
    w.now += 60 * second;
    w.slow_goes = 2;
    struct throttle out = go(&w);
    assert_true(w.measured == 2 && out.remeasured && out.throttled);
    assert_true(fabs(out.drift - 1.4) < 1e-3);
}

// Still slow, or no time left for a second try: measured once, and marked.
static void what_cannot_be_made_again_is_marked(void **state) {
    struct world w;
    start(&w);
    w.now += 60 * second;
    w.slow_from = w.now + w.takes_ns / 2; // and stays slow
    w.slow_until = w.now + 1000 * second;
    struct throttle out = go(&w);
    assert_true(w.measured == 1 && w.discarded == 0 && !out.remeasured && out.throttled);
    assert_true(w.drift.pace.slow);
    start(&w);
    w.now += 10 * second;
    w.takes_ns = 20 * second; // more than a tenth of the time since the start
    w.slow_goes = 1;
    out = go(&w);
    assert_true(w.measured == 1 && !out.remeasured && out.throttled && fabs(out.drift - 1.4) < 1e-3);
}

// The worse of the probes before and after is recorded.
static void the_probe_before_counts_too(void **state) {
    struct world w;
    start(&w);
    w.slow_from = w.now;
    w.slow_until = w.now + 4 * second / 10;
    struct throttle out = go(&w); // waited in vain; fast again by the end
    assert_true(out.throttled);
    assert_true(out.drift > 1.3);
    assert_int_equal(w.measured, 1);
}

// Counts marks and second tries in 300 measurements. During every `slow_every`-th, the clock falls to 1 / 2.5.
static void go_often(struct world *w, int slow_every, size_t *marked, size_t *again) {
    *marked = *again = 0;
    w->now += 60 * second;
    for (int i = 0; i < 300; i++) {
        w->slow_by = 2.5;
        w->measured = 0;
        w->slow_goes = slow_every && i % slow_every == 0 ? 2 : 0;
        const struct throttle out = go(w);
        *marked += out.throttled;
        *again += out.remeasured;
    }
}

// With noise of 8 % around a level of 1, one probe in ten is above 1.1.
static void the_reference_kernel_s_own_noise_is_no_slow_device(void **state) {
    struct world w;
    size_t marked, again;
    start(&w);
    w.noise = 0.08;
    go_often(&w, 0, &marked, &again);
    assert_within(w.drift.pace.noise * 1e4, 600, 1000);
    assert_int_equal(marked + again, 0);
    go_often(&w, 10, &marked, &again); // beyond its noise
    assert_within(marked, 25, 40);
}

// A heavy kernel makes every probe behind it slow. This is heat, not noise.
static void heat_after_every_measurement_is_no_noise(void **state) {
    struct world w;
    start(&w);
    for (int i = 0; i < 100; i++) {
        w.slow_from = w.now, w.slow_until = w.now + (i % 2 ? second : 0);
        ratio_of(&w);
        w.now += 2 * second;
    }
    assert_true(w.drift.pace.noise < 1e-3);
}

// A CPU's reference kernel shows other work on the host, so nothing is marked or measured again.
static void a_device_without_a_clock_of_its_own_is_not_marked(void **state) {
    struct world w;
    open_world(&w);
    struct drift_kernel kernel = kernel_of(&w);
    kernel.own_clock = false;
    start_with(&w, &kernel);
    for (int i = 0; i < 60; i++) ratio_of(&w);
    w.slow_goes = 1000;
    for (int i = 0; i < 20; i++) {
        w.now += second;
        const size_t runs = w.runs;
        const struct throttle out = go(&w);
        assert_false(out.throttled || out.remeasured);
        assert_true(out.drift > 1.3);
        assert_int_equal(w.runs - runs, 2 * 3); // three runs before and three after, none between
        assert_int_equal(out.clock_probes.count, 0);
    }
    assert_int_equal(w.measured, 20);
}

static void the_wait_is_charged_as_such(void **state) {
    struct world w;
    start(&w);
    go(&w);
    assert_int_equal(w.phases.part, WALL_COMPUTE);
    assert_true(w.wall.ns[WALL_WAIT] > 0 && w.wall.ns[WALL_IDLE] > 0);
}

static void a_device_that_fails_ends_it(void **state) {
    for (size_t more = 1; more <= 9; more++) {
        struct world w;
        struct error err = {0};
        struct throttle out;
        start(&w);
        w.fails_at = w.runs + more;
        const struct throttle_target target = {measure, discard, &w};
        assert_false(throttle_measure(&w.drift, &target, &w.phases, &out, &err));
        assert_int_equal(err.kind, ERROR_DEVICE_LOST);
    }
    for (size_t more = 1, runs = more; more <= runs; more++) { // of a measurement made twice
        struct world w;
        struct error err = {0};
        struct throttle out;
        const struct throttle_target target = {measure, discard, &w};
        start(&w);
        w.now += 60 * second;
        w.slow_goes = 1;
        const size_t before = w.runs;
        if (more == 1) {
            assert_true(throttle_measure(&w.drift, &target, &w.phases, &out, &err) && out.remeasured);
            runs = w.runs - before;
            start(&w);
            w.now += 60 * second;
            w.slow_goes = 1;
        }
        w.fails_at = w.runs + more;
        assert_false(throttle_measure(&w.drift, &target, &w.phases, &out, &err));
        assert_int_equal(err.kind, ERROR_DEVICE_LOST);
    }
}

// ---- a clock that falls only for one window: probes before and after do not see it

static struct throttle go_through_window(struct world *w, int64_t takes_ns, size_t windows) {
    start(w);
    w->now += 60 * second;
    w->slow_by = 3;
    w->takes_ns = takes_ns;
    w->window_ns = 70000000;
    w->windows = windows;
    return go(w);
}

static void most_of_a_measurement_at_a_low_clock_is_repeated(void **state) {
    struct world w;
    struct throttle out = go_through_window(&w, 90000000, 0);
    assert_true(w.measured == 2 && out.remeasured && !out.throttled);
    assert_true(out.drift < 1.01 && out.clock_probes.most < 1.01 && isnan(out.clock_probes.least_clock_hz));
    out = go_through_window(&w, 90000000, 1); // and in the second try
    assert_true(w.measured == 2 && out.remeasured && out.throttled);
    assert_true(fabs(out.drift - 3) < 1e-2 && fabs(out.clock_probes.most - 3) < 1e-2 && out.clock_probes.least < 1.01);
    assert_true(fabs(out.clock_probes.least_clock_hz / (1.7e9 / 3) - 1) < 1e-2);
}

// The median of the samples stays, and the probes show the window.
static void a_window_within_a_long_measurement_is_recorded(void **state) {
    struct world w;
    const struct throttle out = go_through_window(&w, second, 0);
    assert_true(w.measured == 1 && !out.remeasured && !out.throttled && out.drift < 1.01);
    assert_within(out.clock_probes.count, 30, 52);
    assert_true(
        fabs(out.clock_probes.most - 3) < 1e-2 && fabs(out.clock_probes.least_clock_hz / (1.7e9 / 3) - 1) < 1e-2);
}

// Looks are limited to one in 20 ms.
static void clock_probes_are_few(void **state) {
    struct world w;
    start(&w);
    w.now += 60 * second;
    w.takes_ns = 2 * second;
    const struct throttle out = go(&w);
    assert_within(out.clock_probes.count, 40, 2 + STEPS);
    start(&w);
    w.takes_ns = 10000000;
    assert_int_equal(go(&w).clock_probes.count, 3);
}

// ---- probes

static bool probe_step_of(struct probe_run *probe, void *user, double ns[FIGURE_COUNT], struct error *err) {
    struct world *w = user;
    const bool slow = w->now >= w->slow_from && w->now < w->slow_until;
    (void)probe;
    (void)err;
    ns[FIGURE_COMPUTE] = slow ? 3e6 : 1e6;
    w->now += 3000000;
    return true;
}

static struct record sample_probe(struct world *w, struct arena *arena) {
    struct error err = {0};
    struct record record = {0};
    const struct timing_device device = {.context = w, .now = now_of};
    struct probe_run probe = {.device = &device,
        .rule = {.least = 10, .most = 10, .seconds = 1},
        .arena = arena,
        .out = &record,
        .drift = &w->drift,
        .phases = &w->phases};
    if (!probe_sample(&probe, probe_step_of, w, NULL, &err)) fail_msg("%s", err.text);
    assert_int_equal(record.time[FIGURE_COMPUTE].samples, 10);
    return record;
}

// The clock fell while the host computed references. It is back before the first sample.
static void a_probe_waits_for_a_clock_that_fell(void **state) {
    struct world w;
    struct arena arena = {0};
    start(&w);
    w.now += 60 * second;
    w.slow_by = 3;
    w.slow_from = w.now;
    w.slow_until = w.now + 3 * second / 10;
    struct record record = sample_probe(&w, &arena);
    assert_true(record.time[FIGURE_COMPUTE].max == 1e6);
    assert_true(record.drift < 1.01 && !record.throttled && !record.remeasured);
    w.slow_from = w.now; // a clock that falls at the end is seen
    w.slow_until = w.now + 100 * second;
    record = sample_probe(&w, &arena);
    assert_true(record.drift > 2.9 && record.throttled);
    arena_free(&arena);
}

// Samples from a window at another clock are dropped with the samples around them.
static void a_probe_that_was_slow_in_between_is_repeated(void **state) {
    struct world w;
    struct arena arena = {0};
    start(&w);
    w.now += 60 * second;
    w.slow_by = 3;
    w.slow_from = w.now + 20000000;
    w.slow_until = w.slow_from + 40000000; // until after the last sample
    const struct record record = sample_probe(&w, &arena);
    assert_true(record.time[FIGURE_COMPUTE].max == 1e6);
    assert_true(record.remeasured && !record.throttled);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kernel_lasts_100_us),
        cmocka_unit_test(times_that_cannot_be_used_are_no_level),
        cmocka_unit_test(a_clock_that_changes_shows_in_the_ratio),
        cmocka_unit_test(an_interruption_is_no_drift),
        cmocka_unit_test(without_timestamps_nothing_is_known),
        cmocka_unit_test(the_host_s_own_clock_is_not_waited_for),
        cmocka_unit_test(the_cores_clock_is_of_the_difference_of_two_runs),
        cmocka_unit_test(a_device_that_slowed_down_is_waited_for),
        cmocka_unit_test(a_calm_measurement_is_made_once),
        cmocka_unit_test(a_slow_measurement_is_repeated),
        cmocka_unit_test(a_second_that_is_slow_too_is_marked),
        cmocka_unit_test(what_cannot_be_made_again_is_marked),
        cmocka_unit_test(the_probe_before_counts_too),
        cmocka_unit_test(the_reference_kernel_s_own_noise_is_no_slow_device),
        cmocka_unit_test(heat_after_every_measurement_is_no_noise),
        cmocka_unit_test(a_device_without_a_clock_of_its_own_is_not_marked),
        cmocka_unit_test(the_wait_is_charged_as_such),
        cmocka_unit_test(a_device_that_fails_ends_it),
        cmocka_unit_test(most_of_a_measurement_at_a_low_clock_is_repeated),
        cmocka_unit_test(a_window_within_a_long_measurement_is_recorded),
        cmocka_unit_test(clock_probes_are_few),
        cmocka_unit_test(a_probe_waits_for_a_clock_that_fell),
        cmocka_unit_test(a_probe_that_was_slow_in_between_is_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
