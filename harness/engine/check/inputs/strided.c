// SPDX-License-Identifier: Apache-2.0
#include "strided.h"

#include "../../../base/memory.h"
#include "../../../base/parallel.h"
#include "../../../shader/manifest/dispatches.h"
#include "../../../../reference/operator.h"

#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE = 64, TILES_AT_ONCE = 1 << 14 }; // bytes; elements

static bool find_header(const struct point *point, int index, struct operand_data *operand, struct error *err) {
    static const uint32_t no_groups[3];
    const struct layout *layout = &point->kernel->layouts[index];
    const struct word_source source = {
        point->kernel, point->dtype, point->dims, point->params, &point->shape, no_groups};
    operand->header_words = layout->header_count;
    for (int i = 0; i < layout->header_count; i++)
        if (!word_value(&source, &layout->header[i], &operand->header[i], err)) return false;
    uint64_t room;
    return (dtype_bytes(operand->dtype, operand->placing.offset, &room) &&
               (uint64_t)layout->header_count * 4 <= room) ||
           error_of_kind(err, ERROR_SKIP, "the header of %s has %d words, but only %llu fit before its first element",
               point->kernel->op->operands[index].name, layout->header_count, (unsigned long long)room / 4);
}

bool strided_find(
    const struct point *point, int index, uint64_t elements_bytes, struct operand_data *operand, struct error *err) {
    const char *name = point->kernel->op->operands[index].name;
    operand->extent = elements_bytes;
    if (layout_place(point->kernel, index, point->dims, &operand->placing) != PLACING_GOOD)
        return error_of_kind(err, ERROR_SKIP, "operand %s overlaps itself or overflows in its layout", name);
    if (!operand->placing.axes) return true;
    if (dtype_info(operand->dtype)->elements > 1)
        return error_of_kind(err, ERROR_SKIP, "operand %s consists of blocks, and blocks have no layout", name);
    return (dtype_bytes(operand->dtype, operand->placing.extent, &operand->extent) && operand->extent <= UINT64_MAX / 4)
               ? find_header(point, index, operand, err)
               : error_of_kind(err, ERROR_SKIP, "operand %s has no size in its layout", name);
}

// Returns whether elements cover their binding whole. Nothing lies between them then.
static bool is_dense(const struct operand_data *operand) {
    return operand->extent == operand->bytes && !operand->header_words;
}

struct strided_filling {
    const struct operand_data *operand;
    int index;
    uint32_t run;
    unsigned char *to;
};

static void fill_words(void *context, int64_t first, int64_t count) {
    const struct strided_filling *f = context;
    for (int64_t i = first; i < first + count; i++) {
        const uint64_t at = (uint64_t)i * 4, left = f->operand->extent - at;
        const uint32_t word =
            i < f->operand->header_words ? f->operand->header[i] : poison_word(f->run, f->index, (uint64_t)i);
        memcpy(f->to + at, &word, left < 4 ? (size_t)left : 4);
    }
}

void strided_fill(const struct operand_data *operand, int index, uint32_t run, unsigned char *to) {
    struct strided_filling filling = {operand, index, run, to};
    if (!is_dense(operand)) parallel_for((int64_t)(operand->extent + 3) / 4, 1 << 14, fill_words, &filling);
}

// A move of elements: each side is packed or strided.
struct moving {
    const struct operand_data *operand;
    const unsigned char *from;
    unsigned char *to;
    bool from_strided, to_strided;
};

// Copies elements that are `to_step` and `from_step` bytes apart. The size is a constant in each loop, so that a copy
// is one instruction.
static void copy_run(
    unsigned char *to, int64_t to_step, const unsigned char *from, int64_t from_step, int bytes, int64_t count) {
    switch (to_step == bytes && from_step == bytes ? 0 : bytes) {
    case 0:
        memcpy(to, from, (size_t)(count * bytes));
        return;
    case 1:
        for (int64_t i = 0; i < count; i++) to[i * to_step] = from[i * from_step];
        return;
    case 2:
        for (int64_t i = 0; i < count; i++) memcpy(to + i * to_step, from + i * from_step, 2);
        return;
    case 4:
        for (int64_t i = 0; i < count; i++) memcpy(to + i * to_step, from + i * from_step, 4);
        return;
    default:
        for (int64_t i = 0; i < count; i++) memcpy(to + i * to_step, from + i * from_step, (size_t)bytes);
    }
}

// Work on tiles: a line along the last axis by some places along the nearest one. Both sides of a move then use whole
// cache lines.
struct tiles {
    struct moving moving;
    int bytes, last, nearest;
    int64_t packed[OPERATOR_RANK]; // strides in elements
    int64_t width, across, count;  // places along the nearest axis of a tile; tiles along it; all tiles
};

static struct tiles tiles_of(struct moving moving) {
    const struct placing *placing = &moving.operand->placing;
    struct tiles t = {.moving = moving,
        .bytes = dtype_info(moving.operand->dtype)->bytes,
        .last = placing->axes - 1,
        .nearest = placing->axes - 1,
        .width = 1,
        .across = 1};
    int64_t packed = 1;
    for (int i = 0; i < placing->axes; i++) // strided neighbours are nearest along it
        if (placing->size[i] > 1 && placing->stride[i] < placing->stride[t.nearest]) t.nearest = i;
    for (int i = t.last; i >= 0; i--) {
        t.packed[i] = packed;
        packed *= placing->size[i];
    }
    t.count = packed / placing->size[t.last];
    if (t.nearest == t.last) return t;
    t.width = CACHE_LINE / t.bytes;
    t.across = (placing->size[t.nearest] + t.width - 1) / t.width;
    t.count = t.count / placing->size[t.nearest] * t.across;
    return t;
}

// Copies `count` elements along an axis, from these places of the two sides.
static void copy_along(const struct tiles *t, int axis, int64_t packed, int64_t strided, int64_t count) {
    const struct moving *m = &t->moving;
    const int64_t packed_step = t->packed[axis] * t->bytes, step = m->operand->placing.stride[axis] * t->bytes;
    copy_run(m->to + (m->to_strided ? strided : packed) * t->bytes, m->to_strided ? step : packed_step,
        m->from + (m->from_strided ? strided : packed) * t->bytes, m->from_strided ? step : packed_step, t->bytes,
        count);
}

static void move_tile(const struct tiles *t, int64_t tile) {
    const struct placing *placing = &t->moving.operand->placing;
    const int64_t first = tile % t->across * t->width;
    int64_t packed = 0, strided = placing->offset, rest = tile / t->across;
    for (int i = t->last - 1; i >= 0; i--) {
        if (i == t->nearest) continue;
        packed += rest % placing->size[i] * t->packed[i];
        strided += rest % placing->size[i] * placing->stride[i];
        rest /= placing->size[i];
    }
    if (t->nearest == t->last) {
        copy_along(t, t->last, packed, strided, placing->size[t->last]);
        return;
    }
    packed += first * t->packed[t->nearest];
    strided += first * placing->stride[t->nearest];
    const int64_t left = placing->size[t->nearest] - first, width = left < t->width ? left : t->width;
    for (int64_t i = 0; i < placing->size[t->last]; i++)
        copy_along(t, t->nearest, packed + i, strided + i * placing->stride[t->last], width);
}

static void move_tiles(void *context, int64_t first, int64_t count) {
    for (int64_t i = first; i < first + count; i++) move_tile(context, i);
}

static void copy_chunk(void *context, int64_t first, int64_t count) {
    const struct moving *m = context;
    memcpy(m->to + first, m->from + first, (size_t)count);
}

static void move(struct moving moving) {
    if (!moving.operand->placing.axes) {
        parallel_for((int64_t)moving.operand->bytes, 1 << 20, copy_chunk, &moving);
        return;
    }
    if (!moving.operand->elements) return;
    struct tiles tiles = tiles_of(moving);
    const int64_t elements = tiles.width * moving.operand->placing.size[tiles.last];
    parallel_for(tiles.count, elements < TILES_AT_ONCE ? TILES_AT_ONCE / elements : 1, move_tiles, &tiles);
}

void strided_scatter(const struct operand_data *operand, const void *from, unsigned char *to) {
    move((struct moving){operand, from, to, false, true});
}

void strided_gather(const struct operand_data *operand, const unsigned char *from, void *to) {
    move((struct moving){operand, from, to, true, false});
}

const unsigned char *strided_packed(
    const struct operand_data *operand, const unsigned char *binding, struct reused_memory *packing) {
    if (!operand->placing.axes) return binding;
    unsigned char *packed = reused_take(packing, operand->bytes);
    if (!packed) memory_out((size_t)operand->bytes, 1);
    strided_gather(operand, binding, packed);
    return packed;
}

bool strided_intact(const struct operand_data *operand, int index, uint32_t run, const unsigned char *binding) {
    if (is_dense(operand)) return true;
    unsigned char *whole = memory_alloc((size_t)operand->extent, 1);
    strided_fill(operand, index, run, whole);
    move((struct moving){operand, binding, whole, true, true});
    const bool intact = parallel_equal(whole, binding, operand->extent);
    free(whole);
    return intact;
}
