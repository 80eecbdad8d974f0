// SPDX-License-Identifier: Apache-2.0
// Axes in another order by tiles of WG_X x WG_X: across is the innermost axis of x, down is the
// innermost of y, so that rows are read and rows are written, and a tile is transposed in shared
// memory on its way. Where both are one axis, down is the next axis of y and the tile stays as it
// is. Workgroups take tiles until none is left, as thin tiles are more than the grid counts.
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

const uint PITCH = WG_X + 1;
shared float tile[WG_X * PITCH];

// Of axes of y: the two others, down, across.
uvec4 arranged(uvec4 v) {
    return p3 == 3 ? v : p2 == 3 ? v.xywz : p1 == 3 ? v.xzwy : v.yzwx;
}

void main() {
    const uvec4 size = arranged(y_size);
    const uvec4 x_stride = arranged(y_moves), y_stride = arranged(contiguous(y_size));
    const bool straight = p3 == 3;
    const uint columns = (size.w + WG_X - 1) / WG_X, rows = (size.z + WG_X - 1) / WG_X;
    const uvec4 tiling = uvec4(size.xy, rows, columns);
    const uint tiles = product(tiling), j = gl_LocalInvocationID.x;
    const uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_NumWorkGroups.z;
    for (uint at = linear_group(); at < tiles; at += groups) {
        const uvec4 place = unravel(at, tiling) * uvec4(1, 1, WG_X, WG_X);
        const uint x_base = ravel(place, x_stride), y_base = ravel(place, y_stride);
        const uvec2 left = size.zw - place.zw;
        for (uint turn = 0; turn < WG_X / WG_Y; turn++) {
            const uint i = turn * WG_Y + gl_LocalInvocationID.y;
            if (i < left.x && j < left.y)
                tile[i * PITCH + j] = LOAD(x[x_base + i * x_stride.z + j]);
        }
        barrier();
        for (uint turn = 0; turn < WG_X / WG_Y; turn++) {
            const uint i = turn * WG_Y + gl_LocalInvocationID.y;
            const uint r = straight ? i : j, c = straight ? j : i;
            if (r < left.x && c < left.y)
                y[y_base + r * y_stride.z + c * y_stride.w] = STORE(tile[r * PITCH + c]);
        }
        barrier(); // before the next tile is written
    }
}
