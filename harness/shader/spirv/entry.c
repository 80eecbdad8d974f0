// SPDX-License-Identifier: Apache-2.0
#include "changes.h"

#include "../../base/memory.h"
#include "module.h"

#include <stdlib.h>
#include <string.h>

enum { BY_ENTRY = 1, BY_OTHERS = 2 };

struct isolation {
    struct module module;
    const uint32_t *entry; // OpEntryPoint
    uint8_t *reached;      // per id: BY_...
    uint32_t *calls;       // per function: its calls from functions not yet taken away
    uint32_t *pending;
    size_t pending_count;
    uint32_t *out;
    size_t out_count;
    bool changed; // a function or an entry point was left out
};

// ---- the ids reached

static void reach(struct isolation *s, uint32_t id, uint8_t by) {
    if (id >= s->module.bound || s->reached[id] & by) return;
    s->reached[id] |= by;
    if (s->module.ids[id].at) s->pending[s->pending_count++] = id;
}

static void reach_operands(struct isolation *s, const uint32_t *i, uint8_t by) {
    if (module_is_remark(&s->module, i)) return;
    for (uint32_t word = 1; word < spirv_length(i); word++) {
        const enum operand_kind kind = spirv_operand(i, word);
        const uint32_t at = i[word] < s->module.bound ? s->module.ids[i[word]].at : 0;
        const uint32_t op = at ? spirv_op(&s->module.words[at]) : SpvOpNop;
        const bool is_constant = op == SpvOpUndef || (op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp);
        if (kind == OPERAND_ID || (kind == OPERAND_NUMBER_OR_CONSTANT && is_constant)) reach(s, i[word], by);
    }
}

// Returns the next instruction of the function; NULL after its last.
static const uint32_t *next_in_function(const struct module *m, const uint32_t *i) {
    size_t at = (size_t)(i - m->words);
    return spirv_op(i) != SpvOpFunctionEnd && spirv_next(m->words, m->count, &at) ? &m->words[at] : NULL;
}

static void reach_all(struct isolation *s, uint8_t by) {
    const struct module *m = &s->module;
    while (s->pending_count) {
        const uint32_t *i = &m->words[m->ids[s->pending[--s->pending_count]].at];
        if (spirv_op(i) != SpvOpFunction)
            reach_operands(s, i, by);
        else
            for (; i; i = next_in_function(m, i)) reach_operands(s, i, by);
    }
}

// A constant for the workgroup size applies to every entry point; if there are several, the entry point uses its own.
static void reach_size(struct isolation *s) {
    const struct module *m = &s->module;
    bool reached = false;
    for (uint32_t id = 1; id < m->bound; id++) reached |= m->ids[id].workgroup_size && s->reached[id];
    for (uint32_t id = 1; id < m->bound && !reached; id++)
        if (m->ids[id].workgroup_size) reach(s, id, BY_ENTRY);
    reach_all(s, BY_ENTRY);
}

// Reaches the entry point's code, and the ids in decorations and modes.
static void reach_roots(struct isolation *s) {
    const struct module *m = &s->module;
    for (size_t at = 0; spirv_next(m->words, m->declarations, &at);) {
        const uint32_t *i = &m->words[at];
        bool mode = spirv_op(i) == SpvOpExecutionModeId && spirv_length(i) > 1 && i[1] == s->entry[2];
        if (mode || spirv_op(i) == SpvOpDecorateId)
            for (uint32_t word = 3; word < spirv_length(i); word++) reach(s, i[word], BY_ENTRY);
    }
    reach(s, s->entry[2], BY_ENTRY);
    reach_all(s, BY_ENTRY);
    reach_size(s);
}

// Returns whether an id is a type or a constant: these exist only for their users.
static bool is_part(const struct module *m, uint32_t id) {
    const uint32_t *i = &m->words[m->ids[id].at];
    uint32_t op = spirv_op(i);
    bool type = module_result(m, i) == i[1] && op >= SpvOpTypeVoid && op != SpvOpDecorationGroup;
    return type || op == SpvOpUndef || (op >= SpvOpConstantTrue && op < SpvOpSpecConstantTrue);
}

// Keeps variables and specialization constants without any use, together with their parts.
static void reach_rest(struct isolation *s) {
    const struct module *m = &s->module;
    for (size_t at = m->declarations; at < m->count; at += spirv_length(&m->words[at]))
        if (spirv_op(&m->words[at]) == SpvOpFunction && !(s->reached[m->words[at + 2]] & BY_ENTRY))
            reach(s, m->words[at + 2], BY_OTHERS);
    reach_all(s, BY_OTHERS);
    for (uint32_t id = 1; id < m->bound; id++)
        if (!s->reached[id] && m->ids[id].at && m->ids[id].at < m->declarations &&
            spirv_op(&m->words[m->ids[id].at]) != SpvOpExtInst && !is_part(m, id))
            reach(s, id, BY_ENTRY);
    reach_all(s, BY_ENTRY);
}

static bool is_gone(const struct isolation *s, uint32_t id) {
    return id < s->module.bound && !(s->reached[id] & BY_ENTRY);
}

// ---- checks that the code can run

// Checks the order of functions: each ends before the next begins.
static bool check_functions(const struct module *m, struct error *err) {
    size_t start = 0, at = m->declarations;
    for (; at < m->count; at += spirv_length(&m->words[at])) {
        uint32_t op = spirv_op(&m->words[at]), length = spirv_length(&m->words[at]);
        if (op == SpvOpFunction      ? start || length < 5
            : op == SpvOpFunctionEnd ? !start
                                     : op == SpvOpFunctionCall && length < 4)
            return error_set(
                err, STATUS_BAD_INPUT, "the SPIR-V is damaged: a function or call at word %zu is not whole", at);
        if (op == SpvOpFunction) start = at;
        if (op == SpvOpFunctionEnd) start = 0;
    }
    return !start ||
           error_set(err, STATUS_BAD_INPUT, "the SPIR-V is damaged: the function at word %zu does not end", start);
}

static bool is_function(const struct module *m, uint32_t id) {
    return module_defined(m, id, SpvOpFunction, 5);
}

static bool count_calls(struct isolation *s, uint32_t *functions, struct error *err) {
    const struct module *m = &s->module;
    if (!is_function(m, s->entry[2]))
        return error_set(err, STATUS_BAD_INPUT,
            "the SPIR-V is damaged: entry point \"%s\" is id %u, which is no function", module_text(s->entry, 3),
            s->entry[2]);
    for (uint32_t id = 1; id < m->bound; id++) {
        if (!(s->reached[id] & BY_ENTRY) || !is_function(m, id)) continue;
        ++*functions;
        for (const uint32_t *i = &m->words[m->ids[id].at]; i; i = next_in_function(m, i)) {
            if (spirv_op(i) != SpvOpFunctionCall) continue;
            if (!is_function(m, i[3]))
                return error_set(err, STATUS_BAD_INPUT,
                    "the SPIR-V is damaged: word %zu calls id %u, which is no function", (size_t)(i - m->words), i[3]);
            s->calls[i[3]]++;
        }
    }
    return true;
}

// Takes functions away one by one, once all calls of them are seen. Functions in a cycle of calls remain; Vulkan does
// not allow them.
static bool check_calls(struct isolation *s, struct error *err) {
    const struct module *m = &s->module;
    uint32_t functions = 0, taken = 0;
    if (!count_calls(s, &functions, err)) return false;
    for (uint32_t id = 1; id < m->bound;
         id++) // the entry point, and functions used as operands, as by the load of a matrix
        if (s->reached[id] & BY_ENTRY && !s->calls[id] && module_defined(m, id, SpvOpFunction, 5))
            s->pending[s->pending_count++] = id;
    for (; s->pending_count; taken++) {
        uint32_t function = s->pending[--s->pending_count];
        for (const uint32_t *i = &m->words[m->ids[function].at]; i; i = next_in_function(m, i))
            if (spirv_op(i) == SpvOpFunctionCall && --s->calls[i[3]] == 0) s->pending[s->pending_count++] = i[3];
    }
    return taken == functions ||
           error_set(err, STATUS_BAD_INPUT, "functions of entry point \"%s\" are recursive; Vulkan allows no recursion",
               module_text(s->entry, 3));
}

// ---- the remaining module

static void emit(struct isolation *s, const uint32_t *i) {
    memcpy(&s->out[s->out_count], i, spirv_length(i) * sizeof *i);
    s->out_count += spirv_length(i);
}

// Emits an instruction with a list of ids at its end, `step` words each, without the removed ids.
static void emit_list(struct isolation *s, const uint32_t *i, uint32_t first, uint32_t step) {
    uint32_t *out = &s->out[s->out_count], length = first;
    memcpy(out, i, first * sizeof *i);
    for (uint32_t word = first; word + step <= spirv_length(i); word += step) {
        if (is_gone(s, i[word])) continue;
        memcpy(&out[length], &i[word], step * sizeof *i);
        length += step;
    }
    out[0] = length << 16 | spirv_op(i);
    s->out_count += length;
}

// Emits the entry point; its interface follows its name.
static void emit_entry(struct isolation *s, const uint32_t *i) {
    uint32_t name = (uint32_t)(strlen(module_text(i, 3)) / sizeof *i) + 1;
    if (i == s->entry && 3 + name <= spirv_length(i))
        emit_list(s, i, 3 + name, 1);
    else if (i == s->entry)
        emit(s, i);
    else
        s->changed = true;
}

static void emit_declaration(struct isolation *s, const uint32_t *i) {
    uint32_t length = spirv_length(i);
    switch (length > 1 ? spirv_op(i) : SpvOpLine) {
    case SpvOpEntryPoint:
        emit_entry(s, i);
        return;
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
        if (i[1] == s->entry[2]) emit(s, i);
        return;
    case SpvOpName:
    case SpvOpMemberName:
    case SpvOpDecorate:
    case SpvOpMemberDecorate:
    case SpvOpDecorateId:
    case SpvOpDecorateString:
    case SpvOpMemberDecorateString:
    case SpvOpTypeForwardPointer:
        if (!is_gone(s, i[1])) emit(s, i);
        return;
    case SpvOpGroupDecorate:
        emit_list(s, i, 2, 1);
        return;
    case SpvOpGroupMemberDecorate:
        emit_list(s, i, 2, 2);
        return;
    case SpvOpLine:
    case SpvOpNoLine:
        return;
    }
    const uint32_t result = module_result(&s->module, i);
    if (!module_is_remark(&s->module, i) && (!result || !is_gone(s, result))) emit(s, i);
}

static void emit_function(struct isolation *s, const uint32_t *i) {
    if (is_gone(s, i[2])) {
        s->changed = true;
        return;
    }
    for (; i; i = next_in_function(&s->module, i))
        if (!module_is_remark(&s->module, i)) emit(s, i);
}

static bool isolate(struct arena *arena, struct isolation *s, struct spirv *spirv, struct error *err) {
    s->reached = memory_alloc(s->module.bound, sizeof *s->reached);
    s->calls = memory_alloc(s->module.bound, sizeof *s->calls);
    s->pending = memory_alloc(s->module.bound, sizeof *s->pending);
    s->out = arena_alloc(arena, spirv->count, sizeof *s->out);
    reach_roots(s);
    if (!check_calls(s, err)) return false;
    reach_rest(s);
    const struct module *m = &s->module;
    memcpy(s->out, m->words, SPIRV_HEADER * sizeof *m->words);
    s->out_count = SPIRV_HEADER;
    for (size_t at = 0; spirv_next(m->words, m->declarations, &at);) emit_declaration(s, &m->words[at]);
    for (size_t at = m->declarations; at < m->count; at += spirv_length(&m->words[at]))
        if (spirv_op(&m->words[at]) == SpvOpFunction) emit_function(s, &m->words[at]);
    size_t count = entry_narrow(s->out, s->out_count);
    if (!s->changed && count == s->out_count) return true;
    spirv->words = s->out;
    spirv->count = count;
    return true;
}

bool entry_isolate(struct arena *arena, struct spirv *spirv, const char *entry, struct error *err) {
    struct isolation s = {0};
    bool ok = module_open(&s.module, spirv->words, spirv->count, err) && check_functions(&s.module, err);
    if (ok && (s.entry = module_entry(&s.module, entry))) ok = isolate(arena, &s, spirv, err);
    free(s.reached);
    free(s.calls);
    free(s.pending);
    module_close(&s.module);
    return ok;
}
