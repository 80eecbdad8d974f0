// SPDX-License-Identifier: Apache-2.0
// Joins the results that the parts of the keys left for one query: each part's sums are scaled to the largest maximum.
// LANES quads of columns are side by side, and a line takes every LINES'th part. Its sums are requested before the
// maxima are known.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#include "heads.glsl"

layout(binding = 0) readonly buffer Parts { vec4 parts[]; };
layout(binding = 1) readonly buffer Stats { vec2 stats[]; };
layout(binding = 2) writeonly buffer O { VEC4T o[]; };

const uint LANES = WG_X, LINES = WG_Y, SHARE = (SPLITS + LINES - 1) / LINES;

shared vec2 found[SPLITS]; // maximum and divisor; later factor and share of the divisor
shared vec4 lines[WG_SIZE];

// Turns maxima and divisors into factors and shares of the divisor.
void scale_down() {
    float most = LEAST;
    for (uint i = 0; i < SPLITS; i++) most = found[i].x > most ? found[i].x : most;
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < SPLITS; i += WG_SIZE) {
        const float factor = exp(found[i].x - most);
        found[i] = vec2(factor, factor * found[i].y);
    }
    barrier();
}

void main() {
    const uint query = q_head() * queries + gl_WorkGroupID.x, quads = head_dim / 4;
    const uint lane = gl_LocalInvocationID.x, line = gl_LocalInvocationID.y;
    for (uint i = gl_LocalInvocationIndex; i < SPLITS; i += WG_SIZE)
        found[i] = stats[query * SPLITS + i];
    for (uint first = 0; first < quads; first += LANES) {
        const uint quad = min(first + lane, quads - 1);
        vec4 mine[SHARE];
        [[unroll]] for (uint i = 0; i < SHARE; i++)
            mine[i] = parts[(query * SPLITS + min(i * LINES + line, SPLITS - 1)) * quads + quad];
        barrier();
        if (first == 0) scale_down();
        vec4 sum = vec4(0.0);
        [[unroll]] for (uint i = 0; i < SHARE; i++)
            if (i * LINES + line < SPLITS) sum = fma(vec4(found[i * LINES + line].x), mine[i], sum);
        lines[gl_LocalInvocationIndex] = sum;
        barrier();
        if (line != 0 || first + lane >= quads) continue;
        float divisor = 0.0;
        for (uint i = 0; i < SPLITS; i++) divisor += found[i].y;
        for (uint other = 1; other < LINES; other++) sum += lines[other * LANES + lane];
        o[query * quads + quad] = STORE4(divisor > 0.0 ? sum / divisor : vec4(0.0));
    }
}
