// SPDX-License-Identifier: Apache-2.0
// The state of the sampled tier while it plans one kernel and type. Private to the sampled tier.
#ifndef VKASSAY_TIERS_SAMPLER_H
#define VKASSAY_TIERS_SAMPLER_H

#include "../plan/cross.h"
#include "edges.h"
#include "sample_params.h"
#include "sample_shapes.h"
#include "sampled_tier.h"

// Limits on the problems to which sizes are raised: elements of all operands, and useful operations. On a CPU also
// invocations, because idle ones may wait at barriers and cost as much as others. `steps` limits the invocations'
// steps along sums: a transposed convolution takes many more than its useful operations.
struct sample_limits {
    double elements, operations, invocations, steps;
    double iterations; // additions in a row by one invocation: lavapipe ends loops after 65535 iterations in all
};
extern const struct sample_limits sample_ordinary;

// A kernel in one type, and the suite's cases from which its sizes are varied.
struct case_sampler {
    const struct sample_request *request;
    struct crossing *crossing;
    const struct kernel *kernel;
    enum dtype dtype;
    uint64_t key;
    size_t *bases, base_count; // indices of candidates in the crossing
    size_t first; // first candidate planned by this sampler; earlier ones are the suite's or of other samplers
    size_t turn;  // moves through bases and edges, so shapes get different ones
    uint64_t drawn;
    struct param_sample params;
    bool deep; // for a check of few kernels
    const struct sample_limits *limits;
};

// `sampler_draw` returns 32 random bits, and `sampler_draw_below` a number from 0 to `below` - 1.
// `sampler_random_size` draws a size evenly by its number of binary digits.
uint32_t sampler_draw(struct case_sampler *s);
size_t sampler_draw_below(struct case_sampler *s, size_t below);
int64_t sampler_random_size(struct case_sampler *s);

// Returns the next of the suite's cases.
struct point sampler_start(struct case_sampler *s);

// Returns whether this is the kernel's first type. Anything independent of types is tried only in the first.
bool sampler_is_first_type(const struct case_sampler *s);

// Returns the cost of a case as a share of the limits.
double sampler_cost(const struct case_sampler *s, const int64_t *dims);
// Returns whether the shape can run at the dims.
bool sampler_is_legal(const struct case_sampler *s, const int64_t *dims, const struct shape *shape);

// Returns whether the operator accepts the dims and the shape can run them within the limits. Sets the derived dims.
bool sampler_affords(const struct case_sampler *s, const struct shape *shape, int64_t *dims);

// Sets a dim if the operator accepts it, the shape can still run, and the problem stays or becomes affordable. A
// quantised type needs whole blocks, so the next such size may be used. A dim that limits it rises with it.
bool sampler_set_size(const struct case_sampler *s, const struct shape *shape, int64_t *dims, int dim, int64_t size);

// Returns a point as thin as the operator allows in all dims except `dim`.
struct point sampler_thin(struct case_sampler *s, const struct shape *shape, int dim);
// Returns the shape with the least product of tunables, among those accepted by the device. It cuts the work most
// finely.
struct shape sampler_finest(const struct case_sampler *s, const struct shape_sample *shapes);

// Adds the point if its shape can run at its dims without too large a launch, and counts it in *added.
bool sampler_add(struct case_sampler *s, struct point *point, const struct shape *shape, int *added);

// Adds the point, or the nearest one allowed by the rules.
bool sampler_add_near(struct case_sampler *s, struct point *point, const struct shape *shape, int *added);

// Returns whether the sampler already has the point. Different sizes refused by a rule may end at the same size.
bool sampler_is_planned(const struct case_sampler *s, const struct point *point);

// Adds a point with every dim at the shape's tile width plus `more`, as far as affordable.
bool sampler_tiles(struct case_sampler *s, const struct shape *shape, int64_t more, int *added);

// Adds cases with each pattern of lines (plan/lines.h) in every operand, at the first shape that can run them.
bool sampler_lines(struct case_sampler *s, const struct shape_sample *shapes);

// Adds every pair of values of two options that the operator accepts together. A check of many kernels does this in
// one type only.
bool sampler_options(struct case_sampler *s, const struct shape_sample *shapes);

// Adds the operator's dims that reveal a fault together, in one type.
bool sampler_revealing(struct case_sampler *s, const struct shape_sample *shapes);

// Returns whether a dim is a size, and no option.
bool sampler_is_size(const struct op *op, int dim);

// Returns whether the dim may become very large. If an operator has many dims, only the outermost dims of operands do,
// such as batches and channels, and places such as a position. A large inner dim may cost the square of another.
enum { SAMPLER_MANY_DIMS = 4 };
bool sampler_grows(const struct op *op, int dim);

// Returns the exponent of the largest power of two that is tried for a dim.
int sampler_last_power(const struct case_sampler *s, int dim);

// Lists the dim's edges up to one more than this power. Steps within an operand may grow as the square of a dim, which
// the limits do not count.
int sampler_edges(const struct case_sampler *s, const struct shape *shape, int dim, int64_t sizes[EDGE_SIZES]);

// Adds powers of two from 2^9 to 2^16 and their neighbours in each dim, numbers that the shaders compare with, and
// every remainder of an unrolled loop. It does so in the first type of a check of few kernels.
bool sampler_steps(struct case_sampler *s, const struct shape_sample *shapes);

// Adds combinations of sizes relative to the widths of the chosen shapes, in a check of few kernels.
bool sampler_classes(struct case_sampler *s, const struct shape_sample *shapes);

// Adds sizes at which loops take more iterations than elsewhere: a dim at the limit of a rule, parts of each length,
// and more parts than one workgroup joins in an iteration. Lines of an operator of few dims have elements for all
// invocations of the largest workgroup. It does so in the first type of a check of few kernels.
bool sampler_iterations(struct case_sampler *s, const struct shape_sample *shapes);

// Adds sizes beyond 16 bits, in one type. A check of many kernels enlarges one dim, or both of two. A check of few
// kernels enlarges each dim, and also goes beyond 2^24 elements. If the operator only moves numbers or turns pairs, it
// goes beyond 2^24 vectors in the narrowest type.
bool sampler_enlarge(struct case_sampler *s, const struct shape_sample *shapes);

// Adds sizes far beyond the numbers of the shaders in each dim and in two at once, and more workgroups than such a
// number. It does so in the first type of a check of few kernels.
bool sampler_beyond(struct case_sampler *s, const struct shape_sample *shapes);

// Adds more for a check of few kernels. The shapes from `first` on add every pair of tunable values, each at one
// beyond its tiles. Other points go beyond the squares of the tiles.
bool sampler_deepen(struct case_sampler *s, const struct shape_sample *shapes, size_t first);

// Returns the shapes for a check of few kernels, if there are many pairs of tunable values. They are the default, and
// this type's part of the shapes shared by all types. Together the types have about as many pairs as one type would
// have. Such kernels unroll their tunables, and a CPU's driver takes seconds to compile one. Types accepting the same
// shapes share the same list.
struct shape_sample sampler_shared_shapes(const struct case_sampler *s, const struct trial *trial);

#endif
