// SPDX-License-Identifier: Apache-2.0
#include "shaders.h"

#include "../../base/file.h"
#include "../../base/hash.h"
#include "../../base/text.h"
#include "../../shader/spirv/changes.h"
#include "../../shader/compile/shader.h"
#include "../../shader/manifest/dispatches.h"
#include "controls.h"
#include "../../device/device_info.h"

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

// Returns whether a tunable becomes a define. HLSL and WGSL cannot size a workgroup by a specialization constant, and
// some WGSL compilers drop such constants.
static bool is_define(const struct tunable *tunable, enum language language) {
    bool size = strncmp(tunable->name, "WG_", 3) == 0;
    if (tunable->id == TUNABLE_NAMED) return false;
    return tunable->id < 0 || language == LANGUAGE_WGSL || (language == LANGUAGE_HLSL && size);
}

static struct define constant_define(struct arena *arena, const struct point *point, const struct constant *constant) {
    struct text text = {0};
    double value = 0;
    constant_value(point->kernel, constant, point->dims, &point->shape, &value);
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
    for (int i = 0; i < pass->constant_count; i++) // first, because spirv.redeclared has a bit for each index
        defines[(*count)++] = constant_define(arena, point, &pass->constants[i]);
    add_define(arena, defines, count, "DTYPE_", dtype_info(point->dtype)->name, 1);
    for (int i = 0; i < pass->define_count; i++) defines[(*count)++] = pass->defines[i];
    for (int i = 0; i < kernel->tunable_count; i++) {
        const struct tunable *tunable = &kernel->tunables[i];
        if (!is_define(tunable, language)) continue;
        add_define(arena, defines, count, "", tunable->name, point->shape.value[i]);
        if (tunable->id > 2) defines[*count - 1].id = tunable->id; // WGSL: sets the override with this @id, too
    }
    for (int f = 0; f < FEATURE_COUNT; f++)
        if (device->features[f]) add_define(arena, defines, count, "FEATURE_", feature_name((enum feature)f), 1);
}

// Returns the folders of the pass before the folders of the program.
static const char *const *all_includes(
    struct arena *arena, const struct run_options *options, const struct pass *pass) {
    const size_t own = (size_t)pass->include_count;
    if (!own) return options->include_folders;
    const char **folders = arena_alloc(arena, own + options->include_count, sizeof *folders);
    for (size_t i = 0; i < own; i++) folders[i] = pass->includes[i];
    for (size_t i = 0; i < options->include_count; i++) folders[own + i] = options->include_folders[i];
    return folders;
}

static bool make(struct arena *arena, const struct device_info *device, const struct run_options *options,
    const struct point *point, const struct pass *pass, struct spirv *out, struct error *err) {
    struct define defines[MOST_DEFINES];
    uint32_t size[3];
    struct shader_request request = {.path = pass->shader,
        .entry = pass->entry ? pass->entry : "main",
        .defines = defines,
        .header = pass->header,
        .includes = all_includes(arena, options, pass),
        .include_count = options->include_count + (size_t)pass->include_count,
        .cache_folder = options->cache_folder,
        .wgsl_compiler = options->wgsl_compiler,
        .lines = options->lines || options->validate, // messages of the validation layer name source lines
        .commit = options->commit,
        .only_hash = options->only_hash};
    collect_defines(arena, device, point, pass, defines, &request.define_count);
    pass_workgroup(point->kernel, pass, &point->shape, size);
    const enum language language = shader_language(pass->shader);
    if (pass->resized && (language == LANGUAGE_GLSL || language == LANGUAGE_HLSL)) request.local_size = size;
    return shader_make(arena, &request, out, err);
}

static bool load(struct arena *arena, const struct device_info *device, const struct run_options *options,
    const struct point *point, const struct pass *pass, struct loaded *out, struct error *err) {
    const char *entry = pass->entry ? pass->entry : "main";
    const enum language language = shader_language(pass->shader);
    const bool in_text = language == LANGUAGE_GLSL || language == LANGUAGE_HLSL;
    uint32_t size[3];
    pass_workgroup(point->kernel, pass, &point->shape, size);
    if (!make(arena, device, options, point, pass, &out->spirv, err)) return false;
    if (!interface_declarations(arena, out->spirv.words, out->spirv.count, &out->declarations, err) ||
        !entry_isolate(arena, &out->spirv, entry, err) ||
        (pass->resized && !in_text && !resize_module(arena, &out->spirv, entry, size, err)) ||
        !interface_read(arena, out->spirv.words, out->spirv.count, entry, &out->shader, err))
        return error_prefix(err, "%s: ", pass->shader);
    if (out->spirv.any_device) controls_fit(arena, device->features, &out->spirv);
    if (!point->kernel->recorded) controls_widen(arena, device->features, &out->spirv);
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

bool shaders_source(struct arena *arena, const struct device_info *device, const struct run_options *options,
    const struct point *point, uint64_t *hash, struct error *err) {
    struct run_options hashing = *options;
    struct spirv spirv;
    hashing.only_hash = true;
    *hash = point->kernel->manifest_hash;
    for (int i = 0; i < point->kernel->pass_count; i++) {
        if (!make(arena, device, &hashing, point, &point->kernel->passes[i], &spirv, err)) return false;
        *hash = hash_bytes(*hash, &spirv.source_hash, sizeof spirv.source_hash);
    }
    return true;
}

// Returns a device without features or with all of them. Both have cooperative matrices, like every device for
// committed SPIR-V.
static struct device_info committing_device(bool rich) {
    struct device_info device = {.max_invocations = 1024, .push_bytes = 128, .subgroup_size = 32};
    for (int f = 0; rich && f < FEATURE_COUNT; f++) device.features[f] = true;
    device.features[FEATURE_COOPERATIVE_MATRIX] = device.features[FEATURE_COOPERATIVE_MATRIX_KHR] = true;
    return device;
}

bool shaders_commit(struct arena *arena, const struct run_options *options, const struct kernel *kernel,
    enum dtype dtype, const char *paths[KERNEL_PASSES], int *count, struct error *err) {
    const struct point point = {.kernel = kernel, .dtype = dtype, .shape = kernel_default_shape(kernel, NULL)};
    const struct device_info poor = committing_device(false), rich = committing_device(true);
    struct run_options committing = *options;
    committing.commit = true;
    for (int i = 0; i < kernel->pass_count; i++) {
        const struct pass *pass = &kernel->passes[i];
        struct spirv made, other;
        if (shader_language(pass->shader) != LANGUAGE_GLSL) continue;
        if (!make(arena, &poor, &committing, &point, pass, &made, err)) return false;
        if (!made.any_device) continue;
        if (!make(arena, &rich, &committing, &point, pass, &other, err)) return false;
        if (made.source_hash != other.source_hash)
            return error_set(err, STATUS_BAD_INPUT,
                "%s: expected one text for every device, found FEATURE_... macros in it", pass->shader);
        paths[(*count)++] = shader_committed_path(arena, pass->shader, made.source_hash);
    }
    return true;
}
