// SPDX-License-Identifier: Apache-2.0
// Memory: the buffers of a case against what the device binds, allocates and has.
#include "legal.h"
#include "reason.h"

struct buffer_size {
    const char *kind, *name;
    enum dtype dtype;
    int64_t elements;
};

// Adds one buffer to *total, or says why it cannot be.
static const char *add_buffer(const struct trial *t, const struct buffer_size *b, uint64_t *total) {
    const struct dtype_info *info = dtype_info(b->dtype);
    if (b->elements < 0) return REASON(t->arena, "%s %s has more elements than 64 bits count", b->kind, b->name);
    if (b->elements == 0) return REASON(t->arena, "%s %s is empty", b->kind, b->name);
    if (info->elements > 1 && b->elements % info->elements)
        return REASON(t->arena, "%s %s: %lld elements are no whole number of %s blocks of %d", b->kind, b->name,
            (long long)b->elements, info->name, info->elements);
    uint64_t bytes = 0;
    if (!dtype_bytes(b->dtype, b->elements, &bytes) || __builtin_add_overflow(*total, bytes, total))
        return REASON(t->arena, "%s %s: its bytes overflow 64 bits", b->kind, b->name);
    bool unbound = bytes > t->device->storage_range;
    if (!unbound && bytes <= t->device->largest_allocation) return NULL;
    return REASON(t->arena, "%s %s takes %llu bytes; the device allows %llu (%s)", b->kind, b->name,
        (unsigned long long)bytes,
        (unsigned long long)(unbound ? t->device->storage_range : t->device->largest_allocation),
        unbound ? "maxStorageBufferRange" : "maxMemoryAllocationSize");
}

const char *trial_memory(const struct trial *t, const struct shape *shape) {
    const struct op *op = t->kernel->op;
    uint64_t total = 0;
    const char *why = NULL;
    for (int i = 0; !why && i < operator_operands(op); i++) {
        const struct operand *operand = &op->operands[i];
        struct buffer_size size = {
            "operand", operand->name, operand_dtype(operand, t->dtype), operand_elements(op, operand, t->dims)};
        why = add_buffer(t, &size, &total);
    }
    for (int i = 0; !why && shape && i < t->kernel->scratch_count; i++) {
        const struct scratch *scratch = &t->kernel->scratch[i];
        struct buffer_size size = {
            "scratch", scratch->name, scratch->dtype, quotient_value(t->kernel, &scratch->elements, t->dims, shape)};
        why = add_buffer(t, &size, &total);
    }
    uint64_t memory = device_memory(t->device);
    if (why || (double)total <= (double)memory * t->memory_share) return why;
    return REASON(t->arena,
        "its buffers take %llu bytes; %g of the device's %llu bytes of memory "
        "is %.0f (memory_share)",
        (unsigned long long)total, t->memory_share, (unsigned long long)memory, (double)memory * t->memory_share);
}
