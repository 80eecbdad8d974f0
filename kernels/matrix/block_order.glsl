// SPDX-License-Identifier: Apache-2.0
// Eight floats of a line as f16, in the order that block_vectors.glsl gives eight quantised weights. Lines are of whole
// blocks.
#if defined(DTYPE_Q8_0)
const uint QUADS_APART = 1;
#define FIRST_QUAD(first) ((first) / 4)
#else
const uint QUADS_APART = 4;
#define FIRST_QUAD(first) ((first) / 32 * 8 + (first) / 8 % 4)
#endif

struct eight_floats {
    vec4 first, second;
};

uvec4 in_order(eight_floats eight) {
    const vec4 first = eight.first, second = eight.second;
#if defined(DTYPE_Q8_0)
    return uvec4(packHalf2x16(first.xz), packHalf2x16(first.yw), packHalf2x16(second.xz), packHalf2x16(second.yw));
#else
    return uvec4(packHalf2x16(first.xz), packHalf2x16(second.xz), packHalf2x16(first.yw), packHalf2x16(second.yw));
#endif
}
