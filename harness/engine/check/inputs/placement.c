// SPDX-License-Identifier: Apache-2.0
#include "placement.h"

#include "../../../base/memory.h"
#include "../../plan/lines.h"
#include "../../../record/covered.h"
#include "truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Larger problems keep their first places. The reference gets few operations, because it is asked several times.
static const double most_elements = 1 << 18, most_operations = 4e6;
// Takes the place of a special value, to find the outputs that depend on it.
static const double ordinary = 0.5;

static const double special_values[SPECIAL_VALUES] = {
    [SPECIAL_NAN] = NAN, [SPECIAL_INFINITY] = INFINITY, [SPECIAL_MINUS_INFINITY] = -INFINITY};

static bool is_same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

// Computes the expected outputs as of a serial sum rounded to nearest, so kernels of all depths agree.
static void expect(const struct problem *problem, const struct settings *settings, struct truth *truth) {
    struct settings cheap = *settings;
    cheap.check_operations = fmin(cheap.check_operations, most_operations);
    truth_make(problem, &cheap, 0, true, false, truth);
}

// Counts the judged outputs that would differ without these special values.
static int64_t judged_without(const struct problem *problem, const struct settings *settings,
    const struct operand_data *operand, double value, const struct truth *with) {
    const size_t bytes = (size_t)operand->elements * sizeof *operand->as_double;
    double *kept = memory_alloc((size_t)operand->elements, sizeof *kept);
    struct truth without = {0};
    int64_t judged = 0;
    memcpy(kept, operand->as_double, bytes);
    for (int64_t i = 0; i < operand->elements; i++)
        if (is_same(kept[i], value)) operand->as_double[i] = ordinary;
    expect(problem, settings, &without);
    memcpy(operand->as_double, kept, bytes);
    free(kept);
    for (int o = 0; o < with->output_count; o++)
        for (int64_t i = 0; i < with->outputs[o].total; i++)
            judged +=
                !isinf(with->outputs[o].bound[i]) && !is_same(with->outputs[o].want[i], without.outputs[o].want[i]);
    truth_free(&without);
    return judged;
}

// Lists the special inputs of the problem.
static void find_specials(struct problem *problem, const struct settings *settings, const struct truth *truth) {
    problem->special_count = 0;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        for (int k = 0; operand->as_double && !operand->is_fixed && k < SPECIAL_VALUES; k++) {
            int64_t count = 0;
            for (int64_t e = 0; e < operand->elements; e++) count += is_same(operand->as_double[e], special_values[k]);
            if (!count || problem->special_count == RECORD_SPECIALS) continue;
            problem->specials[problem->special_count++] = (struct special_inputs){problem->op->operands[i].name, i,
                (enum special_value)k, count, judged_without(problem, settings, operand, special_values[k], truth)};
        }
    }
}

// A choice of places: the share of open outputs, and the special values that meet no judged output.
struct placement_outcome {
    double open;
    int unmet;
};

static struct placement_outcome look_at(struct problem *problem, const struct settings *settings) {
    struct truth truth = {0};
    struct placement_outcome outcome = {0};
    int64_t open = 0, all = 0;
    expect(problem, settings, &truth);
    for (int o = 0; o < truth.output_count; o++) {
        all += truth.outputs[o].total;
        for (int64_t i = 0; i < truth.outputs[o].total; i++) open += isinf(truth.outputs[o].bound[i]) != 0;
    }
    outcome.open = open_share(all - open, open);
    find_specials(problem, settings, &truth);
    for (int i = 0; i < problem->special_count; i++) outcome.unmet += !problem->specials[i].judged;
    truth_free(&truth);
    return outcome;
}

// Returns the operands with patterns by case, a bit each.
static int unusual_operands(const struct problem *problem) {
    int bits = 0;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand *operand = &problem->op->operands[i];
        if (operand->role == ROLE_OUT || !lines_by_case(operand->lines)) continue;
        const struct line_set lines = lines_of(problem->op, operand, problem->dims, operand_key(problem->key, i));
        if (lines.kind != LINES_ALIKE) bits |= 1 << i;
    }
    return bits;
}

struct placement_choice {
    struct problem *problem;
    const struct settings *settings;
    struct placement_outcome best;
    int best_placement;
};

// Tries other places. Returns false if there is no memory.
static bool try_placement(struct placement_choice *choice, int placement, struct error *err) {
    const struct placement_outcome *best = &choice->best;
    if (best->open <= COVERED_OPEN && !best->unmet) return true;
    if (!problem_rearrange(choice->problem, placement, err)) return false;
    const struct placement_outcome outcome = look_at(choice->problem, choice->settings);
    // Shares up to COVERED_OPEN are equally good.
    const double open = outcome.open > COVERED_OPEN ? outcome.open : 0,
                 least = best->open > COVERED_OPEN ? best->open : 0;
    if (open > least || (open == least && outcome.unmet >= best->unmet)) return true;
    choice->best = outcome;
    choice->best_placement = placement;
    return true;
}

// Tries fewer unusual inputs: without those of one operand, then without any.
static bool try_fewer(struct placement_choice *choice, struct error *err) {
    const int unusual = unusual_operands(choice->problem);
    bool ok = true;
    for (int i = 0; ok && i < choice->problem->operand_count && choice->best.open > COVERED_OPEN; i++)
        if (unusual >> i & 1) ok = try_placement(choice, LINES_PLACES + (1 << i), err);
    if (ok && choice->best.open > COVERED_OPEN && unusual & (unusual - 1))
        ok = try_placement(choice, LINES_PLACES + unusual, err);
    return ok;
}

bool placement_choose(
    struct problem *problem, const struct point *point, const struct settings *settings, struct error *err) {
    struct placement_choice choice = {.problem = problem, .settings = settings};
    if (settings->plain_inputs) return problem_rearrange(problem, LINES_PLAIN, err);
    // In an algorithm that mixes neighbours, one unusual line would spoil the others.
    if (point->kernel->mixes > 0) return point->draws || problem_rearrange(problem, LINES_CALM, err);
    if (point->draws || point->kernel->recorded || operator_elements(problem->op, problem->dims) > most_elements)
        return true;
    choice.best = look_at(problem, settings);
    bool ok = true, has_patterns = false;
    for (int i = 0; i < operator_operands(problem->op); i++)
        has_patterns |= problem->op->operands[i].role != ROLE_OUT && problem->op->operands[i].lines;
    for (int placement = 1; ok && placement < LINES_PLACES && has_patterns; placement++)
        ok = try_placement(&choice, placement, err);
    ok = ok && try_fewer(&choice, err);
    if (!ok || problem->placement == choice.best_placement) return ok;
    if (!problem_rearrange(problem, choice.best_placement, err)) return false;
    look_at(problem, settings);
    return true;
}
