// SPDX-License-Identifier: Apache-2.0
// Workgroup sizes written into shaders but replaced by others, and passes with sizes and constants of their own. Run
// from the top of the repository.
#include "../../../base/tests/needs.h"
#include "own_kernels.h"

#define BUFFERS                                                                                                        \
    "layout(binding = 0) readonly buffer X { float x[]; };\n"                                                          \
    "layout(binding = 1) writeonly buffer Y { float y[]; };\n"                                                         \
    "layout(push_constant) uniform P { uint n; };\n"

// The shaders use their size for an index, so code with the old size would be wrong.
static const struct own_shader shaders[] = {
    {"fixed.comp", "#version 450\nlayout(local_size_x = 64, local_size_y = (1)) in;\n" BUFFERS
                   "void main() { uint i = gl_WorkGroupID.x * gl_WorkGroupSize.x + gl_LocalInvocationID.x;\n"
                   "if (i < n) y[i] = max(x[i], 0.0); }\n"},
    {"literal.comp", "#version 450\nlayout(local_size_x = 64) in;\n" BUFFERS
                     "void main() { uint i = gl_WorkGroupID.x * 64 + gl_LocalInvocationID.x;\n"
                     "if (i < n) y[i] = max(x[i], 0.0); }\n"},
    {"named.comp", "#version 450\n#define BLOCK 64\nlayout(local_size_x = BLOCK) in;\n" BUFFERS
                   "void main() { uint i = gl_WorkGroupID.x * BLOCK + gl_LocalInvocationID.x;\n"
                   "if (i < n) y[i] = max(x[i], 0.0); }\n"},
    {"fixed.hlsl", "StructuredBuffer<float> x : register(t0);\nRWStructuredBuffer<float> y : register(u1);\n"
                   "cbuffer P : register(b2) { uint n; };\n"
                   "[numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID) { if (id.x < n) y[id.x] = "
                   "max(x[id.x], 0.0); }\n"},
    {"fixed.wgsl",
        "const BLOCK = 64u;\n@group(0) @binding(0) var<storage, read> x: array<f32>;\n"
        "@group(0) @binding(1) var<storage, read_write> y: array<f32>;\nvar<workgroup> kept: array<f32, BLOCK>;\n"
        "@compute @workgroup_size(64) fn main(@builtin(workgroup_id) group: vec3<u32>, "
        "@builtin(local_invocation_index) at: u32) {\n"
        "  let i = group.x * BLOCK + at;\n  if (i < arrayLength(&x)) { kept[at] = x[i]; y[i] = max(kept[at], 0.0); "
        "}\n}\n"},
    // Sums blocks, then these sums; each pass has its own size.
    {"blocks.comp",
        "#version 450\nlayout(local_size_x = 128) in;\nlayout(constant_id = 3) const uint EACH = 1;\n"
        "layout(binding = 0) readonly buffer X { float x[]; };\nlayout(binding = 1) buffer S { float s[]; };\n"
        "layout(push_constant) uniform P { uint n; };\n"
        "void main() { uint block = gl_GlobalInvocationID.x; if (block >= (n + EACH - 1) / EACH) return;\n"
        "float sum = 0; for (uint i = block * EACH; i < min(n, block * EACH + EACH); i++) sum += x[i];\n"
        "s[block] = sum; }\n"},
    {"last.comp",
        "#version 450\nlayout(local_size_x = 1) in;\nlayout(constant_id = 3) const uint STRIDE = 7;\n"
        "layout(binding = 0) readonly buffer S { float s[]; };\nlayout(binding = 1) buffer Y { float y[]; };\n"
        "layout(push_constant) uniform P { uint blocks; };\n"
        "void main() { float sum = 0; for (uint i = 0; i < blocks; i++) sum += s[i]; y[0] = STRIDE == 2 ? sum : 77.0; "
        "}\n"},
};

#define K(SHADER)                                                                                                      \
    "\"shader\": \"" SHADER                                                                                            \
    "\", \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], \"grid\": [{\"over\": \"n\", \"by\": "                       \
    "\"WG_X\"}], \"local_size\": [64], \"tune\": true"
#define VALUES ", \"tunables\": {\"WG_X\": {\"values\": [32, 64, 96], \"default\": 64}}"
#define AT(SIZE) "f32/n=1025/wg=" SIZE "x1x1"
static const struct own_kernel kernels[] = {
    {"relu", K("fixed.comp"), AT("64"), NULL},
    {"relu", K("fixed.comp"), AT("256"), NULL},
    {"relu", K("fixed.comp"), AT("32"), NULL},
    {"relu", K("fixed.comp") VALUES, AT("96"), NULL},
    {"relu", K("literal.comp") VALUES, AT("64"), NULL},
    {"relu", K("literal.comp") VALUES, AT("32"), "are wrong"},
    {"relu", K("named.comp") VALUES ", \"constants\": {\"BLOCK\": \"WG_X\"}", AT("32"), NULL},
    {"relu",
        "\"shader\": \"fixed.hlsl\", \"bindings\": [\"x\", \"y\"], \"uniform\": {\"binding\": 2, \"members\": "
        "[\"n\"]}, "
        "\"grid\": [{\"over\": \"n\", \"by\": \"WG_X\"}], \"local_size\": [64], \"tune\": true",
        AT("128"), NULL},
};

#define SUM                                                                                                            \
    "\"tunables\": {\"EACH\": {\"values\": [2, 8], \"default\": 8}, \"LAST\": {\"id\": -1, \"values\": [1, 4], "       \
    "\"default\": 1}}, "                                                                                               \
    "\"scratch\": {\"s\": {\"dtype\": \"f32\", \"over\": \"n\", \"by\": \"EACH\"}}, \"passes\": ["                     \
    "{\"shader\": \"blocks.comp\", \"bindings\": [\"x\", \"s\"], \"push\": [\"n\"], \"local_size\": [128], "           \
    "\"grid\": [{\"over\": \"n\", \"by\": [\"EACH\", 128]}]}, "                                                        \
    "{\"shader\": \"last.comp\", \"bindings\": [\"s\", \"y\"], \"push\": [{\"over\": \"n\", \"by\": \"EACH\"}], "
static const struct own_kernel passes[] = {
    {"sum", SUM "\"local_size\": [1], \"constants\": {\"STRIDE\": 2}, \"grid\": [{\"over\": 1}]}]",
        "f32/n=1025/wg=1x1x1,EACH=8,LAST=1", NULL},
    {"sum", SUM "\"local_size\": [\"LAST\"], \"tune\": true, \"constants\": {\"3\": 2}, \"grid\": [{\"over\": 1}]}]",
        "f32/n=1025/wg=1x1x1,EACH=2,LAST=4", NULL},
    {"sum", SUM "\"local_size\": [2], \"constants\": {\"STRIDE\": 2}, \"grid\": [{\"over\": 1}]}]",
        "f32/n=1025/wg=1x1x1,EACH=8,LAST=1",
        "last.comp: workgroup size: 1 x 1 x 1 is fixed in the shader, but the manifest has 2 x 1 x 1"},
};

static const struct own_kernel in_wgsl[] = {
    {"relu",
        "\"shader\": \"fixed.wgsl\", \"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": \"n\", \"by\": \"WG_X\"}], "
        "\"local_size\": [64], "
        "\"tune\": true, \"constants\": {\"BLOCK\": \"WG_X\"}",
        AT("128"), NULL},
    {"relu",
        "\"shader\": \"fixed.wgsl\", \"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": \"n\", \"by\": \"WG_X\"}], "
        "\"local_size\": [64], "
        "\"tune\": true",
        AT("32"), "are wrong"},
};

static void sizes_give_way(void **state) {
    own_check(*state, kernels, sizeof kernels / sizeof *kernels);
}

static void passes_have_sizes_of_their_own(void **state) {
    own_check(*state, passes, sizeof passes / sizeof *passes);
}

static void sizes_of_wgsl_give_way(void **state) {
    needs_wgsl();
    own_check(*state, in_wgsl, sizeof in_wgsl / sizeof *in_wgsl);
}

static int open_all(void **state) {
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_give_way),
        cmocka_unit_test(passes_have_sizes_of_their_own),
        cmocka_unit_test(sizes_of_wgsl_give_way),
    };
    return cmocka_run_group_tests(tests, open_all, own_close);
}
