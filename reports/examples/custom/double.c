// SPDX-License-Identifier: Apache-2.0
// An operator of your own: doubling, the example of ToRSh's WebGPU backend. It needs only reference/operator.h:
//     cc -shared -fPIC -O2 -I reference reports/examples/custom/double.c -o build/double.so
#include "operator.h"

#include <math.h>

// Computes the reference in double, with its magnitude and its bound in ULP.
static void double_f64(const struct call_f64 *c) {
    for (int64_t i = 0; i < c->count; i++) {
        c->out[i] = 2 * c->in[0][c->first + i];
        if (c->magnitude) c->magnitude[i] = fabs(c->out[i]);
        if (c->bound) c->bound[i] = c->rte ? 0.5 : 1;
    }
}

// Computes the scalar baseline in float. This loop is timed.
static void double_f32(const struct call_f32 *c) {
    for (int64_t i = 0; i < c->count; i++) c->out[i] = 2 * c->in[0][c->first + i];
}

static double flops(const int64_t *dims) {
    return (double)dims[0];
}

static const struct op operator_double = {
    .name = "double",
    .family = "elementwise",
    .summary = "each element times two",
    .formula = "output = input * 2",
    .source = "ToRSh, documentation of the WebGPU backend: custom kernels",
    .systems = "TS",
    .dims = {"n"},
    .operands = {{"input", ROLE_IN, .shape = {"n"}, .specials = true}, {"output", ROLE_OUT, .shape = {"n"}}},
    .flops = flops,
    .bound = "one correctly rounded product: 0.5 ULP with round-to-nearest-even declared, else 1",
    .f64 = double_f64,
    .f32 = double_f32,
};

VKASSAY_OPERATORS(&operator_double)
