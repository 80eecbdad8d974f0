// SPDX-License-Identifier: Apache-2.0
// Mean and squared deviations of a row kept in registers (row_cache.glsl or lane_rows.glsl), over the workgroup
// (reduce.glsl). Every invocation must call, and receives the result.
#ifndef VKASSAY_ROW_MOMENTS
#define VKASSAY_ROW_MOMENTS

float row_sum() {
    float sum = 0.0;
    EACH_KEPT(quad, col) sum += sum4(KEPT(quad));
    EACH_OTHER(col) sum += sum4(other_quad(col, 0.0));
    return reduce_sum(sum);
}

float row_mean() {
    return row_sum() / float(row_count);
}

float squared_deviations(float mean) {
    float squares = 0.0;
    EACH_KEPT(quad, col) squares += squares_about(col, KEPT(quad), mean);
    EACH_OTHER(col) squares += squares_about(col, element4(col), mean);
    return reduce_sum(squares);
}

#endif
