// SPDX-License-Identifier: Apache-2.0
// Variance of all elements, each read once (T. Chan, G. Golub and R. LeVeque, Algorithms for computing the
// sample variance, 1983). In the first pass a workgroup takes a block of TILES tiles, each of WG_X * ITEMS elements
// kept in registers. An invocation merges mean and squared deviations of its part of each tile. At the end the
// workgroup merges its invocations. The second pass (LAST defined) merges the blocks. The first
// element is subtracted from all elements, so that a large mean causes no cancellation.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "row_quads.glsl"

layout(push_constant) uniform Push { uint n; int correction; };
layout(constant_id = 4) const uint TILES = 1;

#ifdef LAST
layout(constant_id = 3) const uint ITEMS = 16;

layout(binding = 0) readonly buffer Sums { float sums[]; };
layout(binding = 1) readonly buffer Squares { float squares[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };

void main() {
    const uint block = WG_SIZE * ITEMS * TILES, blocks = (n - 1) / block + 1;
    float sum = 0.0, deviations = 0.0;
    for (uint i = gl_LocalInvocationIndex; i < blocks; i += WG_SIZE) sum += sums[i];
    const float mean = reduce_sum(sum) / float(n);
    for (uint i = gl_LocalInvocationIndex; i < blocks; i += WG_SIZE) {
        const float count = float(min(n - i * block, block)), shift = sums[i] / count - mean;
        deviations += squares[i] + count * shift * shift;
    }
    deviations = reduce_sum(deviations);
    if (gl_LocalInvocationIndex == 0) y[0] = STORE(deviations / float(int(n) - correction));
}
#else
layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) writeonly buffer Sums { float sums[]; };
layout(binding = 2) writeonly buffer Squares { float squares[]; };

QUAD_READER(x_quad, x, x4)

vec4 element4(uint i) {
    return within_row(i, x_quad(row_first, i) - LOAD(x[0]), 0.0);
}
#include "row_cache.glsl"

float count, mean, deviations; // of this invocation's elements so far

// Adds elements with this mean and these squared deviations from it.
void merge(float own, float own_mean, float squares) {
    const float share = own / max(count + own, 1.0), shift = own_mean - mean;
    deviations += squares + shift * shift * count * share;
    mean += shift * share;
    count += own;
}

void merge_whole(uint first) {
    float sum = 0.0, squares = 0.0;
    take_row(first, WG_SIZE * ITEMS);
    EACH_KEPT(quad, col) kept[quad] = x_quad(first, col);
    EACH_KEPT(quad, col) {
        kept[quad] -= LOAD(x[0]);
        sum += sum4(kept[quad]);
    }
    const float own_mean = sum * (1.0 / float(ITEMS));
    EACH_KEPT(quad, col) squares += dot(kept[quad] - own_mean, kept[quad] - own_mean);
    merge(float(ITEMS), own_mean, squares);
}

void merge_part(uint first, uint length) {
    float own = 0.0, sum = 0.0, squares = 0.0;
    keep_row(first, length, 0.0);
    EACH_KEPT(quad, col) {
        own += float(min(length - min(col, length), 4u));
        sum += sum4(kept[quad]);
    }
    const float own_mean = sum / max(own, 1.0);
    EACH_KEPT(quad, col) squares += squares_about(col, kept[quad], own_mean);
    merge(own, own_mean, squares);
}

void main() {
    const uint tile = WG_SIZE * ITEMS, first = linear_first(tile * TILES);
    if (first >= n) return;
    const uint length = min(n - first, tile * TILES);
    count = mean = deviations = 0.0;
    uint at = 0;
    [[dont_unroll]] for (; at + tile <= length; at += tile) merge_whole(first + at);
    if (at < length) merge_part(first + at, length - at);
    const float sum = reduce_sum(count * mean), shift = mean - sum / float(length);
    deviations = reduce_sum(deviations + count * shift * shift);
    if (gl_LocalInvocationIndex == 0) {
        sums[linear_group()] = sum;
        squares[linear_group()] = deviations;
    }
}
#endif
