// SPDX-License-Identifier: Apache-2.0
#include "../../device/limits.h"
#include "runner.h"
#include "sanitize_small.h"

#include "../check/inputs/placement.h"

#include "../../base/cores.h"
#include "../../base/memory.h"
#include "../../base/parallel.h"
#include "../check/check_errors.h"
#include "../check/check_lines.h"
#include "../../device/device_info.h"
#include "../../record/record.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Returns the size of the flush buffer. The largest known last-level cache of a GPU has 256 MiB. A CPU's is asked of
// the system, and doubled.
static uint64_t flush_bytes(const struct device_info *info) {
    if (info->kind != DEVICE_CPU) return (uint64_t)256 << 20;
    long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
    uint64_t bytes = cache > 0 ? (uint64_t)cache * 2 : (uint64_t)64 << 20;
    return (bytes + 3) & ~(uint64_t)3;
}

// Opens the reference kernel. If its times show that the device's clock does not pass as the host's does, the host's
// decides.
static bool open_drift(struct runner *runner, struct error *err) {
    double ns, host_ns;
    bool agrees;
    runner->drift = drift_open(&runner->device, &runner->options, err);
    if (!runner->drift || !drift_agrees(runner->drift, &agrees, &ns, &host_ns, err)) return false;
    if (agrees) return true;
    snprintf(runner->clocks, sizeof runner->clocks, "timestamps are not the host's time: %.3g ms for %.3g ms",
        ns * 1e-6, host_ns * 1e-6);
    runner->device.why_host = runner->clocks;
    return true;
}

struct runner *runner_open(const struct device_info *device, const struct run_options *options, struct error *err) {
    if (options->own_cores && !cores_take(options->own_cores)) { // before a driver starts threads
        error_set(err, STATUS_FAULT, "its own cores (%s) cannot be had", options->own_cores);
        return NULL;
    }
    struct runner *runner = memory_alloc(1, sizeof *runner);
    runner->options = *options;
    struct gpu_options gpu_options = {.validate = options->validate,
        .gpu_assisted = options->gpu_assisted,
        .cache_folder = options->cache_folder,
        .anew = options->anew,
        .disassembles = options->disassembly != NULL,
        .threads = options->threads};
    parallel_limit(options->threads);
    runner->gpu = gpu_open(device, &gpu_options, err);
    bool ok = runner->gpu && (options->compile_only || (runner->work = work_create(runner->gpu, 2, err)));
    if (ok) runner->device = timing_gpu(runner->gpu);
    if (ok && options->time) {
        ok = open_drift(runner, err) && (!options->settings.cold || buffer_create(runner->gpu, BUFFER_DEVICE,
                                                                        flush_bytes(device), &runner->flush, err));
    }
    if (ok) return runner;
    runner_close(runner);
    return NULL;
}

struct gpu *runner_gpu(struct runner *runner) {
    return runner->gpu;
}

void runner_close(struct runner *runner) {
    if (!runner) return;
    if (runner->gpu) {
        next_problem_close(&runner->next);
        truth_free(&runner->truth);
        exhaustive_close(runner->gpu, runner->exhaustive);
        interleave_close(&runner->interleave, runner->gpu);
        problem_close(runner->gpu, &runner->problem);
        exact_close(&runner->exact, runner->gpu);
        workshop_close(runner->gpu, &runner->workshop);
        drift_close(runner->drift);
        small_verdicts_close(runner->gpu, runner->small);
        sanitizer_close(runner->gpu, runner->sanitizer);
        rewriter_close(runner->gpu, runner->rewriter);
        repeater_close(runner->gpu, runner->repeater);
        stale_memory_close(runner->gpu, runner->stale_memory);
        energy_close(runner->meter);
        buffer_destroy(runner->gpu, &runner->flush);
        if (runner->work) work_destroy(runner->gpu, runner->work);
        gpu_close(runner->gpu);
    }
    free(runner);
}

bool runner_prefill(struct runner *runner, const struct point *points, size_t count, const struct prefill_watch *phases,
    struct arena *arena, struct record *lost) {
    struct error err;
    size_t culprit;
    bool usable =
        workshop_prefill(&runner->workshop, runner->gpu, &runner->options, points, count, phases, &culprit, &err);
    gpu_cache_write(runner->gpu); // for the next worker, if this one is lost
    if (usable) return true;
    runner_describe(&points[culprit], &runner->options, arena, lost);
    runner_blame(lost, arena, &err);
    return false;
}

// ---- shared by all ways of running a point ----

// Records the driver's figures: the largest of all passes for each name.
static void describe_code(const struct built *built, struct arena *arena, struct record *out) {
    out->code = arena_alloc(arena, RECORD_NAMES, sizeof *out->code);
    out->code_count = 0;
    for (int p = 0; p < built->pass_count; p++) {
        int count;
        const struct program_statistic *has = program_statistics(built->passes[p], &count);
        for (int i = 0; i < count; i++) {
            int at = 0;
            while (at < out->code_count && strcmp(out->code[at].name, has[i].name) != 0) at++;
            if (at == RECORD_NAMES) continue;
            if (at == out->code_count)
                out->code[out->code_count++] = (struct named_number){arena_copy(arena, has[i].name), has[i].value};
            else if (has[i].value > out->code[at].value)
                out->code[at].value = has[i].value;
        }
    }
}

const struct built *runner_build(
    struct runner *runner, const struct point *point, struct arena *arena, struct record *record, struct error *err) {
    bool made;
    phase_timer_switch(&runner->phases, WALL_COMPILE);
    const struct built *built = workshop_build(&runner->workshop, runner->gpu, &runner->options, point, &made, err);
    if (!built) return NULL;
    record->build_ns = made ? built->compile_ns : 0;
    record->source_hash = built->source_hash;
    describe_code(built, arena, record);
    record->reads_back = reads_back_names(arena, point->kernel, built->reads_back.mixed & ~built->reads_back.meant);
    return built;
}

void runner_expect(struct runner *runner, const struct point *point) {
    runner->expected = point;
}

bool runner_problem(struct runner *runner, const struct point *point, struct error *err) {
    const uint64_t key = problem_key(point, runner->options.seed);
    bool taken;
    if (runner->problem.key == key) return true;
    phase_timer_switch(&runner->phases, WALL_UPLOAD);
    interleave_close(&runner->interleave, runner->gpu);
    exact_clear(&runner->exact, runner->gpu);
    bool ok = next_problem_take(&runner->next, runner->gpu, key, &runner->problem, &runner->truth, &taken, err) ||
              (!taken && problem_open(runner->gpu, point, runner->options.seed, &runner->problem, err));
    phase_timer_switch(&runner->phases, WALL_REFERENCE);
    if (ok && !taken && !placement_choose(&runner->problem, point, &runner->options.settings, err)) {
        problem_close(runner->gpu, &runner->problem);
        ok = false;
    }
    runner->problem_memory = gpu_memory_used(runner->gpu);
    return ok;
}

static bool judge(struct runner *runner, struct check_request *request, const struct built *built, struct arena *arena,
    struct record *record, struct error *err) {
    const struct point *point = request->point;
    const struct settings *settings = &runner->options.settings;
    if (point->draws)
        return check_draws(request, &runner->problem, &runner->truth, settings, arena, record, err) &&
               (record->status == RECORD_FAIL ||
                   check_lines(request, built, &runner->truth, settings, runner->options.seed, arena, record, err));
    if (point->kernel->recorded) return check_point(request, arena, record, err);
    int64_t depth = kernel_depth(point->kernel, point->dims, &point->shape);
    phase_timer_switch(&runner->phases, WALL_REFERENCE);
    truth_make(&runner->problem, settings, depth, built->policy.rte, runner->options.time, &runner->truth);
    record->reference.ns = runner->truth.baseline_ns;
    record->reference.max_ulp = runner->truth.baseline_ulp;
    record->reference.extrapolated = runner->truth.extrapolated;
    record->reference.scale = runner->truth.scale;
    if (!check_point(request, arena, record, err)) return false;
    if (record->status == RECORD_FAIL || !exact_applies(point, &runner->truth)) return true;
    return exact_check(&runner->exact, request, built, runner->options.seed, arena, record, err);
}

// Skips a point if its values are wrong because the driver ended its loops. Returns false if the device failed.
static bool excuse_loops(struct runner *runner, const struct check_request *request, const struct built *built,
    struct arena *arena, struct record *record, struct error *err) {
    if (record->status != RECORD_FAIL || runner->options.brief) return true;
    phase_timer_switch(&runner->phases, WALL_COMPUTE);
    return loop_limit_probe(runner->gpu, &runner->options, &runner->loops, err) &&
           loop_limit_excuse(request, built, &runner->options, runner->loops.iterations, arena, record, err);
}

static bool sanitize(struct runner *runner, const struct check_request *request, const struct built *built,
    struct arena *arena, struct record *record, struct error *err) {
    if (!runner->options.sanitize || record->status == RECORD_SKIP) return true;
    record->check.sanitized.why = sanitize_refusal(runner, built);
    if (record->check.sanitized.why) return true;
    if (!runner->sanitizer) runner->sanitizer = sanitizer_open();
    struct run_options options = runner->options;
    options.lines = true;
    return sanitizer_check(runner->sanitizer, request, &options, false, arena, record, err);
}

// Runs a point that passed once more with rewritten shaders.
static bool rewrite(struct runner *runner, const struct check_request *request, const struct built *built,
    struct arena *arena, struct record *record, struct error *err) {
    if (!runner->options.rewritten || record->status != RECORD_PASS) return true;
    if (!runner->rewriter) runner->rewriter = rewriter_open();
    return rewriter_check(runner->rewriter, request, built, &runner->options, arena, record, err);
}

// Runs a point that passed many times more, and then its first line.
static bool repeat(struct runner *runner, const struct check_request *request, struct arena *arena,
    struct record *record, struct error *err) {
    const struct run_options *options = &runner->options;
    if (record->status != RECORD_PASS || request->point->draws) return true;
    if (options->repeat) {
        if (!runner->repeater) runner->repeater = repeater_open(runner->gpu, options, err);
        if (!runner->repeater || !repeater_check(runner->repeater, request, options, arena, record, err)) return false;
    }
    return !options->invariant || check_first_line(request, options->invariant, options->seed, record, err);
}

struct check_request runner_request(
    struct runner *runner, const struct point *point, struct policy policy, const struct launch *launch) {
    return (struct check_request){.gpu = runner->gpu,
        .work = runner->work,
        .problem = &runner->problem,
        .launch = launch,
        .truth = &runner->truth,
        .point = point,
        .policy = policy,
        .stale_memory = runner->stale_memory,
        .timeout_s = runner->options.timeout_s,
        .first_failure = runner->options.brief,
        .phases = &runner->phases};
}

bool runner_judge(struct runner *runner, const struct point *point, const struct built *built,
    const struct launch *launch, struct arena *arena, struct record *record, struct error *err) {
    // Opened late. A driver that cannot run it then fails the first judged point, not the worker's start.
    if (!runner->stale_memory && !runner->options.gpu_assisted) {
        phase_timer_switch(&runner->phases, WALL_COMPILE);
        runner->stale_memory = stale_memory_open(runner->gpu, &runner->options, err);
        if (!runner->stale_memory) return false;
    }
    struct check_request request = runner_request(runner, point, built->policy, launch);
    request.packed = runner->problem.packed.bytes > 0;
    return judge(runner, &request, built, arena, record, err) &&
           excuse_loops(runner, &request, built, arena, record, err) &&
           sanitize(runner, &request, built, arena, record, err) &&
           rewrite(runner, &request, built, arena, record, err) && repeat(runner, &request, arena, record, err);
}

void runner_judge_last(struct runner *runner, const struct point *point, struct policy policy, struct arena *arena,
    struct record *record) {
    phase_timer_switch(&runner->phases, WALL_JUDGE);
    if (point->kernel->nondeterministic)
        truth_make(&runner->problem, &runner->options.settings, kernel_depth(point->kernel, point->dims, &point->shape),
            policy.rte, false, &runner->truth);
    const struct check_request request = runner_request(runner, point, policy, NULL);
    check_last(&request, arena, record);
    phase_timer_switch(&runner->phases, WALL_IDLE);
}

bool runner_settle(struct runner *runner, struct error *err) {
    phase_timer_switch(&runner->phases, WALL_WAIT);
    bool ok = drift_settle(runner->drift, err);
    phase_timer_switch(&runner->phases, WALL_IDLE);
    return ok;
}

static const enum record_status status_of_kind[] = {
    [ERROR_PLAIN] = RECORD_ERROR,
    [ERROR_SKIP] = RECORD_SKIP,
    [ERROR_OUT_OF_MEMORY] = RECORD_SKIP,
    [ERROR_TIMEOUT] = RECORD_TIMEOUT,
    [ERROR_DEVICE_LOST] = RECORD_DEVICE_LOST,
    [ERROR_COMPILE] = RECORD_ERROR,
    [ERROR_DRIVER] = RECORD_ERROR,
};

void runner_blame(struct record *record, struct arena *arena, const struct error *err) {
    record->status = status_of_kind[err->kind];
    record->reason = arena_copy(arena, err->text);
    if (*err->call) record->call = arena_copy(arena, err->call);
}

void runner_listen(struct runner *runner, unsigned messages, struct arena *arena, struct record *record) {
    record->validated = runner->options.validate;
    unsigned received = gpu_validation_messages(runner->gpu) - messages;
    const char *text = received ? gpu_validation_text(runner->gpu) : "";
    record->validation_messages += received;
    if (!received || record->status != RECORD_PASS) return;
    record->status = RECORD_FAIL;
    record->failed = CHECK_VALIDATION;
    record->reason = arena_format(arena, "validation layer: %s", text);
}

struct timing_settings runner_timing(const struct runner *runner) {
    const struct settings *s = &runner->options.settings;
    return (struct timing_settings){.device = &runner->device,
        .timeout_s = runner->options.timeout_s,
        .options = &runner->options,
        .flush = s->cold ? &runner->flush : NULL,
        .rule = {.least = (size_t)s->least_samples,
            .most = (size_t)s->most_samples,
            .precision = s->precision,
            .seconds = s->point_seconds}};
}
