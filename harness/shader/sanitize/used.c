// SPDX-License-Identifier: Apache-2.0
// Finds which scalars of each value the code uses: a `.xyz` of a loaded vec4 does not use its `.w`.
#include "instrumenter.h"

enum { MOST_PARTS = 64, MOST_DEPTH = 16, OP_COPY_LOGICAL = 400 };

// A pointer to a variable of one invocation: the scalars behind it. If not exact, some of them.
struct use_place {
    uint32_t variable, first, parts;
    bool exact;
};

struct use_finder {
    struct instrumenter *w;
    struct use_place *places; // by id
    bool changed;
};

static uint64_t low(uint32_t parts) {
    return parts >= MOST_PARTS ? UINT64_MAX : ((uint64_t)1 << parts) - 1;
}

static const uint32_t *type_at(const struct instrumenter *w, uint32_t type) {
    const uint32_t at = type < w->m->bound ? w->m->ids[type].at : 0;
    return at ? &w->m->words[at] : NULL;
}

// Returns the scalars of a type, at most MOST_PARTS + 1.
static uint32_t parts_of(struct instrumenter *w, uint32_t type, int depth) {
    const uint32_t *i = type_at(w, type);
    uint64_t parts = 1, count = 1;
    uint32_t length = 0;
    if (!i || depth > MOST_DEPTH) return MOST_PARTS + 1;
    switch (spirv_op(i)) {
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        count = i[3];
        parts = parts_of(w, i[2], depth + 1);
        break;
    case SpvOpTypeArray:
        count = layout_constant(w, i[3], &length) ? length : MOST_PARTS + 1;
        parts = parts_of(w, i[2], depth + 1);
        break;
    case SpvOpTypeStruct:
        parts = 0;
        for (uint32_t k = 2; k < spirv_length(i); k++) parts += parts_of(w, i[k], depth + 1);
        break;
    default:
        break;
    }
    return parts * count > MOST_PARTS ? MOST_PARTS + 1 : (uint32_t)(parts * count);
}

static uint32_t parts_of_value(struct instrumenter *w, uint32_t id) {
    return id < w->m->bound && w->types[id] ? parts_of(w, w->types[id], 0) : MOST_PARTS + 1;
}

// Moves *type and *first to an element of the type. Returns false if there is none.
static bool step(struct instrumenter *w, uint32_t *type, uint32_t *first, uint32_t index) {
    const uint32_t *i = type_at(w, *type);
    if (!i) return false;
    if (spirv_op(i) == SpvOpTypeStruct) {
        if (index + 2 >= spirv_length(i)) return false;
        for (uint32_t k = 0; k < index; k++) *first += parts_of(w, i[2 + k], 0);
        *type = i[2 + index];
        return true;
    }
    if (spirv_op(i) != SpvOpTypeVector && spirv_op(i) != SpvOpTypeMatrix && spirv_op(i) != SpvOpTypeArray) return false;
    if (index >= MOST_PARTS) return false;
    *first += index * parts_of(w, i[2], 0);
    *type = i[2];
    return true;
}

static void use(struct use_finder *f, uint32_t id, uint64_t parts) {
    if (id >= f->w->m->bound || (f->w->used[id] | parts) == f->w->used[id]) return;
    f->w->used[id] |= parts;
    f->changed = true;
}

// Uses all of a value, or of the variable behind a pointer.
static void use_whole(struct use_finder *f, uint32_t id) {
    use(f, id, UINT64_MAX);
    if (id < f->w->m->bound && f->places[id].variable) use(f, f->places[id].variable, UINT64_MAX);
}

// Finds the scalars of a composite that literal indices choose.
static bool choose(struct use_finder *f, uint32_t composite, const uint32_t *indices, uint32_t count, uint32_t *first,
    uint32_t *parts) {
    struct instrumenter *w = f->w;
    uint32_t type = composite < w->m->bound ? w->types[composite] : 0;
    *first = 0;
    if (!type || parts_of(w, type, 0) > MOST_PARTS) return false;
    for (uint32_t k = 0; k < count; k++)
        if (!step(w, &type, first, indices[k])) return false;
    *parts = parts_of(w, type, 0);
    return true;
}

static void use_extract(struct use_finder *f, const uint32_t *i, uint64_t used) {
    uint32_t first, parts;
    if (!used) return;
    if (choose(f, i[3], &i[4], spirv_length(i) - 4, &first, &parts))
        use(f, i[3], (used & low(parts)) << first);
    else
        use_whole(f, i[3]);
}

static void use_insert(struct use_finder *f, const uint32_t *i, uint64_t used) {
    uint32_t first, parts;
    if (!used) return;
    if (!choose(f, i[4], &i[5], spirv_length(i) - 5, &first, &parts)) {
        use_whole(f, i[3]);
        use_whole(f, i[4]);
        return;
    }
    use(f, i[3], used >> first & low(parts));
    use(f, i[4], used & ~(low(parts) << first));
}

static void use_shuffle(struct use_finder *f, const uint32_t *i, uint64_t used) {
    const uint32_t left = parts_of_value(f->w, i[3]);
    for (uint32_t k = 5; k < spirv_length(i) && k - 5 < MOST_PARTS; k++) {
        if (!(used >> (k - 5) & 1) || i[k] == UINT32_MAX) continue;
        if (i[k] < left)
            use(f, i[3], low(1) << (i[k] % MOST_PARTS));
        else
            use(f, i[4], low(1) << ((i[k] - left) % MOST_PARTS));
    }
}

static void use_construct(struct use_finder *f, const uint32_t *i, uint64_t used) {
    uint32_t first = 0;
    for (uint32_t k = 3; k < spirv_length(i); k++) {
        const uint32_t parts = parts_of_value(f->w, i[k]);
        const bool known = first + parts <= MOST_PARTS;
        use(f, i[k], known ? used >> first & low(parts) : used ? UINT64_MAX : 0);
        first = known ? first + parts : MOST_PARTS;
    }
}

// Each scalar of the result follows from the scalars at its place.
static void use_alike(struct use_finder *f, const uint32_t *i, uint32_t from, uint32_t stride, uint64_t used) {
    const uint32_t parts = parts_of_value(f->w, i[2]);
    for (uint32_t k = from; k < spirv_length(i); k += stride)
        use(f, i[k], parts_of_value(f->w, i[k]) == parts ? used : used ? UINT64_MAX : 0);
}

static bool is_by_component(uint32_t op) {
    return (op >= SpvOpConvertFToU && op <= SpvOpQuantizeToF16) || op == SpvOpBitcast ||
           (op >= SpvOpSNegate && op <= SpvOpVectorTimesScalar) || (op >= SpvOpIsNan && op <= SpvOpIsInf) ||
           (op >= SpvOpLogicalEqual && op <= SpvOpFUnordGreaterThanEqual) ||
           (op >= SpvOpShiftRightLogical && op <= SpvOpNot);
}

// ---- variables of one invocation

static void open_places(struct use_finder *f) {
    struct instrumenter *w = f->w;
    for (size_t at = w->m->declarations; spirv_next(w->m->words, w->m->count, &at);) {
        const uint32_t *i = &w->m->words[at], length = spirv_length(i);
        const uint32_t *pointer = length > 3 ? module_defined(w->m, i[1], SpvOpTypePointer, 4) : NULL;
        if (!pointer || i[2] >= w->m->bound) continue;
        if (spirv_op(i) == SpvOpVariable && parts_of(w, pointer[3], 0) <= MOST_PARTS)
            f->places[i[2]] = (struct use_place){i[2], 0, parts_of(w, pointer[3], 0), true};
        if (spirv_op(i) != SpvOpAccessChain && spirv_op(i) != SpvOpInBoundsAccessChain) continue;
        if (i[3] >= w->m->bound || !f->places[i[3]].variable) continue;
        struct use_place place = f->places[i[3]];
        const uint32_t *base = module_defined(w->m, w->types[i[3]], SpvOpTypePointer, 4);
        uint32_t type = base ? base[3] : 0, index;
        for (uint32_t k = 4; k < length && place.exact; k++)
            place.exact = layout_constant(w, i[k], &index) && step(w, &type, &place.first, index);
        if (place.exact) place.parts = parts_of(w, type, 0);
        f->places[i[2]] = place;
    }
}

static void use_loaded(struct use_finder *f, const struct use_place *place, uint64_t used) {
    if (used) use(f, place->variable, (place->exact ? used & low(place->parts) : low(place->parts)) << place->first);
}

static void use_stored(struct use_finder *f, const struct use_place *place, uint32_t value) {
    const uint64_t used = f->w->used[place->variable] >> place->first & low(place->parts);
    use(f, value, place->exact ? used : used ? UINT64_MAX : 0);
}

// ---- all

static void follow(struct use_finder *f, const uint32_t *i) {
    const uint32_t op = spirv_op(i), length = spirv_length(i), bound = f->w->m->bound;
    const bool has_result = length > 2 && i[2] < bound && i[1] < bound && f->w->types[i[2]] == i[1];
    const uint64_t used = has_result ? f->w->used[i[2]] : 0;
    const uint32_t from = op == SpvOpLoad && length > 3 ? i[3] : op == SpvOpStore && length > 2 ? i[1] : 0;
    const struct use_place *place = from < bound && f->places[from].variable ? &f->places[from] : NULL;
    if (op == SpvOpStore && place)
        use_stored(f, place, i[2]);
    else if (op == SpvOpLoad && place)
        use_loaded(f, place, used);
    else if (op == SpvOpVariable)
        return;
    else if ((op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain) && length > 3 && i[3] < bound)
        for (uint32_t k = 4; k < length; k++) use_whole(f, i[k]);
    else if (op == SpvOpCompositeExtract && length > 4)
        use_extract(f, i, used);
    else if (op == SpvOpCompositeInsert && length > 5)
        use_insert(f, i, used);
    else if (op == SpvOpVectorShuffle && length > 5)
        use_shuffle(f, i, used);
    else if (op == SpvOpCompositeConstruct)
        use_construct(f, i, used);
    else if (op == SpvOpPhi)
        use_alike(f, i, 3, 2, used);
    else if (has_result && (is_by_component(op) || op == SpvOpSelect || op == SpvOpCopyObject || op == OP_COPY_LOGICAL))
        use_alike(f, i, 3, 1, used);
    else
        for (uint32_t k = has_result ? 3 : 1; k < length; k++) use_whole(f, i[k]);
}

void used_find(struct instrumenter *w) {
    struct use_finder f = {.w = w, .places = arena_alloc(w->arena, w->m->bound, sizeof *f.places)};
    size_t count = 0, *starts = arena_alloc(w->arena, w->m->count, sizeof *starts);
    open_places(&f);
    for (size_t at = w->m->declarations; spirv_next(w->m->words, w->m->count, &at);) starts[count++] = at;
    do {
        f.changed = false;
        for (size_t k = count; k-- > 0;) follow(&f, &w->m->words[starts[k]]);
    } while (f.changed);
}

// The bytes of scalars, as bits of parts of `unit` bytes.
struct use_spread {
    uint64_t scalars, bytes;
    uint32_t next, unit;
    bool fits;
};

static void spread_type(struct instrumenter *w, uint32_t type, uint64_t at, uint32_t stride, bool declared, int depth,
    struct use_spread *s) {
    const uint32_t *i = type_at(w, type);
    const uint32_t op = i && depth <= MOST_DEPTH ? spirv_op(i) : SpvOpNop;
    uint32_t count = 0;
    struct member member;
    if (op == SpvOpTypeStruct) {
        for (uint32_t k = 2; k < spirv_length(i) && s->fits; k++) {
            s->fits &= layout_member(w, i, k - 2, declared, &member) && !member.row_major;
            if (s->fits) spread_type(w, i[k], at + member.offset, member.stride, declared, depth + 1, s);
        }
        return;
    }
    if (op == SpvOpTypeVector || op == SpvOpTypeMatrix || op == SpvOpTypeArray) {
        uint64_t each = op == SpvOpTypeMatrix && stride ? stride : layout_bytes(w, i[2], declared);
        if (op == SpvOpTypeArray) each = layout_stride(w, i, declared);
        if (op != SpvOpTypeArray) count = i[3];
        s->fits &= op != SpvOpTypeArray || layout_constant(w, i[3], &count);
        for (uint32_t k = 0; k < count && s->fits; k++)
            spread_type(w, i[2], at + k * each, stride, declared, depth + 1, s);
        return;
    }
    const uint64_t bytes = layout_bytes(w, type, declared);
    s->fits &= bytes && s->next < MOST_PARTS && bytes % s->unit == 0 && at % s->unit == 0 &&
               (at + bytes) / s->unit <= MOST_PARTS;
    if (s->fits && s->scalars >> s->next & 1) s->bytes |= low((uint32_t)bytes / s->unit) << at / s->unit;
    s->next++;
}

void used_bytes(struct instrumenter *w, const struct address *a, uint64_t scalars, struct site *site) {
    site->part = 0;
    if (a->row_major) return;
    for (uint32_t unit = 8; unit && !site->part; unit /= 2) {
        struct use_spread s = {.scalars = scalars, .unit = unit, .fits = true};
        spread_type(w, a->type, 0, a->matrix_stride, a->space != SPACE_SHARED, 0, &s);
        if (!s.fits) continue;
        site->part = unit;
        site->used = s.bytes;
    }
}
