// SPDX-License-Identifier: Apache-2.0
// One sample of a point, for searches.
#include "runner.h"

static bool get_ready(struct runner *runner, const struct point *point, const struct built *built, struct ready *ready,
    struct arena *arena, struct record *out, struct error *err) {
    const struct settings *settings = &runner->options.settings;
    double timeout_s = runner->options.timeout_s;
    double most_ns = settings->point_seconds * 1e9 / (2.0 * settings->least_samples);
    if (!runner_judge(runner, point, built, &ready->launch, arena, out, err)) return false;
    if (out->status != RECORD_PASS) return true;
    return runner_settle(runner, err) && turns_prepare(&runner->turns, runner->gpu, ready,
                                             settings->cold ? &runner->flush : NULL, most_ns, timeout_s, err);
}

static bool run_sample(
    struct runner *runner, const struct point *point, struct arena *arena, struct record *out, struct error *err) {
    bool made = false;
    double ns, *kept = arena_alloc(arena, 1, sizeof *kept);
    if (!kept) return error_set(err, STATUS_FAULT, "out of host memory");
    if (point->kernel->probe) return error_of_kind(err, ERROR_SKIP, "a probe has no shape to search for");
    const struct built *built = runner_build(runner, point, out, err);
    if (!built || !runner_problem(runner, point, err)) return false;
    struct ready *ready = turns_find(&runner->turns, runner->gpu, point, &runner->problem, built, &made, err);
    if (!ready) return false;
    bool ok = !made || get_ready(runner, point, built, ready, arena, out, err);
    bool right = ok && out->status == RECORD_PASS;
    phase_timer_turn(&runner->phases, WALL_COMPUTE);
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
    out->cache = ready->interval.flush ? "cold" : "hot";
    return true;
}

bool runner_sample(struct runner *runner, const struct point *point, struct arena *arena, struct record *out) {
    struct error err = {0};
    struct wall outside = {0};
    unsigned messages = gpu_validation_messages(runner->gpu);
    runner_describe(point, runner->options.seed, arena, out);
    if (point->refused) {
        out->status = RECORD_SKIP;
        out->reason = point->refused;
        return true;
    }
    runner->phases = phase_timer_start(&out->wall, WALL_IDLE);
    bool ok = run_sample(runner, point, arena, out, &err);
    if (!ok) runner_blame(out, arena, &err);
    bool usable = ok || !gpu_is_over(&err);
    runner_listen(runner, messages, arena, out);
    phase_timer_move(&runner->phases, &outside);
    return usable;
}
