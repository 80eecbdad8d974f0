// SPDX-License-Identifier: Apache-2.0
// Places in tensors of four dims.
#ifndef VKASSAY_VIEW
#define VKASSAY_VIEW

// Returns the place of element `at` in row-major order. Axes of one step take no division.
uvec4 unravel(uint at, uvec4 size) {
    uvec4 place = uvec4(0, 0, at / size.w, 0);
    place.w = at - place.z * size.w;
    if (size.x * size.y == 1) return place;
    place.y = place.z / size.z;
    place.z -= place.y * size.z;
    if (size.x == 1) return place;
    place.x = place.y / size.y;
    place.y -= place.x * size.y;
    return place;
}

// Advances to the place of the next element. Past the last element, the first dim exceeds its size.
void advance(inout uvec4 place, uvec4 size) {
    if (++place.w < size.w) return;
    place.w = 0;
    if (++place.z < size.z) return;
    place.z = 0;
    if (++place.y < size.y) return;
    place.y = 0;
    place.x++;
}

uint ravel(uvec4 place, uvec4 stride) {
    const uvec4 steps = place * stride;
    return steps.x + steps.y + steps.z + steps.w;
}

// Joins the innermost axes that are steps of one axis, because longer axes have longer runs.
void join_axes(inout uvec4 size, inout uvec4 stride) {
    [[unroll]] for (uint i = 0; i < 3; i++)
        if (size.z == 1 || stride.z == size.w * stride.w) {
            size = uvec4(1, size.xy, size.z * size.w);
            stride = uvec4(0, stride.xy, stride.w);
        }
}

uvec4 contiguous(uvec4 size) {
    return uvec4(size.y * size.z * size.w, size.z * size.w, size.w, 1u);
}

uint product(uvec4 size) {
    return size.x * size.y * size.z * size.w;
}

#endif
