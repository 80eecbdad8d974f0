// SPDX-License-Identifier: Apache-2.0
#include "verdict.h"

#include "../../record/cases.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../record/figures.h"
#include "../schema/described.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_failure(enum record_status status) {
    return status == RECORD_FAIL || status == RECORD_TIMEOUT || status == RECORD_CRASH || status == RECORD_DEVICE_LOST;
}

static void count(const struct result *result, struct verdict_of_try *out) {
    for (size_t i = 0; i < result->count; i++) {
        const enum record_status status = result->records[i].status;
        out->failed += is_failure(status);
        out->judged += status == RECORD_PASS || is_failure(status);
        out->skipped += status == RECORD_SKIP;
        out->errors += status == RECORD_ERROR;
    }
    out->points = (int64_t)result->count;
    out->verdict = out->failed ? TRY_WRONG : out->errors ? TRY_ERROR : out->judged ? TRY_RIGHT : TRY_NOT_JUDGED;
}

static const struct record *failure_of(const struct result *result, bool errors) {
    for (size_t i = 0; i < result->count; i++) {
        const enum record_status status = result->records[i].status;
        if (errors ? status == RECORD_ERROR : is_failure(status)) return &result->records[i];
    }
    return errors ? NULL : failure_of(result, true);
}

static void add_times(struct arena *arena, const struct result *result, struct verdict_of_try *out) {
    out->times = arena_alloc(arena, result->count + 1, sizeof *out->times);
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        if (!record_is_timed(record)) continue;
        const struct summary *time = &record->time[FIGURE_COMPUTE];
        const struct rate rate = rate_of(result, record);
        out->times[out->time_count++] =
            (struct time_of_try){record->name, time->median, time->lo, time->hi, rate.roof, rate.share};
    }
}

// Lists buffers read back, each text once. All records are of one shader.
static void add_remarks(struct arena *arena, const struct result *result, struct verdict_of_try *out) {
    out->remarks = arena_alloc(arena, result->count + 1, sizeof *out->remarks);
    for (size_t i = 0; i < result->count; i++) {
        if (!result->records[i].reads_back) continue;
        const char *text = arena_format(arena, "reads back %s", result->records[i].reads_back);
        size_t k = 0;
        while (k < out->remark_count && strcmp(out->remarks[k], text) != 0) k++;
        if (k == out->remark_count) out->remarks[out->remark_count++] = text;
    }
}

bool verdict_print(struct arena *arena, const struct options *options, const char *path, enum status status,
    const struct error *failed, struct error *err) {
    struct result result = {0};
    struct verdict_of_try verdict = {.operator= options->operator,
        .shader = options->word_count ? options->words[0] : NULL,
        .exit_status = (int)status,
        .error = failed ? failed->text : NULL,
        .result = path};
    if (path && !result_read(path, &result, err)) return false;
    count(&result, &verdict);
    if (!path || failed) verdict.verdict = TRY_ERROR;
    verdict.failure = failure_of(&result, false);
    add_times(arena, &result, &verdict);
    add_remarks(arena, &result, &verdict);
    verdict.seed = json_get_string(json_get(result.context, "run"), "seed", NULL);
    verdict.device = json_get_string(json_get(result.context, "device"), "name", NULL);
    struct json_object *out = verdict_of_try_put(&verdict);
    puts(json_object_to_json_string_ext(out, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    if (path) result_free(&result);
    json_object_put(out);
    return true;
}
