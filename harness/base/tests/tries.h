// SPDX-License-Identifier: Apache-2.0
// Repeats a test step until it holds, because something outside the test's control can spoil one try. Each use gives
// a limit and a reason. The number of tries is printed, and scripts/test.sh lists it.
#ifndef VKASSAY_BASE_TRIES_H
#define VKASSAY_BASE_TRIES_H

#include <stdbool.h>
#include <stdio.h>

struct tries {
    const char *why; // what can spoil a try, in a few words
    int most;
    int made; // so far
};

// Returns whether to try once more, before the first try or after one with the result `held`:
//     while (next_try(&tries, held)) held = ...;
static inline bool next_try(struct tries *tries, bool held) {
    if (!held && tries->made < tries->most) {
        tries->made++;
        return true;
    }
    printf(
        "TRIES %d of at most %d, %s: %s\n", tries->made, tries->most, held ? "the last held" : "none held", tries->why);
    return false;
}

#endif
