// SPDX-License-Identifier: Apache-2.0
// Judges the outputs of a run against the truth.
#include "check_parts.h"

#include "../../base/memory.h"
#include "../../base/parallel.h"
#include "inputs/fill.h"
#include "preserves.h"
#include "worst.h"
#include "../../record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Judges in blocks of one size, whatever the number of cores, so sums are the same everywhere.
enum { JUDGE_BLOCK = 1 << 14 };

struct output_judging {
    const struct check_request *request;
    const struct truth_output *output;
    double largest; // magnitude of all outputs, if the kernel mixes them
    struct judgement *blocks;
};

// Returns the largest magnitude whose bound is known.
static double largest_magnitude(const struct truth_output *output) {
    double largest = 0;
    for (int64_t i = 0; i < output->total; i++) {
        const double size = fmax(isfinite(output->want[i]) ? fabs(output->want[i]) : 0, output->magnitude[i]);
        if (isfinite(output->bound[i])) largest = fmax(largest, size);
    }
    return largest;
}

// Gives a block of an output the error of its neighbours.
static void mix(const struct output_judging *j, int64_t at, int64_t count, double *magnitude, double *bound) {
    for (int64_t i = 0; i < count; i++) {
        magnitude[i] = j->largest;
        bound[i] = j->output->bound[at + i] * j->request->point->kernel->mixes;
    }
}

static void judge_piece(
    const struct output_judging *j, struct judgement *block, int64_t at, int64_t first, int64_t count) {
    const struct operand_data *operand = &j->request->problem->operands[j->output->operand];
    uint8_t touched[JUDGE_BLOCK];
    double mixed[2][JUDGE_BLOCK]; // magnitudes, bounds
    const bool mixes = j->request->point->kernel->mixes > 0;
    bool any = first < j->request->problem->special_elements;
    for (int64_t i = 0; any && i < count; i++) touched[i] = problem_touched(j->request->problem, first + i);
    struct judge_input input = {.dtype = operand->dtype,
        .arithmetic = j->request->point->kernel->arithmetic,
        .policy = j->request->policy,
        .want = j->output->want + at,
        .magnitude = mixes ? mixed[0] : j->output->magnitude + at,
        .bound = mixes ? mixed[1] : j->output->bound + at,
        .got = operand->got,
        .first = first,
        .count = count,
        .touched = any ? touched : NULL};
    if (mixes) mix(j, at, count, mixed[0], mixed[1]);
    judge_preserves(&input, j->request->problem->op->operands[j->output->operand].preserves);
    judge_add(block, &input);
}

// Returns the range with position `at` of the checked elements.
static size_t range_at(const struct truth_output *output, int64_t at) {
    size_t low = 0, high = output->range_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (output->offsets[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void judge_blocks(void *context, int64_t first, int64_t count) {
    const struct output_judging *j = context;
    for (int64_t b = first; b < first + count; b++) {
        int64_t at = b * JUDGE_BLOCK, end = at + JUDGE_BLOCK < j->output->total ? at + JUDGE_BLOCK : j->output->total;
        judge_start(&j->blocks[b], 0);
        for (size_t r = range_at(j->output, at); at < end; r++) {
            int64_t inside = at - j->output->offsets[r], left = j->output->ranges[r].count - inside;
            int64_t piece = left < end - at ? left : end - at;
            judge_piece(j, &j->blocks[b], at, j->output->ranges[r].first + inside, piece);
            at += piece;
        }
    }
}

static void judge_output(
    const struct check_request *r, const struct truth_output *output, struct judgement *judgement) {
    int64_t count = (output->total + JUDGE_BLOCK - 1) / JUDGE_BLOCK;
    struct output_judging judging = {r, output, r->point->kernel->mixes > 0 ? largest_magnitude(output) : 0,
        memory_alloc((size_t)count, sizeof *judging.blocks)};
    parallel_for(count, 1, judge_blocks, &judging);
    judge_start(judgement, r->problem->operands[output->operand].elements);
    for (int64_t b = 0; b < count; b++) judge_merge(judgement, &judging.blocks[b]);
    judge_finish(judgement);
    free(judging.blocks);
}

// Adds one output's figures. The worst element is from the output with the worst ratio.
static void merge(const struct check_request *r, const struct judgement *j, int operand, struct record *record) {
    bool worse = record->check.elements == 0 || j->worst.ratio > record->check.worst_ratio;
    record->check.elements += j->elements;
    record->check.checked += j->checked;
    record->check.excluded += j->excluded;
    record->check.failures += j->failures;
    for (int i = 0; i < JUDGE_HISTOGRAM; i++) record->check.histogram[i] += j->histogram[i];
    record->check.max_ulp = fmax(record->check.max_ulp, j->max_ulp);
    record->check.p99_ulp = fmax(record->check.p99_ulp, j->p99_ulp);
    record->check.mean_ulp = fmax(record->check.mean_ulp, judge_mean_ulp(j));
    record->check.nmse = fmax(record->check.nmse, judge_nmse(j));
    if (!worse) return;
    record->check.worst_ulp = j->worst.ulp;
    record->check.bound_ulp = j->worst.bound_ulp;
    record->check.worst_ratio = j->worst.ratio;
    record->check.worst_index = j->worst.index;
    record->check.got = j->worst.got;
    record->check.want = j->worst.want;
    record->check.input_count = 0;
    if (j->worst.index < 0) return;
    const int room = (int)(sizeof record->check.inputs / sizeof *record->check.inputs);
    record->check.worst_operand = r->problem->op->operands[operand].name;
    record->check.input_count = worst_inputs(r->problem, operand, j->worst.index, record->check.inputs, room);
}

static void fail_output(const struct check_request *r, uint32_t run, const struct judgement *judgement, int operand,
    struct arena *arena, struct record *record) {
    const char *name = r->problem->op->operands[operand].name;
    const struct operand_data *output = &r->problem->operands[operand];
    int64_t unwritten = output->image || output->from ? 0 : poisoned_words(output->got, output->bytes, run, operand);
    check_fail(record, arena,
        checks_of_worst(judgement->worst.got, judgement->worst.want, judgement->max_ulp, judgement->worst.bound_ulp),
        arena_format(arena, "%lld of %lld checked elements of %s are wrong; worst at index %lld: %s",
            (long long)judgement->failures, (long long)judgement->checked, name, (long long)judgement->worst.index,
            worst_text(
                arena, r->problem, operand, judgement->worst.index, judgement->worst.got, judgement->worst.want)));
    if (unwritten)
        check_fail(record, arena, CHECK_UNWRITTEN,
            arena_format(arena, "%lld 32-bit words of %s were never written", (long long)unwritten, name));
}

void check_outputs(const struct check_request *r, uint32_t run, struct arena *arena, struct record *record) {
    record->check.elements = record->check.checked = record->check.excluded = record->check.failures = 0;
    record->check.max_ulp = record->check.p99_ulp = record->check.mean_ulp = record->check.nmse = 0;
    record->check.worst_index = -1;
    record->check.mixes = r->point->kernel->mixes;
    memset(record->check.histogram, 0, sizeof record->check.histogram);
    for (int o = 0; o < r->truth->output_count; o++) {
        struct judgement judgement;
        int operand = r->truth->outputs[o].operand;
        judge_output(r, &r->truth->outputs[o], &judgement);
        merge(r, &judgement, operand, record);
        if (judgement.failures) fail_output(r, run, &judgement, operand, arena, record);
    }
}
