// SPDX-License-Identifier: Apache-2.0
// Characters of lines (plan/lines.h): each one meets a single line of every operand, or a case.
#include "../plan/lines.h"
#include "../plan/problem.h"
#include "edges.h"
#include "sampler.h"

// LINE_TRIES: sizes drawn for the characters of a line. SHORTEST_LINE: shortest line with a character.
enum { LINE_TRIES = 400, SHORTEST_LINE = 8 };

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

// Adds a single line in each character of the operand's lines, at edges of its length and at other sizes.
static bool add_lines(struct case_sampler *s, const struct shape *shape, int operand, int *added) {
    struct point point;
    int length;
    uint32_t seen = 0;
    int64_t sizes[EDGE_SIZES];
    if (!start_line(s, shape, operand, &point, &length)) return true;
    size_t edges = (size_t)edge_sizes(s->kernel, shape, length, sizes);
    for (int i = 0; i < LINE_TRIES; i++) {
        struct point tried = point;
        if (!sampler_set_size(
                s, shape, tried.dims, length, i % 2 ? sampler_random_size(s) : sizes[sampler_draw_below(s, edges)]))
            continue;
        const uint64_t key = operand_key(problem_key(&tried, s->request->seed), operand);
        const struct line_set lines = lines_of(s->kernel->op, &s->kernel->op->operands[operand], tried.dims, key);
        if (lines.count > 1 || lines.length < SHORTEST_LINE) continue; // too short to have a character
        const uint32_t bit = 1u << lines_character(&lines, 0);
        if (seen & bit) continue;
        if (!sampler_add(s, &tried, shape, added)) return false;
        seen |= bit;
    }
    return true;
}

// Adds cases in each character of the operand's cases, with several lines if possible.
static bool add_cases(struct case_sampler *s, const struct shape *shape, int operand, int *added) {
    const struct op *op = s->kernel->op;
    const enum lines declared = op->operands[operand].lines;
    int wanted[] = {[LINES_FINITE] = declared == LINES_BROKEN ? 0 : 2, [LINES_SOME] = declared == LINES_TAME ? 0 : 6};
    int64_t sizes[EDGE_SIZES];
    for (int i = 0; i < LINE_TRIES && wanted[LINES_FINITE] + wanted[LINES_SOME] > 0; i++) {
        struct point point = sampler_start(s);
        for (int d = 0; d < operator_dims(op); d++) {
            size_t edges = (size_t)edge_sizes(s->kernel, shape, d, sizes);
            if (sampler_draw(s) & 1) sampler_set_size(s, shape, point.dims, d, sizes[sampler_draw_below(s, edges)]);
        }
        uint64_t key = operand_key(problem_key(&point, s->request->seed), operand);
        enum lines kind = lines_of(op, &op->operands[operand], point.dims, key).kind;
        if ((kind != LINES_FINITE && kind != LINES_SOME) || wanted[kind] == 0) continue;
        int before = *added;
        if (!sampler_add(s, &point, shape, added)) return false;
        wanted[kind] -= *added - before;
    }
    return true;
}

bool sampler_lines(struct case_sampler *s, const struct shape_sample *shapes) {
    for (int operand = 0; operand < operator_operands(s->kernel->op); operand++)
        for (int i = 0, added = 0; !added && i < (int)shapes->count; i++)
            if (!(lines_by_case(s->kernel->op->operands[operand].lines) ? add_cases : add_lines)(
                    s, &shapes->items[i], operand, &added))
                return false;
    return true;
}
