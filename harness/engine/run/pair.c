// SPDX-License-Identifier: Apache-2.0
#include "pair.h"
#include "../timing/launch_target.h"
#include "../check/launch.h"

#include "../timing/pairs.h"
#include "runner.h"
#include "../../record/record.h"

#include <math.h>

struct meeting {
    struct runner *runner;
    const struct pair_side *sides;
    double effect;
    struct arena *arena;
    void (*alive)(void *user, size_t index);
    void *user;
    struct launch launches[2];
    struct policy policies[2];
    bool launched[2];
    size_t culprit;
    bool over; // the device is unusable
};

static void tell(const struct meeting *m, size_t index) {
    if (m->alive) m->alive(m->user, index);
}

static bool prepare(struct meeting *m, size_t i, struct error *err) {
    struct runner *runner = m->runner;
    const struct pair_side *side = &m->sides[i];
    runner->options.include_folders = side->include_folders;
    runner->options.include_count = side->include_count;
    m->culprit = i;
    tell(m, i);
    const struct built *built = runner_build(runner, side->point, m->arena, side->record, err);
    if (!built || !runner_problem(runner, side->point, err) ||
        !launch_prepare(runner->gpu, side->point, &runner->problem, built, &m->launches[i], err))
        return false;
    m->launched[i] = true;
    m->policies[i] = built->policy;
    return runner_judge(runner, side->point, built, &m->launches[i], m->arena, side->record, err);
}

static void tell_session(void *user) {
    tell(user, 2);
}

static bool time_both(struct meeting *m, struct error *err) {
    struct runner *runner = m->runner;
    const struct settings *s = &runner->options.settings;
    struct pair_times *times = arena_alloc(m->arena, 1, sizeof *times);
    struct pair_plan plan = {.timing = runner_timing(runner),
        .effect = m->effect,
        .exactly = s->least_samples == s->most_samples ? (size_t)s->least_samples : 0,
        .seed = runner->problem.key,
        .before = tell_session,
        .user = m};
    const struct target targets[2] = {launch_target(&m->launches[0]), launch_target(&m->launches[1])};
    m->culprit = 0;
    if (!runner_settle(runner, err) ||
        !series_submission(&runner->device, runner->options.timeout_s, NULL, &plan.timing.submit_ns, err))
        return false;
    const bool ok = pairs_measure(targets, &plan, times, err);
    m->culprit = (size_t)times->failed;
    for (size_t side = 0; ok && side < 2; side++) {
        struct record *record = m->sides[side].record;
        record->stop = stop_reason_name(times->stop);
        series_keep_sampler(record, &times->last[side]);
        series_keep_figure(m->arena, record, FIGURE_COMPUTE, times->values[side], times->count);
    }
    return ok;
}

static void blame(struct meeting *m, size_t side, const struct error *err) {
    runner_blame(m->sides[side].record, m->arena, err);
    m->over = gpu_is_over(err);
}

// Prepares both versions, and times them if both are right. A failure of one version shows nothing about the other.
static void run(struct meeting *m) {
    bool both = true;
    struct error err;
    for (size_t i = 0; i < 2; i++) {
        if (m->sides[i].point && m->over) {
            m->sides[i].record->status = RECORD_SKIP;
            m->sides[i].record->reason = "not run: the device was lost to the other version";
        } else if (m->sides[i].point && !prepare(m, i, &err)) {
            blame(m, i, &err);
        }
        both = both && m->launched[i] && m->sides[i].record->status == RECORD_PASS;
    }
    if (both && !time_both(m, &err)) blame(m, m->culprit, &err);
    for (size_t i = 0; both && !m->over && i < 2; i++)
        if (!runner_judge_timed(m->runner, m->sides[i].point, m->policies[i], &m->launches[i],
                m->sides[i].record->check.output_hash, INFINITY, m->arena, m->sides[i].record, &err))
            blame(m, i, &err);
}

bool runner_pair(struct runner *runner, const struct pair_side sides[2], double effect, struct arena *arena,
    void (*alive)(void *user, size_t index), void *user) {
    struct meeting m = {
        .runner = runner, .sides = sides, .effect = effect, .arena = arena, .alive = alive, .user = user};
    struct wall outside = {0};
    for (size_t i = 0; i < 2; i++)
        if (sides[i].point) runner_describe(sides[i].point, &runner->options, arena, sides[i].record);
    runner->phases = phase_timer_start(&outside, WALL_IDLE);
    run(&m);
    for (size_t i = 0; i < 2; i++)
        if (m.launched[i]) launch_release(runner->gpu, &m.launches[i]);
    return !m.over;
}
