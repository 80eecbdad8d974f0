// SPDX-License-Identifier: Apache-2.0
// Takes one sample of a point, for searches.
#include "runner.h"
#include "../../record/record.h"

// Returns the number of the sample after which a shape is judged again. No shape is chosen with fewer samples
// (CASE_LEAST, or as many as --timing says), and most shapes are dropped before.
static int judged_sample(const struct settings *s) {
    enum { USUAL = 4 };
    return s->least_samples == s->most_samples && s->most_samples < USUAL ? s->most_samples : USUAL;
}

static bool run_sample(
    struct runner *runner, const struct point *point, struct arena *arena, struct record *out, struct error *err) {
    bool made = false;
    double ns;
    if (point->kernel->probe) return error_of_kind(err, ERROR_SKIP, "a probe has no shape to search for");
    const struct built *built = runner_build(runner, point, arena, out, err);
    if (!built || !runner_problem(runner, point, err)) return false;
    struct ready *ready = interleave_find(&runner->interleave, runner->gpu, point, &runner->problem, built, &made, err);
    if (!ready) return false;
    struct timing_settings settings = runner_timing(runner);
    bool ok = !made || runner_judge(runner, point, built, &ready->launch, arena, out, err);
    bool right = ok && out->status == RECORD_PASS;
    if (made) ready->output_hash = out->check.output_hash;
    if (made && right)
        ok = right = runner_settle(runner, err) && interleave_prepare(&runner->interleave, &settings, ready, err);
    phase_timer_switch(&runner->phases, WALL_COMPUTE);
    if (right) ok = interleave_take(&runner->interleave, &settings, ready, &ns, err);
    if (ok && right) {
        series_keep_figure(arena, out, FIGURE_COMPUTE, &ns, 1);
        series_keep_sampler(out, &ready->sampler);
        if (ready->samples == judged_sample(&runner->options.settings))
            ok = runner_judge_timed(runner, point, built->policy, &ready->launch, ready->output_hash,
                interleave_others(&runner->interleave, ready), arena, out, err);
        right = out->status == RECORD_PASS;
    }
    if (!ok || !right) interleave_drop(runner->gpu, ready);
    return ok;
}

bool runner_sample(struct runner *runner, const struct point *point, struct arena *arena, struct record *out) {
    struct error err = {0};
    struct wall outside = {0};
    unsigned messages = gpu_validation_messages(runner->gpu);
    runner_describe(point, &runner->options, arena, out);
    if (point->refused) {
        record_refuse(arena, out, point->refused);
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
