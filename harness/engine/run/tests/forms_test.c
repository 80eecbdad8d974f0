// SPDX-License-Identifier: Apache-2.0
// The usual forms of a formula: each sound one passes, and a slip beside it is called wrong. Run from the top of the
// repository.
#include "own_kernels.h"

static const struct own_shader shaders[] = {
    {"form.comp", "#version 450\n"
                  "layout(local_size_x = 64) in;\n"
                  "layout(binding = 0) readonly buffer X { float x[]; };\n"
                  "layout(binding = 1) writeonly buffer Y { float y[]; };\n"
                  "layout(push_constant) uniform P { uint n; };\n"
                  "void main() {\n"
                  "    const uint i = gl_GlobalInvocationID.x;\n"
                  "    if (i < n) y[i] = F(x[i]);\n"
                  "}\n"},
    {"place.comp", "#version 450\n"
                   "layout(local_size_x = 1) in;\n"
                   "layout(binding = 0) readonly buffer X { float x[]; };\n"
                   "layout(binding = 1) writeonly buffer Y { int y[]; };\n"
                   "layout(push_constant) uniform P { uint rows, n; };\n"
                   "void main() {\n"
                   "    const uint first = gl_WorkGroupID.x * n;\n"
                   "    uint at = 0;\n"
                   "    for (uint j = 1; j < n; j++) if (BEFORE(x[first + j], x[first + at])) at = j;\n"
                   "    y[gl_WorkGroupID.x] = int(at);\n"
                   "}\n"},
};

#define WRONG "checked elements of y are wrong"
#define FORM(OPERATOR, F, SAYS) FORM_WITH("", OPERATOR, F, SAYS)
#define FORM_WITH(MEMBERS, OPERATOR, F, SAYS)                                                                          \
    {                                                                                                                  \
        OPERATOR,                                                                                                      \
            MEMBERS                                                                                                    \
            "\"shader\": \"form.comp\", \"local_size\": [64], \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], "       \
            "\"grid\": [{\"over\": \"n\", \"by\": \"WG_X\"}], \"defines\": {\"F(x)\": \"" F "\"}",                     \
            "f32/n=40000/wg=64x1x1", SAYS                                                                              \
    }
#define PLACE(BEFORE, SAYS) PLACE_LEAVING(BEFORE, "", SAYS)
#define PLACE_LEAVING(BEFORE, LEAVES, SAYS)                                                                            \
    {                                                                                                                  \
        "argmax_rows",                                                                                                 \
            "\"shader\": \"place.comp\", \"local_size\": [1], \"bindings\": [\"x\", \"y\"], \"push\": [\"rows\", "     \
            "\"cols\"], \"grid\": [{\"over\": \"rows\"}], \"leaves\": [" LEAVES                                        \
            "], \"defines\": {\"BEFORE(a, b)\": \"" BEFORE "\"}",                                                      \
            "f32/rows=64,cols=65/wg=1x1x1", SAYS                                                                       \
    }

static const struct own_kernel kernels[] = {
    FORM("hardsigmoid", "clamp((x) + 3.0, 0.0, 6.0) / 6.0", NULL),
    FORM("hardsigmoid", "clamp((x) / 6.0 + 0.5, 0.0, 1.0)", NULL),
    FORM("hardsigmoid", "clamp((x) * (1.0 / 6.0) + 0.5, 0.0, 1.0)", NULL),
    FORM("hardsigmoid", "clamp((x) * 0.2 + 0.5, 0.0, 1.0)", WRONG),
    FORM("hardsigmoid", "clamp((x) * 0.16666 + 0.5, 0.0, 1.0)", WRONG),
    FORM("hardsigmoid", "clamp((x) + 3.00001, 0.0, 6.0) / 6.0", WRONG),
    FORM("hardswish", "(x) * clamp((x) + 3.0, 0.0, 6.0) / 6.0", NULL),
    FORM("hardswish", "(x) * clamp((x) * (1.0 / 6.0) + 0.5, 0.0, 1.0)", NULL),
    FORM("hardswish", "(x) * clamp((x) * 0.16666 + 0.5, 0.0, 1.0)", WRONG),
    FORM("hardswish", "clamp((x) + 3.0, 0.0, 6.0) / 6.0", WRONG),
    FORM("sigmoid", "1.0 / (1.0 + exp(-(x)))", NULL),
    FORM("sigmoid", "0.5 * tanh(clamp(0.5 * (x), -20.0, 20.0)) + 0.5", NULL),
    FORM("sigmoid", "((x) < 0.0 ? exp(x) / (1.0 + exp(x)) : 1.0 / (1.0 + exp(-(x))))", NULL),
    FORM("sigmoid", "0.5 * tanh(0.5001 * (x)) + 0.5", WRONG),
    FORM("sigmoid", "exp(x) / (1.0 + exp(x))", WRONG), // infinity over infinity
    FORM("tanh", "1.0 - 2.0 / (exp(2.0 * (x)) + 1.0)", NULL),
    FORM("tanh", "2.0 / (1.0 + exp(-2.0 * (x))) - 1.0", NULL),
    FORM("tanh", "1.0 - 2.0 / (exp(2.0001 * (x)) + 1.0)", WRONG),
    FORM("silu", "(x) * (1.0 / (1.0 + exp(-(x))))", NULL),
    FORM("silu", "(x) / (1.0 + exp(-1.0001 * (x)))", WRONG),
    FORM("elu", "((x) > 0.0 ? (x) : exp(x) - 1.0)", NULL),
    FORM("elu", "((x) > 0.0 ? (x) : exp(x) - 1.00001)", WRONG),
    FORM("softplus", "((x) > 20.0 ? (x) : log(1.0 + exp(x)))", NULL),
    FORM("softplus", "max((x), 0.0) + log(1.0 + exp(-abs(x)))", NULL),
    FORM("softplus", "((x) > 8.0 ? (x) : log(1.0 + exp(x)))", WRONG),
    FORM("softsign", "(x) * (1.0 / (1.0 + abs(x)))", NULL),
    FORM("softsign", "(x) / (1.00001 + abs(x))", WRONG),
    FORM("gelu_tanh", "(x) / (1.0 + exp(-1.5957691216057308 * ((x) + 0.044715 * (x) * (x) * (x))))", NULL),
    FORM("gelu_tanh", "(x) / (1.0 + exp(-1.702 * (x)))", WRONG),
    FORM_WITH("\"fixed\": {\"alpha\": 0.3}, ", "elu", "((x) > 0.0 ? (x) : 0.3 * (exp(x) - 1.0))", NULL),
    FORM_WITH("\"fixed\": {\"alpha\": 0.3}, ", "elu", "((x) > 0.0 ? (x) : 0.4 * (exp(x) - 1.0))", WRONG),
    PLACE("a > b || (isnan(a) && !isnan(b))", NULL),
    PLACE("a > b", WRONG),
    PLACE("a >= b || (isnan(a) && !isnan(b))", WRONG),
    PLACE_LEAVING("a > b", "\"nan\"", NULL),
    PLACE_LEAVING("a >= b || (isnan(a) && !isnan(b))", "\"ties\", \"nan\"", NULL),
    PLACE_LEAVING("a < b", "\"ties\", \"nan\"", WRONG),
};

static void sound_forms_pass_and_slips_are_wrong(void **state) {
    own_check(*state, kernels, sizeof kernels / sizeof *kernels);
}

static int open_all(void **state) {
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sound_forms_pass_and_slips_are_wrong)};
    return cmocka_run_group_tests(tests, open_all, own_close);
}
