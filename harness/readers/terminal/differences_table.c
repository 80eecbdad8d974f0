// SPDX-License-Identifier: Apache-2.0
#include "differences_table.h"

#include "../../record/record.h"
#include "../../record/result.h"
#include "../render/format.h"

#include <stdlib.h>
#include <string.h>

static const struct record *record_of(const void *row) {
    return *(const struct record *const *)row;
}

static int by_distance(const void *a, const void *b) {
    const struct record *x = record_of(a), *y = record_of(b);
    const double p = x->recorded.max_ulp, q = y->recorded.max_ulp;
    return p != q ? (p < q) - (p > q) : strcmp(x->name, y->name);
}

static void say_case(struct text *out, const void *row) {
    text_append_n(out, record_of(row)->name, record_of(row)->case_length);
}
static void say_elements(struct text *out, const void *row) {
    const struct record *r = record_of(row);
    text_format(out, "%lld of %lld", (long long)r->recorded.differing, (long long)r->recorded.compared);
}
static void say_distance(struct text *out, const void *row) {
    put_ulp(out, record_of(row)->recorded.max_ulp);
}
static void say_worst(struct text *out, const void *row) {
    const struct record *r = record_of(row);
    text_format(out, "%s[%lld]: %.9g, recorded %.9g", r->recorded.operand ? r->recorded.operand : "",
        (long long)r->recorded.index, r->recorded.got, r->recorded.want);
}

static const struct column columns[] = {
    {"dispatch", .say = say_case},
    {"elements", .right = true, .say = say_elements},
    {"ULP", "Of integers, the difference.", .right = true, .say = say_distance},
    {"worst", .wraps = true, .say = say_worst},
    {0},
};

size_t differences_table(const struct result *result, size_t most, struct arena *arena, struct table *out) {
    const struct record **rows = arena_alloc(arena, result->count + 1, sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < result->count; i++)
        if (result->records[i].recorded.differing) rows[count++] = &result->records[i];
    if (count) qsort(rows, count, sizeof *rows, by_distance);
    table_make(out, arena, columns, 0, rows, sizeof *rows, count < most ? count : most);
    return count;
}

const char *elsewhere_words(const struct result *result, struct arena *arena) {
    size_t count = 0, alike = 0;
    const char *device = NULL;
    bool several = false;
    for (size_t i = 0; i < result->count; i++) {
        const struct record *r = &result->records[i];
        if (!r->recorded.device) continue;
        several |= device && strcmp(device, r->recorded.device) != 0;
        device = r->recorded.device;
        count++;
        alike += r->recorded.compared && !r->recorded.differing;
    }
    if (!count) return NULL;
    return arena_format(arena,
        "%zu dispatches were recorded on %s. Their bits are compared, not judged: %zu of them have the recorded bits. "
        "Guards, repeated runs and numbers that are not finite are judged on any device. `vkassay init FOLDER` names "
        "the "
        "operators whose bounds can judge the rest.",
        count, several ? "other devices" : device, alike);
}
