// SPDX-License-Identifier: Apache-2.0
// For tests: what may be done several times until it holds, because something that the test does not have in hand can
// spoil one try. Each says how often, and why; how often it took is printed, and scripts/test.sh lists it.
#ifndef VKASSAY_BASE_TESTS_TRIES_H
#define VKASSAY_BASE_TESTS_TRIES_H

#include <stdbool.h>
#include <stdio.h>

struct tries {
    const char *why; // what can spoil a try, in a few words
    int most;
    int made; // so far
};

// Whether there is one more try, after none or one that did or did not hold:
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
