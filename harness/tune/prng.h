// SPDX-License-Identifier: Apache-2.0
// Random numbers: splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
#ifndef VKASSAY_TUNE_PRNG_H
#define VKASSAY_TUNE_PRNG_H

#include <stddef.h>
#include <stdint.h>

// Returns an integer below `limit` (1 or more), uniform to within limit / 2^32.
static inline size_t random_below(uint64_t *state, size_t limit) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (size_t)(((z >> 32) * (uint64_t)limit) >> 32);
}

#endif
