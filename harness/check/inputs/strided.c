// SPDX-License-Identifier: Apache-2.0
#include "strided.h"

#include "../../base/memory.h"
#include "../../base/parallel.h"
#include "../../manifest/words.h"

#include <stdlib.h>
#include <string.h>

static bool find_header(const struct point *point, int index, struct operand_data *operand, struct error *err) {
    static const uint32_t no_groups[3];
    const struct layout *layout = &point->kernel->layouts[index];
    const struct word_source source = {point->kernel, point->dims, point->params, &point->shape, no_groups};
    operand->header_words = layout->header_count;
    for (int i = 0; i < layout->header_count; i++)
        if (!word_value(&source, &layout->header[i], &operand->header[i]))
            return error_of_kind(err, ERROR_SKIP, "header word %s does not fit 32 bits", layout->header[i].text);
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

void strided_fill(const struct operand_data *operand, int index, uint32_t run, unsigned char *to) {
    for (uint64_t at = 0; at < operand->extent; at += 4) {
        const uint32_t word =
            at / 4 < (uint64_t)operand->header_words ? operand->header[at / 4] : poison_word(run, index, at / 4);
        memcpy(to + at, &word, operand->extent - at < 4 ? (size_t)(operand->extent - at) : 4);
    }
}

struct moving {
    const struct operand_data *operand;
    const unsigned char *from;
    unsigned char *to;
    bool scatter;
};

static void move_chunk(void *context, int64_t first, int64_t count) {
    const struct moving *m = context;
    const size_t bytes = (size_t)dtype_info(m->operand->dtype)->bytes;
    for (int64_t i = first; i < first + count; i++) {
        const size_t packed = (size_t)i * bytes, strided = (size_t)placing_at(&m->operand->placing, i) * bytes;
        memcpy(m->to + (m->scatter ? strided : packed), m->from + (m->scatter ? packed : strided), bytes);
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
    move((struct moving){operand, from, to, true});
}

void strided_gather(const struct operand_data *operand, const unsigned char *from, void *to) {
    move((struct moving){operand, from, to, false});
}

const unsigned char *strided_packed(const struct operand_data *operand, const unsigned char *binding, void **made) {
    *made = NULL;
    if (!operand->placing.axes) return binding;
    *made = memory_alloc((size_t)operand->bytes, 1);
    strided_gather(operand, binding, *made);
    return *made;
}

bool strided_intact(const struct operand_data *operand, int index, uint32_t run, const unsigned char *binding) {
    unsigned char *packed = memory_alloc((size_t)operand->bytes, 1), *whole = memory_alloc((size_t)operand->extent, 1);
    strided_fill(operand, index, run, whole);
    strided_gather(operand, binding, packed);
    strided_scatter(operand, packed, whole);
    const bool intact = memcmp(whole, binding, (size_t)operand->extent) == 0;
    free(packed);
    free(whole);
    return intact;
}
