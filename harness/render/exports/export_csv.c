// SPDX-License-Identifier: Apache-2.0
// CSV by RFC 4180: one line a point, one column a figure; an empty cell was not measured. reports/README.md lists the
// columns.
#include "export.h"

#include "csv_columns.h"
#include "../rate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- cells

static void put_separator(struct text *out) {
    if (out->length && out->data[out->length - 1] != '\n') text_append(out, ",");
}

// Quoted where it must be. Controls become spaces, line ends too: a record is one line.
static void put_text_cell(struct text *out, const char *string) {
    put_separator(out);
    bool quoted = !*string || strpbrk(string, ",\"\r\n") || *string == ' ' || string[strlen(string) - 1] == ' ';
    if (quoted) text_append(out, "\"");
    for (const char *c = string; *c; c++) {
        bool control = (unsigned char)*c < 0x20 || *c == 0x7f;
        if (*c == '"') text_append(out, "\"");
        text_append_n(out, control ? " " : c, 1);
    }
    if (quoted) text_append(out, "\"");
}

// The first cell of a line must not be empty, or the separator after it is lost: put_text_cell quotes what is empty.
static void put_empty_cell(struct text *out) {
    text_append(out, ",");
}

// NaN and infinities were not measured.
static void put_number(struct text *out, double value) {
    if (!isfinite(value)) {
        put_empty_cell(out);
        return;
    }
    put_separator(out);
    text_number(out, value);
}

// Takes `value` over. A number's text is made but once: it takes longer than all else of a cell.
static void put_cell(struct text *out, struct json_object *value) {
    const char *string = json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;
    if (!value || (string && !*string)) {
        put_empty_cell(out);
    } else if (json_object_is_type(value, json_type_double)) {
        put_separator(out);
        double number = json_object_get_double(value);
        const char *zero = signbit(number) ? "-0" : "0"; // in JSON "-0.0"
        text_append(out, number == 0 ? zero : json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN));
    } else {
        put_text_cell(out, string ? string : json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN));
    }
    json_object_put(value);
}

// ---- columns that are members of a record

static void put_fields(struct text *out, const struct field *fields, const void *base, bool present) {
    for (; fields->key; fields++)
        put_cell(out, present ? fields->kind->put((const char *)base + fields->offset) : NULL);
}

// ---- columns that depend on the results: the names of dims and of tunables, in the order they come in

struct names {
    struct arena *arena;
    const char **items;
    size_t count, capacity;
};

static void add_names(struct names *names, const struct named_number *numbers, int count) {
    for (int i = 0; i < count; i++) {
        size_t at = 0;
        while (at < names->count && strcmp(names->items[at], numbers[i].name) != 0) at++;
        if (at < names->count) continue;
        names->items = arena_grow(names->arena, names->items, names->count, &names->capacity, sizeof *names->items);
        names->items[names->count++] = numbers[i].name;
    }
}

static void put_named(struct text *out, const struct names *names, const struct named_number *numbers, int count) {
    for (size_t n = 0; n < names->count; n++) {
        int i = 0;
        while (i < count && strcmp(numbers[i].name, names->items[n]) != 0) i++;
        put_cell(out, i < count ? kind_special.put(&numbers[i].value) : NULL);
    }
}

// ---- the file

struct sheet {
    struct text *out;
    struct names dims, tunables;
};

static void put_title(struct text *out, const char *before, const char *name) {
    struct text title = {0};
    text_format(&title, "%s%s", before, name);
    put_text_cell(out, text_str(&title));
    text_free(&title);
}

static void put_titles(struct text *out, const char *before, const struct field *fields) {
    for (; fields->key; fields++) put_title(out, before, fields->key);
}

static const char *const run_columns[] = {"device", "driver", "suite", "seed"};
static const char *const rate_columns[] = {"rate", "rate_unit", "rate_of_peak"};

static void put_heading(const struct sheet *sheet) {
    struct text *out = sheet->out;
    for (size_t i = 0; i < 4; i++) put_title(out, run_columns[i], "");
    put_titles(out, "", csv_identity);
    for (size_t i = 0; i < sheet->dims.count; i++) put_title(out, "dims.", sheet->dims.items[i]);
    for (int axis = 0; axis < 3; axis++) put_title(out, "shape.wg_", (const char *[]){"x", "y", "z"}[axis]);
    for (size_t i = 0; i < sheet->tunables.count; i++) put_title(out, "shape.", sheet->tunables.items[i]);
    for (const struct csv_group *g = csv_groups; g->fields; g++) put_titles(out, "", g->fields);
    put_title(out, "worst_inputs", "");
    for (size_t i = 0; i < 3; i++) put_title(out, rate_columns[i], "");
    for (int figure = 0; figure < FIGURE_COUNT; figure++) {
        char before[32];
        snprintf(before, sizeof before, "%s_", figure_name((enum figure)figure));
        put_titles(out, before, csv_summary);
    }
    text_append(out, "\r\n");
}

// "x=1.5 y=nan"
static void put_inputs(struct text *out, const struct record *r) {
    struct text inputs = {0};
    for (int i = 0; csv_has_worst(r) && i < r->check.input_count; i++) {
        struct json_object *value = kind_special.put(&r->check.inputs[i].value);
        text_format(&inputs, "%s%s=", i ? " " : "", r->check.inputs[i].name);
        if (json_object_is_type(value, json_type_string))
            text_append(&inputs, json_object_get_string(value));
        else
            text_number(&inputs, r->check.inputs[i].value);
        json_object_put(value);
    }
    put_cell(out, inputs.length ? json_object_new_string(text_str(&inputs)) : NULL);
    text_free(&inputs);
}

static void put_record(const struct sheet *sheet, const struct result *result, const struct record *r) {
    struct text *out = sheet->out;
    struct rate rate = rate_of(result, r);
    put_fields(out, csv_identity, r, true);
    put_named(out, &sheet->dims, r->dims, r->dim_count);
    for (int axis = 0; axis < 3; axis++) put_cell(out, kind_uint32.put(&r->wg[axis]));
    put_named(out, &sheet->tunables, r->tunables, r->tunable_count);
    for (const struct csv_group *g = csv_groups; g->fields; g++)
        put_fields(out, g->fields, r, !g->present || g->present(r));
    put_inputs(out, r);
    put_number(out, rate.value);
    put_cell(out, isnan(rate.value) ? NULL : json_object_new_string(rate.unit));
    put_number(out, rate.share);
    for (int figure = 0; figure < FIGURE_COUNT; figure++)
        put_fields(out, csv_summary, &r->time[figure], r->time[figure].samples > 0);
    text_append(out, "\r\n");
}

static void put_run(struct text *out, const struct result *result) {
    struct json_object *run = json_get(result->context, "run");
    struct text driver = {0};
    text_format(&driver, "%s %s", result->device.driver_name, result->device.driver_info);
    put_text_cell(out, result->device.name);
    put_text_cell(out, text_str(&driver));
    put_text_cell(out, json_get_string(run, "suite", ""));
    put_text_cell(out, json_get_string(run, "seed", ""));
    text_free(&driver);
}

static bool put_csv(struct text *out, const struct result *results, size_t count, struct error *err) {
    struct arena arena = {0};
    struct sheet sheet = {.out = out, .dims.arena = &arena, .tunables.arena = &arena};
    (void)err;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < results[i].count; k++) {
            const struct record *r = &results[i].records[k];
            add_names(&sheet.dims, r->dims, r->dim_count);
            add_names(&sheet.tunables, r->tunables, r->tunable_count);
        }
    put_heading(&sheet);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < results[i].count; k++) {
            put_run(out, &results[i]);
            put_record(&sheet, &results[i], &results[i].records[k]);
        }
    arena_free(&arena);
    return true;
}

const struct export_format format_csv = {.name = "csv",
    .summary = "RFC 4180: a line for each point, a column for each figure (reports/README.md)",
    .put = put_csv};
