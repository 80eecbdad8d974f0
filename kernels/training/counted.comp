// SPDX-License-Identifier: Apache-2.0
// The mean over the rows with a target that counts, in two passes. Each workgroup of the first counts the rows of a
// block of WG_X * ITEMS, and adds their losses unless COUNT_ONLY is defined. The only workgroup of the second (LAST
// defined) combines the blocks. Losses come from a previous pass; with PICKED defined, they are a row's element at its
// target, negated.
//
// With COUNT_ONLY the second pass writes dy / count, the scale of gradients.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(constant_id = 3) const uint ITEMS = 4;

#ifdef LAST
layout(binding = 0) readonly buffer Counts { float counts[]; };
#ifdef COUNT_ONLY
layout(binding = 1) readonly buffer Dy { T dy[]; };
layout(binding = 2) writeonly buffer Share { float share[]; };
#else
layout(binding = 1) readonly buffer Sums { float sums[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
#endif
layout(push_constant) uniform Push { uint rows; };
#else
layout(binding = 0) readonly buffer Target { int target[]; };
layout(binding = 1) writeonly buffer Counts { float counts[]; };
#ifndef COUNT_ONLY
layout(binding = 2) writeonly buffer Sums { float sums[]; };
#endif
#ifdef PICKED
layout(binding = 3) readonly buffer X { T x[]; };
#elif !defined(COUNT_ONLY)
layout(binding = 3) readonly buffer Losses { float losses[]; };
#endif
layout(push_constant) uniform Push { uint rows, cols; int ignore_index; };
#include "class.glsl"

#ifdef PICKED
#define LOSS_OF(row) (-LOAD(x[(row) * cols + uint(target[row])]))
#elif defined(COUNT_ONLY)
#define LOSS_OF(row) 0.0
#else
#define LOSS_OF(row) losses[row]
#endif
#endif

void main() {
    const uint block = WG_SIZE * ITEMS;
    float count = 0.0, sum = 0.0;
#ifdef LAST
    const uint blocks = (rows - 1) / block + 1;
    for (uint i = gl_LocalInvocationIndex; i < blocks; i += WG_SIZE) {
        count += counts[i];
#ifndef COUNT_ONLY
        sum += sums[i];
#endif
    }
#else
    const uint first = linear_first(block);
    if (first >= rows) return;
    const uint end = first + min(rows - first, block);
    for (uint row = first + gl_LocalInvocationIndex; row < end; row += WG_SIZE)
        if (is_counted(target[row])) {
            count += 1.0;
            sum += LOSS_OF(row);
        }
#endif
    count = reduce_sum(count);
    sum = reduce_sum(sum);
    if (gl_LocalInvocationIndex > 0) return;
#if defined(LAST) && defined(COUNT_ONLY)
    share[0] = LOAD(dy[0]) / count;
#elif defined(LAST)
    y[0] = STORE(sum / count);
#else
    counts[linear_group()] = count;
#ifndef COUNT_ONLY
    sums[linear_group()] = sum;
#endif
#endif
}
