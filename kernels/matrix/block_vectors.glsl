// SPDX-License-Identifier: Apache-2.0
// Lines of a and b (product.glsl) in vectors of eight, as they are stored and as matrices multiply them. Fetched data
// stay as they are until they are needed, so nothing waits for them earlier. Places count units of the buffers, so the
// next chunk is one addition away.
//
// Quantised weights become f16 in pairs, because two numbers of a word, 16 bits apart, need only a mask. An f16 from
// 1024 on has whole numbers in its last bits. a has the same order in a vector.
//
//     WIDE_A    an earlier pass converted a to f16 in this order
#if !defined(B_BLOCKS)

#define EIGHT_OF_A uvec4
#define EIGHT_OF_B uvec4
#define LINES_FIT WHOLE
#define A_PLACE(line, first) (((line) * k + (first)) / VECTOR)
#define B_PLACE(line, first) (((line) * k + (first)) / VECTOR)
#define A_UNITS(count) ((count) / VECTOR)
#define B_UNITS(count) ((count) / VECTOR)
#define a_fetch(place) a_vectors[place]
#define b_fetch(place) b_vectors[place]
#define a_ready(eight) (eight)
#define b_ready(eight, at) (eight)

uvec4 a_vector(uint line, uint first) {
    return WHOLE ? a_whole(line, first) : a_ragged(line, first);
}

uvec4 b_vector(uint line, uint first) {
    return WHOLE ? b_whole(line, first) : b_ragged(line, first);
}

#else

#include "block_eights.glsl"
#include "block_order.glsl"

// A line is whole pairs of blocks. A pair has 17 or 9 words, and an invocation takes STRIDE of them and one more.
#if defined(DTYPE_Q8_0)
const uint STRIDE = 2;
#define EIGHT_OF_B uvec3
#define b_fetch(place) uvec3(words[place], words[(place) + 1], words[(place) + 2])
#else
const uint STRIDE = 1;
#define EIGHT_OF_B uvec2
#define b_fetch(place) uvec2(words[place], words[(place) + 1])
#endif
#define LINES_FIT (k % 64 == 0)
#define B_UNITS(count) ((count) / 64 * (8 * STRIDE + 1))
#define B_PLACE(line, first) ((line) * B_UNITS(k) + B_UNITS(first) + (first) / 8 % 8 * STRIDE)

uint scaled(f16vec2 numbers, f16vec2 scales) {
    return packFloat2x16(numbers * scales);
}

// Returns eight weights in f16, from their bytes and a word with the scale in its low half.
uvec4 halves_of(uvec2 bytes, uint scale) {
    const f16vec2 scales = unpackFloat2x16(scale & 0xffffu | scale << 16);
    uvec4 ready;
#if defined(DTYPE_Q8_0)
    const uvec4 pairs = uvec4(bytes.x, bytes.x >> 8, bytes.y, bytes.y >> 8) & 0x00ff00ffu ^ 0x64806480u;
    [[unroll]] for (uint i = 0; i < 4; i++)
        ready[i] = scaled(unpackFloat2x16(pairs[i]) - f16vec2(1152.0), scales);
#else
    [[unroll]] for (uint i = 0; i < 2; i++) {
        const uint low = bytes.x >> 8 * i & 0x000f000fu, high = bytes.x >> 8 * i & 0x00f000f0u;
        ready[2 * i] = scaled(unpackFloat2x16(low | 0x64006400u) - f16vec2(1032.0), scales);
        ready[2 * i + 1] = scaled(unpackFloat2x16(high | 0x64006400u) * f16vec2(0.0625) - f16vec2(72.0), scales);
    }
#endif
    return ready;
}

// Returns the weights of vector `at` of a chunk. The first of the four invocations of a block has its scale.
uvec4 b_ready(EIGHT_OF_B eight, uint at) {
    const uint scale = subgroupShuffle(eight.x, gl_SubgroupInvocationID & ~3u);
    const bool amid = at % 8 >= 4;
#if defined(DTYPE_Q8_0)
    const uvec2 bytes = amid ? eight.yz : eight.xy >> 16 | eight.yz << 16;
#else
    const uvec2 bytes = uvec2(amid ? eight.y : eight.x >> 16 | eight.y << 16, 0);
#endif
    return halves_of(bytes, amid ? scale >> 16 : scale);
}

uvec4 b_vector(uint line, uint first) {
    if (k % 32 != 0) return b_ragged(line, first);
    if (first >= k) return uvec4(0);
    const uint block = (line * k + first) / 32;
    const uvec4 eight = block_eight(block, first / 8 % 4);
    return halves_of(eight_bytes(eight, block), eight_scale(eight, block));
}

#ifdef WIDE_A

layout(binding = 0) readonly buffer AVectors { uvec4 a_vectors[]; };
#define EIGHT_OF_A uvec4
#define A_UNITS(count) ((count) / 8)
#define A_PLACE(line, first) (((line) * k + (first)) / 8)
#define a_fetch(place) a_vectors[place]
#define a_ready(eight) (eight)
uvec4 a_vector(uint line, uint first) {
    return first < k ? a_vectors[(line * k + first) / 8] : uvec4(0);
}

#else

#define EIGHT_OF_A eight_floats
#define A_UNITS(count) ((count) / 4)
#define A_PLACE(line, first) ((line) * (k / 4) + FIRST_QUAD(first))
#define a_fetch(place) eight_floats(a4[place], a4[(place) + QUADS_APART])
#define a_ready in_order
uvec4 a_vector(uint line, uint first) {
    if (k % 32 != 0) return a_ragged(line, first);
    return first < k ? in_order(a_fetch(A_PLACE(line, first))) : uvec4(0);
}

#endif

#endif
