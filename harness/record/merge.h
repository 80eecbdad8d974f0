// SPDX-License-Identifier: Apache-2.0
// Several results made into one, record by record: each is read twice, and never held.
#ifndef VKASSAY_RECORD_MERGE_H
#define VKASSAY_RECORD_MERGE_H

#include "../base/names.h"
#include "result.h"

struct merge_piece;
struct merge {
    struct arena arena;          // owns what follows, but the context, the names and the peaks
    struct json_object *context; // of the first result; what it says of the run is the caller's to change
    const char **paths;
    size_t path_count, path_capacity;
    size_t checked;  // results of which it is known that they belong to the first, by what stands before their records
    int64_t version; // of the schema: the newest of the results, which the merged one is of
    struct merge_piece *pieces; // records, in the order of their results
    size_t count, capacity;
    size_t counts[RECORD_STATUS_COUNT];
    struct names names;         // of the records
    struct json_object **peaks; // records that serve a peak
    size_t peak_count, peak_capacity;
    struct arena scratch; // of the records at hand
    size_t scratched;
    size_t twice;          // points that are in two of the results
    const char *twice_why; // where the first of them are; NULL: there are none
    bool any_version;      // results of different versions of this program may be merged
    bool alike; // and checks of different devices of one model and driver; with any_version times of them, too
};

// Reads and checks a result; *run is its $.run, the caller's to release. Device, driver, suite, seed and version must
// be the first one's, as far as `alike` and `any_version` do not say otherwise. Of a record what tells which point it
// is is read and checked; the rest is seen to be JSON and goes as it stands. Zeroed before the first, but for these
// two.
bool merge_add(struct merge *merge, const char *path, struct json_object **run, struct error *err);

// No point may be in two results, but for peaks, of which the first counts. STATUS_BAD_INPUT names the first that are,
// how many, and both files.
bool merge_once(const struct merge *merge, struct error *err);

// Writes what was added; `trimmed`: without raw samples.
bool merge_write(const struct merge *merge, const char *path, double wall_seconds, bool trimmed, struct error *err);

void merge_free(struct merge *merge);

#endif
