// SPDX-License-Identifier: Apache-2.0
// Checks whether the grids of a kernel's dispatches fit a device.
#include "../manifest/dispatches.h"
#include "legal.h"

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
    if (pass_fit(t->kernel, pass, t->dims, &d->shape, t->device, groups, &misfit)) return true;
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
