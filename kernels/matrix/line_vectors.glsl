// SPDX-License-Identifier: Apache-2.0
// Lines of a and b (product.glsl) in vectors of 16 bytes, in the type that matrices multiply. VECTOR is the number of
// elements of a vector.
#if defined(DTYPE_F16) || defined(DTYPE_BF16) || defined(DTYPE_I8)
#define AS_STORED // operands are stored in the type that is multiplied
layout(binding = 0) readonly buffer AVectors { uvec4 a_vectors[]; };
layout(binding = 1) readonly buffer BVectors { uvec4 b_vectors[]; };
#endif

uint pack_two(float low, float high) {
#ifdef DTYPE_BF16
    return bf16_bits(low) | bf16_bits(high) << 16;
#else
    return packHalf2x16(vec2(low, high));
#endif
}

uvec4 pack_eight(vec4 low, vec4 high) {
    return uvec4(pack_two(low.x, low.y), pack_two(low.z, low.w), pack_two(high.x, high.y),
        pack_two(high.z, high.w));
}

// Return a vector's elements of a line from `first` on, a multiple of the vector's size; 0 beyond the line's end.
#ifdef DTYPE_I8
#define RAGGED(name, elements, start, axis)                                                   \
    uvec4 name(uint line, uint first) {                                                       \
        uvec4 bytes = uvec4(0);                                                               \
        for (uint i = 0; i < 16 && first + i < axis; i++)                                     \
            bytes[i / 4] |= (uint(elements[start + line * axis + first + i]) & 255u) << i % 4 * 8; \
        return bytes;                                                                         \
    }
RAGGED(a_ragged, a, A_START, A_AXIS)
RAGGED(b_ragged, b, B_START, B_AXIS)
#else
uvec4 a_ragged(uint line, uint first) {
    return pack_eight(a_quad(line, first), a_quad(line, first + 4));
}
uvec4 b_ragged(uint line, uint first) {
    return pack_eight(b_quad(line, first), b_quad(line, first + 4));
}
#endif
#ifdef AS_STORED
uvec4 a_whole(uint line, uint first) {
    return first < A_AXIS ? a_vectors[(A_START + line * A_AXIS + first) / VECTOR] : uvec4(0);
}
uvec4 b_whole(uint line, uint first) {
    return first < B_AXIS ? b_vectors[(B_START + line * B_AXIS + first) / VECTOR] : uvec4(0);
}
#define WHOLE (A_AXIS % VECTOR == 0 && B_AXIS % VECTOR == 0)
#else
uvec4 a_whole(uint line, uint first) {
    return pack_eight(a_whole_quad(line, first), a_whole_quad(line, first + 4));
}
uvec4 b_whole(uint line, uint first) {
    return pack_eight(b_whole_quad(line, first), b_whole_quad(line, first + 4));
}
#define WHOLE (A_WHOLE && B_WHOLE)
#endif
