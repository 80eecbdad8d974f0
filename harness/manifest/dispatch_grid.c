// SPDX-License-Identifier: Apache-2.0
// Grids: how many workgroups a pass has on each axis, and how a long axis is folded over the others.
#include "../plan/legal.h"
#include "dispatches.h"

// Spreads `count` groups over three axes as evenly as rounding up allows, so few groups lie past the end.
static bool fold(int64_t count, const uint32_t max[3], uint32_t groups[3]) {
    if (!max[0] || !max[1] || count > UINT32_MAX) return false; // the shader numbers groups in 32 bits
    int64_t rows = (count + max[0] - 1) / max[0];
    int64_t z = (rows + max[1] - 1) / max[1];
    if (z > max[2]) return false;
    int64_t y = (rows + z - 1) / z;
    int64_t x = (count + y * z - 1) / (y * z);
    if (x * y * z > UINT32_MAX) return false;
    groups[0] = (uint32_t)x;
    groups[1] = (uint32_t)y;
    groups[2] = (uint32_t)z;
    return true;
}

// The first axis beyond its limit, with its number of groups. The number is -1 after a division by zero or an
// overflow.
struct misfit {
    int axis;
    int64_t count;
};

static bool fit(const struct kernel *kernel, const struct pass *pass, const int64_t *dims, const struct shape *shape,
    const struct device_info *device, uint32_t groups[3], struct misfit *misfit) {
    for (int axis = 0; axis < 3; axis++) {
        int64_t count = quotient_value(kernel, &pass->grid[axis], dims, shape);
        *misfit = (struct misfit){axis, count};
        if (count < 1) return false;
        if (pass->fold) return fold(count, device->max_groups, groups);
        if (count > device->max_groups[axis]) return false;
        groups[axis] = (uint32_t)count;
    }
    return true;
}

bool pass_groups(const struct kernel *kernel, const struct pass *pass, const int64_t *dims, const struct shape *shape,
    const struct device_info *device, uint32_t groups[3]) {
    struct misfit misfit;
    return fit(kernel, pass, dims, shape, device, groups, &misfit);
}

static struct refusal misfit_refusal(const struct trial *t, const struct pass *pass, const struct misfit *misfit) {
    static const char *const axes[3] = {"x", "y", "z"};
    const uint32_t *max = t->device->max_groups;
    const char *axis = axes[misfit->axis];
    double count = (double)misfit->count;
    if (count < 0) return (struct refusal){.kind = REFUSAL_GRID_OVERFLOW, .words = {axis}};
    if (count == 0) return (struct refusal){.kind = REFUSAL_GRID_EMPTY, .words = {axis}};
    if (pass->fold) return (struct refusal){.kind = REFUSAL_GRID_FOLDED, .figures = {count, max[0], max[1], max[2]}};
    return (struct refusal){.kind = REFUSAL_GRID_AXIS, .words = {axis}, .figures = {count, max[misfit->axis]}};
}

struct grid_visit {
    const struct trial *trial;
    const struct refusal *why;
};

static bool visit_grid(void *context, const struct dispatch *d) {
    struct grid_visit *v = context;
    const struct trial *t = v->trial;
    const struct pass *pass = &t->kernel->passes[d->pass];
    uint32_t groups[3];
    struct misfit misfit;
    if (fit(t->kernel, pass, t->dims, &d->shape, t->device, groups, &misfit)) return true;
    struct refusal refusal = misfit_refusal(t, pass, &misfit);
    refusal.pass = t->kernel->pass_count > 1 ? d->pass + 1 : 0;
    v->why = refusal_new(t->arena, refusal);
    return false;
}

const struct refusal *trial_grid(const struct trial *t, const struct shape *shape) {
    struct grid_visit v = {.trial = t};
    if (dispatches_visit(t->kernel, t->dims, shape, visit_grid, &v) >= 0) return v.why;
    return REFUSED(t->arena, .kind = REFUSAL_DISPATCHES, .figures = {KERNEL_DISPATCHES});
}
