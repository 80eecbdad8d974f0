// SPDX-License-Identifier: Apache-2.0
// Sums of dy and of dy z, with z = (x - mean) / sqrt(var + eps), of each channel over each piece of each picture.
// Channels are side by side (NHWC). Neighbours along x have neighbouring channels; neighbours along y share the pixels
// of one channel.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "grid.glsl"
#include "tree.glsl"
#include "pieces.glsl"

layout(binding = 0) readonly buffer Dy { T dy[]; };
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 2) readonly buffer Mean { T mean[]; };
layout(binding = 3) readonly buffer Variance { T variance[]; };
layout(binding = 4) writeonly buffer SumG { float sum_g[]; };
layout(binding = 5) writeonly buffer SumGz { float sum_gz[]; };
layout(push_constant) uniform Push { uint n, c, plane; float eps; };

void main() {
    const uint blocks = (c + WG_X - 1) / WG_X, line = linear_group() / blocks; // a line: a piece of a picture
    if (line >= n * pieces_of(plane)) return;                                  // all of the workgroup
    const uint channel = linear_group() % blocks * WG_X + gl_LocalInvocationID.x, lane = gl_LocalInvocationID.y;
    const uint image = line / pieces_of(plane), piece = line % pieces_of(plane);
    const uint base = (image * plane + piece * span_of(plane)) * c + channel;
    const uint end = channel < c ? pixels_of(piece, plane) : 0, known = min(channel, c - 1);
    const float centre = LOAD(mean[known]), scale = inversesqrt(LOAD(variance[known]) + eps);
    float g = 0.0, gz = 0.0;
    for (uint pixel = lane; pixel < end; pixel += WG_Y) {
        const float gradient = LOAD(dy[base + pixel * c]);
        g += gradient;
        gz += gradient * ((LOAD(x[base + pixel * c]) - centre) * scale);
    }
    g = tree_sum(g, lane, WG_Y, WG_X);
    barrier(); // all have read it
    gz = tree_sum(gz, lane, WG_Y, WG_X);
    if (lane > 0 || channel >= c) return;
    sum_g[line * c + channel] = g;
    sum_gz[line * c + channel] = gz;
}
