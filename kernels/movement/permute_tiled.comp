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
layout(push_constant) uniform Push { uint d0, d1, d2, d3, p0, p1, p2, p3; };

const uint PITCH = WG_X + 1;
shared float tile[WG_X * PITCH];

void main() {
    const uvec4 size = uvec4(d0, d1, d2, d3), order = uvec4(p0, p1, p2, p3);
    const uvec4 x_stride = contiguous(size), packed = contiguous(pick(size, order));
    uvec4 y_stride; // by axes of x
    for (uint i = 0; i < 4; i++) y_stride[order[i]] = packed[i];
    const bool straight = p3 == 3;
    const uint down = straight ? p2 : p3, outer = straight ? p0 : p0 == 3 ? p1 : p0;
    const uint inner = 6 - 3 - down - outer; // axes are numbered 0 to 3, which is 6 in all

    const uint columns = (d3 + WG_X - 1) / WG_X, rows = (size[down] + WG_X - 1) / WG_X;
    const uint tiles = columns * rows * size[outer] * size[inner];
    const uint j = gl_LocalInvocationID.x;
    const uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_NumWorkGroups.z;
    for (uint at = linear_group(); at < tiles; at += groups) {
        const uvec4 place = unravel(at, uvec4(size[outer], size[inner], rows, columns));
        const uint x_base = place.x * x_stride[outer] + place.y * x_stride[inner];
        const uint y_base = place.x * y_stride[outer] + place.y * y_stride[inner];
        const uint col = place.w * WG_X, row = place.z * WG_X;
        for (uint turn = 0; turn < WG_X / WG_Y; turn++) {
            const uint i = turn * WG_Y + gl_LocalInvocationID.y;
            if (row + i < size[down] && col + j < d3)
                tile[i * PITCH + j] = LOAD(x[x_base + (row + i) * x_stride[down] + col + j]);
        }
        barrier();
        for (uint turn = 0; turn < WG_X / WG_Y; turn++) {
            const uint i = turn * WG_Y + gl_LocalInvocationID.y;
            const uint r = straight ? i : j, c = straight ? j : i;
            if (row + r < size[down] && col + c < d3)
                y[y_base + (row + r) * y_stride[down] + (col + c) * y_stride.w] =
                    STORE(tile[r * PITCH + c]);
        }
        barrier(); // before the next tile is written
    }
}
