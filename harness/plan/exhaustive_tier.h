// SPDX-License-Identifier: Apache-2.0
// Sweeps: points that stand for every input an elementwise operator can be given. The inputs are
// counted by their bits: input i of an operator of one operand is the element whose bits are i; of
// two 16-bit operands the first has the lower half of i, the second the upper one.
#ifndef VKASSAY_PLAN_EXHAUSTIVE_TIER_H
#define VKASSAY_PLAN_EXHAUSTIVE_TIER_H

#include "suite.h"

enum {
    EXHAUSTIVE_BITS = 32,       // of the inputs of an output together, at most
    EXHAUSTIVE_PIECE = 1 << 22, // inputs of one dispatch, the dim n of every exhaustive check that has so many
    EXHAUSTIVE_CHUNK = 1 << 26, // inputs of one point: what a run that is cut short does again
};

// Operands in; 0: the operator is not one of elements.
int exhaustive_operands(const struct op *op);

// Bits of all inputs of an output together: 16 or 32. 0: the case cannot be checked exhaustively, as the operator
// is not elementwise, what it does depends on the place, or its inputs have more bits or are none.
int exhaustive_bits(const struct kernel *kernel, enum dtype dtype);

struct exhaustive_request {
    uint64_t first, last; // of the inputs of 32 bits; those of 16 are always checked whole
    bool pairs;           // operators of two 16-bit operands, too
    double memory_share;
    const char *const *select; // as for plan_build
    size_t select_count;
};

// Every kernel and dtype that can be checked exhaustively at its default shape, in chunks; a case that the device
// refuses is one point with its reason.
bool plan_exhaustive(struct arena *arena, const struct kernels *kernels, const struct device_info *device,
    const struct exhaustive_request *request, struct plan *out, struct error *err);

#endif
