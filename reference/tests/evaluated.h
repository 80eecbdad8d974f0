// SPDX-License-Identifier: Apache-2.0
// A problem for a test: an operator at some dims with inputs, evaluated in double or float.
#ifndef VKASSAY_REFERENCE_EVALUATED_H
#define VKASSAY_REFERENCE_EVALUATED_H

#include "../table.h"
#include "../operator.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct problem {
    const struct op *op;
    int64_t dims[2 * OPERATOR_DIMS];
    double params[OPERATOR_PARAMS];
    enum dtype dtype;
    double *in[OPERATOR_OPERANDS];
    float *in32[OPERATOR_OPERANDS];
    int32_t *ints[OPERATOR_OPERANDS]; // replaces in and in32 for operands of integers
    int output;
    int64_t elements, granule; // of the output
    double *out, *magnitude, *bound;
    float *out32;
    bool unrounded; // rounding to nearest is not declared
};

// Returns a uniform number in [0, 1) from a linear congruential generator (the 64-bit one of Knuth's MMIX).
static inline double random_uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) * 0x1p-24;
}

static inline int64_t problem_dim(const struct problem *p, const char *name) {
    return p->dims[operator_dim_index(p->op, name)];
}

static inline double input_value(const struct problem *p, const struct operand *operand, int64_t at, uint64_t *state) {
    double low = operand->low, high = operand->high, draw = random_uniform(state);
    int64_t axis = operand->shape[0] ? problem_dim(p, operand->shape[0]) : 1;
    for (int i = 1; i < OPERATOR_RANK && operand->shape[i]; i++) axis = problem_dim(p, operand->shape[i]);
    switch (operand->fill) {
    case FILL_SPREAD:
        high = low * pow(high / low, draw);
        return operand->signs && random_uniform(state) < 0.5 ? -high : high;
    case FILL_INDEX:
        return floor(draw * (double)problem_dim(p, operand->below));
    case FILL_OUT_OF_RANGE:
        if (random_uniform(state) < 0.125) return random_uniform(state) < 0.5 ? -1 : INT32_MAX;
        return floor(draw * (double)problem_dim(p, operand->below));
    case FILL_STEPS:
        axis = problem_dim(p, operand->below);
        return low + (high - low) * floor(draw * (double)axis) / (double)axis;
    case FILL_RARE:
        return draw * (double)axis < 1 ? high : low;
    case FILL_MASK:
        return at / axis % 8 == 2 || draw < 0.25 ? -INFINITY : 0;
    case FILL_BROKEN:
        if (random_uniform(state) * (double)axis < 1) return draw < 0.5 ? NAN : INFINITY;
        return low + (high - low) * draw;
    case FILL_TRUTH:
        return draw < 1.0 / 3 ? 0 : 1 + floor(255 * random_uniform(state));
    case FILL_CONSTANT:
        return low;
    case FILL_PERMUTATION:
        return (double)at;
    case FILL_WHOLE:
        return floor(low + (high - low) * draw);
    default:
        if (low == 0 && high == 0) low = -1, high = 1;
        return low + (high - low) * draw;
    }
}

static inline bool problem_has_ints(const struct problem *p, int operand) {
    enum dtype dtype = operand_dtype(&p->op->operands[operand], p->dtype);
    return dtype == DTYPE_I32 || dtype == DTYPE_U32;
}

static inline void problem_set_at(struct problem *p, int operand, int64_t i, double value) {
    if (p->ints[operand]) {
        p->ints[operand][i] = (int32_t)value;
        return;
    }
    p->in32[operand][i] = (float)value;
    p->in[operand][i] = value;
}

static inline void problem_inputs(struct problem *p, uint64_t seed) {
    for (int i = 0; i < operator_operands(p->op); i++) {
        const struct operand *operand = &p->op->operands[i];
        int64_t count = operand_elements(p->op, operand, p->dims);
        size_t room = (size_t)count;
        if (operand->role == ROLE_OUT) continue;
        if (problem_has_ints(p, i)) {
            p->ints[i] = malloc(room * sizeof *p->ints[i]);
        } else {
            p->in[i] = malloc(room * sizeof *p->in[i]);
            p->in32[i] = malloc(room * sizeof *p->in32[i]);
        }
        for (int64_t j = 0; j < count; j++) problem_set_at(p, i, j, (double)(float)input_value(p, operand, j, &seed));
    }
}

// Opens a problem at legal dims: copies the given dims and derives the others. Inputs are random in float. `output`
// is the operand to evaluate.
static inline struct problem problem_open_output(const struct op *op, const int64_t *dims, int output, uint64_t seed) {
    struct problem p = {.op = op, .dtype = DTYPE_F32, .output = output};
    for (int i = 0; i < operator_dims(op); i++) p.dims[i] = dims[i];
    for (int i = 0; i < operator_params(op); i++) p.params[i] = op->params[i].standard;
    if (operator_derive(op, p.dims)) abort();
    p.elements = operand_elements(op, &op->operands[p.output], p.dims);
    p.granule = operand_granule(op, &op->operands[p.output], p.dims);
    p.out = calloc((size_t)p.elements, sizeof *p.out);
    p.magnitude = calloc((size_t)p.elements, sizeof *p.magnitude);
    p.bound = calloc((size_t)p.elements, sizeof *p.bound);
    p.out32 = calloc((size_t)p.elements, sizeof *p.out32);
    problem_inputs(&p, seed);
    return p;
}

// Rounds the parameters as for a kernel. A float pass judged by the bound must see the same numbers as the double
// pass.
static inline void problem_round_params(struct problem *p) {
    for (int i = 0; i < operator_params(p->op); i++)
        if (!p->op->params[i].integer) p->params[i] = (double)(float)p->params[i];
}

static inline struct problem problem_open(const struct op *op, const int64_t *dims, uint64_t seed) {
    return problem_open_output(op, dims, operator_first_output(op), seed);
}

static inline void problem_set(struct problem *p, int operand, const double *values) {
    int64_t count = operand_elements(p->op, &p->op->operands[operand], p->dims);
    for (int64_t i = 0; i < count; i++) problem_set_at(p, operand, i, values[i]);
}

// Evaluates elements [first, first + count) in double, into their places in out, magnitude and bound.
static inline void problem_truth(struct problem *p, int64_t first, int64_t count) {
    struct call_f64 c = {.dims = p->dims,
        .params = p->params,
        .dtype = p->dtype,
        .output = p->output,
        .first = first,
        .count = count,
        .rte = !p->unrounded,
        .out = p->out + first,
        .magnitude = p->magnitude + first,
        .bound = p->bound + first};
    for (int i = 0; i < OPERATOR_OPERANDS; i++) c.in[i] = p->in[i], c.ints[i] = p->ints[i];
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
    for (int i = 0; i < OPERATOR_OPERANDS; i++) c.in[i] = p->in32[i], c.ints[i] = p->ints[i];
    p->op->f32(&c);
}

// Returns the error of element `i` of the float pass as a share of its bound. It is infinite if an expected finite
// value is not finite, or if the bound is 0 and the values differ.
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
        free(p->ints[i]);
    }
    free(p->out);
    free(p->magnitude);
    free(p->bound);
    free(p->out32);
}

#endif
