// SPDX-License-Identifier: Apache-2.0
// Moves the elements of a block to the places of their digits. The block is first sorted in shared memory, by four bits
// and then by four more, so that neighbours are written side by side.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "radix.glsl"
#include "radix_scan.glsl"

layout(binding = 1) readonly buffer Counts { uint counts[]; };
layout(binding = 2) readonly buffer Totals { uint totals[]; };
#if defined(DTYPE_F32)
layout(binding = 3) writeonly buffer To { uint to[]; };
layout(binding = 3) writeonly buffer ToPairs { uvec2 to_pairs[]; };
#elif defined(TO_Y)
layout(binding = 3) writeonly buffer To { uint to[]; };
#else
layout(binding = 3) writeonly buffer ToPairs { uvec2 to_pairs[]; };
#endif
layout(push_constant) uniform Push { uint rows, cols, blocks, shift; };

// Writes an element, or, after the last digit, its place.
void put(uint at, uvec2 element) {
#if defined(DTYPE_F32)
    if (shift == 24u)
        to[at] = element.y;
    else
        to_pairs[at] = element;
#elif defined(TO_Y)
    to[at] = element.y;
#else
    to_pairs[at] = element;
#endif
}

// Counters of 16 digits per invocation, and later keys and places of ITEMS elements. A word is skipped after each 32,
// so that invocations in step meet different banks.
#define PADDED(at) ((at) + (at) / 32u)
shared uint words[2u * BLOCK + 2u * BLOCK / 32u];
#define WORD(at) words[PADDED(at)]
shared uint digit_to[DIGITS];

uvec2 own[ITEMS]; // neighbouring elements, in order

// Sorts the block by four bits: each invocation counts its own elements, then all counts are summed, digit by digit.
void sort_nibble(uint shift) {
    const uint i = gl_LocalInvocationIndex;
    uint before[ITEMS];
    for (uint digit = 0u; digit < 16u; digit++) WORD(digit * WG_SIZE + i) = 0u;
    [[unroll]] for (uint j = 0u; j < ITEMS; j++)
        before[j] = WORD((own[j].x >> shift & 15u) * WG_SIZE + i)++;
    barrier();
    uint sum = 0u, total;
    for (uint j = 0u; j < 16u; j++) sum += WORD(16u * i + j);
    sum = total_before(sum, total);
    for (uint j = 0u; j < 16u; j++) {
        const uint count = WORD(16u * i + j);
        WORD(16u * i + j) = sum;
        sum += count;
    }
    barrier();
    [[unroll]] for (uint j = 0u; j < ITEMS; j++)
        before[j] += WORD((own[j].x >> shift & 15u) * WG_SIZE + i);
    barrier();
    [[unroll]] for (uint j = 0u; j < ITEMS; j++) {
        WORD(before[j]) = own[j].x;
        WORD(BLOCK + before[j]) = own[j].y;
    }
    barrier();
}

void take_own() {
    const uint first = gl_LocalInvocationIndex * ITEMS;
    [[unroll]] for (uint j = 0u; j < ITEMS; j++) own[j] = uvec2(WORD(first + j), WORD(BLOCK + first + j));
    barrier();
}

// The digits of this invocation: their totals in the row, and their counts in the blocks before.
const uint SHARE = (DIGITS + WG_SIZE - 1u) / WG_SIZE;
uint own_totals[SHARE], own_counts[SHARE];

void load_counts(uint row, uint block) {
    [[unroll]] for (uint i = 0u; i < SHARE; i++) {
        const uint digit = row * DIGITS + min(gl_LocalInvocationIndex * SHARE + i, DIGITS - 1u);
        own_totals[i] = totals[digit];
        own_counts[i] = counts[digit * blocks + block];
    }
}

// Replaces digit_to, the block's first place of each digit, by the distance from there to the digit's final place.
void find_places() {
    const uint first = gl_LocalInvocationIndex * SHARE;
    uint sum = 0u, total;
    [[unroll]] for (uint i = 0u; i < SHARE; i++)
        if (first + i < DIGITS) sum += own_totals[i];
    sum = total_before(sum, total);
    [[unroll]] for (uint i = 0u; i < SHARE; i++)
        if (first + i < DIGITS) {
            digit_to[first + i] = sum + own_counts[i] - digit_to[first + i];
            sum += own_totals[i];
        }
    barrier();
}

void main() {
    const uint row = linear_group() / blocks, block = linear_group() % blocks;
    if (row >= rows) return;
    const uint first = block * BLOCK, count = min(cols - first, BLOCK), start = row * cols;
    const uint own_first = gl_LocalInvocationIndex * ITEMS;
    [[unroll]] for (uint j = 0u; j < ITEMS; j++) own[j] = ELEMENT(start, first + min(own_first + j, count - 1u));
    load_counts(row, block);
    [[unroll]] for (uint j = 0u; j < ITEMS; j++)
        if (own_first + j >= count) own[j] = uvec2(~0u, 0u); // after all others
    // Digits that the block lacks have no place, but find_places reads all.
    for (uint digit = gl_LocalInvocationIndex; digit < DIGITS; digit += WG_SIZE) digit_to[digit] = 0u;
    sort_nibble(shift);
    take_own();
    sort_nibble(shift + 4u);
    for (uint at = gl_LocalInvocationIndex; at < count; at += WG_SIZE) {
        const uint digit = digit_of(WORD(at), shift);
        if (at == 0u || digit_of(WORD(at - 1u), shift) != digit) digit_to[digit] = at;
    }
    barrier();
    find_places();
    for (uint at = gl_LocalInvocationIndex; at < count; at += WG_SIZE) {
        const uvec2 element = uvec2(WORD(at), WORD(BLOCK + at));
        put(start + digit_to[digit_of(element.x, shift)] + at, element);
    }
}
