// SPDX-License-Identifier: Apache-2.0
// Points: a kernel, a dtype, dims and a shape, with one name.
//
//     matmul.tiled/f32/m=512,n=512,k=512/wg=16x16x1,TILE_K=16
//
// Dims are in the operator's order, followed by parameters other than their defaults. "wg" is WG_X x WG_Y x WG_Z; all
// other tunables follow in the manifest's order. A kernel without tunables ends with "wg=1x1x1". The case's name is
// the first three parts.
//
// A point of an exhaustive check ends with the range of its inputs, by their bits and including both ends:
//
//     exp.scalar/f32/n=4194304/wg=256x1x1,ITEMS=1/bits=3c000000-3fffffff
//
// A point for the statistics of errors ends with the number of times its inputs are drawn:
//
//     sum_rows.workgroup/f32/rows=32,cols=512/wg=256x1x1/draws=4
//
// A mutant is a kernel with a change (mutate/mutant_places.h). It is one point, whose trials are the points of the
// kernel's check:
//
//     softmax.cached!comparison.or_equal@normalisation/softmax_cached.comp:41#1
#ifndef VKASSAY_PLAN_POINT_H
#define VKASSAY_PLAN_POINT_H

#include "../../record/refusal.h"
#include "../../shader/manifest/kernel.h"

struct expectation;

// The changes in a kernel that are run, and the points where.
struct mutant_set {
    const struct point *points; // of the kernel
    size_t point_count;         // at least 1
    const char *const *names;   // "comparison.or_equal@normalisation/softmax_cached.comp:41#1"
    size_t name_count;
};
struct mutant_of {
    const char *name;
    const struct mutant_set *set;
};
enum { MUTANT_POINTS = 4096 }; // at most

struct point {
    const struct kernel *kernel;
    enum dtype dtype;
    int64_t dims[OPERATOR_DIMS * 2]; // given, then derived
    double params[OPERATOR_PARAMS];  // as given; kernels and references use them rounded to float
    struct shape shape;
    // For an exhaustive check (suite.h): the first input, and how many; 0: an ordinary point.
    uint64_t inputs_first, inputs_count;
    int draws;           // for statistics of errors (errors_tier.h): how often inputs are drawn; 0: an ordinary point
    const char *name;    // in the arena
    size_t case_length;  // length of the case's name, a prefix of `name`
    bool is_default;     // the default shape of its device
    const char *systems; // systems with this hard-coded shape, "torchless,candle"; "" if there are none
    const char *peak;    // the peak it serves, "copy_bytes_per_s"; NULL: none
    const struct refusal *refused;      // why this shape cannot run on the device; NULL: it can
    const struct mutant_of *mutant;     // the change in the kernel; NULL: the kernel as it is
    const struct expectation *expected; // the expected result (supervise/expectations.h); NULL: it should pass
};

// Returns the recorded dispatch of a captured module; NULL: the kernel has a manifest.
static inline const struct recording *point_recording(const struct point *point) {
    const struct recordings *recorded = point->kernel->recorded;
    return recorded ? &recorded->items[point->dims[0] - 1] : NULL;
}

// Returns the second part of its name: "f32" or "probe".
const char *point_dtype(const struct point *point);

// Builds a point's name, and sets name and case_length.
void point_name(struct arena *arena, struct point *point);

// Returns the point of a mutant: the kernel's first one, with a name of its own. `mutant` must outlive it.
struct point point_of_mutant(struct arena *arena, const struct mutant_of *mutant);

// Adds to a hash what the pipelines of a kernel and dtype follow from: the shape, and dims that constants name.
uint64_t point_hash_pipelines(uint64_t hash, const struct point *point);

// Returns whether both points are of one case.
bool point_same_case(const struct point *a, const struct point *b);

// Sets is_default: whether the shape is the kernel's default on the device; NULL: on most devices.
void point_of_device(struct point *point, const struct device_info *device);

// Returns the command line that runs the point again, including the --kernels folder of its kernel.
const char *point_replay(struct arena *arena, const struct point *point, uint64_t seed);

// Parses a point's name, for a replay. Sets everything but `refused` and `peak`; is_default is of most devices. Dims,
// parameters and tunables may be in any order; the name is built again in its usual order. STATUS_USAGE: the error
// gives the reason, with near names for unknown kernels, dims and tunables.
bool point_parse(
    struct arena *arena, const struct kernels *kernels, const char *name, struct point *out, struct error *err);

enum { ERROR_DRAWS = 160 }; // most draws of one point of the statistics of errors (tiers/errors_tier.h)

#endif
