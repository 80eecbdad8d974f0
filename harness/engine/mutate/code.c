// SPDX-License-Identifier: Apache-2.0
#include "code.h"

#include <string.h>

uint32_t code_word(const struct code *code, uint32_t item, uint32_t word) {
    const uint32_t *i = code_item(code, item);
    return word < spirv_length(i) ? i[word] : 0;
}

bool code_ends_block(uint32_t op) {
    return (op >= SpvOpBranch && op <= SpvOpUnreachable) || op == SpvOpTerminateInvocation;
}

uint32_t code_definition(const struct code *code, uint32_t id) {
    return id < code->bound ? code->ids[id].item : 0;
}

uint32_t code_defined_by(const struct code *code, uint32_t id) {
    uint32_t item = code_definition(code, id);
    return item ? code_op(code, item) : SpvOpNop;
}

uint32_t code_type(const struct code *code, uint32_t id) {
    return id < code->bound ? code->ids[id].type : 0;
}

static uint32_t pointer_type(const struct code *code, uint32_t pointer) {
    uint32_t type = code_type(code, pointer);
    return code_defined_by(code, type) == SpvOpTypePointer ? code_definition(code, type) : 0;
}

uint32_t code_class(const struct code *code, uint32_t pointer) {
    uint32_t type = pointer_type(code, pointer);
    return type ? code_word(code, type, 2) : SpvStorageClassMax;
}

uint32_t code_pointee(const struct code *code, uint32_t pointer) {
    uint32_t type = pointer_type(code, pointer);
    return type ? code_word(code, type, 3) : 0;
}

struct number_type code_number(const struct code *code, uint32_t type) {
    struct number_type n = {.type = type, .scalar = type, .components = 1};
    if (code_defined_by(code, type) == SpvOpTypeVector) {
        n.scalar = code_word(code, code_definition(code, type), 2);
        n.components = code_word(code, code_definition(code, type), 3);
    }
    uint32_t item = code_definition(code, n.scalar), op = code_defined_by(code, n.scalar);
    n.width = item ? code_word(code, item, 2) : 0;
    if (op == SpvOpTypeFloat && spirv_length(code_item(code, item)) == 3) n.kind = NUMBER_FLOAT; // IEEE 754 only
    if (op == SpvOpTypeInt) n.kind = code_word(code, item, 3) ? NUMBER_SIGNED : NUMBER_UNSIGNED;
    if (op == SpvOpTypeBool) n.kind = NUMBER_BOOL;
    return n;
}

bool code_constant(const struct code *code, uint32_t id, uint64_t *bits) {
    uint32_t item = code_definition(code, id), op = code_defined_by(code, id), first = code_word(code, item, 3);
    if (op == SpvOpConstantComposite) {
        for (uint32_t word = 4; word < spirv_length(code_item(code, item)); word++)
            if (code_word(code, item, word) != first) return false;
        return code_defined_by(code, first) == SpvOpConstant && code_constant(code, first, bits);
    }
    if (op != SpvOpConstant) return false;
    *bits = first | (uint64_t)code_word(code, item, 4) << 32;
    return true;
}

static const char *string_at(const struct code *code, uint32_t item, uint32_t word) {
    const uint32_t *i = code_item(code, item);
    if (word >= spirv_length(i)) return "";
    const char *text = (const char *)&i[word];
    return memchr(text, '\0', (spirv_length(i) - word) * sizeof *i) ? text : "";
}

const char *code_file(const struct code *code, uint32_t file) {
    return code_defined_by(code, file) == SpvOpString ? string_at(code, code_definition(code, file), 2) : "";
}

// ---- reading

static void decorate(struct code *code, uint32_t item) {
    uint32_t id = code_word(code, item, 1), value = code_word(code, item, 3);
    if (id >= code->bound) return;
    struct definition *d = &code->ids[id];
    switch (code_word(code, item, 2)) {
    case SpvDecorationBuiltIn:
        d->built_in = value + 1;
        break;
    case SpvDecorationNoContraction:
        d->no_contraction = item;
        break;
    case SpvDecorationSpecId:
        d->tunable = value + 1;
        break;
    case SpvDecorationDescriptorSet:
        d->set = value;
        break;
    case SpvDecorationBinding:
        d->binding = value;
        break;
    }
}

static void define(struct code *code, uint32_t id, uint32_t item, uint32_t type) {
    if (id >= code->bound) return;
    code->ids[id].item = item;
    code->ids[id].type = type;
}

static void read_declaration(struct code *code, uint32_t item) {
    uint32_t op = code_op(code, item);
    if (op == SpvOpDecorate) decorate(code, item);
    if (op == SpvOpExtInstImport && strcmp(string_at(code, item, 2), "GLSL.std.450") == 0)
        code->glsl = code_word(code, item, 1);
    if (op == SpvOpString || op == SpvOpExtInstImport) define(code, code_word(code, item, 1), item, 0);
    bool constant = (op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp) || op == SpvOpVariable || op == SpvOpUndef;
    bool type = (op >= SpvOpTypeVoid && op <= SpvOpTypePipe) || op == SpvOpTypeCooperativeMatrixNV ||
                op == OP_TYPE_COOPERATIVE_MATRIX_KHR || op == OP_TYPE_TENSOR_LAYOUT_NV || op == OP_TYPE_TENSOR_VIEW_NV;
    if (!type && !constant) return;
    if (!code->first_type) code->first_type = item;
    if (constant)
        define(code, code_word(code, item, 2), item, code_word(code, item, 1));
    else
        define(code, code_word(code, item, 1), item, 0);
}

static void read_code(struct code *code, uint32_t item) {
    uint32_t op = code_op(code, item);
    if (op == SpvOpLabel) {
        define(code, code_word(code, item, 1), item, 0);
    } else if (code_has_result(op)) {
        define(code, code_word(code, item, 2), item, code_word(code, item, 1));
    }
}

// ---- dead code

// Adds `by` to the use counts of all ids named by an instruction.
static void count_uses(struct code *code, uint32_t item, int by) {
    const uint32_t *i = code_item(code, item);
    uint32_t op = spirv_op(i);
    if (op == SpvOpLine || op == SpvOpNoLine || op == SpvOpLabel) return;
    for (uint32_t word = code_has_result(op) ? 3 : 1; word < spirv_length(i); word++)
        if (spirv_operand(i, word) != OPERAND_NUMBER && i[word] < code->bound) code->ids[i[word]].uses += (uint32_t)by;
    if (op == SpvOpStore && code_word(code, item, 1) < code->bound)
        code->ids[code_word(code, item, 1)].stores += (uint32_t)by;
}

// Returns whether an item is a store to a function's variable that is never read, or an effect-free result without
// uses.
static bool is_useless(const struct code *code, uint32_t item) {
    uint32_t op = code_op(code, item), id = code_word(code, item, op == SpvOpStore ? 1 : 2);
    if (id >= code->bound) return false;
    const struct definition *d = &code->ids[id];
    if (op == SpvOpStore)
        return code_defined_by(code, id) == SpvOpVariable && code_class(code, id) == SpvStorageClassFunction &&
               d->uses == d->stores;
    const bool acts = // it has, or may have, effects beyond its result
        !code_has_result(op) || op == SpvOpFunction || op == SpvOpFunctionParameter || op == SpvOpFunctionCall ||
        op == SpvOpPhi || (op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor) || op == SpvOpAtomicFAddEXT ||
        (op >= SpvOpGroupNonUniformElect && op <= SpvOpGroupNonUniformQuadSwap);
    return !acts && !d->uses;
}

static void find_dead(struct code *code) {
    bool any = true;
    for (uint32_t item = code->first_function; item < code->end; item++) count_uses(code, item, 1);
    while (any) {
        any = false;
        for (uint32_t item = code->end - 1; item > code->first_function; item--) {
            if (code->items[item].is_dead || !is_useless(code, item)) continue;
            code->items[item].is_dead = any = true;
            count_uses(code, item, -1);
        }
    }
}

// ---- the whole module

// Assigns an item its block and line from the items before it. An optimiser may add an item without a line; it takes
// the line of the item before it.
static void place(struct code *code, uint32_t item, struct instruction *now) {
    uint32_t op = code_op(code, item);
    if (op == SpvOpLine) {
        now->file = code_word(code, item, 1);
        now->line = code_word(code, item, 2);
    }
    if (op == SpvOpFunction) *now = (struct instruction){0};
    if (op == SpvOpLabel) now->block = item;
    code->items[item].file = now->file;
    code->items[item].line = now->line;
    code->items[item].block = now->block;
    if (code_ends_block(op)) now->block = 0;
}

static bool cut(struct arena *arena, struct code *code, struct error *err) {
    size_t at = 0, end = SPIRV_HEADER;
    code->items = arena_alloc(arena, code->count + 1, sizeof *code->items);
    for (code->end = 1; spirv_next(code->words, code->count, &at); end = at + spirv_length(&code->words[at]))
        code->items[code->end++].at = (uint32_t)at;
    return end == code->count || error_set(err, STATUS_BAD_INPUT, "the SPIR-V is damaged at word %zu", end);
}

bool code_read(struct arena *arena, const uint32_t *words, size_t count, const struct code_interface *interface,
    struct code *out, struct error *err) {
    static const struct code_interface none;
    struct instruction now = {0};
    *out = (struct code){.words = words, .count = count, .interface = interface ? interface : &none};
    if (count < SPIRV_HEADER || words[0] != SpvMagicNumber || words[SPIRV_BOUND] > SPIRV_MOST_IDS)
        return error_set(err, STATUS_BAD_INPUT, "this is no SPIR-V");
    out->bound = words[SPIRV_BOUND];
    out->ids = arena_alloc(arena, out->bound + 1, sizeof *out->ids);
    if (!cut(arena, out, err)) return false;
    for (uint32_t item = 1; item < out->end; item++) {
        if (code_op(out, item) == SpvOpFunction && !out->first_function) out->first_function = item;
        if (out->first_function)
            read_code(out, item);
        else
            read_declaration(out, item);
        place(out, item, &now);
    }
    if (!out->first_function || !out->first_type) return error_set(err, STATUS_BAD_INPUT, "the SPIR-V has no code");
    find_dead(out);
    return true;
}
