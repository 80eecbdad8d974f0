// SPDX-License-Identifier: Apache-2.0
// Expectations: a file of points that are known not to pass on some device or driver.
//
//     {"schema_version": 1, "expectations": [
//         {"points": "softmax.online/f16", "device": "llvmpipe*", "driver": "*Mesa 22.*", "status": "fail", "reason":
//         "why"}]}
//
// `points` is a glob over point names, as on the command line. `device` is a glob over the device's name, and `driver`
// over the driver's name and version with a space between; if absent they match anything. The first matching entry
// counts. `status` is how the point fails, "flake" if it may pass or fail, or "skip" if it must not be run.
#ifndef VKASSAY_SUPERVISE_EXPECTATIONS_H
#define VKASSAY_SUPERVISE_EXPECTATIONS_H

#include "../plan/suite.h"

#include <json-c/json.h>

struct expectation {
    const char *points, *device, *driver; // device, driver NULL: any
    const char *status, *reason;
};

struct expectations {
    struct expectation *items;
    size_t count;
};

bool expectations_load(struct arena *arena, const char *path, struct expectations *out, struct error *err);

// Sets the expectation of each point of a plan. Points to be skipped become refused.
void expectations_apply(
    struct arena *arena, const struct expectations *expectations, const struct device_info *device, struct plan *plan);

// Notes expectations in records still without one: exhaustive checks after their parts were joined.
void expectations_note(const struct expectations *expectations, const struct device_info *device,
    struct json_object *const *records, size_t count);

// Makes the expectations file for the next run, so a run with these records would be as expected. It has the given
// entries unless they no longer hold, and an entry for each point with another outcome. The caller releases it.
struct json_object *expectations_next(const struct expectations *given, const struct device_info *device,
    struct json_object *const *records, size_t count);

// ---- second attempts at points with an unexpected outcome: they tell wrong from flaky

// Notes the point's expectation in its record.
void retry_expect(const struct point *point, struct json_object *record);

// Returns whether the record calls for a second attempt.
bool retry_is_due(struct json_object *record);

// Returns whether the record is of a crash, a lost device or a hang. These can be random.
bool retry_is_crash(struct json_object *record);

// Joins the records of two attempts: keeps the failure, the first if both failed, and notes both statuses. Takes both
// over.
struct json_object *retry_join(struct json_object *first, struct json_object *second);

extern const struct kind kind_expectations_file; // struct expectations

#endif
