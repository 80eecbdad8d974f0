// SPDX-License-Identifier: Apache-2.0
// Draws of whole numbers: a sum of these is exact in any order as long as it fits into a significand. An output that is
// sums and products of them alone is one number then, as its type rounds it, ties to even; of one that is made of such
// sums by further operations only those may err. Rounding that is a few bits too coarse, a term that counts twice or a
// tie that goes the wrong way show at once, however wide the bound is.
#ifndef VKASSAY_RUN_WHOLE_DRAWS_H
#define VKASSAY_RUN_WHOLE_DRAWS_H

#include "../check.h"

// How a point's inputs are drawn: sums up to the significand of the arithmetic; of a narrower output up to two bits
// more than its own, so that every fourth lies halfway between two of its numbers; and of each operand with one number
// in each line so large, and all others so small, that a sum keeps the small ones in its last bits alone, on whichever
// of its ways the large one comes.
struct whole_draws {
    struct redraw kinds[2 + OPERATOR_OPERANDS];
    int count;  // of the kinds; 0: what the operator computes is not exact for whole numbers
    int spiked; // how many of them, the last, have large numbers
    bool means; // the outputs are exact sums that were divided (an operator's mean_over): their errors are gathered
};

// What they are made in: the problem and the truth are those of the last one.
struct whole_drawing {
    uint64_t key;
    struct problem *problem;
    struct truth *truth;
    const struct settings *settings;
    bool
        other[OPERATOR_OPERANDS]; // outputs that are more than sums and products, whatever a large number makes of them
};

struct whole_draws whole_draws_find(const struct check_request *request, struct whole_drawing *drawing);
// The inputs of a draw of that kind and what its outputs should be: truth->outputs[].bound is 0.5 (an operation that is
// correctly rounded) where they are exact.
void whole_draw_make(
    const struct check_request *request, const struct redraw *kind, int number, struct whole_drawing *drawing);

// The same for inputs that have the spikes which operands declare; bounds are as the reference has them.
void spiked_draw_make(const struct check_request *request, int number, struct whole_drawing *drawing);

#endif
