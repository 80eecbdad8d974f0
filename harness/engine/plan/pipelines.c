// SPDX-License-Identifier: Apache-2.0
// The pipelines of a plan, each once, at the first point that can run.
#include "suite.h"

#include "../../base/hash.h"
#include "../../base/names.h"

#include <string.h>

uint64_t point_hash_pipelines(uint64_t hash, const struct point *point) {
    hash = hash_bytes(hash, &point->shape, sizeof point->shape);
    return point->kernel->specialized ? hash_bytes(hash, point->dims, sizeof point->dims) : hash;
}

void plan_pipelines(struct arena *arena, const char *const *globs, size_t count, struct plan *plan) {
    struct names seen = {0};
    size_t kept = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct point *point = &plan->points[i];
        if (point->kernel->probe || (count && !select_asks(globs, count, point->name, point->peak))) continue;
        const char *shape = point->name + point->case_length, *name = point->name;
        if (!point->kernel->specialized)
            name = arena_format(arena, "%s/%s%s", point->kernel->name, point_dtype(point), shape);
        const size_t at = names_put(&seen, name, strlen(name), kept);
        if (at < kept && (!plan->points[at].refused || point->refused)) continue;
        kept += at == kept;
        plan->points[at] = *point;
        plan->points[at].peak = NULL;
    }
    plan->count = kept;
    names_free(&seen);
}
