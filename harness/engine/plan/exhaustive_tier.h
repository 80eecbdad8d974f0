// SPDX-License-Identifier: Apache-2.0
// The exhaustive tier: points for every possible input of an elementwise operator. Inputs are counted by their bits.
// With one operand, input i is the element with the bits i. With two 16-bit operands, the first has the lower half of
// i and the second the upper half.
#ifndef VKASSAY_PLAN_EXHAUSTIVE_TIER_H
#define VKASSAY_PLAN_EXHAUSTIVE_TIER_H

#include "suite.h"

enum {
    EXHAUSTIVE_BITS = 32,       // largest number of input bits for one output
    EXHAUSTIVE_PIECE = 1 << 22, // inputs of one dispatch; the dim n of every exhaustive check with at least so many
    EXHAUSTIVE_CHUNK = 1 << 26, // inputs of one point, repeated after an interruption
};

// Returns the number of input operands; 0: the operator is not elementwise.
int exhaustive_operands(const struct op *op);

// Returns the bits of all inputs of an output together, 16 or 32. 0: the case cannot be checked exhaustively. The
// operator is not elementwise, depends on the place of an element, has no inputs, or has more input bits.
int exhaustive_bits(const struct kernel *kernel, enum dtype dtype);

struct exhaustive_request {
    uint64_t first, last; // range of 32-bit inputs; 16-bit inputs are always checked whole
    bool pairs;           // includes operators of two 16-bit operands
    double memory_share;
    const char *const *select; // as for plan_build
    size_t select_count;
};

// Plans every kernel and dtype that can be checked exhaustively, at its default shape and in chunks. A case refused
// by the device is one point with the reason.
bool plan_exhaustive(struct arena *arena, const struct kernels *kernels, const struct device_info *device,
    const struct exhaustive_request *request, struct plan *out, struct error *err);

#endif
