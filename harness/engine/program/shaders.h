// SPDX-License-Identifier: Apache-2.0
// Loads the shaders of a point as SPIR-V, with their interfaces and declarations.
#ifndef VKASSAY_PROGRAM_SHADERS_H
#define VKASSAY_PROGRAM_SHADERS_H

#include "../../shader/spirv/interface.h"
#include "../plan/run_options.h"
#include "../../shader/spirv/analyses.h"

struct loaded {
    struct spirv spirv;
    struct shader_interface shader;          // of the entry point
    struct shader_declarations declarations; // of the whole module, including other entry points
};
// Compiles a shader of vkassay itself, found in a folder of includes ("drift.comp").
bool shader_of_includes(struct arena *arena, const struct run_options *options, const char *name,
    const struct define *define, const char *cache_folder, struct spirv *out, struct error *err);

// Loads the shader of each pass. It needs no device, only a description of it.
bool shaders_load(struct arena *arena, const struct device_info *device, const struct run_options *options,
    const struct point *point, struct loaded loaded[KERNEL_PASSES], struct error *err);

// Computes the source hash of the point's record on this device, without compiling GLSL or HLSL.
bool shaders_source(struct arena *arena, const struct device_info *device, const struct run_options *options,
    const struct point *point, uint64_t *hash, struct error *err);

// Writes the SPIR-V of passes beside their source, made by a newer compiler, and returns the paths in the arena. Only
// GLSL with extensions unknown to some compilers is written (shaders/committed.h). Returns false if the text differs
// between devices.
bool shaders_commit(struct arena *arena, const struct run_options *options, const struct kernel *kernel,
    enum dtype dtype, const char *paths[KERNEL_PASSES], int *count, struct error *err);

// ---- numbers at which the shaders of a point may change their way (spirv/analyses.h)

// The way to a point's shaders.
struct numbers_source {
    const struct device_info *device;
    const struct run_options *options;
};

// Lists the numbers of all passes of a point, each once. Returns their count; 0 if its shaders cannot be made. `source`
// is a struct numbers_source.
int program_numbers(const void *source, const struct point *point, const struct numbers_wanted *wanted,
    uint32_t numbers[COMPARED_NUMBERS]);

#endif
