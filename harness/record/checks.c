// SPDX-License-Identifier: Apache-2.0
#include "record.h"

#include "parts.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

const struct check_info checks[] = {
    {CHECK_ULP, "ulp", "a number is farther from the reference than its bound",
        "the order and the precision of sums, the tail of a row, a missing barrier"},
    {CHECK_CLASS, "class", "a NaN or an infinity instead of a number, or the reverse",
        "overflow before a division, a missing subtraction of the maximum, uninitialised shared memory"},
    {CHECK_UNWRITTEN, "unwritten", "words of an output were never written",
        "the tail after the last whole vector, the last workgroup, the grid in the manifest"},
    {CHECK_GUARD, "guard", "it wrote outside its buffers", "the comparison of an invocation's index with the end"},
    {CHECK_INPUT, "input", "it changed its inputs", "the bindings' order in the manifest, a store to the wrong buffer"},
    {CHECK_BITS, "bits", "a second run gave other bits",
        "a missing barrier between invocations that share memory, atomic additions of floats"},
    {CHECK_PACKED, "packed", "it gives other bits where its operands lie in one buffer",
        "loads that assume an alignment, reads beyond an operand's end"},
    {CHECK_VALIDATION, "validation", "the validation layer reported an error", "the object named in its message"},
    {CHECK_PROBE, "probe", "a probe found a forbidden result", "the driver, not a kernel"},
    {CHECK_ERRORS, "errors", "its errors are larger than its sums explain, or are biased",
        "sums kept in a narrower type, rounding towards zero, the depth in the manifest"},
    {CHECK_BARRIER, "barrier", "a barrier is skipped by a part of a workgroup",
        "the condition around it; drivers of CPUs run such barriers anyway"},
    {CHECK_RACE, "race", "two invocations access the same memory, and nothing orders them",
        "a barrier between a write and a read by others, and at the end of a loop"},
    {CHECK_BOUNDS, "bounds", "it accesses an element outside its buffer or array",
        "the test of an index against the end, a subtraction below 0"},
    {CHECK_UNSET, "unset", "it reads shared memory that its workgroup did not write",
        "the part of a tile that no invocation fills"},
    {0, NULL, NULL, NULL},
};

uint32_t checks_of_worst(double got, double want, double max_ulp, double bound_ulp) {
    bool numbers = isfinite(got) && isfinite(want);
    return (numbers ? 0u : CHECK_CLASS) | (numbers || max_ulp > bound_ulp ? CHECK_ULP : 0u);
}

// ---- the record's member "check"

// The rest of the bound: 0.25 if the worst error uses three quarters of it, null if there is no error.
static struct json_object *headroom_put(const void *member) {
    return json_double(1 - *(const double *)member);
}
static bool headroom_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    double headroom;
    (void)arena;
    if (!json_number(at, &headroom, err)) return false;
    *(double *)member = 1 - headroom;
    return true;
}
static void headroom_absent(void *member) {
    *(double *)member = INFINITY;
}
static const struct kind kind_headroom = {.put = headroom_put, .get = headroom_get, .absent = headroom_absent};

static struct json_object *histogram_put(const void *member) {
    return items_put(&kind_int64, member, sizeof(int64_t), JUDGE_HISTOGRAM);
}
static bool histogram_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    return items_get(arena, at, &kind_int64, member, sizeof(int64_t), JUDGE_HISTOGRAM, err);
}
static const struct kind kind_histogram = {.put = histogram_put, .get = histogram_get};

static const struct field worst_fields[] = {
    {"operand", &kind_text, AT(check.worst_operand), NULLABLE},
    {"index", &kind_int64, AT(check.worst_index), REQUIRED},
    {"got", &kind_special, AT(check.got), REQUIRED},
    {"want", &kind_special, AT(check.want), REQUIRED},
    {"inputs", &kind_inputs, WHOLE, REQUIRED},
    {0},
};
GROUP_KIND(static, worst, worst_fields, record->check.checked > 0 && record->check.worst_index >= 0)

// Null for a mismatch of class, and missing in older results. There it follows from the bound and the used share of
// it, except for a wrong number with a bound of 0, which is unknown.
static struct json_object *worst_ulp_put(const void *whole) {
    return kind_real.put(&((const struct record *)whole)->check.worst_ulp);
}
static bool worst_ulp_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {
    return kind_real.get(arena, at, &((struct record *)whole)->check.worst_ulp, err);
}
static void worst_ulp_absent(void *whole) {
    struct record *record = whole;
    bool numbers = isfinite(record->check.got) && isfinite(record->check.want);
    if (isfinite(record->check.worst_ratio))
        record->check.worst_ulp = record->check.worst_ratio * record->check.bound_ulp;
    else
        record->check.worst_ulp = numbers || record->check.worst_index < 0 ? NAN : INFINITY;
}
static const struct kind kind_worst_ulp = {.put = worst_ulp_put, .get = worst_ulp_get, .absent = worst_ulp_absent};

const struct field spread_fields[] = {
    {"runs", &kind_int, AT(check.spread.runs), REQUIRED},
    {"lo", &kind_real, AT(check.spread.lo), REQUIRED},
    {"hi", &kind_real, AT(check.spread.hi), REQUIRED},
    {0},
};
GROUP_KIND(static, spread, spread_fields, record->check.spread.runs > 0 && isfinite(record->check.spread.hi))

static const struct field errors_fields[] = {
    {"draws", &kind_int, AT(check.errors.draws), REQUIRED},
    {"operand", &kind_text, AT(check.errors.operand), NULLABLE},
    {"outputs", &kind_int64, AT(check.errors.outputs), REQUIRED},
    {"groups", &kind_int64, AT(check.errors.groups), REQUIRED},
    {"spread", &kind_real, AT(check.errors.spread), NULLABLE},
    {"most_spread", &kind_real, AT(check.errors.most_spread), NULLABLE},
    {"bias", &kind_real, AT(check.errors.bias), NULLABLE},
    {"most_bias", &kind_real, AT(check.errors.most_bias), NULLABLE},
    {0},
};
GROUP_KIND(static, errors, errors_fields, record->check.errors.draws > 0)

static const struct field lines_fields[] = {
    {"dim", &kind_text, AT(check.lines.dim), REQUIRED},
    {"count", &kind_int64, AT(check.lines.count), REQUIRED},
    {"same_bits", &kind_flag, AT(check.lines.same_bits), REQUIRED},
    {0},
};
GROUP_KIND(static, lines, lines_fields, record->check.lines.dim != NULL)

static const struct field sanitized_fields[] = {
    {"accesses", &kind_int64, AT(check.sanitized.accesses), REQUIRED},
    {"dropped", &kind_int64, AT(check.sanitized.dropped), REQUIRED},
    {"findings", &kind_int64, AT(check.sanitized.findings), REQUIRED},
    {"uses_addresses", &kind_flag, AT(check.sanitized.uses_addresses), REQUIRED},
    {"why_not", &kind_text, AT(check.sanitized.why), NULLABLE},
    {0},
};
GROUP_KIND(static, sanitized, sanitized_fields, record->check.sanitized.accesses > 0 || record->check.sanitized.why)

static const struct field policy_fields[] = {
    {"rte", &kind_flag, AT(check.rte), REQUIRED},
    {"specials", &kind_flag, AT(check.specials), REQUIRED},
    {"denorms", &kind_flag, AT(check.denorms), REQUIRED},
    {0},
};
GROUP_KIND(static, policy, policy_fields, true)

static const struct field check_fields[] = {
    {"max_ulp", &kind_real, AT(check.max_ulp), NULLABLE},
    {"bound_ulp", &kind_real, AT(check.bound_ulp), NULLABLE},
    {"headroom", &kind_headroom, AT(check.worst_ratio), NULLABLE},
    {"worst", &kind_worst, WHOLE, NULLABLE},
    {"worst_ulp", &kind_worst_ulp, WHOLE, NULLABLE}, // after the members it may follow from
    {"p99_ulp", &kind_real, AT(check.p99_ulp), NULLABLE},
    {"mean_ulp", &kind_real, AT(check.mean_ulp), NULLABLE},
    {"nmse", &kind_real, AT(check.nmse), NULLABLE},
    {"checked", &kind_int64, AT(check.checked), REQUIRED},
    {"elements", &kind_int64, AT(check.elements), REQUIRED},
    {"excluded", &kind_int64, AT(check.excluded), REQUIRED},
    {"failures", &kind_int64, AT(check.failures), REQUIRED},
    {"histogram", &kind_histogram, AT(check.histogram), REQUIRED},
    {"same_bits", &kind_flag, AT(check.same_bits), REQUIRED},
    {"guards_intact", &kind_flag, AT(check.guards_intact), REQUIRED},
    {"inputs_intact", &kind_flag, AT(check.inputs_intact), REQUIRED},
    {"spread", &kind_spread, WHOLE, SPARSE},
    {"errors", &kind_errors, WHOLE, SPARSE},
    {"lines", &kind_lines, WHOLE, SPARSE},
    {"sanitized", &kind_sanitized, WHOLE, SPARSE},
    {"exact", &kind_int64, AT(check.exact), SPARSE},
    {"packed", &kind_flag, AT(check.packed), NULLABLE},
    {"policy", &kind_policy, WHOLE, REQUIRED},
    {"output_hash", &kind_hex, AT(check.output_hash), REQUIRED},
    {0},
};

static void check_absent(void *whole) {
    struct record *record = whole;
    fields_absent(check_fields, whole);
    record->check.worst_ratio = record->check.worst_ulp = NAN; // NaN without a check; infinity for a check without an
                                                               // error
}
GROUP_KIND_WITH(, check, check_fields,
    record->check.checked > 0 || record->check.exact > 0 || record->status == RECORD_FAIL ||
        record->exhaustive.bits > 0,
    check_absent)
