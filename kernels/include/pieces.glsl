// SPDX-License-Identifier: Apache-2.0
// Pictures with channels side by side (NHWC), cut in pieces of at most PIXELS pixels. Only the last piece of a plane
// may differ in size. Each workgroup takes WG_X channels of a piece, and WG_Y of its invocations share a channel.
#ifndef VKASSAY_PIECES
#define VKASSAY_PIECES

layout(constant_id = 3) const uint PIXELS = 256;

uint pieces_of(uint plane) {
    return (plane + PIXELS - 1u) / PIXELS;
}

// Returns the number of pixels in each piece of a plane except the last.
uint span_of(uint plane) {
    const uint pieces = pieces_of(plane);
    return (plane + pieces - 1u) / pieces;
}

// Returns the number of pixels in a piece.
uint pixels_of(uint piece, uint plane) {
    const uint span = span_of(plane);
    return min(span, plane - piece * span);
}

#endif
