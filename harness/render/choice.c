// SPDX-License-Identifier: Apache-2.0
#include "choice.h"

#include <math.h>

bool has_choice(const struct view_case *c) {
    size_t timed = 0;
    for (size_t i = 0; i < c->count && timed < 2; i++) timed += isnan(compute_ns(c->records[i])) ? 0 : 1;
    return timed == 2;
}

const char *thumb_name(enum thumb thumb) {
    static const char *const names[THUMB_COUNT] = {
        [THUMB_DEFAULT] = "default",
        [THUMB_SEEDS] = "seeds' shape",
        [THUMB_64] = "64",
        [THUMB_256] = "256",
        [THUMB_LARGEST] = "largest",
    };
    return names[thumb];
}

static uint64_t invocations_of(const struct record *r) {
    return (uint64_t)r->wg[0] * r->wg[1] * r->wg[2];
}

static const struct record *default_of(const struct view_case *c) {
    for (size_t i = 0; i < c->count; i++)
        if (c->records[i]->is_default) return c->records[i];
    return NULL;
}

static const struct record *largest_of(const struct view_case *c) {
    const struct record *largest = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const struct record *r = c->records[i];
        if (r->status == RECORD_SKIP) continue;
        if (!largest || invocations_of(r) > invocations_of(largest)) largest = r;
    }
    const struct record *best = largest ? best_of_invocations(c, invocations_of(largest)) : NULL;
    return best ? best : largest;
}

const struct record *thumb_record(const struct view_case *c, enum thumb thumb) {
    switch (thumb) {
    case THUMB_DEFAULT:
        return default_of(c);
    case THUMB_SEEDS:
        return worst_seed(c);
    case THUMB_64:
        return best_of_invocations(c, 64);
    case THUMB_256:
        return best_of_invocations(c, 256);
    case THUMB_LARGEST:
        return largest_of(c);
    case THUMB_COUNT:
        break;
    }
    return NULL;
}

// ---- regret

static bool is_wrong(const struct record *r) {
    return r && r->status != RECORD_PASS && r->status != RECORD_SKIP;
}

static void add_size(struct regret *regret, const struct view_case *c, const struct record *r) {
    regret->wrong += is_wrong(r);
    if (!has_choice(c)) return;
    regret->sizes++;
    double loss = loss_of(c, r);
    if (isnan(loss)) return;
    const struct summary *time = &r->time[FIGURE_COMPUTE];
    if (!regret->timed++ || loss > regret->worst) {
        regret->worst = loss;
        regret->at = c;
    }
    regret->lo = fmax(regret->lo, time->lo / compute_ns(c->best));
    regret->hi = fmax(regret->hi, time->hi / compute_ns(c->best));
}

static const struct regret none = {.worst = NAN, .lo = NAN, .hi = NAN};

struct regret regret_of_thumb(const struct view_kernel *kernel, enum thumb thumb) {
    struct regret regret = none;
    for (size_t i = 0; i < kernel->count; i++)
        add_size(&regret, &kernel->cases[i], thumb_record(&kernel->cases[i], thumb));
    return regret;
}

struct regret regret_of_shape(const struct view_kernel *kernel, const struct record *shape) {
    struct regret regret = none;
    for (size_t i = 0; i < kernel->count; i++)
        add_size(&regret, &kernel->cases[i], with_shape(&kernel->cases[i], shape));
    return regret;
}

// ---- the pick

static bool may_be_picked(const struct regret *regret) {
    return !regret->wrong && regret->sizes && regret->timed == regret->sizes;
}

static const struct view_case *first_choice(const struct view_kernel *kernel) {
    for (size_t i = 0; i < kernel->count; i++)
        if (has_choice(&kernel->cases[i])) return &kernel->cases[i];
    return NULL;
}

struct choice choice_of(const struct view_kernel *kernel) {
    struct choice choice = {.regret = none};
    const struct view_case *first = first_choice(kernel);
    for (size_t i = 0; first && i < first->count; i++) {
        struct regret regret = regret_of_shape(kernel, first->records[i]);
        if (!may_be_picked(&regret)) continue;
        choice.shapes++;
        if (choice.shape && !(regret.worst < choice.regret.worst)) continue;
        choice.shape = first->records[i];
        choice.regret = regret;
    }
    for (size_t i = 0; choice.shape && i < first->count; i++) {
        struct regret regret = regret_of_shape(kernel, first->records[i]);
        if (first->records[i] == choice.shape || !may_be_picked(&regret) || regret.lo > choice.regret.hi) continue;
        if (!choice.ties++) choice.tie = first->records[i];
    }
    return choice;
}
