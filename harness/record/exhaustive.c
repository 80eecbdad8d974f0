// SPDX-License-Identifier: Apache-2.0
// Joins the chunks of an exhaustive check into one record for each case.
#include "result.h"
#include "record.h"
#include "wall.h"
#include "terms.h"
#include "../truth/judge/judge.h"
#include "journal.h"

#include <math.h>
#include <string.h>

static const char *name_of(struct json_object *record) {
    return json_get_string(record, "name", "");
}

static bool is_part(struct json_object *record) {
    return json_get_bool(record, "part", false);
}

// Returns the length of a part's name before its inputs.
static size_t whole_length(struct json_object *record) {
    const char *inputs = strrchr(name_of(record), '/');
    return inputs ? (size_t)(inputs - name_of(record)) : 0;
}

static bool same_exhaustive(struct json_object *a, struct json_object *b) {
    size_t length = whole_length(a);
    return is_part(a) && is_part(b) && whole_length(b) == length && memcmp(name_of(a), name_of(b), length) == 0;
}

static void add_check(struct record *whole, const struct record *part) {
    const int64_t was = whole->check.checked, more = part->check.checked;
    const double sum = whole->check.mean_ulp * (double)was + part->check.mean_ulp * (double)more;
    if (was && more)
        whole->check.mean_ulp = sum / (double)(was + more);
    else if (!was)
        whole->check.mean_ulp = part->check.mean_ulp;
    whole->check.elements += part->check.elements;
    whole->check.checked += part->check.checked;
    whole->check.excluded += part->check.excluded;
    whole->check.failures += part->check.failures;
    for (int i = 0; i < JUDGE_HISTOGRAM; i++) whole->check.histogram[i] += part->check.histogram[i];
    whole->check.max_ulp = fmax(whole->check.max_ulp, part->check.max_ulp);
    whole->check.same_bits &= part->check.same_bits;
    whole->check.guards_intact &= part->check.guards_intact;
    whole->check.inputs_intact &= part->check.inputs_intact;
    whole->check.output_hash = whole->check.output_hash * 31 + part->check.output_hash;
}

static void take_worst(struct record *whole, const struct record *part) {
    whole->check.worst_ulp = part->check.worst_ulp;
    whole->check.bound_ulp = part->check.bound_ulp;
    whole->check.worst_ratio = part->check.worst_ratio;
    whole->check.worst_index = part->check.worst_index + (int64_t)(part->exhaustive.first - whole->exhaustive.first);
    whole->check.worst_operand = part->check.worst_operand;
    whole->check.got = part->check.got;
    whole->check.want = part->check.want;
    whole->check.input_count = part->check.input_count;
    memcpy(whole->check.inputs, part->check.inputs, sizeof part->check.inputs);
    whole->exhaustive.argument = part->exhaustive.argument;
    whole->exhaustive.ulp = part->exhaustive.ulp;
}

static void add_inputs(struct record *whole, const struct record *part) {
    double seconds = (double)whole->exhaustive.inputs / whole->exhaustive.inputs_per_s +
                     (double)part->exhaustive.inputs / part->exhaustive.inputs_per_s;
    whole->exhaustive.inputs += part->exhaustive.inputs;
    whole->exhaustive.inputs_per_s = (double)whole->exhaustive.inputs / seconds;
    whole->exhaustive.last = part->exhaustive.last;
}

// Takes over the status of a heavier part: failures are heavier than points not run, and points not run are heavier
// than passes. Among equals the first counts. The replay line of a failure is that of the chunk with the worst
// argument.
static void add_status(struct record *whole, const struct record *part, bool worse) {
    static const int weight[RECORD_STATUS_COUNT] = {[RECORD_FAIL] = 3,
        [RECORD_ERROR] = 2,
        [RECORD_TIMEOUT] = 2,
        [RECORD_CRASH] = 2,
        [RECORD_DEVICE_LOST] = 2,
        [RECORD_SKIP] = 1};
    bool heavier = weight[part->status] > weight[whole->status];
    if (!heavier && !(worse && part->status == RECORD_FAIL)) return;
    whole->status = part->status;
    whole->reason = part->reason;
    whole->replay = part->replay;
    whole->expected.status = part->expected.status;
    whole->expected.reason = part->expected.reason;
    whole->attempts.count = part->attempts.count;
    whole->attempts.flaky = part->attempts.flaky;
    memcpy(whole->attempts.statuses, part->attempts.statuses, sizeof part->attempts.statuses);
}

static void add(struct record *whole, const struct record *part) {
    const bool worse = part->check.worst_index >= 0 &&
                       (whole->check.worst_index < 0 || part->check.worst_ratio > whole->check.worst_ratio);
    add_status(whole, part, worse);
    whole->failed |= part->failed;
    wall_add(&whole->wall, &part->wall);
    whole->build_ns += part->build_ns;
    whole->validated |= part->validated;
    whole->validation_messages += part->validation_messages;
    if (!whole->bounds_unchecked) whole->bounds_unchecked = part->bounds_unchecked;
    if (!part->exhaustive.bits) return; // did not run
    if (whole->exhaustive.bits) {
        add_check(whole, part);
        add_inputs(whole, part);
        if (worse) take_worst(whole, part);
        whole->check.p99_ulp = whole->check.nmse = NAN; // they cannot be computed from those of the parts
        return;
    }
    whole->check = part->check;
    whole->exhaustive = part->exhaustive;
}

// Joins the chunks [0, count).
static struct json_object *join(struct json_object *const *chunks, size_t count, struct error *err) {
    struct arena arena = {0};
    struct record whole;
    struct json_object *json = NULL;
    bool ok = record_from_json(&arena, chunks[0], &whole, err);
    bool failed = whole.status != RECORD_PASS;
    for (size_t i = 1; ok && i < count; i++) {
        struct record part;
        ok = record_from_json(&arena, chunks[i], &part, err);
        if (ok) add(&whole, &part);
        failed |= ok && part.status != RECORD_PASS;
    }
    const char *first = name_of(chunks[0]), *last = strrchr(name_of(chunks[count - 1]), '-');
    size_t inputs = whole_length(chunks[0]), length = inputs + strcspn(first + inputs, "-");
    if (ok) whole.name = arena_format(&arena, "%.*s%s", (int)length, first, last ? last : "");
    // The replay line of the first chunk, with the name of the whole check.
    const char *at = ok && !failed && whole.replay ? strstr(whole.replay, first) : NULL;
    if (at)
        whole.replay =
            arena_format(&arena, "%.*s%s%s", (int)(at - whole.replay), whole.replay, whole.name, at + strlen(first));
    if (ok) json = record_to_json(&whole, true);
    arena_free(&arena);
    return json;
}

bool exhaustive_join(struct json_object **records, size_t *count, struct json_object *parts, struct error *err) {
    size_t kept = 0;
    for (size_t first = 0, end; first < *count; first = end) {
        for (end = first + 1; end < *count && same_exhaustive(records[first], records[end]);) end++;
        struct json_object *one = records[first];
        if (is_part(one) && end - first > 1) {
            one = join(records + first, end - first, err);
            if (!one) {
                memmove(records + kept, records + first, (*count - first) * sizeof *records);
                *count -= first - kept;
                return false;
            }
            for (size_t i = first; i < end; i++) json_object_array_add(parts, records[i]);
        }
        records[kept++] = one;
    }
    *count = kept;
    return true;
}
