// SPDX-License-Identifier: Apache-2.0
// Compiled shaders on disk, one file each, named by what made them.
#ifndef VKASSAY_DEVICE_COMPILE_CACHE_H
#define VKASSAY_DEVICE_COMPILE_CACHE_H

#include "compile.h"

// Both work by out->source_hash. Reading fills words, count and cached.
bool compile_cache_read(struct arena *arena, const char *folder, struct spirv *out);
void compile_cache_write(const char *folder, const struct spirv *spirv);

#endif
