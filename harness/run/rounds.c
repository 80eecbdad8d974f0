// SPDX-License-Identifier: Apache-2.0
#include "rounds.h"

#include "../base/clock.h"
#include "../../reference/philox.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STRETCH = 3, MOST_ASKED = 20000 };  // samples of a warm-up's median; dispatches in an interval
static const double warm_agreement = 0.02; // between the medians of two successive stretches
static const double warm_share = 0.25;     // of the time for samples, that warming up may take
static const double probe_share = 0.5;     // of it, that the fewest samples may take
static const double longest_led_ns = 10e6; // beyond, what a cold start costs is lost in the dispatch itself

struct rounds {
    struct contender *list;
    size_t count;
    const struct round_settings *settings;
};

static bool take(const struct rounds *r, struct contender *c, double *ns, struct error *err) {
    const struct round_settings *s = r->settings;
    int64_t start = clock_ns();
    bool ok = interval_run(s->gpu, c->work, &c->interval, s->timeout_s, &c->timer, ns, err);
    c->spent_ns += clock_ns() - start;
    c->failed = !ok;
    return ok;
}

static bool record(const struct rounds *r, struct contender *c, struct error *err) {
    int64_t start = clock_ns();
    bool ok = interval_record(r->settings->gpu, c->work, c->launch, &c->interval, err);
    c->spent_ns += clock_ns() - start;
    c->failed = !ok;
    return ok;
}

// Repeats from the faster of two single dispatches: enough for the timer, within what the time for samples allows. Cold
// dispatches stand alone, since the second of two would find what the first left.
static bool prepare(const struct rounds *r, struct contender *c, struct error *err) {
    const struct round_settings *s = r->settings;
    double first, second, most_ns = s->rule.seconds * 1e9 * probe_share / (double)s->rule.least;
    c->timer = (struct timer){.name = s->host_clock ? "host: asked for" : "gpu", .submit_ns = s->submit_ns};
    c->work = work_create(s->gpu, 2, err);
    c->failed = !c->work;
    c->interval = (struct interval){.repeats = 1, .flush = s->flush};
    if (!c->work || !record(r, c, err) || !take(r, c, &first, err) || !take(r, c, &second, err)) return false;
    double one_ns = fmin(first, second);
    if (!s->flush) c->interval.repeats = interval_repeats(gpu_info(s->gpu), one_ns, most_ns);
    if (!s->flush && s->interval_ns > 0)
        c->interval.repeats = (int)fmax(1, fmin(ceil(s->interval_ns / one_ns), MOST_ASKED));
    c->interval.lead = r->count > 1 && !s->flush && !s->host_clock && one_ns < longest_led_ns;
    c->repeats = c->interval.repeats;
    return (c->repeats == 1 && !c->interval.lead) || record(r, c, err);
}

static bool stretch(const struct rounds *r, struct contender *c, double *median, struct error *err) {
    double values[STRETCH];
    for (int i = 0; i < STRETCH; i++)
        if (!take(r, c, &values[i], err)) return false;
    *median = summarize(values, STRETCH).median;
    return true;
}

static bool warm_up(const struct rounds *r, struct contender *c, struct error *err) {
    double last, now = 0, most_ns = r->settings->rule.seconds * warm_share * 1e9;
    int64_t start = clock_ns();
    if ((double)c->spent_ns * STRETCH > most_ns) return true; // the probes were long enough
    if (!stretch(r, c, &last, err)) return false;
    for (; (double)(clock_ns() - start) < most_ns; last = now) {
        if (!stretch(r, c, &now, err)) return false;
        if (fabs(now - last) <= warm_agreement * last) break;
    }
    return true;
}

static bool keep(struct contender *c, double ns, struct error *err) {
    if (c->count == c->room) {
        size_t room = c->room ? c->room * 2 : 64;
        double *samples = realloc(c->samples, room * sizeof *samples);
        if (!samples) return error_set(err, STATUS_FAULT, "out of host memory for samples");
        c->samples = samples;
        c->room = room;
    }
    c->samples[c->count++] = ns;
    return true;
}

static bool takes_part(const struct contender *c) {
    return !c->dropped && c->stop == STOP_NOT_YET;
}

// The places of a round: drawn for even rounds, backwards in the odd one that follows.
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
        struct contender *c = &r->list[order[i]];
        double ns;
        if (!takes_part(c)) continue;
        if (!take(r, c, &ns, err) || !keep(c, ns, err)) return false;
    }
    return true;
}

// Whether anybody goes on. Pairs stop after a whole ABBA, and together.
static bool settle(const struct rounds *r, size_t round) {
    bool any = false;
    if (r->settings->paired && round % 2 == 0) return true;
    for (size_t i = 0; i < r->count; i++) {
        struct contender *c = &r->list[i];
        if (!takes_part(c)) continue;
        c->stop = stop_check(&r->settings->rule, c->samples, c->count, (double)c->spent_ns * 1e-9);
        any |= c->stop == STOP_NOT_YET;
    }
    for (size_t i = 0; any && r->settings->paired && i < r->count; i++) r->list[i].stop = STOP_NOT_YET;
    return any;
}

static bool go(const struct rounds *r, struct error *err) {
    size_t *order = calloc(r->count + 1, sizeof *order);
    if (!order) return error_set(err, STATUS_FAULT, "out of host memory for %zu contenders", r->count);
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

bool rounds_measure(struct contender *list, size_t count, const struct round_settings *settings, struct error *err) {
    struct rounds rounds = {list, count, settings};
    for (size_t i = 0; i < count; i++) {
        list[i] = (struct contender){.launch = list[i].launch};
        if (!prepare(&rounds, &list[i], err)) return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!warm_up(&rounds, &list[i], err)) return false;
    for (size_t i = 0; i < count; i++) list[i].spent_ns = 0;
    return go(&rounds, err);
}

void rounds_release(struct gpu *gpu, struct contender *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (list[i].work) work_destroy(gpu, list[i].work);
        free(list[i].samples);
        list[i].work = NULL;
        list[i].samples = NULL;
        list[i].count = list[i].room = 0;
    }
}
