// SPDX-License-Identifier: Apache-2.0
#include "rounds.h"

#include "../../../reference/philox.h"
#include "../../base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { PROBES = 2 }; // of each candidate's repeats

struct rounds {
    struct round_candidate *list;
    size_t count;
    const struct round_settings *settings;
    struct timing_settings timing;
};

static void keep(struct round_candidate *c, double ns) {
    if (c->count == c->room) {
        c->room = c->room ? c->room * 2 : 64;
        c->samples = memory_resize(c->samples, c->room, sizeof *c->samples);
    }
    c->samples[c->count++] = ns;
}

static bool takes_part(const struct round_candidate *c) {
    return !c->dropped && c->stop == STOP_NOT_YET;
}

// Draws the places for an even round, and reverses them for the odd round after it.
static void draw(const struct rounds *r, size_t round, size_t *order) {
    if (round % 2) {
        for (size_t i = 0; i < r->count / 2; i++) {
            size_t other = order[r->count - 1 - i];
            order[r->count - 1 - i] = order[i];
            order[i] = other;
        }
        return;
    }
    for (size_t i = 0; i < r->count; i++) {
        uint64_t bits = philox(r->settings->seed, round, i).v[0];
        size_t at = (size_t)(bits * (i + 1) >> 32);
        order[i] = order[at];
        order[at] = i;
    }
}

static bool go_round(const struct rounds *r, const size_t *order, struct error *err) {
    for (size_t i = 0; i < r->count; i++) {
        struct round_candidate *c = &r->list[order[i]];
        double ns;
        if (!takes_part(c)) continue;
        c->failed = !timing_take(&r->timing, &c->sampler, &ns, err);
        if (c->failed) return false;
        keep(c, ns);
    }
    return true;
}

// Applies the stop rule. Returns whether any candidate continues. Pairs stop together, after a whole ABBA.
static bool settle(const struct rounds *r, size_t round) {
    bool any = false;
    if (r->settings->paired && round % 2 == 0) return true;
    for (size_t i = 0; i < r->count; i++) {
        struct round_candidate *c = &r->list[i];
        if (!takes_part(c)) continue;
        c->stop = stop_check(&r->timing.rule, c->samples, c->count, (double)c->sampler.spent_ns * 1e-9);
        any |= c->stop == STOP_NOT_YET;
    }
    for (size_t i = 0; any && r->settings->paired && i < r->count; i++) r->list[i].stop = STOP_NOT_YET;
    return any;
}

static bool go(const struct rounds *r, struct error *err) {
    size_t *order = memory_alloc(r->count, sizeof *order);
    bool ok = true;
    for (size_t round = 0; ok; round++) {
        draw(r, round, order);
        ok = go_round(r, order, err);
        if (!ok || !settle(r, round)) break;
        if (r->settings->between && !r->settings->between(r->settings->user, r->list, r->count, round)) break;
    }
    free(order);
    return ok;
}

typedef bool sampler_step(const struct timing_settings *settings, struct sampler *sampler, struct error *err);

static bool each(const struct rounds *r, sampler_step *step, struct error *err) {
    for (size_t i = 0; i < r->count; i++) {
        r->list[i].failed = !step(&r->timing, &r->list[i].sampler, err);
        if (r->list[i].failed) return false;
    }
    return true;
}

// Makes a pair alike in every respect: the slower one bounds the repeats of both.
static void bind_pair(const struct rounds *r) {
    struct shared_interval *shared = r->timing.shared;
    if (!shared || !r->settings->paired) return;
    shared->slowest_ns = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct sampler *sampler = &r->list[i].sampler;
        shared->slowest_ns = fmax(shared->slowest_ns, sampler->one_ns);
        shared->restores |= sampler->target.restore != NULL;
    }
}

// Takes the time of every candidate before the repeats of any are chosen. A disturbed probe makes repeats too few, so
// they are chosen again from later ones.
static bool prepare(const struct rounds *r, struct error *err) {
    if (!each(r, timing_open, err)) return false;
    for (int i = 0; i < PROBES; i++) {
        bind_pair(r);
        if (!each(r, timing_lengthen, err) || !each(r, timing_probe, err)) return false;
    }
    bind_pair(r);
    return each(r, timing_lengthen, err);
}

bool rounds_measure(
    struct round_candidate *list, size_t count, const struct round_settings *settings, struct error *err) {
    struct rounds rounds = {list, count, settings, settings->timing};
    struct shared_interval shared = {0};
    rounds.timing.shared = count > 1 ? &shared : NULL;
    for (size_t i = 0; i < count; i++) list[i] = (struct round_candidate){.sampler.target = list[i].sampler.target};
    if (!prepare(&rounds, err) || !each(&rounds, timing_warm_up, err)) return false;
    for (size_t i = 0; i < count; i++) list[i].sampler.spent_ns = 0;
    return go(&rounds, err);
}

void rounds_release(const struct timing_device *device, struct round_candidate *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(list[i].samples);
        timing_close(device, &list[i].sampler);
        list[i] = (struct round_candidate){.sampler = list[i].sampler};
    }
}
