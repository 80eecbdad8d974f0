// SPDX-License-Identifier: Apache-2.0
// Cache files: a header that tells whole from damaged, then the content. A cache never stops a run:
// what cannot be read is made anew, what cannot be written is said once.
#ifndef VKASSAY_DEVICE_CACHE_FILE_H
#define VKASSAY_DEVICE_CACHE_FILE_H

#include "../base/arena.h"

#include <stddef.h>
#include <stdint.h>

enum { CACHE_KEY_BYTES = 16 };

// The content, in the arena, of a cache file made for this key. NULL when there is none or it was
// made for another key; NULL with one line on stderr when it is damaged.
void *cache_file_read(struct arena *arena, const char *path, const uint8_t key[CACHE_KEY_BYTES], size_t *length);

// Writes atomically, making the folder. A failure is one line on stderr, the first time in a
// process.
void cache_file_write(const char *path, const uint8_t key[CACHE_KEY_BYTES], const void *content, size_t length);

#endif
