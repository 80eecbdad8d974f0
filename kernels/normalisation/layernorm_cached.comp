// SPDX-License-Identifier: Apache-2.0
// Layer norm that reads a row once, one workgroup a row, and keeps it in registers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "affine.glsl"
#include "row_cache.glsl"

void main() {
    if (linear_group() >= rows) return;
    float sum = 0.0, squares = 0.0;
    keep_row(cols, 0.0);
    EACH_ITEM(item) sum += kept[item];
    EACH_OTHER(col, cols) sum += element(col);
    const float mean = reduce_sum(sum) / float(cols);

    EACH_KEPT(item, col) {
        kept[item] -= mean;
        if (col < cols) squares += kept[item] * kept[item];
    }
    EACH_OTHER(col, cols) squares += (element(col) - mean) * (element(col) - mean);
    const float scale = inversesqrt(reduce_sum(squares) / float(cols) + eps);

    first_column();
    EACH_KEPT(item, col) emit(col, kept[item], scale);
    EACH_OTHER(col, cols) emit(col, element(col) - mean, scale);
}
