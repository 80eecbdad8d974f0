// SPDX-License-Identifier: Apache-2.0
// Which shape is best, which tie with it, which comes next.
#include "search.h"

static int find_best(const struct finding *finding, size_t count, size_t least) {
    int best = NOT_FOUND;
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        if (!finding->wrong[i] && finding->times[i].samples > most) most = finding->times[i].samples;
    size_t enough = most >= least ? least : (most + 1) / 2;
    for (size_t i = 0; i < count; i++) {
        const struct summary *time = &finding->times[i];
        if (finding->wrong[i] || !time->samples || time->samples < enough) continue;
        if (best == NOT_FOUND || time->median < finding->times[best].median) best = (int)i;
    }
    return best;
}

void finding_choose(struct finding *finding, size_t count, size_t least) {
    finding->best = find_best(finding, count, least);
    finding->runner_up = NOT_FOUND;
    finding->tie_count = 0;
    for (size_t i = 0; finding->best != NOT_FOUND && i < count; i++) {
        const struct summary *time = &finding->times[i];
        if ((int)i == finding->best || finding->wrong[i] || !time->samples) continue;
        if (time->lo <= finding->times[finding->best].hi) {
            if (finding->tie_count < FINDING_TIES) finding->ties[finding->tie_count++] = (int)i;
        } else if (finding->runner_up == NOT_FOUND || time->median < finding->times[finding->runner_up].median) {
            finding->runner_up = (int)i;
        }
    }
}
