// SPDX-License-Identifier: Apache-2.0
// tune --agree: two tunes of one device held against each other.
#include "../tune/tuned_agree.h"

#include "prepare.h"
#include "command.h"

#include <stdio.h>

static size_t print_cases(const struct tuned *a, const struct tuned_entry *const *others, size_t counts[3]) {
    size_t cases = 0;
    for (size_t i = 0; i < a->count; i++) {
        const struct tuned_entry *one = &a->items[i], *other = others[i];
        if (!other) continue;
        enum agreement agreement = tuned_agree(one, other);
        cases++;
        counts[agreement]++;
        if (agreement == AGREE_NOT)
            printf("%s: %s in the first, %s in the second\n", one->case_name, record_shape(one->best),
                record_shape(other->best));
    }
    return cases;
}

static size_t agree(struct arena *arena, const struct result *results) {
    struct tuned a, b;
    size_t counts[3] = {0};
    const struct tuned_entry **others;
    tuned_make(&results[0], arena, &a);
    tuned_make(&results[1], arena, &b);
    tuned_pair(&a, &b, arena, &others);
    size_t cases = print_cases(&a, others, counts);
    if (cases)
        printf("%zu cases: the same shape in %zu, a declared tie in %zu, neither in %zu; they agree on %.1f%%\n", cases,
            counts[AGREE_SAME], counts[AGREE_TIE], counts[AGREE_NOT],
            100.0 * (double)(counts[AGREE_SAME] + counts[AGREE_TIE]) / (double)cases);
    return cases;
}

bool tune_agree(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    struct result *results;
    if (options->word_count != 2)
        return error_set(err, STATUS_USAGE, "tune --agree: expected two results, found %zu", options->word_count);
    if (!read_results(arena, options->words, 2, &results, err)) return false;
    *status = agree(arena, results) ? STATUS_OK : STATUS_NOTHING;
    release_results(results, 2);
    return true;
}
