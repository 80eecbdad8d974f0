// SPDX-License-Identifier: Apache-2.0
// Points of one problem from start to record: each built and checked, then those that passed timed together.
#include "runner.h"

#include "../base/clock.h"
#include "noise.h"
#include "probe.h"
#include "rounds.h"

#include <math.h>

static const double throttled_above = 1.1; // of the fixed reference kernel's median

// A point on its way to a record.
struct attempt {
    const struct point *point;
    struct record *record;
    struct launch launch;
    bool launched; // `launch` is to be released
    bool timed;    // it passed, and is to be timed
    bool alone;    // memory was out beside the others
};

static bool is_throttled(const struct runner *runner, double drift) {
    return drift > throttled_above || (runner->drift && drift_is_slow(runner->drift));
}

static bool exhaustive(
    struct runner *runner, struct attempt *a, const struct built *built, struct arena *arena, struct error *err) {
    phase_timer_turn(&runner->phases, WALL_UPLOAD);
    if (!runner->exhaustive) runner->exhaustive = exhaustive_open(runner->gpu, err);
    return runner->exhaustive && exhaustive_point(runner->exhaustive, runner->gpu, &runner->options, a->point, built,
                                     &runner->phases, arena, a->record, err);
}

// It gives its samples here and now: nothing of it is compared between shapes.
static bool probe(struct runner *runner, struct attempt *a, struct arena *arena, struct error *err) {
    struct probe_run run = {.gpu = runner->gpu,
        .work = runner->work,
        .options = &runner->options,
        .point = a->point,
        .arena = arena,
        .out = a->record};
    phase_timer_turn(&runner->phases, WALL_COMPUTE);
    turns_close(&runner->turns, runner->gpu);
    problem_close(runner->gpu, &runner->problem); // its memory may be what is asked for
    if (runner->drift && (!runner_settle(runner, err) ||
                             !drift_sample(runner->gpu, runner->drift, run.options->timeout_s, &a->record->drift, err)))
        return false;
    a->record->throttled = is_throttled(runner, a->record->drift);
    return probe_point(&run, err);
}

static bool build_and_check(struct runner *runner, struct attempt *a, struct arena *arena, struct error *err) {
    if (a->point->kernel->probe) return probe(runner, a, arena, err);
    const struct built *built = runner_build(runner, a->point, a->record, err);
    if (!built) return false;
    if (a->point->inputs_count) return exhaustive(runner, a, built, arena, err);
    if (!runner_problem(runner, a->point, err) ||
        !launch_prepare(runner->gpu, a->point, &runner->problem, built, &a->launch, err))
        return false;
    a->launched = true;
    return runner_judge(runner, a->point, built, &a->launch, arena, a->record, err);
}

static void give_up(struct attempt *a, struct arena *arena, const struct error *err) {
    runner_blame(a->record, arena, err);
    a->timed = false;
}

// False: the device is of no more use.
static bool check_attempt(struct runner *runner, struct attempt *a, bool first, bool time, struct arena *arena) {
    struct error err = {0};
    unsigned messages = gpu_validation_messages(runner->gpu);
    phase_timer_move(&runner->phases, &a->record->wall);
    bool ok = build_and_check(runner, a, arena, &err);
    if (!ok) give_up(a, arena, &err);
    a->alone = !ok && err.kind == ERROR_OUT_OF_MEMORY && !first;
    a->timed = a->launched && ok && time && a->record->status == RECORD_PASS;
    runner_listen(runner, messages, arena, a->record);
    phase_timer_turn(&runner->phases, WALL_IDLE);
    return ok || !gpu_is_over(&err);
}

// ---- timing those that passed, together ----

struct timing {
    struct runner *runner;
    struct attempt *attempts;
    size_t count;
    struct arena *arena;
    bool time;
    struct attempt *culprit; // of the error
};

static struct measure_request request_of(struct runner *runner) {
    return (struct measure_request){.gpu = runner->gpu,
        .work = runner->work,
        .problem = &runner->problem,
        .settings = &runner->options.settings,
        .timeout_s = runner->options.timeout_s,
        .phases = &runner->phases};
}

static struct round_settings rounds_of(struct runner *runner) {
    const struct settings *s = &runner->options.settings;
    return (struct round_settings){.gpu = runner->gpu,
        .timeout_s = runner->options.timeout_s,
        .submit_ns = runner->transfers.submit_ns,
        .seed = runner->problem.key,
        .flush = s->cold ? &runner->flush : NULL,
        .host_clock = runner->options.host_clock,
        .interval_ns = runner->options.interval_s * 1e9,
        .rule = {.least = (size_t)s->least_samples,
            .most = (size_t)s->most_samples,
            .precision = s->precision,
            .seconds = s->point_seconds}};
}

static bool keep_compute(struct runner *runner, struct attempt *a, const struct contender *c, struct arena *arena) {
    struct record *record = a->record;
    record->repeats = c->repeats;
    record->stop = stop_reason_name(c->stop);
    record->clock = c->timer.name;
    record->cache = runner->options.settings.cold ? "cold" : "hot";
    return measure_keep(arena, record, FIGURE_COMPUTE, c->samples, c->count) &&
           measure_keep_transfers(arena, record, &runner->problem, &runner->transfers);
}

// Shares what the rounds took among those that took part, by the time of their samples.
static void share_wall(
    struct attempt *const *who, const struct contender *list, size_t count, const struct wall *wall) {
    double all = 0;
    for (size_t i = 0; i < count; i++) all += (double)list[i].spent_ns;
    for (size_t i = 0; i < count; i++)
        for (int part = 0; part < WALL_COUNT; part++)
            who[i]->record->wall.ns[part] +=
                (int64_t)((double)wall->ns[part] * (all > 0 ? (double)list[i].spent_ns / all : 1 / (double)count));
}

// The reference kernel beside the samples: the greater of its ratios before and after them counts.
static bool sample_drift(struct runner *runner, double *drift, struct error *err) {
    double ratio;
    enum wall_part was = phase_timer_turn(&runner->phases, WALL_IDLE);
    if (!drift_sample(runner->gpu, runner->drift, runner->options.timeout_s, &ratio, err)) return false;
    *drift = fmax(*drift, ratio); // of a number and NaN, the number
    phase_timer_turn(&runner->phases, was);
    return true;
}

static bool measure_once(
    struct runner *runner, struct contender *list, size_t count, double *drift, struct error *err) {
    struct round_settings settings = rounds_of(runner);
    *drift = NAN;
    if (!runner_settle(runner, err) || !sample_drift(runner, drift, err)) return false;
    phase_timer_turn(&runner->phases, WALL_COMPUTE);
    return rounds_measure(list, count, &settings, err) && sample_drift(runner, drift, err);
}

// A second try when the device was slow meanwhile but is no more: what it gives counts, and is marked if it was slow
// again.
static bool measure_twice(
    struct runner *runner, struct contender *list, size_t count, double *drift, bool *again, struct error *err) {
    int64_t start = clock_ns();
    *again = false;
    if (!measure_once(runner, list, count, drift, err)) return false;
    if (!(*drift > throttled_above)) return true;
    double now = NAN;
    int64_t took = clock_ns() - start;
    if (!runner_settle(runner, err) || !sample_drift(runner, &now, err)) return false;
    if (is_throttled(runner, now) || !drift_repeats(runner->gpu, runner->drift, took)) return true;
    rounds_release(runner->gpu, list, count);
    *again = true;
    return measure_once(runner, list, count, drift, err);
}

static size_t line_up(const struct timing *t, struct attempt **who, struct contender *list) {
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (!t->attempts[i].timed) continue;
        who[count] = &t->attempts[i];
        list[count++] = (struct contender){.launch = &t->attempts[i].launch};
    }
    return count;
}

static void blame(struct timing *t, struct attempt *const *who, const struct contender *list, size_t count) {
    t->culprit = who[0];
    for (size_t i = 0; i < count; i++)
        if (list[i].failed) t->culprit = who[i];
}

// One go at all that are still to be timed.
static bool time_them(struct timing *t, struct error *err) {
    struct runner *runner = t->runner;
    struct attempt *who[RUNNER_GROUP];
    struct contender list[RUNNER_GROUP];
    struct wall wall = {0}, *account = runner->phases.account;
    struct measure_request request = request_of(runner);
    double drift = NAN, load, steal, clock_hz = NAN;
    bool again = false;
    size_t count = line_up(t, who, list);
    if (!count) return true;
    phase_timer_move(&runner->phases, &wall);
    struct noise before = noise_read();
    bool ok = measure_transfers(&request, &runner->transfers, err) &&
              measure_twice(runner, list, count, &drift, &again, err) &&
              drift_clock(runner->gpu, runner->drift, runner->options.timeout_s, &clock_hz, err);
    struct noise after = noise_read();
    bool throttled = is_throttled(runner, drift);
    if (!ok) blame(t, who, list, count);
    noise_between(&before, &after, &load, &steal);
    for (size_t i = 0; ok && i < count; i++) {
        struct record *record = who[i]->record;
        record->drift = drift;
        record->throttled = throttled;
        record->remeasured = again;
        record->shader_clock_hz = clock_hz;
        record->host_load = load;
        record->host_steal = steal;
        ok = keep_compute(runner, who[i], &list[i], t->arena) ||
             error_set(err, STATUS_FAULT, "out of host memory for samples");
        if (!ok) t->culprit = who[i];
    }
    phase_timer_turn(&runner->phases, WALL_IDLE);
    phase_timer_move(&runner->phases, account);
    share_wall(who, list, count, &wall);
    rounds_release(runner->gpu, list, count);
    return ok;
}

static bool time_end_to_end(struct timing *t, struct attempt *a, struct error *err) {
    struct runner *runner = t->runner;
    struct measure_request request = request_of(runner);
    struct series series;
    phase_timer_move(&runner->phases, &a->record->wall);
    t->culprit = a;
    return measure_end_to_end(&request, &a->launch, &series, err) &&
           (measure_keep(t->arena, a->record, FIGURE_END_TO_END, series.values, series.count) ||
               error_set(err, STATUS_FAULT, "out of host memory for samples"));
}

// One that fails without harm to the device is left out, and the others go again. False: the device is of no more use.
static bool time_attempts(struct timing *t) {
    struct error err = {0};
    while (!time_them(t, &err)) {
        give_up(t->culprit, t->arena, &err);
        if (gpu_is_over(&err)) return false;
    }
    for (size_t i = 0; i < t->count; i++) {
        struct attempt *a = &t->attempts[i];
        if (!a->timed || time_end_to_end(t, a, &err)) continue;
        give_up(a, t->arena, &err);
        if (gpu_is_over(&err)) return false;
    }
    return true;
}

// ---- a group ----

static bool check_attempts(struct timing *t, void (*alive)(void *user, size_t index), void *user) {
    bool first = true;
    for (size_t i = 0; i < t->count; i++) {
        struct attempt *a = &t->attempts[i];
        runner_describe(a->point, t->runner->options.seed, t->arena, a->record);
        if (a->point->refused) {
            a->record->status = RECORD_SKIP;
            a->record->reason = a->point->refused;
            continue;
        }
        if (alive) alive(user, i);
        t->culprit = a;
        if (!check_attempt(t->runner, a, first, t->time, t->arena)) return false;
        first = first && !a->launched;
    }
    return true;
}

static bool run_points(struct runner *runner, const struct point *points, size_t count, bool time, struct arena *arena,
    struct record *records, size_t *lost, void (*alive)(void *user, size_t index), void *user) {
    struct attempt attempts[RUNNER_GROUP] = {0};
    struct wall outside = {0};
    struct timing timing = {.runner = runner, .attempts = attempts, .count = count, .arena = arena, .time = time};
    for (size_t i = 0; i < count; i++) attempts[i] = (struct attempt){.point = &points[i], .record = &records[i]};
    runner->phases = phase_timer_start(&outside, WALL_IDLE);
    bool usable = check_attempts(&timing, alive, user);
    unsigned messages = gpu_validation_messages(runner->gpu);
    if (usable && alive) alive(user, count);
    usable = usable && time_attempts(&timing);
    phase_timer_move(&runner->phases, &outside);
    for (size_t i = 0; i < count; i++) {
        runner_listen(runner, messages, arena, &records[i]);
        if (attempts[i].launched) launch_release(runner->gpu, &attempts[i].launch);
    }
    for (size_t i = 0; usable && i < count; i++)
        if (attempts[i].alone) {
            timing.culprit = &attempts[i];
            usable = run_points(runner, &points[i], 1, time, arena, &records[i], lost, NULL, NULL);
        }
    *lost = usable ? count : (size_t)(timing.culprit - attempts);
    return usable;
}

bool runner_points(struct runner *runner, const struct point *points, size_t count, struct arena *arena,
    struct record *records, size_t *lost, void (*alive)(void *user, size_t index), void *user) {
    return run_points(runner, points, count, runner->options.time, arena, records, lost, alive, user);
}

bool runner_point(struct runner *runner, const struct point *point, struct arena *arena, struct record *out) {
    size_t lost;
    return run_points(runner, point, 1, runner->options.time, arena, out, &lost, NULL, NULL);
}

bool runner_check(struct runner *runner, const struct point *point, struct arena *arena, struct record *out) {
    size_t lost;
    return run_points(runner, point, 1, false, arena, out, &lost, NULL, NULL);
}
