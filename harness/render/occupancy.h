// SPDX-License-Identifier: Apache-2.0
// An estimate of how many invocations a compute unit can hold at once, from the registers of a kernel's machine code
// (VK_KHR_pipeline_executable_properties). Private to harness/render.
#ifndef VKASSAY_RENDER_OCCUPANCY_H
#define VKASSAY_RENDER_OCCUPANCY_H

#include <math.h>
#include <stdint.h>

// The share of its warps that a multiprocessor of NVIDIA's can hold at most, of workgroups of that many invocations
// with that many registers each: 65536 registers, given out to a warp in eights for each lane, 64 warps and 32
// workgroups (CUDA programming guide, compute capability 9.0; some have 32 or 48 warps, and reach a greater share).
// What shared memory allows is not counted. NaN for other vendors, whose figures are not of this form.
static inline double occupancy_most(uint32_t vendor, double registers, uint64_t invocations) {
    enum { NVIDIA = 0x10de, REGISTERS = 65536, LANES = 32, WARPS = 64, GROUPS = 32 };
    if (vendor != NVIDIA || !(registers > 0) || !invocations || invocations > WARPS * LANES) return NAN;
    const double of_warp = ceil(registers / 8) * 8 * LANES, wanted = ceil((double)invocations / LANES);
    const double warps = fmin(floor(REGISTERS / of_warp), WARPS);
    return fmin(floor(warps / wanted), GROUPS) * wanted / WARPS;
}

#endif
