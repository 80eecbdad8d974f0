// SPDX-License-Identifier: Apache-2.0
#include "spirv_tools.h"

#include <spirv-tools/libspirv.h>
#include <string.h>

// Returns the Vulkan version that accepts the module's version.
static spv_target_env environment(const uint32_t *words, size_t count) {
    uint32_t minor = count > 1 ? words[1] >> 8 & 0xff : 0;
    return minor <= 3 ? SPV_ENV_VULKAN_1_1 : minor <= 5 ? SPV_ENV_VULKAN_1_2 : SPV_ENV_VULKAN_1_3;
}

static const char *words_of(struct arena *arena, spv_diagnostic diagnostic) {
    const char *text = diagnostic && diagnostic->error ? diagnostic->error : "no reason is given";
    return arena_copy_n(arena, text, strcspn(text, "\n"));
}

// Allows every layout that a device may support. The layouts in use were checked against the device's features
// before.
static spv_validator_options options(void) {
    spv_validator_options out = spvValidatorOptionsCreate();
    spvValidatorOptionsSetScalarBlockLayout(out, true);
    spvValidatorOptionsSetWorkgroupScalarBlockLayout(out, true);
    spvValidatorOptionsSetUniformBufferStandardLayout(out, true);
    spvValidatorOptionsSetAllowLocalSizeId(out, true);
    return out;
}

bool spirv_tools_valid(struct arena *arena, const uint32_t *words, size_t count, const char **why) {
    spv_context context = spvContextCreate(environment(words, count));
    spv_validator_options with = options();
    spv_diagnostic diagnostic = NULL;
    spv_const_binary_t binary = {words, count};
    bool valid = context && spvValidateWithOptions(context, with, &binary, &diagnostic) == SPV_SUCCESS;
    *why = valid ? NULL : words_of(arena, diagnostic);
    spvDiagnosticDestroy(diagnostic);
    spvValidatorOptionsDestroy(with);
    spvContextDestroy(context);
    return valid;
}

bool spirv_tools_know(struct arena *arena, const uint32_t *words, size_t count, const char **what) {
    spv_context context = spvContextCreate(environment(words, count));
    spv_diagnostic diagnostic = NULL;
    bool known = context && spvBinaryParse(context, NULL, words, count, NULL, NULL, &diagnostic) == SPV_SUCCESS;
    *what = known ? NULL : words_of(arena, diagnostic);
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
    return known;
}

const char *spirv_tools_text(struct arena *arena, const uint32_t *words, size_t count) {
    spv_context context = spvContextCreate(environment(words, count));
    spv_text text = NULL;
    spv_diagnostic diagnostic = NULL;
    const uint32_t form = SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES;
    bool ok = context && spvBinaryToText(context, words, count, form, &text, &diagnostic) == SPV_SUCCESS && text;
    const char *out = ok ? arena_copy_n(arena, text->str, text->length) : "";
    spvTextDestroy(text);
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
    return out;
}

const char *spirv_tools_line(struct arena *arena, const char *text, uint32_t back) {
    const char *end = text + strlen(text);
    while (end > text && end[-1] == '\n') end--;
    for (; back > 1; back--) {
        while (end > text && end[-1] != '\n') end--;
        if (end == text) return "";
        end--;
    }
    const char *start = end;
    while (start > text && start[-1] != '\n') start--;
    while (start < end && *start == ' ') start++;
    return arena_copy_n(arena, start, (size_t)(end - start));
}
