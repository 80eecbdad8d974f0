// SPDX-License-Identifier: Apache-2.0
// Additions to the sampled tier for a check of few kernels.
#include "../../base/hash.h"
#include "edges.h"
#include "sampler.h"

#include <math.h>

// SQUARES: sizes tried for one dim, beyond the squares of its widths. MOST_DIMS: operators with more dims get none,
// because a CPU takes seconds for each size.
enum { SQUARES = 2, MOST_DIMS = 3 };
// Shapes shared by the types of a kernel, beside the default.
enum { SHARED_SHAPES = 6 };

// Returns the smallest of the suite's cases.
static struct point least_case(struct case_sampler *s) {
    struct point best = sampler_start(s);
    for (size_t i = 1; i < s->base_count; i++) {
        struct point point = sampler_start(s);
        double product = 1, least = 1;
        for (int d = 0; d < operator_dims(s->kernel->op); d++) {
            product *= (double)point.dims[d] + 1;
            least *= (double)best.dims[d] + 1;
        }
        if (product < least) best = point;
    }
    return best;
}

// Adds the largest affordable sizes that are one more than a product of two widths. A loop over blocks then has a
// second iteration.
static bool add_squares(struct case_sampler *s, const struct shape *shape, int dim) {
    int64_t widths[EDGE_WIDTHS], below = INT64_MAX;
    int count = edge_widths(s->kernel, shape, dim, widths), added = 0;
    for (int tries = 0; tries < EDGE_WIDTHS && added < SQUARES; tries++) {
        int64_t most = 0;
        for (int a = 0; a < count; a++)
            for (int b = a; b < count; b++)
                if (widths[a] * widths[b] < below && widths[a] * widths[b] > most) most = widths[a] * widths[b];
        if (!most) break;
        below = most;
        struct point point = sampler_thin(s, shape, dim);
        if (!sampler_set_size(s, shape, point.dims, dim, most + 1)) continue;
        if (!sampler_add(s, &point, shape, &added)) return false;
    }
    return true;
}

bool sampler_deepen(struct case_sampler *s, const struct shape_sample *shapes, size_t first) {
    bool ok = true;
    for (size_t i = first; ok && i < shapes->count; i++) {
        int added = 0;
        struct point point = least_case(s);
        ok = sampler_tiles(s, &shapes->items[i], 1, &added) &&
             (added || sampler_add(s, &point, &shapes->items[i], &added));
    }
    if (!shapes->legal || operator_dims(s->kernel->op) > MOST_DIMS) return ok;
    const struct shape shape = sampler_finest(s, shapes);
    for (int dim = 0; ok && dim < operator_dims(s->kernel->op); dim++) ok = add_squares(s, &shape, dim);
    return ok;
}

struct shape_sample sampler_shared_shapes(const struct case_sampler *s, const struct trial *trial) {
    int types = 0, turn = 0;
    for (int dtype = 0; dtype < DTYPE_COUNT; dtype++) {
        struct trial other = *trial;
        other.dtype = (enum dtype)dtype;
        if (!s->kernel->dtypes[dtype] || trial_case(&other)) continue;
        if (other.dtype == s->dtype) turn = types;
        types++;
    }
    const uint64_t key =
        hash_bytes(hash_string(HASH_START, s->kernel->name), &s->request->seed, sizeof s->request->seed);
    struct shape_sample shapes = sample_shapes(trial, key, 1 + SHARED_SHAPES);
    size_t kept = shapes.count > 0;
    for (size_t i = 1; i < shapes.count; i++) {
        if ((int)(i - 1) % types != turn) continue;
        struct shape other = shapes.items[kept];
        shapes.items[kept++] = shapes.items[i];
        shapes.items[i] = other;
    }
    shapes.count = kept;
    return shapes;
}
