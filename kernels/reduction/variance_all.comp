// SPDX-License-Identifier: Apache-2.0
// Variance of all elements, or of each row (ROWS defined); each element is read once (T. Chan, G. Golub and R. LeVeque,
// Algorithms for computing the sample variance, 1983). In the first pass a workgroup takes a block of TILES tiles, each
// of WG_X * ITEMS elements kept in registers. An invocation merges mean and squared deviations of its part of each tile.
// At the end the workgroup merges its invocations. The second pass (LAST defined) merges the blocks of a row. The row's
// first element is subtracted from all, so that a large mean causes no cancellation.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "row_quads.glsl"

#define PARAMETERS int correction;
#include "parts.glsl"
layout(constant_id = 4) const uint TILES = 1;

#ifdef LAST
layout(constant_id = 3) const uint ITEMS = 16;

layout(binding = 0) readonly buffer Sums { float sums[]; };
layout(binding = 1) readonly buffer Squares { float squares[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };

void main() {
    const uint row = linear_group(), block = WG_SIZE * ITEMS * TILES, blocks = blocks_of(block);
    if (row >= rows) return;
    float sum = 0.0, deviations = 0.0;
    for (uint i = gl_LocalInvocationIndex; i < blocks; i += WG_SIZE) sum += sums[row * blocks + i];
    const float mean = reduce_sum(sum) / float(n);
    for (uint i = gl_LocalInvocationIndex; i < blocks; i += WG_SIZE) {
        const uvec2 part = part_of_row(row, i, block);
        const float count = float(part.y - part.x), shift = sums[row * blocks + i] / count - mean;
        deviations += squares[row * blocks + i] + count * shift * shift;
    }
    deviations = reduce_sum(deviations);
    if (gl_LocalInvocationIndex == 0) y[row] = STORE(deviations / float(int(n) - correction));
}
#else
layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) writeonly buffer Sums { float sums[]; };
layout(binding = 2) writeonly buffer Squares { float squares[]; };

QUAD_READER(x_quad, x, x4)

float origin; // the row's first element

vec4 element4(uint i) {
    return within_row(i, x_quad(row_first, i) - origin, 0.0);
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
        kept[quad] -= origin;
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
    const uint tile = WG_SIZE * ITEMS, block = tile * TILES, blocks = blocks_of(block), row = linear_group() / blocks;
    if (row >= rows) return;
    const uvec2 part = part_of_row(row, linear_group() % blocks, block);
    origin = LOAD(x[row * n]);
    count = mean = deviations = 0.0;
    uint at = part.x;
    [[dont_unroll]] for (; at + tile <= part.y; at += tile) merge_whole(at);
    if (at < part.y) merge_part(at, part.y - at);
    const float sum = reduce_sum(count * mean), shift = mean - sum / float(part.y - part.x);
    deviations = reduce_sum(deviations + count * shift * shift);
    if (gl_LocalInvocationIndex == 0) {
        sums[linear_group()] = sum;
        squares[linear_group()] = deviations;
    }
}
#endif
