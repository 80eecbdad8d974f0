// SPDX-License-Identifier: Apache-2.0
// What compilers made of each pipeline on each device. Points of several sizes are one pipeline, so rows have no dims.
// Private to harness/readers/render.
#ifndef VKASSAY_RENDER_PIPELINES_H
#define VKASSAY_RENDER_PIPELINES_H

#include "../../base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct record;
struct result;

struct compiled_device {
    const struct result *result, *before; // the newest of this device, and the one before; NULL: none
    double most_waves, most_spills;       // of any pipeline; 0: none, or the driver does not report them
};

// The records of a pipeline, by device; NULL: the result has none.
struct pipeline {
    const struct record *any, **of, **before;
    double spills, grew; // the most of all devices; the largest change since the result before
};

struct pipelines {
    struct arena arena;
    struct compiled_device *devices; // in the order of their first results
    size_t device_count;
    struct pipeline *items; // by spills, the most first; then by their change; then by name
    size_t count, spilling; // the first `spilling` spill somewhere
};

// Joins results of `check --tier compile`. Of several results of one device the newest counts. The caller keeps the
// results and frees the rest.
void pipelines_make(struct pipelines *out, const struct result *results, size_t count);
void pipelines_free(struct pipelines *pipelines);

// The pipelines of one result by outcome. Points that were run, right or wrong, are no failures to compile.
struct pipeline_counts {
    size_t compiled, spill, explained, skipped, failed; // explained: they spill for a reason in the manifest
    bool reports_spills;                                // the driver does, of any pipeline
};
struct pipeline_counts pipelines_count(const struct result *result);

// Returns how many more registers spill than before; 0: no figure in one of the results.
double pipeline_growth(const struct pipeline *pipeline, size_t device);

#endif
