// SPDX-License-Identifier: Apache-2.0
// Assembles SPIR-V from text, for modules that no GLSL compiler makes.
#ifndef VKASSAY_SPIRV_ASSEMBLE_H
#define VKASSAY_SPIRV_ASSEMBLE_H

#include "../binary.h"
#include "../../../reference/tests/unit.h"

#include <shaderc/shaderc.h>
#include <string.h>

static inline struct spirv assemble(struct arena *arena, const char *text) {
    shaderc_compiler_t compiler = shaderc_compiler_initialize();
    shaderc_compile_options_t options = shaderc_compile_options_initialize();
    shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_2);
    shaderc_compile_options_set_target_spirv(options, shaderc_spirv_version_1_5);
    shaderc_compilation_result_t result = shaderc_assemble_into_spv(compiler, text, strlen(text), options);
    if (shaderc_result_get_compilation_status(result) != shaderc_compilation_status_success)
        fail_msg("%s", shaderc_result_get_error_message(result));
    size_t bytes = shaderc_result_get_length(result);
    struct spirv out = {.words = arena_alloc(arena, bytes / 4, 4), .count = bytes / 4};
    assert_non_null(out.words);
    memcpy(out.words, shaderc_result_get_bytes(result), bytes);
    shaderc_result_release(result);
    shaderc_compile_options_release(options);
    shaderc_compiler_release(compiler);
    return out;
}

#endif
