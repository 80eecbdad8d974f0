// SPDX-License-Identifier: Apache-2.0
// A result arranged for reading: operators, their kernels, their cases, and what is best of each
// case. Private to harness/render.
#ifndef VKASSAY_RENDER_VIEW_H
#define VKASSAY_RENDER_VIEW_H

#include "../record/cases.h"
#include "../record/result.h"
#include "../base/text.h"

// All records of one case.
struct view_case {
    const struct view_kernel *kernel;
    const struct record **records;
    size_t count;
    const struct record *best;  // case_best of them
    const struct record *worst; // the one whose error comes nearest to its bound, or NULL when nothing was checked
    int tie_count;              // others that tie with the best (case_ties)
    size_t ran;                 // records that are no skips
};

// A kernel in one dtype, its cases from small to large.
struct view_kernel {
    const char *name, *variant, *dtype; // "matmul.tiled", "tiled", "f32"
    const struct view_operator *op;
    size_t number; // among all of the view
    struct view_case *cases;
    size_t count, capacity;
};

struct view_operator {
    const char *name;
    struct view_kernel *kernels;
    size_t count, capacity;
    int common_dims; // leading dims that every record has under the same names: what a heading can name once
};

struct view {
    const struct result *result;
    struct arena arena; // owns what follows
    struct view_operator *operators;
    size_t count, capacity;
    const struct view_kernel **kernels; // of all operators, in their order
    size_t kernel_count;
    const struct view_case **cases; // of all kernels, in their order
    size_t case_count;
    size_t statuses[RECORD_STATUS_COUNT];
    bool timed; // some record has a compute time
};

void view_make(const struct result *result, struct view *out);
void view_free(struct view *view);

// The compute median of a record that passed and was timed; NaN otherwise.
double compute_ns(const struct record *record);
double figure_ns(const struct record *record, enum figure figure); // NaN when not measured
// Of both ways together, where one may be missing; NaN when neither was measured.
double both_ns(const struct record *record, enum figure in, enum figure out);
// Of a probe, the compute figure is the whole of what it does, other figures are parts of it.
bool is_probe(const struct record *record);

// What a record of the case loses against its best, as a factor of at least 1; NaN when either has
// no time.
double loss_of(const struct view_case *c, const struct record *record);

// The seed systems' shape that does worst here: one that failed, else the slowest, else one that
// was skipped; NULL when no record of the case is a seed's.
const struct record *worst_of_systems(const struct view_case *c);

// The same workgroup and the same other tunables, by name.
bool same_shape(const struct record *a, const struct record *b);
// The record of the case with the shape of `shape`, or NULL.
const struct record *with_shape(const struct view_case *c, const struct record *shape);
bool same_dims(const struct record *a, const struct record *b);

// The fastest record with this many invocations in a workgroup, or NULL.
const struct record *best_of_invocations(const struct view_case *c, uint64_t invocations);

// The largest case that was timed, or NULL.
const struct view_case *largest_case(const struct view_kernel *kernel);

// Its shapes that were right and timed.
size_t timed_shapes(const struct view_case *c);
// The scalar reference's time for the case, in nanoseconds; NaN when no record of it has one.
double reference_ns(const struct view_case *c);
const struct record *reference_of(const struct view_case *c); // the record that has it, or NULL

// ---- how much the page and the terminal show. A person reads some hundred rows, and a browser opens some megabytes:
// of a large result tables hold the largest sizes, and lists begin. Exports are whole.

enum { SHOWN_WHOLE = 5000 }; // records: up to so many everything is shown

size_t shown_cases(const struct view *view, size_t kernels); // of each of `kernels` in one table, at least one

// Of what else is shown of a large result: entries of a list of failures or of reasons; points in a chart of all cases.
// SIZE_MAX of one that is not large.
enum shown { SHOWN_ENTRIES = 200, SHOWN_POINTS = 5000 };
size_t shown_most(const struct view *view, enum shown most);

// Whether a case is among the `most` largest of its kernel.
bool is_shown(const struct view_kernel *kernel, size_t index, size_t most);

// "100 of 2000 sizes are shown, ...": nothing where all of them are.
void put_left_out(struct text *out, size_t shown, size_t all, const char *what);

#endif
