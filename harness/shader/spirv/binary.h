// SPDX-License-Identifier: Apache-2.0
// The SPIR-V of a shader, with facts found while it was made (shaders/shader.h).
#ifndef VKASSAY_SPIRV_BINARY_H
#define VKASSAY_SPIRV_BINARY_H

#include "../../base/arena.h"
#include "../../base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spirv {
    uint32_t *words; // in the arena
    size_t count;
    uint64_t source_hash; // of the preprocessed source's tokens; of the text for a user's compiler; of SPIR-V's words
    bool cached;
    bool unoptimized; // GLSL, HLSL: the compiler's optimizer fails on this code, so it was made without it
    // For GLSL with extensions that compilers may lack (committed.h). It declares float controls for every device;
    // controls missing on the device are removed when the module is loaded.
    bool any_device;
    // For defines that the shader must declare. `redeclared` has a bit for each one found in its text. If one is
    // missing, `constants` lists the constants of the text; NULL: none is missing.
    uint32_t redeclared;
    const char *constants;
    int64_t ns;
};

#endif
