// SPDX-License-Identifier: Apache-2.0
// Constants by the names declared in shaders: specialization constants, WGSL overrides, and constants in the text of
// GLSL and HLSL. Run from the top of the repository.
#include "../../../base/tests/needs.h"
#include "own_kernels.h"

#define HEAD                                                                                                           \
    "#version 450\n"                                                                                                   \
    "layout(local_size_x_id = 0) in;\n"                                                                                \
    "layout(binding = 0) readonly buffer X { float x[]; };\n"                                                          \
    "layout(binding = 1) writeonly buffer Y { float y[]; };\n"                                                         \
    "layout(push_constant) uniform P { uint n; };\n"
#define MAIN(GOOD)                                                                                                     \
    "void main() { uint i = gl_GlobalInvocationID.x; if (i < n) y[i] = " GOOD " ? max(x[i], 0.0) : 12345.0; }\n"

static const struct own_shader shaders[] = {
    {"special.comp", HEAD
        "layout(constant_id = 9) const uint TILE = 16;\n"
        "layout(constant_id = 5) const float SCALE = 3.0;\n"
        "layout(constant_id = 6) const bool DEEP = false;\n"
        "layout(constant_id = 7) const uint BLOCK = 1;\n" MAIN("TILE == 4 && SCALE == 0.5 && DEEP && BLOCK == 64 * 4")},
    {"text.comp", HEAD "#define TILE 16\nconst float SCALE = 3.0;\nconst bool DEEP = false;\nconst uint BLOCK = 1;\n"
                       "shared float kept[BLOCK];\n" MAIN(
                           "TILE == 4 && SCALE == 0.5 && DEEP && BLOCK == 64 * 4 && kept.length() == 256")},
    {"parts.glsl", "layout(constant_id = 9) const uint TILE = 16;\nconst float SCALE = 3.0;\n"},
    {"included.comp", HEAD "#include \"parts.glsl\"\n" MAIN("TILE == 4 && SCALE == 0.5")},
    {"text.hlsl", "static const uint TILE = 16;\nstatic const float SCALE = 3.0;\n"
                  "RWStructuredBuffer<float> x : register(u0);\n"
                  "RWStructuredBuffer<float> y : register(u1);\n"
                  "cbuffer P : register(b2) { uint n; };\n"
                  "[numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {\n"
                  "  if (id.x < n) y[id.x] = TILE == 4 && SCALE == 0.5 ? max(x[id.x], 0.0) : 12345.0;\n}\n"},
    {"override.wgsl",
        "override TILE: u32 = 16u;\noverride SCALE: f32;\noverride DEEP: bool = false;\n"
        "@id(7) override block: u32 = 1;\noverride LEFT: u32 = 2u * TILE;\noverride wg: u32 = 8;\n"
        "struct P { n: u32 }\n"
        "@group(0) @binding(0) var<storage, read> x: array<f32>;\n"
        "@group(0) @binding(1) var<storage, read_write> y: array<f32>;\n"
        "@group(0) @binding(2) var<uniform> p: P;\n"
        "var<workgroup> kept: array<f32, block>;\n"
        "@compute @workgroup_size(wg) fn main(@builtin(global_invocation_id) id: vec3<u32>, "
        "@builtin(local_invocation_index) at: u32) {\n"
        "  kept[at] = 1.0;\n"
        "  if (id.x < p.n) { y[id.x] = select(12345.0, max(x[id.x], 0.0), TILE == 4 && SCALE == 0.5 && DEEP "
        "&& block == 256 && LEFT == 8); }\n}\n"},
};

#define K(SHADER)                                                                                                      \
    "\"shader\": \"" SHADER "\", \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], \"grid\": [{\"over\": \"n\", "       \
    "\"by\": \"WG_X\"}], "
#define HLSL                                                                                                           \
    "\"shader\": \"text.hlsl\", \"bindings\": [\"x\", \"y\"], \"uniform\": {\"binding\": 2, \"members\": [\"n\"]}, "   \
    "\"grid\": [{\"over\": \"n\", \"by\": \"WG_X\"}], "
#define TUNED(MORE) "\"tunables\": {\"WG_X\": {\"values\": [64], \"default\": 64}" MORE "}, "
#define VALUES "{\"values\": [4, 8], \"default\": 8}"
#define ALL "\"constants\": {\"SCALE\": 0.5, \"DEEP\": true, \"BLOCK\": [\"WG_X\", 4]}"
#define P "f32/n=1025/wg=64x1x1,TILE=4"
static const struct own_kernel kernels[] = {
    {"relu", K("special.comp") TUNED(", \"TILE\": " VALUES) ALL, P, NULL},
    {"relu", K("special.comp") TUNED(", \"TILE\": " VALUES) ALL, "f32/n=1025/wg=64x1x1,TILE=8", "are wrong"},
    {"relu",
        K("special.comp")
            TUNED(", \"T\": " VALUES) "\"constants\": {\"TILE\": \"T\", \"SCALE\": 0.5, \"DEEP\": 1, \"BLOCK\": "
                                      "{\"over\": [\"WG_X\", \"T\", 4], \"by\": 4}}",
        "f32/n=1025/wg=64x1x1,T=4", NULL},
    {"relu", K("text.comp") TUNED(", \"TILE\": " VALUES) ALL, P, NULL},
    {"relu", K("included.comp") TUNED(", \"TILE\": " VALUES) "\"constants\": {\"SCALE\": 0.5}", P, NULL},
    {"relu", HLSL "\"tunables\": {\"TILE\": " VALUES "}, \"local_size\": [64], \"constants\": {\"SCALE\": 0.5}", P,
        NULL},
    {"relu", K("special.comp") TUNED(", \"TILES\": " VALUES) ALL, "f32/n=1025/wg=64x1x1,TILES=4",
        "special.comp: the shader declares no constant \"TILES\"; it has "},
    {"relu", K("text.comp") TUNED(", \"TILE\": " VALUES) "\"constants\": {\"SCLAE\": 0.5}", P,
        "text.comp: the shader declares no constant \"SCLAE\"; it has TILE, SCALE, DEEP, BLOCK"},
};

#define WGSL                                                                                                           \
    "\"shader\": \"override.wgsl\", \"bindings\": [\"x\", \"y\"], \"uniform\": {\"binding\": 2, \"members\": "         \
    "[\"n\"]}, "                                                                                                       \
    "\"grid\": [{\"over\": \"n\", \"by\": \"WG_X\"}], "
static const struct own_kernel overridden[] = {
    {"relu",
        WGSL TUNED(
            ", \"TILE\": " VALUES) "\"constants\": {\"SCALE\": 0.5, \"DEEP\": true, \"block\": [\"WG_X\", 4], \"wg\": "
                                   "\"WG_X\"}",
        P, NULL},
    {"relu",
        WGSL TUNED(
            ", \"TILE\": " VALUES
            ", \"B\": {\"id\": 7, \"values\": [256], \"default\": 256}") "\"constants\": {\"SCALE\": "
                                                                         "0.5, \"DEEP\": true, \"wg\": \"WG_X\"}",
        P ",B=256", NULL},
    {"relu",
        WGSL TUNED(", \"TILE\": " VALUES) "\"constants\": {\"SCALE\": 0.5, \"DEEP\": true, \"block\": [\"WG_X\", 4]}",
        P, "8 x 1 x 1 is fixed in the shader"},
    {"relu",
        WGSL TUNED(
            ", \"TILE\": " VALUES) "\"constants\": {\"SCALE\": 0.25, \"DEEP\": true, \"block\": [\"WG_X\", 4], \"wg\": "
                                   "\"WG_X\"}",
        P, "are wrong"},
    {"relu", WGSL TUNED(", \"TILE\": " VALUES) "\"constants\": {\"scale\": 0.5}", P,
        "the override SCALE has no value: expected one in \"constants\""},
};

static void constants_have_the_values_of_the_manifest(void **state) {
    own_check(*state, kernels, sizeof kernels / sizeof *kernels);
}

static void overrides_have_the_values_of_the_manifest(void **state) {
    needs_wgsl();
    own_check(*state, overridden, sizeof overridden / sizeof *overridden);
}

static int open_all(void **state) {
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_have_the_values_of_the_manifest),
        cmocka_unit_test(overrides_have_the_values_of_the_manifest),
    };
    return cmocka_run_group_tests(tests, open_all, own_close);
}
