// SPDX-License-Identifier: Apache-2.0
// Every output of a product that is too large to be computed again. An operator that is linear in what its outputs have
// along one dim (`along`) is run once more with whole numbers -1, 0 and 1, so few of them not 0 that all sums are exact
// in f32, f16 and bf16 in any order. Then the outputs added up along that dim, with random weights below 2^20, must be
// what the reference makes of the operands added up with the same weights (R. Freivalds, Probabilistic machines can use
// less running time, IFIP 1977): all of it whole numbers below 2^53, so there is no tolerance, and a wrong line passes
// but once in a million. Blocks of quantised types hold whole numbers too, with scales 1 and 2 of either sign.
#ifndef VKASSAY_RUN_EXACT_H
#define VKASSAY_RUN_EXACT_H

#include "check.h"

// What is kept while points of one problem follow each other.
struct exact {
    uint64_t key; // of the point's problem; 0: nothing
    struct problem problem;
    double *want; // the outputs added up; NULL: this problem cannot be run so
    int64_t lines;
};

// Whether the point's operator and type can be run so, and the truth leaves out some of its outputs.
bool exact_applies(const struct point *point, const struct truth *truth);
// Runs and judges it; a wrong line is in the record. Where memory does not do for the operands once more, nothing is
// run. False: the device failed.
bool exact_check(struct exact *exact, const struct check_request *request, const struct built *built, uint64_t seed,
    struct arena *arena, struct record *record, struct error *err);
void exact_close(struct exact *exact, struct gpu *gpu);

#endif
