// SPDX-License-Identifier: Apache-2.0
// Softmax that reads a row once, one workgroup a row, and keeps it in registers, exponentials after
// logits. With LOGARITHM defined it writes the softmax's logarithm, and the logits stay.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "logits.glsl"

float element(uint col) {
    return logit(linear_group(), col);
}
#include "row_cache.glsl"

#ifdef LOGARITHM
#define KEEP_EXP(item, most) exp(kept[item] - most)
#define FROM_KEPT(item) (kept[item] - most - log_sum)
#define FROM_ELEMENT(col) (element(col) - most - log_sum)
#else
#define KEEP_EXP(item, most) (kept[item] = exp(kept[item] - most))
#define FROM_KEPT(item) (kept[item] * inverse)
#define FROM_ELEMENT(col) (exp(element(col) - most) * inverse)
#endif

void main() {
    const uint start = linear_group() * cols;
    if (linear_group() >= rows) return;
    float most = LEAST, sum = 0.0;
    keep_row(cols, NEGATIVE_INFINITY);
    EACH_ITEM(item) most = larger(most, kept[item]);
    EACH_OTHER(col, cols) most = larger(most, element(col));
    most = reduce_max(most);

    EACH_ITEM(item) sum += KEEP_EXP(item, most);
    EACH_OTHER(col, cols) sum += exp(element(col) - most);
    sum = reduce_sum(sum);
    const float inverse = INVERSE(sum), log_sum = log(sum);

    EACH_KEPT(item, col) if (col < cols) y[start + col] = STORE(FROM_KEPT(item));
    EACH_OTHER(col, cols) y[start + col] = STORE(FROM_ELEMENT(col));
}
