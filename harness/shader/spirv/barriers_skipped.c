// SPDX-License-Identifier: Apache-2.0
// Walks the entry point in order. Keeps the conditions for reaching the current instruction, and the conditions under
// which invocations have left. In loops, the first iteration counts.
#include "analyses.h"

#include "../../base/memory.h"
#include "barriers.h"
#include "invocation_numbers.h"

#include <stdlib.h>

enum { MOST_CONDITIONS = 32, MOST_EXITS = 64, MOST_CALLS = 8 };

// A condition's id; 0: there is none, or it is unknown.
struct condition {
    uint32_t id;
    bool wanted;
};

struct branching {
    struct condition under;         // the condition of the walked side
    uint32_t merge, again, yes, no; // labels
    bool inside;                    // the walk has reached one of its sides
};

// The conditions of leaving, and the label where the invocations are back; 0: they are gone for good.
struct way_out {
    struct condition all[MOST_CONDITIONS];
    int count;
    uint32_t until;
};

struct proof {
    struct invocation_numbers numbers;
    bool *differs;
    struct branching nested[MOST_CONDITIONS];
    int depth;
    struct way_out exits[MOST_EXITS];
    int exit_count;
    int calls;          // depth of calls
    uint32_t function;  // the current one
    bool pending, lost; // the last instruction was a merge; the flow is not understood
    struct barrier_share share;
};

// ---- the ways of invocations

enum answer { NO, YES, MAYBE };

static enum answer holds(struct proof *p, struct condition condition) {
    const struct value of = condition.id ? numbers_of(&p->numbers, condition.id) : (struct value){0};
    return !of.known ? MAYBE : (of.bits != 0) == condition.wanted ? YES : NO;
}

static bool is_shared(const struct proof *p, struct condition condition) {
    return condition.id && condition.id < p->numbers.m->bound && !p->differs[condition.id];
}

static enum answer has_left(struct proof *p, const struct way_out *out) {
    enum answer all = YES;
    bool differs = false;
    for (int i = 0; i < out->count; i++) {
        const enum answer one = holds(p, out->all[i]);
        if (one == NO) return NO;
        if (one == MAYBE) all = MAYBE;
        differs |= !is_shared(p, out->all[i]);
    }
    return differs ? all : NO; // with shared conditions, all leave or none
}

static enum answer comes(struct proof *p) {
    enum answer all = YES;
    for (int i = 0; i < p->depth; i++) {
        if (!p->nested[i].inside || is_shared(p, p->nested[i].under)) continue;
        const enum answer one = holds(p, p->nested[i].under);
        if (one == NO) return NO;
        if (one == MAYBE) all = MAYBE;
    }
    for (int i = 0; i < p->exit_count; i++) {
        const enum answer left = has_left(p, &p->exits[i]);
        if (left == YES) return NO;
        if (left == MAYBE) all = MAYBE;
    }
    return all;
}

static void meet_barrier(struct proof *p) {
    const uint32_t *size = p->numbers.setting->size;
    struct barrier_share share = {0};
    for (uint32_t z = 0; z < size[2]; z++)
        for (uint32_t y = 0; y < size[1]; y++)
            for (uint32_t x = 0; x < size[0]; x++) {
                p->numbers.place[0] = x, p->numbers.place[1] = y, p->numbers.place[2] = z;
                p->numbers.index = share.of++;
                const enum answer one = comes(p);
                if (one == MAYBE) return;
                share.reach += one == YES;
            }
    if (share.reach && share.reach < share.of) p->share = share;
}

// ---- the walk

static void open_construct(struct proof *p, uint32_t merge, uint32_t again) {
    p->lost |= p->depth == MOST_CONDITIONS;
    if (!p->lost) p->nested[p->depth++] = (struct branching){.merge = merge, .again = again};
    p->pending = true;
}

// Notes an exit under the current conditions, and under one more if `more` is not NULL.
static void leave(struct proof *p, const struct condition *more, uint32_t until) {
    p->lost |= p->exit_count == MOST_EXITS || p->depth == MOST_CONDITIONS;
    if (p->lost) return;
    struct way_out *out = &p->exits[p->exit_count++];
    *out = (struct way_out){.until = until};
    for (int i = 0; i < p->depth; i++)
        if (p->nested[i].inside) out->all[out->count++] = p->nested[i].under;
    if (more) out->all[out->count++] = *more;
}

// Returns whether a branch leaves a loop, or goes on to its next iteration.
static bool leaves(const struct proof *p, uint32_t label) {
    for (int i = 0; i < p->depth; i++)
        if (p->nested[i].again && (label == p->nested[i].merge || label == p->nested[i].again)) return true;
    return false;
}

static void branch_on(struct proof *p, const uint32_t *i) {
    struct branching *top = p->depth ? &p->nested[p->depth - 1] : NULL;
    for (int side = 0; side < 2; side++)
        if (leaves(p, i[2 + side])) leave(p, &(struct condition){i[1], !side}, i[2 + side]);
    if (p->pending && top && !top->again) {
        top->under.id = i[1];
        top->yes = i[2], top->no = i[3];
    } else if (!leaves(p, i[2]) && !leaves(p, i[3])) {
        p->lost = true;
    }
}

// A switch with only a default exists to be left early: optimizers make returns so.
static void switch_on(struct proof *p, uint32_t length) {
    p->lost |= length != 3 || !p->pending;
    if (!p->lost) p->nested[p->depth - 1].again = p->nested[p->depth - 1].merge;
}

static void branch_to(struct proof *p, uint32_t target) {
    const struct branching *top = p->depth ? &p->nested[p->depth - 1] : NULL;
    const bool ends = top && (target == top->merge || target == top->again);
    if (!p->pending && !(ends && !(top->again && target == top->merge)) && leaves(p, target)) leave(p, NULL, target);
}

static void come_to(struct proof *p, uint32_t label) {
    int kept = 0;
    while (p->depth && p->nested[p->depth - 1].merge == label) p->depth--;
    for (int i = 0; i < p->exit_count; i++)
        if (p->exits[i].until != label) p->exits[kept++] = p->exits[i];
    p->exit_count = kept;
    struct branching *top = p->depth ? &p->nested[p->depth - 1] : NULL;
    if (!top || top->again || (label != top->yes && label != top->no)) return;
    top->inside = true;
    top->under.wanted = label == top->yes;
}

static void walk(struct proof *p, const uint32_t *i);

// Walks a function's body. `call` has its arguments; NULL: it is the entry point.
static void walk_function(struct proof *p, uint32_t function, const uint32_t *call) {
    const struct module *m = p->numbers.m;
    const uint32_t *start = module_defined(m, function, SpvOpFunction, 5), outer = p->function, argument = 4;
    uint32_t given = 0;
    if (!start) return;
    p->function = function;
    for (size_t at = (size_t)(start - m->words); !p->lost && spirv_next(m->words, m->count, &at);) {
        const uint32_t *i = &m->words[at];
        if (spirv_op(i) == SpvOpFunctionEnd) break;
        if (call && spirv_op(i) == SpvOpFunctionParameter && spirv_length(i) > 2 &&
            argument + given < spirv_length(call))
            numbers_give(&p->numbers, i[2], call[argument + given++]);
        walk(p, i);
    }
    p->function = outer;
}

static void call(struct proof *p, const uint32_t *i) {
    const int depth = p->depth;
    if (p->calls == MOST_CALLS) p->lost = true;
    if (p->lost) return;
    p->calls++;
    walk_function(p, i[3], i);
    p->calls--;
    come_to(p, i[3]); // returned invocations are back
    p->depth = depth;
}

static void walk(struct proof *p, const uint32_t *i) {
    const uint32_t length = spirv_length(i);
    switch (spirv_op(i)) {
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
        if (length > 2) open_construct(p, i[1], spirv_op(i) == SpvOpLoopMerge ? i[2] : 0);
        return;
    case SpvOpBranchConditional:
        if (length > 3) branch_on(p, i);
        break;
    case SpvOpSwitch:
        switch_on(p, length);
        break;
    case SpvOpBranch:
        if (length > 1) branch_to(p, i[1]);
        break;
    case SpvOpReturn:
    case SpvOpReturnValue:
        leave(p, NULL, p->function);
        break;
    case SpvOpKill:
        leave(p, NULL, 0);
        break;
    case SpvOpFunctionCall:
        if (length > 3) call(p, i);
        break;
    case SpvOpLabel:
        if (length > 1) come_to(p, i[1]);
        break;
    case SpvOpControlBarrier:
        if (!p->share.of) meet_barrier(p);
        break;
    default:
        break;
    }
    p->pending = false;
}

struct barrier_share barriers_skipped(const uint32_t *words, size_t count, const struct barrier_setting *setting) {
    struct module module;
    struct error err;
    struct barrier_share share = {0};
    if (!module_open(&module, words, count, &err)) {
        module_close(&module);
        return share;
    }
    const uint32_t *entry = module_entry(&module, setting->entry);
    struct proof *p = memory_alloc(1, sizeof *p);
    p->numbers = numbers_open(&module, setting);
    if (p->numbers.has_barrier && entry) {
        p->differs = barriers_differing(&module);
        walk_function(p, entry[2], NULL);
        if (!p->lost) share = p->share;
    }
    numbers_close(&p->numbers);
    free(p->differs);
    free(p);
    module_close(&module);
    return share;
}
