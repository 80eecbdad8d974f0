// SPDX-License-Identifier: Apache-2.0
// Running sums of each row; one workgroup per row carries the sum from tile to tile. With BLOCKS defined, it runs
// between the two passes of cumsum_blocks.comp, and its rows are the sums of blocks.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"

#ifdef BLOCKS
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };
#else
layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
#endif
layout(push_constant) uniform Push { uint rows, cols; };

#ifdef BLOCKS
float element(uint i) {
    return x[i];
}

void emit(uint i, float sum) {
    y[i] = sum;
}
#else
float element(uint i) {
    return LOAD(x[i]);
}

void emit(uint i, float sum) {
    y[i] = STORE(sum);
}
#endif
#include "scan.glsl"

void main() {
    const uint row = linear_group(), tile = WG_SIZE * ITEMS;
    if (row >= rows) return;
#ifdef BLOCKS
    const uint length = (cols - 1) / tile + 1;
#else
    const uint length = cols;
#endif
    float carried = 0.0;
    for (uint at = 0; at < length; at += tile)
        carried = scan_tile(row * length, at, length, carried);
}
