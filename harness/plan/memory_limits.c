// SPDX-License-Identifier: Apache-2.0
// Memory: the buffers of a case, and their sum compared with the device's memory.
#include "../manifest/layout.h"
#include "needs.h"
#include "../device/device_info.h"
#include "../../reference/operator.h"

int case_buffers(const struct trial *t, const struct shape *shape) {
    return operator_operands(t->kernel->op) + (shape ? t->kernel->scratch_count : 0);
}

// Returns whether the operand's layout has a place for each element.
static bool find_operand(const struct trial *t, int index, struct case_buffer *out) {
    const struct op *op = t->kernel->op;
    const struct operand *operand = &op->operands[index];
    struct placing placing;
    *out = (struct case_buffer){.kind = "operand",
        .name = operand->name,
        .dtype = kernel_operand_dtype(t->kernel, index, t->dtype),
        .elements = operand_elements(op, operand, t->dims),
        .bound = !t->kernel->is_fixed[index]};
    if (layout_place(t->kernel, index, t->dims, &placing) != PLACING_GOOD) return false;
    if (placing.axes && out->elements > 0) out->elements = placing.extent;
    return true;
}

static void find_scratch(const struct trial *t, const struct shape *shape, int index, struct case_buffer *out) {
    const struct scratch *scratch = &t->kernel->scratch[index];
    *out = (struct case_buffer){.kind = "scratch",
        .name = scratch->name,
        .dtype = scratch->dtype,
        .elements = quotient_value(t->kernel, &scratch->elements, t->dims, shape),
        .bound = true};
}

const struct refusal *case_buffer(
    const struct trial *t, const struct shape *shape, int index, struct case_buffer *out) {
    const int operands = operator_operands(t->kernel->op);
    if (index >= operands)
        find_scratch(t, shape, index - operands, out);
    else if (!find_operand(t, index, out))
        return REFUSED(t->arena, .kind = REFUSAL_BUFFER_LAYOUT, .words = {out->name});
    const struct dtype_info *info = dtype_info(out->dtype);
    if (out->elements < 0) return REFUSED(t->arena, .kind = REFUSAL_BUFFER_ELEMENTS, .words = {out->kind, out->name});
    if (out->elements == 0) return REFUSED(t->arena, .kind = REFUSAL_BUFFER_EMPTY, .words = {out->kind, out->name});
    if (info->elements > 1 && out->elements % info->elements)
        return REFUSED(t->arena, .kind = REFUSAL_BUFFER_BLOCKS, .words = {out->kind, out->name, info->name},
            .figures = {(double)out->elements, info->elements});
    if (!dtype_bytes(out->dtype, out->elements, &out->bytes))
        return REFUSED(t->arena, .kind = REFUSAL_BUFFER_OVERFLOW, .words = {out->kind, out->name});
    return NULL;
}

const struct refusal *trial_memory(const struct trial *t, const struct shape *shape) {
    uint64_t total = 0;
    const struct refusal *why = trial_limits(t, shape, NEED_OF_BUFFER);
    for (int i = 0; !why && i < case_buffers(t, shape); i++) {
        struct case_buffer buffer;
        why = case_buffer(t, shape, i, &buffer);
        if (!why && __builtin_add_overflow(total, buffer.bytes, &total))
            return REFUSED(t->arena, .kind = REFUSAL_BUFFER_OVERFLOW, .words = {buffer.kind, buffer.name});
    }
    double memory = (double)device_memory(t->device), allowed = memory * t->memory_share;
    if (why || (double)total <= allowed) return why;
    return REFUSED(t->arena, .kind = REFUSAL_MEMORY, .figures = {(double)total, t->memory_share, memory, allowed});
}
