// SPDX-License-Identifier: Apache-2.0
// Follows values differing between the invocations of a group, from the built-in variables on and through memory of
// the invocation's own. Each function is then walked in order, with the constructs around each instruction. In SPIR-V
// a block comes after its dominators (2.16.1), and a construct ends where its merge block starts.
#include "barriers.h"

#include "../../base/memory.h"

#include <stdlib.h>

enum { MOST_ROUNDS = 64, MOST_NESTED = 64 };

struct construct {
    uint32_t merge, again; // merge block; continue target of a loop, else 0
    bool left;             // some invocations may have left it, or gone on to a loop's next iteration
};

struct barrier_walk {
    const struct module *m;
    bool *differs;  // by id: a value, or the target of a pointer
    bool *parted;   // by id of a merge block: invocations of a group may take different ways in the construct
    bool *barriers; // by id of a function: it has one, or calls a function with one
    bool grown;     // this round found something
    struct construct nested[MOST_NESTED];
    int depth;
    bool left; // some invocation may have returned
    bool parts;
};

static void mark(struct barrier_walk *w, bool *marks, uint32_t id) {
    if (id >= w->m->bound || marks[id]) return;
    marks[id] = w->grown = true;
}

static void mark_builtins(struct barrier_walk *w) {
    for (size_t at = 0; spirv_next(w->m->words, w->m->declarations, &at);) {
        const uint32_t *i = &w->m->words[at];
        if (spirv_op(i) != SpvOpDecorate || spirv_length(i) < 4 || i[2] != SpvDecorationBuiltIn) continue;
        const bool is_of_invocation = i[3] == SpvBuiltInLocalInvocationId || i[3] == SpvBuiltInGlobalInvocationId ||
                                      i[3] == SpvBuiltInLocalInvocationIndex ||
                                      i[3] == SpvBuiltInSubgroupLocalInvocationId || i[3] == SpvBuiltInSubgroupId;
        if (is_of_invocation) mark(w, w->differs, i[1]);
    }
}

static bool in_divergence(const struct barrier_walk *w) {
    for (int i = 0; i < w->depth; i++)
        if (w->nested[i].left || w->parted[w->nested[i].merge]) return true;
    return false;
}

static bool reads_differing(const struct barrier_walk *w, const uint32_t *i, uint32_t first) {
    for (uint32_t word = first; word < spirv_length(i); word++)
        if (spirv_operand(i, word) == OPERAND_ID && i[word] < w->m->bound && w->differs[i[word]]) return true;
    return false;
}

// Marks the whole variable if an element of it is written; only memory of the invocation's own counts.
static void mark_pointee(struct barrier_walk *w, uint32_t pointer) {
    for (int steps = 0; steps < MOST_NESTED && pointer < w->m->bound; steps++) {
        const uint32_t *chain = module_defined(w->m, pointer, SpvOpAccessChain, 4);
        if (!chain) chain = module_defined(w->m, pointer, SpvOpInBoundsAccessChain, 4);
        if (!chain) break;
        pointer = chain[3];
    }
    const uint32_t *variable = module_defined(w->m, pointer, SpvOpVariable, 4);
    if (variable && (variable[3] == SpvStorageClassFunction || variable[3] == SpvStorageClassPrivate))
        mark(w, w->differs, pointer);
}

static void follow_arguments(struct barrier_walk *w, const uint32_t *call) {
    const uint32_t *function = module_defined(w->m, call[3], SpvOpFunction, 5);
    uint32_t argument = 4;
    if (!function) return;
    for (size_t at = (size_t)(function - w->m->words);
         argument < spirv_length(call) && spirv_next(w->m->words, w->m->count, &at);) {
        const uint32_t *i = &w->m->words[at];
        if (spirv_op(i) != SpvOpFunctionParameter || spirv_length(i) < 3) break;
        if (call[argument] < w->m->bound && w->differs[call[argument]]) mark(w, w->differs, i[2]);
        argument++;
    }
}

static void follow_values(struct barrier_walk *w, const uint32_t *i) {
    const uint32_t op = spirv_op(i), length = spirv_length(i);
    if (op == SpvOpStore && length > 2) {
        if ((i[2] < w->m->bound && w->differs[i[2]]) || in_divergence(w)) mark_pointee(w, i[1]);
    } else if (op == SpvOpFunctionCall && length > 3) {
        follow_arguments(w, i);
        if (reads_differing(w, i, 4)) mark(w, w->differs, i[2]);
    } else if (op != SpvOpVariable && op != SpvOpFunction && length > 3 && spirv_result(op) &&
               reads_differing(w, i, 3)) {
        mark(w, w->differs, i[2]);
    }
}

static void open_construct(struct barrier_walk *w, uint32_t merge, uint32_t again) {
    if (w->depth < MOST_NESTED && merge < w->m->bound) w->nested[w->depth++] = (struct construct){merge, again, false};
}

// Notes a branch out of a construct, or on to a loop's next iteration, within a construct with diverging invocations.
// In a loop, instructions before the branch run again.
static void branch_to(struct barrier_walk *w, uint32_t target) {
    bool parted = false;
    for (int i = w->depth - 1; i >= 0; i--) {
        struct construct *c = &w->nested[i];
        const bool leaves = parted && (c->merge == target || (c->again && c->again == target));
        c->left |= leaves;
        if (leaves && c->again && c->merge == target) mark(w, w->parted, c->merge);
        parted |= c->left || w->parted[c->merge];
    }
}

static void meet_barrier(struct barrier_walk *w, uint32_t function) {
    mark(w, w->barriers, function);
    w->parts |= w->left || in_divergence(w);
}

static void follow_control(struct barrier_walk *w, const uint32_t *i, uint32_t function) {
    const uint32_t length = spirv_length(i);
    switch (spirv_op(i)) {
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
        if (length > 2) open_construct(w, i[1], spirv_op(i) == SpvOpLoopMerge ? i[2] : 0);
        break;
    case SpvOpBranch:
        if (length > 1) branch_to(w, i[1]);
        break;
    case SpvOpBranchConditional:
    case SpvOpSwitch:
        // A condition ends the header of the innermost construct, or leaves the loop around it.
        if (length > 2 && w->depth && i[1] < w->m->bound && w->differs[i[1]])
            mark(w, w->parted, w->nested[w->depth - 1].merge);
        break;
    case SpvOpLabel:
        while (length > 1 && w->depth && w->nested[w->depth - 1].merge == i[1]) w->depth--;
        break;
    case SpvOpReturn:
    case SpvOpReturnValue:
    case SpvOpKill:
        w->left |= in_divergence(w);
        break;
    case SpvOpControlBarrier:
        meet_barrier(w, function);
        break;
    case SpvOpFunctionCall:
        if (length > 3 && i[3] < w->m->bound && w->barriers[i[3]]) meet_barrier(w, function);
    }
}

static void walk_functions(struct barrier_walk *w) {
    uint32_t function = 0;
    for (size_t at = 0; spirv_next(w->m->words, w->m->count, &at);) {
        const uint32_t *i = &w->m->words[at];
        if (at < w->m->declarations) continue;
        if (spirv_op(i) == SpvOpFunction && spirv_length(i) > 2) {
            function = i[2];
            w->depth = 0;
            w->left = false;
        }
        follow_control(w, i, function);
        follow_values(w, i);
    }
}

static bool *follow(const struct module *module, bool *parts) {
    struct barrier_walk w = {.m = module,
        .differs = memory_alloc(module->bound, sizeof *w.differs),
        .parted = memory_alloc(module->bound, sizeof *w.parted),
        .barriers = memory_alloc(module->bound, sizeof *w.barriers)};
    mark_builtins(&w);
    w.grown = true;
    for (int round = 0; w.grown && round < MOST_ROUNDS; round++) {
        w.grown = w.parts = false;
        walk_functions(&w);
    }
    free(w.parted);
    free(w.barriers);
    *parts = w.parts;
    return w.differs;
}

bool *barriers_differing(const struct module *module) {
    bool parts;
    return follow(module, &parts);
}

bool barriers_may_part(const struct module *module) {
    bool parts;
    free(follow(module, &parts));
    return parts;
}
