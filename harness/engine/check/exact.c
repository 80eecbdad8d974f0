// SPDX-License-Identifier: Apache-2.0
#include "exact.h"
#include "launch.h"

#include "../../../reference/philox.h"
#include "../../base/hash.h"
#include "../../base/memory.h"
#include "../../base/parallel.h"
#include "check_parts.h"
#include "exact_known.h"
#include "../../record/record.h"
#include "../../../reference/operator.h"
#include "../../../reference/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A sum of 1000 terms -1 and 1 has a standard deviation of 32. It does not reach 256, and 8 bits hold numbers up to
// 256 exactly.
static const double most_terms = 1000;
enum { least_significand = 8 };

static bool is_of_blocks(enum dtype dtype) {
    return dtype == DTYPE_Q8_0 || dtype == DTYPE_Q4_0;
}

static bool truth_is_sampled(const struct truth *truth) {
    return truth->outputs[0].range_count > 1;
}

static double terms_of(const struct op *op, const int64_t *dims) {
    return operator_flops(op, dims) / (double)operand_elements(op, &op->operands[operator_first_output(op)], dims);
}

// An output of so many terms hides half of them below its bound, if the kernel states no depth.
static const double long_sum = 1 << 14;

// Returns whether each output adds up many evenly drawn numbers. Other numbers need not remain legal as whole ones.
static bool is_long_sum(const struct point *point) {
    const struct op *op = point->kernel->op;
    if (op->known) return false;
    for (int i = 0; i < operator_operands(op); i++)
        if (op->operands[i].role == ROLE_INOUT ||
            (op->operands[i].role == ROLE_IN && op->operands[i].fill != FILL_UNIFORM))
            return false;
    return terms_of(op, point->dims) >= long_sum;
}

bool exact_applies(const struct point *point, const struct truth *truth) {
    const struct op *op = point->kernel->op;
    if (truth->output_count != 1) return false;
    const bool sampled = truth_is_sampled(truth); // then only `along` and `known` tell all outputs
    if (sampled ? !op->along && !(op->known && op->known->are(point->dims, point->params)) : !is_long_sum(point))
        return false;
    for (int i = 0; i < operator_operands(op); i++) {
        const enum dtype dtype = kernel_operand_dtype(point->kernel, i, point->dtype);
        const bool blocks = is_of_blocks(dtype) && point->kernel->arithmetic == DTYPE_F32;
        if (!blocks && dtype_info(dtype)->significand < least_significand) return false;
        const double fixed = point->kernel->fixed[i]; // 0 if it is not fixed
        if (fixed != 0 && fixed != 1 && fixed != -1) return false;
    }
    return true;
}

// ---- the inputs ----

struct whole_numbers {
    struct operand_data *operand;
    uint64_t key;
    double share; // of nonzero numbers
};

static void fill_whole(void *context, int64_t first, int64_t count) {
    const struct whole_numbers *w = context;
    struct philox blocks[PHILOX_BLOCKS];
    for (int64_t i = first; i < first + count; i++) {
        const int64_t at = (i - first) % PHILOX_BLOCKS;
        if (at == 0) philox_blocks(w->key, (uint64_t)i, 7, blocks);
        const uint32_t *words = blocks[at].v;
        const double value = philox_uniform(words[0]) < w->share ? (words[1] & 1 ? 1 : -1) : 0;
        dtype_store(w->operand->dtype, w->operand->image, i, value);
        w->operand->as_double[i] = value;
        w->operand->as_float[i] = (float)value;
    }
}

// Fills blocks with whole numbers of either sign, within their type's range, and scales of either sign. Sums of a
// thousand terms stay below 2^18, exact in f32.
static void fill_blocks(void *context, int64_t first, int64_t count) {
    const struct whole_numbers *w = context;
    const enum dtype dtype = w->operand->dtype;
    const int64_t bytes = dtype_info(dtype)->bytes;
    struct philox drawn[PHILOX_BLOCKS];
    for (int64_t b = first; b < first + count; b++) {
        unsigned char *block = (unsigned char *)w->operand->image + b * bytes;
        const uint32_t sign = philox(w->key, (uint64_t)b, 9).v[0];
        memset(block, 0, (size_t)bytes);
        dtype_store(DTYPE_F16, block, 0, (sign & 1 ? -1 : 1) * (sign & 2 ? 2 : 1));
        for (int64_t i = 0; i < 32; i++) {
            if (i % PHILOX_BLOCKS == 0) philox_blocks(w->key, (uint64_t)(b * 32 + i), 7, drawn);
            const uint32_t *words = drawn[i % PHILOX_BLOCKS].v;
            const bool is_zero = philox_uniform(words[0]) >= w->share;
            if (dtype == DTYPE_Q8_0)
                block[2 + i] = (unsigned char)(is_zero ? 0 : (int)(words[1] % 127) - 63);
            else
                block[2 + i % 16] |= (unsigned char)((is_zero ? 8 : words[1] % 16) << (i < 16 ? 0 : 4));
        }
        for (int64_t i = b * 32; i < b * 32 + 32; i++) {
            w->operand->as_double[i] = dtype_load(dtype, w->operand->image, i);
            w->operand->as_float[i] = (float)w->operand->as_double[i];
        }
    }
}

static void fill_inputs(struct problem *problem) {
    const double terms = terms_of(problem->op, problem->dims);
    for (int i = 0; i < problem->operand_count; i++) {
        struct whole_numbers numbers = {
            &problem->operands[i], operand_key(problem->key, i + 100), fmin(0.5, sqrt(most_terms / terms))};
        if (problem->operands[i].role != ROLE_IN || problem->operands[i].is_fixed) continue;
        if (is_of_blocks(problem->operands[i].dtype))
            parallel_for(problem->operands[i].elements / 32, 128, fill_blocks, &numbers);
        else
            parallel_for(problem->operands[i].elements, 4096, fill_whole, &numbers);
    }
    problem->special_elements = 0;
}

// ---- sums along a dim ----

// An operand as `outer` times `length` times `inner` elements, added up along `length`.
struct contraction {
    int64_t length, inner;
    const double *weights; // of `length` places
    const double *from;    // the source; NULL: it is `got`, an output in its dtype
    const void *got;
    enum dtype dtype;
    bool rounded; // `got` has small errors beside whole numbers
    double *to;
};

static double source_at(const struct contraction *c, int64_t at) {
    if (c->from) return c->from[at];
    const double got = dtype_load(c->dtype, c->got, at);
    return c->rounded ? nearbyint(got) : got;
}

// Adds up `count` neighbours within the inner elements, beginning with sum `first`.
static void contract_stretch(const struct contraction *c, int64_t first, int64_t count) {
    const int64_t o = first / c->inner, base = o * c->length * c->inner + first % c->inner;
    double *to = c->to + first;
    for (int64_t i = 0; i < count; i++) to[i] = 0;
    for (int64_t j = 0; j < c->length; j++) {
        const int64_t at = base + j * c->inner;
        for (int64_t i = 0; i < count; i++) to[i] += c->weights[j] * source_at(c, at + i);
    }
}

static void contract(void *context, int64_t first, int64_t count) {
    const struct contraction *c = context;
    for (int64_t i = first, next; i < first + count; i = next) {
        next = i - i % c->inner + c->inner;
        if (next > first + count) next = first + count;
        contract_stretch(c, i, next - i);
    }
}

// Returns the number of parts of `along`; each is added up separately.
static int64_t parts_of(const struct problem *problem) {
    const struct op *op = problem->op;
    return op->along_parts ? problem->dims[operator_dim_index(op, op->along_parts)] : 1;
}

// Returns the operand added up along the dim; NULL: it does not have this dim.
static double *contracted(const struct problem *problem, int operand, int64_t *count) {
    const struct operand *described = &problem->op->operands[operand];
    const struct operand_data *data = &problem->operands[operand];
    int64_t outer = 1;
    struct contraction c = {.inner = 1, .from = data->as_double, .got = data->got, .dtype = data->dtype};
    c.rounded = problem->kernel->mixes > 0;
    for (int i = 0; i < OPERATOR_RANK && described->shape[i]; i++) {
        const int64_t size = problem->dims[operator_dim_index(problem->op, described->shape[i])];
        if (strcmp(described->shape[i], problem->op->along) == 0)
            c.length = size;
        else if (c.length)
            c.inner *= size;
        else
            outer *= size;
    }
    if (!c.length) return NULL;
    outer *= parts_of(problem);
    c.length /= parts_of(problem);
    *count = outer * c.inner;
    const uint64_t key = hash_bytes(problem->key, "weights", 7);
    double *weights = memory_alloc((size_t)c.length, sizeof *weights);
    for (int64_t j = 0; j < c.length; j++) weights[j] = 1 + (double)(philox(key, (uint64_t)j, 8).v[0] >> 12);
    c.weights = weights;
    c.to = memory_alloc((size_t)*count, sizeof *c.to);
    parallel_for(*count, c.inner < 64 ? 1 : 64, contract, &c);
    free(weights);
    return c.to;
}

// ---- expected sums ----

struct smaller {
    const struct op *op;
    struct call_f64 call;
};

static void evaluate_lines(void *context, int64_t first, int64_t count) {
    const struct smaller *s = context;
    struct call_f64 call = s->call;
    call.out += first;
    call.first = first;
    call.count = count;
    s->op->f64(&call);
}

// Returns the reference of the same operator, with one element for each part of the dim. NULL: such dims are not
// legal.
static double *reference_of(const struct problem *problem, int64_t *lines) {
    const struct op *op = problem->op;
    const int output = operator_first_output(op);
    double *sums[OPERATOR_OPERANDS] = {0};
    int64_t dims[OPERATOR_DIMS * 2], count;
    memcpy(dims, problem->dims, sizeof dims);
    dims[operator_dim_index(op, op->along)] = parts_of(problem);
    if (operator_derive(op, dims)) return NULL;
    struct smaller smaller = {op, {.dims = dims, .params = problem->params, .dtype = problem->dtype, .output = output}};
    for (int i = 0; i < problem->operand_count; i++) {
        if (problem->operands[i].role != ROLE_IN) continue;
        sums[i] = contracted(problem, i, &count);
        smaller.call.in[i] = sums[i] ? sums[i] : problem->operands[i].as_double;
    }
    *lines = operand_elements(op, &op->operands[output], dims);
    double *want = smaller.call.out = memory_alloc((size_t)*lines, sizeof *want);
    parallel_for(*lines, operand_granule(op, &op->operands[output], dims), evaluate_lines, &smaller);
    for (int i = 0; i < OPERATOR_OPERANDS; i++) free(sums[i]);
    return want;
}

// ---- the run ----

static void judge_lines(const struct exact *exact, struct arena *arena, struct record *record) {
    int64_t count = 0, wrong = 0, first = -1;
    const int output = operator_first_output(exact->problem.op);
    double *got = contracted(&exact->problem, output, &count);
    for (int64_t i = 0; i < count; i++) {
        if (got[i] == exact->want[i]) continue;
        wrong++;
        if (first < 0) first = i;
    }
    free(got);
    record->check.exact = exact->problem.operands[output].elements;
    if (!wrong) return;
    check_fail(record, arena, CHECK_ULP,
        arena_format(arena,
            "with whole numbers, %lld of %lld lines of %s along %s are wrong, although their sums are exact; the first "
            "is line %lld",
            (long long)wrong, (long long)count, exact->problem.op->operands[output].name, exact->problem.op->along,
            (long long)first));
}

static bool prepare(struct exact *exact, const struct check_request *r, uint64_t seed, struct error *err) {
    if (exact->key == r->problem->key) return true;
    exact_clear(exact, r->gpu);
    exact->key = r->problem->key;
    if (!problem_open_blank(r->gpu, r->point, seed, &exact->problem, err)) return err->kind == ERROR_OUT_OF_MEMORY;
    exact->known = exact->problem.op->known || !truth_is_sampled(r->truth);
    if (exact->problem.op->known) {
        exact->want = known_make(&exact->problem);
        return true;
    }
    fill_inputs(&exact->problem);
    exact->want = exact->known ? known_sums(&exact->problem) : reference_of(&exact->problem, &exact->lines);
    return true;
}

bool exact_check(struct exact *exact, const struct check_request *request, const struct built *built, uint64_t seed,
    struct arena *arena, struct record *record, struct error *err) {
    struct check_request r = *request;
    struct launch launch = {0};
    check_switch(request, WALL_REFERENCE);
    if (!prepare(exact, request, seed, err)) return false;
    if (!exact->want) return true;
    if (!launch_prepare(r.gpu, r.point, &exact->problem, built, &launch, err)) return err->kind == ERROR_OUT_OF_MEMORY;
    r.problem = &exact->problem;
    r.launch = &launch;
    r.packed = false;
    bool ok = check_run(&r, 1, err);
    if (ok) {
        struct record kept = {0};
        check_switch(request, WALL_JUDGE);
        check_take(&r, &kept);
        if (exact->known)
            known_judge(&exact->problem, exact->want, r.policy.rte, arena, record);
        else
            judge_lines(exact, arena, record);
    }
    launch_release(r.gpu, &launch);
    return ok;
}

void exact_clear(struct exact *exact, struct gpu *gpu) {
    problem_clear(gpu, &exact->problem);
    free(exact->want);
    exact->want = NULL;
    exact->key = 0;
}

void exact_close(struct exact *exact, struct gpu *gpu) {
    problem_close(gpu, &exact->problem);
    free(exact->want);
    *exact = (struct exact){0};
}
