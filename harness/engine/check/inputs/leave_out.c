// SPDX-License-Identifier: Apache-2.0
#include "leave_out.h"

#include "../../../base/parallel.h"
#include "../../../../reference/operator.h"

#include <math.h>
#include <string.h>

struct leaving {
    const struct kernel *kernel;
    enum dtype dtype;
    int64_t line;
    uint64_t key;
    void *buffer;
};

static void plain_numbers(void *context, int64_t first, int64_t count) {
    const struct leaving *l = context;
    const double least = ldexp(1, dtype_info(l->dtype)->least_exponent);
    for (int64_t i = first; i < first + count; i++) {
        const double value = dtype_load(l->dtype, l->buffer, i);
        if (l->kernel->leaves[LEAVE_NAN] && isnan(value)) dtype_store(l->dtype, l->buffer, i, 1);
        if (l->kernel->leaves[LEAVE_SUBNORMALS] && value != 0 && fabs(value) < least)
            dtype_store(l->dtype, l->buffer, i, 0);
    }
}

static void open_lines(void *context, int64_t first, int64_t count) {
    const struct leaving *l = context;
    for (int64_t line = first; line < first + count; line++) {
        int64_t i = 0;
        while (i < l->line && dtype_load(l->dtype, l->buffer, line * l->line + i) == -INFINITY) i++;
        if (i == l->line) dtype_store(l->dtype, l->buffer, line * l->line, 0);
    }
}

// Writes different normal numbers of either sign, in an even order: those of a type have consecutive bits.
static void different_numbers(void *context, int64_t first, int64_t count) {
    const struct leaving *l = context;
    const struct dtype_info *info = dtype_info(l->dtype);
    const uint32_t least = (uint32_t)1 << (info->significand - 1), sign = (uint32_t)1 << (info->bytes * 8 - 1);
    const uint64_t positive = sign - 2 * (uint64_t)least, all = 2 * positive; // the greatest exponent has no numbers
    uint64_t step = (uint64_t)((double)all * 0.6180339887498949) | 1;
    while (step % 3 == 0 || step % 5 == 0 || step % 127 == 0) step += 2; // all = 2^25 127, 2^12 15 or 2^9 127
    for (int64_t i = first; i < first + count; i++) {
        const uint64_t rank = ((uint64_t)i + l->key % all) % all * step % all;
        const uint32_t bits = least + (uint32_t)(rank % positive) + (rank < positive ? 0 : sign);
        memcpy((unsigned char *)l->buffer + i * info->bytes, &bits, (size_t)info->bytes);
    }
}

void leave_out(const struct kernel *kernel, const struct operand *described, enum dtype dtype, int64_t elements,
    int64_t line, uint64_t key, void *buffer) {
    struct leaving leaving = {kernel, dtype, line, key, buffer};
    if (!dtype_info(dtype)->is_float || dtype_info(dtype)->elements != 1 || elements < 1) return;
    if (kernel->leaves[LEAVE_TIES] && described->fill == FILL_STEPS)
        parallel_for(elements, 4096, different_numbers, &leaving);
    if (kernel->leaves[LEAVE_NAN] || kernel->leaves[LEAVE_SUBNORMALS])
        parallel_for(elements, 4096, plain_numbers, &leaving);
    if (kernel->leaves[LEAVE_MASKED_ROW] && line > 0) parallel_for(elements / line, 64, open_lines, &leaving);
}
