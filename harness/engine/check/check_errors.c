// SPDX-License-Identifier: Apache-2.0
#include "check_errors.h"

#include "../../base/hash.h"
#include "../../base/memory.h"
#include "check_parts.h"
#include "inputs/whole_draws.h"
#include "../../record/record.h"
#include "../../../reference/operator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum sums {
    SUMS_DRAWN,
    SUMS_EXACT, // inputs are whole numbers, so sums are exact
    SUMS_WITH_OUTLIER
};

// The errors of one output over all draws.
struct gathering {
    const struct check_request *request;
    const struct truth_output *output;
    struct error_rule rule;
    int64_t granule;
    int64_t together;         // granules in a group
    struct error_group group; // of the latest of these granules
    int64_t grouped;
    bool unit; // a granule adds up to 1
    enum sums kind;
    double *plain, *twice; // bounds at depth 1 and at twice the kernel's depth
    struct error_sums sums;
};

static double got_at(const struct gathering *g, int64_t index) {
    return dtype_load(g->rule.dtype, g->request->problem->operands[g->output->operand].got, index);
}

static void add_elements(struct gathering *g, int64_t at, int64_t first, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        const double want = g->output->want[at + i], got = got_at(g, first + i);
        const double scale = g->kind == SUMS_EXACT ? fabs(want) : fmax(fabs(want), g->output->magnitude[at + i]);
        if (!isfinite(want) || !isfinite(got) || !isfinite(scale)) continue;
        const double error = (got - want) / dtype_ulp(g->rule.dtype, scale);
        const struct error_bounds bounds = {g->output->bound[at + i], g->plain[at + i], g->twice[at + i]};
        errors_add(&g->group, error, want,
            g->kind == SUMS_EXACT ? errors_of_exact_sums(&g->rule, &bounds)
                                  : errors_expected(&g->rule, scale, &bounds));
    }
}

static void add_total(struct gathering *g, int64_t at, int64_t first, int64_t count) {
    double got = 0, want = 0;
    for (int64_t i = 0; i < count; i++) {
        want += g->output->want[at + i];
        got += got_at(g, first + i);
    }
    if (!isfinite(got) || !(fabs(want - 1) < 1e-6)) return; // a wholly masked row adds up to 0
    const struct sum_order exact = {0}, serial = {.depth = count, .chains = (double)count};
    const struct sum_order *order = g->kind == SUMS_WITH_OUTLIER ? &exact
                                    : g->rule.order.depth        ? &g->rule.order
                                                                 : &serial;
    errors_add(&g->group, (got - want) * 0x1p23, 1, errors_of_unit(order, count));
}

static void close_group(struct gathering *g) {
    errors_close(&g->sums, &g->group);
    g->group = (struct error_group){0};
    g->grouped = 0;
}

// Gathers the granules of all checked ranges.
static void gather(struct gathering *g) {
    truth_bounds(g->request->problem, g->output, 1, g->request->policy.rte, g->plain);
    if (g->rule.order.depth)
        truth_bounds(g->request->problem, g->output, 2 * g->rule.order.depth, g->request->policy.rte, g->twice);
    // A running sum counts as a chain. It is made by chains from the sums of blocks, even if a full sum would be a
    // tree.
    const int64_t last = g->granule - 1;
    if (!(g->output->bound[0] > g->plain[0]) && g->output->bound[last] > g->plain[last]) {
        g->rule.order.chains = (double)g->rule.order.depth;
        g->rule.order.tree = 0;
    }
    for (size_t r = 0; r < g->output->range_count; r++) {
        const struct range *range = &g->output->ranges[r];
        for (int64_t i = 0; i < range->count; i += g->granule) {
            (g->unit ? add_total : add_elements)(g, g->output->offsets[r] + i, range->first + i, g->granule);
            if (++g->grouped == g->together) close_group(g);
        }
    }
    close_group(g);
}

// Returns how many granules form one independent group. Outputs made from the same input share errors, such as the
// rounding of its quotient in the gradient of a mean. So at most as many groups count as there are inputs.
static int64_t granules_together(const struct problem *problem, int64_t granules) {
    int64_t most = 1;
    for (int i = 0; i < problem->operand_count; i++)
        if (problem->operands[i].role != ROLE_OUT && problem->operands[i].elements > most)
            most = problem->operands[i].elements;
    return (granules + most - 1) / most;
}

static struct gathering gathering_of(const struct check_request *r, const struct truth_output *output) {
    const struct problem *problem = r->problem;
    const struct kernel *kernel = r->point->kernel;
    const struct operand *operand = &problem->op->operands[output->operand];
    const enum dtype dtype = problem->operands[output->operand].dtype;
    const int64_t granule = operand_granule(problem->op, operand, problem->dims);
    return (struct gathering){.request = r,
        .output = output,
        .rule = {dtype, kernel->arithmetic, kernel_sum_order(kernel, r->point->dims, &r->point->shape),
            .in_steps = problem->op->in_steps},
        .granule = granule,
        .together = granules_together(problem, output->total / granule),
        .unit = operand->unit && dtype == DTYPE_F32};
}

// Returns the fewest additions (`erring`) declared by an operand's outlier.
static int64_t additions_at_outlier(const struct op *op) {
    int64_t least = INT64_MAX;
    for (int i = 0; i < operator_operands(op); i++)
        if (op->operands[i].outlier.erring > 0 && op->operands[i].outlier.erring < least)
            least = op->operands[i].outlier.erring;
    return least;
}

static void gather_outputs(const struct check_request *r, enum sums kind, struct error_sums sums[OPERATOR_OPERANDS]) {
    for (int o = 0; o < r->truth->output_count && r->policy.rte; o++) {
        struct gathering g = gathering_of(r, &r->truth->outputs[o]);
        if (!dtype_info(g.rule.dtype)->is_float) continue;
        g.plain = memory_alloc((size_t)g.output->total, sizeof *g.plain);
        g.twice = memory_alloc((size_t)g.output->total, sizeof *g.twice);
        g.sums = sums[o];
        g.kind = kind;
        if (kind == SUMS_WITH_OUTLIER) g.rule.with_outlier = additions_at_outlier(r->problem->op);
        gather(&g);
        sums[o] = g.sums;
        free(g.plain);
        free(g.twice);
    }
}

// Returns the larger of two shares: each sum as a share of its limit.
static double share_of(const struct error_sums *sums) {
    if (!sums->groups) return 0;
    return fmax(sums->squares / errors_most_squares(sums), fabs(errors_sum(sums)) / errors_most_sum(sums));
}

// Records the figures of one output, the one nearest to its limits.
static void record_sums(const struct error_sums *of, const char *operand, struct record *record) {
    const double groups = (double)of->groups;
    record->check.errors.operand = operand;
    record->check.errors.outputs = of->outputs;
    record->check.errors.groups = of->groups;
    record->check.errors.spread = sqrt(of->squares / groups);
    record->check.errors.most_spread = sqrt(errors_most_squares(of) / groups);
    record->check.errors.bias = errors_sum(of) / groups;
    record->check.errors.most_bias = errors_most_sum(of) / groups;
}

// Fails outputs with errors beyond their limits. `explained` ends the message and names the cause of normal errors.
static void judge_sums(const struct check_request *r, const struct error_sums sums[OPERATOR_OPERANDS],
    const char *explained, struct arena *arena, struct record *record) {
    for (int o = 0; o < r->truth->output_count; o++) {
        const struct error_sums *of = &sums[o];
        const char *name = r->problem->op->operands[r->truth->outputs[o].operand].name;
        if (!of->groups) continue;
        if (of->squares > errors_most_squares(of))
            check_fail(record, arena, CHECK_ERRORS,
                arena_format(arena, "the errors of %s are %.3g times as large as %s, over %lld outputs", name,
                    sqrt(of->squares / (double)of->groups), explained, (long long)of->outputs));
        if (fabs(errors_sum(of)) > errors_most_sum(of))
            check_fail(record, arena, CHECK_ERRORS,
                arena_format(arena, "the errors of %s are biased: their mean is %.3g typical errors, over %lld outputs",
                    name, errors_sum(of) / (double)of->groups, (long long)of->outputs));
    }
}

static void keep_nearest(
    const struct check_request *r, const struct error_sums sums[OPERATOR_OPERANDS], struct record *record) {
    double most = -1;
    record->check.errors.draws = r->point->draws;
    record->check.errors.spread = record->check.errors.most_spread = NAN;
    record->check.errors.bias = record->check.errors.most_bias = NAN;
    for (int o = 0; o < r->truth->output_count; o++) {
        if (!sums[o].groups || share_of(&sums[o]) <= most) continue;
        most = share_of(&sums[o]);
        record_sums(&sums[o], r->problem->op->operands[r->truth->outputs[o].operand].name, record);
    }
}

// Checks a draw after the first; only its outputs are judged. The record keeps the worse figures.
static bool check_again(
    const struct check_request *r, int draw, struct arena *arena, struct record *record, struct error *err) {
    const uint64_t hash = record->check.output_hash;
    if (!check_run(r, 1, err)) return false;
    check_switch(r, WALL_JUDGE);
    check_take(r, record);
    record->check.output_hash = hash; // of the first draw
    struct record another = {.check = record->check};
    check_outputs(r, 1, arena, &another);
    if (another.check.worst_ratio > record->check.worst_ratio || another.status == RECORD_FAIL)
        record->check = another.check;
    if (another.status == RECORD_FAIL)
        check_fail(record, arena, another.failed, arena_format(arena, "in draw %d %s", draw + 1, another.reason));
    return true;
}

// Checks one draw with its inputs and truth in place. Only the first draw has the whole check.
static bool check_drawn(
    const struct check_request *request, int draw, struct arena *arena, struct record *record, struct error *err) {
    struct check_request one = *request;
    one.packed = request->packed && draw == 0;
    return draw == 0 ? check_point(&one, arena, record, err) : check_again(&one, draw, arena, record, err);
}

// GROUPS_TO_TELL groups of outputs distinguish rounding four times as coarse from that of a division or a function.
// Means with an outlier need few groups, because they keep the last bits of their sums or lose them all.
enum { GROUPS_TO_TELL = 96, GROUPS_OF_MEANS_WITH_OUTLIER = 16, EXACT_AGAIN = 2, FEW_DRAWS = 8 };

// Returns the draws needed for this many groups in total.
static int draws_of(const struct check_request *r, int64_t groups) {
    int64_t least = INT64_MAX;
    for (int o = 0; o < r->truth->output_count; o++) {
        const struct truth_output *output = &r->truth->outputs[o];
        const struct operand *operand = &r->problem->op->operands[output->operand];
        const int64_t granules = output->total / operand_granule(r->problem->op, operand, r->problem->dims);
        if (granules < least) least = granules;
    }
    return (int)(1 + (groups - 1) / (least < 1 ? 1 : least));
}

// Checks a further draw with its inputs and truth in place.
static bool check_further(
    const struct check_request *r, int *number, struct arena *arena, struct record *record, struct error *err) {
    const bool ok = check_drawn(r, r->point->draws + (*number)++, arena, record, err);
    check_switch(r, WALL_JUDGE);
    return ok;
}

// Checks draws of whole numbers.
static bool check_whole(const struct check_request *request, struct whole_drawing *drawing, int *number,
    struct arena *arena, struct record *record, struct error *err) {
    struct error_sums sums[OPERATOR_OPERANDS] = {0};
    check_switch(request, WALL_REFERENCE);
    const struct whole_draws draws = whole_draws_find(request, drawing);
    for (int kind = 0; kind < draws.count; kind++) {
        const bool with_outlier = kind >= draws.count - draws.with_outlier;
        int left = with_outlier || draws.kinds[kind].positive ? EXACT_AGAIN : 1;
        if (draws.means) left = draws_of(request, with_outlier ? GROUPS_OF_MEANS_WITH_OUTLIER : GROUPS_TO_TELL);
        for (; left > 0 && record->status != RECORD_FAIL; left--) {
            check_switch(request, WALL_REFERENCE);
            whole_draw_make(request, &draws.kinds[kind], left, drawing);
            if (!check_further(request, number, arena, record, err)) return false;
            if (draws.means) gather_outputs(request, SUMS_EXACT, sums);
        }
    }
    judge_sums(request, sums, "a division after exact sums explains", arena, record);
    return true;
}

// Checks draws with outliers: sums keep most of their terms only in the last bits.
static bool check_outliers(const struct check_request *request, struct whole_drawing *drawing, int *number,
    struct arena *arena, struct record *record, struct error *err) {
    struct error_sums sums[OPERATOR_OPERANDS] = {0};
    // The draws with an outlier are at most half of the ordinary ones, but up to FEW_DRAWS in any case.
    const int draws = draws_of(request, GROUPS_TO_TELL), half = request->point->draws / 2;
    const int most = half < FEW_DRAWS ? FEW_DRAWS : half;
    for (int i = draws < most ? draws : most; i > 0 && record->status != RECORD_FAIL; i--) {
        check_switch(request, WALL_REFERENCE);
        draw_with_outlier_make(request, i, drawing);
        if (!check_further(request, number, arena, record, err)) return false;
        gather_outputs(request, SUMS_WITH_OUTLIER, sums);
    }
    judge_sums(request, sums, "sums of one large and many small terms explain", arena, record);
    return true;
}

static bool check_hard_sums(const struct check_request *request, uint64_t key, struct problem *problem,
    struct truth *truth, const struct settings *settings, struct arena *arena, struct record *record,
    struct error *err) {
    struct whole_drawing drawing = {
        .key = hash_bytes(key, "whole", 5), .problem = problem, .truth = truth, .settings = settings};
    int number = 0;
    bool outliers = false;
    if (!check_whole(request, &drawing, &number, arena, record, err)) return false;
    for (int i = 0; i < operator_operands(problem->op); i++) outliers |= problem->op->operands[i].outlier.along != NULL;
    const bool judged = request->policy.rte && request->point->dtype == DTYPE_F32 && outliers;
    if (record->status == RECORD_FAIL || !judged) return true;
    return check_outliers(request, &drawing, &number, arena, record, err);
}

bool check_draws(const struct check_request *request, struct problem *problem, struct truth *truth,
    const struct settings *settings, struct arena *arena, struct record *record, struct error *err) {
    struct error_sums sums[OPERATOR_OPERANDS] = {0};
    const uint64_t key = problem->key;
    for (int draw = 0; draw < request->point->draws && record->status != RECORD_FAIL; draw++) {
        check_switch(request, WALL_UPLOAD);
        problem_redraw(problem, hash_bytes(key, &draw, sizeof draw), &(struct redraw){0});
        check_switch(request, WALL_REFERENCE);
        truth_make(problem, settings,
            kernel_depth(request->point->kernel, request->point->dims, &request->point->shape), request->policy.rte,
            false, truth);
        if (!check_drawn(request, draw, arena, record, err)) return false;
        check_switch(request, WALL_JUDGE);
        gather_outputs(request, SUMS_DRAWN, sums);
    }
    keep_nearest(request, sums, record);
    judge_sums(request, sums, "its sums explain", arena, record);
    return record->status == RECORD_FAIL || check_hard_sums(request, key, problem, truth, settings, arena, record, err);
}
