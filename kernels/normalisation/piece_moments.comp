// SPDX-License-Identifier: Apache-2.0
// Moments of each channel over each piece of each picture, with channels side by side (NHWC). Neighbours along x have
// neighbouring channels; neighbours along y share the pixels of one channel. A piece is read twice. Its moments are its
// sum, its rounded mean, and the sums of the deviations from this mean and of their squares.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "grid.glsl"
#include "tree.glsl"
#include "pieces.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Moments { vec4 piece_moments[]; }; // sum, mean, deviations, squares
layout(push_constant) uniform Push { uint n, c, plane; };

void main() {
    const uint blocks = (c + WG_X - 1) / WG_X, line = linear_group() / blocks; // a line: a piece of a picture
    if (line >= n * pieces_of(plane)) return;                                  // all of the workgroup
    const uint channel = linear_group() % blocks * WG_X + gl_LocalInvocationID.x, lane = gl_LocalInvocationID.y;
    const uint image = line / pieces_of(plane), piece = line % pieces_of(plane), pixels = pixels_of(piece, plane);
    const uint base = (image * plane + piece * span_of(plane)) * c + channel, end = channel < c ? pixels : 0;
    float sum = 0.0, deviations = 0.0, squares = 0.0;
    for (uint pixel = lane; pixel < end; pixel += WG_Y) sum += LOAD(x[base + pixel * c]);
    sum = tree_sum(sum, lane, WG_Y, WG_X);
    const float mean = sum / float(pixels);
    for (uint pixel = lane; pixel < end; pixel += WG_Y) {
        const float centred = LOAD(x[base + pixel * c]) - mean;
        deviations += centred;
        squares += centred * centred;
    }
    barrier(); // all have read the sum
    deviations = tree_sum(deviations, lane, WG_Y, WG_X);
    barrier();
    squares = tree_sum(squares, lane, WG_Y, WG_X);
    if (lane == 0 && channel < c) piece_moments[line * c + channel] = vec4(sum, mean, deviations, squares);
}
