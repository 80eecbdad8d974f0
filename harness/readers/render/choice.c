// SPDX-License-Identifier: Apache-2.0
#include "choice.h"

#include "../../base/names.h"
#include "../../base/text.h"
#include "../../record/record.h"
#include "../../truth/stats/summary.h"
#include "../../record/result.h"
#include "../../device/profile.h"

#include <math.h>
#include <string.h>

bool has_choice(const struct view_case *c) {
    return timed_shapes(c) >= 2;
}

const char *heuristic_name(enum heuristic heuristic) {
    static const char *const names[HEURISTIC_COUNT] = {
        [HEURISTIC_DEFAULT] = "default",
        [HEURISTIC_SYSTEMS] = "system shape",
        [HEURISTIC_64] = "64",
        [HEURISTIC_256] = "256",
        [HEURISTIC_LARGEST] = "largest",
    };
    return names[heuristic];
}

static const struct record *largest_of(const struct view_case *c) {
    const struct record *largest = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const struct record *r = c->records[i];
        if (r->status == RECORD_SKIP) continue;
        if (!largest || record_invocations(r) > record_invocations(largest)) largest = r;
    }
    const struct record *best = largest ? best_of_invocations(c, record_invocations(largest)) : NULL;
    return best ? best : largest;
}

const struct record *heuristic_record(const struct view_case *c, enum heuristic heuristic) {
    if (heuristic == HEURISTIC_DEFAULT) {
        size_t i = 0;
        while (i < c->count && !c->records[i]->is_default) i++;
        return i < c->count ? c->records[i] : NULL;
    }
    if (heuristic == HEURISTIC_SYSTEMS) return worst_of_systems(c);
    if (heuristic == HEURISTIC_LARGEST) return largest_of(c);
    return best_of_invocations(c, heuristic == HEURISTIC_64 ? 64 : 256);
}

// ---- regret

// `choice`: has_choice of the case.
static void add_size(struct regret *regret, const struct view_case *c, const struct record *r, bool choice) {
    regret->wrong += r && r->status != RECORD_PASS && r->status != RECORD_SKIP;
    if (!choice) return;
    regret->sizes++;
    double loss = loss_of(c, r);
    if (!r || isnan(loss)) return;
    const struct summary *time = &r->time[FIGURE_COMPUTE];
    if (!regret->timed++ || loss > regret->worst) {
        regret->worst = loss;
        regret->at = c;
    }
    regret->lo = fmax(regret->lo, time->lo / compute_ns(c->best));
    regret->hi = fmax(regret->hi, time->hi / compute_ns(c->best));
}

static const struct regret none = {.worst = NAN, .lo = NAN, .hi = NAN};

static struct regret regret_of_heuristic(const struct view_kernel *kernel, enum heuristic heuristic) {
    struct regret regret = none;
    for (size_t i = 0; i < kernel->count; i++)
        add_size(
            &regret, &kernel->cases[i], heuristic_record(&kernel->cases[i], heuristic), has_choice(&kernel->cases[i]));
    return regret;
}

// ---- regrets of all shapes

// Numbers of the shapes of one case, by workgroup size and tunables.
struct shapes {
    struct arena arena;
    struct names names;
    struct text key;
};

static void make_key(struct text *key, const struct record *shape) {
    key->length = 0;
    text_append_n(key, (const char *)shape->wg, sizeof shape->wg);
    for (int i = 0; i < shape->tunable_count; i++) {
        double value = shape->tunables[i].value == 0 ? 0 : shape->tunables[i].value;
        text_append_n(key, shape->tunables[i].name, strlen(shape->tunables[i].name) + 1);
        text_append_n(key, (const char *)&value, sizeof value);
    }
}

static void number_shapes(struct shapes *shapes, const struct view_case *c) {
    for (size_t i = 0; i < c->count; i++) {
        make_key(&shapes->key, c->records[i]);
        const char *kept = arena_copy_n(&shapes->arena, text_str(&shapes->key), shapes->key.length);
        names_put(&shapes->names, kept, shapes->key.length, i);
    }
}

// Computes the regrets of the first case's shapes over all sizes, in one pass over the records.
static void add_regrets(struct shapes *shapes, const struct view_kernel *kernel, size_t count, struct regret *regrets) {
    const struct view_case **last = arena_alloc(&shapes->arena, count, sizeof *last); // counted for the shape
    size_t sizes = 0;
    for (size_t s = 0; s < count; s++) regrets[s] = none;
    for (size_t i = 0; i < kernel->count; i++) {
        const struct view_case *c = &kernel->cases[i];
        bool choice = has_choice(c);
        sizes += choice;
        for (size_t k = 0; k < c->count; k++) {
            make_key(&shapes->key, c->records[k]);
            size_t s = names_get(&shapes->names, text_str(&shapes->key), shapes->key.length);
            if (s == NAMES_NONE || last[s] == c) continue;
            last[s] = c;
            add_size(&regrets[s], c, c->records[k], choice);
        }
    }
    for (size_t s = 0; s < count; s++) regrets[s].sizes = sizes;
}

// ---- the pick

static bool may_be_picked(const struct regret *regret) {
    return !regret->wrong && regret->sizes && regret->timed == regret->sizes;
}

static void pick(const struct view_case *first, const struct regret *regrets, struct choice *out) {
    for (size_t i = 0; i < first->count; i++) {
        if (!may_be_picked(&regrets[i])) continue;
        out->shapes++;
        if (out->shape && !(regrets[i].worst < out->regret.worst)) continue;
        out->shape = first->records[i];
        out->regret = regrets[i];
    }
    for (size_t i = 0; out->shape && i < first->count; i++) {
        if (first->records[i] == out->shape || !may_be_picked(&regrets[i]) || regrets[i].lo > out->regret.hi) continue;
        if (!out->ties++) out->tie = first->records[i];
    }
}

static void pick_within(const struct view_case *first, const struct regret *regrets, int profile, struct choice *out) {
    for (size_t i = 0; i < first->count; i++) {
        struct needs needs = record_needs(first->records[i]);
        if (!may_be_picked(&regrets[i]) || !profile_fits_shape(&profiles[profile].profile, &needs)) continue;
        if (out->within[profile].shape && !(regrets[i].worst < out->within[profile].regret.worst)) continue;
        out->within[profile].shape = first->records[i];
        out->within[profile].regret = regrets[i];
    }
}

// ---- the heuristics

static bool ran(const struct regret *regret) {
    return regret->timed || regret->wrong;
}

static uint64_t largest_that_ran(const struct view_case *first, const struct regret *regrets) {
    uint64_t largest = 0;
    for (size_t i = 0; i < first->count; i++) {
        uint64_t invocations = record_invocations(first->records[i]);
        if (ran(&regrets[i]) && invocations > largest) largest = invocations;
    }
    return largest;
}

static bool is_better(const struct regret *a, const struct regret *b) {
    if (a->wrong != b->wrong) return a->wrong < b->wrong;
    if (a->timed != b->timed) return a->timed > b->timed;
    return a->worst < b->worst;
}

static void follow_rule(
    const struct view_case *first, const struct regret *regrets, enum heuristic heuristic, struct choice *out) {
    uint64_t wanted = heuristic == HEURISTIC_64    ? 64
                      : heuristic == HEURISTIC_256 ? 256
                                                   : largest_that_ran(first, regrets);
    for (size_t i = 0; i < first->count; i++) {
        if (record_invocations(first->records[i]) != wanted || !ran(&regrets[i])) continue;
        if (out->heuristics[heuristic].shape && !is_better(&regrets[i], &out->heuristics[heuristic].regret)) continue;
        out->heuristics[heuristic].shape = first->records[i];
        out->heuristics[heuristic].regret = regrets[i];
    }
}

const struct record *choice_heuristic(
    const struct choice *choice, const struct view_case *c, enum heuristic heuristic) {
    if (heuristic == HEURISTIC_DEFAULT || heuristic == HEURISTIC_SYSTEMS) return heuristic_record(c, heuristic);
    return choice->heuristics[heuristic].shape ? with_shape(c, choice->heuristics[heuristic].shape) : NULL;
}

struct choice choice_of(const struct view_kernel *kernel) {
    const struct view_case *first = kernel->cases, *end = first + kernel->count;
    struct shapes shapes = {0};
    struct choice choice = {.regret = none};
    for (enum heuristic heuristic = 0; heuristic < HEURISTIC_COUNT; heuristic++)
        choice.heuristics[heuristic].regret = none;
    while (first < end && !has_choice(first)) first++;
    if (first == end) return choice;
    struct regret *regrets = arena_alloc(&shapes.arena, first->count, sizeof *regrets);
    number_shapes(&shapes, first);
    add_regrets(&shapes, kernel, first->count, regrets);
    pick(first, regrets, &choice);
    for (int p = 0; p < PROFILES; p++) pick_within(first, regrets, p, &choice);
    for (enum heuristic heuristic = HEURISTIC_64; heuristic < HEURISTIC_COUNT; heuristic++)
        follow_rule(first, regrets, heuristic, &choice);
    choice.heuristics[HEURISTIC_DEFAULT].regret = regret_of_heuristic(kernel, HEURISTIC_DEFAULT);
    choice.heuristics[HEURISTIC_SYSTEMS].regret = regret_of_heuristic(kernel, HEURISTIC_SYSTEMS);
    names_free(&shapes.names);
    text_free(&shapes.key);
    arena_free(&shapes.arena);
    return choice;
}
