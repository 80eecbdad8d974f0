// SPDX-License-Identifier: Apache-2.0
// The specialization constants of a point's programs. Private to this folder.
#ifndef VKASSAY_PROGRAM_CONSTANTS_H
#define VKASSAY_PROGRAM_CONSTANTS_H

#include "../vulkan/gpu.h"
#include "../plan/point.h"
#include "../../shader/spirv/analyses.h"
#include "../../shader/spirv/interface.h"

// Sets all constants of a program. The workgroup size goes to the constants that size it, whatever their ids;
// kernels/include relies on 0, 1 and 2.
void constants_set(const struct point *point, const struct pass *pass, const struct shader_interface *shader,
    struct program_desc *desc);

// Returns the same values for reading the module. `constants` must outlive the result.
struct barrier_setting constants_setting(const struct point *point, const struct pass *pass,
    const struct program_desc *desc, struct barrier_constant constants[PROGRAM_CONSTANTS]);

#endif
