// SPDX-License-Identifier: Apache-2.0
// Grids: how many workgroups a pass has on each axis, and how a long axis is folded over the others.
#include "../../device/limits.h"
#include "dispatches.h"
#include "../../device/device_info.h"

bool grid_fold(int64_t count, int axes, const uint32_t max[3], uint32_t groups[3]) {
    if (!max[0] || !max[1] || count > UINT32_MAX) return false; // the shader numbers groups in 32 bits
    int64_t rows = (count + max[0] - 1) / max[0];
    int64_t z = (rows + max[1] - 1) / max[1];
    if (z > (axes < 2 ? 1 : max[2])) return false;
    int64_t y = (rows + z - 1) / z;
    int64_t x = (count + y * z - 1) / (y * z);
    if (x * y * z > UINT32_MAX) return false;
    groups[0] = (uint32_t)x;
    groups[1] = (uint32_t)y;
    groups[2] = (uint32_t)z;
    return true;
}

void grid_fold_early(const struct pass *pass, const uint32_t groups[3], uint32_t folded[3]) {
    enum { FEW = 12, LIMIT = 65535 }; // FEW fit on two axes; Vulkan grants LIMIT groups on each
    for (int axis = 0; axis < 3; axis++) folded[axis] = groups[axis];
    if (!pass->fold || groups[1] > 1 || groups[0] > LIMIT) return;
    for (int b = 0; b < pass->block_count; b++)
        for (int i = 0; i < pass->blocks[b].count; i++)
            if (pass->blocks[b].words[i].kind == WORD_GROUPS) return;
    const uint32_t z = groups[0] < FEW || pass->fold < 2 ? 1 : 2;
    uint32_t y = 2;
    while (groups[0] % (y * z) == 0) y++;
    folded[0] = groups[0] / (y * z) + 1;
    folded[1] = y;
    folded[2] = z;
}

bool pass_groups(const struct kernel *kernel, const struct pass *pass, const int64_t *dims, const struct shape *shape,
    const struct device_info *device, uint32_t groups[3]) {
    for (int axis = 0; axis < 3; axis++) {
        int64_t count = quotient_value(kernel, &pass->grid[axis], dims, shape);
        if (count < 1) return false;
        if (pass->fold) return grid_fold(count, pass->fold, device->max_groups, groups);
        if (count > UINT32_MAX) return false;
        groups[axis] = (uint32_t)count;
    }
    return true;
}
