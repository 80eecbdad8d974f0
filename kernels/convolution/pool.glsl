// SPDX-License-Identifier: Apache-2.0
// Sizes of a pooling over two axes, or over one (LINE defined). Also the combination of a window's values, and the
// divisor of a mean (MEAN defined). Define BATCH as "uint n;" if n is pushed first.
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

// START is the initial result of a window. TAKE adds a value to a result.
#ifdef MEAN
#define START 0.0
#define TAKE(result, value) ((result) + (value))

// Returns how many taps of a window that begins at `origin` are in the picture, or in the picture and its padding.
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
