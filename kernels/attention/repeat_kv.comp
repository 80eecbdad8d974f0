// SPDX-License-Identifier: Apache-2.0
// Reads each vector of 16 bytes of the heads of keys (or values) once and writes it for every head of queries that
// shares it, or for COPIES of these. If heads are no whole vectors, it moves single elements. An invocation takes ITEMS
// elements, in steps a workgroup's width apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "grid.glsl"

layout(constant_id = 3) const uint ITEMS = 8;
const uint VECTORS = (ITEMS + VECTOR_SIZE - 1) / VECTOR_SIZE;
const uint COPIES = 64; // as in the grid

layout(binding = 0) readonly buffer X { ELEMENT x[]; };
layout(binding = 0) readonly buffer XVectors { uvec4 x_vectors[]; };
layout(binding = 1) writeonly buffer Y { ELEMENT y[]; };
layout(binding = 1) writeonly buffer YVectors { uvec4 y_vectors[]; };
layout(push_constant) uniform Push { uint batch, kv_heads, repeats, seq, head_dim; };

#define EACH_STEP(step, at, STEPS)                                                            \
    [[unroll]] for (uint step = 0, at = gl_LocalInvocationIndex; step < STEPS; step++, at += WG_SIZE)

// All steps are loaded before one is stored. A head has `across` steps.
#define REPEATER(name, STEP, STORED, STEPS, x, y)                                             \
    void name(uint group, uint copy, uint across) {                                           \
        const uint count = batch * kv_heads * across, end = min(copy + COPIES, repeats);      \
        const uint first = group * WG_SIZE * STEPS, left = count - min(first, count);         \
        STEP loaded[STEPS];                                                                   \
        EACH_STEP(step, at, STEPS) if (at < left) loaded[step] = STEP(x[first + at]);         \
        EACH_STEP(step, at, STEPS) {                                                          \
            if (at >= left) break;                                                            \
            uint to = first + at + ((first + at) / across * (repeats - 1) + copy) * across;   \
            for (uint i = copy; i < end; i++, to += across) y[to] = STORED(loaded[step]);     \
        }                                                                                     \
    }

REPEATER(repeat_vectors, uvec4, uvec4, VECTORS, x_vectors, y_vectors)
REPEATER(repeat_elements, uint, ELEMENT, ITEMS, x, y)

void main() {
    const uint head = seq * head_dim, groups = (batch * kv_heads * head - 1) / (WG_SIZE * ITEMS) + 1;
    const uint group = linear_group() % groups, copy = linear_group() / groups * COPIES;
    if (copy >= repeats) return;
    if (head % VECTOR_SIZE == 0)
        repeat_vectors(group, copy, head / VECTOR_SIZE);
    else
        repeat_elements(group, copy, head);
}
