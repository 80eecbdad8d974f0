// SPDX-License-Identifier: Apache-2.0
// The operands of c = a b in all its forms, for every shader of matrix products.
//
//     A_TURNED    a is [k, m]            B_TURNED   b is [n, k], a row for each output column;
//     BATCHES     matrices along z; a batch of one serves all;
//     OUTER       k is 1;
//     A_FLOAT     a is f32 in any case, like all data between passes.
//
// epilogue.glsl adds the macros of c. a and b are read as lines along the contiguous axis, one element or four at a
// time.
#ifndef VKASSAY_PRODUCT
#define VKASSAY_PRODUCT

#include "types.glsl"
#include "workgroup.glsl"

#if defined(DTYPE_Q8_0) || defined(DTYPE_Q4_0)
#define B_BLOCKS
#endif

#ifdef BATCHES
layout(push_constant) uniform Push { uint batch_a, batch_b, m, n, k; };
#elif defined(OUTER)
layout(push_constant) uniform Push { uint m, n; };
const uint k = 1;
#else
layout(push_constant) uniform Push { uint m, n, k; };
#endif

#ifdef A_FLOAT
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 0) readonly buffer A4 { vec4 a4[]; };
#define A_LOAD(value) (value)
#define A_LOAD4(value) (value)
#else
layout(binding = 0) readonly buffer A { T a[]; };
layout(binding = 0) readonly buffer A4 { VEC4T a4[]; };
#define A_LOAD(value) LOAD(value)
#define A_LOAD4(value) LOAD4(value)
#endif

#ifdef B_BLOCKS
layout(binding = 1) readonly buffer B { uint words[]; };
#include "blocks.glsl"
#else
layout(binding = 1) readonly buffer B { T b[]; };
layout(binding = 1) readonly buffer B4 { VEC4T b4[]; };
#endif

// Starts of this invocation's matrices. A shader with workgroups deeper than 1 along z defines MATRIX itself.
#ifdef BATCHES
#ifndef MATRIX
#define MATRIX gl_GlobalInvocationID.z
#endif
#define A_START (batch_a > 1 ? MATRIX * m * k : 0)
#define B_START (batch_b > 1 ? MATRIX * k * n : 0)
#define C_START (MATRIX * m * n)
#else
#define A_START 0
#define B_START 0
#endif

#ifdef A_TURNED
#define A_AXIS m
#define A_INDEX(row, at) ((at) * m + (row))
#else
#define A_AXIS k
#define A_INDEX(row, at) ((row) * k + (at))
#endif

#ifdef B_BLOCKS
#define B_ELEMENT(index) block_element(index)
#else
#define B_ELEMENT(index) LOAD(b[B_START + (index)])
#endif

#ifdef B_TURNED
#define B_AXIS k
#define B_INDEX(at, col) ((col) * k + (at))
#else
#define B_AXIS n
#define B_INDEX(at, col) ((at) * n + (col))
#endif

float a_at(uint row, uint at) {
    return A_LOAD(a[A_START + A_INDEX(row, at)]);
}

float b_at(uint at, uint col) {
    return B_ELEMENT(B_INDEX(at, col));
}

// Return four elements of a line from `first` on, a multiple of four; 0 beyond the line's end. If lines begin at
// vec4s, a test for the whole workgroup, `whole` reads vec4s. `inner` reads vec4s without testing for the line's
// end.
#define A_WHOLE (A_AXIS % 4 == 0)
vec4 a_inner_quad(uint line, uint first) {
    return A_LOAD4(a4[A_START / 4 + line * (A_AXIS / 4) + first / 4]);
}

vec4 a_whole_quad(uint line, uint first) {
    return first < A_AXIS ? a_inner_quad(line, first) : vec4(0.0);
}

vec4 a_ragged_quad(uint line, uint first) {
    const uint start = A_START + line * A_AXIS + first, left = A_AXIS - min(first, A_AXIS);
    vec4 four = vec4(0.0);
    [[unroll]] for (uint e = 0; e < 4; e++)
        if (left > e) four[e] = A_LOAD(a[start + e]);
    return four;
}

vec4 a_quad(uint line, uint first) {
    return A_WHOLE ? a_whole_quad(line, first) : a_ragged_quad(line, first);
}

#ifdef B_BLOCKS
#define B_WHOLE (B_AXIS % 32 == 0)
vec4 b_inner_quad(uint line, uint first) {
    const uint start = line * B_AXIS + first;
    return block_scale(start / 32) * block_quad(start / 32, start % 32 / 4);
}
#else
#define B_WHOLE (B_AXIS % 4 == 0)
vec4 b_inner_quad(uint line, uint first) {
    return LOAD4(b4[B_START / 4 + line * (B_AXIS / 4) + first / 4]);
}
#endif

vec4 b_whole_quad(uint line, uint first) {
    return first < B_AXIS ? b_inner_quad(line, first) : vec4(0.0);
}

vec4 b_ragged_quad(uint line, uint first) {
    const uint start = line * B_AXIS + first, left = B_AXIS - min(first, B_AXIS);
    vec4 four = vec4(0.0);
    [[unroll]] for (uint e = 0; e < 4; e++)
        if (left > e) four[e] = B_ELEMENT(start + e);
    return four;
}

vec4 b_quad(uint line, uint first) {
    return B_WHOLE ? b_whole_quad(line, first) : b_ragged_quad(line, first);
}

#include "epilogue.glsl"

#endif
