// SPDX-License-Identifier: Apache-2.0
#include "verdict.h"

#include "../../record/cases.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../render/rate.h"
#include "../../schema/described.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// The points of a result by their outcome.
struct counts {
    int64_t judged, failed, skipped, errors; // judged: passed or failed
};

static bool is_failure(enum record_status status) {
    return status == RECORD_FAIL || status == RECORD_TIMEOUT || status == RECORD_CRASH || status == RECORD_DEVICE_LOST;
}

static struct counts count(const struct result *result) {
    struct counts counts = {0};
    for (size_t i = 0; i < result->count; i++) {
        const enum record_status status = result->records[i].status;
        counts.failed += is_failure(status);
        counts.judged += status == RECORD_PASS || is_failure(status);
        counts.skipped += status == RECORD_SKIP;
        counts.errors += status == RECORD_ERROR;
    }
    return counts;
}

static const char *word_of(const struct counts *counts) {
    return try_verdict_name(counts->failed   ? TRY_WRONG
                            : counts->errors ? TRY_ERROR
                            : counts->judged ? TRY_RIGHT
                                             : TRY_NOT_JUDGED);
}

static struct json_object *failure_of(const struct result *result, bool errors) {
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        if (errors ? record->status != RECORD_ERROR : !is_failure(record->status)) continue;
        struct json_object *out = json_object_new_object(), *failed = json_object_new_array();
        for (const struct check_info *check = checks; check->key; check++)
            if (record->failed & check->bit) json_object_array_add(failed, json_object_new_string(check->key));
        json_put_string(out, "name", record->name);
        json_put_string(out, "status", record_status_name(record->status));
        json_put(out, "checks", failed);
        json_put_string(out, "reason", record->reason);
        json_put_string(out, "replay", record->replay);
        return out;
    }
    return errors ? NULL : failure_of(result, true);
}

static struct json_object *times_of(const struct result *result) {
    struct json_object *out = json_object_new_array();
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        if (!record_is_timed(record) || record->status != RECORD_PASS) continue;
        const struct summary *time = &record->time[FIGURE_COMPUTE];
        const struct rate rate = rate_of(result, record);
        struct json_object *one = json_object_new_object();
        json_put_string(one, "name", record->name);
        json_put(one, "median_ns", json_double(time->median));
        json_put(one, "lo_ns", json_double(time->lo));
        json_put(one, "hi_ns", json_double(time->hi));
        json_put_string(one, "roof", rate.roof);
        json_put(one, "share", json_double(rate.share));
        json_object_array_add(out, one);
    }
    return out;
}

// Lists buffers read back, each text once. All records are of one shader.
static struct json_object *remarks_of(struct arena *arena, const struct result *result) {
    struct json_object *out = json_object_new_array();
    for (size_t i = 0; i < result->count; i++) {
        if (!result->records[i].reads_back) continue;
        const char *text = arena_format(arena, "reads back %s", result->records[i].reads_back);
        bool known = false;
        for (size_t k = 0; k < json_object_array_length(out); k++)
            known |= strcmp(json_object_get_string(json_object_array_get_idx(out, k)), text) == 0;
        if (!known) json_object_array_add(out, json_object_new_string(text));
    }
    return out;
}

static void put_result(struct arena *arena, struct json_object *out, const char *path, const struct result *result) {
    const struct counts counts = count(result);
    json_put_string(out, "verdict", word_of(&counts));
    json_put_int(out, "points", (int64_t)result->count);
    json_put_int(out, "judged", counts.judged);
    json_put_int(out, "failed", counts.failed);
    json_put_int(out, "skipped", counts.skipped);
    json_put_int(out, "errors", counts.errors);
    json_put(out, "failure", failure_of(result, false));
    json_put(out, "times", times_of(result));
    json_put(out, "remarks", remarks_of(arena, result));
    json_put_string(out, "seed", json_get_string(json_get(result->context, "run"), "seed", NULL));
    json_put_string(out, "device", json_get_string(json_get(result->context, "device"), "name", NULL));
    json_put_string(out, "result", path);
}

bool verdict_print(struct arena *arena, const struct options *options, const char *path, enum status status,
    const struct error *failed, struct error *err) {
    struct json_object *out = json_object_new_object();
    struct result result;
    json_put_int(out, "schema_version", 1);
    json_put_string(out, "operator", options->operator);
    json_put_string(out, "shader", options->word_count ? options->words[0] : NULL);
    json_put_int(out, "exit_status", status);
    const bool has_result = path && result_read(path, &result, err);
    if (path && !has_result) {
        json_object_put(out);
        return false;
    }
    if (has_result) put_result(arena, out, path, &result);
    if (!has_result || failed) json_put_string(out, "verdict", try_verdict_name(TRY_ERROR));
    json_put_string(out, "error", failed ? failed->text : NULL);
    puts(json_object_to_json_string_ext(out, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    if (has_result) result_free(&result);
    json_object_put(out);
    return true;
}
