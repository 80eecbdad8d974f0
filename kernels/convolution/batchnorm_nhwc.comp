// SPDX-License-Identifier: Apache-2.0
// Norm of channels by given statistics, with channels side by side (NHWC): an element an invocation.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer Gamma { T gamma[]; };
layout(binding = 2) readonly buffer Beta { T beta[]; };
layout(binding = 3) readonly buffer Mean { T mean[]; };
layout(binding = 4) readonly buffer Variance { T variance[]; };
layout(binding = 5) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint n, c, plane; float eps; };

void main() {
    const uint i = linear_invocation(), channel = i % c;
    if (i >= n * c * plane) return;
    const float gain = LOAD(gamma[channel]) * inversesqrt(LOAD(variance[channel]) + eps);
    y[i] = STORE((LOAD(x[i]) - LOAD(mean[channel])) * gain + LOAD(beta[channel]));
}
