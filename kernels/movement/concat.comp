// SPDX-License-Identifier: Apache-2.0
// Concatenates rows of a and b. A vector of y that lies in a or in b is a run; one across their border, or across that
// of two rows, is put together by elements.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer A { ELEMENT a[]; };
layout(binding = 0) readonly buffer AVectors { uvec4 a_vectors[]; };
layout(binding = 1) readonly buffer B { ELEMENT b[]; };
layout(binding = 1) readonly buffer BVectors { uvec4 b_vectors[]; };
layout(binding = 2) writeonly buffer Y { ELEMENT y[]; };
layout(binding = 2) writeonly buffer YVectors { uvec4 y_vectors[]; };
layout(push_constant) uniform Push { uint outer, a_size, b_size, inner; };

RUN_READER(read_a, a, a_vectors)
RUN_READER(read_b, b, b_vectors)

uvec4 load_vector(uint first, uint count) {
    const uint a_row = a_size * inner, b_row = b_size * inner, row = a_row + b_row;
    uint o = first / row, i = first - o * row;
    if (i + VECTOR_SIZE <= a_row) return read_a(o * a_row + i);
    if (i >= a_row && i + VECTOR_SIZE <= row) return read_b(o * b_row + i - a_row);
    uvec4 vector = uvec4(0);
    for (uint e = 0; e < VECTOR_SIZE && first + e < count; e++) {
        put_element(vector, e, i < a_row ? uint(a[o * a_row + i]) : uint(b[o * b_row + i - a_row]));
        if (++i == row) {
            i = 0;
            o++;
        }
    }
    return vector;
}

#include "runs.glsl"

void main() {
    write_vectors(outer * (a_size + b_size) * inner);
}
