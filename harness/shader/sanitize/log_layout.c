// SPDX-License-Identifier: Apache-2.0
// Sizes and places of types in memory. Storage has declared offsets and strides. Shared memory has none, so its
// elements are packed here as they come.
#include "instrumenter.h"

enum { MOST_DEPTH = 16 };

bool layout_constant(struct instrumenter *w, uint32_t id, uint32_t *value) {
    const size_t at = id < w->m->bound ? w->numbers.defined_at[id] : 0;
    if (!at || at >= w->m->declarations) return false;
    const struct value known = numbers_of(&w->numbers, id);
    *value = known.bits;
    return known.known;
}

static struct member *find_member(struct instrumenter *w, uint32_t type, uint32_t index) {
    for (size_t i = 0; i < w->member_count; i++)
        if (w->members[i].type == type && w->members[i].index == index) return &w->members[i];
    return NULL;
}

static void note_decoration(struct instrumenter *w, const uint32_t *i, size_t *capacity) {
    const uint32_t what = i[3];
    if (what != SpvDecorationOffset && what != SpvDecorationMatrixStride && what != SpvDecorationRowMajor) return;
    struct member *member = find_member(w, i[1], i[2]);
    if (!member) {
        w->members = arena_grow(w->arena, w->members, w->member_count, capacity, sizeof *w->members);
        member = &w->members[w->member_count++];
        *member = (struct member){.type = i[1], .index = i[2]};
    }
    const uint32_t value = spirv_length(i) > 4 ? i[4] : 0;
    if (what == SpvDecorationOffset) member->offset = value;
    if (what == SpvDecorationMatrixStride) member->stride = value;
    if (what == SpvDecorationRowMajor) member->row_major = true;
}

void layout_open(struct instrumenter *w) {
    size_t capacity = 0;
    for (size_t at = 0; spirv_next(w->m->words, w->m->declarations, &at);) {
        const uint32_t *i = &w->m->words[at];
        if (spirv_op(i) == SpvOpMemberDecorate && spirv_length(i) > 3) note_decoration(w, i, &capacity);
    }
}

static const uint32_t *type_at(const struct instrumenter *w, uint32_t type) {
    const uint32_t at = type < w->m->bound ? w->m->ids[type].at : 0;
    return at ? &w->m->words[at] : NULL;
}

struct layout_extent {
    uint64_t bytes, alignment;
};

static struct layout_extent extent_of(struct instrumenter *w, uint32_t type, bool declared, int depth);

static uint64_t align(uint64_t bytes, uint64_t alignment) {
    return alignment ? (bytes + alignment - 1) / alignment * alignment : bytes;
}

static struct layout_extent extent_of_struct(struct instrumenter *w, const uint32_t *type, bool declared, int depth) {
    struct layout_extent all = {0, 1};
    for (uint32_t k = 2; k < spirv_length(type); k++) {
        const struct layout_extent one = extent_of(w, type[k], declared, depth + 1);
        const struct member *member = find_member(w, type[1], k - 2);
        const uint32_t *matrix = type_at(w, type[k]);
        uint64_t bytes = one.bytes, at = declared && member ? member->offset : align(all.bytes, one.alignment);
        if (!bytes) return (struct layout_extent){0, 1};
        if (declared && member && member->stride && matrix && spirv_op(matrix) == SpvOpTypeMatrix)
            bytes = (uint64_t)member->stride * matrix[3]; // of columns; an upper bound for rows is not needed
        if (at + bytes > all.bytes) all.bytes = at + bytes;
        if (one.alignment > all.alignment) all.alignment = one.alignment;
    }
    return all;
}

static struct layout_extent extent_of(struct instrumenter *w, uint32_t type, bool declared, int depth) {
    const uint32_t *i = type_at(w, type);
    struct layout_extent part;
    uint32_t count = 0;
    if (!i || depth > MOST_DEPTH) return (struct layout_extent){0, 1};
    switch (spirv_op(i)) {
    case SpvOpTypeBool:
        return (struct layout_extent){4, 4};
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        return (struct layout_extent){i[2] / 8, i[2] / 8};
    case SpvOpTypePointer:
        return (struct layout_extent){8, 8};
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        part = extent_of(w, i[2], declared, depth + 1);
        return (struct layout_extent){part.bytes * i[3], part.alignment};
    case SpvOpTypeArray:
        if (!layout_constant(w, i[3], &count) || !count) return (struct layout_extent){0, 1};
        part = extent_of(w, i[2], declared, depth + 1);
        return (struct layout_extent){layout_stride(w, i, declared) * (count - 1) + part.bytes, part.alignment};
    case SpvOpTypeStruct:
        return extent_of_struct(w, i, declared, depth);
    default:
        return (struct layout_extent){0, 1};
    }
}

uint64_t layout_bytes(struct instrumenter *w, uint32_t type, bool declared) {
    return extent_of(w, type, declared, 0).bytes;
}

uint64_t layout_stride(struct instrumenter *w, const uint32_t *array, bool declared) {
    const uint32_t stride = array[1] < w->m->bound ? w->m->ids[array[1]].stride : 0;
    if (declared && stride) return stride;
    const struct layout_extent element = extent_of(w, array[2], declared, 0);
    return align(element.bytes, element.alignment);
}

bool layout_member(struct instrumenter *w, const uint32_t *type, uint32_t index, bool declared, struct member *out) {
    const struct member *found = find_member(w, type[1], index);
    uint64_t at = 0;
    *out = (struct member){.type = type[1], .index = index};
    if (index + 2 >= spirv_length(type)) return false;
    if (declared && found) *out = *found;
    if (declared) return found != NULL;
    for (uint32_t k = 0; k <= index; k++) {
        const struct layout_extent one = extent_of(w, type[2 + k], declared, 0);
        at = align(at, one.alignment);
        if (k == index) break;
        at += one.bytes;
    }
    out->offset = (uint32_t)at;
    return true;
}

// Returns whether a shared variable is a block with declared offsets. All such blocks begin at the same place.
static bool is_block(const struct instrumenter *w, const uint32_t *type) {
    for (size_t at = 0; spirv_next(w->m->words, w->m->declarations, &at);) {
        const uint32_t *i = &w->m->words[at];
        if (spirv_op(i) == SpvOpDecorate && i[1] == type[1] && i[2] == SpvDecorationBlock) return true;
    }
    return false;
}

bool layout_shared(struct instrumenter *w) {
    uint64_t end = 0;
    for (size_t at = 0; spirv_next(w->m->words, w->m->declarations, &at);) {
        const uint32_t *i = &w->m->words[at];
        if (spirv_op(i) != SpvOpVariable || i[3] != SpvStorageClassWorkgroup) continue;
        const uint32_t *pointer = module_defined(w->m, i[1], SpvOpTypePointer, 4);
        const uint32_t *type = pointer ? type_at(w, pointer[3]) : NULL;
        if (!type) return refuse(w, "a shared variable without a type");
        if (is_block(w, type)) return refuse(w, "shared memory with declared offsets");
        const uint64_t bytes = layout_bytes(w, pointer[3], false);
        if (!bytes) return refuse(w, "a shared variable of unknown size");
        w->shared_at[i[2]] = (uint32_t)end + 1;
        end = align(end + bytes, 16);
        if (end > (uint64_t)1 << 24) return refuse(w, "more than 16 MiB of shared memory");
    }
    w->shared_bytes = (uint32_t)end;
    return true;
}
