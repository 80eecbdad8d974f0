// SPDX-License-Identifier: Apache-2.0
#include "flow.h"

#include "../../base/memory.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <stdlib.h>

// Marks of an id: its value may differ, or it is a variable that may hold such a value.
enum { MOVED = 1, COMPUTED = 2 };

struct tracing {
    const struct code *code;
    uint8_t *marks; // by id
    bool grew, shows;
    flow_use *use;
    const void *user;
};

static void mark(struct tracing *t, uint32_t id, uint8_t how) {
    if (id >= t->code->bound || (t->marks[id] | how) == t->marks[id]) return;
    t->marks[id] |= how;
    t->grew = true;
}

// Returns the variable behind a pointer if nothing outside the workgroup sees it; 0 otherwise.
static uint32_t own_variable(const struct code *code, uint32_t pointer) {
    uint32_t class = code_class(code, pointer);
    bool own = class == SpvStorageClassFunction || class == SpvStorageClassPrivate || class == SpvStorageClassWorkgroup;
    for (int step = 0; own && step < 8; step++) {
        uint32_t op = code_defined_by(code, pointer), item = code_definition(code, pointer);
        if (op == SpvOpVariable) return pointer;
        if (op != SpvOpAccessChain && op != SpvOpInBoundsAccessChain && op != SpvOpCopyObject) return 0;
        pointer = code_word(code, item, 3);
    }
    return 0;
}

bool flow_moves(const struct code *code, uint32_t item, uint32_t word) {
    uint32_t op = code_op(code, item);
    switch (op) {
    case SpvOpPhi:
        return word % 2 == 1;
    case SpvOpSelect:
        return word >= 4;
    case SpvOpCompositeInsert:
    case SpvOpVectorShuffle:
    case SpvOpVectorInsertDynamic:
        return word <= 4;
    case SpvOpCopyObject:
    case SpvOpCompositeConstruct:
    case SpvOpFNegate:
        return true;
    case SpvOpCompositeExtract:
    case SpvOpVectorExtractDynamic:
        return word == 3;
    case SpvOpGroupNonUniformBroadcast:
    case SpvOpGroupNonUniformBroadcastFirst:
    case SpvOpGroupNonUniformShuffle:
    case SpvOpGroupNonUniformShuffleXor:
    case SpvOpGroupNonUniformShuffleUp:
    case SpvOpGroupNonUniformShuffleDown:
        return word == 4;
    case SpvOpExtInst:
        return code_word(code, item, 3) == code->glsl && code_word(code, item, 4) == GLSLstd450FAbs;
    }
    return false;
}

// ---- tests of NaN and infinity

static bool tests_special(const struct code *code, uint32_t condition, uint32_t id) {
    uint32_t op = code_defined_by(code, condition), item = code_definition(code, condition);
    bool differs = op == SpvOpFUnordNotEqual && code_word(code, item, 4) == id;
    return (op == SpvOpIsNan || op == SpvOpIsInf || differs) && code_word(code, item, 3) == id;
}

// Returns whether the branch that ends a block goes to block `to` only if the value is special.
static bool goes_if_special(const struct code *code, uint32_t branch, uint32_t to, uint32_t id) {
    return code_op(code, branch) == SpvOpBranchConditional && code_word(code, branch, 2) == to &&
           code_word(code, branch, 3) != to && tests_special(code, code_word(code, branch, 1), id);
}

static bool comes_if_special(const struct code *code, uint32_t phi, uint32_t parent, uint32_t id) {
    uint32_t here = code_word(code, code->items[phi].block, 1), block = code_definition(code, parent), ways = 0,
             guarded = 0;
    for (uint32_t item = code->first_function; item < code->end; item++) {
        if (!code_ends_block(code_op(code, item))) continue;
        if (code->items[item].block == block && goes_if_special(code, item, here, id)) return true;
        for (uint32_t word = 1; word < spirv_length(code_item(code, item)); word++)
            if (code_word(code, item, word) == parent) ways++;
        guarded += goes_if_special(code, item, parent, id);
    }
    return ways == 1 && guarded == 1;
}

bool flow_is_special(const struct code *code, uint32_t item, uint32_t word) {
    uint32_t op = code_op(code, item), id = code_word(code, item, word);
    if (op == SpvOpSelect) return word == 4 && tests_special(code, code_word(code, item, 3), id);
    return op == SpvOpPhi && word % 2 == 1 && comes_if_special(code, item, code_word(code, item, word + 1), id);
}

// ---- following

static void follow(struct tracing *t, uint32_t item, uint32_t word, uint8_t how) {
    uint32_t op = code_op(t->code, item);
    uint32_t variable = op == SpvOpStore && word == 2 ? own_variable(t->code, code_word(t->code, item, 1)) : 0;
    if (variable) {
        mark(t, variable, how);
        return;
    }
    static const uint8_t ways[] = {MOVED, COMPUTED};
    for (size_t i = 0; i < sizeof ways; i++) {
        const uint8_t one = ways[i];
        if (!(how & one)) continue;
        enum flow flow = t->use(t->code, item, word, one == MOVED, t->user);
        t->shows |= flow == FLOW_SHOWS || (flow != FLOW_ENDS && !code_has_result(op));
        if (flow == FLOW_PASSES || flow == FLOW_ALTERS)
            mark(t, code_word(t->code, item, 2), flow == FLOW_PASSES ? one : COMPUTED);
    }
}

// Follows an instruction that takes a pointer into a marked variable.
static void follow_variable(struct tracing *t, uint32_t item, uint32_t word, uint8_t how) {
    uint32_t op = code_op(t->code, item);
    if (op == SpvOpLoad && word == 3)
        mark(t, code_word(t->code, item, 2), how);
    else if (op != SpvOpAccessChain && op != SpvOpInBoundsAccessChain && op != SpvOpCopyObject &&
             !(op == SpvOpStore && word == 1))
        t->shows = true;
}

static void visit(struct tracing *t, uint32_t item) {
    const uint32_t *i = code_item(t->code, item);
    uint32_t op = spirv_op(i);
    if (t->code->items[item].is_dead || op == SpvOpLine || op == SpvOpNoLine || op == SpvOpLabel) return;
    for (uint32_t word = code_has_result(op) ? 3 : 1; word < spirv_length(i) && !t->shows; word++) {
        if (spirv_operand(i, word) == OPERAND_NUMBER || i[word] >= t->code->bound) continue;
        uint32_t variable = own_variable(t->code, i[word]);
        if (variable && t->marks[variable])
            follow_variable(t, item, word, t->marks[variable]);
        else if (!variable && t->marks[i[word]])
            follow(t, item, word, t->marks[i[word]]);
    }
}

bool flow_is_hidden(const struct code *code, uint32_t id, bool moved, flow_use *use, const void *user) {
    struct tracing t = {.code = code, .use = use, .user = user};
    t.marks = memory_alloc(code->bound + 1, sizeof *t.marks);
    mark(&t, id, moved ? MOVED : COMPUTED);
    while (t.grew && !t.shows) { // loops and variables carry values back to earlier items
        t.grew = false;
        for (uint32_t item = code->first_function; item < code->end && !t.shows; item++) visit(&t, item);
    }
    free(t.marks);
    return !t.shows;
}
