// SPDX-License-Identifier: Apache-2.0
// Computes y[o, j, i] = x[o, index, i]. INDEX gives the place of the index from j and from the place in y. An index out
// of range gives 0; as an unsigned number a negative one is large. An invocation takes ITEMS steps of WIDTH elements, a
// workgroup's width apart. If rows are no multiple of WIDTH, it takes single elements.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) readonly buffer Index { uint index[]; };
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer XWide { WIDE x_wide[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
layout(binding = 2) writeonly buffer YWide { WIDE y_wide[]; };
layout(push_constant) uniform Push { uint PUSHED; };

// Returns the step of x for step `to` of y, or ~0 for an index out of range. A moved row has `across` steps.
uint step_of(uint to, uint across) {
    const uint line = to / across, place = index[INDEX(line % count, to)];
    return place < size ? (line / count * size + place) * across + to % across : ~0u;
}

// All steps are loaded before one is stored.
#define MOVER(name, STEPS, FLOATS, x, y, LOAD, STORE)                                                      \
    void name(uint across) {                                                                               \
        const uint total = OUTER * count * across, first = linear_first(WG_SIZE * STEPS);                  \
        const uint left = total - min(first, total);                                                       \
        FLOATS loaded[STEPS];                                                                              \
        [[unroll]] for (uint item = 0, at = gl_LocalInvocationIndex; item < STEPS; item++, at += WG_SIZE)  \
            if (at < left) {                                                                               \
                const uint from = step_of(first + at, across);                                             \
                loaded[item] = FLOATS(0.0);                                                                \
                if (from != ~0u) loaded[item] = LOAD(x[from]);                                             \
            }                                                                                              \
        [[unroll]] for (uint item = 0, at = gl_LocalInvocationIndex; item < STEPS; item++, at += WG_SIZE)  \
            if (at < left) y[first + at] = STORE(loaded[item]);                                            \
    }

MOVER(move_wide, ITEMS, FLOATS, x_wide, y_wide, LOAD_WIDE, STORE_WIDE)
#if WIDTH > 1
MOVER(move_single, ITEMS * WIDTH, float, x, y, LOAD, STORE)
#endif

void main() {
    if (inner % WIDTH == 0) move_wide(inner / WIDTH);
#if WIDTH > 1
    else move_single(inner);
#endif
}
