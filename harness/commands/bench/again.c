// SPDX-License-Identifier: Apache-2.0
#include "again.h"
#include "../../device/device_info.h"
#include "../../record/record.h"
#include "../../record/result.h"

#include <string.h>

bool again_is_wanted(const struct comparison *comparison) {
    const size_t slower = comparison->verdicts[VERDICT_SLOWER];
    return slower && slower <= MOST_AGAIN && !comparison->verdicts[VERDICT_WRONG];
}

const char **again_names(struct arena *arena, const struct comparison *comparison) {
    const char **names = arena_alloc(arena, comparison->verdicts[VERDICT_SLOWER] + 1, sizeof *names);
    for (size_t i = 0, at = 0; i < comparison->count; i++)
        if (comparison->points[i].verdict == VERDICT_SLOWER)
            names[at++] = arena_copy(arena, comparison->points[i].name);
    return names;
}

struct options again_options(
    const struct options *options, const struct device_info *device, const char **names, size_t count) {
    struct options again = *options;
    again.words = names;
    again.word_count = count;
    again.device = device->device_uuid;
    again.junit = NULL;
    return again;
}

size_t again_take(struct result *first, const struct result *second) {
    size_t taken = 0;
    for (size_t i = 0; i < second->count; i++)
        for (size_t k = 0; k < first->count; k++) {
            const struct record *new = &second->records[i];
            if (strcmp(first->records[k].name, new->name) != 0) continue;
            taken++;
            const double before = first->records[k].time[FIGURE_COMPUTE].median;
            const bool counts = new->status != RECORD_PASS || new->time[FIGURE_COMPUTE].median < before;
            if (counts) first->records[k] = *new;
        }
    return taken;
}
