// SPDX-License-Identifier: Apache-2.0
// Patterns of lines (plan/lines.h): each one meets a single line of every operand, or a case.
#include "../plan/lines.h"
#include "../plan/problem.h"
#include "edges.h"
#include "sampler.h"

#include <string.h>

// LINE_TRIES: sizes drawn for the patterns of a line. SHORTEST_LINE: shortest line with a pattern. ZERO_CASES: with
// zeros opposite infinities, among so many sizes; sizes of many dims are dear.
enum { LINE_TRIES = 400, SHORTEST_LINE = 8, ZERO_CASES = 3, ZERO_TRIES = 2400, DEAR_TRIES = 200 };

// Starts a point with a single line in the operand. *length receives the dim of the line's length. Returns false if
// no dims give a single line.
static bool start_line(
    struct case_sampler *s, const struct shape *shape, int operand, struct point *point, int *length) {
    const struct op *op = s->kernel->op;
    const struct operand *described = &op->operands[operand];
    const int rank = operand_rank(described->shape);
    *length = rank ? operator_dim_index(op, described->shape[rank - 1]) : -1;
    if (described->role == ROLE_OUT || !described->lines || *length < 0 || *length >= operator_dims(op)) return false;
    *point = sampler_start(s);
    for (int i = 0; i < rank - 1; i++) {
        int dim = operator_dim_index(op, described->shape[i]);
        if (dim < operator_dims(op)) sampler_set_size(s, shape, point->dims, dim, 1);
    }
    return lines_of(op, described, point->dims, 0).count == 1;
}

// Adds a single line in each pattern of the operand's lines, at edges of its length and at other sizes.
static bool add_lines(struct case_sampler *s, const struct shape *shape, int operand, int *added) {
    struct point point;
    int length;
    uint32_t seen = 0;
    int64_t sizes[EDGE_SIZES];
    if (!start_line(s, shape, operand, &point, &length)) return true;
    size_t edges = (size_t)sampler_edges(s, shape, length, sizes);
    for (int i = 0; i < LINE_TRIES; i++) {
        struct point tried = point;
        if (!sampler_set_size(
                s, shape, tried.dims, length, i % 2 ? sampler_random_size(s) : sizes[sampler_draw_below(s, edges)]))
            continue;
        const uint64_t key = operand_key(problem_key(&tried, s->request->seed), operand);
        const struct line_set lines = lines_of(s->kernel->op, &s->kernel->op->operands[operand], tried.dims, key);
        if (lines.count > 1 || lines.length < SHORTEST_LINE) continue; // too short to have a pattern
        const uint32_t bit = 1u << lines_pattern(&lines, 0);
        if (seen & bit) continue;
        if (!sampler_add(s, &tried, shape, added)) return false;
        seen |= bit;
    }
    return true;
}

// Starts a point with half of the dims at edges, or at any size.
static struct point start_case(struct case_sampler *s, const struct shape *shape, bool edges) {
    struct point point = sampler_start(s);
    int64_t sizes[EDGE_SIZES];
    for (int d = 0; d < operator_dims(s->kernel->op); d++) {
        const size_t count = (size_t)sampler_edges(s, shape, d, sizes);
        if (sampler_draw(s) & 1)
            sampler_set_size(
                s, shape, point.dims, d, edges ? sizes[sampler_draw_below(s, count)] : sampler_random_size(s));
    }
    return point;
}

static struct line_set case_lines(const struct case_sampler *s, const struct point *point, int operand) {
    const struct op *op = s->kernel->op;
    const uint64_t key = operand_key(problem_key(point, s->request->seed), operand);
    return lines_of(op, &op->operands[operand], point->dims, key);
}

// Adds cases in each pattern of the operand's cases, with several lines if possible.
static bool add_cases(struct case_sampler *s, const struct shape *shape, int operand, int *added) {
    const enum lines declared = s->kernel->op->operands[operand].lines;
    int wanted[] = {[LINES_FINITE] = declared == LINES_BROKEN ? 0 : 2, [LINES_SOME] = declared == LINES_TAME ? 0 : 6};
    for (int i = 0; i < LINE_TRIES && wanted[LINES_FINITE] + wanted[LINES_SOME] > 0; i++) {
        struct point point = start_case(s, shape, true);
        const enum lines kind = case_lines(s, &point, operand).kind;
        if ((kind != LINES_FINITE && kind != LINES_SOME) || wanted[kind] == 0) continue;
        int before = *added;
        if (!sampler_add(s, &point, shape, added)) return false;
        wanted[kind] -= *added - before;
    }
    return true;
}

// Returns whether an axis of an operand is added up: no output has its dim.
static bool is_summed(const struct op *op, const struct operand *operand, int axis) {
    for (int o = 0; o < operator_operands(op); o++)
        for (int i = 0; op->operands[o].role == ROLE_OUT && i < operand_rank(op->operands[o].shape); i++)
            if (strcmp(op->operands[o].shape[i], operand->shape[axis]) == 0) return false;
    return true;
}

static bool lines_are_summed(const struct op *op, int operand) {
    return is_summed(op, &op->operands[operand], operand_rank(op->operands[operand].shape) - 1);
}

// Returns whether the operand is a factor of sums, and its lines may have infinities.
static bool is_factor(const struct op *op, int operand) {
    const struct operand *described = &op->operands[operand];
    bool summed = false;
    for (int i = 0; i < operand_rank(described->shape); i++) summed |= is_summed(op, described, i);
    const enum lines lines = described->lines;
    return summed && described->role != ROLE_OUT &&
           (lines == LINES_SOME || lines == LINES_BROKEN || lines == LINES_ANY);
}

// Returns whether products of zeros and infinities show. Several infinities in a sum are NaN by themselves, unless
// their factors have one sign. `across`: each output meets all lines of the zeros' operand, in one place of each.
static bool do_meet(const struct line_set *lines, const struct line_set *others, bool across) {
    const int64_t infinities = lines_infinities(others);
    switch (lines_zeros(lines)) {
    case ZEROS_NONE:
        break;
    case ZEROS_AMONG_ONE_SIGN:
        return across || others->length == 1 ? infinities == 1 : infinities > 1;
    case ZEROS_MOST:
        return infinities == 1;
    case ZEROS_ALL:
        return infinities > 0 && (!across || lines->count == 1);
    }
    return false;
}

// Adds cases in which zeros of one operand meet infinities of another one. Then products are NaN, unless a kernel skips
// zeros.
static bool add_zeros(struct case_sampler *s, const struct shape *shape, int zeros, int infinite) {
    const struct op *op = s->kernel->op;
    const bool across = lines_are_summed(op, infinite) && !lines_are_summed(op, zeros);
    const int tries = operator_dims(op) > SAMPLER_MANY_DIMS ? DEAR_TRIES : ZERO_TRIES;
    for (int i = 0, added = 0; i < tries && added < ZERO_CASES; i++) {
        struct point point = start_case(s, shape, i & 1);
        const struct line_set lines = case_lines(s, &point, zeros), others = case_lines(s, &point, infinite);
        if (lines.length * lines.count < SHORTEST_LINE || !do_meet(&lines, &others, across)) continue;
        point.shape = *shape;
        if (!sampler_is_planned(s, &point) && !sampler_add(s, &point, shape, &added)) return false;
    }
    return true;
}

static bool add_all_zeros(struct case_sampler *s, const struct shape *shape) {
    const struct op *op = s->kernel->op;
    for (int zeros = 0; zeros < operator_operands(op); zeros++)
        for (int infinite = 0; infinite < operator_operands(op); infinite++) {
            if (zeros == infinite || !is_factor(op, zeros) || !is_factor(op, infinite)) continue;
            if (!add_zeros(s, shape, zeros, infinite)) return false;
        }
    return true;
}

bool sampler_lines(struct case_sampler *s, const struct shape_sample *shapes) {
    for (int operand = 0; operand < operator_operands(s->kernel->op); operand++)
        for (int i = 0, added = 0; !added && i < (int)shapes->count; i++)
            if (!(lines_by_case(s->kernel->op->operands[operand].lines) ? add_cases : add_lines)(
                    s, &shapes->items[i], operand, &added))
                return false;
    return !shapes->count || add_all_zeros(s, &shapes->items[0]);
}
