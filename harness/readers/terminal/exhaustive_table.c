// SPDX-License-Identifier: Apache-2.0
#include "exhaustive_table.h"

#include "../../base/file.h"
#include "../render/format.h"
#include "../render/render.h"
#include "../../device/device_info.h"
#include "../../base/json.h"
#include "../../record/result.h"
#include "../../record/record.h"

#include <inttypes.h>
#include <math.h>

// ---- cells

static bool has_worst(const struct record *r) {
    return r->check.worst_index >= 0;
}

// Returns the record of a row; a row is a pointer to a record.
static const struct record *record_of(const void *row) {
    return *(const struct record *const *)row;
}

static void say_inputs(struct text *out, const void *row) {
    const struct record *r = record_of(row);
    int64_t count = r->exhaustive.inputs;
    int power = 0;
    while (power < 62 && (int64_t)1 << power < count) power++;
    if (power >= 16 && (int64_t)1 << power == count)
        text_format(out, "2^%d", power);
    else
        text_format(out, "%" PRId64, count);
}
static void say_left_out(struct text *out, const void *row) {
    const struct record *r = record_of(row);
    if (!r->check.excluded)
        text_append(out, "0");
    else
        put_share(out, (double)r->check.excluded / (double)r->exhaustive.inputs);
}
static void say_error(struct text *out, const void *row) {
    const struct record *r = record_of(row);
    if (!has_worst(r)) return;
    if (isfinite(r->exhaustive.ulp))
        put_ulp(out, r->exhaustive.ulp);
    else
        text_append(out, "another class");
}
static void say_bound(struct text *out, const void *row) {
    const struct record *r = record_of(row);
    if (has_worst(r)) put_ulp(out, r->check.bound_ulp);
}
// Shows the operands' bits, in the order of the operands.
static void say_argument(struct text *out, const void *row) {
    const struct record *r = record_of(row);
    uint64_t argument = r->exhaustive.argument;
    if (!has_worst(r)) return;
    if (r->check.input_count == 2)
        text_format(out, "0x%04x 0x%04x", (unsigned)(argument & 0xffff), (unsigned)(argument >> 16 & 0xffff));
    else
        text_format(out, "0x%0*" PRIx64, r->exhaustive.bits / 4, argument);
}
static void say_value(struct text *out, const void *row) {
    const struct record *r = record_of(row);
    for (int i = 0; i < r->check.input_count; i++) text_format(out, "%s%.9g", i ? ", " : "", r->check.inputs[i].value);
}
static void say_got(struct text *out, const void *row) {
    const struct record *r = record_of(row);
    if (has_worst(r)) text_format(out, "%.9g", r->check.got);
}
static void say_want(struct text *out, const void *row) {
    const struct record *r = record_of(row);
    if (has_worst(r)) text_format(out, "%.9g", r->check.want);
}
static void say_largest(struct text *out, const void *row) {
    const struct record *r = record_of(row);
    put_ulp(out, r->check.max_ulp);
}
static void say_inputs_rate(struct text *out, const void *row) {
    const struct record *r = record_of(row);
    put_rate(out, r->exhaustive.inputs_per_s, "/s");
}
static void say_status(struct text *out, const void *row) {
    const struct record *r = record_of(row);
    text_append(out, record_status_name(r->status));
}

#define RECORD_TEXT(member)                                                                                            \
    .shows = CELL_TEXT_THROUGH, .offset = offsetof(struct record, member) // the row is a pointer

// Columns for ON_PAGE do not fit on a terminal.
static const struct column exhaustive_columns[] = {
    {"kernel", RECORD_TEXT(kernel)},
    {"type", RECORD_TEXT(dtype)},
    {"inputs", .right = true, .say = say_inputs},
    {"left out", .right = true, .say = say_left_out},
    {"worst ULP", .right = true, .dash = true, .say = say_error},
    {"bound", .right = true, .dash = true, .say = say_bound},
    {"argument", .dash = true, .say = say_argument},
    {"its value", .right = true, .dash = true, .say = say_value},
    {"got", .places = ON_PAGE, .right = true, .dash = true, .say = say_got},
    {"want", .places = ON_PAGE, .right = true, .dash = true, .say = say_want},
    {"largest ULP", .places = ON_PAGE, .right = true, .say = say_largest},
    {"rate", .right = true, .say = say_inputs_rate},
    {"status", .say = say_status},
    {0},
};

// ---- the table

static bool is_exhaustive(const struct record *record) {
    return record->exhaustive.bits > 0;
}

size_t inputs_count(const struct result *result) {
    size_t count = 0;
    for (size_t i = 0; i < result->count; i++) count += is_exhaustive(&result->records[i]);
    return count;
}

void exhaustive_table(const struct result *result, struct arena *arena, enum shown_place place, struct table *out) {
    const struct record **rows = arena_alloc(arena, result->count, sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < result->count; i++)
        if (is_exhaustive(&result->records[i])) rows[count++] = &result->records[i];
    table_make(out, arena, exhaustive_columns, place, rows, sizeof *rows, count);
}

// ---- the file

static void put_heading(struct text *out, const struct result *result) {
    const struct device_info *device = result->device;
    struct json_object *host = json_get(result->context, "host");
    put_markdown_format(out, "# Every input\n\nDevice: %s, %s %s. Reference on: %s", device->name, device->driver_name,
        device->driver_info, json_get_string(host, "cpu", "an unknown processor"));
    text_format(out, ", %lld cores. vkassay ", (long long)json_get_int(host, "cores", 0));
    put_markdown(out, json_get_string(json_get(result->context, "tool"), "git", ""));
    if (result_historical(result))
        text_append(out, " (historical: sources of its kernels have changed since, or are not known)");
    text_append(out, ".\n\n"
                     "Each kernel computed every input of its type in its default shape. Each result was compared "
                     "with the reference\nin double precision. The argument is the input with the largest error / "
                     "bound, as bits. Worst ULP and bound are at this\ninput. The largest error anywhere has its own "
                     "column, because bounds depend on the argument. Inputs without a defined\nresult by the "
                     "specification or the device are left out.\n\n");
}

bool render_exhaustive(const struct result *result, const char *folder, bool *written, struct error *err) {
    struct arena arena = {0};
    struct text text = {0};
    struct table table;
    *written = false;
    if (!inputs_count(result)) return true;
    put_heading(&text, result);
    exhaustive_table(result, &arena, ON_PAGE, &table);
    put_table_markdown(&text, &table, SIZE_MAX);
    *written = file_write(arena_format(&arena, "%s/exhaustive.md", folder), text_str(&text), text.length, err);
    text_free(&text);
    arena_free(&arena);
    return *written;
}
