// SPDX-License-Identifier: Apache-2.0
#include "split.h"

bool split_allowed(const struct code *code, uint32_t item) {
    uint32_t end = item, op = code_op(code, item);
    while (end < code->end && !code_ends_block(code_op(code, end))) end++;
    if (!code->items[item].block || op == SpvOpPhi || op == SpvOpVariable || op == SpvOpLabel || end == code->end)
        return false;
    for (uint32_t at = item; at < end; at++)
        if (code_op(code, at) == SpvOpLoopMerge) return false;
    return true;
}

static uint32_t find_built_in(const struct code *code, uint32_t built_in) {
    for (uint32_t id = 1; id < code->bound; id++)
        if (code->ids[id].built_in == built_in + 1 && code_defined_by(code, id) == SpvOpVariable) return id;
    return 0;
}

uint32_t split_not_first(struct module_change *c, uint32_t item) {
    uint32_t whole = change_int(c, 32, false), lane = find_built_in(c->code, SpvBuiltInLocalInvocationIndex);
    uint32_t id = find_built_in(c->code, SpvBuiltInLocalInvocationId), index;
    if (lane) {
        index = change_emit(c, BEFORE, item, SpvOpLoad, whole, 0, OPERANDS(lane));
    } else if (id) {
        uint32_t all = change_emit(c, BEFORE, item, SpvOpLoad, change_vector(c, whole, 3), 0, OPERANDS(id));
        index = change_emit(c, BEFORE, item, SpvOpCompositeExtract, whole, 0, OPERANDS(all, 0));
    } else {
        return 0;
    }
    return change_emit(
        c, BEFORE, item, SpvOpINotEqual, change_bool(c), 0, OPERANDS(index, change_constant(c, whole, 32, 0)));
}

// Makes phis name the block's new end as their predecessor.
static void rename_block(struct module_change *c, uint32_t block, uint32_t end) {
    uint32_t label = code_word(c->code, block, 1);
    for (uint32_t item = c->code->first_function; item < c->code->end; item++)
        for (uint32_t word = 4; code_op(c->code, item) == SpvOpPhi && word < spirv_length(code_item(c->code, item));
             word += 2)
            if (code_word(c->code, item, word) == label) change_word(c, item, word, end);
}

static void begin(struct module_change *c, uint32_t item, uint32_t condition, uint32_t then, uint32_t after) {
    change_put(c, BEFORE, item, SpvOpSelectionMerge, OPERANDS(after, SpvSelectionControlMaskNone));
    change_put(c, BEFORE, item, SpvOpBranchConditional, OPERANDS(condition, then, after));
    change_put(c, BEFORE, item, SpvOpLabel, OPERANDS(then));
    rename_block(c, c->code->items[item].block, after);
}

void split_conditional(struct module_change *c, uint32_t item, uint32_t condition) {
    uint32_t then = c->bound++, after = c->bound++;
    begin(c, item, condition, then, after);
    change_put(c, BEHIND, item, SpvOpBranch, OPERANDS(after));
    change_put(c, BEHIND, item, SpvOpLabel, OPERANDS(after));
}

void split_return(struct module_change *c, uint32_t item, uint32_t condition) {
    uint32_t then = c->bound++, after = c->bound++;
    begin(c, item, condition, then, after);
    change_put(c, BEFORE, item, SpvOpReturn, NULL, 0);
    change_put(c, BEFORE, item, SpvOpLabel, OPERANDS(after));
}

static bool leads_to(const struct code *code, uint32_t end, uint32_t label) {
    uint32_t op = code_op(code, end), word = op == SpvOpBranch ? 1 : 2;
    if (op != SpvOpBranch && op != SpvOpBranchConditional && op != SpvOpSwitch) return false;
    uint32_t last = op == SpvOpBranchConditional ? 4 : spirv_length(code_item(code, end));
    for (; word < last; word += op == SpvOpSwitch ? 2 : 1) // a switch has a default, then pairs
        if (code_word(code, end, word) == label) return true;
    return false;
}

int split_leading(const struct code *code, uint32_t label, uint32_t *labels, int most) {
    int count = 0;
    for (uint32_t item = code->first_function; item < code->end; item++) {
        if (!code_ends_block(code_op(code, item)) || !leads_to(code, item, label)) continue;
        if (count < most) labels[count] = code_word(code, code->items[item].block, 1);
        count++;
    }
    return count;
}
