// SPDX-License-Identifier: Apache-2.0
// Assembles SPIR-V from text, for modules that no GLSL compiler makes.
#ifndef VKASSAY_SPIRV_ASSEMBLE_H
#define VKASSAY_SPIRV_ASSEMBLE_H

#include "../binary.h"
#include "../../../../reference/tests/unit.h"

#define kDefaultMaxIdBound max_id_bound_of_test // the header defines it in each file including it
#include <spirv-tools/libspirv.h>
#include <string.h>

static inline struct spirv assemble(struct arena *arena, const char *text) {
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_5);
    spv_binary binary = NULL;
    spv_diagnostic diagnostic = NULL;
    if (spvTextToBinary(context, text, strlen(text), &binary, &diagnostic) != SPV_SUCCESS)
        fail_msg("line %zu: %s", diagnostic->position.line + 1, diagnostic->error);
    struct spirv out = {.words = arena_alloc(arena, binary->wordCount, 4), .count = binary->wordCount};
    memcpy(out.words, binary->code, 4 * out.count);
    spvBinaryDestroy(binary);
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
    return out;
}

#endif
