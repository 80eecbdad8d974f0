// SPDX-License-Identifier: Apache-2.0
// Resizes pictures with channels side by side (NHWC): one output per invocation, x over channels, y along a row, z over
// rows and pictures.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#define NHWC
#include "upsample.glsl"

void main() {
    const uint channel = gl_GlobalInvocationID.x, ox = gl_GlobalInvocationID.y;
    const uint image = gl_GlobalInvocationID.z / oh, oy = gl_GlobalInvocationID.z % oh;
    if (channel >= c || ox >= ow) return;
    const float value = blend(image * h * w * c + channel, stop_at(oy, h, oh), stop_at(ox, w, ow));
    y[((image * oh + oy) * ow + ox) * c + channel] = STORE(value);
}
