// SPDX-License-Identifier: Apache-2.0
// Memory: compares the buffers of a case with the device's limits for bindings, allocations and total memory.
#include "../manifest/layout.h"
#include "legal.h"

struct buffer_size {
    const char *kind, *name;
    enum dtype dtype;
    int64_t elements;
};

// Adds one buffer to *total. Returns NULL, or why the buffer is impossible.
static const struct refusal *add_buffer(const struct trial *t, const struct buffer_size *b, uint64_t *total) {
    const struct dtype_info *info = dtype_info(b->dtype);
    struct refusal refusal = {.words = {b->kind, b->name}};
    uint64_t bytes = 0;
    if (b->elements < 0) {
        refusal.kind = REFUSAL_BUFFER_ELEMENTS;
    } else if (b->elements == 0) {
        refusal.kind = REFUSAL_BUFFER_EMPTY;
    } else if (info->elements > 1 && b->elements % info->elements) {
        refusal.kind = REFUSAL_BUFFER_BLOCKS;
        refusal.words[2] = info->name;
        refusal.figures[0] = (double)b->elements;
        refusal.figures[1] = info->elements;
    } else if (!dtype_bytes(b->dtype, b->elements, &bytes) || __builtin_add_overflow(*total, bytes, total)) {
        refusal.kind = REFUSAL_BUFFER_OVERFLOW;
    } else {
        bool unbound = bytes > t->device->storage_range;
        if (!unbound && bytes <= t->device->largest_allocation) return NULL;
        refusal.kind = unbound ? REFUSAL_BUFFER_RANGE : REFUSAL_BUFFER_ALLOCATION;
        refusal.figures[0] = (double)bytes;
        refusal.figures[1] = (double)(unbound ? t->device->storage_range : t->device->largest_allocation);
    }
    return refusal_new(t->arena, refusal);
}

const struct refusal *trial_memory(const struct trial *t, const struct shape *shape) {
    const struct op *op = t->kernel->op;
    uint64_t total = 0;
    const struct refusal *why = NULL;
    for (int i = 0; !why && i < operator_operands(op); i++) {
        const struct operand *operand = &op->operands[i];
        struct buffer_size size = {
            "operand", operand->name, operand_dtype(operand, t->dtype), operand_elements(op, operand, t->dims)};
        struct placing placing;
        if (layout_place(t->kernel, i, t->dims, &placing) != PLACING_GOOD)
            return REFUSED(t->arena, .kind = REFUSAL_BUFFER_LAYOUT, .words = {operand->name});
        if (placing.axes && size.elements > 0) size.elements = placing.extent;
        why = add_buffer(t, &size, &total);
    }
    for (int i = 0; !why && shape && i < t->kernel->scratch_count; i++) {
        const struct scratch *scratch = &t->kernel->scratch[i];
        struct buffer_size size = {
            "scratch", scratch->name, scratch->dtype, quotient_value(t->kernel, &scratch->elements, t->dims, shape)};
        why = add_buffer(t, &size, &total);
    }
    double memory = (double)device_memory(t->device), allowed = memory * t->memory_share;
    if (why || (double)total <= allowed) return why;
    return REFUSED(t->arena, .kind = REFUSAL_MEMORY, .figures = {(double)total, t->memory_share, memory, allowed});
}
