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

// A 128-bit hash of a file's content, for its name. It does not resist adversaries either.
struct content_hash {
    uint64_t words[2];
};
enum { CONTENT_HASH_DIGITS = 32 };

static inline struct content_hash content_hash(const void *bytes, size_t length) {
    const unsigned char *p = bytes;
    uint64_t a = HASH_START, b = length;
    for (size_t at = 0; at < length; at += 8) { // words of 8 bytes, the last one filled up with zeros
        uint64_t word = 0;
        memcpy(&word, p + at, length - at < 8 ? length - at : 8);
        a = (a ^ word) * 0x9fb21c651e98df25u;
        b = (b + word) * 0xd6e8feb86659fd93u;
        a ^= a >> 32;
        b ^= b >> 29;
    }
    a = (a ^ length) * 0x9fb21c651e98df25u;
    b = (b ^ a >> 31) * 0xd6e8feb86659fd93u;
    return (struct content_hash){{a ^ b >> 32, b ^ b >> 32}};
}

// Writes the hash as lower-case hexadecimal digits, with a NUL.
static inline void content_hash_text(struct content_hash hash, char out[CONTENT_HASH_DIGITS + 1]) {
    for (int i = 0; i < CONTENT_HASH_DIGITS; i++)
        out[i] = "0123456789abcdef"[hash.words[i / 16] >> (60 - 4 * (i % 16)) & 15];
    out[CONTENT_HASH_DIGITS] = '\0';
}

#endif
