// SPDX-License-Identifier: Apache-2.0
// Points: a kernel, a dtype, dims and a shape, with one name.
//
//     matmul.tiled/f32/m=512,n=512,k=512/wg=16x16x1,TILE_K=16
//
// Dims stand in the operator's order, then parameters that differ from their defaults; wg is WG_X x
// WG_Y x WG_Z; then the other tunables in the manifest's order, all of them. A kernel without
// tunables ends with "wg=1x1x1". The case's name is the first three parts.
//
// An exhaustive check's point ends with the inputs that it stands for, by their bits, both ends included:
//
//     exp.scalar/f32/n=4194304/wg=256x1x1,ITEMS=1/bits=3c000000-3fffffff
//
// One whose errors are judged by their statistics ends with how often its inputs are drawn anew:
//
//     sum_rows.workgroup/f32/rows=32,cols=512/wg=256x1x1/draws=4
#ifndef VKASSAY_PLAN_POINT_H
#define VKASSAY_PLAN_POINT_H

#include "../record/refusal.h"
#include "../manifest/kernel.h"

struct expectation;

struct point {
    const struct kernel *kernel;
    enum dtype dtype;
    int64_t dims[OPERATOR_DIMS * 2]; // given, then derived
    double params[OPERATOR_PARAMS];  // as given; kernels and references see them rounded to float
    struct shape shape;
    // Of an exhaustive check (exhaustive.h): the first of the inputs, and how many; 0: an ordinary point.
    uint64_t inputs_first, inputs_count;
    int draws;                          // of a check of statistics (errors_tier.h); 0: an ordinary point
    const char *name;                   // in the arena
    size_t case_length;                 // of the case's name, a prefix of `name`
    bool is_default;                    // the manifest's default shape
    const char *systems;                // systems whose hard-coded shape this is, "torchless,candle"; "" when none
    const char *peak;                   // "copy_bytes_per_s": the device's peak that it serves; NULL: none
    const struct refusal *refused;      // why this shape cannot run on the device; NULL: it can
    const struct expectation *expected; // what is expected of it (supervise/expectations.h); NULL: that it passes
};

// The second part of its name: "f32"; "probe" where it is one.
const char *point_dtype(const struct point *point);

// Builds a point's name; sets name and case_length.
void point_name(struct arena *arena, struct point *point);

// The command line that runs the point again, with the folder of --kernels that its kernel is from.
const char *point_replay(struct arena *arena, const struct point *point, uint64_t seed);

// Parses a name back (replay). Fills everything but `refused` and `peak`. Dims, parameters and tunables may
// stand in any order; the name is written anew. STATUS_USAGE says what is wrong; unknown kernels,
// dims and tunables suggest what is near.
bool point_parse(
    struct arena *arena, const struct kernels *kernels, const char *name, struct point *out, struct error *err);

#endif
