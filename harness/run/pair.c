// SPDX-License-Identifier: Apache-2.0
#include "pair.h"
#include "../timing/launch_target.h"
#include "../check/launch.h"

#include "../timing/rounds.h"
#include "runner.h"
#include "../record/record.h"

#include <string.h>

enum { MOST_PAIRS = 1000 }; // in one session

struct pairs {
    double values[2 * MOST_PAIRS];
    size_t count;
};

struct meeting {
    struct runner *runner;
    const struct pair_side *sides;
    double effect, submit_ns;
    struct arena *arena;
    void (*alive)(void *user, size_t index);
    void *user;
    struct launch launches[2];
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
    return runner_judge(runner, side->point, built, &m->launches[i], m->arena, side->record, err);
}

static bool go_on(void *user, struct contender *list, size_t count, size_t round) {
    const struct meeting *m = user;
    (void)count;
    (void)round;
    return !stop_pairs(list[0].samples, list[1].samples, list[0].count, m->effect);
}

// Times one of two sessions. The memory place of a recording or a program can change a short dispatch by some per
// cent, and is no merit of a version. So the pairs are recorded twice, the second time in the other order, and
// samples of both sessions count.
static bool time_session(struct meeting *m, size_t session, struct pairs *out, struct error *err) {
    struct runner *runner = m->runner;
    const struct settings *s = &runner->options.settings;
    struct contender list[2];
    struct round_settings settings = {.timing = runner_timing(runner),
        .paired = true,
        .seed = runner->problem.key + session,
        .between = go_on,
        .user = m};
    settings.timing.submit_ns = m->submit_ns;
    settings.timing.rule.least = STOP_LEAST_PAIRS;
    settings.timing.rule.most = MOST_PAIRS;
    settings.timing.rule.precision = -1;       // the ratio decides, not a side
    if (s->least_samples == s->most_samples) { // exactly this many, half of them in each session
        size_t half = ((size_t)s->least_samples + 1) / 2;
        settings.timing.rule.least = settings.timing.rule.most = half < MOST_PAIRS ? half : MOST_PAIRS;
        settings.between = NULL;
    }
    for (size_t i = 0; i < 2; i++)
        list[i] = (struct contender){.sampler.target = launch_target(&m->launches[i ^ session])};
    m->culprit = session;
    tell(m, 2);
    bool ok = rounds_measure(list, 2, &settings, err);
    if (!ok && list[1].failed) m->culprit = 1 ^ session;
    for (size_t i = 0; ok && i < 2; i++) {
        size_t side = i ^ session;
        struct record *record = m->sides[side].record;
        memcpy(out[side].values + out[side].count, list[i].samples, list[i].count * sizeof(double));
        out[side].count += list[i].count;
        record->stop = stop_reason_name(list[i].stop == STOP_NOT_YET ? STOP_PRECISE : list[i].stop);
        series_keep_sampler(record, &list[i].sampler);
    }
    rounds_release(&runner->device, list, 2);
    return ok;
}

static bool time_both(struct meeting *m, struct error *err) {
    struct runner *runner = m->runner;
    struct pairs *series = arena_alloc(m->arena, 2, sizeof *series);
    m->culprit = 0;
    if (!runner_settle(runner, err) ||
        !series_submission(&runner->device, runner->options.timeout_s, NULL, &m->submit_ns, err))
        return false;
    for (size_t session = 0; session < 2; session++)
        if (!time_session(m, session, series, err)) return false;
    for (size_t side = 0; side < 2; side++)
        series_keep_figure(m->arena, m->sides[side].record, FIGURE_COMPUTE, series[side].values, series[side].count);
    return true;
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
