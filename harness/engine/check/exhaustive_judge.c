// SPDX-License-Identifier: Apache-2.0
// A piece of an exhaustive check: fills the inputs by their bits and judges the outputs against the reference.
#include "exhaustive_parts.h"
#include "inputs/problem_data.h"

#include "../../base/memory.h"
#include "../../base/parallel.h"
#include "preserves.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCK = 1 << 13 }; // inputs judged at a time; five arrays of them stay in a core's cache

struct piece_filling {
    const struct problem *problem;
    uint64_t first;
};

// Stores the operands of input `index`, by their bits.
static void store_input(const struct problem *problem, uint64_t index, int64_t at) {
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        if (operand->role != ROLE_IN) continue;
        if (dtype_info(operand->dtype)->bytes == 4) {
            ((uint32_t *)operand->image)[at] = (uint32_t)index;
        } else {
            ((uint16_t *)operand->image)[at] = (uint16_t)index;
            index >>= 16;
        }
    }
}

static void fill_chunk(void *context, int64_t first, int64_t count) {
    const struct piece_filling *f = context;
    for (int64_t i = first; i < first + count; i++) store_input(f->problem, f->first + (uint64_t)i, i);
}

int exhaustive_output(const struct problem *problem) {
    int output = 0;
    while (problem->operands[output].role != ROLE_OUT) output++;
    return output;
}

void exhaustive_fill(const struct pieces *pieces, const struct problem *problem, int64_t index) {
    struct piece_filling filling = {problem, pieces->point->inputs_first + (uint64_t)(index * pieces->n)};
    parallel_for(pieces->n, 1 << 16, fill_chunk, &filling);
}

struct piece_judging {
    const struct pieces *pieces;
    const struct problem *problem;
    int output;
    int64_t count; // judged inputs of the piece
    struct judgement *blocks;
};

static void judge_block(const struct piece_judging *j, struct judgement *block, int64_t first, int64_t count) {
    const struct problem *problem = j->problem;
    double in[2][BLOCK], want[BLOCK], magnitude[BLOCK], bound[BLOCK];
    uint8_t touched[BLOCK] = {0};
    struct call_f64 call = {.dims = problem->dims,
        .params = problem->params,
        .dtype = problem->dtype,
        .output = j->output,
        .count = count,
        .out = want,
        .magnitude = magnitude,
        .bound = bound,
        .rte = j->pieces->built->policy.rte};
    int inputs = 0;
    for (int o = 0; o < problem->operand_count; o++) {
        const struct operand_data *operand = &problem->operands[o];
        if (operand->role != ROLE_IN) continue;
        double *values = in[inputs++], least_normal = ldexp(1, dtype_info(operand->dtype)->least_exponent);
        for (int64_t i = 0; i < count; i++) {
            values[i] = dtype_load(operand->dtype, operand->image, first + i);
            const bool subnormal = values[i] != 0 && fabs(values[i]) < least_normal;
            touched[i] |= !isfinite(values[i]) ? 1 : subnormal ? 2 : 0; // judge.h
        }
        call.in[o] = values;
    }
    problem->op->f64(&call);
    struct judge_input input = {.dtype = problem->operands[j->output].dtype,
        .arithmetic = j->pieces->point->kernel->arithmetic,
        .policy = j->pieces->built->policy,
        .want = want,
        .magnitude = magnitude,
        .bound = bound,
        .got = problem->operands[j->output].got,
        .first = first,
        .count = count,
        .touched = touched};
    judge_preserves(&input, problem->op->operands[j->output].preserves);
    judge_add(block, &input);
}

static void judge_blocks(void *context, int64_t first, int64_t count) {
    const struct piece_judging *j = context;
    for (int64_t b = first; b < first + count; b++) {
        int64_t at = b * BLOCK, left = j->count - at;
        judge_start(&j->blocks[b], 0);
        judge_block(j, &j->blocks[b], at, left < BLOCK ? left : BLOCK);
    }
}

void exhaustive_judge(const struct pieces *pieces, const struct problem *problem, int64_t index) {
    struct piece *piece = &pieces->all[index];
    int64_t left = (int64_t)pieces->point->inputs_count - index * pieces->n,
            count = left < pieces->n ? left : pieces->n;
    int64_t blocks = (count + BLOCK - 1) / BLOCK;
    struct piece_judging judging = {
        pieces, problem, exhaustive_output(problem), count, memory_alloc((size_t)blocks, sizeof *judging.blocks)};
    parallel_for(blocks, 1, judge_blocks, &judging);
    judge_start(&piece->judgement, count);
    for (int64_t b = 0; b < blocks; b++) judge_merge(&piece->judgement, &judging.blocks[b]);
    free(judging.blocks);
}
