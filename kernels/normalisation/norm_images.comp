// SPDX-License-Identifier: Apache-2.0
// Group and instance norm of whole vectors, one workgroup per group of channels of one image. The group is read once
// and kept in registers, with scale and shift; these load while the moments are computed. If planes are not a multiple
// of four, a plain loop over the elements runs instead.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(constant_id = 3) const uint ITEMS = 16;
const uint QUADS = ITEMS / 4;

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) readonly buffer Gamma { T gamma[]; };
layout(binding = 2) readonly buffer Beta { T beta[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };
layout(binding = 3) writeonly buffer Y4 { VEC4T y4[]; };
layout(push_constant) uniform Push { uint rows, cols, plane, groups; float eps; };

#define EACH_ELEMENT(i)                                                                       \
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < cols; i += WG_SIZE)
#define EACH_KEPT(q, i)                                                                       \
    [[unroll]] for (uint q = 0, i = gl_LocalInvocationIndex; q < QUADS; q++, i += WG_SIZE)
#define EACH_OTHER(i)                                                                         \
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex + QUADS * WG_SIZE; i < quads; i += WG_SIZE)

void norm_elements(uint first, uint channel) {
    float sum = 0.0, squares = 0.0;
    EACH_ELEMENT(i) sum += LOAD(x[first + i]);
    const float mean = reduce_sum(sum) / float(cols);
    EACH_ELEMENT(i) {
        const float centred = LOAD(x[first + i]) - mean;
        squares += centred * centred;
    }
    const float scale = inversesqrt(reduce_sum(squares) / float(cols) + eps);
    EACH_ELEMENT(i) {
        const uint at = channel + i / plane;
        const float centred = LOAD(x[first + i]) - mean;
        y[first + i] = STORE(centred * scale * LOAD(gamma[at]) + LOAD(beta[at]));
    }
}

float sum4(vec4 four) {
    return (four.x + four.y) + (four.z + four.w);
}

float squares4(vec4 four) {
    return dot(four, four);
}

void norm_quads(uint first, uint channel) {
    const uint quads = cols / 4, a_plane = plane / 4, last = quads - 1;
    vec4 kept[QUADS];
    vec2 affine[QUADS];
    float sum = 0.0, squares = 0.0;
    EACH_KEPT(q, i) kept[q] = LOAD4(x4[first + min(i, last)]);
    EACH_KEPT(q, i) {
        const uint at = channel + min(i, last) / a_plane;
        affine[q] = vec2(LOAD(gamma[at]), LOAD(beta[at]));
    }
    EACH_KEPT(q, i) sum += i < quads ? sum4(kept[q]) : 0.0;
    EACH_OTHER(i) sum += sum4(LOAD4(x4[first + i]));
    const float mean = reduce_sum(sum) / float(cols);
    EACH_KEPT(q, i) squares += i < quads ? squares4(kept[q] - mean) : 0.0;
    EACH_OTHER(i) squares += squares4(LOAD4(x4[first + i]) - mean);
    const float scale = inversesqrt(reduce_sum(squares) / float(cols) + eps);
    EACH_KEPT(q, i)
        if (i < quads) y4[first + i] = STORE4((kept[q] - mean) * scale * affine[q].x + affine[q].y);
    EACH_OTHER(i) {
        const uint at = channel + i / a_plane;
        const vec4 centred = LOAD4(x4[first + i]) - mean;
        y4[first + i] = STORE4(centred * scale * LOAD(gamma[at]) + LOAD(beta[at]));
    }
}

void main() {
    const uint row = linear_group();
    if (row >= rows) return;
    const uint channel = row % groups * (cols / plane);
    if (plane % 4 == 0)
        norm_quads(row * (cols / 4), channel);
    else
        norm_elements(row * cols, channel);
}
