// SPDX-License-Identifier: Apache-2.0
// A problem for a test: an operator at some dims with inputs, evaluated in double or float.
#ifndef VKASSAY_REFERENCE_TESTS_PROBLEM_H
#define VKASSAY_REFERENCE_TESTS_PROBLEM_H

#include "../table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct problem {
    const struct operator *op;
    int64_t dims[2 * OPERATOR_DIMS];
    double params[OPERATOR_PARAMS];
    enum dtype dtype;
    double *in[OPERATOR_OPERANDS];
    float *in32[OPERATOR_OPERANDS];
    int output;
    int64_t elements, granule; // of the output
    double *out, *magnitude, *bound;
    float *out32;
};

// A linear congruential generator (the 64-bit one of Knuth's MMIX): uniform in [0, 1).
static inline double random_uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) * 0x1p-24;
}

static inline double input_value(const struct operand *operand, uint64_t *state) {
    double low = operand->low, high = operand->high;
    if (operand->fill == FILL_SPREAD) {
        double size = low * pow(high / low, random_uniform(state));
        return operand->signs && random_uniform(state) < 0.5 ? -size : size;
    }
    if (operand->fill != FILL_UNIFORM || (low == 0 && high == 0)) low = -1, high = 1;
    return low + (high - low) * random_uniform(state);
}

static inline void problem_inputs(struct problem *p, uint64_t seed) {
    for (int i = 0; i < operator_operands(p->op); i++) {
        const struct operand *operand = &p->op->operands[i];
        size_t count = (size_t)operand_elements(p->op, operand, p->dims);
        if (operand->role == ROLE_OUT) continue;
        p->in[i] = malloc(count * sizeof *p->in[i]);
        p->in32[i] = malloc(count * sizeof *p->in32[i]);
        for (size_t j = 0; j < count; j++) {
            p->in32[i][j] = (float)input_value(operand, &seed);
            p->in[i][j] = (double)p->in32[i][j];
        }
    }
}

// The dims must be legal: the given ones are copied and the others derived. Inputs are random in
// float.
static inline struct problem problem_open(
    const struct operator *op, const int64_t *dims, uint64_t seed) {
    struct problem p = {.op = op, .dtype = DTYPE_F32};
    for (int i = 0; i < operator_dims(op); i++) p.dims[i] = dims[i];
    for (int i = 0; i < operator_params(op); i++) p.params[i] = op->params[i].standard;
    if (operator_derive(op, p.dims)) abort();
    while (op->operands[p.output].role == ROLE_IN) p.output++;
    p.elements = operand_elements(op, &op->operands[p.output], p.dims);
    p.granule = operand_granule(op, &op->operands[p.output], p.dims);
    p.out = calloc((size_t)p.elements, sizeof *p.out);
    p.magnitude = calloc((size_t)p.elements, sizeof *p.magnitude);
    p.bound = calloc((size_t)p.elements, sizeof *p.bound);
    p.out32 = calloc((size_t)p.elements, sizeof *p.out32);
    problem_inputs(&p, seed);
    return p;
}

static inline void problem_set(struct problem *p, int operand, const double *values) {
    int64_t count = operand_elements(p->op, &p->op->operands[operand], p->dims);
    for (int64_t i = 0; i < count; i++) {
        p->in[operand][i] = values[i];
        p->in32[operand][i] = (float)values[i];
    }
}

// Elements [first, first + count) in double, to their places in out, magnitude and bound.
static inline void problem_truth(struct problem *p, int64_t first, int64_t count) {
    struct call_f64 c = {.dims = p->dims,
        .params = p->params,
        .dtype = p->dtype,
        .output = p->output,
        .first = first,
        .count = count,
        .rte = true,
        .out = p->out + first,
        .magnitude = p->magnitude + first,
        .bound = p->bound + first};
    for (int i = 0; i < OPERATOR_OPERANDS; i++) c.in[i] = p->in[i];
    p->op->f64(&c);
}

static inline void problem_float(struct problem *p, int64_t first, int64_t count) {
    struct call_f32 c = {.dims = p->dims,
        .params = p->params,
        .dtype = p->dtype,
        .output = p->output,
        .first = first,
        .count = count,
        .rte = true,
        .out = p->out32 + first};
    for (int i = 0; i < OPERATOR_OPERANDS; i++) c.in[i] = p->in32[i];
    p->op->f32(&c);
}

// Error of element `i` of the float pass as a share of its bound; infinite where a finite value was
// expected and not found, or the bound is 0 and the values differ.
static inline double problem_share(const struct problem *p, int64_t i) {
    double got = (double)p->out32[i], want = dtype_round(DTYPE_F32, p->out[i]);
    if (got == want || (isnan(got) && isnan(want)) || isinf(p->bound[i])) return 0;
    double error = fabs(got - p->out[i]) / dtype_ulp(DTYPE_F32, p->magnitude[i]);
    return isfinite(got) && p->bound[i] > 0 ? error / p->bound[i] : INFINITY;
}

static inline void problem_close(struct problem *p) {
    for (int i = 0; i < OPERATOR_OPERANDS; i++) {
        free(p->in[i]);
        free(p->in32[i]);
    }
    free(p->out);
    free(p->magnitude);
    free(p->bound);
    free(p->out32);
}

#endif
