// SPDX-License-Identifier: Apache-2.0
// Writing a contiguous y in quads of four elements, ITEMS of them an invocation, a workgroup's
// width apart. A place is found by division once a quad and moved on from element to element, as
// divisions are what such kernels spend their time on.
//
// Before including, declare T y[] and VEC4T y_wide[] at one binding and define vec4 load_quad(uint
// first, uint count), the elements from `first` on; those from `count` on do not matter. With
// BACKWARDS defined the last workgroup's quads come first: what a pass before read last is still in
// the caches.
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
