// SPDX-License-Identifier: Apache-2.0
// Joins the moments of pieces (piece_moments.comp), one workgroup per set: the pieces of a group of channels of one
// picture. With BATCH defined, a set is one channel of all pictures; its mean and unbiased variance enter the running
// statistics. With PARTS defined, its pieces are parts of its planes (part_moments.comp). The squared deviations of a set
// are those of its pieces, plus the deviations of the pieces' means from the set's mean, weighted by elements. A piece's
// mean was rounded; the sum of its deviations corrects this, so the variance is good even beside a large mean.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(binding = 0) readonly buffer Moments { vec4 piece_moments[]; }; // sum, mean, deviations, squares
layout(binding = 1) writeonly buffer SetMean { float set_mean[]; };
layout(binding = 2) writeonly buffer SetVariance { float set_var[]; };
#ifdef BATCH
layout(binding = 3) buffer RunningMean { T running_mean[]; };
layout(binding = 4) buffer RunningVariance { T running_var[]; };
layout(binding = 5) writeonly buffer Mean { T mean_out[]; };
layout(binding = 6) writeonly buffer Variance { T var_out[]; };
layout(push_constant) uniform Push { uint n, c, plane; float momentum; };
#define CHANNELS 1 // of a set
#define SETS c
#define LINES (n * PIECES)
#define FIRST_LINE 0
#else
layout(push_constant) uniform Push { uint n, c, plane, groups; };
#define CHANNELS (c / groups)
#define SETS (n * groups)
#define LINES PIECES
#define FIRST_LINE (linear_group() / groups * PIECES)
#endif

// moments_of returns the moments of the set's piece i, size_of its number of elements.
#ifdef PARTS
layout(constant_id = 3) const uint ITEMS = 16;
#define ROW_LENGTH plane
#include "parts.glsl"
#define PIECES blocks_of(WG_SIZE * ITEMS)

uint row_of(uint i) {
    return i / PIECES * c + linear_group();
}

vec4 moments_of(uint i) {
    return piece_moments[row_of(i) * PIECES + i % PIECES];
}

float size_of(uint i) {
    const uvec2 part = part_of_row(row_of(i), i % PIECES, WG_SIZE * ITEMS);
    return float(part.y - part.x);
}
#else
#include "pieces.glsl"
#define PIECES pieces_of(plane)

vec4 moments_of(uint i) {
    return piece_moments[(FIRST_LINE + i / CHANNELS) * c + linear_group() % (c / CHANNELS) * CHANNELS + i % CHANNELS];
}

float size_of(uint i) {
    return float(pixels_of(i / CHANNELS % PIECES, plane));
}
#endif

#ifdef BATCH
void keep_running(uint channel, float mean, float variance, float unbiased) {
    const float kept = 1.0 - momentum;
    mean_out[channel] = STORE(mean);
    var_out[channel] = STORE(variance);
    running_mean[channel] = STORE(kept * LOAD(running_mean[channel]) + momentum * mean);
    running_var[channel] = STORE(kept * LOAD(running_var[channel]) + momentum * unbiased);
}
#endif

void main() {
    const uint set = linear_group(), pieces = LINES * CHANNELS;
    if (set >= SETS) return;
#ifdef BATCH
    const float count = float(n) * float(plane);
#else
    const float count = float(CHANNELS) * float(plane);
#endif
    float sum = 0.0, squares = 0.0;
    for (uint i = gl_LocalInvocationIndex; i < pieces; i += WG_SIZE) sum += moments_of(i).x;
    const float mean = reduce_sum(sum) / count;
    for (uint i = gl_LocalInvocationIndex; i < pieces; i += WG_SIZE) {
        const vec4 moments = moments_of(i);
        const float shift = moments.y - mean;
        squares += moments.w + shift * (size_of(i) * shift + 2.0 * moments.z);
    }
    squares = reduce_sum(squares);
    if (gl_LocalInvocationIndex > 0) return;
    set_mean[set] = mean;
    set_var[set] = squares / count;
#ifdef BATCH
    keep_running(set, mean, squares / count, squares / (count - 1.0));
#endif
}
