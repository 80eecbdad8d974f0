// SPDX-License-Identifier: Apache-2.0
#include "strided.h"

#include "../../base/memory.h"
#include "../../base/parallel.h"
#include "../../manifest/words.h"
#include "../../../reference/operator.h"

#include <stdlib.h>
#include <string.h>

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

struct filling {
    const struct operand_data *operand;
    int index;
    uint32_t run;
    unsigned char *to;
};

static void fill_words(void *context, int64_t first, int64_t count) {
    const struct filling *f = context;
    for (int64_t i = first; i < first + count; i++) {
        const uint64_t at = (uint64_t)i * 4, left = f->operand->extent - at;
        const uint32_t word =
            i < f->operand->header_words ? f->operand->header[i] : poison_word(f->run, f->index, (uint64_t)i);
        memcpy(f->to + at, &word, left < 4 ? (size_t)left : 4);
    }
}

void strided_fill(const struct operand_data *operand, int index, uint32_t run, unsigned char *to) {
    struct filling filling = {operand, index, run, to};
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

static void move_chunk(void *context, int64_t first, int64_t count) {
    const struct moving *m = context;
    const struct placing *placing = &m->operand->placing;
    const int bytes = dtype_info(m->operand->dtype)->bytes, last = placing->axes - 1;
    const int64_t step = placing->stride[last] * bytes, line = placing->size[last];
    for (int64_t i = first, next; i < first + count; i = next) {
        next = i - i % line + line < first + count ? i - i % line + line : first + count;
        const int64_t packed = i * bytes, strided = placing_at(placing, i) * bytes;
        copy_run(m->to + (m->to_strided ? strided : packed), m->to_strided ? step : bytes,
            m->from + (m->from_strided ? strided : packed), m->from_strided ? step : bytes, bytes, next - i);
    }
}

static void copy_chunk(void *context, int64_t first, int64_t count) {
    const struct moving *m = context;
    memcpy(m->to + first, m->from + first, (size_t)count);
}

static void move(struct moving moving) {
    if (moving.operand->placing.axes)
        parallel_for(moving.operand->elements, 1 << 14, move_chunk, &moving);
    else
        parallel_for((int64_t)moving.operand->bytes, 1 << 20, copy_chunk, &moving);
}

void strided_scatter(const struct operand_data *operand, const void *from, unsigned char *to) {
    move((struct moving){operand, from, to, false, true});
}

void strided_gather(const struct operand_data *operand, const unsigned char *from, void *to) {
    move((struct moving){operand, from, to, true, false});
}

const unsigned char *strided_packed(const struct operand_data *operand, const unsigned char *binding, void **made) {
    *made = NULL;
    if (!operand->placing.axes) return binding;
    *made = memory_alloc((size_t)operand->bytes, 1);
    strided_gather(operand, binding, *made);
    return *made;
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
