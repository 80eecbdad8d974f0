// SPDX-License-Identifier: Apache-2.0
// Cache files: a header that detects damage, then the content. A cache never stops a run: an unreadable file is made
// again, and a failure to write is reported once.
#ifndef VKASSAY_SHADERS_CACHE_FILE_H
#define VKASSAY_SHADERS_CACHE_FILE_H

#include "../../base/arena.h"

#include <stddef.h>
#include <stdint.h>

enum { CACHE_KEY_BYTES = 16 };

// Returns the content, in the arena, of a cache file made for this key. NULL: there is none, it was made for another
// key, or it is damaged; damage is reported by one line on stderr.
void *cache_file_read(struct arena *arena, const char *path, const uint8_t key[CACHE_KEY_BYTES], size_t *length);

// Writes the file atomically, and makes its folder. The first failure in a process is reported by one line on stderr.
void cache_file_write(const char *path, const uint8_t key[CACHE_KEY_BYTES], const void *content, size_t length);

#endif
