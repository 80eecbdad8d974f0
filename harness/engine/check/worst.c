// SPDX-License-Identifier: Apache-2.0
#include "worst.h"

#include "../../base/text.h"
#include "../../../reference/operator.h"

#include <math.h>
#include <string.h>

enum { SHOWN_INPUTS = 8, LONGEST_LINE = 1 << 20 };

// A share of a type's greatest number, and the exponent of e that overflows f32: numbers that a kernel may mishandle.
static const double extreme = 0.99, large = 88;

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
    if (isnan(value))
        text_append(out, "NaN"); // some C libraries print -nan
    else
        text_format(out, "%.*g", info->significand > 11 ? 9 : info->significand > 8 ? 5 : 4, value);
    if (info->bytes != sizeof bits) return;
    dtype_store(dtype, &bits, 0, value);
    text_format(out, " (0x%04x)", bits);
}

// The last axis of an input, at the places of an output.
struct input_line {
    const struct operand_data *data;
    int64_t first, count;
};

// Returns false if the places of the line are not among those of the output, or if it is a single number.
static bool find_line(const struct problem *problem, int input, const struct operand *output, int rank,
    const int64_t *places, struct input_line *line) {
    struct operand outer = problem->op->operands[input];
    const int last = operand_rank(outer.shape) - 1;
    *line = (struct input_line){.data = &problem->operands[input]};
    if (last < 0 || !line->data->image || line->data->is_fixed || line->data->role != ROLE_IN) return false;
    line->count = problem->dims[operator_dim_index(problem->op, outer.shape[last])];
    outer.shape[last] = NULL;
    line->first = element_at(problem, &outer, output, rank, places) * line->count;
    return line->count > 1 && line->count <= LONGEST_LINE && line->first >= 0 &&
           line->first + line->count <= line->data->elements;
}

// Returns what is hard about the numbers of a line; NULL: nothing is.
static const char *hard_words(struct arena *arena, const struct input_line *line) {
    const enum dtype dtype = line->data->dtype;
    const struct dtype_info *info = dtype_info(dtype);
    double least = INFINITY, most = -INFINITY;
    bool nan = false;
    if (!info->is_float) return NULL;
    for (int64_t i = line->first; i < line->first + line->count; i++) {
        const double value = dtype_load(dtype, line->data->image, i);
        nan |= isnan(value);
        least = fmin(least, value);
        most = fmax(most, value);
    }
    const char *greatest =
        dtype == DTYPE_F32 ? "FLT_MAX" : arena_format(arena, "%.6g, the greatest %s", info->largest, info->name);
    if (nan) return "holds NaN";
    if (isinf(least) || isinf(most)) return arena_format(arena, "holds %s", isinf(least) ? "-inf" : "inf");
    if (most < -extreme * info->largest) return arena_format(arena, "is all about -%s", greatest);
    if (least > extreme * info->largest) return arena_format(arena, "is all about %s", greatest);
    if (least == most) return arena_format(arena, "is all %.6g", least);
    return fmax(-least, most) >= large ? arena_format(arena, "goes from %.6g to %.6g", least, most) : NULL;
}

// Appends the first input with a hard line: "; x[7, :] is all about -FLT_MAX".
static void put_hard_line(struct arena *arena, struct text *out, const struct problem *problem,
    const struct operand *output, int rank, const int64_t *places) {
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand *operand = &problem->op->operands[i];
        struct input_line line;
        const char *words = find_line(problem, i, output, rank, places, &line) ? hard_words(arena, &line) : NULL;
        if (!words) continue;
        text_format(out, "; %s[", operand->name);
        for (int axis = 0; axis + 1 < operand_rank(operand->shape); axis++)
            for (int a = 0; a < rank; a++)
                if (strcmp(output->shape[a], operand->shape[axis]) == 0)
                    text_format(out, "%lld, ", (long long)places[a]);
        text_format(out, ":] %s", words);
        return;
    }
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
    put_hard_line(arena, &text, problem, &problem->op->operands[output], rank, places);
    return arena_take(arena, &text);
}
