// SPDX-License-Identifier: Apache-2.0
// Suites: JSON files that say which points to run and how long to spend. suites/README.md documents the file.
#ifndef VKASSAY_PLAN_SUITE_H
#define VKASSAY_PLAN_SUITE_H

#include "point.h"

// How long to measure and how much to check; every member may be set in a suite's "settings".
struct settings {
    double point_seconds;      // time for the samples of one point's compute figure
    double precision;          // stop when the half-width of the median's 95 % interval is below this share
    int least_samples, most_samples;
    double longest_dispatch_s; // a point whose dispatch is estimated longer is skipped, with the figure
    double check_operations;   // reference operations spent on checking one case; beyond, granules are sampled
    double reference_seconds;  // time for the scalar baseline of one case; beyond, it is extrapolated from a part
    double memory_share;       // largest share of device memory one point may take
    bool cold;                 // cache mode
    int some_shapes;           // how many shapes beside default and seeds under "shapes": "some"
};
struct settings settings_standard(void);

// One entry: kernels by glob, dtypes, dims crossed, shapes.
struct suite_entry {
    const char *kernel;             // glob over kernel names
    bool dtypes[DTYPE_COUNT];       // none set: every dtype the kernel has
    struct suite_dims *dims;        // one for each object in "dims", in order; its lists are crossed
    size_t dims_count;
    enum shape_choice shapes;
    struct shape_text *explicit_shapes; // "shapes": [{"WG_X": 64}]
    size_t explicit_count;
    const char *peak;               // "copy_bytes_per_s": the best of these points is that measured peak; NULL: none
    const char *only_kind;          // "cpu" or "gpu": entry for that kind of device alone; NULL: any
    const char *where;              // JSON path, for errors
};

struct suite {
    const char *name, *summary, *file;
    struct settings settings;
    struct suite_entry *entries;
    size_t entry_count;
};

bool suite_load(struct arena *arena, const char *path, struct suite *out, struct error *err);

struct plan {
    struct point *points; // peaks first; the points of a case stand together
    const char **peaks;   // per point: the peak it serves, or NULL
    size_t count;
};

// Crosses the suite with the kernels under the device's limits. An entry whose glob matches no kernel, or whose dims the operator
// refuses, is an error with its JSON path. Points that two entries give are planned once. `select` globs over point
// names keep only what matches (none: all); peaks are kept when anything is. A selection that matches nothing is
// STATUS_USAGE and says what is near.
bool plan_build(struct arena *arena, const struct suite *suite, const struct kernels *kernels,
    const struct device_info *device, const char *const *select, size_t select_count, struct plan *out,
    struct error *err);

// Keeps shard `index` of `count` (1-based): whole cases, by a hash of the case's name; peaks stay in each.
void plan_shard(struct plan *plan, int index, int count);

#endif
