// SPDX-License-Identifier: Apache-2.0
// How a record stands to what was expected of its point: what a run's exit status and every report go by.
#ifndef VKASSAY_RECORD_STANDING_H
#define VKASSAY_RECORD_STANDING_H

#include "record.h"

enum standing {
    STANDING_GOOD,             // passed or skipped
    STANDING_EXPECTED_FAILURE, // failed just as expected
    STANDING_KNOWN_FLAKE,      // failed, and is known to do so now and then
    STANDING_UNEXPECTED_PASS,  // passed where a failure is expected, be it in one of two attempts
    STANDING_WRONG,            // failed where that is not expected, or otherwise than expected
};

#define EXPECTED_FLAKE "flake"
#define EXPECTED_SKIP "skip"

enum standing record_standing(const struct record *record);
enum standing record_standing_json(struct json_object *record); // of a record as it is in a journal

// Neither as it should be nor as it is expected to be: the run has failed.
bool standing_is_bad(enum standing standing);

#endif
