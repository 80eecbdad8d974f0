// SPDX-License-Identifier: Apache-2.0
// Habits of shaders in public backends (kernels/BACKENDS.md names them): buffers cleared by the host, numbers outside
// JSON, and rows with a pitch. Also 64-bit indices, one buffer at two bindings, and a dim as a constant. Run from the
// top of the repository.
#include "own_kernels.h"

#define HEAD "#version 450\nlayout(local_size_x = 64) in;\n"
#define BUFFERS(X, Y)                                                                                                  \
    "layout(binding = 0) readonly buffer X { " X " x[]; };\n"                                                          \
    "layout(binding = 1) buffer Y { " Y " y[]; };\n"
#define MAIN(BODY) "void main() { uint i = gl_GlobalInvocationID.x; " BODY " }\n"

static const struct own_shader shaders[] = {
    // adds to a float by comparing and exchanging its bits
    {"exchange.comp",
        HEAD "layout(push_constant) uniform P { uint n; };\n" BUFFERS("float", "uint")
            MAIN("if (i >= n) return; uint old = y[0], seen; do { seen = old; old = atomicCompSwap(y[0], seen, "
                 "floatBitsToUint(uintBitsToFloat(seen) + x[i])); } while (old != seen);")},
    // four results of 8 bits in a word, each written separately
    {"bits.comp", HEAD "layout(push_constant) uniform P { uint n; };\n"
                       "layout(binding = 0) readonly buffer A { float a[]; };\n"
                       "layout(binding = 1) readonly buffer B { float b[]; };\n"
                       "layout(binding = 2) buffer Y { uint y[]; };\n" MAIN(
                           "if (i < n && a[i] == b[i]) atomicOr(y[i / 4], 1u << (i % 4 * 8));")},
    {"limits.comp",
        HEAD "layout(binding = 2) uniform P { uint n; float nan; float inf; float low; };\n" BUFFERS("float", "float")
            MAIN("if (i < n) y[i] = isnan(nan) && low < 0 ? clamp(x[i], low / inf < 0 ? 1 : 0, "
                 "inf) : 0;")},
    {"limits_push.comp",
        HEAD "layout(push_constant) uniform P { uint n; float nan; float inf; float low; };\n" BUFFERS("float", "float")
            MAIN("if (i < n) y[i] = !(nan == nan) && low == -inf && inf > 3e38 ? max(x[i], 0) : "
                 "0;")},
    {"pitch.comp", HEAD "layout(push_constant) uniform P { uint rows; uint cols; uint pitch; };\n" BUFFERS("float",
                       "float") MAIN("if (i < rows * cols) y[i % cols * rows + i / cols] = x[i / cols * pitch + i % "
                                     "cols];")},
    {"rows.comp", HEAD "layout(push_constant) uniform P { uint rows; uint cols; uint n; };\n"
                       "layout(binding = 0) readonly buffer T { float table[]; };\n"
                       "layout(binding = 1) readonly buffer I { ivec2 index[]; };\n"
                       "layout(binding = 2) writeonly buffer Y { float y[]; };\n" MAIN(
                           "if (i < n * cols) { uint row = uint(index[i / cols].x); y[i] = row < rows ? table[row * "
                           "cols + i % cols] : 0; }")},
    {"two.comp", HEAD "#ifndef SIGN\n#define SIGN -\n#endif\n"
                      "layout(push_constant) uniform P { uint n; };\n" BUFFERS("float", "float")
                          MAIN("if (i < n) y[i] = SIGN x[i];")},
    {"vectors.comp", HEAD "layout(push_constant) uniform P { uint quads; };\n" BUFFERS("vec4", "vec4")
                         MAIN("if (i < quads) y[i] = max(x[i], vec4(0));")},
    {"bytes.comp", HEAD "layout(push_constant) uniform P { uint n; };\n"
                        "layout(binding = 0) readonly buffer C { uint cond[]; };\n"
                        "layout(binding = 1) readonly buffer A { float a[]; };\n"
                        "layout(binding = 2) readonly buffer B { float b[]; };\n"
                        "layout(binding = 3) writeonly buffer Y { float y[]; };\n" MAIN(
                            "if (i < n) y[i] = (cond[i / 4] >> (i % 4 * 8) & 255) != 0 ? a[i] : b[i];")},
    {"wide.comp",
        HEAD "layout(push_constant) uniform P { uint n; };\n"
             "layout(binding = 0) readonly buffer A { float a[]; };\n"
             "layout(binding = 1) readonly buffer B { float b[]; };\n"
             "layout(binding = 2) writeonly buffer Y { int y[]; };\n" MAIN("if (i < n) y[i] = int(a[i] == b[i]);")},
    {"narrow.comp", HEAD "layout(push_constant) uniform P { uint n; };\n"
                         "layout(binding = 0) readonly buffer X { int x[]; };\n"
                         "layout(binding = 1) buffer Y { uint y[]; };\n" MAIN(
                             "if (i < n) atomicOr(y[i / 4], uint(x[i]) << (i % 4 * 8));")},
    {"beyond.comp", HEAD "layout(push_constant) uniform P { uint n; };\n" BUFFERS("float", "uint")
                        MAIN("if (i == 0) y[n] = 7; if (i < n) y[i] = floatBitsToUint(-x[i]);")},
    // takes a link that nothing has written
    {"link.comp", HEAD "layout(push_constant) uniform P { uint n; };\n"
                       "layout(binding = 2) readonly buffer L { uint link[]; };\n" BUFFERS("float", "float")
                           MAIN("if (i < n) y[i] = link[i] > 0 && link[i] <= n ? 7 : -x[i];")},
    {"image.comp", HEAD "layout(binding = 0, r32f) uniform readonly image2D x;\n"
                        "layout(binding = 1, r32f) uniform writeonly image2D y;\n" MAIN(
                            "imageStore(y, ivec2(i, 0), -imageLoad(x, ivec2(i, 0)));")},
    {"texel.comp", HEAD
        "layout(binding = 0) readonly buffer X { float x[]; };\n"
        "layout(binding = 1, r32f) uniform writeonly imageBuffer y;\n" MAIN("imageStore(y, int(i), vec4(-x[i]));")},
    {"texture.comp", HEAD
        "layout(binding = 0) uniform sampler2D x;\n"
        "layout(binding = 1) writeonly buffer Y { float y[]; };\n" MAIN("y[i] = -texelFetch(x, ivec2(i, 0), 0).x;")},
    {"several.comp", HEAD "layout(binding = 0) buffer B { float at[]; } b[2];\n" MAIN("b[1].at[i] = -b[0].at[i];")},
    {"baked.comp", HEAD "layout(constant_id = 7) const uint COLS = 16;\n"
                        "layout(push_constant) uniform P { uint rows; };\n" BUFFERS("float", "float")
                            MAIN("if (i < rows * COLS) y[i % COLS * rows + i / COLS] = x[i];")},
};

#define K(SHADER, PUSH) "\"shader\": \"" SHADER ".comp\", \"local_size\": [64], \"push\": [" PUSH "], "
#define N "\"grid\": [{\"over\": \"n\", \"by\": 64}], "
#define XY "\"bindings\": [\"x\", \"y\"]"
#define AT "f32/n=1025/wg=64x1x1"
#define LIMITS(SHADER, WORDS) "\"shader\": \"" SHADER ".comp\", \"local_size\": [64], " N XY ", " WORDS
#define PITCH(STRIDE, WORD)                                                                                            \
    K("pitch", "\"rows\", \"cols\", " WORD)                                                                            \
    "\"grid\": [{\"over\": [\"rows\", \"cols\"], \"by\": 64}], " XY ", \"layout\": {\"x\": {\"strides\": [" STRIDE     \
    ", 1]}}"
#define PADDED "[{\"over\": \"cols\", \"by\": 4}, 4]"
#define MATRIX "f32/rows=7,cols=65/wg=64x1x1"
#define THROUGH                                                                                                        \
    "\"local_size\": [64], \"nondeterministic\": \"atomics\", \"scratch\": {\"part\": {\"dtype\": \"f32\", \"over\": " \
    "1}}, \"passes\": [{\"shader\": \"exchange.comp\", \"push\": [\"n\"], \"bindings\": [\"x\", \"part\"], \"grid\": " \
    "[{\"over\": \"n\", \"by\": 64}]}, {\"shader\": \"two.comp\", \"push\": [1], \"defines\": {\"SIGN\": \"\"}, "      \
    "\"bindings\": [\"part\", \"y\"], \"grid\": [{\"over\": 1}]}]"

static const struct own_kernel kernels[] = {
    {"sum", K("exchange", "\"n\"") N XY ", \"nondeterministic\": \"atomics\", \"zeroed\": [\"y\"]",
        "f32/n=10/wg=64x1x1", NULL},
    {"sum", K("exchange", "\"n\"") N XY ", \"nondeterministic\": \"atomics\"", "f32/n=10/wg=64x1x1", "are wrong"},
    {"sum", THROUGH ", \"zeroed\": [\"part\"]", "f32/n=10/wg=64x1x1", NULL},
    {"sum", THROUGH, "f32/n=10/wg=64x1x1", "are wrong"},
    // 1025 bytes: a part of the last word is a guard
    {"eq", K("bits", "\"n\"") N "\"bindings\": [\"a\", \"b\", \"y\"], \"zeroed\": [\"y\"]", AT, NULL},
    {"eq", K("bits", "\"n\"") N "\"bindings\": [\"a\", \"b\", \"y\"]", AT, "are wrong"},
    {"relu", LIMITS("limits_push", "\"push\": [\"n\", \"nan\", \"inf\", \"-inf\"]"), AT, NULL},
    {"relu", LIMITS("limits_push", "\"push\": [\"n\", 0.0, \"inf\", \"-inf\"]"), AT, "are wrong"},
    {"relu", LIMITS("limits_push", "\"push\": [\"n\", \"nan\", \"inf\", \"inf\"]"), AT, "are wrong"},
    {"relu", LIMITS("limits_push", "\"push\": [\"inf\", \"nan\", \"inf\", \"-inf\"]"), AT,
        "bytes 0 to 3 are inf, a float; the shader has an integer there"},
    {"transpose", PITCH(PADDED, PADDED), MATRIX, NULL},
    {"transpose", PITCH(PADDED, "\"cols\""), MATRIX, "are wrong"},
    {"transpose",
        PITCH("[{\"over\": [\"cols\", 3], \"by\": {\"over\": 7, \"by\": 2}}, 4]",
            "[{\"over\": [\"cols\", 3], \"by\": 4}, 4]"),
        MATRIX, NULL},
    {"embedding",
        K("rows", "\"rows\", \"cols\", \"n\"") "\"grid\": [{\"over\": [\"n\", \"cols\"], \"by\": 64}], "
                                               "\"bindings\": [\"table\", \"index\", \"y\"], \"layout\": {\"index\": "
                                               "{\"strides\": [2]}}",
        "f32/n=33,rows=100,cols=5/wg=64x1x1", NULL},
    {"embedding",
        K("rows", "\"rows\", \"cols\", \"n\"") "\"grid\": [{\"over\": [\"n\", \"cols\"], \"by\": 64}], "
                                               "\"bindings\": [\"table\", \"index\", \"y\"]",
        "f32/n=33,rows=100,cols=5/wg=64x1x1", "are wrong"},
    {"relu",
        K("vectors",
            "{\"over\": \"n\", \"by\": 4}") "\"rules\": [{\"multiple\": [\"n\", 4], \"why\": \"whole vectors\"}], " N
            XY,
        "f32/n=1024/wg=64x1x1", NULL},
    {"where", K("bytes", "\"n\"") N "\"bindings\": [\"cond\", \"a\", \"b\", \"y\"]", AT, NULL},
    // 32-bit results for 8-bit operators: a second pass packs them
    {"eq",
        "\"local_size\": [64], \"push\": [\"n\"], \"zeroed\": [\"y\"], \"scratch\": {\"wide\": {\"dtype\": \"i32\", "
        "\"over\": "
        "\"n\"}}, " N "\"passes\": [{\"shader\": \"wide.comp\", \"bindings\": [\"a\", \"b\", \"wide\"]}, {\"shader\": "
        "\"narrow.comp\", \"bindings\": [\"wide\", \"y\"]}]",
        AT, NULL},
    // the usual guards, for cleared outputs and in place of an input
    {"neg", K("beyond", "\"n\"") N XY ", \"zeroed\": [\"y\"]", AT, "wrote past the end of operand y"},
    {"neg", K("beyond", "\"n\"") N XY ", \"in_place\": {\"y\": \"x\"}", AT, "wrote past the end of operand y"},
    {"neg",
        "\"local_size\": [64], \"scratch\": {\"link\": {\"dtype\": \"u32\", \"over\": \"n\"}}, \"passes\": "
        "[{\"shader\": "
        "\"link.comp\", \"push\": [\"n\"], \"bindings\": [\"x\", \"y\", \"link\"], \"grid\": [{\"over\": \"n\", "
        "\"by\": "
        "64}]}]",
        AT, "a second run gave other bits in y"},
    {"neg", K("image", "") N XY, AT, "has a storage image there: vkassay does not bind images; use the shader's"},
    {"neg", K("texel", "") N XY, AT,
        "binding 1: the shader has a texel buffer there: vkassay does not bind texel buffers; declare"},
    {"neg", K("texture", "") N XY, AT, "binding 0: the shader has a texture there: vkassay does not bind textures"},
    {"neg", K("several", "") N XY, AT,
        "binding 0: the shader has an array of descriptors there: vkassay does not bind arrays"},
    {"neg", K("two", "\"n\"") N XY ", \"in_place\": {\"y\": \"x\"}", AT, NULL},
    {"transpose",
        "\"shader\": \"baked.comp\", \"tunables\": {\"WG_X\": {\"values\": [64], \"default\": 64}, \"COLS\": "
        "{\"id\": 7, \"values\": [16, 64, 65], \"default\": 16}}, \"rules\": [{\"equal\": [\"cols\", \"COLS\"], "
        "\"why\": "
        "\"its rows are so long\"}], \"push\": [\"rows\"], \"grid\": [{\"over\": [\"rows\", \"cols\"], \"by\": "
        "64}], " XY,
        "f32/rows=7,cols=65/wg=64x1x1,COLS=65", NULL},
};

static void each_is_judged_as_others_are(void **state) {
    own_check(*state, kernels, sizeof kernels / sizeof *kernels);
}

static int open_all(void **state) {
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_judged_as_others_are)};
    return cmocka_run_group_tests(tests, open_all, own_close);
}
