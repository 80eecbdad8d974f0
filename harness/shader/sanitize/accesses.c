// SPDX-License-Identifier: Apache-2.0
// Calls that log each access, barrier and fence before it happens.
#include "instrumenter.h"

#include <string.h>

// Numbers missing from the headers of Debian 12, or of an extension.
enum { OP_ATOMIC_FMIN_EXT = 5614, OP_ATOMIC_FMAX_EXT = 5615, OP_ATOMIC_FADD_EXT = 6035 };
enum { OP_COOPERATIVE_MATRIX_LOAD_NV = 5359, OP_COOPERATIVE_MATRIX_STORE_NV = 5360 };
enum {
    RELEASES = SpvMemorySemanticsReleaseMask | SpvMemorySemanticsAcquireReleaseMask |
               SpvMemorySemanticsSequentiallyConsistentMask,
    ORDERS = RELEASES | SpvMemorySemanticsAcquireMask
};

// ---- instructions

// Returns the word of an atomic operation's pointer; 0: it is another instruction.
static uint32_t atomic_pointer(uint32_t op) {
    if (op == SpvOpAtomicStore || op == SpvOpAtomicFlagClear) return 1;
    const bool any = (op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor) || op == SpvOpAtomicFlagTestAndSet ||
                     op == OP_ATOMIC_FMIN_EXT || op == OP_ATOMIC_FMAX_EXT || op == OP_ATOMIC_FADD_EXT;
    return any ? 3 : 0;
}

// Returns the semantics of a barrier, a fence or an atomic operation. Unknown semantics order everything.
static uint32_t semantics_of(struct instrumenter *w, uint32_t id) {
    uint32_t value;
    return layout_constant(w, id, &value) ? value : UINT32_MAX;
}

static void set_orders(struct site *site, uint32_t semantics) {
    const bool any = semantics & ORDERS;
    site->orders[0] = any && semantics & SpvMemorySemanticsWorkgroupMemoryMask;
    site->orders[1] = any && semantics & SpvMemorySemanticsUniformMemoryMask;
}

// ---- the walk before

static void scan(struct instrumenter *w, const uint32_t *i, uint32_t *roots) {
    const uint32_t op = spirv_op(i), length = spirv_length(i), bound = w->m->bound;
    uint32_t target = 0;
    if (length > 2 && i[1] < bound && i[2] < bound) {
        const uint32_t at = w->m->ids[i[1]].at, first = at && at < w->m->declarations ? spirv_op(&w->m->words[at]) : 0;
        const bool typed =
            (first >= SpvOpTypeVoid && first <= SpvOpTypePointer) || first == OP_TYPE_COOPERATIVE_MATRIX_KHR;
        if (typed && op != SpvOpStore) w->types[i[2]] = i[1];
    }
    if (op == SpvOpVariable && length > 3 && i[2] < bound) roots[i[2]] = i[2];
    if ((op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain || op == SpvOpCopyObject) && length > 3 &&
        i[2] < bound && i[3] < bound)
        roots[i[2]] = roots[i[3]];
    if ((op == SpvOpStore || op == SpvOpCopyMemory || op == OP_COOPERATIVE_MATRIX_STORE_KHR) && length > 2)
        target = i[1];
    const uint32_t atomic = atomic_pointer(op);
    w->places += atomic || op == SpvOpLoad || op == SpvOpStore || op == SpvOpCopyMemory || op == SpvOpControlBarrier ||
                 op == SpvOpMemoryBarrier || op == OP_COOPERATIVE_MATRIX_LOAD_KHR ||
                 op == OP_COOPERATIVE_MATRIX_STORE_KHR;
    if ((op == SpvOpTypeInt || op == SpvOpTypeFloat) && length > 2 && i[2] < 32)
        w->coding.shift = i[2] == 16 && w->coding.shift ? 1 : 0;
    if (atomic && op != SpvOpAtomicLoad && length > atomic) target = i[atomic];
    if (target < bound && roots[target]) w->written[roots[target]] = true;
    if (op == SpvOpAtomicCompareExchange && target < bound) w->exchanged[roots[target]] = true;
    if (op == OP_COOPERATIVE_MATRIX_LOAD_KHR || op == OP_COOPERATIVE_MATRIX_STORE_KHR) w->has_subgroups = true;
    if (op == SpvOpControlBarrier && length > 3) {
        uint32_t scope;
        w->has_subgroups |= layout_constant(w, i[1], &scope) && scope == SpvScopeSubgroup;
        w->has_fences |= semantics_of(w, i[3]) & SpvMemorySemanticsUniformMemoryMask;
    }
    if (op == SpvOpMemoryBarrier) w->has_fences = true;
    if (atomic && length > atomic + 2) w->has_fences |= semantics_of(w, i[atomic + 2]) & RELEASES;
}

void accesses_scan(struct instrumenter *w) {
    uint32_t *roots = arena_alloc(w->arena, w->m->bound, sizeof *roots);
    for (size_t at = 0; spirv_next(w->m->words, w->m->count, &at);) scan(w, &w->m->words[at], roots);
    // Each place has two sites at most, and a few belong to the whole module.
    while (1ull << w->coding.site_bits < 2 * w->places + 8) w->coding.site_bits++;
    w->coding.wide = w->request->longest >> w->coding.shift >> (31 - w->coding.site_bits);
    // A slot that is written through one variable is written.
    for (uint32_t a = 0; a < w->m->bound; a++)
        for (uint32_t b = 0; w->written[a] && b < w->m->bound; b++)
            if (w->m->ids[a].has_binding && w->m->ids[b].has_binding && w->m->ids[a].set == w->m->ids[b].set &&
                w->m->ids[a].binding == w->m->ids[b].binding)
                w->written[b] = true;
}

// ---- sites

static const char *name_of(const struct instrumenter *w, const struct address *a) {
    const struct id *id = &w->m->ids[a->variable];
    const char *name = id->name ? module_text(&w->m->words[id->name], 2) : "";
    const uint32_t *variable = module_defined(w->m, a->variable, SpvOpVariable, 4);
    const uint32_t *pointer = variable ? module_defined(w->m, variable[1], SpvOpTypePointer, 4) : NULL;
    if (*name || !pointer || a->space == SPACE_SHARED) return name;
    const char *member = type_member_name(w->m, pointer[3], a->member);
    return member ? member : "";
}

static struct site *add_access(struct instrumenter *w, enum site_kind kind, const struct address *a, uint32_t bytes) {
    struct site *site = sites_add(w, kind);
    site->space = a->space;
    site->bytes = bytes;
    site->name = arena_copy(w->arena, name_of(w, a));
    site->origin = a->origin;
    site->dim_count = a->dim_count;
    memcpy(site->dims, a->dims, sizeof site->dims);
    if (a->space != SPACE_SHARED) return site;
    const uint32_t *variable = module_defined(w->m, a->variable, SpvOpVariable, 4);
    const uint32_t *pointer = module_defined(w->m, variable[1], SpvOpTypePointer, 4);
    site->first = w->shared_at[a->variable] - 1;
    site->end = site->first + (uint32_t)layout_bytes(w, pointer[3], false);
    site->set = spirv_length(variable) > 4;
    return site;
}

// ---- calls

static uint32_t mark_of(struct instrumenter *w, const struct address *a, uint32_t site) {
    if (!a->inside) return emit_constant(w, site);
    return EMIT_VALUE(w, &w->code, SpvOpSelect, w->uint_type, a->inside, emit_constant(w, site),
        emit_constant(w, site | 1u << w->coding.site_bits));
}

// Returns the address, or the index outside its array.
static uint32_t number_of(struct instrumenter *w, const struct address *a, uint32_t shift) {
    uint32_t number = a->dynamic ? a->dynamic : emit_constant(w, a->base << shift);
    if (a->dynamic && a->base)
        number = EMIT_VALUE(w, &w->code, SpvOpIAdd, w->uint_type, a->dynamic, emit_constant(w, a->base));
    if (a->dynamic && shift)
        number = EMIT_VALUE(w, &w->code, SpvOpShiftLeftLogical, w->uint_type, number, emit_constant(w, shift));
    if (!a->inside) return number;
    const uint32_t bits = shift ? w->coding.site_bits + 1 : 0;
    const uint32_t index =
        bits ? EMIT_VALUE(w, &w->code, SpvOpShiftLeftLogical, w->uint_type, a->index, emit_constant(w, bits))
             : a->index;
    return EMIT_VALUE(w, &w->code, SpvOpSelect, w->uint_type, a->inside, number, index);
}

#define CALL(w, function, ...)                                                                                         \
    runtime_call(                                                                                                      \
        w, function, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})

// Emits the words of an access.
static void put_words(struct instrumenter *w, const struct address *a, uint32_t site) {
    const uint32_t mark = mark_of(w, a, site);
    if (w->coding.wide) {
        CALL(w, w->put, mark);
        CALL(w, w->put, number_of(w, a, 0));
        return;
    }
    const uint32_t shift = w->coding.site_bits + 1 - w->coding.shift;
    CALL(w, w->put, EMIT_VALUE(w, &w->code, SpvOpBitwiseOr, w->uint_type, mark, number_of(w, a, shift)));
}

static uint32_t last_site(const struct instrumenter *w) {
    return (uint32_t)w->site_count - 1;
}

// Emits the test of an access against the end of its memory.
static void look(struct instrumenter *w, const struct address *a, uint32_t site) {
    const uint32_t number = number_of(w, a, 0);
    uint32_t inside = a->inside;
    if (a->space != SPACE_SHARED) {
        const uint32_t limit = runtime_limit(w, a->space - SPACE_STORAGE);
        const uint32_t length = EMIT_VALUE(w, &w->code, SpvOpLoad, w->uint_type, limit);
        const uint32_t last = emit_constant(w, w->sites[site].bytes - 1);
        const uint32_t end = EMIT_VALUE(w, &w->code, SpvOpIAdd, w->uint_type, number, last);
        inside = EMIT_VALUE(w, &w->code, SpvOpULessThan, w->bool_type, end, length);
        if (a->inside) inside = EMIT_VALUE(w, &w->code, SpvOpLogicalAnd, w->bool_type, inside, a->inside);
    }
    if (!inside) return;
    const uint32_t wrong =
        EMIT_VALUE(w, &w->code, SpvOpSelect, w->uint_type, inside, emit_constant(w, 0), emit_constant(w, 1));
    CALL(w, w->look, number, mark_of(w, a, site), wrong);
}

// Emits the calls for the last site added. Only some invocations are logged, but all are tested.
static void call_access(struct instrumenter *w, const struct address *a) {
    const uint32_t site = last_site(w);
    const bool is_entry =
        a->space == SPACE_SHARED || w->written[a->variable] || w->request->slots[a->space - SPACE_STORAGE].shares;
    if (!is_entry || !w->request->all_logged) look(w, a, site);
    if (is_entry) put_words(w, a, site);
}

// ---- accesses

// Finds the address of a pointer; *a is NULL for memory that is not logged.
static bool address_of(struct instrumenter *w, uint32_t pointer, const struct address **a) {
    *a = NULL;
    if (pointer >= w->m->bound) return refuse(w, "a pointer beyond all ids");
    const uint32_t *type = module_defined(w->m, w->types[pointer], SpvOpTypePointer, 4);
    if (w->addresses[pointer].known) *a = &w->addresses[pointer];
    if (*a || !type) return true;
    if (type[2] == SpvStorageClassPhysicalStorageBuffer) w->uses_addresses = true;
    return !is_logged_class(w, type) || refuse(w, "a pointer of unknown origin");
}

static uint64_t bytes_at(struct instrumenter *w, const struct address *a) {
    const uint32_t *matrix = module_defined(w->m, a->type, SpvOpTypeMatrix, 4);
    if (matrix && a->row_major) return 0;
    if (matrix && a->matrix_stride)
        return (uint64_t)a->matrix_stride * (matrix[3] - 1) + layout_bytes(w, matrix[2], true);
    return layout_bytes(w, a->type, a->space != SPACE_SHARED);
}

// `used`: the scalars that are used.
static bool put_access(struct instrumenter *w, enum site_kind kind, uint32_t pointer, uint64_t used) {
    const struct address *a;
    if (!address_of(w, pointer, &a)) return false;
    if (!a) return true;
    const uint64_t bytes = bytes_at(w, a);
    if (!bytes || bytes > UINT32_MAX) return refuse(w, "an access of unknown size");
    struct site *site = add_access(w, kind, a, (uint32_t)bytes);
    site->is_guess = kind == SITE_READ && w->exchanged[a->variable];
    used_bytes(w, a, used, site);
    call_access(w, a);
    return true;
}

static bool put_atomic(struct instrumenter *w, const uint32_t *i, bool *copied) {
    const uint32_t op = spirv_op(i), word = atomic_pointer(op);
    const struct address *a;
    if (!address_of(w, i[word], &a)) return false;
    if (!a) return true;
    const uint32_t semantics = semantics_of(w, i[word + 2]);
    const bool stores = op == SpvOpAtomicStore || op == SpvOpAtomicFlagClear;
    const enum site_kind kind = op == SpvOpAtomicLoad ? SITE_LOAD : stores ? SITE_STORE : SITE_UPDATE;
    struct site *site = add_access(w, kind, a, (uint32_t)bytes_at(w, a));
    set_orders(site, semantics);
    if (op == SpvOpAtomicCompareExchange) w->exchanged[a->variable] = false;
    const bool is_timed = a->space != SPACE_SHARED && w->has_fences;
    if (is_timed) CALL(w, w->put_time, emit_constant(w, w->time_site));
    call_access(w, a);
    emit_copy(w, &w->code, i, spirv_length(i));
    *copied = true;
    // Only a value that is used can tell what another workgroup has done.
    if (!is_timed || stores || i[2] >= w->m->bound || !w->used[i[2]]) return true;
    CALL(w, w->put_time, emit_constant(w, w->time_site));
    add_access(w, SITE_UPDATED, a, (uint32_t)bytes_at(w, a));
    put_words(w, a, last_site(w));
    return true;
}

static void put_barrier(struct instrumenter *w, const uint32_t *i) {
    const bool executes = spirv_op(i) == SpvOpControlBarrier;
    uint32_t scope = SpvScopeWorkgroup;
    struct site *site = sites_add(w, executes ? SITE_BARRIER : SITE_FENCE);
    if (executes) layout_constant(w, i[1], &scope);
    site->is_workgroup = scope != SpvScopeSubgroup;
    set_orders(site, semantics_of(w, i[executes ? 3 : 2]));
    CALL(w, w->put, emit_constant(w, last_site(w)));
}

// ---- cooperative matrices

static bool put_matrix(struct instrumenter *w, const uint32_t *i) {
    const bool load = spirv_op(i) == OP_COOPERATIVE_MATRIX_LOAD_KHR;
    const uint32_t length = spirv_length(i), pointer = load ? i[3] : i[1];
    const uint32_t layout_word = load ? 4 : 3, stride_word = layout_word + 1;
    const uint32_t type = load ? i[1] : w->types[i[2]];
    const struct address *a;
    uint32_t layout, rows, columns, scope;
    if (!address_of(w, pointer, &a)) return false;
    if (!a) return true;
    const uint32_t *matrix = module_defined(w->m, type, OP_TYPE_COOPERATIVE_MATRIX_KHR, 6);
    if (!matrix || length <= stride_word || !layout_constant(w, i[layout_word], &layout) || layout > 1 ||
        !layout_constant(w, matrix[3], &scope) || !layout_constant(w, matrix[4], &rows) ||
        !layout_constant(w, matrix[5], &columns))
        return refuse(w, "a cooperative matrix of unknown layout");
    if (scope != SpvScopeSubgroup) return refuse(w, "a cooperative matrix of a whole workgroup");
    const uint32_t *stride = module_defined(w->m, w->types[i[stride_word]], SpvOpTypeInt, 4);
    const uint64_t part = layout_bytes(w, matrix[2], true), unit = layout_bytes(w, a->type, true);
    if (!stride || stride[2] != 32 || !part || !unit) return refuse(w, "a cooperative matrix of unknown stride");
    sites_add(w, SITE_STRIDE);
    const uint32_t stride_mark = last_site(w);
    struct site *site = add_access(w, load ? SITE_READ : SITE_WRITE, a, (uint32_t)part * (layout ? rows : columns));
    site->lines = layout ? columns : rows;
    site->unit = (uint32_t)unit;
    const uint32_t mark = mark_of(w, a, last_site(w)), number = number_of(w, a, 0);
    const uint32_t distance =
        stride[3] ? EMIT_VALUE(w, &w->code, SpvOpBitcast, w->uint_type, i[stride_word]) : i[stride_word];
    CALL(w, w->put_matrix, emit_constant(w, stride_mark), distance, mark, number);
    return true;
}

bool accesses_put(struct instrumenter *w, const uint32_t *i, bool *copied) {
    const uint32_t op = spirv_op(i), length = spirv_length(i);
    *copied = false;
    if (atomic_pointer(op)) return length <= atomic_pointer(op) + 2 || put_atomic(w, i, copied);
    switch (op) {
    case SpvOpLoad:
        return length < 4 || put_access(w, SITE_READ, i[3], i[2] < w->m->bound ? w->used[i[2]] : UINT64_MAX);
    case SpvOpStore:
        return length < 3 || put_access(w, SITE_WRITE, i[1], UINT64_MAX);
    case SpvOpCopyMemory:
        return length < 3 ||
               (put_access(w, SITE_READ, i[2], UINT64_MAX) && put_access(w, SITE_WRITE, i[1], UINT64_MAX));
    case SpvOpCopyMemorySized:
        return refuse(w, "a copy of memory by size");
    case SpvOpControlBarrier:
    case SpvOpMemoryBarrier:
        if (length > 2) put_barrier(w, i);
        return true;
    case OP_COOPERATIVE_MATRIX_LOAD_KHR:
    case OP_COOPERATIVE_MATRIX_STORE_KHR:
        return length < 5 || put_matrix(w, i);
    case OP_COOPERATIVE_MATRIX_LOAD_NV:
    case OP_COOPERATIVE_MATRIX_STORE_NV:
    case OP_COOPERATIVE_MATRIX_LOAD_TENSOR_NV:
    case OP_COOPERATIVE_MATRIX_STORE_TENSOR_NV:
        return refuse(w, "cooperative matrices of GL_NV_cooperative_matrix or of tensors");
    default:
        return true;
    }
}
