// SPDX-License-Identifier: Apache-2.0
#ifndef VKASSAY_DEVICE_SPIRV_FILE_H
#define VKASSAY_DEVICE_SPIRV_FILE_H

#include "compile.h"

// A file of SPIR-V, in this machine's byte order or the other.
bool spirv_file_read(struct arena *arena, const char *path, struct spirv *out, struct error *err);

#endif
