// SPDX-License-Identifier: Apache-2.0
// Finds the last source of each element of y in shared memory. A workgroup takes CHUNK elements of the inner axis and
// ROOM places of the axis written. It looks through all indices of its elements and keeps 1 + j of the last source, 0
// for none, as a maximum. This does not depend on the order. Then it writes the elements that have a source. An
// invocation takes ITEMS elements at a time.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(constant_id = 3) const uint ITEMS = 4;
layout(constant_id = 4) const uint CHUNK = 16;
layout(constant_id = 5) const uint ROOM = 256;

layout(binding = 0) readonly buffer Index { uint index[]; };
layout(binding = 1) readonly buffer Source { T src[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint outer, size, inner, count; };

shared uint last[ROOM * CHUNK];

#define EACH_ITEM(item, at, total)                                                             \
    [[unroll]] for (uint item = 0, at = first; item < ITEMS; item++, at += WG_SIZE)            \
        if (at < total)

// Marks the sources of `width` columns from `origin` on, for `places` places from `base` on.
void mark(uint origin, uint width, uint base, uint places) {
    for (uint first = gl_LocalInvocationIndex; first < count * CHUNK; first += WG_SIZE * ITEMS) {
        uint place[ITEMS];
        [[unroll]] for (uint item = 0; item < ITEMS; item++) place[item] = places;
        EACH_ITEM(item, at, count * CHUNK)
            if (at % CHUNK < width) place[item] = index[origin + at / CHUNK * inner + at % CHUNK] - base;
        EACH_ITEM(item, at, count * CHUNK)
            if (place[item] < places) atomicMax(last[place[item] * CHUNK + at % CHUNK], at / CHUNK + 1u);
    }
}

// Writes the elements that have a source. Their first is at `to`, the first source of these columns at `origin`.
void write(uint origin, uint width, uint to, uint places) {
    for (uint first = gl_LocalInvocationIndex; first < places * CHUNK; first += WG_SIZE * ITEMS) {
        float value[ITEMS];
        EACH_ITEM(item, at, places * CHUNK)
            if (last[at] > 0 && at % CHUNK < width)
                value[item] = LOAD(src[origin + (last[at] - 1u) * inner + at % CHUNK]);
        EACH_ITEM(item, at, places * CHUNK)
            if (last[at] > 0 && at % CHUNK < width) y[to + at / CHUNK * inner + at % CHUNK] = STORE(value[item]);
    }
}

void main() {
    const uint across = (inner - 1) / CHUNK + 1, ranges = (size - 1) / ROOM + 1, group = linear_group();
    if (group >= outer * ranges * across) return;
    const uint col = group % across * CHUNK, base = group / across % ranges * ROOM, line = group / across / ranges;
    const uint width = min(CHUNK, inner - col), places = min(ROOM, size - base), origin = line * count * inner + col;
    for (uint at = gl_LocalInvocationIndex; at < ROOM * CHUNK; at += WG_SIZE) last[at] = 0;
    barrier();
    mark(origin, width, base, places);
    barrier();
    write(origin, width, (line * size + base) * inner + col, places);
}
