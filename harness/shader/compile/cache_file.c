// SPDX-License-Identifier: Apache-2.0
#include "cache_file.h"

#include "../../base/file.h"
#include "../../base/hash.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

// The header is in the machine's byte order. Caches are not moved between machines of different order, and the magic
// number would detect it.
struct header {
    uint64_t magic;
    uint64_t length;   // of the content
    uint64_t checksum; // of key and content
    uint8_t key[CACHE_KEY_BYTES];
};
#define MAGIC 0x31656863614b5601u // "VKache1", and a byte that no text begins with

static uint64_t checksum(const uint8_t key[CACHE_KEY_BYTES], const void *content, size_t length) {
    return hash_bytes(hash_bytes(HASH_START, key, CACHE_KEY_BYTES), content, length);
}

static const char *damage(const struct header *header, const char *content, size_t size) {
    if (size < sizeof *header) return "shorter than a header";
    if (header->magic != MAGIC) return "not a cache file";
    if (header->length != size - sizeof *header) return "its length is not the one it states";
    if (header->checksum != checksum(header->key, content, (size_t)header->length)) return "its checksum is wrong";
    return NULL;
}

void *cache_file_read(struct arena *arena, const char *path, const uint8_t key[CACHE_KEY_BYTES], size_t *length) {
    struct error err;
    struct header header = {0};
    size_t size;
    if (!file_exists(path)) return NULL;
    char *bytes = file_read(arena, path, &size, &err);
    if (!bytes) {
        fprintf(stderr, "warning: cache ignored: %s\n", err.text);
        return NULL;
    }
    memcpy(&header, bytes, size < sizeof header ? size : sizeof header);
    const char *why = damage(&header, bytes + sizeof header, size);
    if (why) {
        fprintf(stderr, "warning: cache ignored: %s: %s\n", path, why);
        return NULL;
    }
    if (memcmp(header.key, key, CACHE_KEY_BYTES) != 0) return NULL;
    *length = size - sizeof header;
    return memmove(bytes, bytes + sizeof header, *length); // to the front, where the arena aligns for any type
}

static bool write_whole(const char *path, const struct header *header, const void *content, struct error *err) {
    struct arena arena = {0};
    size_t length = (size_t)header->length;
    char *bytes = arena_alloc(&arena, sizeof *header + length, 1);
    memcpy(bytes, header, sizeof *header);
    memcpy(bytes + sizeof *header, content, length);
    bool ok = file_make_folder(file_folder(&arena, path), err) && file_write(path, bytes, sizeof *header + length, err);
    arena_free(&arena);
    return ok;
}

void cache_file_write(const char *path, const uint8_t key[CACHE_KEY_BYTES], const void *content, size_t length) {
    static atomic_bool said; // by any thread
    struct error err;
    struct header header = {.magic = MAGIC, .length = length, .checksum = checksum(key, content, length)};
    memcpy(header.key, key, CACHE_KEY_BYTES);
    if (write_whole(path, &header, content, &err) || said) return;
    fprintf(stderr, "warning: nothing is cached: %s\n", err.text);
    said = true;
}
