// SPDX-License-Identifier: Apache-2.0
// A result arranged for reading: operators, their kernels, their cases, and the best record of each case. Private to
// harness/readers/render.
#ifndef VKASSAY_RENDER_VIEW_H
#define VKASSAY_RENDER_VIEW_H

#include "../../record/cases.h"
#include "../../record/figures.h"
#include "../../base/text.h"
#include "../../record/terms.h"
#include "../../base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record;
struct result;

// All records of one case.
struct view_case {
    const struct view_kernel *kernel;
    const struct record **records;
    size_t count;
    const struct record *best;  // case_best of the records
    const struct record *worst; // the record whose error comes nearest to its bound; NULL if nothing was checked
    int tie_count;              // other records that tie with the best (case_ties)
    size_t ran;                 // records that were not skipped
};

// A kernel in one dtype, with its cases from small to large.
struct view_kernel {
    const char *name, *variant, *dtype; // "matmul.tiled", "tiled", "f32"
    const struct view_operator *op;
    size_t number; // index among all kernels of the view
    struct view_case *cases;
    size_t count, capacity;
};

struct view_operator {
    const char *name;
    struct view_kernel *kernels;
    size_t count, capacity;
    int common_dims; // leading dims with the same names in all records; a heading lists them once
};

struct view {
    const struct result *result;
    struct arena arena; // owns everything below
    struct view_operator *operators;
    size_t count, capacity;
    const struct view_kernel **kernels; // of all operators, in order
    size_t kernel_count;
    const struct view_case **cases; // of all kernels, in order
    size_t case_count;
    size_t statuses[RECORD_STATUS_COUNT];
    bool timed; // some record has a compute time
};

void view_make(const struct result *result, struct view *out);
void view_free(struct view *view);

// Returns the record's time over that of the case's best; NaN if either has no time.
double loss_of(const struct view_case *c, const struct record *record);

// Returns the systems' worst record here: a failed one, else the slowest, else a skipped one. NULL if the case
// has no system shape.
const struct record *worst_of_systems(const struct view_case *c);

// Compares workgroup sizes, and tunables by name and value.
bool same_shape(const struct record *a, const struct record *b);
// Returns the case's record with the same shape as `shape`, or NULL.
const struct record *with_shape(const struct view_case *c, const struct record *shape);
bool same_dims(const struct record *a, const struct record *b);

// Returns the fastest record with this many invocations per workgroup, or NULL.
const struct record *best_of_invocations(const struct view_case *c, uint64_t invocations);

// Returns the largest case that was timed, or NULL.
const struct view_case *largest_case(const struct view_kernel *kernel);

// Returns the number of its shapes that passed and were timed.
size_t timed_shapes(const struct view_case *c);
// Returns the scalar reference's time for the case in nanoseconds; NaN if no record has it.
double reference_ns(const struct view_case *c);
const struct record *reference_of(const struct view_case *c); // the first record with that time, or NULL

// ---- how much the page and the terminal show. People read some hundred rows, and browsers open some megabytes. So
// tables of a large result show only the largest sizes, and lists only their first entries. Exports are never cut.

enum { SHOWN_WHOLE = 5000 }; // up to this many records, everything is shown

size_t shown_cases(const struct view *view, size_t kernels); // per kernel, for `kernels` in one table; at least 1

// Limits for large results: entries in a list of failures or reasons, and points in a chart of all cases.
enum shown { SHOWN_ENTRIES = 200, SHOWN_POINTS = 5000 };
// Returns `most` for a large result, else SIZE_MAX.
size_t shown_most(const struct view *view, enum shown most);

// Returns true if the case is among the `most` largest of its kernel.
bool is_shown(const struct view_kernel *kernel, size_t index, size_t most);

// Appends "100 of 2000 sizes are shown here; ..."; nothing if all are shown.
void put_left_out(struct text *out, size_t shown, size_t all, const char *what);

#endif
