// SPDX-License-Identifier: Apache-2.0
// Many guesses of kernels whose trial differs: grids, words, operators, whole tiles.
#ifndef VKASSAY_COMMANDS_INIT_SEARCH_H
#define VKASSAY_COMMANDS_INIT_SEARCH_H

#include "place.h"
#include "trial.h"

// Tries many guesses of the placed kernels [from, from + count) with a failed trial. The first guess right at every
// point takes the kernel's place, and its trial the failed one's.
void search_guesses(struct init *init, struct guess_trial *trials, size_t from, size_t count);

#endif
