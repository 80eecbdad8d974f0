// SPDX-License-Identifier: Apache-2.0
// Estimates how many warps a compute unit can hold at once, from the register count of a kernel's machine code
// (VK_KHR_pipeline_executable_properties). Private to harness/render.
#ifndef VKASSAY_RENDER_OCCUPANCY_H
#define VKASSAY_RENDER_OCCUPANCY_H

#include <math.h>
#include <stdint.h>

// Returns the largest share of its warps that an NVIDIA multiprocessor can hold, for workgroups of `invocations` with
// `registers` each. It assumes 65536 registers, allocated per lane in units of eight, 64 warps and 32 workgroups
// (CUDA programming guide, compute capability 9.0). Multiprocessors with 32 or 48 warps reach a greater share. Limits
// from shared memory are not counted. Returns NaN for other vendors, because their figures have another form.
static inline double occupancy_most(uint32_t vendor, double registers, uint64_t invocations) {
    enum { NVIDIA = 0x10de, REGISTERS = 65536, LANES = 32, WARPS = 64, GROUPS = 32 };
    if (vendor != NVIDIA || !(registers > 0) || !invocations || invocations > WARPS * LANES) return NAN;
    const double of_warp = ceil(registers / 8) * 8 * LANES, wanted = ceil((double)invocations / LANES);
    const double warps = fmin(floor(REGISTERS / of_warp), WARPS);
    return fmin(floor(warps / wanted), GROUPS) * wanted / WARPS;
}

#endif
