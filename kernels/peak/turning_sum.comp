// SPDX-License-Identifier: Apache-2.0
// Each invocation reads four elements of a line again and again, further along each time. It reads from cached memory,
// or (SHARED) from a line kept in its workgroup's shared memory. Reads are vectors of four, because `cols` and `step`
// are multiples of four.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "grid.glsl"

layout(binding = 0) readonly buffer X { vec4 x[]; };
layout(binding = 1) writeonly buffer Y { vec4 y[]; };
layout(push_constant) uniform Push { uint rows, cols, step, rounds; };

#ifdef SHARED
shared vec4 line[WG_SIZE];
#endif

void main() {
    const uint vectors = cols / 4, item = linear_invocation(), row = item / vectors;
    const uint by = step / 4 % vectors, from = row * vectors;
    uint at = item - from;
#ifdef SHARED // each workgroup takes a line
    if (row < rows) line[at] = x[item];
    barrier();
#define READ line[at]
#else
#define READ x[from + at]
#endif
    if (row >= rows) return;
    vec4 sum = vec4(0.0);
#define TURN                                                                                  \
    {                                                                                         \
        sum += READ;                                                                          \
        at += by;                                                                             \
        at = min(at, at - vectors);                                                           \
    }
    uint i = 0;
    for (; i + 16 <= rounds; i += 16)
        [[unroll]] for (uint j = 0; j < 16; j++) TURN
    for (; i < rounds; i++) TURN
    y[item] = sum;
}
