// SPDX-License-Identifier: Apache-2.0
// Root mean square norm that reads a row once, one workgroup a row, and keeps it in registers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "rms.glsl"
#include "row_cache.glsl"

void main() {
    if (linear_group() >= rows) return;
    float squares = 0.0;
    keep_row(cols, 0.0);
    EACH_ITEM(item) squares += kept[item] * kept[item];
    EACH_OTHER(col, cols) squares += element(col) * element(col);
    const float scale = inversesqrt(reduce_sum(squares) / float(cols) + eps);
    EACH_KEPT(item, col) if (col < cols) emit(col, kept[item], scale);
    EACH_OTHER(col, cols) emit(col, element(col), scale);
}
