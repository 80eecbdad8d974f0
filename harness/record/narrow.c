// SPDX-License-Identifier: Apache-2.0
// Holds results to a profile of limits.
#include "result.h"
#include "../device/profile.h"
#include "record.h"
#include "terms.h"
#include "refusal.h"
#include "../device/device_info.h"
#include "cases.h"

#include <string.h>

struct needs record_needs(const struct record *record) {
    struct needs needs = {0};
    if (record->needs) return *record->needs;
    uint64_t flat = record_invocations(record);
    memcpy(needs.limits.max_size, record->wg, sizeof record->wg);
    needs.limits.max_invocations = flat > UINT32_MAX ? UINT32_MAX : (uint32_t)flat;
    needs.features[FEATURE_SUBGROUP_SIZE] = record->subgroup_size > 0;
    return needs;
}

bool record_keeps_to(const struct record *record, const struct profile *profile) {
    const struct needs needs = record_needs(record);
    struct excess ignored;
    return profile_fits(profile, &needs, &ignored);
}

const char *suite_within(struct arena *arena, const char *suite, const struct profile *profile) {
    return suite && *profile->name ? arena_format(arena, "%s within %s", suite, profile->name) : suite;
}

const char *result_historical(const struct result *result) {
    if (!json_get_bool(json_get(result->context, "run"), "historical", false)) return NULL;
    return json_get_string(json_get(result->context, "tool"), "git", "no revision");
}

const char *result_suite(struct arena *arena, const struct result *result, const char *otherwise) {
    const char *suite = json_get_string(json_get(result->context, "run"), "suite", otherwise);
    suite = suite_within(arena, suite, &result->device->profile);
    return suite;
}

const char *result_suite_told(struct arena *arena, const struct result *result, const char *otherwise) {
    const char *suite = result_suite(arena, result, otherwise);
    if (!suite || !result_historical(result)) return suite;
    return arena_format(arena, "%s, historical (%s)", suite, result_historical(result));
}

void result_narrow(struct result *result, const struct profile *profile) {
    if (!profile || !*profile->name) return;
    device_narrow(result->device, profile);
    for (size_t i = 0; i < result->count; i++) {
        struct record *record = &result->records[i];
        struct needs needs = record_needs(record);
        struct excess excess;
        if (record->peak || record->status == RECORD_SKIP || profile_fits(profile, &needs, &excess)) continue;
        record_refuse(&result->arena, record, refusal_of_excess(&result->arena, &result->device->profile, &excess));
    }
}
