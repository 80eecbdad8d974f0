// SPDX-License-Identifier: Apache-2.0
// The runs after the timed ones. Timed runs follow each other with the same inputs, over what the last one left, so a
// kernel may find its own results and do nothing.
#include "replay_shown.h"
#include "runner.h"

#include "../../base/hash.h"
#include "../check/check_parts.h"
#include "../../device/device_info.h"
#include "../../record/record.h"
#include "../timing/noise.h"

#include <math.h>

enum { RUN_OVER = RUN_REACHING + 1, RUN_FRESH, RUN_AGAIN };
enum { PAIRS = 8, FAR = 20 };

struct after {
    struct runner *runner;
    struct check_request request;
    struct arena *arena;
    struct record *record;
    bool keeps;    // it has memory of its own that nothing clears before a run, or reads its outputs
    bool reads;    // it reads its outputs
    bool far;      // it is far faster than all other shapes of its problem, so it may know its inputs
    uint64_t hash; // of its checked outputs
    uint32_t turns;
};

static bool reads_outputs(const struct launch *launch) {
    return launch->reads_back.mixed & ((1u << READ_SCRATCH) - 1);
}

static bool keeps_memory(const struct kernel *kernel) {
    for (int i = 0; i < kernel->scratch_count; i++)
        if (!kernel->scratch[i].zeroed) return true;
    return false;
}

static void refuse(struct after *a, const char *text) {
    check_fail(a->record, a->arena, CHECK_REPLAY, text);
}

// Runs the kernel over disturbed outputs, and over its own memory as the timed runs left it.
static bool run_over(struct after *a, uint32_t run, double *ns, struct error *err) {
    struct record taken = {0};
    a->request.ns = ns;
    if (!check_run(&a->request, run, err)) return false;
    check_switch(&a->request, WALL_JUDGE);
    check_take(&a->request, &taken);
    return true;
}

// The outputs of a kernel with varying bits are judged again.
static void judge_varying(struct after *a, uint32_t run, const char *when) {
    struct record last = {.check = a->record->check};
    const struct point *point = a->request.point;
    truth_make(a->request.problem, &a->runner->options.settings,
        kernel_depth(point->kernel, point->dims, &point->shape), a->request.policy.rte, false, &a->runner->truth);
    check_outputs(&a->request, run, a->arena, &last);
    if (last.status == RECORD_FAIL) refuse(a, arena_format(a->arena, "%s %s", when, last.reason));
}

static bool same_inputs(struct after *a, double *ns, struct error *err) {
    const struct check_request *r = &a->request;
    if (!run_over(a, RUN_OVER, ns, err)) return false;
    if (r->point->kernel->nondeterministic)
        judge_varying(a, RUN_OVER, "after the timed runs");
    else if (check_hash(r->problem) != a->hash && !check_replays(r, RUN_OVER, a->arena, a->record))
        refuse(a, "after the timed runs it gave other bits over disturbed outputs: it keeps results of earlier runs");
    return true;
}

static void turn(struct after *a) {
    const uint64_t key = hash_bytes(a->request.problem->key, &(uint32_t){++a->turns}, sizeof a->turns);
    problem_turn(a->request.problem, key | 1);
}

// Runs with other inputs than the timed runs. The expected bits are those of a run over poison alone, which computes
// all of them. A kernel with varying bits meets changed words in its own memory instead.
static bool other_inputs(struct after *a, double *ns, struct error *err) {
    struct check_request clean = a->request;
    clean.memory = CHECK_DISTURBED;
    clean.ns = NULL;
    if (a->request.point->kernel->nondeterministic) {
        if (!check_run(&clean, RUN_FRESH, err)) return false;
        check_take(&clean, &(struct record){0});
        judge_varying(a, RUN_FRESH, "after the timed runs, over disturbed scratch,");
        if (a->record->status == RECORD_FAIL) return true;
    }
    turn(a);
    a->request.memory = a->reads ? CHECK_AS_LEFT : CHECK_SCRATCH_KEPT; // whole rows of results may be what it looks for
    const bool ran = run_over(a, RUN_FRESH, ns, err);
    a->request.memory = CHECK_SCRATCH_KEPT;
    if (!ran || a->request.point->kernel->nondeterministic) return ran;
    if (!check_run(&clean, 1, err)) return false;
    check_switch(&clean, WALL_JUDGE);
    const char *differs = check_differing_output(&clean);
    if (differs)
        refuse(
            a, arena_format(a->arena,
                   "after the timed runs it gave other bits in %s for other inputs than over cleared memory: it keeps "
                   "results of earlier runs",
                   differs));
    return true;
}

static bool is_slower(const struct after *a, double ns) {
    return replay_is_slower(ns, a->record->time[FIGURE_COMPUTE].median);
}

// Takes turns of a run with new inputs and a run that repeats it, until one of the first is as fast as the timed ones.
// For a kernel far ahead of the others, the second run has the timed inputs. Other work on the host slows some of
// either, so the fastest count.
static bool take_pairs(struct after *a, struct replay_times *t, struct error *err) {
    double ns;
    t->fresh_ns = t->again_ns = INFINITY;
    for (uint32_t pair = 0; pair < PAIRS && is_slower(a, t->fresh_ns); pair++) {
        turn(a);
        if (!run_over(a, RUN_AGAIN + 2 * pair, &ns, err)) return false;
        t->fresh_ns = fmin(t->fresh_ns, ns);
        a->request.memory = CHECK_AS_LEFT;
        if (a->far) problem_turn(a->request.problem, 0);
        const bool ok = run_over(a, RUN_AGAIN + 2 * pair + 1, &ns, err);
        a->request.memory = CHECK_SCRATCH_KEPT;
        if (!ok) return false;
        t->again_ns = fmin(t->again_ns, ns);
    }
    return true;
}

static bool compare_times(struct after *a, struct error *err) {
    struct replay_times t = {.timed_ns = a->record->time[FIGURE_COMPUTE].median, .load = NAN};
    const struct noise before = noise_read();
    if (!take_pairs(a, &t, err)) return false;
    const struct noise after = noise_read();
    double load, steal;
    noise_between(&before, &after, &load, &steal);
    if (gpu_info(a->request.gpu)->kind == DEVICE_CPU) t.load = load + fmax(steal, 0);
    if (replay_shown(&t))
        refuse(
            a, arena_format(a->arena, "it takes %.1f us with new inputs, but %.1f us %s, and %.1f us as timed: it %s",
                   t.fresh_ns * 1e-3, t.again_ns * 1e-3, a->far ? "with the timed ones" : "if the same run is repeated",
                   t.timed_ns * 1e-3,
                   a->far ? "knows these inputs, or keeps results of earlier runs" : "keeps results of earlier runs"));
    return true;
}

// A kernel without memory of its own has no place for results, so its times show none. A time far from those of all
// other shapes is in doubt nevertheless.
static bool judge(struct after *a, struct error *err) {
    double over = NAN, other = NAN;
    if (!same_inputs(a, &over, err)) return false;
    if (a->record->status != RECORD_PASS || !(a->keeps || a->far)) return true;
    if (a->keeps && !other_inputs(a, &other, err)) return false;
    if (a->record->status != RECORD_PASS) return true;
    return !(a->far || is_slower(a, over) || is_slower(a, other)) || compare_times(a, err);
}

bool runner_judge_timed(struct runner *runner, const struct point *point, struct policy policy,
    const struct launch *launch, uint64_t hash, double others_ns, struct arena *arena, struct record *record,
    struct error *err) {
    if (record->status != RECORD_PASS) return true;
    struct after a = {.runner = runner,
        .request = runner_request(runner, point, policy, launch),
        .arena = arena,
        .record = record,
        .hash = hash,
        .keeps = keeps_memory(point->kernel) || reads_outputs(launch),
        .reads = reads_outputs(launch),
        .far = FAR * record->time[FIGURE_COMPUTE].median < others_ns && others_ns < INFINITY};
    a.request.memory = CHECK_SCRATCH_KEPT;
    bool ok = judge(&a, err);
    if (a.turns) { // other points of the problem may follow
        problem_turn(&runner->problem, 0);
        ok = ok && check_place(&a.request, err);
        runner->problem.inputs_placed = ok;
    }
    phase_timer_switch(&runner->phases, WALL_IDLE);
    return ok;
}
