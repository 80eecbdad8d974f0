// SPDX-License-Identifier: Apache-2.0
// The columns of a CSV export that are members of a record, in their order.
#include "csv_columns.h"

#define COLUMN(name, kind, member)                                                                                     \
    { name, &kind_##kind, offsetof(struct record, member), REQUIRED }

static struct json_object *status_put(const void *member) {
    return json_object_new_string(record_status_name(*(const enum record_status *)member));
}
static const struct kind kind_status = {.put = status_put};

// "gpu", or "host: asked for".
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

const struct field csv_identity[] = {COLUMN("name", text, name), COLUMN("operator", text, operator),
    COLUMN("kernel", text, kernel), COLUMN("dtype", text, dtype), COLUMN("status", status, status),
    COLUMN("reason", text, reason), COLUMN("expected", text, expected.status), COLUMN("flaky", flag, attempts.flaky),
    COLUMN("replay", text, replay), COLUMN("default", flag, is_default), COLUMN("seeds", text, systems),
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
static const struct field spread[] = {COLUMN("spread_runs", int, check.spread.runs),
    COLUMN("spread_lo", real, check.spread.lo), COLUMN("spread_hi", real, check.spread.hi), {0}};
static const struct field worst[] = {COLUMN("worst_operand", text, check.worst_operand),
    COLUMN("worst_index", int64, check.worst_index), COLUMN("worst_got", special, check.got),
    COLUMN("worst_want", special, check.want), {0}};
static const struct field exhaustive[] = {COLUMN("exhaustive_bits", int, exhaustive.bits),
    COLUMN("exhaustive_first", hex, exhaustive.first), COLUMN("exhaustive_last", hex, exhaustive.last),
    COLUMN("exhaustive_inputs", int64, exhaustive.inputs), COLUMN("exhaustive_argument", hex, exhaustive.argument),
    COLUMN("exhaustive_ulp", real, exhaustive.ulp), COLUMN("exhaustive_inputs_per_s", real, exhaustive.inputs_per_s),
    {0}};
static const struct field timing[] = {COLUMN("repeats", int, repeats), COLUMN("stop", text, stop),
    COLUMN("cache", text, cache), {"clock", &kind_clock, 0, REQUIRED}, COLUMN("drift", positive, drift),
    COLUMN("throttled", flag, throttled), {0}};
static const struct field reference[] = {COLUMN("reference_ns", real, reference.ns),
    COLUMN("reference_max_ulp", real, reference.max_ulp),
    COLUMN("reference_extrapolated", flag, reference.extrapolated), {0}};
static const struct field cost[] = {COLUMN("flops", real, flops), COLUMN("bytes", real, bytes),
    COLUMN("upload_bytes", real, upload_bytes), COLUMN("download_bytes", real, download_bytes),
    COLUMN("compile_ns", int64, wall.ns[WALL_COMPILE]), COLUMN("judge_ns", int64, wall.ns[WALL_JUDGE]),
    COLUMN("build_ns", int64, build_ns), COLUMN("source_hash", source, source_hash),
    COLUMN("subgroup_size", uint32, subgroup_size), {0}};

static bool was_checked(const struct record *r) {
    return r->check.checked > 0 || r->status == RECORD_FAIL;
}
bool csv_has_worst(const struct record *r) {
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

const struct csv_group csv_groups[] = {{check, was_checked}, {spread, has_spread}, {worst, csv_has_worst},
    {exhaustive, was_exhaustive}, {timing, was_timed}, {reference, has_reference}, {cost, NULL}, {0}};

const struct field csv_summary[] = {{"median_ns", &kind_real, offsetof(struct summary, median), REQUIRED},
    {"lo_ns", &kind_real, offsetof(struct summary, lo), REQUIRED},
    {"hi_ns", &kind_real, offsetof(struct summary, hi), REQUIRED},
    {"q1_ns", &kind_real, offsetof(struct summary, q1), REQUIRED},
    {"q3_ns", &kind_real, offsetof(struct summary, q3), REQUIRED},
    {"min_ns", &kind_real, offsetof(struct summary, min), REQUIRED},
    {"max_ns", &kind_real, offsetof(struct summary, max), REQUIRED},
    {"samples", &kind_size, offsetof(struct summary, samples), REQUIRED}, {0}};
