// SPDX-License-Identifier: Apache-2.0
// Grids: how many workgroups a pass takes on each axis, and how a long axis folds over the others.
#include "legal.h"
#include "reason.h"

// Spreads `count` groups over three axes, as evenly as rounding up allows, so that few groups run
// past the end.
static bool fold(int64_t count, const uint32_t max[3], uint32_t groups[3]) {
    if (!max[0] || !max[1] || count > UINT32_MAX)
        return false; // the shader numbers groups in 32 bits
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

bool pass_groups(const struct kernel *kernel, const struct pass *pass, const int64_t *dims,
    const struct shape *shape, const struct device_info *device, uint32_t groups[3]) {
    for (int axis = 0; axis < 3; axis++) {
        int64_t count = quotient_value(kernel, &pass->grid[axis], dims, shape);
        if (count < 1) return false;
        if (pass->fold && axis == 0) return fold(count, device->max_groups, groups);
        if (count > device->max_groups[axis]) return false;
        groups[axis] = (uint32_t)count;
    }
    return true;
}

static const char *axis_refusal(
    const struct trial *t, const struct pass *pass, int axis, const struct shape *shape) {
    char name = "xyz"[axis];
    int64_t count = quotient_value(t->kernel, &pass->grid[axis], t->dims, shape);
    uint32_t max = t->device->max_groups[axis];
    if (count < 0) return REASON(t->arena, "the grid on %c divides by zero or overflows", name);
    if (count == 0) return REASON(t->arena, "the grid on %c is empty", name);
    if (pass->fold)
        return REASON(t->arena,
            "%lld groups; folded over x, y and z the device allows %u x %u x %u", (long long)count,
            t->device->max_groups[0], t->device->max_groups[1], t->device->max_groups[2]);
    if (count <= max) return NULL;
    return REASON(t->arena, "%lld groups on %c; the device allows %u", (long long)count, name, max);
}

const char *trial_grid(const struct trial *t, const struct shape *shape) {
    for (int i = 0; i < t->kernel->pass_count; i++) {
        const struct pass *pass = &t->kernel->passes[i];
        uint32_t groups[3];
        if (pass_groups(t->kernel, pass, t->dims, shape, t->device, groups)) continue;
        const char *why = NULL;
        for (int axis = 0; !why && axis < 3; axis++) why = axis_refusal(t, pass, axis, shape);
        return t->kernel->pass_count == 1 ? why : REASON(t->arena, "pass %d: %s", i + 1, why);
    }
    return NULL;
}
