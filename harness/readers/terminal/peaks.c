// SPDX-License-Identifier: Apache-2.0
// Prints a device's peaks on one screen.
#include "../render/format.h"
#include "../render/render.h"
#include "../table/table.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../device/device_info.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// In the order of printing. A line without a key has no Vulkan instruction.
static const struct peak_line {
    const char *group, *what, *key, *why;
} lines[] = {
    {"memory", "copy", "copy_bytes_per_s", NULL},
    {"memory", "read", "read_bytes_per_s", NULL},
    {"memory", "write", "write_bytes_per_s", NULL},
    {"memory", "L2 cache, read", "cache_bytes_per_s", NULL},
    {"memory", "shared, read", "shared_bytes_per_s", NULL},
    {"multiply-add", "f32", "fma_f32_flops_per_s", NULL},
    {"multiply-add", "f16", "fma_f16_flops_per_s", NULL},
    {"multiply-add", "bf16", NULL, "Vulkan has none: bf16 is for matrices"},
    {"multiply-add", "f64", "fma_f64_flops_per_s", NULL},
    {"multiply-add", "i8", "mad_i8_ops_per_s", NULL},
    {"multiply-add", "i16", "mad_i16_ops_per_s", NULL},
    {"multiply-add", "i32", "mad_i32_ops_per_s", NULL},
    {"dot product", "four i8 into i32", "dot_i8_ops_per_s", NULL},
    {"matrix units", "f16 into f32", "matrix_f16_f32_flops_per_s", NULL},
    {"matrix units", "f16 into f16", "matrix_f16_f16_flops_per_s", NULL},
    {"matrix units", "bf16 into f32", "matrix_bf16_f32_flops_per_s", NULL},
    {"matrix units", "e4m3 into f32", "matrix_e4m3_f32_flops_per_s", NULL},
    {"matrix units", "e5m2 into f32", "matrix_e5m2_f32_flops_per_s", NULL},
    {"matrix units", "f32 into f32", "matrix_f32_f32_flops_per_s", NULL},
    {"matrix units", "i8 into i32", "matrix_i8_i32_ops_per_s", NULL},
    {"matrix units", "u8 into u32", "matrix_u8_u32_ops_per_s", NULL},
    {"host", "empty dispatch", "empty_dispatch_ns", NULL},
    {"host", "submit and wait", "submit_ns", NULL},
    {"host", "to the device", "host_to_device_bytes_per_s", NULL},
    {"host", "from the device", "device_to_host_bytes_per_s", NULL},
};
enum { LINES = sizeof lines / sizeof *lines };

struct peak_shown {
    const struct peak_line *line;
    const char *group;         // "" if the line above has the same group
    const struct record *best; // NULL: there is none; `why` has the reason
    struct peak_figure figure; // of `best`
    const char *why;
};

static double tunable(const struct record *record, const char *name) {
    for (int i = 0; i < record->tunable_count; i++)
        if (strcmp(record->tunables[i].name, name) == 0) return record->tunables[i].value;
    return NAN;
}

// ---- cells

static void put_figure(struct text *out, const void *row) {
    const struct peak_shown *shown = row;
    put_peak(out, shown->figure.value, peak_unit(shown->line->key));
}

static void put_digits(struct text *out, double value) {
    text_format(out, "%.*f", value >= 99.95 ? 0 : value >= 9.995 ? 1 : value >= 0.9995 ? 2 : 3, value);
}

// "4.10 to 4.12", in the unit of the figure.
static void put_ends(struct text *out, const void *row) {
    const struct peak_figure *figure = &((const struct peak_shown *)row)->figure;
    struct text shown = {0};
    put_figure(&shown, row);
    const double scale = pow(10, round(log10(strtod(text_str(&shown), NULL) / figure->value)));
    put_digits(out, figure->lo * scale);
    text_append(out, " to ");
    put_digits(out, figure->hi * scale);
    text_free(&shown);
}

// "copy.vec4"; for matrices "16x8x16", the sides, because their kernels are named after their types.
static void put_how(struct text *out, const void *row) {
    const struct record *best = ((const struct peak_shown *)row)->best;
    const double sides[] = {tunable(best, "COOP_M"), tunable(best, "COOP_N"), tunable(best, "COOP_K")};
    if (isnan(sides[0]))
        text_append(out, best->kernel);
    else
        text_format(out, "%.0fx%.0fx%.0f", sides[0], sides[1], sides[2]);
    if (best->clock == CLOCK_HOST) text_append(out, ", host clock");
}

static const struct column columns[] = {
    {"", NULL, TEXT_OF(struct peak_shown, group)},
    {"", NULL, TEXT_THROUGH(struct peak_shown, line, struct peak_line, what)},
    {"at most", NULL, .right = true, .say = put_figure},
    {"95 % interval", NULL, .right = true, .wraps = true, .say = put_ends},
    {"kernel, or sides", NULL, .wraps = true, .say = put_how},
    {0},
};

// ---- rows

// Returns true if the key belongs to these matrices: "matrix_f16_f32_flops_per_s", "..._ops_per_s".
static bool is_of_matrix(const char *key, const struct cooperative *matrix) {
    char start[64];
    const int length =
        snprintf(start, sizeof start, "matrix_%s_%s_", component_name(matrix->a), component_name(matrix->result));
    return matrix->a == matrix->b && matrix->c == matrix->result && strncmp(key, start, (size_t)length) == 0;
}

static void find_peak(const struct result *result, struct arena *arena, struct peak_shown *shown) {
    const char *key = shown->line->key;
    const struct device_info *device = result->device;
    bool lists = !key || strncmp(key, "matrix_", 7) != 0 || !device->cooperative_count;
    for (int i = 0; !lists && i < device->cooperative_count; i++) lists = is_of_matrix(key, &device->cooperative[i]);
    shown->why = shown->line->why ? shown->line->why : "not in this result";
    bool refused = false;
    for (size_t i = 0; key && i < result->count; i++) {
        const struct record *record = &result->records[i];
        struct peak_figure figure;
        if (!record->peak || strcmp(record->peak, key) != 0) continue;
        if (!peak_figure(record, &figure)) {
            const char *reason = record->reason ? record->reason : record_status_name(record->status);
            // Failures take precedence over features the device lacks. A reason ends before its explanation.
            if (!refused || record->status != RECORD_SKIP)
                shown->why = arena_copy_n(arena, reason, strcspn(reason, ";"));
            if (record->status == RECORD_SKIP && !lists) shown->why = "the device lists no such matrices";
            refused = true;
        } else if (peak_is_better(key, figure.value, shown->best ? shown->figure.value : NAN)) {
            shown->best = record;
            shown->figure = figure;
        }
    }
}

// Returns true if matrices of these types were measured.
static bool is_measured(const struct cooperative *matrix, const struct peak_shown *rows) {
    if (matrix->scope != SCOPE_SUBGROUP) return false;
    for (size_t i = 0; i < LINES; i++)
        if (rows[i].best && is_of_matrix(lines[i].key, matrix)) return true;
    return false;
}

// Returns whether an earlier item is printed alike: they differ in saturation, or in the invocations required.
static bool is_repeated(const struct cooperative *list, int at) {
    const struct cooperative *x = &list[at];
    for (const struct cooperative *y = list; y < x; y++)
        if (x->m == y->m && x->n == y->n && x->k == y->k && x->a == y->a && x->b == y->b && x->c == y->c &&
            x->result == y->result && x->scope == y->scope)
            return true;
    return false;
}

static void put_unmeasured(
    struct text *out, const struct cooperative *list, int count, const char *before, const struct peak_shown *rows) {
    for (int i = 0; i < count; i++) {
        const struct cooperative *matrix = &list[i];
        if (is_measured(matrix, rows) || is_repeated(list, i)) continue;
        text_format(out, "%s%s%ux%ux%u %s x %s + %s to %s", out->length ? ", " : "", before, matrix->m, matrix->n,
            matrix->k, component_name(matrix->a), component_name(matrix->b), component_name(matrix->c),
            component_name(matrix->result));
        if (matrix->scope != SCOPE_SUBGROUP) text_format(out, " of a %s", matrix_scope_name(matrix->scope));
    }
}

// Prints the matrices that the device lists and no measured peak covers.
static void print_others(const struct result *result, const struct peak_shown *rows, FILE *out, int width) {
    const struct device_info *device = result->device;
    struct text others = {0};
    put_unmeasured(&others, device->cooperative, device->cooperative_count, "", rows);
    put_unmeasured(&others, device->flexible, device->flexible_count, "multiples of ", rows);
    print_words(out, "Matrices listed, and not measured: ", &others, 2, width);
}

// Prints the peaks without a figure, grouped by reason.
static void print_missing(struct peak_shown *rows, FILE *out, int width) {
    for (size_t i = 0; i < LINES; i++) {
        struct text words = {0};
        const char *why = rows[i].why, *group = "";
        if (rows[i].best || !why) continue;
        for (size_t k = i; k < LINES; k++) {
            if (rows[k].best || !rows[k].why || strcmp(rows[k].why, why) != 0) continue;
            const char *here = rows[k].line->group;
            const bool again = strcmp(here, group) == 0;
            text_format(
                &words, "%s%s%s%s", words.length ? ", " : "", again ? "" : here, again ? "" : " ", rows[k].line->what);
            group = here;
            rows[k].why = NULL;
        }
        text_format(&words, ": %s", why);
        print_words(out, "Not here: ", &words, 2, width);
    }
}

void render_peaks(const struct result *result, FILE *out, int width) {
    struct peak_shown rows[LINES], measured[LINES];
    struct arena arena = {0};
    struct table table;
    size_t count = 0;
    const char *group = "";
    if (!width) width = 80;
    for (size_t i = 0; i < LINES; i++) {
        rows[i] = (struct peak_shown){.line = &lines[i]};
        find_peak(result, &arena, &rows[i]);
        if (!rows[i].best) continue;
        measured[count] = rows[i];
        measured[count++].group = strcmp(lines[i].group, group) == 0 ? "" : lines[i].group;
        group = lines[i].group;
    }
    print_device_name(out, "", result->device, width);
    table_make(&table, &arena, columns, 0, measured, sizeof *measured, count);
    table_print(&table, out, width);
    print_missing(rows, out, width);
    print_others(result, rows, out, width);
    arena_free(&arena);
}
