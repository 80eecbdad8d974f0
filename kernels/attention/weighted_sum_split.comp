// SPDX-License-Identifier: Apache-2.0
// The sequence is cut in SPLITS parts, and a workgroup sums one part. WG_X neighbours read neighbouring
// columns, and WG_Y of them every WG_Y-th row; a tree adds up their sums. The JOIN pass adds the parts in the
// same way.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "tree.glsl"

#ifdef JOIN
layout(binding = 0) readonly buffer Parts { FLOATS parts[]; };
layout(binding = 1) writeonly buffer O { WIDE o[]; };
layout(push_constant) uniform Push { uint rows, head_dim; }; // as many rows as parts
#define TERM(row, at, sum) (sum + parts[at])
#else
layout(binding = 0) readonly buffer W { T w[]; };
layout(binding = 1) readonly buffer V { WIDE v[]; };
layout(binding = 2) writeonly buffer Parts { FLOATS parts[]; };
layout(push_constant) uniform Push { uint seq, head_dim, splits; };
#define TERM(row, at, sum) fma(FLOATS(LOAD(w[row])), LOAD_WIDE(v[at]), sum)
#endif

void main() {
    const uint steps = head_dim / WIDTH, split = gl_WorkGroupID.y;
    const uint col = gl_WorkGroupID.x * WG_X + gl_LocalInvocationID.x;
#ifdef JOIN
    const uint first = 0, end = rows;
#else
    const uint share = (seq - 1) / splits + 1, first = min(split * share, seq);
    const uint end = min(first + share, seq);
#endif
    FLOATS sum = FLOATS(0.0);
    if (col < steps)
        for (uint row = first + gl_LocalInvocationID.y; row < end; row += WG_Y)
            sum = TERM(row, row * steps + col, sum);
    sum = tree_sum(sum, gl_LocalInvocationID.y, WG_Y, WG_X);
    if (gl_LocalInvocationID.y > 0 || col >= steps) return;
#ifdef JOIN
    o[col] = STORE_WIDE(sum);
#else
    parts[split * steps + col] = sum;
#endif
}
