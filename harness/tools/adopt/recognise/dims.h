// SPDX-License-Identifier: Apache-2.0
// Dims and parameters that a recorded dispatch may have, from the sizes of its buffers and its words.
#ifndef VKASSAY_RECOGNISE_DIMS_H
#define VKASSAY_RECOGNISE_DIMS_H

#include "fit.h"

// Calls `take` with choices of dims and parameters, likely ones first, until it returns true or thousands were tried.
// The operands fit into the buffers. `fit` has its operator, dtype and buffers, and is filled.
// `reserves` also tries divisors of sizes, which no word holds, if the operator has few dims. `words` (NULL: any) has a
// bit for each word that may hold a dim; a dim without bits may be in any. Returns whether `take` did.
bool dims_each(struct seen *seen, struct fit *fit, const uint64_t *words, bool reserves, bool (*take)(void *context),
    void *context);

// Sets a bit for each of the first 64 words that holds the dim, for every given dim.
void dims_words(const struct seen *seen, const struct fit *fit, uint64_t words[OPERATOR_DIMS]);

#endif
