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
    int64_t version;            // of the schema: the newest of the results, which the merged one is of
    struct merge_piece *pieces; // records, in the order of their results
    size_t count, capacity;
    size_t counts[RECORD_STATUS_COUNT];
    struct names names;         // of the records
    struct json_object **peaks; // records that serve a peak
    size_t peak_count, peak_capacity;
};

// Reads and checks a result; *run is its $.run, the caller's to release. Device, driver, suite and seed must be the
// first one's, and no point may be in two, but for peaks, of which the first counts. Zeroed before the first.
bool merge_add(struct merge *merge, const char *path, struct json_object **run, struct error *err);

// Writes what was added; `trimmed`: without raw samples.
bool merge_write(const struct merge *merge, const char *path, double wall_seconds, bool trimmed, struct error *err);

void merge_free(struct merge *merge);

#endif
