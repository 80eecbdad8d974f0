// SPDX-License-Identifier: Apache-2.0
// Expectations: what a file says of points that are known not to pass on some device or driver.
//
//     {"schema_version": 1, "expectations": [
//         {"points": "softmax.online/f16", "device": "llvmpipe*", "driver": "*Mesa 22.*", "status": "fail", "reason":
//         "why"}]}
//
// `points` is a glob, held against names as a command line's is; so are `device` (its name) and `driver` (its name and
// version, with a space between); absent ones hold for any. The first entry that matches counts. `status` is how the
// point fails, "flake" for one that may pass or fail, "skip" for one that must not be run.
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

// Sets what is expected of each point of a plan; those to be skipped become refused.
void expectations_apply(
    struct arena *arena, const struct expectations *expectations, const struct device_info *device, struct plan *plan);

// Notes in a record what is expected of its point.
void expectation_note(const struct expectation *expected, struct json_object *record);

// Notes what is expected in those records that say nothing of it: exhaustive checks, once their parts are joined.
void expectations_note(const struct expectations *expectations, const struct device_info *device,
    struct json_object *const *records, size_t count);

// The file by which a run of these records comes out as expected: what still holds of the given one, and an entry for
// each point that stood otherwise. The caller releases it.
struct json_object *expectations_next(const struct expectations *given, const struct device_info *device,
    struct json_object *const *records, size_t count);

// ---- a second attempt at a point that came out otherwise than expected: it tells what is wrong from what is flaky

// Notes in a record what is expected of its point.
void retry_expect(const struct point *point, struct json_object *record);

// Whether the record calls for a second attempt.
bool retry_is_due(struct json_object *record);

// The record of a point from two attempts: the one that did not pass, the first where neither did, with both statuses.
// Takes both over.
struct json_object *retry_join(struct json_object *first, struct json_object *second);

#endif
