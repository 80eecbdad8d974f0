// SPDX-License-Identifier: Apache-2.0
// Permutes axes by tiles of WG_X x WG_X. "Across" is the innermost axis of x, "down" the innermost
// axis of y. Rows are read, rows are written, and the tile is transposed in shared memory between. If
// both are the same axis, "down" is the next axis of y, and the tile is not transposed. If "across" is
// not among the two innermost axes of y, "down" is these two as one, so a short axis makes no thin
// tiles. Workgroups take tiles until none is left, because there may be more thin tiles than the grid
// counts.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "view.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push {
    uvec4 y_size, y_moves; // how far x moves with each axis of y
    uint p1, p2, p3;
};

const uint PITCH = WG_X + 1, TURNS = WG_X / WG_Y;
shared float tile[WG_X * PITCH];
shared uint line[WG_X]; // where the tile's lines begin in x

// Arranges the axes of y: the two others, down, across.
uvec4 arranged(uvec4 v) {
    return p3 == 3 ? v : p2 == 3 ? v.xywz : p1 == 3 ? v.xzwy : v.yzwx;
}

// Reads without a condition, so that all reads are under way at once. Beyond the edge the last element is read
// again.
void read_tile(uint base, uvec2 left) {
    const uint j = min(gl_LocalInvocationID.x, left.y - 1);
    float loaded[TURNS];
    [[unroll]] for (uint turn = 0; turn < TURNS; turn++) {
        const uint i = min(turn * WG_Y + gl_LocalInvocationID.y, left.x - 1);
        loaded[turn] = LOAD(x[base + line[i] + j]);
    }
    [[unroll]] for (uint turn = 0; turn < TURNS; turn++)
        tile[(turn * WG_Y + gl_LocalInvocationID.y) * PITCH + gl_LocalInvocationID.x] = loaded[turn];
}

void write_tile(uint base, uvec2 left, uvec2 stride, bool straight) {
    [[unroll]] for (uint turn = 0; turn < TURNS; turn++) {
        const uint i = turn * WG_Y + gl_LocalInvocationID.y, j = gl_LocalInvocationID.x;
        const uint r = straight ? i : j, c = straight ? j : i;
        if (r < left.x && c < left.y)
            y[base + r * stride.x + c * stride.y] = STORE(tile[r * PITCH + c]);
    }
}

void main() {
    uvec4 size = arranged(y_size);
    const uvec4 x_stride = arranged(y_moves), y_stride = arranged(contiguous(y_size));
    const uint inner = size.z; // length of "down" before it is merged
    if (p2 != 3 && p3 != 3) size = uvec4(size.x, 1, size.y * size.z, size.w);
    const uint columns = (size.w + WG_X - 1) / WG_X, rows = (size.z + WG_X - 1) / WG_X;
    const uvec4 tiling = uvec4(size.xy, rows, columns);
    const uint tiles = product(tiling);
    const uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_NumWorkGroups.z;
    [[dont_unroll]] for (uint at = linear_group(); at < tiles; at += groups) {
        const uvec4 place = unravel(at, tiling) * uvec4(1, 1, WG_X, WG_X);
        const uvec2 left = size.zw - place.zw;
        for (uint i = gl_LocalInvocationIndex; i < WG_X; i += WG_SIZE) {
            const uint row = place.z + i;
            line[i] = row / inner * x_stride.y + row % inner * x_stride.z;
        }
        barrier();
        read_tile(place.x * x_stride.x + place.y * x_stride.y + place.w, left);
        barrier();
        write_tile(ravel(place, y_stride), left, y_stride.zw, p3 == 3);
        barrier(); // before the next tile is written
    }
}
