// SPDX-License-Identifier: Apache-2.0
// Input values from a counter-based generator, with the same bits on every machine.
#ifndef VKASSAY_CHECK_FILL_H
#define VKASSAY_CHECK_FILL_H

#include "../../../../reference/signature.h"

struct outlier; // operator.h

// Fills `buffer` (elements of `dtype`) with the values of one operand. `key` identifies seed and case. If `specials`
// > 0, the first special_count(specials)^specials elements are special values. They are crossed between the operands
// with specials, and this is number `special_index` of them. An operand with fewer than twice as many elements has
// none.
struct fill_request {
    const struct op *op;
    const struct operand *operand;
    const int64_t *dims;
    enum dtype dtype;
    bool narrow; // the kernel computes in f16, whatever the type of the operand: no number is beyond f16
    int64_t elements;
    uint64_t key;
    int specials, special_index;
    int index, placement;          // of the operand; of the lines' patterns (lines_rearrange)
    const struct outlier *outlier; // NULL: none
    uint64_t outlier_key;          // decides the places of outliers
};
void fill_operand(const struct fill_request *request, void *buffer);

#endif
