// SPDX-License-Identifier: Apache-2.0
#include "check_lines.h"

#include "../../base/hash.h"
#include "../plan/legal.h"
#include "check_parts.h"
#include "../../../reference/operator.h"
#include "../../../reference/table.h"
#include "../../record/record.h"

#include <string.h>

static bool counts_lines(const struct op *op, const char *dim) {
    bool given = false;
    for (int i = 0; i < operator_operands(op); i++) {
        const struct operand *operand = &op->operands[i];
        int axis = -1; // of the dim: 0 is the outermost, -1 none, OPERATOR_RANK twice
        for (int k = 0; k < OPERATOR_RANK && operand->shape[k]; k++)
            if (strcmp(operand->shape[k], dim) == 0) axis = axis < 0 ? k : OPERATOR_RANK;
        if (axis > 0 || (axis < 0 && operand->role != ROLE_IN)) return false;
        given |= axis == 0 && operand->role != ROLE_OUT;
    }
    return given;
}

// Returns the index of the dim that counts lines; -1: none does, or there is only one line.
static int dim_of_lines(const struct point *point) {
    const struct op *op = point->kernel->op;
    for (int i = 0; i < operator_dims(op); i++)
        if (point->dims[i] > 1 && counts_lines(op, op->dims[i])) return i;
    return -1;
}

// Makes the point with one line. Returns false if this is not legal.
static bool shrink(
    const struct check_request *r, int dim, double memory_share, struct arena *arena, struct point *one) {
    *one = *r->point;
    one->dims[dim] = 1;
    if (operator_derive(one->kernel->op, one->dims)) return false;
    const struct trial trial = trial_of(one, gpu_info(r->gpu), memory_share, arena);
    return !trial_both(&trial, &one->shape);
}

// Returns whether the reference gives the first line the same values among all lines and by itself.
static bool is_independent(const struct truth *all, const struct truth *alone) {
    for (int o = 0; o < alone->output_count; o++) {
        const struct truth_output *a = &all->outputs[o], *b = &alone->outputs[o];
        const bool whole = a->ranges[0].first == 0 && a->ranges[0].count >= b->total && b->range_count == 1;
        if (!whole || memcmp(a->want, b->want, (size_t)b->total * sizeof *b->want) != 0) return false;
    }
    return true;
}

static bool run(const struct check_request *r, struct error *err) {
    struct record taken = {0};
    if (!check_run(r, 1, err)) return false;
    check_take(r, &taken);
    return true;
}

// Compares the first line among all lines with the same line by itself. Inputs and references of both are in place.
static bool compare(const struct check_request *all, const struct check_request *alone, int dim, struct record *record,
    struct error *err) {
    if (!run(all, err) || !run(alone, err)) return false;
    record->check.lines.dim = all->point->kernel->op->dims[dim];
    record->check.lines.count = all->point->dims[dim];
    record->check.lines.same_bits = true;
    for (int i = 0; i < alone->problem->operand_count; i++) {
        const struct operand_data *line = &alone->problem->operands[i];
        if (line->role != ROLE_IN && memcmp(all->problem->operands[i].got, line->got, (size_t)line->bytes) != 0)
            record->check.lines.same_bits = false;
    }
    return true;
}

bool check_lines(const struct check_request *r, const struct built *built, struct truth *truth,
    const struct settings *settings, uint64_t seed, struct arena *arena, struct record *record, struct error *err) {
    const int dim = dim_of_lines(r->point);
    struct point one;
    struct problem alone = {0};
    struct truth of_one = {0};
    struct launch launch = {0};
    const int64_t depth = kernel_depth(r->point->kernel, r->point->dims, &r->point->shape);
    if (dim < 0 || r->point->kernel->nondeterministic || r->point->kernel->specialized || !record->check.same_bits ||
        !shrink(r, dim, settings->memory_share, arena, &one))
        return true;
    bool ok =
        problem_open(r->gpu, &one, seed, &alone, err) && launch_prepare(r->gpu, &one, &alone, built, &launch, err);
    if (!ok) {
        problem_close(r->gpu, &alone);
        return err->kind == ERROR_OUT_OF_MEMORY;
    }
    problem_redraw(r->problem, hash_bytes(r->problem->key, "lines", 5), &(struct redraw){0});
    problem_take_lines(&alone, r->problem);
    truth_make(r->problem, settings, depth, r->policy.rte, false, truth);
    truth_make(&alone, settings, depth, r->policy.rte, false, &of_one);
    struct check_request request = *r;
    request.point = &one;
    request.problem = &alone;
    request.launch = &launch;
    request.packed = false;
    if (is_independent(truth, &of_one)) ok = compare(r, &request, dim, record, err);
    truth_free(&of_one);
    launch_release(r->gpu, &launch);
    problem_close(r->gpu, &alone);
    return ok;
}

// Returns the key of the inputs that a line has at any size along a dim. A vector times a matrix is a line of a
// product.
static uint64_t key_of_line(const struct point *point, const struct op *wide, int index, uint64_t seed) {
    struct kernel kernel = *point->kernel;
    struct point any_size = *point;
    any_size.kernel = &kernel;
    if (wide != kernel.op)
        memcpy(any_size.dims + 1, point->dims, (size_t)operator_dims(kernel.op) * sizeof *point->dims);
    kernel.op = wide;
    any_size.dims[index] = 0;
    return problem_key(&any_size, seed);
}

// Returns the operator with lines along the dim: the kernel's own, or the wider one (line_of). NULL: none.
static const struct op *op_with_lines(const struct op *op, const char *dim, int *index) {
    *index = operator_dim_index(op, dim);
    if (*index < 0 && op->line_of) {
        op = operator_named(op->line_of);
        *index = strcmp(op->dims[0], dim) == 0 ? 0 : -1;
    }
    return *index >= 0 && *index < operator_dims(op) && counts_lines(op, dim) ? op : NULL;
}

bool check_first_line(
    const struct check_request *r, const char *dim, uint64_t seed, struct record *record, struct error *err) {
    struct problem *problem = r->problem;
    int index;
    const struct op *own = r->point->kernel->op, *wide = op_with_lines(own, dim, &index);
    const uint64_t key = problem->key;
    const int placement = problem->placement;
    if (!wide) return true;
    const uint64_t lines = wide == own ? (uint64_t)r->point->dims[index] : 1;
    problem_redraw(problem, key_of_line(r->point, wide, index, seed), &(struct redraw){.exchanged = wide != own});
    if (!run(r, err)) return false;
    uint64_t hash = HASH_START;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        if (operand->role != ROLE_IN) hash = hash_bytes(hash, operand->got, (size_t)(operand->bytes / lines));
    }
    record->check.first_line = hash;
    problem->key = key; // other shapes are judged by the inputs from before
    return problem_rearrange(problem, placement, err);
}
