// SPDX-License-Identifier: Apache-2.0
// Merges several results into one, record by record. Each result is read twice and never kept in memory.
#ifndef VKASSAY_RECORD_MERGE_H
#define VKASSAY_RECORD_MERGE_H

#include "../base/names.h"
#include "terms.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "result.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

struct merge_piece;
struct text;
struct merge {
    struct arena arena;          // owns the members below, except context, names and peaks
    struct json_object *context; // of the first result; the caller may change its "run"
    const char **paths;
    size_t path_count, path_capacity;
    struct result_lines lines;  // of the current result
    size_t checked;             // results known to belong to the first one, by the members before their records
    struct merge_piece *pieces; // records, in the order of their results
    size_t count, capacity;
    size_t counts[RECORD_STATUS_COUNT];
    struct names names;         // of the records
    struct json_object **peaks; // records of peaks
    size_t peak_count, peak_capacity;
    struct arena scratch; // of the current records
    size_t scratched;
    size_t twice;                         // points in two of the results
    const char *twice_why;                // the places of the first few; NULL: none
    const struct device_fact *other_unit; // tells the current result's device from the first one's; NULL: one unit
    bool any_version;                     // results of different program versions may be merged
    bool alike; // and checks of different devices of one model and driver; with any_version also their times
};

// Reads and checks a result; *run is its $.run, and the caller releases it. Device, driver, suite, seed and version
// must equal the first result's, unless `alike` and `any_version` allow otherwise. Only the record members that
// identify the point and its outcome are read and checked. The rest must be JSON and is copied unchanged. Zero the
// struct before the first call, except these two flags.
bool merge_add(struct merge *merge, const char *path, struct json_object **run, struct error *err);

// Checks that no point is in two results. Peaks may be; the first one counts. STATUS_BAD_INPUT names the first such
// points, their number, and both files.
bool merge_once(const struct merge *merge, struct error *err);

// Writes the merged result as result_write does; `trimmed`: without raw samples.
bool merge_write(const struct merge *merge, const char *path, double wall_seconds, bool trimmed, struct error *err);

// Appends one result as a JSON document.
bool merge_put_one(struct text *out, const char *path, struct error *err);

void merge_free(struct merge *merge);

#endif
