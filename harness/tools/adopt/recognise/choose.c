// SPDX-License-Identifier: Apache-2.0
#include "choose.h"

#include "../../../../reference/operator.h"
#include "../../../../reference/table.h"

#include <limits.h>
#include <string.h>

enum { LEAST_APART = 8, ALSO = 3 };

static int missing_of(const struct fit *fit) {
    int missing = 0;
    for (int i = 0; i < operator_operands(fit->op); i++) missing += fit->buffer[i] < 0;
    return missing;
}

static int rank(const struct candidate *c) {
    const struct op *op = c->fits[0].op;
    return 10000 * c->loose + 1000 * missing_of(&c->fits[0]) + 100 * operator_operands(op) + 10 * operator_params(op) +
           operator_dims(op);
}

static bool has_axis(const struct operand *operand, const char *dim) {
    for (int axis = 0; axis < OPERATOR_RANK && operand->shape[axis]; axis++)
        if (strcmp(operand->shape[axis], dim) == 0) return true;
    return false;
}

// Returns whether the operator reduces inputs over the dim: with a longer one, outputs have the same sizes.
static bool is_reduced(const struct fit *fit, int dim) {
    struct fit longer = *fit;
    bool in = false;
    longer.dims[dim] *= 2;
    if (operator_derive(fit->op, longer.dims)) return false;
    for (int i = 0; i < operator_operands(fit->op); i++) {
        const struct operand *operand = &fit->op->operands[i];
        if (operand->role == ROLE_IN)
            in |= has_axis(operand, fit->op->dims[dim]);
        else if (fit_elements(&longer, i) != fit_elements(fit, i))
            return false;
    }
    return in;
}

// Returns whether a sum, or another reduction over a dim, is of one element: such a fit is a copy with a wide bound.
static bool is_trivial(const struct candidate *c, int recordings) {
    for (int d = 0; d < operator_dims(c->fits[0].op); d++) {
        bool longer = false;
        for (int r = 0; r < recordings; r++) longer |= c->fits[r].dims[d] != 1;
        if (!longer && is_reduced(&c->fits[0], d)) return true;
    }
    return false;
}

static int by_loose(const struct candidate *c) {
    return c->dropped ? INT_MAX : c->loose;
}

static bool has_inputs(const struct op *op) {
    for (int i = 0; i < operator_operands(op); i++)
        if (op->operands[i].role != ROLE_OUT) return true;
    return false;
}

// Returns whether the outputs say something of the operator: wide bounds hold anything.
static bool is_telling(struct candidate *c) {
    return evidence_apart(&c->evidence) >= LEAST_APART || !has_inputs(c->fits[0].op);
}

// Drops candidates with too little evidence beside those with enough.
static void drop_untold(struct candidate *all, int count) {
    bool told = false;
    for (int i = 0; i < count; i++) told |= !all[i].dropped && is_telling(&all[i]);
    for (int i = 0; i < count && told; i++) all[i].dropped |= !is_telling(&all[i]);
}

// Drops the dims of a placement that explain recordings less well than others of the same operator.
static void drop_loose(struct candidate *all, int count) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            if (all[i].fits[0].op == all[k].fits[0].op && by_loose(&all[k]) < all[i].loose) all[i].dropped = true;
}

struct candidate *choose_simplest(struct candidate *all, int count, int recordings) {
    struct candidate *best = NULL;
    drop_loose(all, count);
    drop_untold(all, count);
    for (int i = 0; i < count; i++) {
        all[i].dropped |= is_trivial(&all[i], recordings);
        if (!all[i].dropped && (!best || rank(&all[i]) < rank(best))) best = &all[i];
    }
    return best;
}

const char *choose_difference(struct arena *arena, struct seen *seen, const struct candidate *all, int count,
    const struct candidate *best, int recording) {
    for (int i = 0; i < count; i++) {
        const struct candidate *c = &all[i];
        if (c == best || c->dropped || c->loose > best->loose) continue;
        const char *difference = fit_difference(arena, seen, &best->fits[recording], &c->fits[recording]);
        if (difference)
            return arena_format(
                arena, "%s and %s both fit; %s", best->fits[0].op->name, c->fits[0].op->name, difference);
    }
    return NULL;
}

const char *choose_undecided(struct arena *arena, struct candidate *c) {
    const struct fit *fit = &c->fits[0];
    const int apart = evidence_apart(&c->evidence);
    if (!is_telling(c))
        return arena_format(arena,
            "%s fits, but only %d outputs differ from the most frequent one by more than its bound, and %d are needed",
            fit->op->name, apart, LEAST_APART);
    for (int i = 0; i < operator_operands(fit->op); i++)
        if (fit->buffer[i] >= 0 && fit->op->operands[i].role != ROLE_OUT && !c->varies[i])
            return arena_format(arena, "%s fits, but %s is %.9g everywhere; record other values", fit->op->name,
                fit->op->operands[i].name, c->value[i]);
    return NULL;
}

const char *choose_also(struct arena *arena, const struct candidate *all, int count, const struct candidate *best) {
    const char *also = "";
    int names = 0;
    for (int i = 0; i < count; i++) {
        const struct op *op = all[i].fits[0].op;
        if (all[i].dropped || op == best->fits[0].op || strstr(also, op->name)) continue;
        if (names++ == ALSO) return arena_format(arena, "%s and others", also);
        also = arena_format(arena, "%s%s%s", also, *also ? ", " : "", op->name);
    }
    return also;
}
