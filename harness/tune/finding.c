// SPDX-License-Identifier: Apache-2.0
// Which shape is best, which tie with it, which comes next.
#include "../base/memory.h"
#include "search.h"

#include <stdlib.h>

static int find_best(const struct finding *finding, size_t count, size_t least) {
    const struct summary **times = memory_alloc(count, sizeof *times);
    for (size_t i = 0; i < count; i++) times[i] = finding->wrong[i] ? NULL : &finding->times[i];
    size_t best = best_time(times, count, least);
    free(times);
    return best == SIZE_MAX ? NOT_FOUND : (int)best;
}

void finding_choose(struct finding *finding, size_t count, size_t least) {
    finding->best = find_best(finding, count, least);
    finding->runner_up = NOT_FOUND;
    finding->tie_count = 0;
    for (size_t i = 0; finding->best != NOT_FOUND && i < count; i++) {
        const struct summary *time = &finding->times[i];
        if ((int)i == finding->best || finding->wrong[i] || !time->samples) continue;
        if (times_tie(&finding->times[finding->best], time)) {
            if (finding->tie_count < FINDING_TIES) finding->ties[finding->tie_count++] = (int)i;
        } else if (finding->runner_up == NOT_FOUND || time->median < finding->times[finding->runner_up].median) {
            finding->runner_up = (int)i;
        }
    }
}
