// SPDX-License-Identifier: Apache-2.0
#include "worst.h"

#include "../base/text.h"
#include "../../reference/operator.h"

#include <math.h>
#include <string.h>

enum { SHOWN_INPUTS = 8 };

// Finds the places along the output's axes and returns their number.
static int places_of(const struct problem *problem, const struct operand *output, int64_t index, int64_t *places) {
    const int rank = operand_rank(output->shape);
    for (int i = rank - 1; i >= 0; i--) {
        const int64_t size = problem->dims[operator_dim_index(problem->op, output->shape[i])];
        places[i] = size ? index % size : 0;
        index = size ? index / size : 0;
    }
    return rank;
}

// Returns the input's element at these places of the output. It is -1 if an axis of the input is missing in the
// output or occurs twice.
static int64_t element_at(const struct problem *problem, const struct operand *input, const struct operand *output,
    int rank, const int64_t *places) {
    int64_t index = 0;
    for (int i = 0; i < OPERATOR_RANK && input->shape[i]; i++) {
        int axis = rank;
        for (int a = 0; a < rank; a++)
            if (strcmp(output->shape[a], input->shape[i]) == 0) axis = axis == rank ? a : rank + 1;
        if (axis >= rank) return -1;
        index = index * problem->dims[operator_dim_index(problem->op, input->shape[i])] + places[axis];
    }
    return index;
}

int worst_inputs(const struct problem *problem, int output, int64_t index, struct named_number *out, int room) {
    const struct operand *operand = &problem->op->operands[output];
    int64_t places[OPERATOR_RANK];
    int count = 0, rank = places_of(problem, operand, index, places);
    for (int i = 0; i < problem->operand_count && count < room; i++) {
        const struct operand_data *input = &problem->operands[i];
        if (!input->image) continue;
        const int64_t at = element_at(problem, &problem->op->operands[i], operand, rank, places);
        if (at < 0 || at >= input->elements) continue;
        out[count++] = (struct named_number){problem->op->operands[i].name, dtype_load(input->dtype, input->image, at)};
    }
    return count;
}

// Prints enough digits to distinguish any two numbers of the type.
static void put_value(struct text *out, enum dtype dtype, double value) {
    const struct dtype_info *info = dtype_info(dtype);
    uint16_t bits = 0;
    if (!info->is_float) {
        text_format(out, "%.0f", value);
        return;
    }
    text_format(out, "%.*g", info->significand > 11 ? 9 : info->significand > 8 ? 5 : 4, value);
    if (info->bytes != sizeof bits) return;
    dtype_store(dtype, &bits, 0, value);
    text_format(out, " (0x%04x)", bits);
}

const char *worst_text(
    struct arena *arena, const struct problem *problem, int output, int64_t index, double got, double want) {
    const enum dtype dtype = problem->operands[output].dtype;
    struct named_number inputs[SHOWN_INPUTS];
    int64_t places[OPERATOR_RANK];
    struct text text = {0};
    const double nearest = dtype_info(dtype)->is_float ? dtype_round(dtype, want) : want;
    text_append(&text, "got ");
    put_value(&text, dtype, got);
    text_append(&text, ", want ");
    put_value(&text, dtype, nearest);
    if (isinf(nearest) && !isinf(want)) text_format(&text, ", as %.9g is beyond %s", want, dtype_info(dtype)->name);
    const int count = worst_inputs(problem, output, index, inputs, SHOWN_INPUTS);
    for (int i = 0; i < count; i++)
        text_format(&text, "%s%s = %.9g", i ? ", " : ", at ", inputs[i].name, inputs[i].value);
    const int rank = places_of(problem, &problem->op->operands[output], index, places);
    for (int i = 0; rank > 1 && i < rank; i++)
        text_format(&text, "%s%lld", i ? ", " : arena_format(arena, ", %s[", problem->op->operands[output].name),
            (long long)places[i]);
    if (rank > 1) text_append(&text, "]");
    return arena_take(arena, &text);
}
