// SPDX-License-Identifier: Apache-2.0
// Convolution of groups of one input channel with windows of 3 x 3. Each invocation computes ITEMS outputs, one below
// the other. The nine weights are in registers. With stride and dilation 1 so are three rows; they move down with the
// outputs, so that an output costs little more than three loads. Taps outside are read at the picture's edge and count
// as zero.
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
uvec3 col, inside;
vec3 taps[3];

// Returns three places of a row; places outside the picture are 0.
vec3 row_of(uint row) {
    const uint first = plane + min(row, h - 1) * w;
    const vec3 value = vec3(LOAD(x[first + col.x]), LOAD(x[first + col.y]), LOAD(x[first + col.z]));
    return mix(vec3(0.0), value, bvec3(inside & uint(row < h)));
}

float along(vec3 row, vec3 tap, float sum) {
    return fma(row.x, tap.x, fma(row.y, tap.y, fma(row.z, tap.z, sum)));
}

void sum_sharing_rows(uint top, inout float sums[ITEMS]) {
    vec3 above = row_of(top), middle = row_of(top + 1);
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        const vec3 below = row_of(top + item + 2);
        const float lower = along(below, taps[2], sums[item]);
        sums[item] = along(above, taps[0], along(middle, taps[1], lower));
        above = middle;
        middle = below;
    }
}

void sum_apart(uint top, inout float sums[ITEMS]) {
    [[unroll]] for (uint item = 0; item < ITEMS; item++)
        [[unroll]] for (uint i = 0; i < 3; i++)
            sums[item] = along(row_of(top + item * stride + i * dilation), taps[i], sums[item]);
}

void main() {
    const uint ox = gl_GlobalInvocationID.x, channel = gl_WorkGroupID.z % cout;
    const uint image = gl_WorkGroupID.z / cout, first = gl_GlobalInvocationID.y * ITEMS;
    if (ox >= ow || first >= oh) return;
    const uvec3 places = ox * stride - pad + uvec3(0, 1, 2) * dilation;
    inside = uvec3(lessThan(places, uvec3(w)));
    col = min(places, w - 1);
    plane = (image * cin + channel / (cout / groups)) * h * w;
    [[unroll]] for (uint i = 0; i < 3; i++) {
        const uint at = (channel * 3 + i) * 3;
        taps[i] = vec3(LOAD(weight[at]), LOAD(weight[at + 1]), LOAD(weight[at + 2]));
    }
    float sums[ITEMS];
    [[unroll]] for (uint item = 0; item < ITEMS; item++) sums[item] = LOAD(bias[channel]);
    const uint top = first * stride - pad;
    if (stride == 1 && dilation == 1)
        sum_sharing_rows(top, sums);
    else
        sum_apart(top, sums);
    const uint to = ((image * cout + channel) * oh + first) * ow + ox;
    [[unroll]] for (uint item = 0; item < ITEMS; item++)
        if (first + item < oh) y[to + item * ow] = STORE(sums[item]);
}
