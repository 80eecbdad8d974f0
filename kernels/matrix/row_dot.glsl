// SPDX-License-Identifier: Apache-2.0
// Products of ROWS rows of w with x, shared among invocations.
//
// A row is taken in pieces of 16 bytes (half a block if w is quantised), so that neighbours read neighbouring
// memory. A piece of x serves all ROWS rows. If pieces of a row are not aligned, it is taken element by
// element. Rows beyond the last repeat it. UNROLL pieces are loaded at a time, because the limit is the
// number of loads in flight, not arithmetic.
//
// WORDS takes Q4_0 by single words, for rows of whole pairs of blocks; other rows go element by element.
//
// The shader declares `rows` and `cols` of w. With X_FLOAT x is f32 in any case, like all data between
// passes.
#ifndef VKASSAY_ROW_DOT
#define VKASSAY_ROW_DOT

#ifdef X_FLOAT
#define X_TYPE float
#define X_TYPE4 vec4
#define X_LOAD(value) (value)
#define X_LOAD4(value) (value)
#else
#define X_TYPE T
#define X_TYPE4 VEC4T
#define X_LOAD(value) LOAD(value)
#define X_LOAD4(value) LOAD4(value)
#endif

layout(constant_id = 3) const uint ROWS = 1;
layout(constant_id = 4) const uint UNROLL = 1;

layout(binding = 1) readonly buffer X { X_TYPE x[]; };
layout(binding = 1) readonly buffer X4 { X_TYPE4 x4[]; };

#if defined(DTYPE_Q8_0) || defined(DTYPE_Q4_0)
layout(binding = 0) readonly buffer W { uint words[]; };
#include "blocks.glsl"
#ifdef WORDS
const uint PIECE = 8, ALIGNED = 64;
#else
const uint PIECE = 16, ALIGNED = 32;
#endif
#elif defined(DTYPE_F16) || defined(DTYPE_BF16)
layout(binding = 0) readonly buffer W { T w[]; };
layout(binding = 0) readonly buffer W8 { uvec4 w8[]; };
const uint PIECE = 8, ALIGNED = 8;
#else
layout(binding = 0) readonly buffer W { T w[]; };
layout(binding = 0) readonly buffer W4 { vec4 w4[]; };
const uint PIECE = 4, ALIGNED = 4;
#endif

float row_sums[ROWS];
uint row_starts[ROWS];

float add_products(vec4 a, vec4 b, float sum) {
    return fma(a.w, b.w, fma(a.z, b.z, fma(a.y, b.y, fma(a.x, b.x, sum))));
}

#ifdef WORDS

// A float from 2^e on has whole numbers from bit 23 - e on. So a nibble becomes a float by a mask and a subtraction,
// which some devices do faster than a conversion.
#define NIBBLE(word, mask, power, less) (uintBitsToFloat((word) & (mask) | (power)) - (less))

vec4 fast_low_nibbles(uint word) {
    const uint high = word >> 16;
    return vec4(NIBBLE(word, 0xfu, 0x4b000000u, 8388616.0), NIBBLE(word, 0xf00u, 0x47000000u, 32776.0),
        NIBBLE(high, 0xfu, 0x4b000000u, 8388616.0), NIBBLE(high, 0xf00u, 0x47000000u, 32776.0));
}

vec4 fast_high_nibbles(uint word) {
    const uint high = word >> 16;
    return vec4(NIBBLE(word, 0xf0u, 0x49000000u, 524296.0), NIBBLE(word, 0xf000u, 0x45000000u, 2056.0),
        NIBBLE(high, 0xf0u, 0x49000000u, 524296.0), NIBBLE(high, 0xf000u, 0x45000000u, 2056.0));
}

// Takes a word of nibbles. Word i of a pair of blocks begins in word i of the pair's nine and ends in the next, because
// the first block's nibbles begin inside a word. The first word of each block has its scale.
void add_piece(uint x_first, uint piece) {
    const uint part = piece % 8, place = piece / 8 * 9 + part;
    const bool amid = part >= 4;
    uvec3 found[ROWS];
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        const uint at = row_starts[r] / 64 * 9 + place;
        found[r] = uvec3(words[at], words[at + 1], words[at - part % 4]);
    }
    const uint at_x = x_first / 4 + piece / 4 * 8 + piece % 4;
    const vec4 x_low = X_LOAD4(x4[at_x]), x_high = X_LOAD4(x4[at_x + 4]);
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        const uint word = amid ? found[r].y : found[r].x >> 16 | found[r].y << 16;
        const float low = add_products(fast_low_nibbles(word), x_low, 0.0);
        const float sum = add_products(fast_high_nibbles(word), x_high, low);
        row_sums[r] = fma(unpackHalf2x16(amid ? found[r].z >> 16 : found[r].z).x, sum, row_sums[r]);
    }
}

#elif defined(DTYPE_Q8_0) || defined(DTYPE_Q4_0)

void add_piece(uint x_first, uint piece) {
    const uint part = piece % 2, x_block = x_first / 4 + piece / 2 * 8;
    vec4 of_x[4];
    [[unroll]] for (uint i = 0; i < 4; i++)
#if defined(DTYPE_Q8_0)
        of_x[i] = X_LOAD4(x4[x_block + part * 4 + i]);
#else
        of_x[i] = X_LOAD4(x4[x_block + part * 2 + i % 2 + i / 2 * 4]);
#endif
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        const uint block = row_starts[r] / 32 + piece / 2;
        vec4 of_w[4];
        block_half(block, part, of_w);
        float sum = 0.0;
        [[unroll]] for (uint i = 0; i < 4; i++) sum = add_products(of_w[i], of_x[i], sum);
        row_sums[r] = fma(block_scale(block), sum, row_sums[r]);
    }
}

#elif defined(DTYPE_F16) || defined(DTYPE_BF16)

vec4 unpack(uint low, uint high) {
#if defined(DTYPE_F16)
    return vec4(unpackHalf2x16(low), unpackHalf2x16(high));
#else
    return uintBitsToFloat(uvec4(low << 16, low & 0xffff0000u, high << 16, high & 0xffff0000u));
#endif
}

void add_piece(uint x_first, uint piece) {
    const uint at = x_first / 4 + piece * 2;
    const vec4 x_low = X_LOAD4(x4[at]), x_high = X_LOAD4(x4[at + 1]);
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        const uvec4 eight = w8[row_starts[r] / 8 + piece];
        const float sum = add_products(unpack(eight.x, eight.y), x_low, row_sums[r]);
        row_sums[r] = add_products(unpack(eight.z, eight.w), x_high, sum);
    }
}

#else

void add_piece(uint x_first, uint piece) {
    const vec4 four = X_LOAD4(x4[x_first / 4 + piece]);
    [[unroll]] for (uint r = 0; r < ROWS; r++)
        row_sums[r] = add_products(w4[row_starts[r] / 4 + piece], four, row_sums[r]);
}

#endif

float weight(uint index) {
#if defined(DTYPE_Q8_0) || defined(DTYPE_Q4_0)
    return block_element(index);
#else
    return LOAD(w[index]);
#endif
}

void add_element(uint x_first, uint col) {
    const float value = X_LOAD(x[x_first + col]);
    [[unroll]] for (uint r = 0; r < ROWS; r++)
        row_sums[r] = fma(weight(row_starts[r] + col), value, row_sums[r]);
}

// Sets row_sums to the products of the rows from `first_row` on with the vector at x_first. It adds up only the share
// of invocation `lane` of `lanes` in part `part` of `parts`.
void dot_rows(uint first_row, uint x_first, uint lane, uint lanes, uint part, uint parts) {
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        row_sums[r] = 0.0;
        row_starts[r] = min(first_row + r, rows - 1) * cols;
    }
    const bool whole = cols % ALIGNED == 0;
    const uint units = whole ? cols / PIECE : cols, share = (units + parts - 1) / parts;
    const uint end = min(share * (part + 1), units);
    uint unit = share * part + lane;
    if (whole) {
        for (; unit + (UNROLL - 1) * lanes < end; unit += UNROLL * lanes)
            [[unroll]] for (uint u = 0; u < UNROLL; u++) add_piece(x_first, unit + u * lanes);
        for (; unit < end; unit += lanes) add_piece(x_first, unit);
    } else {
        for (; unit < end; unit += lanes) add_element(x_first, unit);
    }
}

#endif
