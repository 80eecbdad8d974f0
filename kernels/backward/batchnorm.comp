// SPDX-License-Identifier: Apache-2.0
// Gradient of batchnorm in training from its channels' sums, four elements at a time. The channel is found once for
// four.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer Dy { T dy[]; };
layout(binding = 0) readonly buffer Dy4 { VEC4T dy4[]; };
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 2) readonly buffer Gamma { T gamma[]; };
layout(binding = 3) readonly buffer Mean { T mean[]; };
layout(binding = 4) readonly buffer Variance { T variance[]; };
layout(binding = 5) readonly buffer ChannelG { float channel_g[]; };
layout(binding = 6) readonly buffer ChannelGz { float channel_gz[]; };
layout(binding = 7) writeonly buffer Y { T y[]; };
layout(binding = 7) writeonly buffer YWide { VEC4T y_wide[]; };
layout(push_constant) uniform Push { uint n, c, plane; float eps; };

float centre, scale, gain, mean_g, mean_gz;

void take_channel(uint channel) {
    const float count = float(n) * float(plane);
    centre = LOAD(mean[channel]);
    scale = inversesqrt(LOAD(variance[channel]) + eps);
    gain = LOAD(gamma[channel]) * scale;
    mean_g = channel_g[channel] / count;
    mean_gz = channel_gz[channel] / count;
}

// A plane may end between two elements.
vec4 load_quad(uint first, uint count) {
    const uint end = (first / plane + 1) * plane, size = min(count - first, 4);
    vec4 gradient = vec4(0.0), value = vec4(0.0), result;
    if (size == 4) {
        gradient = LOAD4(dy4[first / 4]);
        value = LOAD4(x4[first / 4]);
    } else {
        for (uint j = 0; j < size; j++) {
            gradient[j] = LOAD(dy[first + j]);
            value[j] = LOAD(x[first + j]);
        }
    }
    take_channel(first / plane % c);
    for (uint j = 0; j < 4; j++) {
        if (first + j >= end && j < size) take_channel((first + j) / plane % c);
        result[j] = gain * (gradient[j] - mean_g - (value[j] - centre) * scale * mean_gz);
    }
    return result;
}
#define BACKWARDS
#include "quads.glsl"

void main() {
    write_quads(n * c * plane);
}
