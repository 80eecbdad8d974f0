// SPDX-License-Identifier: Apache-2.0
#include "paired.h"

#include "../../../reference/table.h"
#include "../record.h"
#include "../result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The records of a result that ran, and the partner of each in the other result; NULL: none yet.
struct side {
    const struct record **records, **partners;
    const char **how; // see compared_point.paired
    size_t count;
    const char *which;
};

static bool is_captured(const struct record *record) {
    return record->recorded.signature && record->recorded.module && record->recorded.name && record->recorded.sizes;
}

static int by_name(const void *a, const void *b) {
    const struct record *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

// Captured dispatches come last, in the order of the program.
static int by_order(const void *a, const void *b) {
    const struct record *x = *(const struct record *const *)a, *y = *(const struct record *const *)b;
    const bool p = is_captured(x), q = is_captured(y);
    if (p != q) return p - q;
    if (p && x->recorded.number != y->recorded.number) return x->recorded.number < y->recorded.number ? -1 : 1;
    return by_name(a, b);
}

static bool side_make(
    struct arena *arena, const struct result *result, const char *which, struct side *out, struct error *err) {
    *out = (struct side){.records = arena_alloc(arena, result->count + 1, sizeof *out->records),
        .partners = arena_alloc(arena, result->count + 1, sizeof *out->partners),
        .how = arena_alloc(arena, result->count + 1, sizeof *out->how),
        .which = which};
    for (size_t i = 0; i < result->count; i++)
        if (result->records[i].status != RECORD_SKIP) out->records[out->count++] = &result->records[i];
    qsort(out->records, out->count, sizeof *out->records, by_name);
    for (size_t i = 1; i < out->count; i++)
        if (strcmp(out->records[i - 1]->name, out->records[i]->name) == 0)
            return error_set(err, STATUS_BAD_INPUT, "%s: point %s occurs twice", which, out->records[i]->name);
    qsort(out->records, out->count, sizeof *out->records, by_order);
    return true;
}

// ---- ways to pair

static const char *name_key(struct arena *arena, const struct record *r) {
    (void)arena;
    return is_captured(r) ? NULL : r->name;
}
static const char *signature_key(struct arena *arena, const struct record *r) {
    (void)arena;
    return is_captured(r) ? r->recorded.signature : NULL;
}
static const char *module_key(struct arena *arena, const struct record *r) {
    return is_captured(r) ? arena_format(arena, "%s %s", r->recorded.module, r->recorded.sizes) : NULL;
}
static const char *sizes_key(struct arena *arena, const struct record *r) {
    return is_captured(r) ? arena_format(arena, "%s %s", r->recorded.name, r->recorded.sizes) : NULL;
}

// How a pair was found; NULL: its records are plainly of one point.
static const struct way {
    const char *(*key)(struct arena *arena, const struct record *record); // NULL: not for this record
    const char *how;
} ways[] = {{name_key, NULL}, {signature_key, NULL}, {module_key, "other parameters, paired by module and sizes"},
    {sizes_key, "another module, paired by name and sizes"}};

// Records of one key are told apart by their order.
static const char *numbered(struct arena *arena, struct names *seen, size_t *counts, const char *key) {
    const size_t length = strlen(key), at = names_put(seen, key, length, seen->count);
    return arena_format(arena, "%s #%zu", key, counts[at]++);
}

static void pair_by(struct arena *arena, const struct way *way, struct side *base, struct side *new) {
    struct names keys = {0}, seen[2] = {{0}};
    for (int s = 0; s < 2; s++) {
        struct side *side = s ? new : base, *other = s ? base : new;
        size_t *counts = arena_alloc(arena, side->count + 1, sizeof *counts);
        for (size_t i = 0; i < side->count; i++) {
            const char *key = side->partners[i] ? NULL : way->key(arena, side->records[i]);
            if (!key) continue;
            key = numbered(arena, &seen[s], counts, key);
            const size_t at = s ? names_get(&keys, key, strlen(key)) : names_put(&keys, key, strlen(key), i);
            if (!s || at == NAMES_NONE) continue;
            side->partners[i] = other->records[at];
            other->partners[at] = side->records[i];
            side->how[i] = way->how;
            if (way->how && strcmp(side->records[i]->name, other->records[at]->name) != 0)
                side->how[i] = arena_format(arena, "%s with %s of the base", way->how, other->records[at]->name);
        }
    }
    names_free(&keys);
    names_free(&seen[0]);
    names_free(&seen[1]);
}

// Returns what the other result lacks for this dispatch; NULL: it holds no dispatches at all.
static const char *why_alone(struct arena *arena, const struct record *r, const struct side *other) {
    const char *lacks = NULL;
    for (size_t i = 0; i < other->count; i++) {
        const struct record *o = other->records[i];
        if (!is_captured(o)) continue;
        const bool same =
            strcmp(o->recorded.module, r->recorded.module) == 0 || strcmp(o->recorded.name, r->recorded.name) == 0;
        if (same)
            return arena_format(arena, "%s has it, but not with operands of %s bytes", other->which, r->recorded.sizes);
        lacks = arena_format(arena, "%s has neither its module nor its name", other->which);
    }
    return lacks;
}

static void add_point(struct comparison *c, const struct record *base, const struct record *new, const char *how) {
    const struct record *one = new ? new : base;
    c->points[c->count++] = (struct compared_point){.name = one->name,
        .family = operator_family(one->operator),
        .base = base,
        .new = new,
        .p = NAN,
        .cycles = NAN,
        .detects = NAN,
        .ratio = {NAN, NAN, NAN},
        .paired = how};
    c->both += base && new;
}

bool points_pair(struct comparison *c, struct error *err) {
    struct arena *arena = &c->arena;
    struct side base, new;
    if (!side_make(arena, c->base, "the base", &base, err) || !side_make(arena, c->new, "the new result", &new, err))
        return false;
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) pair_by(arena, &ways[w], &base, &new);
    c->points = arena_alloc(arena, base.count + new.count + 1, sizeof *c->points);
    for (size_t i = 0; i < new.count; i++) {
        const struct record *r = new.records[i];
        const bool alone = is_captured(r) && !new.partners[i];
        add_point(c, new.partners[i], r, alone ? why_alone(arena, r, &base) : new.how[i]);
    }
    for (size_t i = 0; i < base.count; i++) {
        const struct record *r = base.records[i];
        if (!base.partners[i]) add_point(c, r, NULL, is_captured(r) ? why_alone(arena, r, &new) : NULL);
    }
    return true;
}
