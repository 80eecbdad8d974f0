// SPDX-License-Identifier: Apache-2.0
// Writes a contiguous y in quads of four elements. An invocation writes ITEMS quads, a workgroup's width apart. A
// place is found by division once per quad and then advanced from element to element. The reason is that divisions
// take most of the time of such kernels.
//
// Before including this file, declare T y[] and VEC4T y_wide[] at one binding. Also define vec4 load_quad(uint
// first, uint count) for the elements from `first` on; elements from `count` on do not matter. With BACKWARDS
// defined the last workgroup's quads come first, because the caches still hold the data that the previous pass read
// last.
#ifndef VKASSAY_QUADS
#define VKASSAY_QUADS

layout(constant_id = 3) const uint ITEMS = 1;

void write_quads(uint count) {
    const uint whole = count / 4, quads = whole + min(count % 4, 1);
    uint first = linear_first(WG_SIZE * ITEMS);
#ifdef BACKWARDS
    const uint last = max(quads, 1) - 1, start = last - last % (WG_SIZE * ITEMS);
    first = first > start ? quads : start - first;
#endif
    const uint left = quads - min(first, quads);
    vec4 loaded[ITEMS];
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) loaded[item] = load_quad((first + at) * 4, count);
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE) {
        const uint quad = first + at;
        if (at < left && quad < whole) y_wide[quad] = STORE4(loaded[item]);
        if (at < left && quad == whole)
            for (uint i = 0; i < count % 4; i++) y[quad * 4 + i] = STORE(loaded[item][i]);
    }
}

#endif
