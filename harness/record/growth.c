// SPDX-License-Identifier: Apache-2.0
#include "growth.h"

#include <stdlib.h>
#include <string.h>

// Shares of the bound below which an error that grew means nothing.
static const double least_error = 0.01;
// Half of a sum's bound is lambda = 3 in its derivation (reference/bounds.h): beyond that the order of its additions
// takes a sum of random data in fewer than three of a million cases.
static const double least_unsteady = 0.5;

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Where other bits are no failure, the manifest allows them.
static bool varies(const struct record *record) {
    return record->status == RECORD_PASS && record->check.checked > 0 &&
           (!record->check.same_bits || record->check.spread.runs > 0);
}

static void gather(const struct result *result, struct unsteady *out) {
    for (size_t i = 0; i < result->count; i++)
        if (varies(&result->records[i])) out->kernels[out->count++] = result->records[i].kernel;
}

void unsteady_find(
    struct arena *arena, const struct result *base, const struct result *new, struct unsteady *out) {
    *out = (struct unsteady){.kernels = arena_alloc(arena, base->count + new->count + 1, sizeof *out->kernels)};
    gather(base, out);
    gather(new, out);
    qsort(out->kernels, out->count, sizeof *out->kernels, by_text);
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++)
        if (!kept || strcmp(out->kernels[kept - 1], out->kernels[i]) != 0) out->kernels[kept++] = out->kernels[i];
    out->count = kept;
}

bool is_unsteady(const struct unsteady *unsteady, const char *kernel) {
    return bsearch(&kernel, unsteady->kernels, unsteady->count, sizeof kernel, by_text) != NULL;
}

bool error_grew(const struct record *base, const struct record *new, bool unsteady, double factor) {
    double before = base->check.worst_ratio, after = new->check.worst_ratio;
    if (!unsteady) return after > least_error && after > factor * before;
    if (base->check.spread.runs < CHECK_RUNS || new->check.spread.runs < CHECK_RUNS) return false;
    return new->check.spread.lo > least_unsteady &&new->check.spread.lo > factor * base->check.spread.hi;
}
