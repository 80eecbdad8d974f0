// SPDX-License-Identifier: Apache-2.0
// Runs a kernel and its mutant with whole numbers, because their sums are exact in any order. If both then give the
// same bits, the mutant adds up the same numbers, at most in another order.
#include "mutant_parts.h"

#include "../../base/hash.h"
#include "values_hash.h"
#include "../../record/record.h"

// Bound of the inputs: 2^17 numbers below it, or products of two of them, add up exactly in single precision.
static const double most_of_terms = 12;

static bool run_whole(struct mutant_kernel *k, const struct mutant_trial *t, const struct built *built,
    struct problem *problem, uint64_t *values, struct error *err) {
    struct launch launch;
    struct record record = {0};
    if (!launch_prepare(k->gpu, t->point, problem, built, &launch, err)) return false;
    const struct check_request request = {.gpu = k->gpu,
        .work = k->work,
        .problem = problem,
        .launch = &launch,
        .point = t->point,
        .stale_memory = k->stale_memory,
        .policy = t->variant->sound.policy,
        .timeout_s = k->options->timeout_s};
    const bool ok = check_run(&request, 1, err);
    if (ok) check_take(&request, &record);
    if (ok) *values = values_hash(problem, t->variant->sound.policy);
    launch_release(k->gpu, &launch);
    return ok;
}

bool mutant_whole_same(
    struct mutant_kernel *k, struct mutant_trial *t, const struct built *mutant, bool *same, struct error *err) {
    struct problem problem = {0};
    uint64_t again = 0, values = 0;
    if (!problem_open(k->gpu, t->point, k->options->seed, &problem, err)) return false;
    problem_redraw(&problem, hash_bytes(problem.key, "whole", 5), &(struct redraw){.range = most_of_terms});
    bool ok = true;
    if (t->whole == WHOLE_UNKNOWN) {
        ok = run_whole(k, t, &t->variant->sound, &problem, &t->whole_values, err) &&
             run_whole(k, t, &t->variant->sound, &problem, &again, err);
        t->whole = ok && again == t->whole_values ? WHOLE_TELLS : WHOLE_VARIES;
    }
    ok = ok && (t->whole == WHOLE_VARIES || run_whole(k, t, mutant, &problem, &values, err));
    *same = ok && t->whole == WHOLE_TELLS && values == t->whole_values;
    problem_close(k->gpu, &problem);
    return ok;
}

// ---- indices and counts

// Returns whether a number is made of loaded memory or of a float's bits. Such numbers are data, not indices.
static bool is_of_data(const struct code *code, uint32_t id, bool *seen) {
    const uint32_t item = code_definition(code, id), op = code_defined_by(code, id);
    if (!item || id >= code->bound || seen[id]) return false;
    seen[id] = true;
    if (op == SpvOpLoad) {
        const uint32_t class = code_class(code, code_word(code, item, 3));
        return class == SpvStorageClassStorageBuffer || class == SpvStorageClassWorkgroup;
    }
    if (op == SpvOpBitcast || op == SpvOpConvertFToU || op == SpvOpConvertFToS || op == SpvOpFunctionCall) return true;
    if (item < code->first_function) return false;
    for (uint32_t word = 3; word < spirv_length(code_item(code, item)); word++)
        if (spirv_operand(code_item(code, item), word) != OPERAND_NUMBER &&
            is_of_data(code, code_word(code, item, word), seen))
            return true;
    return false;
}

bool mutant_changes_indices(struct arena *arena, const struct code *code, uint32_t item) {
    const uint32_t op = code_op(code, item);
    const bool is_of_floats =
        op == SpvOpFNegate || op == SpvOpFAdd || op == SpvOpFSub || op == SpvOpFMul || op == SpvOpFDiv;
    const bool is_whole =
        (op >= SpvOpSNegate && op <= SpvOpSMod && !is_of_floats) || (op >= SpvOpIEqual && op <= SpvOpSLessThanEqual) ||
        (op >= SpvOpShiftRightLogical && op <= SpvOpNot) || op == SpvOpUConvert || op == SpvOpSConvert;
    bool *seen = arena_alloc(arena, code->bound + 1, sizeof *seen);
    if (!is_whole) return false;
    for (uint32_t word = 3; word < spirv_length(code_item(code, item)); word++)
        if (is_of_data(code, code_word(code, item, word), seen)) return false;
    return true;
}
