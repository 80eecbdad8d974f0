// SPDX-License-Identifier: Apache-2.0
// The timing engine on a made-up device and clock: intervals, repeats, warm-up dispatch, cold caches, and each fallback
// to the host's clock.
#include "../../plan/run_options.h"
#include "fake_timing.h"
#include "../../../base/tests/within.h"
#include "../../../../reference/tests/unit.h"

static void assert_near(double got, double want, double share) {
    if (!(fabs(got - want) <= share * want)) fail_msg("%g, expected %g within %g", got, want, share);
}

static void prepare(const struct timing_settings *settings, struct sampler *sampler, const struct fake_kernel *kernel) {
    struct error err = {0};
    *sampler = (struct sampler){.target = fake_target(kernel)};
    if (!timing_prepare(settings, sampler, &err)) fail_msg("%s", err.text);
}

static double take(const struct timing_settings *settings, struct sampler *sampler) {
    struct error err = {0};
    double ns;
    if (!timing_take(settings, sampler, &ns, &err)) fail_msg("%s", err.text);
    return ns;
}

// 36 bits of 52.08 ns; the counter wraps during the test.
static void an_interval_is_a_difference_of_ticks(void **state) {
    struct fake f;
    struct fake_kernel kernel = {.ns = 40e3};
    struct sampler sampler;
    fake_start(&f);
    const struct timing_settings settings = fake_settings(&f);
    prepare(&settings, &sampler, &kernel);
    for (int i = 0; i < 20; i++) assert_near(take(&settings, &sampler), 40e3, 0.001);
    assert_true(f.now > 40000 * fake_period_ns); // it has wrapped
    assert_null(sampler.timer.why_host);
    struct reading reading = {.written = true, .ticks = {0xffffffff0, 0x10}};
    assert_true(timing_interval_ns(&f.device, &reading) == 0x20 * 52.08);
    timing_close(&f.device, &sampler);
    assert_int_equal(f.opened, f.closed);
}

static void repeats_make_an_interval_long_enough(void **state) {
    static const struct {
        double ns, interval_ns, seconds;
        int repeats;
    } cases[] = {
        {50e3, 0, 1, 20},     // a millisecond
        {999, 0, 1, 1002},    // by the timer's grain a dispatch takes 19 ticks, or 989 to 999.7 ns
        {100, 0, 1, 2000},    // the maximum
        {3e6, 0, 1, 1},       // long enough by itself
        {50e3, 0, 0.004, 4},  // ten samples in half the time: 200 us each
        {50e3, 5e6, 1, 100},  // requested
        {100, 1e9, 1, 20000}, // the maximum for a requested length
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake f;
        struct fake_kernel kernel = {.ns = cases[i].ns};
        struct sampler sampler;
        fake_start(&f);
        struct timing_settings settings = fake_settings(&f);
        const struct run_options options = {.interval_s = cases[i].interval_ns / 1e9};
        settings.options = &options;
        settings.rule.seconds = cases[i].seconds;
        prepare(&settings, &sampler, &kernel);
        if (abs(sampler.interval.repeats - cases[i].repeats) > (cases[i].repeats > 1) + cases[i].repeats / 40)
            fail_msg("case %zu: %d repeats", i, sampler.interval.repeats);
        timing_close(&f.device, &sampler);
    }
    struct fake coarse;
    fake_start(&coarse);
    coarse.device.timestamp_period_ns = 1e4; // 1000 ticks are 10 ms
    assert_int_equal(timing_repeats(&coarse.device, 50e3, 1e9), 200);
    assert_int_equal(timing_repeats(&coarse.device, 0, 1e9), 2000);
}

// The second of two single dispatches is warm. The faster one counts, whatever the first costs.
static void repeats_come_from_the_faster_of_two(void **state) {
    struct fake f;
    struct fake_kernel kernel = {.ns = 50e3, .cold_ns = 5e6};
    struct sampler sampler;
    fake_start(&f);
    const struct timing_settings settings = fake_settings(&f);
    prepare(&settings, &sampler, &kernel);
    assert_within(sampler.interval.repeats, 19, 21);
    timing_close(&f.device, &sampler);
}

// The cost of starting on an idle device is not mistaken for a dispatch's time.
static void repeats_make_up_for_an_idle_start(void **state) {
    struct fake f;
    struct fake_kernel kernel = {.ns = 3e3};
    struct sampler sampler;
    fake_start(&f);
    f.idle_ns = 7e3;
    struct timing_settings settings = fake_settings(&f);
    struct run_options options = {0};
    settings.options = &options;
    for (; options.interval_s < 2e-3; options.interval_s += 1e-3) {
        prepare(&settings, &sampler, &kernel);
        assert_within(sampler.interval.repeats, 300, 340);
        assert_true(take(&settings, &sampler) < 3e3 * 1.01);
        timing_close(&f.device, &sampler);
    }
}

// A search prepares its shapes one after the other. A shape prepared before the fastest one takes over its repeats.
static void repeats_follow_a_faster_target_that_came_later(void **state) {
    struct fake f;
    struct fake_kernel slow = {.ns = 150e3}, fast = {.ns = 50e3};
    struct sampler first, second;
    struct shared_interval shared = {0};
    struct error err = {0};
    fake_start(&f);
    struct timing_settings settings = fake_settings(&f);
    settings.shared = &shared;
    prepare(&settings, &first, &slow);
    assert_within(first.interval.repeats, 6, 7);
    prepare(&settings, &second, &fast);
    assert_true(timing_lengthen(&settings, &first, &err));
    assert_within(second.interval.repeats, 19, 21);
    assert_int_equal(first.interval.repeats, second.interval.repeats);
    assert_near(take(&settings, &first), 150e3, 0.001);
    timing_close(&f.device, &first);
    timing_close(&f.device, &second);
}

// If others run in between, the first dispatch finds caches full of their data. A warm-up dispatch before the interval
// avoids this.
static void a_warm_up_dispatch_keeps_what_others_left_out_of_the_interval(void **state) {
    struct fake f;
    struct fake_kernel kernel = {.ns = 200e3, .cold_ns = 100e3}, other = {.ns = 200e3}, longer = {.ns = 11e6};
    struct sampler sampler, alone;
    fake_start(&f);
    struct timing_settings settings = fake_settings(&f);
    prepare(&settings, &alone, &kernel);
    assert_false(alone.interval.warm_up);
    settings.shared = &(struct shared_interval){0};
    prepare(&settings, &sampler, &kernel);
    assert_true(sampler.interval.warm_up);
    f.last = &other;
    assert_near(take(&settings, &alone), 220e3, 0.01); // a fifth of the start's cost
    f.last = &other;
    assert_near(take(&settings, &sampler), 200e3, 0.001);
    timing_close(&f.device, &alone);
    timing_close(&f.device, &sampler);
    settings.shared = &(struct shared_interval){0};
    prepare(&settings, &sampler, &longer);
    assert_false(sampler.interval.warm_up); // negligible in the dispatch itself
    timing_close(&f.device, &sampler);
}

static void cold_samples_flush_before_each_dispatch(void **state) {
    struct fake f;
    struct fake_kernel kernel = {.ns = 40e3, .cold_ns = 25e3};
    struct sampler sampler;
    const struct buffer scratch = {0};
    fake_start(&f);
    struct timing_settings settings = fake_settings(&f);
    settings.shared = &(struct shared_interval){0};
    settings.flush = &scratch;
    prepare(&settings, &sampler, &kernel);
    assert_int_equal(sampler.interval.repeats, 1);
    assert_false(sampler.interval.warm_up);
    for (int i = 0; i < 9; i++) assert_near(take(&settings, &sampler), 65e3, 0.002);
    assert_int_equal(f.flushes, f.runs);
    timing_close(&f.device, &sampler);
}

static size_t warm_up(struct fake *f, struct fake_kernel *kernel, double seconds) {
    struct error err = {0};
    struct sampler sampler;
    struct timing_settings settings = fake_settings(f);
    settings.rule.seconds = seconds;
    prepare(&settings, &sampler, kernel);
    size_t before = f->runs;
    assert_true(timing_warm_up(&settings, &sampler, &err));
    timing_close(&f->device, &sampler);
    return f->runs - before;
}

static void a_warm_up_lasts_until_two_batches_agree(void **state) {
    struct fake f;
    fake_start(&f);
    assert_int_equal(warm_up(&f, &(struct fake_kernel){.ns = 1e6}, 1), 6);
    // Three dispatches choose the repeats; they and two more are slow. The three batches have medians of 2, 1 and 1
    // ms.
    fake_start(&f);
    assert_int_equal(warm_up(&f, &(struct fake_kernel){.ns = 1e6, .slow_runs = 5}, 1), 9);
    fake_start(&f); // irregular; a quarter of the time ends it at the latest
    f.slow_from = 0;
    struct fake_kernel wild = {.ns = 1e6, .odd_ns = 8e6};
    size_t runs = warm_up(&f, &wild, 0.1);
    assert_true(runs >= 6 && runs < 40);
    fake_start(&f); // choosing the repeats was a warm-up already
    assert_int_equal(warm_up(&f, &(struct fake_kernel){.ns = 50e6}, 1), 0);
}

// Each fallback uses the host's clock, subtracts the submission's cost and names the reason.
static void each_fallback_to_the_host_is_right_and_says_why(void **state) {
    static const struct {
        enum fake_stamps stamps;
        bool none, asked;
        const char *why;
    } cases[] = {
        {FAKE_STAMPS, true, false, "the queue has no timestamps"},
        {FAKE_UNWRITTEN, false, false, "the device wrote no timestamp"},
        {FAKE_STILL, false, false, "timestamps did not advance"},
        {FAKE_BACKWARD, false, false, "the device's interval is longer than the host's"},
        {FAKE_STAMPS, false, true, "asked for"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake f;
        struct fake_kernel kernel = {.ns = 100e3};
        struct sampler sampler;
        fake_start(&f);
        f.stamps = cases[i].stamps;
        if (cases[i].none) f.device.timestamp_bits = 0;
        struct timing_settings settings = fake_settings(&f);
        const struct run_options options = {.host_clock = cases[i].asked};
        settings.options = &options;
        settings.submit_ns = f.submission_ns;
        settings.shared = &(struct shared_interval){0}; // the host's time includes a warm-up dispatch
        prepare(&settings, &sampler, &kernel);
        assert_int_equal(sampler.interval.repeats, 10);
        assert_int_equal(sampler.interval.warm_up, !cases[i].asked);
        assert_near(take(&settings, &sampler), 100e3, 1e-6);
        assert_string_equal(sampler.timer.why_host, cases[i].why);
        timing_close(&f.device, &sampler);
    }
}

// After one impossible reading, the device's clock is never used again.
static void a_clock_that_failed_once_is_not_asked_again(void **state) {
    struct fake f;
    struct fake_kernel kernel = {.ns = 101e3};
    struct sampler sampler;
    fake_start(&f);
    struct timing_settings settings = fake_settings(&f);
    prepare(&settings, &sampler, &kernel);
    assert_null(sampler.timer.why_host);
    f.stamps = FAKE_STILL;
    take(&settings, &sampler);
    f.stamps = FAKE_STAMPS;
    assert_near(take(&settings, &sampler), 101e3 + f.submission_ns / 10, 1e-6);
    assert_string_equal(sampler.timer.why_host, "timestamps did not advance");
    timing_close(&f.device, &sampler);
}

static void cold_times_need_the_device_s_clock(void **state) {
    struct fake f;
    struct fake_kernel kernel = {.ns = 100e3};
    struct error err = {0};
    const struct buffer scratch = {0};
    fake_start(&f);
    f.stamps = FAKE_UNWRITTEN;
    struct timing_settings settings = fake_settings(&f);
    struct sampler sampler = {.target = fake_target(&kernel)};
    settings.flush = &scratch;
    assert_false(timing_prepare(&settings, &sampler, &err));
    assert_int_equal(err.kind, ERROR_SKIP);
    timing_close(&f.device, &sampler);
    assert_int_equal(f.opened, f.closed);
}

static void time_spent_is_the_target_s_own(void **state) {
    struct fake f;
    struct fake_kernel kernel = {.ns = 101e3};
    struct sampler sampler;
    fake_start(&f);
    struct timing_settings settings = fake_settings(&f);
    prepare(&settings, &sampler, &kernel);
    sampler.spent_ns = 0;
    f.now += 1e9; // time of another target
    take(&settings, &sampler);
    assert_int_equal(sampler.spent_ns, 10 * 101000 + 20000);
    timing_close(&f.device, &sampler);
}

static void a_device_that_fails_is_said_at_each_run(void **state) {
    for (size_t at = 1; at <= 9; at++) {
        struct fake f;
        struct fake_kernel kernel = {.ns = 1e6};
        struct error err = {0};
        double ns;
        fake_start(&f);
        f.fails_at = at;
        struct timing_settings settings = fake_settings(&f);
        struct sampler sampler = {.target = fake_target(&kernel)};
        bool ok = timing_prepare(&settings, &sampler, &err) && timing_warm_up(&settings, &sampler, &err) &&
                  timing_take(&settings, &sampler, &ns, &err);
        assert_int_equal(ok, false);
        assert_int_equal(f.runs, at);
        assert_int_equal(err.kind, ERROR_DEVICE_LOST);
        timing_close(&f.device, &sampler);
        assert_int_equal(f.opened, f.closed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interval_is_a_difference_of_ticks),
        cmocka_unit_test(repeats_make_an_interval_long_enough),
        cmocka_unit_test(repeats_come_from_the_faster_of_two),
        cmocka_unit_test(repeats_make_up_for_an_idle_start),
        cmocka_unit_test(repeats_follow_a_faster_target_that_came_later),
        cmocka_unit_test(a_warm_up_dispatch_keeps_what_others_left_out_of_the_interval),
        cmocka_unit_test(cold_samples_flush_before_each_dispatch),
        cmocka_unit_test(a_warm_up_lasts_until_two_batches_agree),
        cmocka_unit_test(each_fallback_to_the_host_is_right_and_says_why),
        cmocka_unit_test(a_clock_that_failed_once_is_not_asked_again),
        cmocka_unit_test(cold_times_need_the_device_s_clock),
        cmocka_unit_test(time_spent_is_the_target_s_own),
        cmocka_unit_test(a_device_that_fails_is_said_at_each_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
