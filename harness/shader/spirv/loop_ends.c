// SPDX-License-Identifier: Apache-2.0
#include "changes.h"

#include "module.h"

#include <string.h>

enum { VERSION_1_3 = 0x10300, VERSION_1_4 = 0x10400 }; // word 1 of a module, section 2.3

// Ids after the module's own, in this order; LOOP_IDS for each loop follow.
enum watch_id { ID_UINT, ID_ZERO, ID_ONE, ID_SCOPE, ID_BLOCK, ID_BLOCK_POINTER, ID_WORD_POINTER, ID_BUFFER, WATCH_IDS };
enum { LOOP_ARRIVED, LOOP_POINTER, LOOP_OLD, LOOP_TAKEN, LOOP_TAKEN_POINTER, LOOP_TAKEN_OLD, LOOP_IDS };
enum { DECLARED_WORDS = 64, LOOP_WORDS = 40 };

struct watched_loop {
    uint32_t header, back; // labels
};

struct rewrite {
    const struct module *m;
    struct arena *arena;
    const uint32_t *slot; // set, binding
    const uint32_t *entry;
    uint32_t uint_type; // the module's own, or the new one
    struct watched_loop *loops;
    uint32_t loop_count, edges;
    uint32_t *out;
    size_t count;
};

static void put(struct rewrite *r, uint32_t op, int operands, const uint32_t *words) {
    r->out[r->count++] = (uint32_t)(operands + 1) << SpvWordCountShift | op;
    memcpy(&r->out[r->count], words, (size_t)operands * sizeof *words);
    r->count += (size_t)operands;
}
#define PUT(r, op, ...)                                                                                                \
    put(r, op, (int)(sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t)), (const uint32_t[]){__VA_ARGS__})

static uint32_t id_of(const struct rewrite *r, enum watch_id id) {
    return r->m->bound + (uint32_t)id;
}

static uint32_t loop_id(const struct rewrite *r, uint32_t loop, uint32_t id) {
    return r->m->bound + WATCH_IDS + LOOP_IDS * loop + id;
}

static uint32_t version(const struct rewrite *r) {
    return r->m->words[1];
}

// ---- the loops

// Returns label number `number` (from 0) among the targets of a branching instruction; 0: there are no more.
static uint32_t target(const uint32_t *i, uint32_t number) {
    const uint32_t length = spirv_length(i);
    switch (spirv_op(i)) {
    case SpvOpBranch:
        return number == 0 && length > 1 ? i[1] : 0;
    case SpvOpBranchConditional:
        return number < 2 && length > 3 ? i[2 + number] : 0;
    case SpvOpSwitch: // selectors of 32 bits: default, then pairs of a literal and a label
        return number == 0 && length > 2 ? i[2] : 2 + 2 * number < length ? i[2 + 2 * number] : 0;
    }
    return 0;
}

static void find_headers(struct rewrite *r) {
    uint32_t label = 0, found = 0;
    for (size_t at = 0; spirv_next(r->m->words, r->m->count, &at);) {
        const uint32_t *i = &r->m->words[at];
        if (spirv_op(i) == SpvOpLabel) label = i[1];
        if (spirv_op(i) == SpvOpLoopMerge) r->loops[found++].header = label;
    }
}

static struct watched_loop *loop_of_header(const struct rewrite *r, uint32_t label) {
    for (uint32_t l = 0; label && l < r->loop_count; l++)
        if (r->loops[l].header == label) return &r->loops[l];
    return NULL;
}

// Finds the back edges. A block comes before the blocks dominated by it (section 2.4). So an edge from the header or
// a later block is the back edge. Returns false if a header has none or several, or if an OpSwitch has it.
static bool find_edges(struct rewrite *r) {
    uint32_t label = 0;
    bool *passed = arena_alloc(r->arena, r->loop_count, sizeof *passed);
    for (size_t at = 0; spirv_next(r->m->words, r->m->count, &at);) {
        const uint32_t *i = &r->m->words[at];
        if (spirv_op(i) == SpvOpLabel) label = i[1];
        struct watched_loop *own = spirv_op(i) == SpvOpLabel ? loop_of_header(r, label) : NULL;
        if (own) passed[own - r->loops] = true;
        for (uint32_t n = 0; target(i, n); n++) {
            struct watched_loop *to = loop_of_header(r, target(i, n));
            if (!to) continue;
            r->edges++;
            if (!passed[to - r->loops]) continue;
            if (to->back || spirv_op(i) == SpvOpSwitch) return false;
            to->back = label;
        }
    }
    for (uint32_t l = 0; l < r->loop_count; l++)
        if (!r->loops[l].back) return false;
    return true;
}

// ---- declarations

static uint32_t find_uint(const struct module *m) {
    for (size_t at = 0; spirv_next(m->words, m->declarations, &at);) {
        const uint32_t *i = &m->words[at];
        if (spirv_op(i) == SpvOpTypeInt && spirv_length(i) == 4 && i[2] == 32 && i[3] == 0) return i[1];
    }
    return 0;
}

static void put_decorations(struct rewrite *r) {
    const uint32_t block = version(r) < VERSION_1_3 ? SpvDecorationBufferBlock : SpvDecorationBlock;
    PUT(r, SpvOpDecorate, id_of(r, ID_BLOCK), block);
    PUT(r, SpvOpMemberDecorate, id_of(r, ID_BLOCK), 0, SpvDecorationOffset, 0);
    PUT(r, SpvOpDecorate, id_of(r, ID_BUFFER), SpvDecorationDescriptorSet, r->slot[0]);
    PUT(r, SpvOpDecorate, id_of(r, ID_BUFFER), SpvDecorationBinding, r->slot[1]);
}

static void put_declarations(struct rewrite *r) {
    // Before SPIR-V 1.3, storage class StorageBuffer needs an extension.
    const uint32_t storage = version(r) < VERSION_1_3 ? SpvStorageClassUniform : SpvStorageClassStorageBuffer;
    if (r->uint_type == id_of(r, ID_UINT)) PUT(r, SpvOpTypeInt, r->uint_type, 32, 0);
    PUT(r, SpvOpConstant, r->uint_type, id_of(r, ID_ZERO), 0);
    PUT(r, SpvOpConstant, r->uint_type, id_of(r, ID_ONE), 1);
    PUT(r, SpvOpConstant, r->uint_type, id_of(r, ID_SCOPE), module_widest_scope(r->m));
    PUT(r, SpvOpTypeStruct, id_of(r, ID_BLOCK), r->uint_type);
    PUT(r, SpvOpTypePointer, id_of(r, ID_BLOCK_POINTER), storage, id_of(r, ID_BLOCK));
    PUT(r, SpvOpTypePointer, id_of(r, ID_WORD_POINTER), storage, r->uint_type);
    PUT(r, SpvOpVariable, id_of(r, ID_BLOCK_POINTER), id_of(r, ID_BUFFER), storage);
}

// ---- code

static void put_atomic(struct rewrite *r, uint32_t op, uint32_t pointer, uint32_t old, uint32_t value) {
    PUT(r, SpvOpAccessChain, id_of(r, ID_WORD_POINTER), pointer, id_of(r, ID_BUFFER), id_of(r, ID_ZERO));
    PUT(r, op, r->uint_type, old, pointer, id_of(r, ID_SCOPE), id_of(r, ID_ZERO), value);
}

// At the header's start: 1 for arrivals by the back edge, 0 for entries from outside.
static void put_arrived(struct rewrite *r, uint32_t l) {
    const struct watched_loop *loop = &r->loops[l];
    const size_t start = r->count;
    uint32_t label = 0;
    PUT(r, SpvOpPhi, r->uint_type, loop_id(r, l, LOOP_ARRIVED));
    for (size_t at = 0; spirv_next(r->m->words, r->m->count, &at);) {
        const uint32_t *i = &r->m->words[at];
        if (spirv_op(i) == SpvOpLabel) label = i[1];
        bool parent = false;
        for (uint32_t n = 0; target(i, n); n++) parent |= target(i, n) == loop->header;
        if (!parent) continue;
        r->out[r->count++] = id_of(r, label == loop->back ? ID_ONE : ID_ZERO);
        r->out[r->count++] = label;
    }
    r->out[start] = (uint32_t)(r->count - start) << SpvWordCountShift | SpvOpPhi;
}

// Adds to the word before `end`, the last instruction of its block, if the block has a back edge.
static void put_taken(struct rewrite *r, uint32_t label, const uint32_t *end) {
    for (uint32_t l = 0; l < r->loop_count; l++) {
        if (r->loops[l].back != label) continue;
        uint32_t taken = id_of(r, ID_ONE);
        if (spirv_op(end) == SpvOpBranchConditional) {
            const bool first = end[2] == r->loops[l].header;
            taken = loop_id(r, l, LOOP_TAKEN);
            PUT(r, SpvOpSelect, r->uint_type, taken, end[1], id_of(r, first ? ID_ONE : ID_ZERO),
                id_of(r, first ? ID_ZERO : ID_ONE));
        }
        put_atomic(r, SpvOpAtomicIAdd, loop_id(r, l, LOOP_TAKEN_POINTER), loop_id(r, l, LOOP_TAKEN_OLD), taken);
    }
}

static bool is_merge(const uint32_t *i) {
    return spirv_op(i) == SpvOpLoopMerge || spirv_op(i) == SpvOpSelectionMerge;
}

static void copy(struct rewrite *r, const uint32_t *i) {
    const size_t at = r->count;
    memcpy(&r->out[at], i, spirv_length(i) * sizeof *i);
    r->count += spirv_length(i);
    // From 1.4 on, an entry point lists all global variables in use.
    if (i != r->entry || version(r) < VERSION_1_4) return;
    r->out[r->count++] = id_of(r, ID_BUFFER);
    r->out[at] += 1u << SpvWordCountShift;
}

static void put_code(struct rewrite *r) {
    const struct module *m = r->m;
    uint32_t label = 0;
    bool merged = false; // the last instruction was the block's merge
    for (size_t at = m->declarations; at < m->count; at += spirv_length(&m->words[at])) {
        const uint32_t *i = &m->words[at];
        const struct watched_loop *loop = loop_of_header(r, label);
        if (spirv_op(i) == SpvOpLoopMerge && loop)
            put_atomic(r, SpvOpAtomicISub, loop_id(r, (uint32_t)(loop - r->loops), LOOP_POINTER),
                loop_id(r, (uint32_t)(loop - r->loops), LOOP_OLD),
                loop_id(r, (uint32_t)(loop - r->loops), LOOP_ARRIVED));
        if (is_merge(i) && at + spirv_length(i) < m->count) put_taken(r, label, i + spirv_length(i));
        if (target(i, 0) && !merged) put_taken(r, label, i);
        merged = is_merge(i);
        copy(r, i);
        if (spirv_op(i) != SpvOpLabel) continue;
        label = i[1];
        loop = loop_of_header(r, label);
        if (loop) put_arrived(r, (uint32_t)(loop - r->loops));
    }
}

static void rewrite(struct rewrite *r) {
    const struct module *m = r->m;
    bool annotated = false;
    r->out = arena_alloc(r->arena,
        m->count + DECLARED_WORDS + r->loop_count * (size_t)LOOP_WORDS + 2 * (size_t)r->edges, sizeof *r->out);
    memcpy(r->out, m->words, SPIRV_HEADER * sizeof *r->out);
    r->count = SPIRV_HEADER;
    for (size_t at = 0; spirv_next(m->words, m->declarations, &at);) {
        if (!annotated && !module_is_before_types(&m->words[at])) {
            put_decorations(r);
            annotated = true;
        }
        copy(r, &m->words[at]);
    }
    put_declarations(r);
    put_code(r);
    r->out[SPIRV_BOUND] = m->bound + WATCH_IDS + LOOP_IDS * r->loop_count;
}

static bool watch(struct arena *arena, const struct module *m, const char *entry, const uint32_t slot[2],
    uint32_t loops, struct spirv *out, struct error *err) {
    const uint32_t own = find_uint(m);
    struct rewrite r = {.m = m,
        .arena = arena,
        .slot = slot,
        .entry = module_entry(m, entry ? entry : "main"),
        .uint_type = own ? own : m->bound + ID_UINT,
        .loops = arena_alloc(arena, loops, sizeof *r.loops),
        .loop_count = loops};
    if (m->bound + WATCH_IDS + LOOP_IDS * (uint64_t)loops > SPIRV_MOST_IDS)
        return error_of_kind(err, ERROR_SKIP, "no free ids to count %u loops", loops);
    find_headers(&r);
    if (!find_edges(&r)) return error_of_kind(err, ERROR_SKIP, "a loop of the module has no single back edge");
    rewrite(&r);
    out->words = r.out;
    out->count = r.count;
    return true;
}

bool loop_ends_watch(struct arena *arena, const struct spirv *spirv, const char *entry, const uint32_t slot[2],
    struct spirv *out, uint32_t *loops, struct error *err) {
    struct module m;
    *out = *spirv;
    *loops = 0;
    bool ok = module_open(&m, spirv->words, spirv->count, err);
    for (size_t at = 0; ok && spirv_next(m.words, m.count, &at);) *loops += spirv_op(&m.words[at]) == SpvOpLoopMerge;
    if (*loops > 0) ok = watch(arena, &m, entry, slot, *loops, out, err);
    module_close(&m);
    return ok;
}
