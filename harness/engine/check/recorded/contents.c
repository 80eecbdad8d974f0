// SPDX-License-Identifier: Apache-2.0
#include "contents.h"

#include "../../../base/parallel.h"

#include <string.h>

bool recorded_fill(struct problem *problem, struct error *err) {
    for (int i = 0; i < problem->operand_count; i++) {
        struct operand_data *operand = &problem->operands[i];
        unsigned char *before = reused_take(&problem->memory[i][MEMORY_IMAGE], operand->bytes), *after = NULL;
        const struct kernel *kernel = problem->kernel;
        const int64_t call = problem->dims[0];
        const bool results = operand->role != ROLE_IN && captured_has_results(kernel, call, i);
        if (results) after = reused_take(&problem->memory[i][MEMORY_AFTER], operand->bytes);
        if (!before || (results && !after))
            return error_set(err, STATUS_FAULT, "out of host memory for a recorded operand");
        if (!captured_contents(kernel, call, i, false, before, err)) return false;
        if (after) memcpy(after, before, operand->bytes);
        if (after && !captured_contents(kernel, call, i, true, after, err)) return false;
        operand->before = before;
        operand->after = after;
        operand->image = operand->role == ROLE_OUT ? NULL : before;
    }
    return true;
}

struct settling {
    const struct operand_data *operand;
    int index;
    const unsigned char *staged;
    unsigned char *bytes;
};

// Timed runs have the buffers of run 1, whatever was staged since for a packed run.
static void settle(void *context, int64_t first, int64_t count) {
    const struct settling *s = context;
    const unsigned char *before = s->operand->before, *after = s->operand->after;
    for (int64_t i = first; i < first + count; i++) {
        const uint32_t poison = poison_word(1, s->index, (uint64_t)i / 4);
        const bool left = s->bytes[i] == s->staged[i] || s->bytes[i] == ((const unsigned char *)&poison)[i % 4];
        if (left && after[i] == before[i]) s->bytes[i] = before[i];
    }
}

void recorded_settle(const struct problem *problem, int index, unsigned char *bytes) {
    const struct operand_data *operand = &problem->operands[index];
    if (operand->role != ROLE_OUT || !operand->after) return;
    const unsigned char *staged = (const unsigned char *)problem->upload.host + operand->staging + problem->guard;
    struct settling settling = {operand, index, staged, bytes};
    parallel_for((int64_t)operand->bytes, 1 << 16, settle, &settling);
}
