// SPDX-License-Identifier: Apache-2.0
// Sizes of a pooling over two axes, or over one (LINE defined), how a window is gone through, and what a
// mean (MEAN defined) is divided by. Define BATCH as "uint n;" where n is pushed first.
#ifndef VKASSAY_POOL
#define VKASSAY_POOL

layout(constant_id = 3) const uint ITEMS = 4;

#ifndef BATCH
#define BATCH
#endif

#ifdef MEAN
#define LAST int count_include_pad
const uint dilation = 1;
#else
#define LAST uint dilation
#endif

#ifdef LINE
layout(push_constant) uniform Push { uint c, w, kw, ow, stride, pad; LAST; };
const uint h = 1, kh = 1, oh = 1;
#define PAD_Y 0
#else
layout(push_constant) uniform Push { BATCH uint c, h, w, kh, kw, oh, ow, stride, pad; LAST; };
#define PAD_Y pad
#endif

#define NEGATIVE_INFINITY uintBitsToFloat(0xff800000u)

// What a window starts with, and what a value makes of what has been found.
#ifdef MEAN
#define START 0.0
#define TAKE(result, value) ((result) + (value))

// Taps of a window that begins at `origin`: in the picture, or in the picture and its padding.
uint counted(int origin, uint taps, uint size, uint padding) {
    const bool padded = count_include_pad != 0;
    const int end = int(padded ? size + padding : size);
    return uint(min(origin + int(taps), end) - (padded ? origin : max(origin, 0)));
}

float divisor(int top, int left) {
    return float(counted(top, kh, h, PAD_Y) * counted(left, kw, w, pad));
}
#else
#define START NEGATIVE_INFINITY
#define TAKE(result, value) ((value) > (result) ? (value) : (result))
#endif

#endif
