// SPDX-License-Identifier: Apache-2.0
// Pointers into shared memory and storage: the address of each one as a number, with every index checked.
#include "instrumenter.h"

#include <string.h>

static bool is_buffer_block(const struct instrumenter *w, uint32_t type) {
    return type < w->m->bound && w->m->ids[type].buffer_block;
}

bool is_logged_class(const struct instrumenter *w, const uint32_t *pointer) {
    const uint32_t class = pointer[2];
    return class == SpvStorageClassWorkgroup || class == SpvStorageClassStorageBuffer ||
           (class == SpvStorageClassUniform && is_buffer_block(w, pointer[3]));
}

// ---- variables

static bool slot_of(struct instrumenter *w, uint32_t variable, uint32_t *space) {
    const struct id *id = &w->m->ids[variable];
    for (int k = 0; k < w->request->slot_count; k++)
        if (w->request->slots[k].set == id->set && w->request->slots[k].binding == id->binding) {
            *space = SPACE_STORAGE + (uint32_t)k;
            return true;
        }
    return false;
}

bool chains_variables(struct instrumenter *w) {
    for (size_t at = 0; spirv_next(w->m->words, w->m->declarations, &at);) {
        const uint32_t *i = &w->m->words[at];
        if (spirv_op(i) == OP_TYPE_UNTYPED_POINTER_KHR) return refuse(w, "untyped pointers");
        if (spirv_op(i) != SpvOpVariable) continue;
        const uint32_t *pointer = module_defined(w->m, i[1], SpvOpTypePointer, 4);
        if (!pointer) return refuse(w, "a variable without a type");
        if (pointer[2] == SpvStorageClassPhysicalStorageBuffer) w->uses_addresses = true;
        const uint32_t *array = module_defined(w->m, pointer[3], SpvOpTypeArray, 4);
        const uint32_t *runtime = module_defined(w->m, pointer[3], SpvOpTypeRuntimeArray, 3);
        if ((array || runtime) && pointer[2] != SpvStorageClassWorkgroup) {
            const uint32_t element = array ? array[2] : runtime[2];
            if (pointer[2] == SpvStorageClassStorageBuffer || is_buffer_block(w, element))
                return refuse(w, "an array of storage buffers");
        }
        if (!is_logged_class(w, pointer)) continue;
        struct address *a = &w->addresses[i[2]];
        *a = (struct address){.known = true, .variable = i[2], .type = pointer[3]};
        if (pointer[2] == SpvStorageClassWorkgroup)
            a->base = a->origin = w->shared_at[i[2]] - 1;
        else
            a->known = slot_of(w, i[2], &a->space); // one that nothing is bound to may be declared, but not accessed
    }
    return true;
}

// ---- indices

static void add_test(struct instrumenter *w, struct address *a, uint32_t inside, uint32_t index) {
    if (!a->inside) {
        a->inside = inside;
        a->index = index;
        return;
    }
    // The first index outside is kept.
    a->index = EMIT_VALUE(w, &w->code, SpvOpSelect, w->uint_type, a->inside, index, a->index);
    a->inside = EMIT_VALUE(w, &w->code, SpvOpLogicalAnd, w->bool_type, a->inside, inside);
}

// Adds an index to the address. *word, the index in the chain, becomes 0 outside the array. `length` is an id.
static bool add_index(
    struct instrumenter *w, struct address *a, uint32_t stride, uint32_t count, uint32_t length, uint32_t *word) {
    uint32_t value;
    const uint32_t *type = *word < w->m->bound ? module_defined(w->m, w->types[*word], SpvOpTypeInt, 4) : NULL;
    if (layout_constant(w, *word, &value) && (!count || value < count)) {
        a->base += value * stride;
        return true;
    }
    if (!type) return refuse(w, "an index of unknown type");
    const uint32_t to_uint = type[2] == 32 ? SpvOpBitcast : type[3] ? SpvOpSConvert : SpvOpUConvert;
    const bool is_uint = type[2] == 32 && !type[3];
    const uint32_t index = is_uint ? *word : EMIT_VALUE(w, &w->code, to_uint, w->uint_type, *word);
    const uint32_t inside = EMIT_VALUE(w, &w->code, SpvOpULessThan, w->bool_type, index, length);
    const uint32_t safe = EMIT_VALUE(w, &w->code, SpvOpSelect, w->uint_type, inside, index, emit_constant(w, 0));
    add_test(w, a, inside, index);
    uint32_t term = safe;
    if (stride != 1) term = EMIT_VALUE(w, &w->code, SpvOpIMul, w->uint_type, safe, emit_constant(w, stride));
    a->dynamic = a->dynamic ? EMIT_VALUE(w, &w->code, SpvOpIAdd, w->uint_type, a->dynamic, term) : term;
    *word = safe;
    return true;
}

static void add_dim(struct address *a, uint32_t stride, uint32_t count) {
    if (!a->dim_count) a->origin = a->base;
    if (a->dim_count < SITE_DIMS) a->dims[a->dim_count++] = (struct site_dim){stride, count};
}

static bool enter_struct(
    struct instrumenter *w, struct address *a, const uint32_t *type, uint32_t word, bool declared) {
    uint32_t index;
    struct member member;
    if (!layout_constant(w, word, &index) || !layout_member(w, type, index, declared, &member))
        return refuse(w, "a structure of unknown layout");
    a->base += member.offset;
    a->member = index;
    a->matrix_stride = member.stride;
    a->row_major = member.row_major;
    a->type = type[2 + index];
    return true;
}

// An array's length is asked of its variable, because it is the last member of a block.
static bool enter_runtime(struct instrumenter *w, struct address *a, const uint32_t *type, uint32_t *word) {
    const uint32_t stride = (uint32_t)layout_stride(w, type, true);
    uint32_t value, length = 0;
    if (!stride) return refuse(w, "an array of unknown stride");
    add_dim(a, stride, 0);
    if (!layout_constant(w, *word, &value))
        length = EMIT_VALUE(w, &w->code, SpvOpArrayLength, w->uint_type, a->variable, a->member);
    a->type = type[2];
    return add_index(w, a, stride, 0, length, word);
}

// Follows one index of a chain.
static bool enter(struct instrumenter *w, struct address *a, uint32_t *word) {
    const uint32_t at = w->m->ids[a->type].at, *type = &w->m->words[at];
    const bool declared = a->space != SPACE_SHARED;
    uint32_t stride, count;
    switch (at ? spirv_op(type) : SpvOpNop) {
    case SpvOpTypeStruct:
        return enter_struct(w, a, type, *word, declared);
    case SpvOpTypeRuntimeArray:
        return enter_runtime(w, a, type, word);
    case SpvOpTypeArray:
        stride = (uint32_t)layout_stride(w, type, declared);
        if (!stride || !layout_constant(w, type[3], &count)) return refuse(w, "an array of unknown size");
        add_dim(a, stride, count);
        a->type = type[2];
        return add_index(w, a, stride, count, emit_constant(w, count), word);
    case SpvOpTypeMatrix:
        if (a->row_major) return refuse(w, "columns of a matrix laid out by rows");
        stride = a->matrix_stride ? a->matrix_stride : (uint32_t)layout_bytes(w, type[2], false);
        a->type = type[2];
        return add_index(w, a, stride, type[3], emit_constant(w, type[3]), word);
    case SpvOpTypeVector:
        stride = (uint32_t)layout_bytes(w, type[2], false);
        a->type = type[2];
        return add_index(w, a, stride, type[3], emit_constant(w, type[3]), word);
    }
    return refuse(w, "a pointer into an unknown type");
}

static bool follow_chain(struct instrumenter *w, const uint32_t *i) {
    const uint32_t length = spirv_length(i);
    struct address *a = &w->addresses[i[2]];
    uint32_t *copy = arena_alloc(w->arena, length, sizeof *copy);
    memcpy(copy, i, length * sizeof *copy);
    *a = w->addresses[i[3]];
    for (uint32_t k = 4; k < length; k++)
        if (!enter(w, a, &copy[k])) return false;
    emit_copy(w, &w->code, copy, length);
    return true;
}

bool chains_follow(struct instrumenter *w, const uint32_t *i, bool *done) {
    const uint32_t op = spirv_op(i), length = spirv_length(i);
    *done = false;
    if (length < 3 || i[1] >= w->m->bound || i[2] >= w->m->bound) return true;
    const uint32_t *pointer = module_defined(w->m, i[1], SpvOpTypePointer, 4);
    if (!pointer || op == SpvOpVariable || op == SpvOpFunction || op == SpvOpStore) return true;
    if (pointer[2] == SpvStorageClassPhysicalStorageBuffer) w->uses_addresses = true;
    if (pointer[2] != SpvStorageClassWorkgroup && pointer[2] != SpvStorageClassStorageBuffer &&
        !(length > 3 && i[3] < w->m->bound && w->addresses[i[3]].known))
        return true;
    const bool from = length > 3 && i[3] < w->m->bound && w->addresses[i[3]].known;
    if ((op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain) && from) {
        *done = true;
        return follow_chain(w, i);
    }
    if (op == SpvOpCopyObject && from) {
        w->addresses[i[2]] = w->addresses[i[3]];
        return true;
    }
    return refuse(w, op == SpvOpFunctionParameter
                         ? "a function that takes a pointer"
                         : "a pointer chosen at run time, or into a buffer that nothing is bound to");
}
