// SPDX-License-Identifier: Apache-2.0
// Buffers of a softmax over rows and its logits: x, or scale * x + mask if MASKED is defined.
//
// Maxima start at the least finite number instead of -inf. An invocation or a row with only -inf (or nothing) then has
// a sum of 0, not NaN.
#define LEAST uintBitsToFloat(0xff7fffffu)

#ifdef MASKED
layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) readonly buffer Mask { T mask[]; };
layout(binding = 1) readonly buffer Mask4 { VEC4T mask4[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
layout(binding = 2) writeonly buffer Y4 { VEC4T y4[]; };
layout(push_constant) uniform Push { uint rows, cols, mask_rows; float scale; };

float logit(uint row, uint col) {
    return scale * LOAD(x[row * cols + col]) + LOAD(mask[row % mask_rows * cols + col]);
}
// A wholly masked row is 0.
#define INVERSE(sum) ((sum) > 0.0 ? 1.0 / (sum) : 0.0)
#else
layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(binding = 1) writeonly buffer Y4 { VEC4T y4[]; };
layout(push_constant) uniform Push { uint rows, cols; };

float logit(uint row, uint col) {
    return LOAD(x[row * cols + col]);
}
#define INVERSE(sum) (1.0 / (sum))
#endif
