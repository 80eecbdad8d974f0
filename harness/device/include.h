// SPDX-License-Identifier: Apache-2.0
// #include in shaders: where a name is looked for, and how much may be included.
#ifndef VKASSAY_DEVICE_INCLUDE_H
#define VKASSAY_DEVICE_INCLUDE_H

#include "../base/arena.h"

#include <shaderc/shaderc.h>

// Far above what any shader needs; they stop a file that includes itself, or ten that include each
// other.
enum { INCLUDE_DEPTH = 32, INCLUDE_FILES = 512, INCLUDE_BYTES = 32 * 1024 * 1024 };

struct includer {
    struct arena *arena;
    const char *const *folders;
    size_t folder_count;
    size_t files, bytes; // so far
};

// Hooks the includer, which must outlive the options, into them.
void include_install(struct includer *includer, shaderc_compile_options_t options);

#endif
