// SPDX-License-Identifier: Apache-2.0
// Gradient of batchnorm in training from its channels' sums, with channels side by side (NHWC), one element per
// invocation.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer Dy { T dy[]; };
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 2) readonly buffer Gamma { T gamma[]; };
layout(binding = 3) readonly buffer Mean { T mean[]; };
layout(binding = 4) readonly buffer Variance { T variance[]; };
layout(binding = 5) readonly buffer ChannelG { float channel_g[]; };
layout(binding = 6) readonly buffer ChannelGz { float channel_gz[]; };
layout(binding = 7) writeonly buffer Dx { T dx[]; };
layout(push_constant) uniform Push { uint n, c, plane; float eps; };

void main() {
    const uint i = linear_invocation(), channel = i % c;
    if (i >= n * c * plane) return;
    const float count = float(n) * float(plane), scale = inversesqrt(LOAD(variance[channel]) + eps);
    const float mean_g = channel_g[channel] / count, mean_gz = channel_gz[channel] / count;
    const float z = (LOAD(x[i]) - LOAD(mean[channel])) * scale;
    dx[i] = STORE(LOAD(gamma[channel]) * scale * (LOAD(dy[i]) - mean_g - z * mean_gz));
}
