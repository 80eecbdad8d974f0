// SPDX-License-Identifier: Apache-2.0
#include "library.h"

#include <pthread.h>
#include <stdio.h>

// Keeps one compiler for the life of the process. The first compiler builds the tables of built-in functions in some
// 60 ms, and the last one drops them.
static shaderc_compiler_t kept;
static void make_compiler(void) {
    kept = shaderc_compiler_initialize();
}
shaderc_compiler_t library_compiler(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_compiler);
    return kept;
}

shaderc_compile_options_t library_options(bool hlsl, struct error *err) {
    shaderc_compile_options_t options = library_compiler() ? shaderc_compile_options_initialize() : NULL;
    if (!options) {
        error_set(err, STATUS_FAULT, "out of memory for the shader compiler");
        return NULL;
    }
    shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_1);
    shaderc_compile_options_set_target_spirv(options, shaderc_spirv_version_1_3);
    shaderc_compile_options_set_optimization_level(options, shaderc_optimization_level_performance);
    shaderc_compile_options_set_suppress_warnings(options);
    if (hlsl) shaderc_compile_options_set_source_language(options, shaderc_source_language_hlsl);
    return options;
}

bool library_succeeded(shaderc_compilation_result_t result, const char *path, struct error *err) {
    if (!result) return error_set(err, STATUS_FAULT, "%s: the shader compiler is out of memory", path);
    if (shaderc_result_get_compilation_status(result) == shaderc_compilation_status_success) return true;
    const char *message = shaderc_result_get_error_message(result);
    if (*message) return error_of_kind(err, ERROR_COMPILE, "%s", message); // it begins with file and line
    return error_of_kind(err, ERROR_COMPILE, "%s: the compiler gives no reason", path);
}

// Looks for the macro with the extension's name: the compiler defines it for each extension it knows.
bool compile_knows(const char *extension) {
    char source[200];
    struct error ignored = {0};
    int length = snprintf(source, sizeof source, "#version 450\n#ifndef %s\n#error\n#endif\n", extension);
    if (length >= (int)sizeof source) return false;
    shaderc_compile_options_t options = library_options(false, &ignored);
    if (!options) return false;
    shaderc_compilation_result_t result = shaderc_compile_into_preprocessed_text(
        library_compiler(), source, (size_t)length, shaderc_compute_shader, "extension", "main", options);
    bool knows = library_succeeded(result, "extension", &ignored);
    shaderc_result_release(result);
    shaderc_compile_options_release(options);
    return knows;
}
