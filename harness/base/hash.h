// SPDX-License-Identifier: Apache-2.0
// A 64-bit content hash (FNV-1a, draft-eastlake-fnv) for cache keys and generator keys. It does not resist
// adversaries.
#ifndef VKASSAY_BASE_HASH_H
#define VKASSAY_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_START 0xcbf29ce484222325u

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < length; i++) hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

// Hashes the terminating NUL too, so "ab","c" and "a","bc" differ.
static inline uint64_t hash_string(uint64_t hash, const char *string) {
    return hash_bytes(hash, string, strlen(string) + 1);
}

#endif
