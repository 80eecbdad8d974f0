// SPDX-License-Identifier: Apache-2.0
// Layer norm, one workgroup per row. The row is read once and kept in registers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "affine.glsl"
#include "row_cache.glsl"
#include "row_moments.glsl"

void main() {
    if (linear_group() >= rows) return;
    keep_row(linear_group() * cols, cols, 0.0);
    const float mean = row_mean();
    const float scale = inversesqrt(squared_deviations(mean) / float(cols) + eps);
    EACH_KEPT(quad, col) emit(col, kept[quad] - mean, scale);
    EACH_OTHER(col) emit(col, element4(col) - mean, scale);
}
