// SPDX-License-Identifier: Apache-2.0
// Sums of dy, of dy times the other operand (TIMES), or of TERM(dy), over the dims along which an operand was repeated.
// TERM may use the other operand and the own one (SELF). Neighbours along x have neighbouring elements of the operand;
// neighbours along y share a block of WG_Y * ROWS repetitions. OWN and OTHER are the sizes of the operand and of the
// other one.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "grid.glsl"
#include "tree.glsl"
#include "view.glsl"

layout(constant_id = 4) const uint ROWS = 32;

layout(binding = 0) readonly buffer Dy { T dy[]; };
#ifdef TIMES
layout(binding = 1) readonly buffer Other { T other[]; };
#endif
#ifdef SELF
layout(binding = 2) readonly buffer Self { T self[]; };
#define PARTIAL 3
#elif defined(TIMES)
#define PARTIAL 2
#else
#define PARTIAL 1
#endif
layout(binding = PARTIAL) writeonly buffer Partial { float partial[]; };
#ifndef TERM
#ifdef TIMES
#define TERM(dy) ((dy) * other_value)
#else
#define TERM(dy) (dy)
#endif
#endif
layout(push_constant) uniform Push { uvec4 a, b; };

// Counts on in the dims of a size, without divisions.
uvec4 count_on(uvec4 place, uvec4 step, uvec4 size) {
    place += step;
    if (place.w >= size.w) place += uvec4(0, 0, 1, -size.w);
    if (place.z >= size.z) place += uvec4(0, 1, -size.z, 0);
    if (place.y >= size.y) place += uvec4(1, -size.y, 0, 0);
    return place;
}

const uint SPAN = WG_Y * ROWS;

// Sums this invocation's repetitions in a block, for element `own`.
float sum_repetitions(uint own, uint first, uint end) {
    const uvec4 result = max(a, b), steps = contiguous(result);
    const uvec4 times = mix(uvec4(1), result, equal(OWN, uvec4(1))), step = unravel(WG_Y, times);
    const uvec4 through = mix(contiguous(OTHER), uvec4(0), equal(OTHER, uvec4(1)));
    const uvec4 base = unravel(own, OWN);
    uvec4 place = unravel(first, times);
    float sum = 0.0;
#ifdef SELF
    const float self_value = LOAD(self[own]);
#endif
    for (uint i = first; i < end; i += WG_Y) {
#ifdef TIMES
        const float other_value = LOAD(other[ravel(base + place, through)]);
#endif
        sum += TERM(LOAD(dy[ravel(base + place, steps)]));
        place = count_on(place, step, times);
    }
    return sum;
}

// The grid is sized by the elements of dy only. A workgroup therefore takes one block after another, up to 8 WG_Y of
// them if nothing was repeated.
void main() {
    const uint elements = product(OWN), repetitions = product(max(a, b)) / elements;
    const uint columns = (elements - 1) / WG_X + 1, parts = (repetitions - 1) / SPAN + 1;
    const uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_NumWorkGroups.z;
    const uint y = gl_LocalInvocationID.y;
    for (uint block = linear_group(); block < columns * parts; block += groups) {
        const uint own = block % columns * WG_X + gl_LocalInvocationID.x, part = block / columns;
        const uint first = part * SPAN, end = first + min(repetitions - first, SPAN);
        float sum = own < elements ? sum_repetitions(own, first + y, end) : 0.0;
        sum = tree_sum(sum, y, WG_Y, WG_X);
        if (y == 0 && own < elements) partial[part * elements + own] = sum;
        barrier(); // before the next block's sums are written
    }
}
