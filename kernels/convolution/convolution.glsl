// SPDX-License-Identifier: Apache-2.0
// Sizes of a convolution over two axes, or over one (LINE defined), as over a picture of one row. A place above or to
// the left of the picture wraps around, so it is beyond the end too.
#ifndef VKASSAY_CONVOLUTION
#define VKASSAY_CONVOLUTION

#ifdef LINE
layout(push_constant) uniform Push {
    uint n, cin, w, cout, kw, stride, pad, dilation, groups, ow, cin_group;
};
const uint h = 1, kh = 1, oh = 1;
#define PAD_Y 0
#else
layout(push_constant) uniform Push {
    uint n, cin, h, w, cout, kh, kw, stride, pad, dilation, groups, oh, ow, cin_group;
};
#define PAD_Y pad
#endif

#endif
