// SPDX-License-Identifier: Apache-2.0
// Runs the points of one problem from start to record. Each is built and checked; all passed ones are timed together.
#include "runner.h"
#include "../timing/launch_target.h"

#include "../../base/clock.h"
#include "../../base/cores.h"
#include "../../base/file.h"
#include "../../device/limits.h"
#include "../../device/profile.h"
#include "../../record/figures.h"
#include "../timing/energy.h"
#include "../timing/noise.h"
#include "probe.h"
#include "sanitize_small.h"
#include "../timing/rounds.h"
#include "../timing/throttle.h"
#include "../../device/device_info.h"
#include "../../record/record.h"

#include <math.h>

static const double energy_seconds = 1;

// A point on its way to a record.
struct attempt {
    const struct point *point;
    struct record *record;
    struct launch launch;
    struct policy policy;   // of the built kernel
    bool launched;          // `launch` must be released
    bool timed;             // it passed and will be timed
    bool alone;             // out of memory beside the others; it runs again by itself
    uint64_t others_memory; // bytes held by launches of other points that wait to be timed with it
};

static bool exhaustive(
    struct runner *runner, struct attempt *a, const struct built *built, struct arena *arena, struct error *err) {
    phase_timer_switch(&runner->phases, WALL_UPLOAD);
    if (!runner->exhaustive) runner->exhaustive = exhaustive_open(runner->gpu, err);
    return runner->exhaustive && exhaustive_point(runner->exhaustive, runner->gpu, &runner->options, a->point, built,
                                     &runner->phases, arena, a->record, err);
}

// Runs a probe. It gives its samples at once, because nothing of it is compared between shapes.
static bool probe(struct runner *runner, struct attempt *a, struct arena *arena, struct error *err) {
    struct probe_run run = {.gpu = runner->gpu,
        .device = &runner->device,
        .rule = runner_timing(runner).rule,
        .work = runner->work,
        .options = &runner->options,
        .point = a->point,
        .arena = arena,
        .out = a->record,
        .drift = runner->drift,
        .phases = &runner->phases};
    phase_timer_switch(&runner->phases, WALL_COMPUTE);
    interleave_close(&runner->interleave, runner->gpu);
    problem_close(runner->gpu, &runner->problem); // the probe may need its memory
    gpu_memory_begin(runner->gpu);
    if (runner->drift && (!runner_settle(runner, err) || !drift_sample(runner->drift, &a->record->drift, err)))
        return false;
    return probe_point(&run, err);
}

static uint64_t without(uint64_t bytes, uint64_t others) {
    return bytes > others ? bytes - others : 0;
}

// Writes the driver's texts of all passes; nothing if it gives none.
static bool write_disassembly(struct runner *runner, const struct built *built, const struct record *record,
    struct arena *arena, struct error *err) {
    const char *folder = runner->options.disassembly;
    struct text text = {0};
    for (int p = 0; p < built->pass_count; p++) program_disassembly(runner->gpu, built->passes[p], &text);
    const bool ok = !text.length || (file_make_folder(folder, err) &&
                                        file_write(arena_format(arena, "%s/%s", folder, code_file_name(arena, record)),
                                            text_str(&text), text.length, err));
    text_free(&text);
    return ok;
}

// Notes the width of subgroups if there is one only: a kernel may have assumed it.
static void note_width(const struct device_info *info, struct record *record) {
    const bool *has = record->needs ? record->needs->features : NULL;
    if (!has || !(has[FEATURE_SUBGROUP_BASIC] || has[FEATURE_SUBGROUP_ARITHMETIC] || has[FEATURE_SUBGROUP_SHUFFLE]))
        return;
    if (record->subgroup_size || subgroup_size_is_constant(info, info->subgroup_size))
        record->check.subgroup_width = record->subgroup_size ? record->subgroup_size : info->subgroup_size;
}

static bool build_and_check(struct runner *runner, struct attempt *a, struct arena *arena, struct error *err) {
    if (a->point->kernel->probe) return probe(runner, a, arena, err);
    const struct built *built = runner_build(runner, a->point, arena, a->record, err);
    if (!built) return false;
    if (runner->options.compile_only) {
        a->record->status = RECORD_COMPILED;
        if (code_figure(a->record, CODE_SPILLS) > 0) a->record->reason = a->point->kernel->spills;
        return !runner->options.disassembly || write_disassembly(runner, built, a->record, arena, err);
    }
    if (a->point->inputs_count) return exhaustive(runner, a, built, arena, err);
    if (!sanitize_small(runner, a->point, built, err)) {
        a->record->unsanitized = arena_copy(arena, err->text);
        return false;
    }
    if (!runner_problem(runner, a->point, err)) return false;
    gpu_memory_begin(runner->gpu); // another problem's memory is gone
    a->others_memory = without(gpu_memory_used(runner->gpu), runner->problem_memory);
    if (!launch_prepare(runner->gpu, a->point, &runner->problem, built, &a->launch, err)) return false;
    a->launched = true;
    a->policy = built->policy;
    if (!runner_judge(runner, a->point, built, &a->launch, arena, a->record, err)) return false;
    sanitize_small_tell(runner, a->point, arena, a->record);
    note_width(gpu_info(runner->gpu), a->record);
    return true;
}

static void give_up(struct attempt *a, struct arena *arena, const struct error *err) {
    runner_blame(a->record, arena, err);
    a->timed = false;
}

// Builds and checks a point. Returns false if the device is unusable.
static bool check_attempt(struct runner *runner, struct attempt *a, bool first, bool time, struct arena *arena) {
    struct error err = {0};
    unsigned messages = gpu_validation_messages(runner->gpu);
    phase_timer_move(&runner->phases, &a->record->wall);
    gpu_memory_begin(runner->gpu);
    bool ok = build_and_check(runner, a, arena, &err);
    a->record->memory_used = without(gpu_memory_used(runner->gpu), a->others_memory);
    a->record->memory_peak = without(gpu_memory_peak(runner->gpu), a->others_memory);
    if (!ok) give_up(a, arena, &err);
    a->alone = !ok && err.kind == ERROR_OUT_OF_MEMORY && !first;
    a->timed = a->launched && ok && time && a->record->status == RECORD_PASS;
    runner_listen(runner, messages, arena, a->record);
    phase_timer_switch(&runner->phases, WALL_IDLE);
    return ok || !gpu_is_over(&err);
}

// ---- timing the passed points together ----

struct timing {
    struct runner *runner;
    struct attempt *attempts;
    size_t count;
    struct arena *arena;
    bool time;
    struct attempt *culprit; // of the error
};

static struct measure_request request_of(struct runner *runner) {
    return (struct measure_request){.device = &runner->device,
        .problem = &runner->problem,
        .point_seconds = runner->options.settings.point_seconds,
        .timeout_s = runner->options.timeout_s,
        .phases = &runner->phases};
}

// Measures transfers once per problem. The mapped buffer exists only meanwhile.
static bool take_transfers(struct runner *runner, struct measure_request *request, struct error *err) {
    if (runner->transfers.key == runner->problem.key) return true;
    bool ok = problem_map(runner->gpu, &runner->problem, err) && measure_transfers(request, &runner->transfers, err);
    problem_unmap(runner->gpu, &runner->problem);
    return ok;
}

// Shares the time of the rounds among their candidates, by the time of their samples.
static void share_wall(
    struct attempt *const *who, const struct round_candidate *list, size_t count, const struct wall *wall) {
    double all = 0;
    for (size_t i = 0; i < count; i++) all += (double)list[i].sampler.spent_ns;
    for (size_t i = 0; i < count; i++)
        for (int part = 0; part < WALL_COUNT; part++)
            who[i]->record->wall.ns[part] +=
                (int64_t)((double)wall->ns[part] *
                          (all > 0 ? (double)list[i].sampler.spent_ns / all : 1 / (double)count));
}

// Makes the next problem on the host's other cores, if this leaves the figures alone: the device is not on the host's
// cores, its own clock times the kernels, and no other device shares the host.
static void begin_next(struct runner *runner) {
    const struct point *next = runner->expected;
    const struct device_info *info = gpu_info(runner->gpu);
    const struct run_options *options = &runner->options;
    if (!next || next->kernel->probe || next->inputs_count || next->draws) return;
    if (info->kind == DEVICE_CPU || !info->timestamp_bits || options->host_clock) return;
    if (options->own_cores || cores_usable() <= 2) return;
    next_problem_begin(&runner->next, runner->gpu, next, &runner->options.settings, runner->options.seed);
}

struct measuring {
    struct runner *runner;
    struct round_candidate *list;
    size_t count;
};

// State of the looks at the device's speed between two rounds.
struct looking {
    struct throttle_watch *watch;
    struct error *err;
    bool failed;
};

static bool probe_between(void *user, struct round_candidate *list, size_t count, size_t round) {
    struct looking *looking = user;
    (void)list, (void)count, (void)round;
    looking->failed = !throttle_probe(looking->watch, looking->err);
    return !looking->failed;
}

// Fewer samples of a slow point suffice on a CPU if the suite says so, unless a number of samples was requested.
static void allow_few(const struct runner *runner, struct stop_rule *rule) {
    const struct settings *s = &runner->options.settings;
    if (!s->cpu_samples || gpu_info(runner->gpu)->kind != DEVICE_CPU || s->least_samples == s->most_samples) return;
    rule->few = (size_t)s->cpu_samples;
    rule->slow_seconds = s->point_seconds;
}

static bool measure(void *user, struct throttle_watch *watch, struct error *err) {
    const struct measuring *m = user;
    struct looking looking = {.watch = watch, .err = err};
    struct round_settings settings = {
        .timing = runner_timing(m->runner), .seed = m->runner->problem.key, .between = probe_between, .user = &looking};
    settings.timing.submit_ns = m->runner->transfers.submit_ns;
    allow_few(m->runner, &settings.timing.rule);
    return rounds_measure(m->list, m->count, &settings, err) && !looking.failed;
}

static void discard(void *user) {
    const struct measuring *m = user;
    rounds_release(&m->runner->device, m->list, m->count);
}

static size_t line_up(const struct timing *t, struct attempt **who, struct round_candidate *list) {
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (!t->attempts[i].timed) continue;
        who[count] = &t->attempts[i];
        list[count++] = (struct round_candidate){.sampler.target = launch_target(&t->attempts[i].launch)};
    }
    return count;
}

static void blame(struct timing *t, struct attempt *const *who, const struct round_candidate *list, size_t count) {
    t->culprit = who[0];
    for (size_t i = 0; i < count; i++)
        if (list[i].failed) t->culprit = who[i];
}

// Times all points still to be timed, once.
static bool time_them(struct timing *t, struct error *err) {
    struct runner *runner = t->runner;
    struct attempt *who[RUNNER_GROUP];
    struct round_candidate list[RUNNER_GROUP];
    struct wall wall = {0}, *account = runner->phases.account;
    struct measure_request request = request_of(runner);
    double load, steal, clock_hz = NAN;
    struct throttle throttle;
    size_t count = line_up(t, who, list);
    if (!count) return true;
    struct measuring measuring = {runner, list, count};
    const struct throttle_target measured = {measure, discard, &measuring};
    phase_timer_move(&runner->phases, &wall);
    struct noise before = noise_read();
    bool ok = take_transfers(runner, &request, err);
    if (ok) begin_next(runner);
    ok = ok && throttle_measure(runner->drift, &measured, &runner->phases, &throttle, err) &&
         drift_clock(runner->drift, &clock_hz, err);
    struct noise after = noise_read();
    phase_timer_switch(&runner->phases, WALL_UPLOAD);
    next_problem_join(&runner->next);
    if (!ok) blame(t, who, list, count);
    noise_between(&before, &after, &load, &steal);
    for (size_t i = 0; ok && i < count; i++) {
        struct record *record = who[i]->record;
        throttle_keep(&throttle, record);
        record->shader_clock_hz = clock_hz;
        record->host_load = load;
        record->host_steal = steal;
        record->stop = stop_reason_name(list[i].stop);
        series_keep_sampler(record, &list[i].sampler);
        series_keep_figure(t->arena, record, FIGURE_COMPUTE, list[i].samples, list[i].count);
        measure_keep_transfers(t->arena, record, &runner->problem, &runner->transfers);
    }
    phase_timer_switch(&runner->phases, WALL_IDLE);
    phase_timer_move(&runner->phases, account);
    share_wall(who, list, count, &wall);
    rounds_release(&runner->device, list, count);
    return ok;
}

// Runs for a second without a pause and counts the energy. A shorter run would not do, because the counters follow
// power slowly.
static bool take_energy(struct runner *runner, struct attempt *a, struct error *err) {
    const struct timing_device *device = &runner->device;
    const struct target kernel = launch_target(&a->launch);
    const struct interval interval = {.repeats = a->record->repeats > 0 ? a->record->repeats : 1, .bare = true};
    const int64_t start = clock_ns();
    struct work *work = device->open(device->context, err);
    double before = 0, after = 0, runs = 0;
    bool ok = work && timing_record(device, work, &kernel, &interval, err);
    bool counted = energy_read(runner->meter, &before);
    while (ok && (double)(clock_ns() - start) < energy_seconds * 1e9) {
        struct reading reading;
        ok = device->run(device->context, work, runner->options.timeout_s, &reading, err);
        runs += interval.repeats;
    }
    const double seconds = (double)(clock_ns() - start) / 1e9;
    counted = energy_read(runner->meter, &after) && counted && ok && after > before;
    if (work) device->close(device->context, work);
    a->record->energy.source = energy_source(runner->meter);
    a->record->energy.why = counted ? NULL : "its counter could not be read";
    a->record->energy.joules = counted ? (after - before) / runs : NAN;
    a->record->energy.watts = counted ? (after - before) / seconds : NAN;
    return ok;
}

static bool measure_energy(struct runner *runner, struct attempt *a, struct error *err) {
    if (!runner->options.energy) return true;
    a->record->energy.joules = a->record->energy.watts = NAN;
    if (!runner->meter && !runner->no_meter) runner->meter = energy_open(gpu_info(runner->gpu), &runner->no_meter);
    if (!runner->meter) a->record->energy.why = runner->no_meter;
    return !runner->meter || take_energy(runner, a, err);
}

// Returns the median of the fastest other point of the problem.
static double others_ns(const struct timing *t, const struct attempt *a) {
    double fastest = INFINITY;
    for (size_t i = 0; i < t->count; i++) {
        const struct attempt *other = &t->attempts[i];
        if (other != a && other->timed && other->record->time[FIGURE_COMPUTE].samples)
            fastest = fmin(fastest, other->record->time[FIGURE_COMPUTE].median);
    }
    return fastest;
}

static bool time_end_to_end(struct timing *t, struct attempt *a, struct error *err) {
    struct runner *runner = t->runner;
    struct measure_request request = request_of(runner);
    struct target kernel = launch_target(&a->launch);
    phase_timer_move(&runner->phases, &a->record->wall);
    t->culprit = a;
    if (!measure_end_to_end(&request, &kernel, t->arena, a->record, err)) return false;
    runner_judge_last(runner, a->point, a->policy, t->arena, a->record);
    return measure_energy(runner, a, err) &&
           runner_judge_timed(runner, a->point, a->policy, &a->launch, a->record->check.output_hash, others_ns(t, a),
               t->arena, a->record, err);
}

// Times the attempts. A point that fails without harm to the device is left out, and the others are timed again.
// Returns false if the device is unusable.
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
        runner_describe(a->point, &t->runner->options, t->arena, a->record);
        if (a->point->refused) {
            record_refuse(t->arena, a->record, a->point->refused);
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

bool runner_check(struct runner *runner, const struct point *point, struct arena *arena, struct record *out) {
    size_t lost;
    return run_points(runner, point, 1, false, arena, out, &lost, NULL, NULL);
}
