// SPDX-License-Identifier: Apache-2.0
// Norm by given statistics with channels side by side (NHWC), one element per invocation. The statistics are operands.
// With JOINED defined they are results of a previous pass: for each channel, or, with GROUPS, for each group of
// channels of each picture.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"

#ifdef JOINED
#define STATISTIC float
#define LOAD_STATISTIC(x) (x)
#else
#define STATISTIC T
#define LOAD_STATISTIC(x) LOAD(x)
#endif

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer Gamma { T gamma[]; };
layout(binding = 2) readonly buffer Beta { T beta[]; };
layout(binding = 3) readonly buffer Mean { STATISTIC mean[]; };
layout(binding = 4) readonly buffer Variance { STATISTIC variance[]; };
layout(binding = 5) writeonly buffer Y { T y[]; };
#ifdef GROUPS
layout(push_constant) uniform Push { uint n, c, plane, groups; float eps; };
#else
layout(push_constant) uniform Push { uint n, c, plane; float eps; };
#endif

void main() {
    const uint i = linear_invocation(), channel = i % c;
    if (i >= n * c * plane) return;
#ifdef GROUPS
    const uint set = i / (c * plane) * groups + channel / (c / groups);
#else
    const uint set = channel;
#endif
    const float gain = LOAD(gamma[channel]) * inversesqrt(LOAD_STATISTIC(variance[set]) + eps);
    y[i] = STORE((LOAD(x[i]) - LOAD_STATISTIC(mean[set])) * gain + LOAD(beta[channel]));
}
