// SPDX-License-Identifier: Apache-2.0
// Whole numbers find one wrong output, outside every sample, of a large attention or of a large convolution in
// groups.
#include "own_kernels.h"

#define HEAD                                                                                                           \
    "#version 450\nlayout(local_size_x_id = 0) in;\nlayout(binding = 0) readonly buffer A { float a[]; };\n"           \
    "layout(binding = 1) readonly buffer B { float b[]; };\nlayout(binding = 2) readonly buffer C { float c[]; };\n"

// Each invocation computes one output. For one of them, SKIP leaves out a key, or SHIFT takes another.
#define ATTENTION                                                                                                      \
    "void main() {\n"                                                                                                  \
    "  const uint i = gl_GlobalInvocationID.x, row = i / head_dim, col = i % head_dim, head = row / queries;\n"        \
    "  if (i >= batch * heads * queries * head_dim) return;\n"                                                         \
    "  const uint start = head / (heads / kv_heads) * keys * head_dim;\n"                                              \
    "  float most = -3.4e38, sum = 0.0, result = 0.0;\n"                                                               \
    "  for (uint turn = 0; turn < 2; turn++)\n"                                                                        \
    "    for (uint key = 0; key < keys && SEES(row % queries, key); key++) {\n"                                        \
    "      float x = 0.0;\n"                                                                                           \
    "      for (uint j = 0; j < head_dim; j++) x += a[row * head_dim + j] * b[start + key * head_dim + j];\n"          \
    "      x = x * scale + ADDED(row % queries, key);\n"                                                               \
    "      if (turn == 0) { most = max(most, x); continue; }\n"                                                        \
    "      const uint at = SHIFT(i) ? key ^ 1u : key;\n"                                                               \
    "      const float weight = SKIP(i, key) ? 0.0 : exp(x - most);\n"                                                 \
    "      sum += exp(x - most);\n"                                                                                    \
    "      result += weight * c[start + at * head_dim + col];\n"                                                       \
    "    }\n"                                                                                                          \
    "  y[i] = sum > 0.0 ? result / sum : 0.0;\n}\n"

static const struct own_shader shaders[] = {
    {"attention.comp", HEAD "layout(binding = 3) writeonly buffer Y { float y[]; };\n"
                            "layout(push_constant) uniform Push { uint batch, heads, kv_heads, queries, keys, "
                            "head_dim, causal; float scale; };\n"
                            "#define SEES(query, key) (causal == 0 || key + queries <= query + keys)\n"
                            "#define ADDED(query, key) 0.0\n" ATTENTION},
    {"masked.comp", HEAD "layout(binding = 3) readonly buffer M { float m[]; };\n"
                         "layout(binding = 4) writeonly buffer Y { float y[]; };\n"
                         "layout(push_constant) uniform Push { uint batch, heads, kv_heads, queries, keys, head_dim; "
                         "float scale; };\n"
                         "#define SEES(query, key) true\n"
                         "#define ADDED(query, key) m[(query) * keys + key]\n" ATTENTION},
    {"grouped.comp",
        HEAD "layout(binding = 3) writeonly buffer Y { float y[]; };\n"
             "layout(push_constant) uniform Push { uint n, cin, h, w, cout, kh, kw, stride, pad, dilation, groups, oh, "
             "ow, cin_group; };\n"
             "void main() {\n"
             "  const uint i = gl_GlobalInvocationID.x, x = i % ow, y_ = i / ow % oh, o = i / ow / oh % cout;\n"
             "  const uint image = i / ow / oh / cout, group = o / (cout / groups);\n"
             "  if (image >= n) return;\n"
             "  float sum = c[o];\n"
             "  for (uint l = 0; l < cin_group; l++) for (uint u = 0; u < kh; u++) for (uint v = 0; v < kw; v++) {\n"
             "    const uint r = y_ * stride + u * dilation - pad, s = x * stride + v * dilation - pad;\n"
             "    if (r < h && s < w && !SKIP(i, l * 9 + u * 3 + v))\n"
             "      sum += a[((image * cin + group * cin_group + l) * h + r) * w + s] * b[((o * cin_group + l) * kh + "
             "u) * kw + v];\n"
             "  }\n"
             "  y[i] = sum;\n}\n"},
};

#define DIMS_OF(...) "\"push\": [" __VA_ARGS__ "]"
#define KERNEL(SHADER, BINDINGS, PUSH, OVER, SKIP, SHIFT)                                                              \
    "\"shader\": \"" SHADER ".comp\", \"bindings\": [" BINDINGS "], \"push\": [" PUSH                                  \
    "], \"defines\": {\"SKIP(i, at)\": \"" SKIP "\", \"SHIFT(i)\": \"" SHIFT                                           \
    "\"}, \"tunables\": {\"WG_X\": {\"values\": [64], \"default\": 64}}, \"grid\": [{\"over\": [" OVER                 \
    "], \"by\": [\"WG_X\"]}]"
#define HEADS "\"batch\", \"heads\", \"queries\", \"head_dim\""
#define PLAIN(SKIP, SHIFT)                                                                                             \
    KERNEL("attention", "\"q\", \"k\", \"v\", \"o\"",                                                                  \
        "\"batch\", \"heads\", \"kv_heads\", \"queries\", \"keys\", \"head_dim\", \"causal\", \"scale\"", HEADS, SKIP, \
        SHIFT)
#define MASKED(SKIP)                                                                                                   \
    KERNEL("masked", "\"q\", \"k\", \"v\", \"mask\", \"o\"",                                                           \
        "\"batch\", \"heads\", \"kv_heads\", \"queries\", \"keys\", \"head_dim\", \"scale\"", HEADS, SKIP, "false")
#define GROUPED(SKIP)                                                                                                  \
    KERNEL("grouped", "\"x\", \"weight\", \"bias\", \"y\"",                                                            \
        "\"n\", \"cin\", \"h\", \"w\", \"cout\", \"kh\", \"kw\", \"stride\", \"pad\", \"dilation\", \"groups\", "      \
        "\"oh\", \"ow\", \"cin_group\"",                                                                               \
        "\"n\", \"cout\", \"oh\", \"ow\"", SKIP, "false")
#define SIZES "f32/batch=2,heads=4,kv_heads=2,queries=40,keys=48,head_dim=24"
#define CAUSAL SIZES ",causal=1/wg=64x1x1"
#define DECODE "f32/batch=1,heads=16,kv_heads=4,queries=1,keys=300,head_dim=64,causal=0,scale=-0.75/wg=64x1x1"
#define PICTURE(CIN, COUT, GROUPS)                                                                                     \
    "f32/n=2,cin=" CIN ",h=13,w=11,cout=" COUT ",kh=3,kw=3,stride=1,pad=1,dilation=1,groups=" GROUPS "/wg=64x1x1"

// A wrong output misses one of its own keys. Some outputs ask for a class of keys, others take the mean of all.
static const struct own_kernel kernels[] = {
    {"attention", PLAIN("false", "false"), CAUSAL, NULL},
    {"attention", PLAIN("false", "false"), SIZES ",causal=0/wg=64x1x1", NULL},
    {"attention", PLAIN("false", "false"), DECODE, NULL},
    {"attention", PLAIN("(i / head_dim == 77u && x > most - 1.0)", "false"), CAUSAL, "with whole numbers"},
    {"attention", PLAIN("(i / head_dim == 178u && x > most - 1.0)", "false"), CAUSAL, "with whole numbers"},
    {"attention", PLAIN("false", "(i / head_dim == 94u)"), CAUSAL, "with whole numbers"},
    {"attention", PLAIN("(i == 517u && x > most - 1.0)", "false"), DECODE, "with whole numbers"},
    {"attention_masked", MASKED("false"), SIZES "/wg=64x1x1", NULL},
    {"attention_masked", MASKED("(i / head_dim == 77u && x > most - 1.0)"), SIZES "/wg=64x1x1", "with whole numbers"},
    {"conv2d", GROUPED("false"), PICTURE("12", "24", "3"), NULL},
    {"conv2d", GROUPED("(i == 1234u && at < 18u)"), PICTURE("12", "24", "3"), "with whole numbers"},
    {"conv2d", GROUPED("false"), PICTURE("24", "24", "24"), NULL},
    {"conv2d", GROUPED("(i / 143u == 31u && i % 143u == 70u)"), PICTURE("24", "24", "24"), "with whole numbers"},
};

static void each_output_is_judged(void **state) {
    own_operations = 1000;
    own_check(*state, kernels, sizeof kernels / sizeof *kernels);
}

static int open_device(void **state) {
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_output_is_judged)};
    return cmocka_run_group_tests(tests, open_device, own_close);
}
