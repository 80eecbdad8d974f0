// SPDX-License-Identifier: Apache-2.0
// Checks every output of a product too large to compute again. An operator linear along one dim (`along`) runs once
// more with whole numbers -1, 0 and 1. So few are nonzero that all sums are exact in f32, f16 and bf16, in any order.
// The outputs are then added up along this dim with random weights up to 2^20. They must equal the reference of the
// operands added up with the same weights (R. Freivalds, Probabilistic machines can use less running time, IFIP
// 1977). All numbers are whole and below 2^53, so there is no tolerance, and a wrong line passes only once in a
// million. Blocks of quantised types hold whole numbers, too, with scales 1 and 2 of either sign.
// Long sums run with such numbers as well: each must be exact, although a bound for any order may be loose.
#ifndef VKASSAY_CHECK_EXACT_H
#define VKASSAY_CHECK_EXACT_H

#include "check.h"

// State kept while consecutive points have the same problem.
struct exact {
    uint64_t key; // of the point's problem; 0: empty
    struct problem problem;
    double *want; // expected sums, or known outputs; NULL: this problem cannot be run this way
    bool known;   // `want` is the outputs, not their sums along a dim
    int64_t lines;
};

// Returns whether the operator and types allow this run, and the truth leaves out some outputs or is of long sums.
bool exact_applies(const struct point *point, const struct truth *truth);
// Runs and judges it; a wrong line fails the record. Nothing is run if memory does not suffice for a second set of
// operands. Returns false if the device failed.
bool exact_check(struct exact *exact, const struct check_request *request, const struct built *built, uint64_t seed,
    struct arena *arena, struct record *record, struct error *err);
// Forgets the point's problem, but keeps memory for the next one.
void exact_clear(struct exact *exact, struct gpu *gpu);
void exact_close(struct exact *exact, struct gpu *gpu);

#endif
