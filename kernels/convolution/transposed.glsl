// SPDX-License-Identifier: Apache-2.0
// Sizes and buffers of a transposed convolution over two axes, or over one (LINE defined). The input x is n pictures of
// cin channels, h x w; the output y is n of cout, oh x ow. With GRADIENT defined it is the gradient of a convolution,
// which has no bias.
#ifndef VKASSAY_TRANSPOSED
#define VKASSAY_TRANSPOSED

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer Weight { T weight[]; };
#ifdef GRADIENT
layout(binding = 2) writeonly buffer Y { T y[]; };
#define BIAS(channel) 0.0
#else
layout(binding = 2) readonly buffer Bias { T bias[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };
#define BIAS(channel) LOAD(bias[channel])
#endif

#ifdef LINE
layout(push_constant) uniform Push {
    uint n, cin, w, cout, kw, stride, pad, dilation, groups, ow, cout_group;
};
const uint h = 1, kh = 1, oh = 1;
#define STRIDE_Y 1
#define PAD_Y 0
#else
layout(push_constant) uniform Push {
    uint n, cin, h, w, cout, kh, kw, stride, pad, dilation, groups, oh, ow, cout_group;
};
#define STRIDE_Y stride
#define PAD_Y pad
#endif

#endif
