// SPDX-License-Identifier: Apache-2.0
#include "growth.h"

#include <string.h>

// Shares of the bound below which an error that grew means nothing.
static const double least_error = 0.01;
// Half of a sum's bound is lambda = 3 in its derivation (reference/bounds.h): beyond that the order of its additions
// takes a sum of random data in fewer than three of a million cases.
static const double least_unsteady = 0.5;

// Where other bits are no failure, the manifest allows them.
static bool varies(const struct record *record) {
    return record->status == RECORD_PASS && record->check.checked > 0 &&
           (!record->check.same_bits || record->check.spread.runs > 0);
}

void unsteady_add(struct names *unsteady, const struct result *result) {
    for (size_t i = 0; i < result->count; i++) {
        const char *kernel = result->records[i].kernel;
        if (varies(&result->records[i])) names_put(unsteady, kernel, strlen(kernel), i);
    }
}

bool error_grew(const struct record *base, const struct record *new, bool unsteady, double factor) {
    double before = base->check.worst_ratio, after = new->check.worst_ratio;
    if (!unsteady) return after > least_error && after > factor * before;
    if (base->check.spread.runs < CHECK_RUNS || new->check.spread.runs < CHECK_RUNS) return false;
    return new->check.spread.lo > least_unsteady &&new->check.spread.lo > factor * base->check.spread.hi;
}
