// SPDX-License-Identifier: Apache-2.0
#include "instrumenter.h"

#include <string.h>

bool refuse(struct instrumenter *w, const char *what) {
    return error_of_kind(w->err, ERROR_SKIP, "%s%s", what, w->uses_addresses ? "; buffer addresses" : "");
}

void emit_copy(struct instrumenter *w, struct word_list *to, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        to->items = arena_grow(w->arena, to->items, to->count, &to->capacity, sizeof *to->items);
        to->items[to->count++] = words[i];
    }
}

void emit_words(struct instrumenter *w, struct word_list *to, uint32_t op, size_t count, const uint32_t *operands) {
    const uint32_t first = (uint32_t)(count + 1) << SpvWordCountShift | op;
    emit_copy(w, to, &first, 1);
    emit_copy(w, to, operands, count);
}

uint32_t emit_value(
    struct instrumenter *w, struct word_list *to, uint32_t op, uint32_t type, size_t count, const uint32_t *operands) {
    const uint32_t result = w->bound++, first[] = {(uint32_t)(count + 3) << SpvWordCountShift | op, type, result};
    emit_copy(w, to, first, 3);
    emit_copy(w, to, operands, count);
    return result;
}

uint32_t emit_constant(struct instrumenter *w, uint32_t value) {
    for (size_t i = 0; i < w->constant_count; i++)
        if (w->constants[i].value == value) return w->constants[i].id;
    w->constants = arena_grow(w->arena, w->constants, w->constant_count, &w->constant_capacity, sizeof *w->constants);
    w->constants[w->constant_count].value = value;
    w->constants[w->constant_count].id = EMIT_VALUE(w, &w->declared, SpvOpConstant, w->uint_type, value);
    return w->constants[w->constant_count++].id;
}

uint32_t emit_type(struct instrumenter *w, uint32_t op, size_t count, const uint32_t *operands) {
    const uint32_t first = (uint32_t)(count + 2) << SpvWordCountShift | op;
    for (size_t at = 0; spirv_next(w->m->words, w->m->declarations, &at);) {
        const uint32_t *i = &w->m->words[at];
        if (i[0] == first && (!count || memcmp(&i[2], operands, count * sizeof *operands) == 0)) return i[1];
    }
    for (size_t at = 0; at < w->declared.count; at += spirv_length(&w->declared.items[at])) {
        const uint32_t *i = &w->declared.items[at];
        if (i[0] == first && (!count || memcmp(&i[2], operands, count * sizeof *operands) == 0)) return i[1];
    }
    const uint32_t result = w->bound++;
    emit_copy(w, &w->declared, (const uint32_t[]){first, result}, 2);
    emit_copy(w, &w->declared, operands, count);
    return result;
}

struct site *sites_add(struct instrumenter *w, enum site_kind kind) {
    const uint32_t *file = module_defined(w->m, w->file, SpvOpString, 3);
    w->sites = arena_grow(w->arena, w->sites, w->site_count, &w->site_capacity, sizeof *w->sites);
    struct site *site = &w->sites[w->site_count++];
    *site = (struct site){.kind = kind,
        .name = "",
        .file = file ? arena_copy(w->arena, module_text(file, 2)) : "",
        .line = file ? w->line : 0};
    return site;
}
