// SPDX-License-Identifier: Apache-2.0
// Where the program's own files are: kernels/, suites/ and reports/ lie together in one folder.
#ifndef VKASSAY_COMMANDS_HOME_H
#define VKASSAY_COMMANDS_HOME_H

#include "../base/arena.h"
#include "../base/error.h"

// $VKASSAY_HOME, else the folder of the executable, the one above it, or the current one: the first that holds
// kernels/ and suites/. NULL with STATUS_BAD_INPUT that says where was looked.
const char *home_folder(struct arena *arena, struct error *err);

// Compiled shaders and pipeline caches: $VKASSAY_CACHE, $XDG_CACHE_HOME/vkassay or ~/.cache/vkassay; made when it is
// not there. NULL when it cannot be: then nothing is cached.
const char *cache_folder(struct arena *arena);

#endif
