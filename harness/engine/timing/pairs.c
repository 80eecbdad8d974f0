// SPDX-License-Identifier: Apache-2.0
#include "pairs.h"

#include "rounds.h"

#include <string.h>

static bool go_on(void *user, struct round_candidate *list, size_t count, size_t round) {
    const struct pair_plan *plan = user;
    (void)count;
    (void)round;
    return !stop_pairs(list[0].samples, list[1].samples, list[0].count, plan->effect);
}

static struct round_settings settings_of(const struct pair_plan *plan, size_t session) {
    struct round_settings settings = {
        .timing = plan->timing, .paired = true, .seed = plan->seed + session, .between = go_on, .user = (void *)plan};
    settings.timing.rule.seconds /= PAIR_SESSIONS;
    settings.timing.rule.least = STOP_LEAST_PAIRS;
    settings.timing.rule.most = PAIR_MOST;
    settings.timing.rule.precision = -1; // the ratio decides, not a side
    if (!plan->exactly) return settings;
    const size_t share = (plan->exactly + PAIR_SESSIONS - 1) / PAIR_SESSIONS;
    settings.timing.rule.least = settings.timing.rule.most = share < PAIR_MOST ? share : PAIR_MOST;
    settings.between = NULL;
    return settings;
}

static void keep(const struct round_candidate *one, size_t side, struct pair_times *out) {
    memcpy(out->values[side] + out->count, one->samples, one->count * sizeof(double));
    out->stop = one->stop == STOP_NOT_YET ? STOP_PRECISE : one->stop;
    out->last[side] = one->sampler;
    out->last[side].work = NULL;
}

bool pairs_measure(
    const struct target targets[2], const struct pair_plan *plan, struct pair_times *out, struct error *err) {
    bool ok = true;
    out->count = 0;
    for (size_t session = 0; ok && session < PAIR_SESSIONS; session++) {
        const size_t first = session % 2;
        const struct round_settings settings = settings_of(plan, session);
        struct round_candidate list[2];
        for (size_t i = 0; i < 2; i++) list[i] = (struct round_candidate){.sampler.target = targets[i ^ first]};
        if (plan->before) plan->before(plan->user);
        ok = rounds_measure(list, 2, &settings, err);
        out->failed = (int)(list[1].failed ? 1 ^ first : first);
        for (size_t i = 0; ok && i < 2; i++) keep(&list[i], i ^ first, out);
        if (ok) out->count += list[0].count;
        rounds_release(plan->timing.device, list, 2);
    }
    return ok;
}
