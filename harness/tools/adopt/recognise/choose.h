// SPDX-License-Identifier: Apache-2.0
// Chooses one name of several operators explaining the recordings of a module. Private to recognise.c and choose.c.
#ifndef VKASSAY_RECOGNISE_CHOOSE_H
#define VKASSAY_RECOGNISE_CHOOSE_H

#include "recognise.h"

// An operator explaining all recordings so far.
struct candidate {
    struct fit fits[RECORDINGS];
    uint64_t words[2 * OPERATOR_DIMS]; // they hold the dims in all recordings so far
    bool dropped;
    int loose; // recordings with dims in other words or in none, or with an unchanged end of an output
    struct evidence evidence;
    bool varies[OPERATOR_OPERANDS]; // the operand has several values, in one recording or in several
    double value[OPERATOR_OPERANDS];
};

// Drops candidates with worse dims than others, and copies by the name of a reduction. Returns the simplest one left;
// NULL: there is none.
struct candidate *choose_simplest(struct candidate *all, int count, int recordings);

// Returns how the best candidate differs from others that use the same words, with inputs drawn again; NULL: they are
// one function in this recording, which is open in `seen`.
const char *choose_difference(struct arena *arena, struct seen *seen, const struct candidate *all, int count,
    const struct candidate *best, int recording);

// Returns the lack of the recorded data for this candidate, such as an input with one value; NULL: there is none.
const char *choose_undecided(struct arena *arena, struct candidate *candidate);

// Returns other names of the same function: "a, b and others".
const char *choose_also(struct arena *arena, const struct candidate *all, int count, const struct candidate *best);

#endif
