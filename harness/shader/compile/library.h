// SPDX-License-Identifier: Apache-2.0
// The GLSL and HLSL compiler of libshaderc. Private to this folder.
#ifndef VKASSAY_SHADERS_LIBRARY_H
#define VKASSAY_SHADERS_LIBRARY_H

#include "shader.h"

#include <shaderc/shaderc.h>

// Returns the compiler of this process; NULL: out of memory.
shaderc_compiler_t library_compiler(void);

// Returns options for Vulkan 1.1 and SPIR-V 1.3 with the optimizer. The caller releases them. NULL: out of memory.
shaderc_compile_options_t library_options(bool hlsl, struct error *err);

// Returns whether a compilation of the shader at `path` succeeded; ERROR_COMPILE has the compiler's message.
bool library_succeeded(shaderc_compilation_result_t result, const char *path, struct error *err);

#endif
