// SPDX-License-Identifier: Apache-2.0
// Convolution of groups of one input channel with windows of 3 x 3: one invocation ITEMS outputs, one
// below the other. The nine weights are in registers; with stride and dilation 1 so are three rows,
// which move down with the outputs, so that an output costs little more than three loads. Taps outside
// are read at the picture's edge and count as zero.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#include "convolution.glsl"

layout(constant_id = 3) const uint ITEMS = 8;

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer Weight { T weight[]; };
layout(binding = 2) readonly buffer Bias { T bias[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };

uint plane;
uvec3 col;
bvec3 inside;

vec3 row_of(uint row) {
    const uint first = plane + min(row, h - 1) * w;
    const vec3 value = vec3(LOAD(x[first + col.x]), LOAD(x[first + col.y]), LOAD(x[first + col.z]));
    return mix(vec3(0.0), value, bvec3(uvec3(inside) & uint(row < h)));
}

void main() {
    const uint ox = gl_GlobalInvocationID.x, channel = gl_WorkGroupID.z % cout;
    const uint image = gl_WorkGroupID.z / cout, first = gl_GlobalInvocationID.y * ITEMS;
    if (ox >= ow || first >= oh) return;
    const uvec3 places = ox * stride - pad + uvec3(0, 1, 2) * dilation;
    inside = lessThan(places, uvec3(w));
    col = min(places, w - 1);
    plane = (image * cin + channel / (cout / groups)) * h * w;
    vec3 taps[3], rows[ITEMS + 2];
    [[unroll]] for (uint i = 0; i < 3; i++) {
        const uint at = (channel * 3 + i) * 3;
        taps[i] = vec3(LOAD(weight[at]), LOAD(weight[at + 1]), LOAD(weight[at + 2]));
    }
    const bool overlap = stride == 1 && dilation == 1;
    const uint top = first * stride - pad;
    if (overlap)
        [[unroll]] for (uint i = 0; i < ITEMS + 2; i++) rows[i] = row_of(top + i);
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        if (first + item >= oh) return;
        float sum = LOAD(bias[channel]);
        [[unroll]] for (uint i = 0; i < 3; i++) {
            const vec3 row = overlap ? rows[item + i] : row_of(top + item * stride + i * dilation);
            sum = fma(row.x, taps[i].x, fma(row.y, taps[i].y, fma(row.z, taps[i].z, sum)));
        }
        y[((image * cout + channel) * oh + first + item) * ow + ox] = STORE(sum);
    }
}
