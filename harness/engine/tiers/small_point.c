// SPDX-License-Identifier: Apache-2.0
#include "small_point.h"

#include "../../shader/manifest/dispatches.h"
#include "../../shader/manifest/shape.h"
#include "../plan/legal.h"
#include "../../../reference/table.h"
#include "edges.h"
#include "sampler.h"

#include <string.h>

// Aims for a run of some milliseconds on a CPU. ACCEPTED: times as much where the rules ask for more. LARGE: times as
// much for a point beyond a number. FIXED: most that the least sizes may cost.
static const double most_elements = 1 << 16, most_operations = 1 << 20, most_invocations = 1 << 14;
enum { ACCEPTED = 4, LARGE = 40, FIXED = 20, FEW = 8, WIDEST = 1024, SIZES = EDGE_WIDTHS + 3 };

struct small_choice {
    const struct device_info *device;
    double memory_share;
    struct arena *arena;
    struct point *point;
    bool from_least; // sizes grow from the least ones
    double fixed;    // the cost of the least ones, where no choice makes it small
};

static double cost_of(const struct small_choice *c, const int64_t *dims) {
    const struct kernel *kernel = c->point->kernel;
    // A sum, so that a smaller dim lowers it even where another figure is larger.
    return operator_elements(kernel->op, dims) / most_elements + operator_flops(kernel->op, dims) / most_operations +
           kernel_invocations(kernel, dims, &c->point->shape, c->device) / most_invocations - c->fixed;
}

static bool is_legal(const struct small_choice *c, const int64_t *dims) {
    struct trial trial = trial_of(c->point, c->device, c->memory_share, c->arena);
    trial.dims = dims;
    return !trial_both(&trial, &c->point->shape);
}

// Sets a dim to the size, or to the next one that the rules allow beside the other dims.
static bool try_size(const struct small_choice *c, int dim, int64_t size, int64_t *tried) {
    const struct kernel *kernel = c->point->kernel;
    memcpy(tried, c->point->dims, OPERATOR_DIMS * 2 * sizeof *tried);
    tried[dim] = size;
    if (!operator_derive(kernel->op, tried) && is_legal(c, tried)) return true;
    if (!rules_meet(kernel, &c->point->shape, RULES_UP, dim, tried)) return false;
    for (int d = 0; d < operator_dims(kernel->op); d++)
        if (d != dim && tried[d] != c->point->dims[d]) return false;
    return is_legal(c, tried);
}

// Sets a dim near the size, if the point is small then, or smaller than before.
static bool set_size(struct small_choice *c, int dim, int64_t size) {
    int64_t tried[OPERATOR_DIMS * 2];
    if (!try_size(c, dim, size, tried)) return false;
    const double cost = cost_of(c, tried);
    if (cost > 1 && cost >= cost_of(c, c->point->dims)) return false;
    memcpy(c->point->dims, tried, sizeof tried);
    return true;
}

// Lists sizes of a dim that a grid does not cut: several iterations of the longest steps first.
static int looped_sizes(const struct kernel *kernel, const struct shape *shape, int dim, int64_t sizes[SIZES]) {
    int64_t widths[EDGE_WIDTHS];
    const int count = edge_widths(kernel, shape, dim, widths);
    int listed = 0;
    for (int64_t below = WIDEST + 1;;) {
        int64_t most = 0;
        for (int i = 0; i < count; i++)
            if (widths[i] < below && widths[i] > most) most = widths[i];
        if (!most) break;
        below = most;
        sizes[listed++] = 2 * most + 1;
    }
    sizes[listed++] = 3;
    return listed;
}

static void set_dim(struct small_choice *c, int dim, bool in_grid) {
    const struct point *point = c->point;
    const int64_t part = edge_part(point->kernel, &point->shape, dim);
    int64_t sizes[SIZES];
    if (!sampler_is_size(point->kernel->op, dim) || (part > 0) != in_grid) return;
    if (in_grid) {
        // A tail of half a part also has invocations of several subgroups. An even size may be needed. From the least
        // sizes, one dim of a grid over several has such a tail, and the others have some elements.
        const int64_t size = part <= FEW ? 2 * part + 1 : part + part / 2 + 1, tried[] = {size, size + 1, 3, 4, 2};
        const int most = c->from_least ? 5 : 2;
        for (int i = 0; i < most; i++)
            if (set_size(c, dim, tried[i])) break;
        return;
    }
    const int count = looped_sizes(point->kernel, &point->shape, dim, sizes);
    for (int i = 0; i < count; i++)
        if (set_size(c, dim, sizes[i]) && cost_of(c, c->point->dims) <= 1) return;
}

// Sets each dim to the least size that the rules allow, beside the others. Such a problem may still be large: a
// tunable sets the number of workgroups, or dims change only together.
static void set_least(struct small_choice *c) {
    const int64_t least[] = {1, 2, 4, 8};
    for (int dim = 0; dim < operator_dims(c->point->kernel->op); dim++)
        for (size_t i = 0; i < sizeof least / sizeof *least && least[i] < c->point->dims[dim]; i++)
            if (sampler_is_size(c->point->kernel->op, dim) && set_size(c, dim, least[i])) break;
    const double cost = cost_of(c, c->point->dims);
    if (cost > 1) c->fixed = cost;
}

bool small_point(const struct device_info *device, double memory_share, const struct point *point, struct arena *arena,
    struct point *out) {
    struct small_choice c = {device, memory_share, arena, out, false, 0};
    const int dims = operator_dims(point->kernel->op);
    // If several dims are large, none may be small enough beside the others. All then begin at their least, and the
    // innermost one grows first.
    for (int start = 0; start < 2; start++) {
        *out = *point;
        c.from_least = start > 0;
        if (c.from_least) set_least(&c);
        // Twice, because the size of one dim may limit another.
        for (int turn = 0; turn < 4; turn++)
            for (int i = 0; i < dims; i++) set_dim(&c, c.from_least ? dims - 1 - i : i, turn % 2 == 0);
        if (cost_of(&c, out->dims) <= ACCEPTED) break;
    }
    point_name(arena, out);
    return cost_of(&c, out->dims) <= ACCEPTED && c.fixed <= FIXED;
}

// Lowers the other dims as far as the rules allow.
static void thin_out(struct small_choice *c, int dim) {
    for (int d = 0; d < operator_dims(c->point->kernel->op); d++) {
        int64_t tried[OPERATOR_DIMS * 2];
        if (d == dim || !sampler_is_size(c->point->kernel->op, d) || !try_size(c, d, 2, tried)) continue;
        if (cost_of(c, tried) < cost_of(c, c->point->dims)) memcpy(c->point->dims, tried, sizeof tried);
    }
}

// Sets the dim beyond the number, with a tail. False: it is too dear, or against the rules.
static bool set_beyond(struct small_choice *c, int dim, int64_t number) {
    int64_t tried[OPERATOR_DIMS * 2];
    for (int64_t size = (number + number / 8) | 1, turn = 0; turn < 2; turn++, size++) {
        if (!try_size(c, dim, size, tried) || tried[dim] <= number || cost_of(c, tried) > LARGE) continue;
        memcpy(c->point->dims, tried, sizeof tried);
        return true;
    }
    return false;
}

int large_points(const struct device_info *device, double memory_share, const struct point *small,
    const uint32_t *numbers, int count, struct arena *arena, struct point out[LARGE_POINTS]) {
    int made = 0;
    for (int dim = 0; dim < operator_dims(small->kernel->op) && made < LARGE_POINTS; dim++) {
        struct small_choice c = {device, memory_share, arena, &out[made], false, 0};
        bool is_beyond = false;
        if (!sampler_is_size(small->kernel->op, dim)) continue;
        for (int i = count; i-- > 0 && numbers[i] >= small->dims[dim] && !is_beyond;)
            for (int turn = 0; turn < 2 && !is_beyond; turn++) {
                out[made] = *small;
                if (turn) thin_out(&c, dim);
                is_beyond = set_beyond(&c, dim, numbers[i]);
            }
        if (is_beyond) point_name(arena, &out[made++]);
    }
    return made;
}
