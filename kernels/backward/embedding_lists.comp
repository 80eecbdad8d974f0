// SPDX-License-Identifier: Apache-2.0
// Gradient of an embedding by lists. The first pass empties the list of each row of the table, the second puts each
// reader into the list of its row (LINK defined). The third adds up the readers of each row (SUM defined): a row is
// written once, and most rows have none. `head` and `next` hold 1 + i of a reader, 0 for none. An invocation of the
// third takes ITEMS quads of columns, a workgroup's width apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "row_quads.glsl"

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) buffer Head { uint head[]; };
#ifdef LINK
layout(binding = 1) buffer Next { uint next[]; };
layout(binding = 2) readonly buffer Index { uint index[]; };
#endif
#ifdef SUM
layout(binding = 1) readonly buffer Next { uint next[]; };
layout(binding = 2) readonly buffer Dy { T dy[]; };
layout(binding = 2) readonly buffer Dy4 { VEC4T dy4[]; };
layout(binding = 3) writeonly buffer Dtable { T dtable[]; };
layout(binding = 3) writeonly buffer Dtable4 { VEC4T dtable4[]; };
#endif
layout(push_constant) uniform Push { uint rows, cols, n; };

void empty() {
    const uint row = linear_invocation();
    if (row < rows) head[row] = 0;
}

#ifdef LINK
void link() {
    const uint i = linear_invocation();
    if (i >= n) return;
    const uint row = index[i];
    if (row < rows) next[i] = atomicExchange(head[row], i + 1);
}
#endif

#ifdef SUM
QUAD_READER(dy_quad, dy, dy4)
QUAD_WRITER(put_quad, dtable, dtable4)

void sum() {
    const uint across = (cols + 3) / 4, first = linear_item(WG_SIZE * ITEMS, gl_LocalInvocationIndex);
    take_row(0, cols);
    uint row[ITEMS], reader[ITEMS];
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        const uint quad = first + item * WG_SIZE;
        row[item] = quad < first ? rows : quad / across;
        reader[item] = row[item] < rows ? head[row[item]] : 0;
    }
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        if (row[item] >= rows) continue;
        const uint col = 4 * (first + item * WG_SIZE - row[item] * across);
        vec4 total = vec4(0.0);
        for (uint i = reader[item]; i > 0; i = next[i - 1]) total += dy_quad((i - 1) * cols, col);
        put_quad(row[item] * cols, col, total);
    }
}
#endif

void main() {
    PASS();
}
