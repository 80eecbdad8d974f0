// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include "../base/clock.h"
#include "check.h"
#include "drift.h"
#include "measure.h"
#include "sweep.h"
#include "turns.h"

#include <math.h>
#include <unistd.h>
#include <stdlib.h>
#include <string.h>

static const double throttled_above = 1.1; // of the fixed reference kernel's median

struct runner {
    struct gpu *gpu;
    struct run_options options;
    struct work *work;
    struct drift *drift;
    struct workshop workshop;
    struct problem problem;
    struct truth truth;
    struct sweep *exhaustive; // NULL until a sweep's point comes
    struct buffer sweep;
    struct turns turns;
    bool lost;
};

// The largest last-level cache known on a GPU is 256 MiB; on a CPU it is asked of the system, and doubled.
static uint64_t sweep_bytes(const struct device_info *info) {
    if (info->kind != DEVICE_CPU) return (uint64_t)256 << 20;
    long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
    uint64_t bytes = cache > 0 ? (uint64_t)cache * 2 : (uint64_t)64 << 20;
    return (bytes + 3) & ~(uint64_t)3;
}

struct runner *runner_open(const struct device_info *device, const struct run_options *options, struct error *err) {
    struct runner *runner = calloc(1, sizeof *runner);
    if (!runner) {
        error_set(err, STATUS_FAULT, "out of memory");
        return NULL;
    }
    runner->options = *options;
    struct gpu_options gpu_options = {.validate = options->validate, .gpu_assisted = options->gpu_assisted, .cache_folder = options->cache_folder};
    runner->gpu = gpu_open(device, &gpu_options, err);
    bool ok = runner->gpu && (runner->work = work_create(runner->gpu, MEASURE_TIMESTAMPS, err));
    if (ok && options->time) {
        runner->drift = drift_open(runner->gpu, options, err);
        ok = runner->drift && (!options->settings.cold ||
                                  buffer_create(runner->gpu, BUFFER_DEVICE, sweep_bytes(device), &runner->sweep, err));
    }
    if (ok) return runner;
    runner_close(runner);
    return NULL;
}

void runner_close(struct runner *runner) {
    if (!runner) return;
    if (runner->gpu) {
        truth_free(&runner->truth);
        sweep_close(runner->gpu, runner->exhaustive);
        turns_close(&runner->turns, runner->gpu);
        problem_close(runner->gpu, &runner->problem);
        workshop_close(runner->gpu, &runner->workshop);
        drift_close(runner->gpu, runner->drift);
        buffer_destroy(runner->gpu, &runner->sweep);
        if (runner->work) work_destroy(runner->gpu, runner->work);
        gpu_close(runner->gpu);
    }
    free(runner);
}

// ---- describing a point ----

static void describe_dims(const struct point *point, struct record *out) {
    const struct operator *op = point->kernel->op;
    for (int i = 0; i < operator_dims(op); i++)
        out->dims[out->dim_count++] = (struct named_number){op->dims[i], (double)point->dims[i]};
    for (int i = 0; i < operator_params(op); i++)
        if (point->params[i] != op->params[i].standard)
            out->dims[out->dim_count++] = (struct named_number){op->params[i].name, point->params[i]};
}

static void describe_shape(const struct point *point, struct record *out) {
    const struct kernel *kernel = point->kernel;
    shape_workgroup(kernel, &point->shape, out->wg);
    for (int i = 0; i < kernel->tunable_count; i++) {
        if (strncmp(kernel->tunables[i].name, "WG_", 3) == 0) continue;
        out->tunables[out->tunable_count++] =
            (struct named_number){kernel->tunables[i].name, (double)point->shape.value[i]};
    }
    out->subgroup_size = (uint32_t)shape_value(kernel, &point->shape, "SUBGROUP", 0);
}

void runner_describe(const struct point *point, uint64_t seed, struct arena *arena, struct record *out) {
    const struct operator *op = point->kernel->op;
    *out = (struct record){.name = point->name, .operator = op->name, .kernel = point->kernel->name,
        .dtype = dtype_info(point->dtype)->name, .is_default = point->is_default, .seeds = point->seeds,
        .drift = NAN, .source_hash = point->kernel->manifest_hash};
    out->reference.ns = out->reference.max_ulp = NAN;
    out->exhaustive.ulp = out->exhaustive.inputs_per_s = NAN;
    out->check.worst_index = -1;
    for (int i = 0; i < FIGURE_COUNT; i++) out->time[i] = summarize(NULL, 0);
    describe_dims(point, out);
    describe_shape(point, out);
    out->flops = op->flops ? op->flops(point->dims) : 0;
    out->bytes = operator_bytes(op, point->dims, point->dtype);
    out->replay = point_replay(arena, point, seed);
}

// ---- running one ----

static bool prepare_problem(struct runner *runner, const struct point *point, struct error *err) {
    if (runner->problem.key == problem_key(point, runner->options.seed)) return true;
    turns_close(&runner->turns, runner->gpu);
    problem_close(runner->gpu, &runner->problem);
    return problem_open(runner->gpu, point, runner->options.seed, &runner->problem, err);
}

static bool check(struct runner *runner, const struct point *point, const struct built *built,
    const struct launch *launch, struct arena *arena, struct record *out, struct error *err) {
    int64_t depth = kernel_depth(point->kernel, point->dims, &point->shape);
    int64_t start = clock_ns();
    if (!truth_make(&runner->problem, &runner->options.settings, depth, built->policy.rte, runner->options.time,
            &runner->truth, err))
        return false;
    out->judge_ns += clock_ns() - start;
    struct check_request request = {.gpu = runner->gpu, .work = runner->work, .problem = &runner->problem,
        .launch = launch, .truth = &runner->truth, .point = point, .policy = built->policy,
        .timeout_s = runner->options.timeout_s, .packed = runner->problem.packed.bytes > 0};
    out->reference.ns = runner->truth.baseline_ns;
    out->reference.max_ulp = runner->truth.baseline_ulp;
    out->reference.extrapolated = runner->truth.extrapolated;
    return check_point(&request, arena, out, &out->judge_ns, err);
}

static bool measure(struct runner *runner, const struct launch *launch, struct arena *arena, struct record *out,
    struct error *err) {
    struct measure_request request = {.gpu = runner->gpu, .work = runner->work, .problem = &runner->problem,
        .launch = launch, .settings = &runner->options.settings, .timeout_s = runner->options.timeout_s,
        .sweep = runner->options.settings.cold ? &runner->sweep : NULL};
    if (!drift_settle(runner->gpu, runner->drift, runner->options.timeout_s, err)) return false;
    if (!drift_sample(runner->gpu, runner->drift, runner->options.timeout_s, &out->drift, err)) return false;
    out->throttled = out->drift > throttled_above;
    return measure_point(&request, arena, out, err);
}

static bool sweep(struct runner *runner, const struct point *point, const struct built *built, struct arena *arena,
    struct record *out, struct error *err) {
    if (!runner->exhaustive) runner->exhaustive = sweep_open(runner->gpu, err);
    return runner->exhaustive && sweep_point(runner->exhaustive, runner->gpu, &runner->options, point, built, arena, out, err);
}

static const struct built *get_built(struct runner *runner, const struct point *point, struct record *out,
    struct error *err) {
    bool made;
    const struct built *built =
        workshop_build(&runner->workshop, runner->gpu, &runner->options, point, &made, err);
    if (!built) return NULL;
    out->compile_ns = made ? built->compile_ns : 0;
    out->source_hash = built->source_hash;
    return built;
}

static bool run_whole(struct runner *runner, const struct point *point, bool time, struct arena *arena,
    struct record *out, struct error *err) {
    struct launch launch;
    const struct built *built = get_built(runner, point, out, err);
    if (!built) return false;
    if (point->sweep_count) return sweep(runner, point, built, arena, out, err);
    if (!prepare_problem(runner, point, err) ||
        !launch_prepare(runner->gpu, point, &runner->problem, built, &launch, err))
        return false;
    bool ok = check(runner, point, built, &launch, arena, out, err);
    if (ok && time && out->status == RECORD_PASS) ok = measure(runner, &launch, arena, out, err);
    launch_release(runner->gpu, &launch);
    return ok;
}

static bool run(struct runner *runner, const struct point *point, struct arena *arena, struct record *out,
    struct error *err) {
    return run_whole(runner, point, runner->options.time, arena, out, err);
}

static bool run_check(struct runner *runner, const struct point *point, struct arena *arena, struct record *out,
    struct error *err) {
    return run_whole(runner, point, false, arena, out, err);
}

// ---- one sample ----

static bool get_ready(struct runner *runner, const struct point *point, const struct built *built, struct ready *ready,
    struct arena *arena, struct record *out, struct error *err) {
    const struct settings *settings = &runner->options.settings;
    double timeout_s = runner->options.timeout_s;
    double most_ns = settings->point_seconds * 1e9 / (2.0 * settings->least_samples);
    if (!check(runner, point, built, &ready->launch, arena, out, err)) return false;
    if (out->status != RECORD_PASS) return true;
    return drift_settle(runner->gpu, runner->drift, timeout_s, err) &&
           turns_prepare(&runner->turns, runner->gpu, ready, settings->cold ? &runner->sweep : NULL, most_ns, timeout_s,
               err);
}

static bool run_sample(struct runner *runner, const struct point *point, struct arena *arena, struct record *out,
    struct error *err) {
    bool made = false;
    double ns, *kept = arena_alloc(arena, 1, sizeof *kept);
    if (!kept) return error_set(err, STATUS_FAULT, "out of host memory");
    const struct built *built = get_built(runner, point, out, err);
    if (!built || !prepare_problem(runner, point, err)) return false;
    struct ready *ready = turns_find(&runner->turns, runner->gpu, point, &runner->problem, built, &made, err);
    if (!ready) return false;
    bool ok = !made || get_ready(runner, point, built, ready, arena, out, err);
    bool right = ok && out->status == RECORD_PASS;
    if (right) ok = turns_take(&runner->turns, runner->gpu, ready, runner->options.timeout_s, &ns, err);
    if (!ok || !right) {
        turns_drop(runner->gpu, ready);
        return ok;
    }
    *kept = ns;
    out->samples[FIGURE_COMPUTE] = kept;
    out->time[FIGURE_COMPUTE] = summarize(kept, 1);
    out->repeats = ready->interval.repeats;
    out->clock = runner->turns.timer.name;
    out->cache = ready->interval.sweep ? "cold" : "hot";
    return true;
}

void runner_prefill(struct runner *runner, const struct point *points, size_t count) {
    workshop_prefill(&runner->workshop, runner->gpu, &runner->options, points, count);
    gpu_cache_write(runner->gpu); // for the next worker, should this one be lost
}

static const enum record_status status_of_kind[] = {
    [ERROR_PLAIN] = RECORD_ERROR,
    [ERROR_SKIP] = RECORD_SKIP,
    [ERROR_OUT_OF_MEMORY] = RECORD_SKIP,
    [ERROR_TIMEOUT] = RECORD_TIMEOUT,
    [ERROR_DEVICE_LOST] = RECORD_DEVICE_LOST,
    [ERROR_COMPILE] = RECORD_ERROR,
};

typedef bool way(struct runner *runner, const struct point *point, struct arena *arena, struct record *out,
    struct error *err);

static bool try_point(struct runner *runner, const struct point *point, way *go, struct arena *arena,
    struct record *out) {
    struct error err = {0};
    int64_t start = clock_ns();
    unsigned messages = gpu_validation_messages(runner->gpu);
    runner_describe(point, runner->options.seed, arena, out);
    if (point->refused) {
        out->status = RECORD_SKIP;
        out->reason = point->refused;
        return true;
    }
    if (!go(runner, point, arena, out, &err)) {
        out->status = status_of_kind[err.kind];
        out->reason = arena_copy(arena, err.text);
    } else if (gpu_validation_messages(runner->gpu) != messages) {
        out->status = RECORD_FAIL;
        out->reason = arena_format(arena, "validation layer: %s", gpu_validation_text(runner->gpu));
    }
    out->validated = runner->options.validate;
    out->validation_messages = gpu_validation_messages(runner->gpu) - messages;
    out->wall_ns = clock_ns() - start;
    return out->status != RECORD_DEVICE_LOST && out->status != RECORD_TIMEOUT;
}

bool runner_point(struct runner *runner, const struct point *point, struct arena *arena, struct record *out) {
    return try_point(runner, point, run, arena, out);
}

bool runner_check(struct runner *runner, const struct point *point, struct arena *arena, struct record *out) {
    return try_point(runner, point, run_check, arena, out);
}

bool runner_sample(struct runner *runner, const struct point *point, struct arena *arena, struct record *out) {
    return try_point(runner, point, run_sample, arena, out);
}
