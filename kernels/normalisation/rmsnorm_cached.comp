// SPDX-License-Identifier: Apache-2.0
// Root mean square norm, one workgroup per row. The row is read once and kept in registers.
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
    keep_row(linear_group() * cols, cols, 0.0);
    EACH_KEPT(quad, col) squares += dot(kept[quad], kept[quad]);
    EACH_OTHER(col) squares += squares_about(col, element4(col), 0.0);
    const float scale = inversesqrt(reduce_sum(squares) / float(cols) + eps);
    EACH_KEPT(quad, col) emit(col, kept[quad], scale);
    EACH_OTHER(col) emit(col, element4(col), scale);
}
