// SPDX-License-Identifier: Apache-2.0
// Finds how a module's code uses its variables. A use of a pointer is a use of its sources. The graph from each
// pointer to its sources may have cycles (loops).
#include "../../base/memory.h"
#include "module.h"

#include <stdlib.h>

struct use_way {
    uint32_t source, next; // next: 1 + the index of the pointer's next way; 0: none
};

struct graph {
    struct module *module;
    struct use_way *ways;
    uint32_t *pending;
    size_t count, room, pending_count;
};

static void touch(struct graph *g, uint32_t id, uint8_t use) {
    struct module *m = g->module;
    if (id == 0 || id >= m->bound || (m->ids[id].use & use) == use) return;
    m->ids[id].use |= use;
    if (m->ids[id].pending) return;
    m->ids[id].pending = true;
    g->pending[g->pending_count++] = id;
}

static void made_from(struct graph *g, uint32_t pointer, uint32_t source) {
    struct module *m = g->module;
    if (pointer >= m->bound) return;
    if (g->count == g->room) {
        g->room = g->room ? g->room * 2 : 256;
        g->ways = memory_resize(g->ways, g->room, sizeof *g->ways);
    }
    g->ways[g->count] = (struct use_way){source, m->ids[pointer].sources};
    m->ids[pointer].sources = (uint32_t)++g->count;
}

// Makes the arguments the sources of the function's parameters.
static void follow_call(struct graph *g, const uint32_t *call, uint32_t length) {
    const struct module *m = g->module;
    const uint32_t *function = module_defined(m, call[3], SpvOpFunction, 5);
    uint32_t argument = 4;
    if (!function) return;
    for (size_t at = (size_t)(function - m->words); argument < length && spirv_next(m->words, m->count, &at);) {
        const uint32_t *i = &m->words[at];
        if (spirv_op(i) == SpvOpLine || spirv_op(i) == SpvOpNoLine) continue;
        if (spirv_op(i) != SpvOpFunctionParameter || spirv_length(i) < 3) break;
        made_from(g, i[2], call[argument++]);
    }
}

// Returns how an instruction uses a pointer, and its word. 0: it uses none, more than one, or in any way.
static uint8_t use_by(uint32_t op, uint32_t *word) {
    *word = 3;
    switch (op) {
    case SpvOpLoad:
    case SpvOpAtomicLoad:
    case SpvOpCooperativeMatrixLoadNV:
    case OP_COOPERATIVE_MATRIX_LOAD_KHR:
    case OP_COOPERATIVE_MATRIX_LOAD_TENSOR_NV:
        return USE_READ;
    case SpvOpArrayLength:
        return USE_MEASURED;
    case SpvOpAtomicStore:
    case SpvOpCooperativeMatrixStoreNV:
    case OP_COOPERATIVE_MATRIX_STORE_KHR:
    case OP_COOPERATIVE_MATRIX_STORE_TENSOR_NV:
        *word = 1;
        return USE_WRITTEN;
    }
    return 0;
}

// Follows an instruction within a function.
static void follow(struct graph *g, const uint32_t *i, uint32_t length) {
    uint32_t op = spirv_op(i), word;
    uint8_t use = use_by(op, &word);
    const bool choice = op == SpvOpSelect || op == SpvOpPhi;
    const bool chain = op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain || op == SpvOpPtrAccessChain ||
                       op == SpvOpInBoundsPtrAccessChain || op == SpvOpImageTexelPointer || op == SpvOpCopyObject;
    if (use && word < length) {
        touch(g, i[word], use);
    } else if (op == SpvOpStore && length > 2) {
        touch(g, i[1], USE_WRITTEN);
        touch(g, i[2], USE_READ | USE_WRITTEN); // a stored pointer may be used in any way
    } else if ((op == SpvOpCopyMemory || op == SpvOpCopyMemorySized) && length > 2) {
        touch(g, i[1], USE_WRITTEN);
        touch(g, i[2], USE_READ);
    } else if (op == SpvOpFunctionCall && length > 3) {
        follow_call(g, i, length);
    } else if ((chain || choice) && length > 3) {
        for (word = 3; word < (choice ? length : 4); word++) made_from(g, i[2], i[word]);
    } else if (op != SpvOpFunction && op != SpvOpFunctionParameter && op != SpvOpVariable) {
        // An unknown instruction may do anything with its operands. Touching others than pointers has no effect.
        for (word = 1; word < length; word++)
            if (spirv_operand(i, word) == OPERAND_ID) touch(g, i[word], USE_READ | USE_WRITTEN);
    }
}

void module_follow(struct module *module) {
    struct graph g = {.module = module, .pending = memory_alloc(module->bound, sizeof *g.pending)};
    for (size_t at = module->declarations; at < module->count; at += spirv_length(&module->words[at])) {
        const uint32_t *i = &module->words[at];
        if (module_is_remark(module, i)) continue;
        for (uint32_t word = 1; word < spirv_length(i); word++)
            if (spirv_operand(i, word) == OPERAND_ID) touch(&g, i[word], USE_NAMED);
        follow(&g, i, spirv_length(i));
    }
    while (g.pending_count) { // uses of a pointer are uses of its sources
        struct id *id = &module->ids[g.pending[--g.pending_count]];
        id->pending = false;
        for (uint32_t way = id->sources; way; way = g.ways[way - 1].next) touch(&g, g.ways[way - 1].source, id->use);
    }
    free(g.pending);
    free(g.ways);
}
