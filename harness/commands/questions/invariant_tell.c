// SPDX-License-Identifier: Apache-2.0
#include "questions.h"

#include "../../base/text.h"
#include "../../readers/render/format.h"
#include "along.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// One record with the hash of its first line.
struct row {
    const struct record *record;
    struct along at;
    bool done;
};

// Prints the sizes at which a kernel gives these bits.
static void print_kernel(struct row *rows, size_t count, const struct row *first, char letter) {
    struct text line = {0};
    text_format(&line, "  %c  %s:", letter, first->at.kernel);
    for (size_t i = 0; i < count; i++) {
        struct row *row = &rows[i];
        if (row->done || strcmp(row->at.problem, first->at.problem) != 0 ||
            strcmp(row->at.kernel, first->at.kernel) != 0 ||
            row->record->check.first_line != first->record->check.first_line)
            continue;
        text_format(&line, " %" PRId64, row->at.size);
        row->done = true;
    }
    print_plain(stdout, text_str(&line), 5);
    putchar('\n');
    text_free(&line);
}

// Prints the sets of one problem. Returns whether there is one set.
static bool print_problem(struct row *rows, size_t count, const char *problem, const char *dim) {
    uint64_t sets[26] = {0};
    size_t set_count = 0;
    printf("\nBits of the first line along %s: %s\n", dim, problem);
    for (size_t i = 0; i < count; i++) {
        const uint64_t bits = rows[i].record->check.first_line;
        size_t s = 0;
        if (rows[i].done || strcmp(rows[i].at.problem, problem) != 0) continue;
        while (s < set_count && sets[s] != bits) s++;
        if (s == set_count && set_count < 26) sets[set_count++] = bits;
        print_kernel(rows, count, &rows[i], s < 26 ? (char)('A' + s) : '?');
    }
    return set_count <= 1;
}

bool invariant_tell(struct arena *arena, const struct result *result, const char *dim) {
    struct row *rows = arena_alloc(arena, result->count + 1, sizeof *rows);
    size_t count = 0, problems = 0, varying = 0, without = 0;
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        if (record->check.first_line) rows[count++] = (struct row){record, along_dim(arena, record, dim), false};
        without += !record->check.first_line && record->status == RECORD_PASS;
    }
    for (size_t i = 0; i < count; i++) {
        if (rows[i].done) continue;
        problems++;
        varying += !print_problem(rows, count, rows[i].at.problem, dim);
    }
    printf(
        "Invariance: %zu of %zu problems have one set of bits for all sizes and kernels", problems - varying, problems);
    if (without) printf("; %zu points have no lines along %s", without, dim);
    putchar('\n');
    return !varying;
}
