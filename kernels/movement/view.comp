// SPDX-License-Identifier: Apache-2.0
// Computes y = x seen through strides. SIZE, STRIDE (uvec4; a negative stride wraps around) and BASE are expressions of
// the dims in PUSHED. If INSIDE(place) is defined and false, y is the parameter `value`. A vector of y is read as one
// run where x has its elements side by side.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "grid.glsl"
#include "view.glsl"

#ifndef BASE
#define BASE 0
#endif
#ifndef PARAMS
#define PARAMS
#endif

layout(binding = 0) readonly buffer X { ELEMENT x[]; };
layout(binding = 0) readonly buffer XVectors { uvec4 x_vectors[]; };
layout(binding = 1) writeonly buffer Y { ELEMENT y[]; };
layout(binding = 1) writeonly buffer YVectors { uvec4 y_vectors[]; };
layout(push_constant) uniform Push { uint PUSHED; PARAMS };

RUN_READER(read_run, x, x_vectors)

#ifdef INSIDE
#define JOIN_AXES
#define IS_RUN(place, size, stride) false // most vectors of a subgroup are none where rows are short
#define ELEMENT_AT(place, stride) (INSIDE(place)) ? uint(x[BASE + ravel(place, stride)]) : element_bits(value)
#else
#define JOIN_AXES join_axes(size, stride);
#define IS_RUN(place, size, stride) (stride.w == 1 && place.w + VECTOR_SIZE <= size.w)
#define ELEMENT_AT(place, stride) uint(x[BASE + ravel(place, stride)])
#endif

// Does as advance() without a branch, because the invocations of a subgroup come to ends of rows at different elements.
void next(inout uvec4 place, uvec4 size) {
    place.w++;
    place.z += uint(place.w == size.w);
    place.w = place.w == size.w ? 0 : place.w;
    place.y += uint(place.z == size.z);
    place.z = place.z == size.z ? 0 : place.z;
    place.x += uint(place.y == size.y);
    place.y = place.y == size.y ? 0 : place.y;
}

uvec4 load_vector(uint first, uint count) {
    uvec4 size = SIZE, stride = STRIDE;
    JOIN_AXES
    uvec4 place = unravel(first, size);
    if (IS_RUN(place, size, stride)) return read_run(BASE + ravel(place, stride));
    uvec4 vector = uvec4(0);
    [[unroll]] for (uint i = 0; i < VECTOR_SIZE; i++) {
        if (first + i < count) put_element(vector, i, ELEMENT_AT(place, stride));
        next(place, size);
    }
    return vector;
}

#include "runs.glsl"

void main() {
    write_vectors(product(SIZE));
}
