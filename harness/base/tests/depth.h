// SPDX-License-Identifier: Apache-2.0
// How much a test does: `make test` runs only a part of the cases if all of them would take minutes.
#ifndef VKASSAY_BASE_DEPTH_H
#define VKASSAY_BASE_DEPTH_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Returns whether the program runs in `make test`. `make test-deep` runs all cases, and so does a program run by
// hand.
static inline bool is_presubmit(void) {
    const char *depth = getenv("VKASSAY_TEST_DEPTH");
    return depth && strcmp(depth, "presubmit") == 0;
}

#endif
