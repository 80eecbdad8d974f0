// SPDX-License-Identifier: Apache-2.0
// Compares a record with the expectation of its point. A run's exit status and every report use this.
#ifndef VKASSAY_RECORD_STANDING_H
#define VKASSAY_RECORD_STANDING_H

#include "terms.h"

#include <json-c/json.h>
#include <stdbool.h>

struct record;

enum standing {
    STANDING_GOOD,             // passed or skipped
    STANDING_EXPECTED_FAILURE, // failed just as expected
    STANDING_KNOWN_FLAKE,      // failed, and is known to fail now and then
    STANDING_UNEXPECTED_PASS,  // passed where a failure is expected, even if in only one of two attempts
    STANDING_WRONG,            // failed unexpectedly, or in another way than expected
};

#define EXPECTED_FLAKE "flake"
#define EXPECTED_SKIP "skip"

extern const struct enum_words expected_words; // of an expectation

// Returns whether a record as in a journal has the status.
bool record_json_is(struct json_object *record, enum record_status status);

enum standing record_standing(const struct record *record);
enum standing record_standing_json(struct json_object *record); // of a record as in a journal

// Returns whether the outcome is neither good nor as expected: the run has failed.
bool standing_is_bad(enum standing standing);

#endif
