// SPDX-License-Identifier: Apache-2.0
// Records by their cases, what is best of a case, and its size: the one definition of each, which pages, tuned tables,
// exports and claims go by.
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

// Which records take part.
typedef bool case_filter(const struct record *record, const void *user);

// In time that is linear in the number of records, which stay where they are; the groups are in the arena. A filter
// that is NULL takes all.
void cases_make(const struct record *records, size_t count, case_filter *filter, const void *user, struct arena *arena,
    struct cases *out);

// It passed and has a compute time.
bool record_is_timed(const struct record *record);

// The fastest of the records that are timed; NULL: none is. Only those with at least CASE_LEAST samples may be it, as
// of fewer one is fast by luck; where none has as many, those with at least half as many as the one with most.
enum { CASE_LEAST = 10 };
const struct record *case_best(const struct record *const *records, size_t count);

// The same of bare times, NULL for one that takes no part; SIZE_MAX: none is best.
size_t best_time(const struct summary *const *times, size_t count, size_t least);

// Whether the interval of another time reaches that of the best, or their gap is as small as what times differ by from
// process to process: no difference was shown that another process would show again.
bool times_tie(const struct summary *best, const struct summary *other);
bool case_ties(const struct record *best, const struct record *other); // `best` itself is no tie

// ---- size

// The measure of size: the product of the operator's dims, each at least 1. A bucket is a power of
// two: floor(log2(size)).
int size_bucket(const double *dims, int count);

// How many of a record's leading dims are its operator's; the parameters that follow are no sizes. All of them where
// the operator is not known.
int record_dims(const struct record *record);

int record_bucket(const struct record *record);

#endif
