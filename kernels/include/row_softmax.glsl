// SPDX-License-Identifier: Apache-2.0
// Maximum and sum of exponentials of a row kept in registers (row_cache.glsl or lane_rows.glsl), over the workgroup
// (reduce.glsl). Every invocation must call, and receives the result. With KEEP_EXPONENTIALS defined, the exponentials
// replace the kept logits. A shader may define EXPONENTIALS itself.
#ifndef VKASSAY_ROW_SOFTMAX
#define VKASSAY_ROW_SOFTMAX

float row_largest(float start) {
    float most = start;
    EACH_KEPT(quad, col) most = larger(most, largest4(KEPT(quad)));
    EACH_OTHER(col) most = larger(most, largest4(other_quad(col, NEGATIVE_INFINITY)));
    return reduce_max(most);
}

#if defined(EXPONENTIALS)
#elif defined(KEEP_EXPONENTIALS)
#define EXPONENTIALS(quad, most) (kept[quad] = exp(kept[quad] - most))
#else
#define EXPONENTIALS(quad, most) exp(KEPT(quad) - most)
#endif

float row_exponentials(float most) {
    float sum = 0.0;
    EACH_KEPT(quad, col) sum += sum4(EXPONENTIALS(quad, most));
    EACH_OTHER(col) sum += sum4(exp(other_quad(col, NEGATIVE_INFINITY) - most));
    return reduce_sum(sum);
}

#endif
