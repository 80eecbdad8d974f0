// SPDX-License-Identifier: Apache-2.0
// Makes the record of an exhaustive point from the judgements of its pieces.
#include "exhaustive_parts.h"
#include "inputs/problem_data.h"
#include "../../record/record.h"

#include "../../base/hash.h"
#include "../../base/text.h"
#include "../plan/suite.h"
#include "../../../reference/operator.h"

#include <math.h>
#include <string.h>

// Returns "0x3f800000 (1)", or "0x3c00, 0x4000 (1, 2)" for two operands.
static const char *argument_text(
    const struct problem *problem, uint64_t argument, struct record *record, struct arena *arena) {
    struct text bits = {0}, values = {0};
    record->check.input_count = 0;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        if (operand->role != ROLE_IN) continue;
        const struct dtype_info *info = dtype_info(operand->dtype);
        uint32_t own = info->bytes == 4 ? (uint32_t)argument : (uint16_t)argument;
        double value = dtype_load(operand->dtype, &own, 0); // little-endian: the low half comes first
        argument >>= info->bytes == 4 ? 32 : 16;
        text_format(&bits, "%s0x%0*x", bits.length ? ", " : "", info->bytes * 2, own);
        text_format(&values, "%s%.9g", values.length ? ", " : "", value);
        record->check.inputs[record->check.input_count++] = (struct named_number){problem->op->operands[i].name, value};
    }
    text_format(&bits, " (%s)", text_str(&values));
    text_free(&values);
    return arena_take(arena, &bits);
}

static void describe_failure(
    const struct pieces *pieces, const struct judgement *all, struct arena *arena, struct record *record) {
    const struct problem *problem = pieces->problem;
    const char *argument = argument_text(problem, record->exhaustive.argument, record, arena);
    if (!all->failures) return;
    const char *text =
        arena_format(arena, "%lld of %lld checked inputs give a wrong %s; worst at %s: got %.9g, want %.9g",
            (long long)all->failures, (long long)all->checked, problem->op->operands[exhaustive_output(problem)].name,
            argument, all->worst.got, all->worst.want);
    record->status = RECORD_FAIL;
    record->failed |= checks_of_worst(all->worst.got, all->worst.want, all->max_ulp, all->worst.bound_ulp);
    record->reason = record->reason ? arena_format(arena, "%s; %s", record->reason, text) : text;
}

// Sets the replay line to the piece with the worst argument, or else to the first failed piece.
static void narrow_replay(const struct pieces *pieces, int64_t index, struct arena *arena, struct record *record) {
    struct point piece = *pieces->point;
    uint64_t before = (uint64_t)(index * pieces->n), left = piece.inputs_count - before;
    piece.inputs_first += before;
    piece.inputs_count = left < (uint64_t)pieces->n ? left : (uint64_t)pieces->n;
    point_name(arena, &piece);
    record->replay = point_replay(arena, &piece, pieces->seed);
}

static void note_memory(const struct record *piece, struct arena *arena, struct record *record) {
    record->check.guards_intact &= piece->check.guards_intact;
    record->check.inputs_intact &= piece->check.inputs_intact;
    record->check.same_bits &= piece->check.same_bits;
    record->check.output_hash =
        hash_bytes(record->check.output_hash, &piece->check.output_hash, sizeof piece->check.output_hash);
    record->failed |= piece->failed;
    if (piece->status != RECORD_FAIL || record->status == RECORD_FAIL) return;
    record->status = RECORD_FAIL;
    record->reason = arena_copy(arena, piece->reason);
}

static void note_figures(const struct judgement *all, struct record *record) {
    record->check.elements = all->elements;
    record->check.checked = all->checked;
    record->check.excluded = all->excluded;
    record->check.failures = all->failures;
    memcpy(record->check.histogram, all->histogram, sizeof all->histogram);
    record->check.max_ulp = all->checked ? all->max_ulp : NAN;
    record->check.p99_ulp = all->p99_ulp;
    record->check.mean_ulp = judge_mean_ulp(all);
    record->check.nmse = judge_nmse(all);
    record->check.worst_ulp = all->checked ? all->worst.ulp : NAN;
    record->check.bound_ulp = all->checked ? all->worst.bound_ulp : NAN;
    record->check.worst_ratio = all->checked ? all->worst.ratio : NAN;
    record->check.worst_index = all->worst.index;
    record->check.got = all->worst.got;
    record->check.want = all->worst.want;
}

void exhaustive_sum(const struct pieces *pieces, struct arena *arena, struct record *record) {
    const struct point *point = pieces->point;
    struct judgement all;
    int64_t bad = -1;
    judge_start(&all, (int64_t)point->inputs_count);
    record->check.guards_intact = record->check.inputs_intact = record->check.same_bits = true;
    record->check.output_hash = HASH_START;
    for (int64_t i = 0; i < pieces->count; i++) {
        struct piece *piece = &pieces->all[i];
        if (piece->judgement.worst.index >= 0) piece->judgement.worst.index += i * pieces->n;
        judge_merge(&all, &piece->judgement);
        note_memory(&piece->record, arena, record);
        if (bad < 0 && record->status == RECORD_FAIL) bad = i;
    }
    judge_finish(&all);
    record->check.rte = pieces->built->policy.rte;
    record->check.specials = pieces->built->policy.specials;
    record->check.denorms = pieces->built->policy.denorms;
    note_figures(&all, record);
    record->exhaustive.bits = exhaustive_bits(point->kernel, point->dtype);
    record->exhaustive.first = point->inputs_first;
    record->exhaustive.last = point->inputs_first + point->inputs_count - 1;
    record->exhaustive.inputs = (int64_t)point->inputs_count;
    if (all.worst.index >= 0) {
        const struct problem *problem = pieces->problem;
        record->check.worst_operand = problem->op->operands[exhaustive_output(problem)].name;
        record->exhaustive.argument = point->inputs_first + (uint64_t)all.worst.index;
        record->exhaustive.ulp = isfinite(all.worst.ulp) ? all.worst.ulp : NAN;
        describe_failure(pieces, &all, arena, record);
        if (all.failures) bad = all.worst.index / pieces->n;
    }
    if (bad >= 0) narrow_replay(pieces, bad, arena, record);
}
