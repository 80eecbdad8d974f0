// SPDX-License-Identifier: Apache-2.0
// A scalar and a vec4 kernel from one source: WIDTH (4, or 1 by default) elements at a time.
//
// A vec4 kernel declares each buffer twice at one binding, as T x[] and as WIDE x_wide[]. It accesses the last n % 4
// elements one by one, and nothing beyond the end.
#ifndef VKASSAY_WIDE
#define VKASSAY_WIDE

#include "types.glsl"

#ifndef WIDTH
#define WIDTH 1
#endif

#if WIDTH == 4 && defined(DTYPE_BF16)
#define WIDE uvec2
#define FLOATS vec4
#define LOAD_WIDE(x) bf16_unpacked(x)
#define STORE_WIDE(x) bf16_packed(x)
vec4 bf16_unpacked(uvec2 two) {
    return uintBitsToFloat(uvec4(two.x << 16, two.x & 0xffff0000u, two.y << 16, two.y & 0xffff0000u));
}

// Rounds as bf16_bits() does.
uvec2 bf16_packed(vec4 four) {
    uvec4 bits = floatBitsToUint(four);
    bits = mix(bits + 0x7fffu + (bits >> 16 & 1u), uvec4(0x7fc00000u), isnan(four));
    return bits.xz >> 16 | bits.yw & 0xffff0000u;
}
#elif WIDTH == 4
#define WIDE VEC4T
#define FLOATS vec4
#define LOAD_WIDE(x) LOAD4(x)
#define STORE_WIDE(x) STORE4(x)
#else
#define WIDE T
#define FLOATS float
#define LOAD_WIDE(x) LOAD(x)
#define STORE_WIDE(x) STORE(x)
#endif

#endif
