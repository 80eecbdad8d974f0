// SPDX-License-Identifier: Apache-2.0
// Transfers, end to end and submissions on a made-up device and clock.
#include "../measure.h"
#include "../../../base/tests/within.h"
#include "fake_timing.h"
#include "../../../record/wall.h"
#include "../../../record/record.h"
#include "../../../truth/stats/summary.h"
#include "../../../../reference/tests/unit.h"

#include <string.h>

// Bytes going in, both ways, and out. Only staged bytes count, not guards.
enum { IN = 100000, BOTH = 20000, OUT = 7000, GUARD = 4096 };

struct world {
    struct fake fake;
    struct arena arena;
    struct problem problem;
    struct wall wall;
    struct phase_timer phases;
    struct transfers transfers;
    struct measure_request request;
    struct fake_kernel kernel;
    unsigned char image[IN + BOTH], got[BOTH + OUT], *upload, *readback;
};

static void start(struct world *w) {
    static const struct {
        enum role role;
        uint64_t bytes;
    } operands[] = {{ROLE_IN, IN}, {ROLE_INOUT, BOTH}, {ROLE_OUT, OUT}};
    *w = (struct world){.kernel = {.ns = 300e3}};
    fake_start(&w->fake);
    w->phases = phase_timer_start(&w->wall, WALL_IDLE);
    w->upload = calloc(1, 1 << 20);
    w->readback = calloc(1, 1 << 20);
    memset(w->image, 0x37, sizeof w->image);
    memset(w->readback, 0x73, 1 << 20);
    struct problem *p = &w->problem;
    p->key = 7;
    p->guard = GUARD;
    p->upload.host = w->upload;
    p->readback.host = w->readback;
    for (size_t i = 0, at = 0; i < 3; i++) {
        p->operands[p->operand_count++] = (struct operand_data){.role = operands[i].role,
            .bytes = operands[i].bytes,
            .extent = operands[i].bytes,
            .staging = at,
            .image = w->image,
            .got = w->got};
        at += operands[i].bytes + 2 * GUARD;
    }
    w->request = (struct measure_request){
        .device = &w->fake.device, .problem = p, .point_seconds = 0.01, .timeout_s = 20, .phases = &w->phases};
}

static void end(struct world *w) {
    free(w->upload);
    free(w->readback);
    arena_free(&w->arena);
    assert_int_equal(w->fake.opened, w->fake.closed);
}

static void transfer(struct world *w) {
    struct error err = {0};
    if (!measure_transfers(&w->request, &w->transfers, &err)) fail_msg("%s", err.text);
}

static struct summary figure(const struct world *w, enum figure f) {
    return summarize(series_values(&w->transfers.series, f), w->transfers.series.counts[f]);
}

static void assert_near(double got, double want, double share) {
    if (!(fabs(got - want) <= share * want)) fail_msg("%g, expected %g", got, want);
}

static void each_way_moves_what_it_must(void **state) {
    struct world w;
    start(&w);
    w.fake.device.timestamp_bits = FAKE_BITS;
    transfer(&w);
    assert_near(figure(&w, FIGURE_UPLOAD).median, (IN + BOTH) * 0.1, 0.01);
    assert_near(figure(&w, FIGURE_DOWNLOAD).median, (BOTH + OUT) * 0.1, 0.03); // in ticks of 52 ns
    assert_near(w.fake.copied_bytes, BOTH + OUT, 1e-9);                        // of the last run: a download
    assert_near(figure(&w, FIGURE_HOST_WRITE).median, 3000, 1e-9);
    assert_near(figure(&w, FIGURE_HOST_READ).median, 7000, 1e-9);
    assert_true(w.problem.inputs_placed);
    for (size_t i = 0; i < 1 << 18; i++) { // the guards stay
        bool in = (i >= GUARD && i < GUARD + IN) || (i >= IN + 3 * GUARD && i < IN + BOTH + 3 * GUARD);
        assert_int_equal(w.upload[i], in ? 0x37 : 0);
    }
    struct record record = {0};
    measure_keep_transfers(&w.arena, &record, &w.problem, &w.transfers);
    assert_true(record.upload_bytes == IN + BOTH && record.download_bytes == BOTH + OUT);
    assert_int_equal(record.time[FIGURE_UPLOAD].samples, w.transfers.series.counts[FIGURE_UPLOAD]);
    assert_int_equal(record.time[FIGURE_COMPUTE].samples, 0);
    end(&w);
}

// The second way goes straight to host-visible device memory, if the problem has it. Guards stay there, too.
static void mapped_memory_is_a_way_of_its_own(void **state) {
    struct world w;
    start(&w);
    unsigned char *mapped = calloc(1, 1 << 20);
    transfer(&w);
    assert_int_equal(w.transfers.series.counts[FIGURE_MAPPED_WRITE], 0); // without mapped memory
    assert_int_equal(w.transfers.series.counts[FIGURE_MAPPED_READ], 0);
    w.problem.mapped.host = mapped;
    w.problem.key++;
    const size_t before = w.fake.runs;
    transfer(&w);
    const size_t runs = w.fake.runs - before;
    assert_near(figure(&w, FIGURE_MAPPED_WRITE).median, 3000, 1e-9); // the host's time: the device copies nothing
    assert_near(figure(&w, FIGURE_MAPPED_READ).median, 7000, 1e-9);
    assert_near(figure(&w, FIGURE_UPLOAD).median, (IN + BOTH) * 0.1, 0.01);
    assert_int_equal(runs, before); // the device runs as often as without it
    for (size_t i = 0; i < 1 << 18; i++) {
        bool in = (i >= GUARD && i < GUARD + IN) || (i >= IN + 3 * GUARD && i < IN + BOTH + 3 * GUARD);
        assert_int_equal(mapped[i], in ? 0x37 : 0);
    }
    struct record record = {0};
    measure_keep_transfers(&w.arena, &record, &w.problem, &w.transfers);
    assert_int_equal(record.time[FIGURE_MAPPED_WRITE].samples, w.transfers.series.counts[FIGURE_MAPPED_WRITE]);
    end(&w);
    free(mapped);
}

// The first submission warms up and is dropped. The figure is the host's time of one submission, counted once.
static void a_submission_is_counted_once(void **state) {
    struct world w;
    start(&w);
    w.fake.first_ns = 1e6;
    transfer(&w);
    assert_int_equal(w.transfers.series.counts[FIGURE_SUBMIT], 12);
    assert_near(w.transfers.submit_ns, w.fake.submission_ns, 1e-9);
    assert_near(figure(&w, FIGURE_SUBMIT).max, w.fake.submission_ns, 1e-9);
    end(&w);
    start(&w); // by the host's clock, copies exclude it
    w.fake.device.timestamp_bits = 0;
    transfer(&w);
    assert_near(figure(&w, FIGURE_UPLOAD).median, (IN + BOTH) * 0.1, 1e-3);
    end(&w);
}

static void transfers_are_measured_once_for_a_problem(void **state) {
    struct world w;
    start(&w);
    transfer(&w);
    size_t runs = w.fake.runs;
    transfer(&w);
    assert_int_equal(w.fake.runs, runs);
    w.problem.key = 8;
    transfer(&w);
    assert_int_equal(w.fake.runs, 2 * runs);
    end(&w);
}

// At least six samples and at most 64, but only three if they exceed the point's time.
static void transfers_stop_in_time(void **state) {
    static const struct {
        double seconds;
        size_t least, most;
    } cases[] = {{1e-6, 3, 3}, {1e-4, 3, 5}, {2e-4, 6, 6}, {1e-3, 6, 6}, {4e-3, 13, 15}, {10, 64, 64}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) { // an upload takes 35 us with the host's part
        struct world w;
        start(&w);
        w.request.point_seconds = cases[i].seconds;
        transfer(&w);
        assert_within(w.transfers.series.counts[FIGURE_UPLOAD], cases[i].least, cases[i].most);
        end(&w);
    }
}

static void end_to_end_is_the_whole_way(void **state) {
    struct world w;
    struct error err = {0};
    struct record record = {0};
    start(&w);
    const struct target kernel = fake_target(&w.kernel);
    assert_true(measure_end_to_end(&w.request, &kernel, &w.arena, &record, &err));
    double device = (IN + 2 * BOTH + OUT) * 0.1 + w.kernel.ns;
    assert_near(record.time[FIGURE_END_TO_END].median, 3000 + w.fake.submission_ns + device + 7000, 1e-4);
    assert_near(w.fake.copied_bytes, IN + 2 * BOTH + OUT, 1e-9);
    assert_int_equal(w.kernel.dispatches, w.fake.runs);
    assert_int_equal(record.time[FIGURE_UPLOAD].samples, 0);
    for (size_t i = 0; i < BOTH; i++) assert_int_equal(w.got[i], 0x73);
    assert_true(w.wall.ns[WALL_UPLOAD] > 0 && w.wall.ns[WALL_DOWNLOAD] > 0);
    end(&w);
}

static void a_device_that_fails_ends_it(void **state) {
    for (size_t at = 1; at < 30; at++) {
        struct world w;
        struct error err = {0};
        start(&w);
        w.fake.fails_at = at;
        assert_false(measure_transfers(&w.request, &w.transfers, &err));
        assert_int_equal(err.kind, ERROR_DEVICE_LOST);
        assert_int_equal(w.transfers.key, 0);
        end(&w);
    }
}

// ---- series

struct steps {
    struct fake *fake;
    size_t taken;
};

static bool step(void *user, double ns[FIGURE_COUNT], struct error *err) {
    struct steps *s = user;
    (void)err;
    s->fake->now += 1e6;
    ns[FIGURE_COMPUTE] = s->taken == 0 ? 1e9 : 1e6;
    if (s->taken % 2) ns[FIGURE_SUBMIT] = 5;
    s->taken++;
    return true;
}

static void a_series_goes_on_until_its_criterion(void **state) {
    struct fake fake;
    struct steps steps = {.fake = &fake};
    double values[FIGURE_COUNT * 20];
    struct series series = {.values = values, .room = 20};
    struct error err = {0};
    enum stop_reason stop;
    fake_start(&fake);
    struct series_plan plan = {.device = &fake.device,
        .rule = {.least = 4, .most = 20, .precision = -1, .seconds = 0.0095},
        .decides = FIGURE_COMPUTE,
        .warm = true,
        .step = step,
        .user = &steps};
    assert_true(series_take(&plan, &series, &stop, &err));
    assert_int_equal(stop, STOP_TIME);
    assert_int_equal(series.counts[FIGURE_COMPUTE], 9); // ten without the first, a warm-up
    assert_true(summarize(series_values(&series, FIGURE_COMPUTE), 9).max <= 1e6);
    assert_int_equal(series.counts[FIGURE_SUBMIT], 5);
    steps.taken = 0;
    series = (struct series){.values = values, .room = 20};
    plan.rule.seconds = 100;
    plan.warm = false;
    assert_true(series_take(&plan, &series, &stop, &err));
    assert_int_equal(stop, STOP_COUNT);
    assert_int_equal(steps.taken, 20);
    series = (struct series){.values = values, .room = 20};
    plan.rule.precision = 0.01;
    assert_true(series_take(&plan, &series, &stop, &err));
    assert_int_equal(stop, STOP_PRECISE);
}

static void a_record_says_which_clock(void **state) {
    struct record record = {0};
    struct sampler sampler = {.interval.repeats = 12};
    const struct buffer scratch = {0};
    series_keep_sampler(&record, &sampler);
    assert_int_equal(record.clock, CLOCK_GPU);
    assert_string_equal(record.cache, "hot");
    assert_int_equal(record.repeats, 12);
    sampler.timer.why_host = "asked for";
    sampler.interval.flush = &scratch;
    series_keep_sampler(&record, &sampler);
    assert_int_equal(record.clock, CLOCK_HOST);
    assert_string_equal(record.clock_why, "asked for");
    assert_string_equal(record.cache, "cold");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_moves_what_it_must),
        cmocka_unit_test(mapped_memory_is_a_way_of_its_own),
        cmocka_unit_test(a_submission_is_counted_once),
        cmocka_unit_test(transfers_are_measured_once_for_a_problem),
        cmocka_unit_test(transfers_stop_in_time),
        cmocka_unit_test(end_to_end_is_the_whole_way),
        cmocka_unit_test(a_device_that_fails_ends_it),
        cmocka_unit_test(a_series_goes_on_until_its_criterion),
        cmocka_unit_test(a_record_says_which_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
