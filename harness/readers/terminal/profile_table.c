// SPDX-License-Identifier: Apache-2.0
#include "profile_table.h"

#include "../../base/names.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../render/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_time(const void *a, const void *b) {
    const struct profile_row *x = a, *y = b;
    return x->ns != y->ns ? (x->ns < y->ns) - (x->ns > y->ns) : strcmp(x->kernel, y->kernel);
}

size_t profile_rows(const struct result *result, struct arena *arena, struct profile_row **out) {
    struct profile_row *rows = arena_alloc(arena, result->count + 1, sizeof *rows);
    struct names names = {0};
    size_t count = 0;
    double all = 0, before = 0;
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        const double ns = record->time[FIGURE_COMPUTE].median, times = (double)record->recorded.count;
        if (!record->recorded.count || !record->time[FIGURE_COMPUTE].samples || !(ns > 0)) continue;
        const size_t at = names_put(&names, record->kernel, strlen(record->kernel), count);
        if (at == count) rows[count++] = (struct profile_row){.kernel = record->kernel};
        rows[at].cases++;
        rows[at].dispatches += times;
        rows[at].ns += times * ns;
        rows[at].bytes += times * record->bytes;
        all += times * ns;
    }
    names_free(&names);
    if (count) qsort(rows, count, sizeof *rows, by_time);
    for (size_t i = 0; i < count; i++) {
        before += rows[i].ns;
        rows[i].share = rows[i].ns / all;
        rows[i].cumulative = before / all;
        rows[i].roof = rows[i].bytes / (rows[i].ns * 1e-9) / peak_bytes(result);
    }
    *out = rows;
    return count;
}

static void say_dispatches(struct text *out, const void *row) {
    put_thousands(out, ((const struct profile_row *)row)->dispatches);
}
static void say_each(struct text *out, const void *row) {
    const struct profile_row *r = row;
    put_time(out, r->ns / r->dispatches);
}
static void say_time(struct text *out, const void *row) {
    put_time(out, ((const struct profile_row *)row)->ns);
}
static void say_part(struct text *out, const void *row) {
    put_share(out, ((const struct profile_row *)row)->share);
}
static void say_cumulative(struct text *out, const void *row) {
    put_share(out, ((const struct profile_row *)row)->cumulative);
}
static void say_bytes(struct text *out, const void *row) {
    put_bytes(out, ((const struct profile_row *)row)->bytes);
}
static void say_roof(struct text *out, const void *row) {
    const struct profile_row *r = row;
    if (r->roof <= MOST_SHARE) put_share(out, r->roof); // a larger one is of a cache, or of a part of the ranges
}

static const struct column columns[] = {
    {"kernel", TEXT_OF(struct profile_row, kernel)},
    {"cases", "Dispatches that differ in size, grid or parameters.", .right = true,
        COUNT_OF(struct profile_row, cases)},
    {"dispatches", .right = true, .say = say_dispatches},
    {"each", .right = true, .say = say_each},
    {"time", .right = true, .say = say_time},
    {"share", "Of the time of all kernels in this table.", .right = true, .say = say_part},
    {"so far", .right = true, .say = say_cumulative},
    {"bytes", "Each bound range once.", .right = true, .say = say_bytes},
    {"roof", "Bytes in this time, as a share of the memory roof.", .right = true, .dash = true, .say = say_roof},
    {0},
};

void profile_table(const struct profile_row *rows, size_t count, struct arena *arena, struct table *out) {
    table_make(out, arena, columns, 0, rows, sizeof *rows, count);
}
