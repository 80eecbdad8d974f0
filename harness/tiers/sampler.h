// SPDX-License-Identifier: Apache-2.0
// One kernel and type of the sampled tier while its points are planned. Private to the sampled tier.
#ifndef VKASSAY_PLAN_SAMPLER_H
#define VKASSAY_PLAN_SAMPLER_H

#include "../plan/cross.h"
#include "sample_params.h"
#include "sample_shapes.h"
#include "sampled_tier.h"

// The largest problems that sizes are raised to: elements of all operands and useful operations; where a CPU runs them,
// invocations that may wait at barriers (an idle one counts as much), and their steps along what they add up, as a
// transposed convolution takes many more than its useful operations.
struct sample_limits {
    double elements, operations, invocations, steps;
    double turns; // additions in a row of one invocation: lavapipe ends its loops after 65535 turns in all
};
extern const struct sample_limits sample_ordinary;

// A kernel in one type, and the cases of the suite that its sizes are varied from.
struct case_sampler {
    const struct sample_request *request;
    struct crossing *crossing;
    const struct kernel *kernel;
    enum dtype dtype;
    uint64_t key;
    size_t *bases, base_count; // candidates of the crossing
    size_t first;              // candidate of the crossing that the sampler planned; those before are the suite's
    size_t turn;               // moves through bases and edges, so that shapes get different ones
    uint64_t drawn;
    struct param_sample params;
    bool deep; // of a check of few kernels
    const struct sample_limits *limits;
};

// The next of the suite's cases.
struct point sampler_start(struct case_sampler *s);

// Whether this is the first of the kernel's types: what types have no part in is tried in that one alone.
bool sampler_is_first_type(const struct case_sampler *s);

// Whether the operator takes the dims (derived ones are set) and the shape can run them, within the limits.
bool sampler_affords(const struct case_sampler *s, const struct shape *shape, int64_t *dims);

// Sets a dim if the operator takes it, the shape can still run, and the problem stays, or becomes, affordable.
// Quantised operands consist of whole blocks: then the next size of such.
bool sampler_set_size(const struct case_sampler *s, const struct shape *shape, int64_t *dims, int dim, int64_t size);

// As thin as the operator goes in all dims but one.
struct point sampler_thin(struct case_sampler *s, const struct shape *shape, int dim);
// Of the shapes that the device takes the one with the least product of its tunables: it cuts the work most finely.
struct shape sampler_finest(const struct case_sampler *s, const struct shape_sample *shapes);

// Adds the point if its shape can run at its dims, and need not launch too much; *added counts.
bool sampler_add(struct case_sampler *s, struct point *point, const struct shape *shape, int *added);

// Every dim at what the shape cuts it by, and `more`, as far as that is affordable.
bool sampler_tiles(struct case_sampler *s, const struct shape *shape, int64_t more, int *added);

// Every pair of values of two options of the operator, of those that it takes together: in one type where many kernels
// are checked.
bool sampler_options(struct case_sampler *s, const struct shape_sample *shapes);

// Sizes beyond what 16 bits count, in one type: of one dim where many kernels are checked, of each and beyond 2^24
// elements where few are.
bool sampler_enlarge(struct case_sampler *s, const struct shape_sample *shapes);

// For a check of few kernels: every pair of values of tunables (the shapes from `first` on, one beyond what each cuts
// the work by), sizes beyond the squares of what the work is cut by.
bool sampler_deepen(struct case_sampler *s, const struct shape_sample *shapes, size_t first);

// For a check of few kernels, where tunables have many pairs of values: the default, and this type's part of the shapes
// that all types of the kernel share, which hold about as many pairs as those of one type would. Such kernels unroll
// their tunables, and a CPU's driver takes seconds to compile one. Types that take the same shapes share the same ones.
struct shape_sample sampler_shared_shapes(const struct case_sampler *s, const struct trial *trial);

#endif
