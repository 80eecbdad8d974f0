// SPDX-License-Identifier: Apache-2.0
#include "shard_costs.h"

#include "../../base/kind.h"
#include "../../base/names.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../record/wall.h"

#include <math.h>
#include <string.h>

// Returns the factor from estimates to measured seconds, over points with both; 1 if there are none.
static double scale_of(const double *took, const double *guess, size_t count) {
    double a = 0, b = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(took[i])) continue;
        a += took[i];
        b += guess[i];
    }
    return b > 0 && a > 0 ? a / b : 1;
}

static bool read_took(const struct plan *plan, const char *path, double *took, struct error *err) {
    struct result result;
    struct names names = {0};
    if (!result_read(path, &result, err)) return error_prefix(err, "--costs: ");
    for (size_t i = 0; i < result.count; i++)
        names_put(&names, result.records[i].name, strlen(result.records[i].name), i);
    for (size_t i = 0; i < plan->count; i++) {
        size_t at = names_get(&names, plan->points[i].name, strlen(plan->points[i].name));
        int64_t ns = at == NAMES_NONE ? 0 : wall_total(&result.records[at].wall);
        took[i] = ns > 0 ? (double)ns * 1e-9 : NAN;
    }
    names_free(&names);
    result_free(&result);
    return true;
}

const double *shard_costs(struct arena *arena, const struct plan *plan, const struct run_options *run,
    const struct device_info *device, const char *path, struct error *err) {
    double *guess = arena_alloc(arena, plan->count + 1, sizeof *guess);
    double *took = arena_alloc(arena, plan->count + 1, sizeof *took);
    for (size_t i = 0; i < plan->count; i++) {
        guess[i] = runner_cost(&plan->points[i], run, device);
        took[i] = NAN;
    }
    if (path && !read_took(plan, kind_run_result(arena, path), took, err)) return NULL;
    const double scale = scale_of(took, guess, plan->count);
    for (size_t i = 0; i < plan->count; i++)
        if (!isnan(took[i]))
            guess[i] = took[i];
        else
            guess[i] *= scale;
    return guess;
}
