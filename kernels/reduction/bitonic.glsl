// SPDX-License-Identifier: Apache-2.0
// A bitonic sort in shared memory (K. Batcher, Sorting networks and their applications, 1968) of up to
// CAPACITY keys, greatest first. Takes CAPACITY * 8 bytes.
#include "workgroup.glsl"
#include "keys.glsl"

layout(constant_id = 3) const uint CAPACITY = 1024;

shared uvec2 sorted[CAPACITY];

// Returns the least power of two that is not below n.
uint sort_length(uint n) {
    return n <= 1u ? 1u : 2u << findMSB(n - 1u);
}

// Puts two keys in order. `pair` is the number of a pair of places that differ only in the bit `distance`.
void sort_pair(uint pair, uint distance, uint run) {
    const uint low = 2 * pair - (pair & (distance - 1)), high = low + distance;
    const uvec2 a = sorted[low], b = sorted[high];
    const bool falling = (low & run) == 0;
    if (above(b, a) != falling) return;
    sorted[low] = b;
    sorted[high] = a;
}

// Sorts `length` keys, a power of two. Every invocation must call, after a barrier.
void sort_keys(uint length) {
    for (uint run = 2; run <= length; run *= 2)
        for (uint distance = run / 2; distance > 0; distance /= 2) {
            for (uint pair = gl_LocalInvocationIndex; pair < length / 2; pair += WG_SIZE)
                sort_pair(pair, distance, run);
            barrier();
        }
}
