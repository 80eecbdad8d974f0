// SPDX-License-Identifier: Apache-2.0
// Passes that find the last source for each element of y, and write it. `last` holds 1 + j of this
// source, 0 for none. It is found as a maximum, because this does not depend on the order of the
// writers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(binding = 0) buffer Last { uint last[]; };
#ifdef MARK
layout(binding = 1) readonly buffer Index { uint index[]; };
#endif
#ifdef WRITE
layout(binding = 1) readonly buffer Source { T src[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
#endif
layout(push_constant) uniform Push { uint outer, size, inner, count; };

void clear(uint to) {
    if (to < outer * size * inner) last[to] = 0;
}

#ifdef MARK
void mark(uint from) {
    if (from >= outer * count * inner) return;
    const uint line = from / inner, place = index[from];
    const uint to = (line / count * size + place) * inner + from % inner;
    if (place < size) atomicMax(last[to], line % count + 1u);
}
#endif

#ifdef WRITE
void write(uint to) {
    if (to >= outer * size * inner || last[to] == 0u) return;
    const uint line = to / inner / size * count + (last[to] - 1u);
    y[to] = src[line * inner + to % inner];
}
#endif

void main() {
    PASS(linear_invocation());
}
