// SPDX-License-Identifier: Apache-2.0
// A row that is read once: each invocation of its workgroup keeps its first ITEMS columns in
// registers, and comes back for those beyond WG_SIZE * ITEMS.
//
// The shader declares float element(uint col), which reads or computes the row's element, before it
// includes this file. The loops take an item that is kept and its column, or a column that is not.
// They must be unrolled: an array that is indexed at run time lies in memory.
#ifndef VKASSAY_ROW_CACHE
#define VKASSAY_ROW_CACHE

#include "workgroup.glsl"

layout(constant_id = 3) const uint ITEMS = 16;

float kept[ITEMS];

#define EACH_ITEM(item) [[unroll]] for (uint item = 0; item < ITEMS; item++)
#define EACH_KEPT(item, col) \
    [[unroll]] for (uint item = 0, col = gl_LocalInvocationIndex; item < ITEMS; item++, col += WG_SIZE)
#define EACH_OTHER(col, cols) \
    for (uint col = gl_LocalInvocationIndex + WG_SIZE * ITEMS; col < cols; col += WG_SIZE)

// Columns beyond the row's end are kept as `beyond`.
void keep_row(uint cols, float beyond) {
    EACH_KEPT(item, col) kept[item] = col < cols ? element(col) : beyond;
}

#endif
