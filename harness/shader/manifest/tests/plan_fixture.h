// SPDX-License-Identifier: Apache-2.0
// The fixture of the planning tests: a folder of files, a made-up device, and a small set of kernels.
#ifndef VKASSAY_MANIFEST_PLAN_FIXTURE_H
#define VKASSAY_MANIFEST_PLAN_FIXTURE_H

#include "../../../base/file.h"
#include "../../../device/limits.h"
#include "../kernel.h"
#include "../../../device/device_info.h"
#include "../../../../reference/tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIXTURE_FILES = 16 };
struct fixture {
    struct arena arena;
    char folder[64];
    const char *files[FIXTURE_FILES];
    int file_count;
    struct kernels kernels;
    struct error err;
};

static inline const char *fixture_write(struct fixture *f, const char *name, const char *content) {
    const char *path = arena_format(&f->arena, "%s/%s", f->folder, name);
    bool known = false;
    assert_non_null(path);
    assert_true(file_write(path, content, strlen(content), &f->err));
    for (int i = 0; i < f->file_count; i++) known |= strcmp(f->files[i], path) == 0;
    if (known) return path;
    assert_true(f->file_count < FIXTURE_FILES);
    f->files[f->file_count++] = path;
    return path;
}

// Loads the folder's kernels. Returns false, with f->err set, if the folder or one of them is refused.
static inline bool fixture_load(struct fixture *f) {
    const char *folders[] = {f->folder};
    return kernels_load(&f->arena, folders, 1, &f->kernels, &f->err) && kernels_are_sound(&f->kernels, &f->err);
}

static inline int fixture_open(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    strcpy(f->folder, "/tmp/vkassay-plan-XXXXXX");
    if (!f || !mkdtemp(f->folder)) return -1;
    fixture_write(f, "k.comp", "void main() {}\n");
    *state = f;
    return 0;
}

static inline int fixture_close(void **state) {
    struct fixture *f = *state;
    for (int i = 0; i < f->file_count; i++) unlink(f->files[i]);
    rmdir(f->folder);
    arena_free(&f->arena);
    free(f);
    return 0;
}

// Kernels of every form: folded, two-dimensional with shared memory, two passes with scratch.
static const char fixture_manifest[] =
    "{\"common\": {\"shader\": \"k.comp\", \"dtypes\": [\"f32\", \"f16\"], \"bindings\": [\"x\", "
    "\"y\"], \"push\": [\"n\"],\n"
    "  \"tunables\": {\"WG_X\": {\"values\": [32, 64, 128, 256, 512, 1024], \"default\": 256},\n"
    "               \"ITEMS\": {\"id\": 3, \"values\": [1, 4], \"default\": 1}},\n"
    "  \"grid\": [{\"over\": [\"n\"], \"by\": [\"WG_X\", \"ITEMS\"]}], \"fold\": true,\n"
    "  \"defines\": {\"A\": \"1\", \"B\": \"2\"},\n"
    "  \"systems\": [{\"system\": \"torchless\", \"shape\": {\"WG_X\": 64}}, {\"system\": "
    "\"candle\", \"shape\": {\"WG_X\": 64}},\n"
    "            {\"system\": \"torsh\", \"shape\": {\"WG_X\": 1024}}]},\n"
    " \"kernels\": [\n"
    "  {\"name\": \"relu.scalar\", \"operator\": \"relu\", \"summary\": \"one element an "
    "invocation\"},\n"
    "  {\"name\": \"relu.plain\", \"operator\": \"relu\", \"summary\": \"no fold\", \"fold\": "
    "false, \"dtypes\": [\"f32\"],\n"
    "   \"tunables\": {\"ITEMS\": {\"id\": -1, \"values\": [1, 2], \"default\": 2}}, \"defines\": "
    "{\"B\": \"3\", \"C\": \"4\"}},\n"
    "  {\"name\": \"matmul.tiled\", \"operator\": \"matmul\", \"summary\": \"tiles in shared "
    "memory\", \"dtypes\": [\"f32\"],\n"
    "   \"bindings\": [\"a\", \"b\", \"c\"], \"push\": [\"m\", \"n\", \"k\"], \"fold\": false,\n"
    "   \"tunables\": {\"WG_X\": {\"values\": [8, 16, 32], \"default\": 16}, \"WG_Y\": "
    "{\"values\": [8, 16, 32], \"default\": 16},\n"
    "                \"ITEMS\": {\"id\": 3, \"values\": [1, 4], \"default\": 1},\n"
    "                \"TILE_K\": {\"id\": 4, \"values\": [16, 32], \"default\": 16}},\n"
    "   \"grid\": [{\"over\": [\"n\"], \"by\": [\"WG_X\"]}, {\"over\": [\"m\"], \"by\": [\"WG_Y\", "
    "\"ITEMS\"]}],\n"
    "   \"shared\": [[\"WG_X\", \"TILE_K\", 4], [\"TILE_K\", \"WG_Y\", \"ITEMS\", 4]],\n"
    "   \"rules\": [{\"equal\": [[\"WG_X\"], [\"WG_Y\"]], \"why\": \"tiles are square\"},\n"
    "             {\"multiple\": [[\"k\"], [\"TILE_K\"]], \"why\": \"tiles are whole\"}],\n"
    "   \"depth\": [{\"over\": [\"k\"], \"by\": [\"TILE_K\"]}, {\"log2\": [\"TILE_K\"]}],\n"
    "   \"seeds\": [{\"system\": \"candle\", \"shape\": {\"WG_X\": 8, \"WG_Y\": 8}}]},\n"
    "  {\"name\": \"sum.multipass\", \"operator\": \"sum\", \"summary\": \"partial sums, then "
    "their sum\", \"dtypes\": [\"f32\"],\n"
    "   \"scratch\": {\"partial\": {\"dtype\": \"f32\", \"over\": [\"n\"], \"by\": [\"WG_X\", "
    "\"ITEMS\"]}},\n"
    "   \"passes\": [{\"bindings\": [\"x\", \"partial\"]},\n"
    "              {\"bindings\": [\"partial\", \"y\"], \"fold\": false, \"grid\": [{\"over\": "
    "[]}], \"defines\": {\"LAST\": \"\"}}]},\n"
    "  {\"name\": \"rmsnorm.workgroup\", \"operator\": \"rmsnorm\", \"summary\": \"a row a "
    "workgroup\", \"tunables\": {\n"
    "   \"SUBGROUP\": {\"values\": [0, 16, 32], \"default\": 0}},\n"
    "   \"bindings\": [\"x\", \"w\", \"y\"], \"push\": [\"rows\", \"cols\", \"eps\"], \"fold\": "
    "false, \"grid\": [{\"over\": [\"rows\"]}]}\n"
    " ]}\n";

// Returns a made-up device: 256 invocations, 16 KiB of shared memory, every feature, 1 GiB of memory.
static inline struct device_info fixture_device(void) {
    struct device_info device = {.name = "made up",
        .kind = DEVICE_DISCRETE,
        .max_invocations = 256,
        .max_size = {256, 256, 64},
        .max_groups = {65535, 65535, 65535},
        .shared_bytes = 16384,
        .storage_range = 128u << 20,
        .push_bytes = 128,
        .largest_allocation = 512u << 20,
        .subgroup_size = 32,
        .min_subgroup_size = 8,
        .max_subgroup_size = 32,
        .max_subgroups = 16,
        .heap_count = 1};
    for (int i = 0; i < FEATURE_COUNT; i++) device.features[i] = true;
    static const enum component types[][2] = {{COMPONENT_F16, COMPONENT_F32}, {COMPONENT_F16, COMPONENT_F16},
        {COMPONENT_BF16, COMPONENT_F32}, {COMPONENT_F32, COMPONENT_F32}, {COMPONENT_I8, COMPONENT_I32},
        {COMPONENT_U8, COMPONENT_U32}, {COMPONENT_E4M3, COMPONENT_F32}, {COMPONENT_E5M2, COMPONENT_F32}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct cooperative matrix = {.m = 16, .n = 16, .k = 16, .a = types[i][0], .b = types[i][0]};
        if (i > 3) matrix.k = 32; // types of one byte
        matrix.c = matrix.result = types[i][1];
        device.cooperative[device.cooperative_count++] = matrix;
        matrix.scope = SCOPE_WORKGROUP;
        device.flexible[device.flexible_count++] = matrix;
    }
    device.heaps[0].bytes = 1u << 30;
    device.heaps[0].device_local = true;
    return device;
}

static inline void fixture_kernels(struct fixture *f) {
    fixture_write(f, "fixture.json", fixture_manifest);
    if (!fixture_load(f)) fail_msg("%s", f->err.text);
}

static inline void assert_says(const char *text, const char *part) {
    if (!text) fail_msg("expected a text with \"%s\", found none", part);
    if (!strstr(text, part)) fail_msg("expected \"%s\" in \"%s\"", part, text);
}

#endif
