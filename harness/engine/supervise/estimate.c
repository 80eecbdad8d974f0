// SPDX-License-Identifier: Apache-2.0
#include "estimate.h"

#include "../../base/memory.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../record/terms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Any kernel is expected to reach this share of a measured peak. Plain kernels on well-filled devices reach more; the
// point's timeout catches slower ones.
static const double expected_share = 0.1;
#define EXPECTED_SHARE_TEXT "a tenth"

static bool ends_in(const char *text, const char *end) {
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

// Learns the arithmetic peak of this name: "matrix_f16_f32_flops_per_s".
static void learn_arithmetic(struct estimate *e, const char *name, double peak) {
    const char *end = ends_in(name, "_flops_per_s") ? "_flops_per_s" : "_ops_per_s";
    const size_t used = strlen(e->arithmetic);
    if (!ends_in(name, end) || !(peak > 0)) return;
    e->most_ops_per_s = fmax(e->most_ops_per_s, peak);
    snprintf(e->arithmetic + used, sizeof e->arithmetic - used, " %.*s ", (int)(strlen(name) - strlen(end)), name);
}

static void learn_floors(struct estimate *e, struct json_object *peaks) {
    static const char *const memory[] = {"copy_bytes_per_s", "read_bytes_per_s", "write_bytes_per_s"};
    const double cache = json_get_double(peaks, "cache_bytes_per_s", 0);
    e->cold_bytes_per_s = e->most_ops_per_s = 0;
    e->arithmetic[0] = 0;
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        e->cold_bytes_per_s = fmax(e->cold_bytes_per_s, json_get_double(peaks, memory[i], 0));
    e->hot_bytes_per_s = cache > 0 ? fmax(cache, e->cold_bytes_per_s) : 0;
    json_object_object_foreach(peaks, name, value) learn_arithmetic(e, name, json_object_get_double(value));
}

void estimate_learn(struct estimate *estimate, struct json_object *const *records, size_t count) {
    struct json_object **there = memory_alloc(count, sizeof *there);
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (json_get_string(records[i], "peak", NULL)) there[found++] = records[i];
    struct json_object *peaks = peaks_make(there, found);
    estimate->bytes_per_s = json_get_double(peaks, "copy_bytes_per_s", 0);
    estimate->flops_per_s = json_get_double(peaks, "fma_f32_flops_per_s", 0);
    learn_floors(estimate, peaks);
    json_object_put(peaks);
    free(there);
}

// Formats three digits with a decimal prefix: "12.5 GB/s".
static const char *scaled(struct arena *arena, double value, const char *unit) {
    static const char prefixes[][2] = {"", "k", "M", "G", "T", "P"};
    size_t p = 0;
    for (; value >= 999.5 && p + 1 < sizeof prefixes / sizeof *prefixes; p++) value /= 1000;
    return arena_format(arena, "%.3g %s%s", value, prefixes[p], unit);
}

const struct refusal *estimate_too_long(
    struct arena *arena, const struct estimate *estimate, double flops, double bytes, double longest_s) {
    double computing = estimate->flops_per_s > 0 ? flops / (estimate->flops_per_s * expected_share) : 0;
    double moving = estimate->bytes_per_s > 0 ? bytes / (estimate->bytes_per_s * expected_share) : 0;
    bool by_flops = computing >= moving;
    double seconds = by_flops ? computing : moving;
    if (!(seconds > longest_s)) return NULL;
    const char *peak =
        by_flops ? scaled(arena, estimate->flops_per_s, "FLOP/s") : scaled(arena, estimate->bytes_per_s, "B/s");
    return REFUSED(
        arena, .kind = REFUSAL_TOO_LONG, .words = {EXPECTED_SHARE_TEXT, peak}, .figures = {seconds, longest_s});
}

// ---- floors of times

// These may stop at the first element that decides, or have ranges bound of which they access a part.
static const char *const early[] = {"any", "all", "capture"};

static double best_of(double amount, double peak, double slack) {
    return peak > 0 ? amount / (peak * slack) * 1e9 : 0;
}

static void fail_below(struct json_object *record, double ns, double floor_ns, double slack, const char *amount) {
    struct arena arena = {0};
    struct json_object *failed = json_object_new_array();
    json_object_array_add(failed, json_object_new_string("floor"));
    json_put_string(record, "status", record_status_name(RECORD_FAIL));
    json_put_string(record, "reason",
        arena_format(&arena,
            "its time is not possible: %.3g us for %s, which take %.3g us at %g times the best measured peak",
            ns * 1e-3, amount, floor_ns * 1e-3, slack));
    json_put(record, "failed", failed);
    arena_free(&arena);
}

void estimate_judge(const struct estimate *e, bool cpu, struct json_object *record) {
    struct arena arena = {0};
    struct json_object *cost = json_get(record, "cost");
    const double flops = json_get_double(cost, "flops", 0), bytes = json_get_double(cost, "bytes", 0);
    const double ns = json_get_double(json_get(json_get(record, "time"), "compute"), "median_ns", NAN);
    const bool cold = strcmp(json_get_string(record, "cache", "hot"), "cold") == 0;
    const double byte_slack = cpu ? 16 : 4, flop_slack = cpu ? 16 : 8;
    const char *arithmetic = json_get_string(cost, "arithmetic", NULL),
               *operator= json_get_string(record, "operator", "");
    if (!record_json_is(record, RECORD_PASS) || json_get_string(record, "peak", NULL) || !(ns > 0)) return;
    for (size_t i = 0; i < sizeof early / sizeof *early; i++)
        if (strcmp(operator, early[i]) == 0) return;
    const bool known = arithmetic && strstr(e->arithmetic, arena_format(&arena, " %s ", arithmetic));
    const double moving = best_of(bytes, cold ? e->cold_bytes_per_s : e->hot_bytes_per_s, byte_slack);
    const double computing = known ? best_of(flops, e->most_ops_per_s, flop_slack) : 0;
    if (ns < computing && computing >= moving)
        fail_below(record, ns, computing, flop_slack, scaled(&arena, flops, "operations"));
    else if (ns < moving)
        fail_below(record, ns, moving, byte_slack, scaled(&arena, bytes, "bytes"));
    arena_free(&arena);
}
