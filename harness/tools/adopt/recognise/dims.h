// SPDX-License-Identifier: Apache-2.0
// Possible dims and parameters of a recorded dispatch, from the sizes of its buffers and its words.
#ifndef VKASSAY_RECOGNISE_DIMS_H
#define VKASSAY_RECOGNISE_DIMS_H

#include "fit.h"

// Places of dims and parameters, likely ones first.
enum dims_level {
    DIMS_TIGHT,    // words in any order; each operand fills its buffer
    DIMS_ORDERED,  // words in the order of the operator; outputs end at the last changed element
    DIMS_EXACT,    // words in any order
    DIMS_ANY,      // outputs may be longer
    DIMS_DIVISORS, // divisors of sizes, in no word, if the operator has few dims
    DIMS_LEVELS
};

// Calls `take` with choices of dims and parameters, likely ones first, until it returns true or thousands were tried.
// The operands fit into the buffers. `fit` has its operator, dtype and buffers, and is filled. `words` (NULL: any) has
// a bit for each possible word of a dim; a dim without bits may be in any. Returns whether `take` did.
bool dims_each(struct seen *seen, struct fit *fit, const uint64_t *words, enum dims_level level,
    bool (*take)(void *context), void *context);

// Sets a bit for each of the first 64 words equal to the dim, for every dim, given and derived.
void dims_words(const struct seen *seen, const struct fit *fit, uint64_t words[2 * OPERATOR_DIMS]);

#endif
