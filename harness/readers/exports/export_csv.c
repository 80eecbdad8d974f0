// SPDX-License-Identifier: Apache-2.0
// Writes CSV by RFC 4180: one line per point, one column per figure. An empty cell was not measured.
// reports/README.md lists the columns.
#include "export.h"

#include "../../base/fields.h"
#include "../../base/parallel.h"
#include "../../record/figures.h"
#include "../../record/device_key.h"
#include "../../record/cases.h"
#include "../../record/wall.h"
#include "../../record/record.h"
#include "../../record/peers.h"
#include "../../record/result.h"
#include "../../device/device_info.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- cells

static void put_separator(struct text *out) {
    if (out->length && out->data[out->length - 1] != '\n') text_append(out, ",");
}

// Appends a text, quoted if necessary. Control characters and line breaks become spaces, so a record is one line. An
// apostrophe before a text of a formula's form keeps spreadsheets from computing it.
static void put_text_cell(struct text *out, const char *string) {
    put_separator(out);
    bool quoted = !*string || strpbrk(string, ",\"\r\n") || *string == ' ' || string[strlen(string) - 1] == ' ';
    if (quoted) text_append(out, "\"");
    if (*string && strchr("=+@", *string)) text_append(out, "'");
    for (const char *c = string; *c; c++) {
        bool control = (unsigned char)*c < 0x20 || *c == 0x7f;
        if (*c == '"') text_append(out, "\"");
        text_append_n(out, control ? " " : c, 1);
    }
    if (quoted) text_append(out, "\"");
}

// Appends an empty cell. It must not be the first of a line, because its separator would be lost; put_text_cell
// quotes empty texts.
static void put_empty_cell(struct text *out) {
    text_append(out, ",");
}

// Appends a number; NaN and infinity become an empty cell.
static void put_number(struct text *out, double value) {
    if (!isfinite(value)) {
        put_empty_cell(out);
        return;
    }
    put_separator(out);
    text_number(out, value);
}

// Appends `value` and releases it. A number's text is made only once, because that is the slowest part.
static void put_cell(struct text *out, struct json_object *value) {
    const char *string = json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;
    if (!value || (string && !*string)) {
        put_empty_cell(out);
    } else if (json_object_is_type(value, json_type_double)) {
        put_separator(out);
        double number = json_object_get_double(value);
        const char *zero = signbit(number) ? "-0" : "0"; // JSON has "-0.0"
        text_append(out, number == 0 ? zero : json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN));
    } else {
        put_text_cell(out, string ? string : json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN));
    }
    json_object_put(value);
}

// ---- columns for members of a record

#define COLUMN(name, kind, member)                                                                                     \
    { name, &kind_##kind, offsetof(struct record, member), REQUIRED }

// Returns "gpu" or, with a reason, "host: asked for".
static struct json_object *clock_put(const void *whole) {
    const struct record *record = whole;
    const char *name = clock_name(record->clock);
    struct text text = {0};
    text_format(
        &text, "%s%s%s", name ? name : "", record->clock_why ? ": " : "", record->clock_why ? record->clock_why : "");
    struct json_object *value = json_text(text_str(&text));
    text_free(&text);
    return value;
}
static const struct kind kind_clock = {.put = clock_put};

static const struct field identity[] = {COLUMN("name", text, name), COLUMN("operator", text, operator),
    COLUMN("kernel", text, kernel), COLUMN("dtype", text, dtype), COLUMN("status", status, status),
    COLUMN("reason", text, reason), COLUMN("expected", text, expected.status), COLUMN("flaky", flag, attempts.flaky),
    COLUMN("replay", text, replay), COLUMN("default", flag, is_default), COLUMN("systems", text, systems),
    COLUMN("peak", text, peak), {0}};
static const struct field check[] = {COLUMN("max_ulp", real, check.max_ulp), COLUMN("worst_ulp", real, check.worst_ulp),
    COLUMN("bound_ulp", real, check.bound_ulp), COLUMN("worst_ratio", special, check.worst_ratio),
    COLUMN("p99_ulp", real, check.p99_ulp), COLUMN("mean_ulp", real, check.mean_ulp), COLUMN("nmse", real, check.nmse),
    COLUMN("checked", int64, check.checked), COLUMN("elements", int64, check.elements),
    COLUMN("excluded", int64, check.excluded), COLUMN("failures", int64, check.failures),
    COLUMN("same_bits", flag, check.same_bits), COLUMN("guards_intact", flag, check.guards_intact),
    COLUMN("inputs_intact", flag, check.inputs_intact), COLUMN("rte", flag, check.rte),
    COLUMN("specials", flag, check.specials), COLUMN("denorms", flag, check.denorms),
    COLUMN("output_hash", hex, check.output_hash), {0}};
static const struct field worst[] = {COLUMN("operand", text, check.worst_operand),
    COLUMN("index", int64, check.worst_index), COLUMN("got", special, check.got), COLUMN("want", special, check.want),
    {0}};
static const struct field timing[] = {COLUMN("repeats", int, repeats), COLUMN("stop", text, stop),
    COLUMN("cache", text, cache), {"clock", &kind_clock, 0, REQUIRED}, COLUMN("drift", positive, drift),
    COLUMN("throttled", flag, throttled), {0}};
static const struct field host[] = {COLUMN("compile_ns", int64, wall.ns[WALL_COMPILE]),
    COLUMN("judge_ns", int64, wall.ns[WALL_JUDGE]), COLUMN("build_ns", int64, build_ns),
    COLUMN("source_hash", source, source_hash), COLUMN("subgroup_size", uint32, subgroup_size), {0}};

static const struct field memory[] = {
    COLUMN("used_bytes", int64, memory_used), COLUMN("peak_bytes", int64, memory_peak), {0}};

static bool was_checked(const struct record *r) {
    return r->check.checked > 0 || r->status == RECORD_FAIL;
}
static bool has_worst(const struct record *r) {
    return r->check.checked > 0 && r->check.worst_index >= 0;
}
static bool has_spread(const struct record *r) {
    return r->check.spread.runs > 0;
}
static bool was_exhaustive(const struct record *r) {
    return r->exhaustive.bits > 0;
}
static bool was_timed(const struct record *r) {
    return r->time[FIGURE_COMPUTE].samples > 0;
}
static bool has_reference(const struct record *r) {
    return r->reference.ns > 0;
}

static bool has_memory(const struct record *r) {
    return r->memory_peak > 0;
}

// Columns after the identity. The cells of a group are empty for records without it.
static const struct group {
    const char *prefix; // of the titles
    const struct field *fields;
    bool (*present)(const struct record *record); // NULL: always
} groups[] = {{"", check, was_checked}, {"spread_", spread_fields, has_spread}, {"worst_", worst, has_worst},
    {"exhaustive_", exhaustive_fields, was_exhaustive}, {"", timing, was_timed},
    {"reference_", reference_fields, has_reference}, {"", cost_fields, NULL}, {"", host, NULL},
    {"", memory, has_memory}, {0}};

static void put_fields(struct text *out, const struct field *fields, const void *base, bool present) {
    for (; fields->key; fields++)
        put_cell(out, present ? kind_put(fields->kind, (const char *)base + fields->offset) : NULL);
}

// ---- columns that depend on the results: names of dims and tunables, in order of first occurrence

struct csv_names {
    struct arena *arena;
    const char **items;
    size_t count, capacity;
};

// Most names differ in their first letter.
static bool is_name(const char *a, const char *b) {
    return *a == *b && strcmp(a, b) == 0;
}

static void add_names(struct csv_names *names, const struct named_number *numbers, int count) {
    for (int i = 0; i < count; i++) {
        size_t at = 0;
        while (at < names->count && !is_name(names->items[at], numbers[i].name)) at++;
        if (at < names->count) continue;
        names->items = arena_grow(names->arena, names->items, names->count, &names->capacity, sizeof *names->items);
        names->items[names->count++] = numbers[i].name;
    }
}

static void put_named(struct text *out, const struct csv_names *names, const struct named_number *numbers, int count) {
    for (size_t n = 0; n < names->count; n++) {
        int i = 0;
        while (i < count && !is_name(numbers[i].name, names->items[n])) i++;
        put_cell(out, i < count ? kind_special.put(&numbers[i].value) : NULL);
    }
}

// ---- the file

struct csv_sheet {
    struct text *out;
    const struct peers *peers; // of the first result, shared by all
    struct csv_names dims, tunables;
    bool units; // names of devices do not tell them apart
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
static const char *const rate_columns[] = {"best", "rate", "rate_unit", "rate_of_peak", "rate_peak"};

static void put_heading(const struct csv_sheet *sheet) {
    struct text *out = sheet->out;
    for (size_t i = 0; i < 4; i++) put_title(out, run_columns[i], "");
    if (sheet->units) put_title(out, "unit", "");
    put_titles(out, "", identity);
    for (size_t i = 0; i < sheet->dims.count; i++) put_title(out, "dims.", sheet->dims.items[i]);
    for (int axis = 0; axis < 3; axis++) put_title(out, "shape.wg_", (const char *[]){"x", "y", "z"}[axis]);
    for (size_t i = 0; i < sheet->tunables.count; i++) put_title(out, "shape.", sheet->tunables.items[i]);
    for (const struct group *g = groups; g->fields; g++) put_titles(out, g->prefix, g->fields);
    put_title(out, "worst_inputs", "");
    for (size_t i = 0; i < sizeof rate_columns / sizeof *rate_columns; i++) put_title(out, rate_columns[i], "");
    for (int figure = 0; figure < FIGURE_COUNT; figure++) {
        char before[32];
        snprintf(before, sizeof before, "%s_", figure_name((enum figure)figure));
        put_titles(out, before, summary_fields);
    }
    for (size_t p = 0; sheet->peers && p < sheet->peers->count; p++)
        put_title(out, "others_ns.", sheet->peers->items[p].name);
    text_append(out, "\r\n");
}

// Appends "x=1.5 y=nan".
static void put_inputs(struct text *out, const struct record *r) {
    struct text inputs = {0};
    for (int i = 0; has_worst(r) && i < r->check.input_count; i++) {
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

static void put_record(
    struct text *out, const struct csv_sheet *sheet, const struct result *result, const struct record *r, bool best) {
    struct rate rate = rate_of(result, r);
    put_fields(out, identity, r, true);
    put_named(out, &sheet->dims, r->dims, r->dim_count);
    for (int axis = 0; axis < 3; axis++) put_cell(out, kind_uint32.put(&r->wg[axis]));
    put_named(out, &sheet->tunables, r->tunables, r->tunable_count);
    for (const struct group *g = groups; g->fields; g++) put_fields(out, g->fields, r, !g->present || g->present(r));
    put_inputs(out, r);
    put_cell(out, kind_flag.put(&best));
    put_number(out, rate.value);
    put_cell(out, isnan(rate.value) ? NULL : json_object_new_string(rate.unit));
    put_number(out, rate.share);
    put_cell(out, isnan(rate.share) ? NULL : json_object_new_string(rate.roof));
    for (int figure = 0; figure < FIGURE_COUNT; figure++)
        put_fields(out, summary_fields, &r->time[figure], r->time[figure].samples > 0);
    for (size_t p = 0; sheet->peers && p < sheet->peers->count; p++) put_number(out, peer_ns(sheet->peers, p, r));
    text_append(out, "\r\n");
}

static void put_run(struct text *out, const struct csv_sheet *sheet, const struct result *result) {
    struct json_object *run = json_get(result->context, "run");
    struct arena scratch = {0};
    struct text driver = {0};
    text_format(&driver, "%s %s", result->device->driver_name, result->device->driver_info);
    put_text_cell(out, result->device->name);
    put_text_cell(out, text_str(&driver));
    put_text_cell(out, result_suite(&scratch, result, ""));
    put_text_cell(out, json_get_string(run, "seed", ""));
    if (sheet->units) put_text_cell(out, device_unit(&scratch, device_key(result->device, result->context)));
    text_free(&driver);
    arena_free(&scratch);
}

// A batch of lines made in parallel on the host's cores, before they are appended.
enum { LINES_AT_ONCE = 1024 };
struct csv_lines {
    const struct csv_sheet *sheet;
    const struct result *result;
    struct text run;  // the first cells of every line
    const bool *best; // of each record: whether it is its case's best
    size_t first;
    struct text texts[LINES_AT_ONCE];
};

static void make_lines(void *context, int64_t first, int64_t count) {
    struct csv_lines *lines = context;
    for (int64_t i = first; i < first + count; i++) {
        struct text *text = &lines->texts[i];
        text_append_n(text, text_str(&lines->run), lines->run.length);
        const size_t record = lines->first + (size_t)i;
        put_record(text, lines->sheet, lines->result, &lines->result->records[record], lines->best[record]);
    }
}

// Returns which of the records are the best of their cases.
static const bool *best_ones(struct arena *arena, const struct result *result) {
    bool *best = arena_alloc(arena, result->count + 1, sizeof *best);
    struct cases cases;
    cases_make(result->records, result->count, NULL, NULL, arena, &cases);
    for (size_t i = 0; i < cases.count; i++) {
        const struct record *one = case_best(cases.items[i].records, cases.items[i].count);
        if (one) best[one - result->records] = true;
    }
    return best;
}

static void put_result(const struct csv_sheet *sheet, const struct result *result) {
    struct arena scratch = {0};
    struct csv_lines lines = {.sheet = sheet, .result = result, .best = best_ones(&scratch, result)};
    put_run(&lines.run, sheet, result);
    for (; lines.first < result->count; lines.first += LINES_AT_ONCE) {
        const size_t left = result->count - lines.first, some = left < LINES_AT_ONCE ? left : LINES_AT_ONCE;
        parallel_for((int64_t)some, 16, make_lines, &lines);
        for (size_t i = 0; i < some; i++) {
            text_append_n(sheet->out, lines.texts[i].data, lines.texts[i].length);
            lines.texts[i].length = 0; // keeps its memory for the next batch
        }
    }
    for (size_t i = 0; i < LINES_AT_ONCE; i++) text_free(&lines.texts[i]);
    text_free(&lines.run);
    arena_free(&scratch);
}

static bool put_csv(struct text *out, const struct result *results, size_t count, struct error *err) {
    struct arena arena = {0};
    struct csv_sheet sheet = {
        .out = out, .peers = count ? results[0].peers : NULL, .dims.arena = &arena, .tunables.arena = &arena};
    sheet.units = results_need_units(results, count);
    (void)err;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < results[i].count; k++) {
            const struct record *r = &results[i].records[k];
            add_names(&sheet.dims, r->dims, r->dim_count);
            add_names(&sheet.tunables, r->tunables, r->tunable_count);
        }
    put_heading(&sheet);
    for (size_t i = 0; i < count; i++) put_result(&sheet, &results[i]);
    arena_free(&arena);
    return true;
}

const struct export_format format_csv = {.name = "csv",
    .summary = "RFC 4180: a line for each point, a column for each figure (reports/README.md)",
    .put = put_csv};
