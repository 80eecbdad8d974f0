// SPDX-License-Identifier: Apache-2.0
// Writes SQL for SQLite, PostgreSQL and MySQL with ANSI quotes: a table of results and one of points. Tables are
// created only if missing, so several files can go into one database.
#include "export.h"

#include "../../record/figures.h"
#include "../../record/device_key.h"
#include "../../record/result.h"
#include "../../record/record.h"
#include "../../stats/summary.h"
#include "../../device/device_info.h"

#include <math.h>

// Appends a text constant with doubled quotes. Control characters other than line breaks and tabs are dropped,
// because some readers refuse them. NUL cannot occur.
static void put_text(struct text *out, const char *string, size_t length) {
    if (!string) {
        text_append(out, "NULL");
        return;
    }
    text_append(out, "'");
    for (size_t i = 0; i < length && string[i]; i++) {
        if (string[i] == '\'') text_append(out, "'");
        if ((unsigned char)string[i] >= ' ' || string[i] == '\n' || string[i] == '\t')
            text_append_n(out, &string[i], 1);
    }
    text_append(out, "'");
}

static void put_number(struct text *out, double value) {
    if (isfinite(value))
        text_number(out, value);
    else
        text_append(out, "NULL");
}

static const char tables[] =
    "CREATE TABLE IF NOT EXISTS vkassay_results (result TEXT PRIMARY KEY, device TEXT, driver TEXT, suite TEXT, "
    "seed TEXT, started TEXT, version TEXT, revision TEXT);\n"
    "CREATE TABLE IF NOT EXISTS vkassay_points (result TEXT, name TEXT, case_name TEXT, operator TEXT, kernel TEXT, "
    "dtype TEXT, status TEXT, reason TEXT, max_ulp DOUBLE PRECISION, bound_ulp DOUBLE PRECISION, "
    "compute_median_ns DOUBLE PRECISION, compute_lo_ns DOUBLE PRECISION, compute_hi_ns DOUBLE PRECISION, "
    "compute_samples BIGINT, upload_ns DOUBLE PRECISION, download_ns DOUBLE PRECISION, end_to_end_ns DOUBLE PRECISION, "
    "rate DOUBLE PRECISION, rate_unit TEXT, rate_of_peak DOUBLE PRECISION);\n";

static void put_point(struct text *out, const char *key, const struct result *result, const struct record *r) {
    struct rate rate = rate_of(result, r);
    const char *const texts[] = {r->operator, r->kernel, r->dtype, record_status_name(r->status), r->reason};
    const struct summary *time = &r->time[FIGURE_COMPUTE];
    const double numbers[] = {r->check.checked ? r->check.max_ulp : NAN, r->check.checked ? r->check.bound_ulp : NAN,
        time->median, time->lo, time->hi, (double)time->samples, figure_ns(r, FIGURE_UPLOAD),
        figure_ns(r, FIGURE_DOWNLOAD), figure_ns(r, FIGURE_END_TO_END), rate.value};
    text_append(out, "INSERT INTO vkassay_points VALUES (");
    put_text(out, key, SIZE_MAX);
    text_append(out, ", ");
    put_text(out, r->name, SIZE_MAX);
    text_append(out, ", ");
    put_text(out, r->name, r->case_length);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        text_append(out, ", ");
        put_text(out, texts[i], SIZE_MAX);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        text_append(out, ", ");
        put_number(out, numbers[i]);
    }
    text_format(out, ", '%s', ", rate.unit);
    put_number(out, rate.share);
    text_append(out, ");\n");
}

static void put_result(struct text *out, const struct result *result) {
    struct arena arena = {0};
    struct json_object *run = json_get(result->context, "run"), *tool = json_get(result->context, "tool");
    const char *key = arena_format(&arena, "%s/%s/%s/%s/%s", result->device->name, result->device->driver_info,
        result_suite(&arena, result, ""), json_get_string(run, "started", ""),
        device_unit(&arena, device_key(result->device, result->context)));
    const char *const facts[] = {key, result->device->name,
        arena_format(&arena, "%s %s", result->device->driver_name, result->device->driver_info),
        result_suite(&arena, result, NULL), json_get_string(run, "seed", NULL), json_get_string(run, "started", NULL),
        json_get_string(tool, "version", NULL), json_get_string(tool, "git", NULL)};
    for (int table = 0; table < 2; table++) { // replaces rows of the same run on this unit from an earlier file
        text_format(out, "DELETE FROM %s WHERE result = ", table ? "vkassay_points" : "vkassay_results");
        put_text(out, key, SIZE_MAX);
        text_append(out, ";\n");
    }
    text_append(out, "INSERT INTO vkassay_results VALUES (");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        if (i) text_append(out, ", ");
        put_text(out, facts[i], SIZE_MAX);
    }
    text_append(out, ");\n");
    for (size_t i = 0; i < result->count; i++) put_point(out, key, result, &result->records[i]);
    arena_free(&arena);
}

static bool put_sql(struct text *out, const struct result *results, size_t count, struct error *err) {
    (void)err;
    text_append(out, "BEGIN;\n");
    text_append(out, tables);
    for (size_t i = 0; i < count; i++) put_result(out, &results[i]);
    text_append(out, "COMMIT;\n");
    return true;
}

const struct export_format format_sql = {
    .name = "sql", .summary = "SQL for SQLite or PostgreSQL: tables of results and of points", .put = put_sql};
