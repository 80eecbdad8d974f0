// SPDX-License-Identifier: Apache-2.0
// Of each problem, the set of bits with the least times at all sizes.
#include "questions.h"

#include "../../base/text.h"
#include "../../readers/render/format.h"
#include "../../record/cases.h"
#include "along.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A timed record with the hash of its first line.
struct row {
    struct along at;
    const struct record *record;
};

static uint64_t bits_of(const struct row *row) {
    return row->record->check.first_line;
}

static int by_size(const void *a, const void *b) {
    const struct row *x = a, *y = b;
    const int problem = strcmp(x->at.problem, y->at.problem);
    return problem ? problem : (x->at.size > y->at.size) - (x->at.size < y->at.size);
}

// Returns the number of leading rows of one problem, or of one size of it.
static size_t stretch(const struct row *rows, size_t count, bool of_size) {
    size_t end = 1;
    while (end < count &&
           (of_size ? by_size(&rows[0], &rows[end]) == 0 : strcmp(rows[0].at.problem, rows[end].at.problem) == 0))
        end++;
    return end;
}

// Returns the fastest of some rows; `bits` is 0 for any. NULL: none has these bits.
static const struct record *fastest(struct arena *arena, const struct row *rows, size_t count, uint64_t bits) {
    const struct record **some = arena_alloc(arena, count, sizeof *some);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!bits || bits_of(&rows[i]) == bits) some[kept++] = rows[i].record;
    return case_best(some, kept);
}

static double time_of(const struct record *record) {
    return record ? record->time[FIGURE_COMPUTE].median : INFINITY;
}

// Returns how many times longer the sizes of a problem take with these bits alone, as a geometric mean.
static double price(struct arena *arena, const struct row *rows, size_t count, uint64_t bits) {
    double sum = 0;
    int sizes = 0;
    for (size_t i = 0, some; i < count; i += some, sizes++) {
        some = stretch(&rows[i], count - i, true);
        sum += log(time_of(fastest(arena, &rows[i], some, bits)) / time_of(fastest(arena, &rows[i], some, 0)));
    }
    return exp(sum / sizes);
}

// Returns the cheapest set of bits, and the number of sets.
static uint64_t cheapest(struct arena *arena, const struct row *rows, size_t count, double *least, size_t *sets) {
    uint64_t best = 0;
    *least = INFINITY;
    *sets = 0;
    for (size_t i = 0; i < count; i++) {
        size_t first = 0;
        while (bits_of(&rows[first]) != bits_of(&rows[i])) first++;
        if (first < i) continue;
        const double one = price(arena, rows, count, bits_of(&rows[i]));
        ++*sets;
        if (one >= *least) continue;
        *least = one;
        best = bits_of(&rows[i]);
    }
    return best;
}

// Prints the fastest kernel of each size within the set of bits, and its loss to any other.
static void print_sizes(struct arena *arena, const struct row *rows, size_t count, uint64_t bits) {
    for (size_t i = 0, some; i < count; i += some) {
        some = stretch(&rows[i], count - i, true);
        const struct record *within = fastest(arena, &rows[i], some, bits), *any = fastest(arena, &rows[i], some, 0);
        struct text line = {0};
        text_format(&line, "  %8" PRId64 "  ", rows[i].at.size);
        put_time(&line, time_of(within));
        text_format(
            &line, " %+.1f%%  %s %s", 100 * (time_of(within) / time_of(any) - 1), within->kernel, record_shape(within));
        if (within != any) text_format(&line, "; fastest: %s %s", any->kernel, record_shape(any));
        print_plain(stdout, text_str(&line), 12);
        putchar('\n');
        text_free(&line);
    }
}

// Chooses the bits of one problem; 0: no set has all sizes.
static uint64_t choose(struct arena *arena, const struct row *rows, size_t count, const char *dim) {
    double least;
    size_t sets;
    const uint64_t bits = cheapest(arena, rows, count, &least, &sets);
    printf("\nOne set of bits along %s: %s\n", dim, rows->at.problem);
    if (!bits)
        printf("  none of %zu sets has a right shape at each size; the table leaves them out\n", sets);
    else
        print_sizes(arena, rows, count, bits);
    if (bits) printf("  the cheapest of %zu sets takes %.3fx the time of free choice (geometric mean)\n", sets, least);
    return bits;
}

// Marks the records of rows with other bits.
static void mark_others(struct result *result, const struct row *rows, size_t count, uint64_t bits, bool *dropped) {
    for (size_t i = 0; i < count; i++) dropped[rows[i].record - result->records] = bits_of(&rows[i]) != bits;
}

bool invariant_choose(struct arena *arena, struct result *result, const char *dim) {
    struct row *rows = arena_alloc(arena, result->count + 1, sizeof *rows);
    bool *dropped = arena_alloc(arena, result->count + 1, sizeof *dropped), all = true;
    size_t count = 0, without = 0, kept = 0;
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        if (!record_is_timed(record)) continue;
        if (record->check.first_line) rows[count++] = (struct row){along_dim(arena, record, dim), record};
        without += !record->check.first_line;
    }
    qsort(rows, count, sizeof *rows, by_size);
    for (size_t i = 0, some; i < count; i += some) {
        some = stretch(&rows[i], count - i, false);
        const uint64_t bits = choose(arena, &rows[i], some, dim);
        mark_others(result, &rows[i], some, bits, dropped);
        all &= bits != 0;
    }
    for (size_t i = 0; i < result->count; i++)
        if (!dropped[i]) result->records[kept++] = result->records[i];
    result->count = kept;
    if (without) printf("\n%zu shapes have no lines along %s, and were chosen freely\n", without, dim);
    return all && count;
}
