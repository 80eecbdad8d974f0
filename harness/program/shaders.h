// SPDX-License-Identifier: Apache-2.0
// The shaders of a point, in SPIR-V, with what each says of itself.
#ifndef VKASSAY_RUN_SHADERS_H
#define VKASSAY_RUN_SHADERS_H

#include "../spirv/interface.h"
#include "../run/run.h"

struct loaded {
    struct spirv spirv;
    struct shader_interface shader;          // of the entry point
    struct shader_declarations declarations; // of the whole module, which may have other entry points
};
// A shader of the program's own, which lies in a folder of includes ("drift.comp").
bool shader_of_includes(struct arena *arena, const struct run_options *options, const char *name,
    const struct define *define, const char *cache_folder, struct spirv *out, struct error *err);

// One for each pass. Needs no device, only what it is said to have.
bool shaders_load(struct arena *arena, const struct device_info *device, const struct run_options *options,
    const struct point *point, struct loaded loaded[KERNEL_PASSES], struct error *err);

// Computes the source hash that a record of the point has on this device, without compiling GLSL or HLSL.
bool shaders_source(struct arena *arena, const struct device_info *device, const struct run_options *options,
    const struct point *point, uint64_t *hash, struct error *err);

// Of shaders with an extension that compilers of GLSL may lack (shaders/committed.h): writes the SPIR-V of each pass
// beside its source, by a newer compiler, and says where, in the arena. Another text on another device is an error.
bool shaders_commit(struct arena *arena, const struct run_options *options, const struct kernel *kernel,
    enum dtype dtype, const char *paths[KERNEL_PASSES], int *count, struct error *err);

#endif
