// SPDX-License-Identifier: Apache-2.0
// Running sums of long rows, one workgroup per block of WG_X * ITEMS columns. The first pass (SUMS defined)
// computes each block's sum. After these have been summed up, the second pass scans each block, starting at the end
// of the block before. The last block comes first, because the caches still hold the data that the first pass read
// last.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "workgroup.glsl"
#ifdef SUMS
#include "reduce.glsl"

layout(constant_id = 3) const uint ITEMS = 4;
layout(binding = 1) writeonly buffer Sums { float sums[]; };
#else
layout(binding = 1) readonly buffer Ends { float ends[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
#endif
layout(binding = 0) readonly buffer X { T x[]; };
layout(push_constant) uniform Push { uint rows, cols; };

#ifndef SUMS
float element(uint i) {
    return LOAD(x[i]);
}

void emit(uint i, float sum) {
    y[i] = STORE(sum);
}
#include "scan.glsl"
#endif

void main() {
    const uint tile = WG_SIZE * ITEMS, blocks = (cols - 1) / tile + 1;
#ifdef SUMS
    const uint row = gl_WorkGroupID.y, block = gl_WorkGroupID.x, at = row * blocks + block;
    float sum = 0.0;
    for (uint item = 0, col = block * tile + gl_LocalInvocationIndex; item < ITEMS; item++) {
        if (col < cols) sum += LOAD(x[row * cols + col]);
        col += WG_SIZE;
    }
    sum = reduce_sum(sum);
    if (gl_LocalInvocationIndex == 0) sums[at] = sum;
#else
    const uvec2 place = gl_NumWorkGroups.xy - 1 - gl_WorkGroupID.xy;
    const uint row = place.y, block = place.x, at = row * blocks + block;
    const float carried = block == 0 ? 0.0 : ends[at - 1];
    scan_tile(row * cols, block * tile, cols, carried);
#endif
}
