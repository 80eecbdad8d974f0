// SPDX-License-Identifier: Apache-2.0
#include "exact_known.h"

#include "../../base/memory.h"
#include "../../base/parallel.h"
#include "check_parts.h"
#include "inputs/whole_draws.h"
#include "../../record/record.h"
#include "../../../reference/operator.h"
#include "../../../reference/table.h"

#include <math.h>
#include <stdlib.h>

struct known {
    const struct problem *problem;
    struct operand_data *operand;
    int index;
    struct call_f64 call;
    int64_t elements;
};

static void fill(void *context, int64_t first, int64_t count) {
    const struct known *k = context;
    const struct problem *p = k->problem;
    for (int64_t i = first; i < first + count; i++) {
        const double value = p->op->known->input(p->dims, p->params, p->key, k->index, i);
        dtype_store(k->operand->dtype, k->operand->image, i, value);
        k->operand->as_double[i] = value;
        k->operand->as_float[i] = (float)value;
    }
}

static void evaluate(void *context, int64_t first, int64_t count) {
    const struct known *k = context;
    struct call_f64 call = k->call;
    call.first = first;
    call.count = count;
    call.out += first;
    call.bound = call.out + k->elements;
    k->problem->op->known->outputs(&call);
}

static struct known known_of(const struct problem *problem) {
    const int output = operator_first_output(problem->op);
    return (struct known){.problem = problem,
        .elements = problem->operands[output].elements,
        .call = {.dims = problem->dims, .params = problem->params, .dtype = problem->dtype, .output = output}};
}

double *known_make(struct problem *problem) {
    const struct op *op = problem->op;
    struct known k = known_of(problem);
    for (k.index = 0; k.index < problem->operand_count; k.index++) {
        k.operand = &problem->operands[k.index];
        if (k.operand->role != ROLE_IN) continue;
        parallel_for(k.operand->elements, 4096, fill, &k);
        k.call.in[k.index] = k.operand->as_double;
    }
    problem->special_elements = 0;
    int64_t stretches = 1;
    for (int i = 0; i < 4 && op->known->apart[i]; i++)
        stretches *= problem->dims[operator_dim_index(op, op->known->apart[i])];
    k.call.out = memory_alloc((size_t)k.elements * 2, sizeof *k.call.out);
    parallel_for(k.elements, k.elements / stretches, evaluate, &k);
    return k.call.out;
}

// Computes sums by the reference, and the allowed error of each. A sum that fits the significand is exact in any order,
// so only the division of a mean may err.
static void add_up(void *context, int64_t first, int64_t count) {
    const struct known *k = context;
    const enum dtype dtype = k->problem->kernel->arithmetic;
    const double largest = ldexp(1, dtype_info(dtype)->significand);
    const double terms = operator_mean_terms(k->problem->op, k->call.dims);
    const bool mean = k->problem->op->mean_over[0] != NULL;
    double *magnitude = memory_alloc((size_t)count, sizeof *magnitude);
    struct call_f64 call = k->call;
    call.first = first;
    call.count = count;
    call.out += first;
    call.bound = call.out + k->elements;
    call.magnitude = magnitude;
    k->problem->op->f64(&call);
    for (int64_t i = 0; i < count; i++) {
        const bool exact = magnitude[i] * terms <= largest && (mean || call.bound[i] <= SUMS_AND_PRODUCTS);
        const double size = fmax(fabs(call.out[i]), magnitude[i]);
        call.bound[i] = !exact ? INFINITY : mean ? call.bound[i] * dtype_ulp(dtype, size) : 0;
    }
    free(magnitude);
}

double *known_sums(const struct problem *problem) {
    const struct op *op = problem->op;
    bool any = false;
    struct known k = known_of(problem);
    k.call.rte = true;
    k.call.depth = 1;
    for (int i = 0; i < problem->operand_count; i++)
        if (problem->operands[i].role == ROLE_IN) k.call.in[i] = problem->operands[i].as_double;
    k.call.out = memory_alloc((size_t)k.elements * 2, sizeof *k.call.out);
    parallel_for(k.elements, operand_granule(op, &op->operands[k.call.output], problem->dims), add_up, &k);
    for (int64_t i = 0; i < k.elements && !any; i++) any = isfinite(k.call.out[k.elements + i]);
    if (any) return k.call.out;
    free(k.call.out);
    return NULL;
}

void known_judge(
    const struct problem *problem, const double *want, bool rte, struct arena *arena, struct record *record) {
    const int output = operator_first_output(problem->op);
    const struct operand_data *data = &problem->operands[output];
    const double rounding = ldexp(rte ? 0.5 : 1, 1 - dtype_info(data->dtype)->significand);
    int64_t wrong = 0, first = -1, exact = 0;
    for (int64_t i = 0; i < data->elements; i++) {
        const double got = dtype_load(data->dtype, data->got, i), most = want[data->elements + i];
        if (isinf(most)) continue;
        exact++;
        if (fabs(got - want[i]) <= most + fabs(want[i]) * rounding) continue;
        if (first < 0) first = i;
        wrong++;
    }
    record->check.exact = exact;
    if (!wrong) return;
    check_fail(record, arena, CHECK_ULP,
        arena_format(arena,
            "with whole numbers, %lld of %lld elements of %s are wrong, although their sums are exact; the first is "
            "element %lld:  got %.9g, want %.9g",
            (long long)wrong, (long long)exact, problem->op->operands[output].name, (long long)first,
            dtype_load(data->dtype, data->got, first), want[first]));
}
