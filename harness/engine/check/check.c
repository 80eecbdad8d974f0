// SPDX-License-Identifier: Apache-2.0
#include "check_parts.h"

#include "../../base/clock.h"
#include "hints.h"
#include "recorded/contents.h"
#include "recorded/recorded.h"
#include "../../record/record.h"

#include <math.h>
#include <string.h>

static const int64_t most_spread_ns = 5000000000; // budget for judging how errors spread; run 2 always happens

void check_second_run(const struct check_request *r, uint32_t run, struct arena *arena, struct record *record) {
    const char *differs = check_differing_output(r);
    if (!differs) return;
    record->check.same_bits = false;
    if (r->point->kernel->nondeterministic) return;
    struct held *held = held_start(r);
    held_note(held, r, run);
    if (!held_end(held, r, true, arena, record) && !check_replays(r, run, arena, record))
        check_fail(record, arena, CHECK_BITS, arena_format(arena, "a second run gave other bits in %s", differs));
}

// Fails a packed run with other bits than a plain one. A packed run in plain grids shows which of the two is the cause.
static bool blame_placing(
    const struct check_request *r, const char *differs, struct arena *arena, struct record *record, struct error *err) {
    struct check_request unfolded = *r;
    unfolded.unfolded = true;
    bool folds = check_is_folded(r, 2);
    if (folds && !check_run(&unfolded, 2, err)) return false;
    folds = folds && !check_differing_numbers(&unfolded);
    check_fail(record, arena, folds ? CHECK_FOLDED : CHECK_PACKED,
        arena_format(arena, "%s it gave other bits in %s",
            folds ? "in a grid folded over other axes, as beyond the limit of x,"
                  : "with its operands packed into one buffer at the least offsets",
            differs));
    return true;
}

// Handles a packed run with other bits. A plain run then shows whether the placement or the run itself is the cause.
// In another grid a row may take another way through the shader, which may give a NaN another sign.
static bool check_packed_run(
    const struct check_request *r, struct arena *arena, struct record *record, struct error *err) {
    if (!check_differing_output(r)) return true;
    const char *differs = check_differing_numbers(r);
    struct check_request apart = *r;
    apart.packed = false;
    if (!check_run(&apart, 2, err)) return false;
    check_second_run(&apart, 2, arena, record);
    return !differs || !record->check.same_bits || blame_placing(r, differs, arena, record, err);
}

static bool check_bits(const struct check_request *r, struct arena *arena, struct record *record, struct error *err) {
    if (!check_run(r, 2, err)) return false;
    check_switch(r, WALL_JUDGE);
    bool intact = record->check.guards_intact && record->check.inputs_intact;
    if (intact) check_memory(r, 2, arena, record); // damage by the first run is reported only once
    record->check.packed = r->packed;
    record->check.folded = check_is_folded(r, 2);
    if (r->packed) return check_packed_run(r, arena, record, err);
    check_second_run(r, 2, arena, record);
    return true;
}

// Judges another run of a kernel with varying bits. The record keeps the figures of one run, the worst.
static bool judge_another(
    const struct check_request *r, uint32_t run, struct arena *arena, struct record *record, struct error *err) {
    uint64_t hash = record->check.output_hash;
    if (!check_run(r, run, err)) return false;
    check_switch(r, WALL_JUDGE);
    check_memory(r, run, arena, record);
    record->check.packed |= check_is_packed(r, run);
    record->check.folded |= check_is_folded(r, run);
    if (check_differing_output(r)) record->check.same_bits = false;
    check_take(r, record);
    record->check.output_hash = hash; // of the first run
    struct record another = {.check = record->check};
    check_outputs(r, run, arena, &another);
    double share = another.check.worst_ratio;
    record->check.spread.lo = another.check.spread.lo = fmin(record->check.spread.lo, share);
    record->check.spread.hi = another.check.spread.hi = fmax(record->check.spread.hi, share);
    record->check.spread.runs = another.check.spread.runs = (int)run;
    if (share > record->check.worst_ratio || another.status == RECORD_FAIL) record->check = another.check;
    const char *way = check_is_folded(r, run)   ? ", with packed operands in a folded grid,"
                      : check_is_packed(r, run) ? ", with packed operands,"
                                                : "";
    if (another.status == RECORD_FAIL)
        check_fail(record, arena, another.failed, arena_format(arena, "in run %u%s %s", run, way, another.reason));
    return true;
}

static bool check_spread(const struct check_request *r, struct arena *arena, struct record *record, struct error *err) {
    int64_t start = clock_ns();
    record->check.spread.runs = 1;
    record->check.spread.lo = record->check.spread.hi = record->check.worst_ratio;
    struct held *held = held_start(r);
    bool ok = true;
    for (uint32_t run = 2; ok && run <= CHECK_RUNS && record->status != RECORD_FAIL; run++) {
        if (run > 2 && clock_ns() - start > most_spread_ns) break;
        ok = judge_another(r, run, arena, record, err);
        if (ok) held_note(held, r, run);
    }
    held_end(held, r, false, arena, record);
    return ok;
}

void check_last(const struct check_request *r, struct arena *arena, struct record *record) {
    for (int i = 0; i < r->problem->operand_count; i++) recorded_settle(r->problem, i, r->problem->operands[i].got);
    if (check_hash(r->problem) == record->check.output_hash) return;
    record->check.same_bits = false;
    if (!r->point->kernel->nondeterministic) {
        check_fail(record, arena, CHECK_BITS, "its last timed run gave other bits than the checked one");
        return;
    }
    struct record last = {.check = record->check};
    check_outputs(r, 1, arena, &last);
    if (last.status == RECORD_FAIL)
        check_fail(record, arena, last.failed, arena_format(arena, "in its last timed run %s", last.reason));
}

static void check_barriers(const struct check_request *r, struct arena *arena, struct record *record) {
    const struct barrier_share *skipped = &r->launch->skipped;
    if (skipped->of)
        check_fail(record, arena, CHECK_BARRIER,
            arena_format(arena,
                "%u of the %u invocations of a workgroup reach a barrier that the others skip; later results are "
                "undefined",
                skipped->reach, skipped->of));
}

// A buffer that is only read until its first use is over holds nothing of this run.
static void check_state(const struct check_request *r, struct arena *arena, struct record *record) {
    const char *names = reads_back_names(arena, r->point->kernel, r->launch->reads_back.stale);
    if (names)
        check_fail(record, arena, CHECK_REPLAY,
            arena_format(arena, "reads %s, where nothing of the same run has written before", names));
}

bool check_point(const struct check_request *request, struct arena *arena, struct record *record, struct error *err) {
    record->check.guards_intact = record->check.inputs_intact = record->check.same_bits = true;
    record->check.rte = request->policy.rte;
    record->check.specials = request->policy.specials;
    record->check.denorms = request->policy.denorms;
    record->check.specials_in.placement = request->problem->placement;
    record->check.specials_in.count = request->problem->special_count;
    memcpy(record->check.specials_in.rows, request->problem->specials, sizeof request->problem->specials);
    if (!check_run(request, 1, err)) return false;
    check_switch(request, WALL_JUDGE);
    check_memory(request, 1, arena, record);
    check_barriers(request, arena, record);
    check_state(request, arena, record);
    check_take(request, record);
    bool known = request->known && record->check.output_hash == *request->known;
    if (!known && request->point->kernel->recorded)
        check_recorded(request, arena, record);
    else if (!known)
        check_outputs(request, 1, arena, record);
    bool (*again)(const struct check_request *, struct arena *, struct record *, struct error *) =
        request->point->kernel->nondeterministic ? check_spread : check_bits;
    bool enough = (request->first_failure && record->status == RECORD_FAIL) || (known && request->once);
    if (!enough && (!again(request, arena, record, err) || !check_reaching(request, arena, record, err))) return false;
    hints_add(request, arena, record);
    if (record->status == RECORD_FAIL) request->problem->inputs_placed = request->problem->packed_placed = false;
    return true;
}
