// SPDX-License-Identifier: Apache-2.0
#include "operator_listing.h"

#include "../../../reference/table.h"
#include "../../../reference/operator.h"
#include "../../base/text.h"
#include "../../shader/manifest/known_names.h"
#include "../../engine/plan/lines.h"
#include "../../readers/render/format.h"
#include "../../readers/table/table.h"
#include "../command.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// How inputs are drawn: words for a person, and the numbers it depends on.
static const struct {
    const char *text;
    enum { NUMBERS_NONE, NUMBERS_RANGE, NUMBERS_BELOW } numbers;
    const char *more;
} fills[] = {
    [FILL_UNIFORM] = {"numbers", NUMBERS_RANGE, ""},
    [FILL_INDEX] = {"whole numbers from 0 to", NUMBERS_BELOW, ""},
    [FILL_OUT_OF_RANGE] = {"whole numbers from 0 to", NUMBERS_BELOW, ", one in eight out of range"},
    [FILL_PERMUTATION] = {"each number once", NUMBERS_NONE, ""},
    [FILL_SPREAD] = {"numbers of all sizes", NUMBERS_RANGE, ""},
    [FILL_CONSTANT] = {"everywhere", NUMBERS_RANGE, ""},
    [FILL_WHOLE] = {"whole numbers", NUMBERS_RANGE, ""},
    [FILL_COSINE] = {"a table of cosines", NUMBERS_NONE, ""},
    [FILL_SINE] = {"a table of sines", NUMBERS_NONE, ""},
    [FILL_STEPS] = {"numbers with repeats", NUMBERS_RANGE, ""},
    [FILL_RARE] = {"one of two numbers, rarely the second,", NUMBERS_RANGE, ""},
    [FILL_MASK] = {"0, and -inf in places", NUMBERS_NONE, ""},
    [FILL_TIES] = {"numbers of all sizes", NUMBERS_RANGE, ""},
    [FILL_BROKEN] = {"numbers", NUMBERS_RANGE, ", NaN and infinities among them"},
    [FILL_TRUTH] = {"0, or any other byte", NUMBERS_NONE, ""},
};

// ---- the members

static struct listed_dim *list_dims(struct arena *arena, const struct op *op, const char *const *names, size_t count) {
    struct listed_dim *dims = arena_alloc(arena, count + 1, sizeof *dims);
    for (size_t i = 0; i < count; i++) {
        dims[i] = (struct listed_dim){names[i], operator_meaning(op, names[i]), 1};
        for (int z = 0; z < 4 && op->zero_ok[z]; z++)
            if (strcmp(op->zero_ok[z], names[i]) == 0) dims[i].least = 0;
    }
    return dims;
}

// Leaves only the numbers on which the inputs depend.
static void set_numbers(struct listed_operand *out) {
    struct operand *is = &out->is;
    const bool range = out->fill >= 0 && fills[out->fill].numbers == NUMBERS_RANGE;
    if (is->fill == FILL_UNIFORM && is->low == 0 && is->high == 0) {
        is->low = -1;
        is->high = 1;
    }
    if (!range) is->low = NAN;
    if (!range || is->fill == FILL_CONSTANT) is->high = NAN;
    if (out->fill < 0 || fills[out->fill].numbers != NUMBERS_BELOW) is->below = NULL;
}

static void list_operand(const struct op *op, const struct operand *operand, struct listed_operand *out) {
    const bool drawn = operand->role != ROLE_OUT;
    *out = (struct listed_operand){.is = *operand,
        .dtype = operand->dtype == DTYPE_CASE ? "case" : dtype_info(operand->dtype)->name,
        .meaning = operator_meaning(op, operand->name),
        .rank = operand_rank(operand->shape),
        .fill = drawn ? (int)operand->fill : -1,
        .lines = drawn && operand->lines && operand->lines != LINES_BROKEN,
        .broken = drawn && operand->lines == LINES_BROKEN};
    out->is.specials &= drawn;
    set_numbers(out);
}

static void list_parameter(const struct op *op, const struct parameter *parameter, struct listed_parameter *out) {
    *out = (struct listed_parameter){
        *parameter, parameter->integer ? "integer" : "float", operator_meaning(op, parameter->name)};
    if (parameter->low == 0 && parameter->high == 0) out->is.low = out->is.high = NAN;
}

static void list_kernels(struct arena *arena, const struct kernels *kernels, struct listed_operator *out) {
    bool dtypes[DTYPE_COUNT] = {0};
    out->kernels = arena_alloc(arena, kernels->count + 1, sizeof *out->kernels);
    for (size_t i = 0; i < kernels->count; i++) {
        if (strcmp(kernels->items[i]->op->name, out->op.name) != 0) continue;
        out->kernels[out->kernels_count++] = kernels->items[i]->name;
        for (int d = 0; d < DTYPE_COUNT; d++) dtypes[d] |= kernels->items[i]->dtypes[d];
    }
    out->dtypes = arena_alloc(arena, DTYPE_COUNT, sizeof *out->dtypes);
    for (int d = DTYPE_F32; d < DTYPE_COUNT; d++)
        if (dtypes[d]) out->dtypes[out->dtypes_count++] = dtype_info((enum dtype)d)->name;
}

void operator_listing(
    struct arena *arena, const struct op *op, const struct kernels *kernels, struct listed_operator *out) {
    *out = (struct listed_operator){.op = *op,
        .dims_count = (size_t)operator_dims(op),
        .derived_count = (size_t)operator_derived(op),
        .operands_count = (size_t)operator_operands(op),
        .parameters_count = (size_t)operator_params(op)};
    out->dims = list_dims(arena, op, op->dims, out->dims_count);
    out->derived = list_dims(arena, op, op->derived, out->derived_count);
    out->operands = arena_alloc(arena, out->operands_count + 1, sizeof *out->operands);
    for (size_t i = 0; i < out->operands_count; i++) list_operand(op, &op->operands[i], &out->operands[i]);
    out->parameters = arena_alloc(arena, out->parameters_count + 1, sizeof *out->parameters);
    for (size_t i = 0; i < out->parameters_count; i++) list_parameter(op, &op->params[i], &out->parameters[i]);
    list_kernels(arena, kernels, out);
}

// ---- as text

static void put_names(struct text *out, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) text_format(out, "%s%s", i ? ", " : "", names[i]);
}

static void say_axes(struct text *out, const void *row) {
    const struct listed_operand *operand = row;
    text_append(out, "[");
    put_names(out, operand->is.shape, (size_t)operand->rank);
    text_append(out, "]");
}

static void say_role(struct text *out, const void *row) {
    text_append(out, role_name(((const struct listed_operand *)row)->is.role));
}

static void say_dtype(struct text *out, const void *row) {
    const struct listed_operand *operand = row;
    text_append(out, operand->is.dtype == DTYPE_CASE ? "its type" : operand->dtype);
    if (operand->is.weights) text_append(out, ", or quantised");
}

// Appends a number behind the word before it; nothing for NaN.
static void put_number(struct text *out, const char *before, double number) {
    if (isnan(number)) return;
    text_append(out, before);
    text_number(out, number);
}

// Prints "input; drawn: numbers from -1 to 1".
static void say_operand(struct text *out, const void *row) {
    const struct listed_operand *operand = row;
    text_append(out, operand->meaning ? operand->meaning : "-");
    if (operand->fill < 0) return;
    text_format(out, "; drawn: %s", fills[operand->fill].text);
    put_number(out, isnan(operand->is.high) ? " " : " from ", operand->is.low);
    put_number(out, " to ", operand->is.high);
    if (operand->is.below) text_format(out, " below %s", operand->is.below);
    text_append(out, fills[operand->fill].more);
    if (operand->is.specials) text_append(out, ", special values");
    if (operand->lines) text_append(out, ", hard lines");
    if (operand->broken) text_append(out, ", broken lines");
}

static void say_dim(struct text *out, const void *row) {
    const struct listed_dim *dim = row;
    text_append(out, dim->meaning ? dim->meaning : "-");
    if (!dim->least) text_append(out, "; may be 0");
}

// Prints "default 1e-05, from 0 to 1; tried: 0, 1".
static void say_range(struct text *out, const void *row) {
    const struct listed_parameter *parameter = row;
    put_number(out, "default ", parameter->is.standard);
    put_number(out, ", from ", parameter->is.low);
    put_number(out, " to ", parameter->is.high);
    for (int i = 0; i < parameter->is.telling.count; i++)
        put_number(out, i ? ", " : "; tried: ", parameter->is.telling.values[i]);
}

static const struct column dim_columns[] = {
    {"name", TEXT_OF(struct listed_dim, name)}, {"meaning", .wraps = true, .say = say_dim}, {0}};
static const struct column operand_columns[] = {
    {"name", TEXT_OF(struct listed_operand, is.name)},
    {"role", .say = say_role},
    {"type", .say = say_dtype},
    {"shape", .say = say_axes},
    {"meaning", .wraps = true, .say = say_operand},
    {0},
};
static const struct column parameter_columns[] = {
    {"name", TEXT_OF(struct listed_parameter, is.name)},
    {"type", TEXT_OF(struct listed_parameter, type)},
    {"range", .wraps = true, .say = say_range},
    {"meaning", .wraps = true, TEXT_OF(struct listed_parameter, meaning)},
    {0},
};

static int listing_width(void) {
    const int width = terminal_width();
    return width ? width : TABLE_ANY_WIDTH;
}

static void print_part(
    struct arena *arena, const char *title, const struct column *columns, const void *rows, size_t size, size_t count) {
    struct table table;
    if (!count) return;
    printf("\n%s\n", title);
    table_make(&table, arena, columns, 0, rows, size, count);
    table_print(&table, stdout, listing_width());
}

static void print_line(const char *title, const char *line) {
    char lead[16];
    snprintf(lead, sizeof lead, "%-12s ", title);
    if (line && *line) print_hanging(stdout, lead, line, 13, listing_width());
}

static void print_names(const char *title, const char *const *names, size_t count) {
    struct text text = {0};
    put_names(&text, names, count);
    print_line(title, text_str(&text));
    text_free(&text);
}

#define PART(TITLE, COLUMNS, LIST)                                                                                     \
    print_part(arena, TITLE, COLUMNS, listed->LIST, sizeof *listed->LIST, listed->LIST##_count)

void operator_listing_print(struct arena *arena, const struct listed_operator *listed) {
    const struct op *op = &listed->op;
    print_hanging(
        stdout, "", arena_format(arena, "%s (%s): %s", op->name, op->family, op->summary), 2, listing_width());
    putchar('\n');
    print_line("formula", op->formula);
    print_line("conventions", op->conventions);
    print_line("source", op->source);
    print_line("bound", op->bound);
    print_names("types", listed->dtypes, listed->dtypes_count);
    print_names("kernels", listed->kernels, listed->kernels_count);
    PART("Dims", dim_columns, dims);
    PART("Dims that follow from these", dim_columns, derived);
    PART("Operands", operand_columns, operands);
    PART("Parameters", parameter_columns, parameters);
}
