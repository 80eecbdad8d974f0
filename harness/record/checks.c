// SPDX-License-Identifier: Apache-2.0
#include "record.h"

#include "../../reference/signature.h"
#include "parts.h"
#include "result.h"
#include "journal.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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
static const struct kind kind_headroom = {.put = headroom_put,
    .get = headroom_get,
    .absent = headroom_absent,
    .meaning = "1 - error / bound at the worst element; null: a mismatch of class.",
    .schema = SCHEMA({"type" : "number", "maximum" : 1})};

static struct json_object *histogram_put(const void *member) {
    return items_put(&kind_int64, member, sizeof(int64_t), JUDGE_HISTOGRAM);
}
static bool histogram_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    return items_get(arena, at, &kind_int64, member, sizeof(int64_t), JUDGE_HISTOGRAM, err);
}
static const struct kind kind_histogram = {.put = histogram_put,
    .get = histogram_get,
    .meaning =
        "Outputs by error in ULP: 0, up to 2^-5, up to 2^-4, ... up to 2^8, more. Before 2026-11-22 12:00 UTC an "
        "error of exactly a power of two was counted one place further.",
    .schema =
        SCHEMA({"type" : "array", "items" : {"type" : "integer", "minimum" : 0}, "minItems" : 16, "maxItems" : 16})};
_Static_assert(JUDGE_HISTOGRAM == 16, "the schema of the histogram");

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
static const struct kind kind_worst_ulp = {.put = worst_ulp_put,
    .get = worst_ulp_get,
    .absent = worst_ulp_absent,
    .meaning = "Error of the worst element; null: a mismatch of class.",
    .schema = SCHEMA({"type" : "number", "minimum" : 0})};

const struct field spread_fields[] = {
    {"runs", KIND(kind_int, .least = 1), AT(check.spread.runs), REQUIRED},
    {"lo", &kind_amount, AT(check.spread.lo), REQUIRED},
    {"hi", &kind_amount, AT(check.spread.hi), REQUIRED},
    {0},
};
GROUP_KIND(static, spread, spread_fields, record->check.spread.runs > 0 && isfinite(record->check.spread.hi))

static const struct field errors_fields[] = {
    {"draws", KIND(kind_int, .least = 1), AT(check.errors.draws), REQUIRED},
    {"operand", &kind_text, AT(check.errors.operand), NULLABLE},
    {"outputs", &kind_int64, AT(check.errors.outputs), REQUIRED},
    {"groups",
        KIND(kind_int64,
            .meaning =
                "Outputs with independent errors. 0: no output is a sum, or rounding to nearest is not declared."),
        AT(check.errors.groups), REQUIRED},
    {"spread", KIND(kind_amount, .meaning = "Root mean square."), AT(check.errors.spread), NULLABLE},
    {"most_spread", &kind_amount, AT(check.errors.most_spread), NULLABLE},
    {"bias", KIND(kind_real, .meaning = "The mean; away from zero is positive."), AT(check.errors.bias), NULLABLE},
    {"most_bias", &kind_amount, AT(check.errors.most_bias), NULLABLE},
    {0},
};
GROUP_KIND(static, errors, errors_fields, record->check.errors.draws > 0)

static const struct field lines_fields[] = {
    {"dim", &kind_text, AT(check.lines.dim), REQUIRED},
    {"count", KIND(kind_int64, .least = 2), AT(check.lines.count), REQUIRED},
    {"same_bits", &kind_flag, AT(check.lines.same_bits), REQUIRED},
    {0},
};
GROUP_KIND(static, lines, lines_fields, record->check.lines.dim != NULL)

#define REPEATED(STATE)                                                                                                \
    static const struct field repeated_fields_##STATE[] = {                                                            \
        {"runs", &kind_int64, AT(check.repeated[STATE].runs), REQUIRED},                                               \
        {"differing", KIND(kind_int64, .meaning = "Executions with other bits than the judged one."),                  \
            AT(check.repeated[STATE].differing), REQUIRED},                                                            \
        {"wrong", KIND(kind_int64, .meaning = "Of these, judged wrong."), AT(check.repeated[STATE].wrong), REQUIRED},  \
        {"unjudged", KIND(kind_int64, .meaning = "Of these, not judged."), AT(check.repeated[STATE].unjudged),         \
            REQUIRED},                                                                                                 \
        {0},                                                                                                           \
    };                                                                                                                 \
    GROUP_KIND(static, repeated_##STATE, repeated_fields_##STATE, record->check.repeated[STATE].runs > 0)
REPEATED(REPEAT_WARM)
REPEATED(REPEAT_COLD)
REPEATED(REPEAT_PAUSED)
REPEATED(REPEAT_BUSY)
static const struct field repeated_fields[] = {
    {"warm", &kind_repeated_REPEAT_WARM, WHOLE, SPARSE},
    {"cold", &kind_repeated_REPEAT_COLD, WHOLE, SPARSE},
    {"paused", &kind_repeated_REPEAT_PAUSED, WHOLE, SPARSE},
    {"busy", &kind_repeated_REPEAT_BUSY, WHOLE, SPARSE},
    {0},
};
GROUP_KIND(static, repeated, repeated_fields, record->check.repeated[REPEAT_WARM].runs > 0)

static const struct field sanitized_fields[] = {
    {"accesses", KIND(kind_int64, .meaning = "Logged accesses to shared memory and storage, and barriers."),
        AT(check.sanitized.accesses), REQUIRED},
    {"dropped", KIND(kind_int64, .meaning = "More of them, for which the log had no room."),
        AT(check.sanitized.dropped), REQUIRED},
    {"groups_left_out",
        KIND(kind_int64, .meaning = "Workgroups without a log; their accesses are only tested for bounds."),
        AT(check.sanitized.groups_left_out), REQUIRED},
    {"findings", &kind_int64, AT(check.sanitized.findings), REQUIRED},
    {"uses_addresses", KIND(kind_flag, .meaning = "It also uses buffer addresses; these accesses are not logged."),
        AT(check.sanitized.uses_addresses), REQUIRED},
    {"at",
        KIND(kind_text,
            .meaning = "The small point of its kernel and shape that ran. Absent: the point itself (--sanitize)."),
        AT(check.sanitized.at), SPARSE},
    {"why_not", KIND(kind_text, .meaning = "Why it was not sanitized, or not to its end."), AT(check.sanitized.why),
        NULLABLE},
    {0},
};
GROUP_KIND(static, sanitized, sanitized_fields,
    record->check.sanitized.accesses > 0 || record->check.sanitized.at || record->check.sanitized.why)

static const struct field policy_fields[] = {
    {"rte", &kind_flag, AT(check.rte), REQUIRED},
    {"specials", &kind_flag, AT(check.specials), REQUIRED},
    {"denorms", &kind_flag, AT(check.denorms), REQUIRED},
    {0},
};
GROUP_KIND(static, policy, policy_fields, true)

const char *special_value_name(enum special_value value) {
    static const char *const names[SPECIAL_VALUES] = {"nan", "inf", "-inf"};
    return names[value];
}
ENUM_KIND(static, special_value, special_value_name, special_value, 0, SPECIAL_VALUES, "nan, inf or -inf")

static const struct field special_fields[] = {
    {"operand", &kind_text, offsetof(struct special_inputs, operand), REQUIRED},
    {"index", KIND(kind_int, .meaning = "Place of the operand among the operator's."),
        offsetof(struct special_inputs, index), REQUIRED},
    {"value", &kind_special_value, offsetof(struct special_inputs, value), REQUIRED},
    {"inputs", KIND(kind_int64, .meaning = "Inputs with this value."), offsetof(struct special_inputs, inputs),
        REQUIRED},
    {"judged", KIND(kind_int64, .meaning = "Judged outputs with another reference if these inputs were 0.5."),
        offsetof(struct special_inputs, judged), REQUIRED},
    {0},
};
static const struct kind kind_special_inputs = {.fields = special_fields};
static const struct field specials_fields[] = {
    {"planting",
        KIND(kind_int, .meaning =
                           "Try of placing them. 0: the first; from 4 on with fewer of them, as too many outputs were "
                           "without a defined result."),
        AT(check.specials_in.placement), REQUIRED},
    {"rows",
        ROOM_LIST(
            struct record, check.specials_in.rows, check.specials_in.count, &kind_special_inputs, 0, RECORD_SPECIALS),
        WHOLE, REQUIRED},
    {0},
};
GROUP_KIND(
    static, specials, specials_fields, record->check.specials_in.count > 0 || record->check.specials_in.placement > 0)

double open_share(int64_t checked, int64_t excluded) {
    return excluded > 0 ? (double)excluded / (double)(checked + excluded) : 0;
}

// Follows from two other members, so it is not read.
static struct json_object *open_share_put(const void *whole) {
    const struct record *record = whole;
    return json_double(open_share(record->check.checked, record->check.excluded));
}
static bool open_share_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {
    double share;
    (void)arena, (void)whole;
    return json_number(at, &share, err);
}
static const struct kind kind_open_share = {.put = open_share_put,
    .get = open_share_get,
    .meaning = "excluded / (checked + excluded)",
    .schema = SCHEMA({"type" : "number", "minimum" : 0, "maximum" : 1})};

static struct json_object *factor_put(const void *at) {
    const double factor = *(const double *)at;
    return factor > 0 ? json_double(factor) : NULL;
}
static bool factor_get(struct arena *arena, const struct json_at *at, void *to, struct error *err) {
    (void)arena;
    return json_number(at, to, err);
}
static const struct kind kind_factor = {.put = factor_put,
    .get = factor_get,
    .meaning = "The kernel mixes the terms of neighbouring outputs: its bounds are so many times as large, at the "
               "largest magnitude of all outputs.",
    .schema = SCHEMA({"type" : "number", "minimum" : 1})};

static const struct field check_fields[] = {
    {"max_ulp", KIND(kind_amount, .meaning = "Largest error of all compared outputs, not only of the worst one."),
        AT(check.max_ulp), NULLABLE},
    {"bound_ulp", KIND(kind_amount, .meaning = "Bound of the worst element."), AT(check.bound_ulp), NULLABLE},
    {"headroom", &kind_headroom, AT(check.worst_ratio), NULLABLE},
    {"worst",
        KIND(
            kind_worst, .meaning = "The element whose error uses most of its bound, and the inputs at the same index."),
        WHOLE, NULLABLE},
    {"worst_ulp", &kind_worst_ulp, WHOLE, NEW_NULLABLE}, // after the members it may follow from
    {"p99_ulp", &kind_amount, AT(check.p99_ulp), NULLABLE},
    {"mean_ulp", &kind_amount, AT(check.mean_ulp), NULLABLE},
    {"nmse", &kind_amount, AT(check.nmse), NULLABLE},
    {"checked", &kind_int64, AT(check.checked), REQUIRED},
    {"elements", &kind_int64, AT(check.elements), REQUIRED},
    {"excluded", KIND(kind_int64, .meaning = "Outputs that the device or the specification leaves open."),
        AT(check.excluded), REQUIRED},
    {"open_share", &kind_open_share, WHOLE, NEW},
    {"failures", &kind_int64, AT(check.failures), REQUIRED},
    {"histogram", &kind_histogram, AT(check.histogram), REQUIRED},
    {"same_bits", &kind_flag, AT(check.same_bits), REQUIRED},
    {"guards_intact", &kind_flag, AT(check.guards_intact), REQUIRED},
    {"inputs_intact", &kind_flag, AT(check.inputs_intact), REQUIRED},
    {"spread",
        KIND(kind_spread, .meaning =
                              "Of a kernel that may give different bits: the smallest and the largest share of a "
                              "bound used in these runs."),
        WHOLE, SPARSE},
    {"errors",
        KIND(kind_errors, .meaning = "Of a point with repeated draws of inputs: its errors as shares of the expected "
                                     "ones, and their limits, for the output nearest to its limit."),
        WHOLE, SPARSE},
    {"lines",
        KIND(kind_lines,
            .meaning =
                "Batch invariance: whether the first line, run by itself, had the same bits as among all lines."),
        WHOLE, SPARSE},
    {"repeated", KIND(kind_repeated, .meaning = "Executions in different states of the device, for --repeat."), WHOLE,
        SPARSE},
    {"first_line", KIND(kind_hex, .meaning = "Hash of the bits of the first line, for --invariant."),
        AT(check.first_line), SPARSE},
    {"sanitized", KIND(kind_sanitized, .meaning = "A run with instrumented shaders. Absent: there was none."), WHOLE,
        SPARSE},
    {"specials",
        KIND(kind_specials, .meaning = "Inputs that are not finite. Absent: there are none, or the problem is large."),
        WHOLE, SPARSE},
    {"exact", KIND(kind_int64, .meaning = "Outputs judged by a run with whole numbers, whose sums are exact."),
        AT(check.exact), NEW},
    {"subgroup_width",
        KIND(kind_int64,
            .meaning = "The only width of subgroups that its subgroup operations met. 0: it has none, or met several."),
        AT(check.subgroup_width), NEW},
    {"mixes", &kind_factor, AT(check.mixes), SPARSE},
    {"packed",
        KIND(kind_flag, .meaning = "The second run had its operands in one buffer, at the smallest legal offsets."),
        AT(check.packed), NEW},
    {"folded",
        KIND(kind_flag, .meaning = "The second run had a grid folded over other axes, with groups past the end."),
        AT(check.folded), NEW},
    {"policy",
        KIND(kind_policy,
            .meaning = "Declared by the shader: RoundingModeRTE, SignedZeroInfNanPreserve, DenormPreserve."),
        WHOLE, REQUIRED},
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
        (record->recorded.count && record->check.elements > 0) || record->exhaustive.bits > 0,
    check_absent)

// ---- read from JSON, for coverage

// Sets the bits of special inputs.
static void judge_specials(struct json_object *specials, struct judged_outputs *out) {
    struct json_object *rows = json_get(specials, "rows");
    out->placement = (int)json_get_int(specials, "planting", 0);
    for (size_t i = 0; rows && i < json_object_array_length(rows); i++) {
        struct json_object *row = json_object_array_get_idx(rows, i);
        const int64_t index = json_get_int(row, "index", 0);
        const char *name = json_get_string(row, "value", "");
        int value = 0;
        while (value < SPECIAL_VALUES && strcmp(name, special_value_name((enum special_value)value)) != 0) value++;
        if (index < 0 || index >= OPERATOR_OPERANDS || value == SPECIAL_VALUES) continue;
        const uint32_t bit = 1u << (SPECIAL_VALUES * index + value);
        out->special |= bit;
        if (json_get_int(row, "judged", 0) > 0) out->met |= bit;
    }
}

struct judged_outputs judged_of(struct json_object *check) {
    struct judged_outputs out = {.checked = json_get_int(check, "checked", 0),
        .elements = json_get_int(check, "elements", 0),
        .excluded = json_get_int(check, "excluded", 0),
        .exact = json_get_int(check, "exact", 0)};
    judge_specials(json_get(check, "specials"), &out);
    return out;
}

// ---- expectations and attempts

// Returns the words for anything but a pass. Compiling has no expectations.
static const char *expected_word(int i) {
    return i == RECORD_COMPILED ? EXPECTED_FLAKE : record_status_name((enum record_status)i);
}
const struct enum_words expected_words = {
    expected_word, RECORD_PASS + 1, RECORD_COMPILED + 1, "fail, error, timeout, crash, device-lost, flake or skip"};

static const struct field expected_fields[] = {
    {"status", KIND(kind_text, .words = &expected_words), AT(expected.status), REQUIRED},
    {"reason", &kind_text, AT(expected.reason), REQUIRED},
    {0},
};
GROUP_KIND(, expected, expected_fields, record->expected.status)

static const struct field attempts_fields[] = {
    {"statuses", ROOM_LIST(struct record, attempts.statuses, attempts.count, &kind_status, 1, RECORD_ATTEMPTS), WHOLE,
        REQUIRED},
    {"flaky", &kind_flag, AT(attempts.flaky), REQUIRED},
    {0},
};
GROUP_KIND(, attempts, attempts_fields, record->attempts.count > 0)

static enum expectation_outcome outcome_of(const char *status, const char *expected, bool flaky) {
    bool passed = strcmp(status, record_status_name(RECORD_PASS)) == 0;
    if (strcmp(status, record_status_name(RECORD_SKIP)) == 0) return OUTCOME_GOOD;
    if (strcmp(status, record_status_name(RECORD_COMPILED)) == 0) return OUTCOME_GOOD;
    if (expected && strcmp(expected, EXPECTED_FLAKE) == 0) return passed ? OUTCOME_GOOD : OUTCOME_KNOWN_FLAKE;
    if (!expected || strcmp(expected, EXPECTED_SKIP) == 0) return passed ? OUTCOME_GOOD : OUTCOME_WRONG;
    if (passed || flaky) return OUTCOME_UNEXPECTED_PASS;
    return strcmp(status, expected) == 0 ? OUTCOME_EXPECTED_FAILURE : OUTCOME_WRONG;
}

enum expectation_outcome record_outcome(const struct record *record) {
    return outcome_of(record_status_name(record->status), record->expected.status, record->attempts.flaky);
}

enum expectation_outcome record_outcome_json(struct json_object *record) {
    return outcome_of(json_get_string(record, "status", ""),
        json_get_string(json_get(record, "expected"), "status", NULL),
        json_get_bool(json_get(record, "attempts"), "flaky", false));
}

bool record_json_is(struct json_object *record, enum record_status status) {
    return strcmp(json_get_string(record, "status", ""), record_status_name(status)) == 0;
}

bool outcome_is_bad(enum expectation_outcome outcome) {
    return outcome == OUTCOME_UNEXPECTED_PASS || outcome == OUTCOME_WRONG;
}
