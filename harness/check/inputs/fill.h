// SPDX-License-Identifier: Apache-2.0
// Input values: from a counter-based generator, so that the same bits come out on every machine.
#ifndef VKASSAY_RUN_FILL_H
#define VKASSAY_RUN_FILL_H

#include "../../../reference/operator.h"

// Fills `buffer` (elements of `dtype`) with the values of one operand. `key` stands for seed and case.
// `specials` > 0: the first special_count(specials)^specials elements take special values, crossed between the operands
// of which this is number `special_index`; not done when the operand has fewer than twice as many elements.
struct fill_request {
    const struct op *op;
    const struct operand *operand;
    const int64_t *dims;
    enum dtype dtype;
    int64_t elements;
    uint64_t key;
    int specials, special_index;
    const struct spike *spike; // NULL: none
    uint64_t spike_key;        // where spikes stand
};
void fill_operand(const struct fill_request *request, void *buffer);

#endif
