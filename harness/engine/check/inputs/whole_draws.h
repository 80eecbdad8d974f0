// SPDX-License-Identifier: Apache-2.0
// Draws of whole numbers. Their sums are exact in any order if they fit the significand. An output made only of sums
// and products then has one right value, rounded to its type with ties to even. If other operations follow exact
// sums, only these may err. This shows rounding a few bits too coarse, a term counted twice, or a tie rounded the
// wrong way, however wide the bound is.
#ifndef VKASSAY_CHECK_WHOLE_DRAWS_H
#define VKASSAY_CHECK_WHOLE_DRAWS_H

#include "../check.h"

// The kinds of draws of a point. In the first, sums fill the significand of the arithmetic. For a narrower output,
// sums have up to two bits more than its significand, so every fourth is a tie. Kinds with an outlier have one very
// large number in each line of one operand, and only small ones beside it. Sums keep the small ones only in their last
// bits, wherever the large number is added.
struct whole_draws {
    struct redraw kinds[2 + OPERATOR_OPERANDS];
    int count;        // of the kinds; 0: the operator is not exact for whole numbers
    int with_outlier; // how many of the last kinds have large numbers
    bool means;       // the outputs are exact sums after a division (mean_over): their errors are gathered
};

// The state for making draws. The problem and the truth belong to the last draw.
struct whole_drawing {
    uint64_t key;
    struct problem *problem;
    struct truth *truth;
    const struct settings *settings;
    // outputs with more than sums and products, apart from any effect of a large number
    bool other[OPERATOR_OPERANDS];
};

// The largest bound of a sum of products: half an ULP for the sum and two halves for the products. Functions and
// divisions have more.
#define SUMS_AND_PRODUCTS 1.5

struct whole_draws whole_draws_find(const struct check_request *request, struct whole_drawing *drawing);
// Makes the inputs of a draw of this kind and the truth. truth->outputs[].bound is 0.5 (one correctly rounded
// operation) for exact outputs.
void whole_draw_make(
    const struct check_request *request, const struct redraw *kind, int number, struct whole_drawing *drawing);

// Makes a draw with the outliers declared by operands. Bounds are the reference's.
void draw_with_outlier_make(const struct check_request *request, int number, struct whole_drawing *drawing);

#endif
