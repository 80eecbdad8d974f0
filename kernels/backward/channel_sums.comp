// SPDX-License-Identifier: Apache-2.0
// Joins the sums of each channel's planes, one workgroup per channel. They are the gradients of shift and scale, and
// stay in float for later passes.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(binding = 0) readonly buffer SumG { float sum_g[]; };
layout(binding = 1) readonly buffer SumGz { float sum_gz[]; };
layout(binding = 2) writeonly buffer Dgamma { T dgamma[]; };
layout(binding = 3) writeonly buffer Dbeta { T dbeta[]; };
layout(binding = 4) writeonly buffer ChannelG { float channel_g[]; };
layout(binding = 5) writeonly buffer ChannelGz { float channel_gz[]; };
layout(push_constant) uniform Push { uint n, c; };

void main() {
    const uint channel = linear_group();
    if (channel >= c) return;
    float g = 0.0, gz = 0.0;
    for (uint image = gl_LocalInvocationIndex; image < n; image += WG_SIZE) {
        g += sum_g[image * c + channel];
        gz += sum_gz[image * c + channel];
    }
    g = reduce_sum(g);
    gz = reduce_sum(gz);
    if (gl_LocalInvocationIndex > 0) return;
    dbeta[channel] = STORE(g);
    dgamma[channel] = STORE(gz);
    channel_g[channel] = g;
    channel_gz[channel] = gz;
}
