// SPDX-License-Identifier: Apache-2.0
// Passes that find the last source for each element of y, and write it. `last` holds 1 + j of this source, 0 for none.
// It is found as a maximum, because this does not depend on the order of the writers. An invocation takes ITEMS
// elements, a workgroup's width apart. Divisions find the first place only.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "digits.glsl"

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) buffer Last { uint last[]; };
#ifdef MARK
layout(binding = 1) readonly buffer Index { uint index[]; };
#endif
#ifdef WRITE
layout(binding = 1) readonly buffer Source { T src[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
#endif
layout(push_constant) uniform Push { uint outer, size, inner, count; };

#define EACH_ITEM(item, at, total)                                                             \
    [[unroll]] for (uint item = 0, at = first; item < ITEMS; item++, at += WG_SIZE)            \
        if (at >= first && at < total)

void clear(uint first) {
    EACH_ITEM(item, to, outer * size * inner) last[to] = 0;
}

#ifdef MARK
void mark(uint first) {
    const uvec3 step = digits_of(WG_SIZE, count, inner);
    uvec3 digits = digits_of(first, count, inner);
    uint place[ITEMS];
    [[unroll]] for (uint item = 0; item < ITEMS; item++) place[item] = size;
    EACH_ITEM(item, from, outer * count * inner) place[item] = index[from];
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        if (place[item] < size)
            atomicMax(last[(digits.x * size + place[item]) * inner + digits.z], digits.y + 1u);
        digits = count_on(digits, step, count, inner);
    }
}
#endif

#ifdef WRITE
void write(uint first) {
    const uvec3 step = digits_of(WG_SIZE, size, inner);
    uvec3 digits = digits_of(first, size, inner);
    uint source[ITEMS];
    float value[ITEMS];
    [[unroll]] for (uint item = 0; item < ITEMS; item++) source[item] = 0;
    EACH_ITEM(item, to, outer * size * inner) source[item] = last[to];
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        if (source[item] > 0) value[item] = LOAD(src[(digits.x * count + source[item] - 1u) * inner + digits.z]);
        digits = count_on(digits, step, size, inner);
    }
    [[unroll]] for (uint item = 0; item < ITEMS; item++)
        if (source[item] > 0) y[first + item * WG_SIZE] = STORE(value[item]);
}
#endif

void main() {
    PASS(linear_item(WG_SIZE * ITEMS, gl_LocalInvocationIndex));
}
