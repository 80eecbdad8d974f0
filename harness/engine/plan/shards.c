// SPDX-License-Identifier: Apache-2.0
// Divides a plan into shards of similar cost.
#include "suite.h"

#include "../../base/hash.h"

#include <stdlib.h>
#include <string.h>

// The points [first, end) of a plan, all of one case.
struct whole_case {
    size_t first, end;
    double cost;
    int shard; // from 1
};

static size_t list_cases(const struct plan *plan, const double *costs, struct whole_case *cases) {
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->points[i].peak) continue;
        if (!count || cases[count - 1].end != i ||
            !point_same_case(&plan->points[cases[count - 1].first], &plan->points[i]))
            cases[count++] = (struct whole_case){.first = i};
        cases[count - 1].end = i + 1;
        cases[count - 1].cost += costs ? costs[i] : 1;
    }
    return count;
}

static int dearest_first(const void *a, const void *b) {
    const struct whole_case *x = *(struct whole_case *const *)a, *y = *(struct whole_case *const *)b;
    if (x->cost != y->cost) return x->cost > y->cost ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static void share_out(struct arena *arena, struct whole_case *cases, size_t count, int shards) {
    struct whole_case **order = arena_alloc(arena, count + 1, sizeof *order);
    double *load = arena_alloc(arena, (size_t)shards, sizeof *load);
    for (size_t i = 0; i < count; i++) order[i] = &cases[i];
    qsort(order, count, sizeof *order, dearest_first);
    for (size_t i = 0; i < count; i++) {
        int least = 0;
        for (int k = 1; k < shards; k++)
            if (load[k] < load[least]) least = k;
        load[least] += order[i]->cost;
        order[i]->shard = least + 1;
    }
}

void plan_shard(
    struct arena *arena, struct plan *plan, const double *costs, int index, int count, struct plan_cut *cut) {
    struct whole_case *cases = arena_alloc(arena, plan->count + 1, sizeof *cases);
    size_t case_count = list_cases(plan, costs, cases), kept = 0;
    *cut = (struct plan_cut){.hash = HASH_START};
    share_out(arena, cases, case_count, count);
    for (size_t i = 0, c = 0; i < plan->count; i++) {
        const struct point *point = &plan->points[i];
        while (c < case_count && cases[c].end <= i) c++;
        const bool mine = point->peak || cases[c].shard == index;
        if (!point->peak) {
            cut->hash = hash_bytes(cut->hash, point->name, strlen(point->name) + 1);
            cut->hash = hash_bytes(cut->hash, &cases[c].shard, sizeof cases[c].shard);
            cut->of++;
            cut->points += mine;
        }
        if (mine) plan->points[kept++] = plan->points[i];
    }
    plan->count = kept;
}
