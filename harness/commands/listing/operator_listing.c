// SPDX-License-Identifier: Apache-2.0
#include "operator_listing.h"

#include "../../../reference/glossary.h"
#include "../../base/text.h"
#include "../../render/format.h"
#include "../../render/table/table.h"
#include "../command.h"
#include "../../../reference/operator.h"
#include "../../plan/lines.h"

#include <stdio.h>
#include <string.h>

static const char *const roles[] = {[ROLE_IN] = "in", [ROLE_OUT] = "out", [ROLE_INOUT] = "inout"};

// How inputs are drawn: the fill's name, words for a person, and the numbers it depends on.
static const struct {
    const char *name, *text;
    enum { NUMBERS_NONE, NUMBERS_RANGE, NUMBERS_BELOW } numbers;
    const char *more;
} fills[] = {
    [FILL_UNIFORM] = {"uniform", "numbers", NUMBERS_RANGE, NULL},
    [FILL_INDEX] = {"index", "whole numbers from 0 to", NUMBERS_BELOW, NULL},
    [FILL_STRAY] = {"stray", "whole numbers from 0 to", NUMBERS_BELOW, ", one in eight out of range"},
    [FILL_PERMUTATION] = {"permutation", "each number once", NUMBERS_NONE, NULL},
    [FILL_SPREAD] = {"spread", "numbers of all sizes", NUMBERS_RANGE, NULL},
    [FILL_CONSTANT] = {"constant", "everywhere", NUMBERS_RANGE, NULL},
    [FILL_WHOLE] = {"whole", "whole numbers", NUMBERS_RANGE, NULL},
    [FILL_COSINE] = {"cosine", "a table of cosines", NUMBERS_NONE, NULL},
    [FILL_SINE] = {"sine", "a table of sines", NUMBERS_NONE, NULL},
    [FILL_STEPS] = {"steps", "numbers with repeats", NUMBERS_RANGE, NULL},
    [FILL_RARE] = {"rare", "one of two numbers, rarely the second,", NUMBERS_RANGE, NULL},
    [FILL_MASK] = {"mask", "0, and -inf in places", NUMBERS_NONE, NULL},
    [FILL_TIES] = {"ties", "numbers of all sizes", NUMBERS_RANGE, NULL},
    [FILL_BROKEN] = {"broken", "numbers", NUMBERS_RANGE, ", NaN and infinities among them"},
    [FILL_TRUTH] = {"truth", "0, or any other byte", NUMBERS_NONE, NULL},
};

// ---- as JSON

static struct json_object *names_listing(const char *const *names, int count) {
    struct json_object *array = json_object_new_array();
    for (int i = 0; i < count; i++) json_object_array_add(array, json_object_new_string(names[i]));
    return array;
}

struct json_object *dtypes_listing(const bool *dtypes) {
    const char *names[DTYPE_COUNT];
    int count = 0;
    for (int d = DTYPE_F32; d < DTYPE_COUNT; d++)
        if (dtypes[d]) names[count++] = dtype_info((enum dtype)d)->name;
    return names_listing(names, count);
}

static struct json_object *dims_listing(const struct op *op, const char *const *names, int count) {
    struct json_object *list = json_object_new_array();
    for (int i = 0; i < count; i++) {
        struct json_object *dim = json_object_new_object();
        bool zero = false;
        for (int z = 0; z < 4 && op->zero_ok[z]; z++) zero |= strcmp(op->zero_ok[z], names[i]) == 0;
        json_put_string(dim, "name", names[i]);
        json_put_string(dim, "meaning", operator_meaning(op, names[i]));
        if (names == op->dims) json_put_int(dim, "least", zero ? 0 : 1);
        json_object_array_add(list, dim);
    }
    return list;
}

static void put_filling(struct json_object *object, const struct operand *operand) {
    bool uniform = operand->fill == FILL_UNIFORM && operand->low == 0 && operand->high == 0;
    json_put_string(object, "fill", fills[operand->fill].name);
    if (fills[operand->fill].numbers == NUMBERS_RANGE) {
        json_put_double(object, "low", uniform ? -1 : operand->low);
        if (operand->fill != FILL_CONSTANT) json_put_double(object, "high", uniform ? 1 : operand->high);
    }
    if (fills[operand->fill].numbers == NUMBERS_BELOW) json_put_string(object, "below", operand->below);
    if (operand->specials) json_put_bool(object, "specials", true);
    if (operand->lines) json_put_bool(object, operand->lines == LINES_BROKEN ? "broken" : "lines", true);
}

static struct json_object *operands_listing(const struct op *op) {
    struct json_object *list = json_object_new_array();
    for (int i = 0; i < operator_operands(op); i++) {
        const struct operand *operand = &op->operands[i];
        struct json_object *object = json_object_new_object();
        json_put_string(object, "name", operand->name);
        json_put_string(object, "role", roles[operand->role]);
        json_put_string(object, "dtype", operand->dtype == DTYPE_CASE ? "case" : dtype_info(operand->dtype)->name);
        json_put_bool(object, "weights", operand->weights);
        json_put(object, "shape", names_listing(operand->shape, operand_rank(operand->shape)));
        json_put_string(object, "meaning", operator_meaning(op, operand->name));
        if (operand->role != ROLE_OUT) put_filling(object, operand);
        json_object_array_add(list, object);
    }
    return list;
}

static struct json_object *parameters_listing(const struct op *op) {
    struct json_object *list = json_object_new_array();
    for (int i = 0; i < operator_params(op); i++) {
        const struct parameter *parameter = &op->params[i];
        struct json_object *object = json_object_new_object(), *telling = json_object_new_array();
        const bool any = parameter->low == 0 && parameter->high == 0;
        for (int t = 0; t < parameter->telling.count; t++)
            json_object_array_add(telling, json_double(parameter->telling.values[t]));
        json_put_string(object, "name", parameter->name);
        json_put_string(object, "type", parameter->integer ? "integer" : "float");
        json_put_double(object, "default", parameter->standard);
        json_put(object, "low", any ? NULL : json_double(parameter->low));
        json_put(object, "high", any ? NULL : json_double(parameter->high));
        json_put(object, "telling", telling);
        json_put_string(object, "meaning", operator_meaning(op, parameter->name));
        json_object_array_add(list, object);
    }
    return list;
}

static void put_kernels(struct json_object *object, const struct op *op, const struct kernels *kernels) {
    struct json_object *used = json_object_new_array();
    bool dtypes[DTYPE_COUNT] = {0};
    for (size_t i = 0; i < kernels->count; i++) {
        if (kernels->items[i]->op != op) continue;
        json_object_array_add(used, json_object_new_string(kernels->items[i]->name));
        for (int d = 0; d < DTYPE_COUNT; d++) dtypes[d] |= kernels->items[i]->dtypes[d];
    }
    json_put(object, "dtypes", dtypes_listing(dtypes));
    json_put(object, "kernels", used);
}

struct json_object *operator_listing(const struct op *op, const struct kernels *kernels) {
    struct json_object *object = json_object_new_object();
    json_put_string(object, "name", op->name);
    json_put_string(object, "family", op->family);
    json_put_string(object, "summary", op->summary);
    json_put_string(object, "formula", op->formula);
    json_put_string(object, "conventions", op->conventions);
    json_put_string(object, "source", op->source);
    json_put_string(object, "seeds", op->systems);
    json_put(object, "dims", dims_listing(op, op->dims, operator_dims(op)));
    json_put(object, "derived", dims_listing(op, op->derived, operator_derived(op)));
    json_put(object, "operands", operands_listing(op));
    json_put(object, "parameters", parameters_listing(op));
    json_put_string(object, "along", op->along);
    json_put_string(object, "bound", op->bound);
    put_kernels(object, op, kernels);
    return object;
}

// ---- as text

static struct json_object *row_of(const void *row) {
    return *(struct json_object *const *)row;
}

static void put_member(struct text *out, const void *row, struct cell *cell) {
    text_append(out, json_get_string(row_of(row), cell->column->title, ""));
}

static void put_joined(struct text *out, struct json_object *list) {
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        struct json_object *item = json_object_array_get_idx(list, i);
        if (i) text_append(out, ", ");
        if (json_object_is_type(item, json_type_string))
            text_append(out, json_object_get_string(item));
        else
            text_number(out, json_object_get_double(item));
    }
}

static void say_axes(struct text *out, const void *row) {
    text_append(out, "[");
    put_joined(out, json_get(row_of(row), "shape"));
    text_append(out, "]");
}

static void say_dtype(struct text *out, const void *row) {
    const char *dtype = json_get_string(row_of(row), "dtype", "");
    text_append(out, strcmp(dtype, "case") == 0 ? "its type" : dtype);
    if (json_get_bool(row_of(row), "weights", false)) text_append(out, ", or quantised");
}

static void put_drawn(struct text *out, struct json_object *operand, const char *text, const char *more) {
    struct json_object *low = json_get(operand, "low"), *high = json_get(operand, "high");
    const char *below = json_get_string(operand, "below", NULL);
    text_format(out, "; drawn: %s", text);
    if (low) text_append(out, high ? " from " : " ");
    if (low) text_number(out, json_object_get_double(low));
    if (high) text_append(out, " to ");
    if (high) text_number(out, json_object_get_double(high));
    if (below) text_format(out, " below %s", below);
    if (more) text_append(out, more);
    if (json_get_bool(operand, "specials", false)) text_append(out, ", special values");
    if (json_get_bool(operand, "lines", false)) text_append(out, ", hard lines");
    if (json_get_bool(operand, "broken", false)) text_append(out, ", broken lines");
}

// Prints "input; drawn: numbers from -1 to 1".
static void say_operand(struct text *out, const void *row) {
    const char *fill = json_get_string(row_of(row), "fill", "");
    text_append(out, json_get_string(row_of(row), "meaning", "-"));
    for (size_t i = 0; i < sizeof fills / sizeof *fills; i++)
        if (strcmp(fills[i].name, fill) == 0) put_drawn(out, row_of(row), fills[i].text, fills[i].more);
}

static void say_dim(struct text *out, const void *row) {
    text_append(out, json_get_string(row_of(row), "meaning", "-"));
    if (json_get_int(row_of(row), "least", 1) == 0) text_append(out, "; may be 0");
}

// Prints "default 1e-05, from 0 to 1; tried: 0, 1".
static void say_range(struct text *out, const void *row) {
    struct json_object *low = json_get(row_of(row), "low"), *telling = json_get(row_of(row), "telling");
    text_append(out, "default ");
    text_number(out, json_get_double(row_of(row), "default", 0));
    if (low) {
        text_append(out, ", from ");
        text_number(out, json_object_get_double(low));
        text_append(out, " to ");
        text_number(out, json_get_double(row_of(row), "high", 0));
    }
    if (json_object_array_length(telling)) text_append(out, "; tried: ");
    put_joined(out, telling);
}

static const struct listed_part {
    const char *key, *title;
    struct column columns[6];
} listed_parts[] = {
    {"dims", "Dims", {{"name", .put = put_member}, {"meaning", .wraps = true, .say = say_dim}, {0}}},
    {"derived", "Dims that follow from these",
        {{"name", .put = put_member}, {"meaning", .wraps = true, .say = say_dim}, {0}}},
    {"operands", "Operands",
        {{"name", .put = put_member}, {"role", .put = put_member}, {"type", .say = say_dtype},
            {"shape", .say = say_axes}, {"meaning", .wraps = true, .say = say_operand}, {0}}},
    {"parameters", "Parameters",
        {{"name", .put = put_member}, {"type", .put = put_member}, {"range", .wraps = true, .say = say_range},
            {"meaning", .wraps = true, .put = put_member}, {0}}},
};

static int listing_width(void) {
    const int width = terminal_width();
    return width ? width : TABLE_ANY_WIDTH;
}

static void print_part(struct arena *arena, struct json_object *listed, const struct listed_part *part) {
    struct json_object *list = json_get(listed, part->key);
    const size_t count = json_object_array_length(list);
    struct json_object **rows = arena_alloc(arena, count + 1, sizeof *rows);
    struct table table;
    if (!count) return;
    for (size_t i = 0; i < count; i++) rows[i] = json_object_array_get_idx(list, i);
    printf("\n%s\n", part->title);
    table_make(&table, arena, part->columns, 0, rows, sizeof *rows, count);
    table_print(&table, stdout, listing_width());
}

static void print_line(struct json_object *listed, const char *title, const char *key) {
    struct text text = {0};
    struct json_object *value = json_get(listed, key);
    if (json_object_is_type(value, json_type_array))
        put_joined(&text, value);
    else if (value)
        text_append(&text, json_object_get_string(value));
    char lead[16];
    snprintf(lead, sizeof lead, "%-12s ", title);
    if (text.length) print_hanging(stdout, lead, text_str(&text), 13, listing_width());
    text_free(&text);
}

void operator_listing_print(struct arena *arena, struct json_object *listed) {
    static const struct {
        const char *title, *key;
    } above[] = {{"formula", "formula"}, {"conventions", "conventions"}, {"source", "source"}, {"bound", "bound"},
        {"types", "dtypes"}, {"kernels", "kernels"}};
    print_hanging(stdout, "",
        arena_format(arena, "%s (%s): %s", json_get_string(listed, "name", ""), json_get_string(listed, "family", ""),
            json_get_string(listed, "summary", "")),
        2, listing_width());
    putchar('\n');
    for (size_t i = 0; i < sizeof above / sizeof *above; i++) print_line(listed, above[i].title, above[i].key);
    for (size_t i = 0; i < sizeof listed_parts / sizeof *listed_parts; i++) print_part(arena, listed, &listed_parts[i]);
}
