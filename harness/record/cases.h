// SPDX-License-Identifier: Apache-2.0
// Records gathered by their cases, in time that is linear in their number.
#ifndef VKASSAY_RECORD_CASES_H
#define VKASSAY_RECORD_CASES_H

#include "record.h"

struct case_group {
    const struct record **records; // in the order of the result
    size_t count;
};
struct cases {
    struct case_group *items; // in the order of their first records
    size_t count;
};

// How much of a record's name says of which case it is; 0 leaves the record out.
typedef size_t case_part(const struct record *record, void *user);

// The part before "/wg=", or 0 for a name without a shape.
size_t case_before_shape(const struct record *record);

// Everything is in the arena; the records stay where they are. False when memory is out.
bool cases_gather(
    const struct record *records, size_t count, case_part *part, void *user, struct arena *arena, struct cases *out);

#endif
