// SPDX-License-Identifier: Apache-2.0
// Groups records by case, and defines the best record of a case, its ties and its size. Pages, tuned tables, exports
// and claims all use these definitions.
#ifndef VKASSAY_RECORD_CASES_H
#define VKASSAY_RECORD_CASES_H

#include "../base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record;
struct summary;

struct case_group {
    const struct record **records; // in the order of the result
    size_t count;
};
struct cases {
    struct case_group *items; // in the order of their first records
    size_t count;
};

// Returns whether a record takes part.
typedef bool case_filter(const struct record *record, const void *user);

// Groups the records, in linear time. The records stay in place; the groups are in the arena. A NULL filter takes
// all.
void cases_make(const struct record *records, size_t count, case_filter *filter, const void *user, struct arena *arena,
    struct cases *out);

// Returns the part of the name after the case: "wg=16x16x1,TILE_K=16", and the inputs of a part; "" if there is none.
const char *record_shape(const struct record *record);
uint64_t record_invocations(const struct record *record); // in one workgroup
// Returns the name of its case: "matmul.tiled/f32/m=512,n=512,k=512".
const char *record_case(struct arena *arena, const struct record *record);

// Returns whether the record passed and has a compute time.
bool record_is_timed(const struct record *record);

// Returns the fastest timed record; NULL if there is none. It must have CASE_LEAST samples, because with fewer a
// record may be fast by luck. If no record has so many, it must have at least half as many as the record with most.
enum { CASE_LEAST = 10 };
const struct record *case_best(const struct record *const *records, size_t count);

// Returns the same for bare times; a NULL takes no part. SIZE_MAX: none is best.
size_t best_time(const struct summary *const *times, size_t count, size_t least);

// Returns the time to ship: of the fastest and its ties the standard one, because nothing was shown to beat it. Without
// the standard one it is the first with enough samples to be the fastest. The luckiest of them would differ from run to
// run. `standard` is an index; beyond `count`: none. SIZE_MAX: no time is best.
size_t time_choice(const struct summary *const *times, size_t count, size_t least, size_t standard);

// The shape of a case to ship.
struct case_choice {
    const struct record *fastest, *chosen; // case_best, and the same or one of its ties; NULL: no record is timed
    bool undecided;                        // there are other timed shapes, and all tie with the fastest
};
struct case_choice case_choose(const struct record *const *records, size_t count);

// Returns half the width of an interval as a share of its median.
double time_spread(const struct summary *time);
// Returns whether an interval is wider than +-20 %. Most shapes differ by less, so such a time says little of a shape.
bool time_is_noise(const struct summary *time);

// Returns whether another time ties with the best: its interval reaches the best one's, or their gap is within the
// spread between processes. Such a difference might not repeat in another process.
bool times_tie(const struct summary *best, const struct summary *other);
bool case_ties(const struct record *best, const struct record *other); // `best` itself is no tie

// ---- size

// Returns the bucket of a size, floor(log2(size)). The size is the product of the operator's dims, each at least 1.
int size_bucket(const double *dims, int count);

// Returns how many of a record's leading dims belong to its operator; the parameters after them are no sizes. Returns
// all if the operator is unknown.
int record_dims(const struct record *record);

int record_bucket(const struct record *record);

#endif
