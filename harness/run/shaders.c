// SPDX-License-Identifier: Apache-2.0
#include "shaders.h"

#include "../base/file.h"
#include "../base/text.h"
#include "../device/entry.h"
#include "../device/resize.h"
#include "../device/shader.h"
#include "../plan/words.h"
#include "controls.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEFINES = KERNEL_CONSTANTS + KERNEL_DEFINES + 2 * KERNEL_TUNABLES + FEATURE_COUNT + 4 };

static void add_define(
    struct arena *arena, struct define *defines, size_t *count, const char *prefix, const char *name, int64_t value) {
    char *macro = arena_format(arena, "%s%s", prefix, name);
    char *text = arena_format(arena, "%lld", (long long)value);
    if (*prefix)
        for (char *c = macro; *c; c++) *c = (char)toupper((unsigned char)*c);
    defines[(*count)++] = (struct define){.name = macro, .value = text};
}

// HLSL and WGSL cannot size a workgroup by a constant of the pipeline, and not every compiler of WGSL keeps such
// constants at all.
static bool is_define(const struct tunable *tunable, enum language language) {
    bool size = strncmp(tunable->name, "WG_", 3) == 0;
    if (tunable->id == TUNABLE_NAMED) return false;
    return tunable->id < 0 || language == LANGUAGE_WGSL || (language == LANGUAGE_HLSL && size);
}

static void add_tunable(
    struct arena *arena, const struct tunable *tunable, int64_t value, struct define *defines, size_t *count) {
    add_define(arena, defines, count, "", tunable->name, value);
    if (tunable->id > 2) defines[*count - 1].id = tunable->id; // of WGSL: an override of that number
}

static struct define constant_define(struct arena *arena, const struct point *point, const struct constant *constant) {
    struct text text = {0};
    double value = 0;
    constant_value(point->kernel, constant, &point->shape, &value);
    text_number(&text, value);
    if (constant->value.kind == WORD_REAL && !strpbrk(text_str(&text), ".e")) text_append(&text, ".0");
    return (struct define){.name = constant->name,
        .value = arena_take(arena, &text),
        .id = strtol(constant->name, NULL, 10),
        .declared = true};
}

static void collect_defines(struct arena *arena, const struct device_info *device, const struct point *point,
    const struct pass *pass, struct define *defines, size_t *count) {
    const struct kernel *kernel = point->kernel;
    enum language language = shader_language(pass->shader);
    for (int i = 0; i < pass->constant_count; i++) // first: their places are told by bits
        defines[(*count)++] = constant_define(arena, point, &pass->constants[i]);
    add_define(arena, defines, count, "DTYPE_", dtype_info(point->dtype)->name, 1);
    for (int i = 0; i < pass->define_count; i++) defines[(*count)++] = pass->defines[i];
    for (int i = 0; i < kernel->tunable_count; i++)
        if (is_define(&kernel->tunables[i], language))
            add_tunable(arena, &kernel->tunables[i], point->shape.value[i], defines, count);
    for (int f = 0; f < FEATURE_COUNT; f++)
        if (device->features[f]) add_define(arena, defines, count, "FEATURE_", feature_name((enum feature)f), 1);
}

static bool load(struct arena *arena, const struct device_info *device, const struct run_options *options,
    const struct point *point, const struct pass *pass, struct loaded *out, struct error *err) {
    struct define defines[MOST_DEFINES];
    uint32_t size[3];
    struct shader_request request = {.path = pass->shader,
        .entry = pass->entry ? pass->entry : "main",
        .defines = defines,
        .includes = options->include_folders,
        .include_count = options->include_count,
        .cache_folder = options->cache_folder,
        .wgsl_compiler = options->wgsl_compiler,
        .lines = options->lines};
    collect_defines(arena, device, point, pass, defines, &request.define_count);
    pass_workgroup(point->kernel, pass, &point->shape, size);
    const enum language language = shader_language(pass->shader);
    const bool in_text = language == LANGUAGE_GLSL || language == LANGUAGE_HLSL;
    if (pass->resized && in_text) request.local_size = size;
    if (!shader_make(arena, &request, &out->spirv, err)) return false;
    if (!interface_declarations(arena, out->spirv.words, out->spirv.count, &out->declarations, err) ||
        !entry_isolate(arena, &out->spirv, request.entry, err) ||
        (pass->resized && !in_text && !resize_module(arena, &out->spirv, request.entry, size, err)) ||
        !interface_read(arena, out->spirv.words, out->spirv.count, request.entry, &out->shader, err))
        return error_prefix(err, "%s: ", pass->shader);
    controls_widen(arena, device->features, &out->spirv);
    return true;
}

bool shader_of_includes(struct arena *arena, const struct run_options *options, const char *name,
    const struct define *define, const char *cache_folder, struct spirv *out, struct error *err) {
    struct shader_request request = {.defines = define,
        .define_count = define != NULL,
        .includes = options->include_folders,
        .include_count = options->include_count,
        .cache_folder = cache_folder};
    for (size_t i = 0; i < options->include_count; i++) {
        request.path = arena_format(arena, "%s/%s", options->include_folders[i], name);
        if (file_exists(request.path)) return shader_make(arena, &request, out, err);
    }
    return error_set(err, STATUS_BAD_INPUT, "%s: expected in kernels/include, found nowhere", name);
}

bool shaders_load(struct arena *arena, const struct device_info *device, const struct run_options *options,
    const struct point *point, struct loaded loaded[KERNEL_PASSES], struct error *err) {
    for (int i = 0; i < point->kernel->pass_count; i++)
        if (!load(arena, device, options, point, &point->kernel->passes[i], &loaded[i], err)) return false;
    return true;
}
