// SPDX-License-Identifier: Apache-2.0
// Mutations of loops and returns.
#include "mutations.h"

#include "../split.h"

// Emits a bool at the head of a loop, true only in the first turn. Returns 0 if the loop has several entries or ways
// back.
static uint32_t first_turn(struct module_change *c, uint32_t header) {
    uint32_t from[2], label = code_word(c->code, header, 1);
    if (split_leading(c->code, label, from, 2) != 2) return 0;
    bool second_enters = code_definition(c->code, from[0]) >= header;
    return change_emit(c, BEHIND, header, SpvOpPhi, change_bool(c), 0,
        OPERANDS(change_flag(c, !second_enters), from[0], change_flag(c, second_enters), from[1]));
}

static bool loop_once(struct module_change *c, uint32_t item, int way) {
    uint32_t leaves, merge = way ? 0 : mutation_loop_left(c->code, item, &leaves);
    if (!merge) return false;
    uint32_t header = c->code->items[merge].block, condition = code_word(c->code, item, 1), type = change_bool(c);
    change_tell(c, "a loop ended after one iteration");
    if (code_word(c->code, item, 5 - leaves) == code_word(c->code, header, 1)) { // tested at the end of each turn
        change_word(c, item, 1, change_flag(c, leaves == 2));
        return true;
    }
    uint32_t first = first_turn(c, header);
    if (!first) return false;
    uint32_t now;
    if (leaves == 3) {
        now = change_emit(c, BEFORE, item, SpvOpLogicalAnd, type, 0, OPERANDS(condition, first));
    } else {
        uint32_t later = change_emit(c, BEFORE, item, SpvOpLogicalNot, type, 0, OPERANDS(first));
        now = change_emit(c, BEFORE, item, SpvOpLogicalOr, type, 0, OPERANDS(condition, later));
    }
    change_word(c, item, 1, now);
    return true;
}

// Returns the operation that advances a counter of the loop, as an item; 0: it is no such counter.
static uint32_t growth(const struct code *code, uint32_t header, uint32_t counter) {
    uint32_t phi = code_definition(code, counter);
    if (code_defined_by(code, counter) != SpvOpPhi || code->items[phi].block != header) return 0;
    for (uint32_t word = 3; word < spirv_length(code_item(code, phi)); word += 2) {
        uint32_t next = code_word(code, phi, word), item = code_definition(code, next),
                 op = code_defined_by(code, next);
        if ((op == SpvOpIAdd || op == SpvOpISub) && code_word(code, item, 3) == counter &&
            code_definition(code, code_word(code, item, 4)) < header)
            return item;
    }
    return 0;
}

// Ends the loop by comparing the counter's next value.
static bool loop_early(struct module_change *c, uint32_t item, int way) {
    uint32_t leaves, merge = way ? 0 : mutation_loop_left(c->code, item, &leaves);
    if (!merge) return false;
    uint32_t condition = code_word(c->code, item, 1), test = code_definition(c->code, condition);
    uint32_t header = c->code->items[merge].block, op = code_defined_by(c->code, condition);
    if (op < SpvOpIEqual || op > SpvOpSLessThanEqual || test < header) return false;
    for (uint32_t word = 3; word <= 4; word++) {
        uint32_t counter = code_word(c->code, test, word), step = growth(c->code, header, counter);
        if (!step) continue;
        uint32_t next = change_emit(c, BEFORE, test, code_op(c->code, step), code_type(c->code, counter), 0,
            OPERANDS(counter, code_word(c->code, step, 4)));
        change_word(c, test, word, next);
        change_tell(c, "a loop ended one iteration early");
        return true;
    }
    return false;
}

static bool early_return(struct module_change *c, uint32_t item, int way) {
    uint32_t op = code_op(c->code, item), class = SpvStorageClassMax;
    if (op == SpvOpStore) class = code_class(c->code, code_word(c->code, item, 1));
    if (way || (op != SpvOpControlBarrier && class != SpvStorageClassStorageBuffer)) return false;
    uint32_t function = item;
    while (function > c->code->first_function && code_op(c->code, function) != SpvOpFunction) function--;
    const bool returns_nothing = code_defined_by(c->code, code_word(c->code, function, 1)) == SpvOpTypeVoid;
    if (!split_allowed(c->code, item) || !returns_nothing) return false;
    uint32_t others = split_not_first(c, item);
    if (!others) return false;
    uint32_t first = change_emit(c, BEFORE, item, SpvOpLogicalNot, change_bool(c), 0, OPERANDS(others));
    split_return(c, item, first);
    change_tell(c, "the first invocation returned before a %s", op == SpvOpStore ? "store" : "barrier");
    return true;
}

const struct mutation mutations_control[] = {
    {"control.loop_once", "a loop without its repetition", loop_once},
    {"control.loop_early", "a loop without its last iteration", loop_early},
    {"control.early_return", "a return too early", early_return},
    {NULL, NULL, NULL},
};
