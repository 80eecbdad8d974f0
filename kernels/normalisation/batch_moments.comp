// SPDX-License-Identifier: Apache-2.0
// Puts the moments of each channel's planes together, one workgroup a channel: the planes' squared
// deviations, and those of their means from the whole one as often as a plane has elements. The
// running statistics take in the mean and the unbiased variance.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(binding = 0) readonly buffer Means { float plane_means[]; };
layout(binding = 1) readonly buffer Squares { float plane_squares[]; };
layout(binding = 2) buffer RunningMean { T running_mean[]; };
layout(binding = 3) buffer RunningVariance { T running_var[]; };
layout(binding = 4) writeonly buffer Mean { T mean_out[]; };
layout(binding = 5) writeonly buffer Variance { T var_out[]; };
layout(binding = 6) writeonly buffer BatchMean { float batch_mean[]; };
layout(binding = 7) writeonly buffer BatchVariance { float batch_var[]; };
layout(push_constant) uniform Push { uint n, c, plane; float momentum; };

void main() {
    const uint channel = linear_group();
    if (channel >= c) return;
    float sum = 0.0, squares = 0.0;
    for (uint i = gl_LocalInvocationIndex; i < n; i += WG_SIZE) sum += plane_means[i * c + channel];
    const float mean = reduce_sum(sum) / float(n);
    for (uint i = gl_LocalInvocationIndex; i < n; i += WG_SIZE) {
        const float shift = plane_means[i * c + channel] - mean;
        squares += plane_squares[i * c + channel] + float(plane) * shift * shift;
    }
    squares = reduce_sum(squares);
    if (gl_LocalInvocationIndex > 0) return;
    const float count = float(n) * float(plane);
    const float kept = 1.0 - momentum, unbiased = squares / (count - 1.0);
    batch_mean[channel] = mean;
    batch_var[channel] = squares / count;
    mean_out[channel] = STORE(mean);
    var_out[channel] = STORE(squares / count);
    running_mean[channel] = STORE(kept * LOAD(running_mean[channel]) + momentum * mean);
    running_var[channel] = STORE(kept * LOAD(running_var[channel]) + momentum * unbiased);
}
