// SPDX-License-Identifier: Apache-2.0
#include "sweep.h"

#include "../base/clock.h"
#include "../base/hash.h"
#include "../base/text.h"
#include "../plan/sweep.h"
#include "check.h"
#include "parallel.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 3,
    BLOCK = 1 << 13, // inputs judged at a time: five arrays of them stay in a core's cache
};

// The operands and the recorded work of one piece at a time.
struct lane {
    struct problem problem;
    struct work *work;
};

struct sweep {
    struct lane lanes[LANES];
    pthread_mutex_t queue;
};

// What came of a piece; kept until all are done, so that they are summed up in order.
struct piece {
    struct judgement judgement;
    struct record record; // status, reason, and what `check` says of memory, bits and hash
};

struct pass_over {
    struct sweep *sweep;
    struct gpu *gpu;
    const struct run_options *options;
    const struct point *point;
    const struct built *built;
    int64_t n, piece_count;
    struct piece *pieces;
    atomic_int_least64_t next;
    atomic_bool stop;
};

struct worker {
    struct pass_over *over;
    struct lane *lane;
    struct launch launch;
    struct arena arena; // of the pieces' reasons
    struct error err;
    pthread_t thread;
    bool prepared, started, failed;
};

struct sweep *sweep_open(struct gpu *gpu, struct error *err) {
    struct sweep *sweep = calloc(1, sizeof *sweep);
    if (!sweep) {
        error_set(err, STATUS_FAULT, "out of memory");
        return NULL;
    }
    pthread_mutex_init(&sweep->queue, NULL);
    bool ok = true;
    for (int i = 0; ok && i < LANES; i++) ok = (sweep->lanes[i].work = work_create(gpu, 0, err));
    if (ok) return sweep;
    sweep_close(gpu, sweep);
    return NULL;
}

void sweep_close(struct gpu *gpu, struct sweep *sweep) {
    if (!sweep) return;
    for (int i = 0; i < LANES; i++) {
        problem_close(gpu, &sweep->lanes[i].problem);
        if (sweep->lanes[i].work) work_destroy(gpu, sweep->lanes[i].work);
    }
    pthread_mutex_destroy(&sweep->queue);
    free(sweep);
}

// ---- inputs ----

struct filling {
    const struct problem *problem;
    uint64_t first;
};

// The operands of input `index`, by their bits.
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

// A piece that reaches beyond the last input goes on with what follows, from 0 again at the end; that is not judged.
static void fill_chunk(void *context, int64_t first, int64_t count) {
    const struct filling *f = context;
    for (int64_t i = first; i < first + count; i++) store_input(f->problem, f->first + (uint64_t)i, i);
}

// ---- judging ----

struct judging {
    const struct pass_over *over;
    const struct problem *problem;
    int output;
    int64_t count; // inputs of the piece that are judged
    struct judgement *blocks;
};

// 1: NaN or infinite, 2: subnormal (judge.h).
static uint8_t touched_by(double value, double least_normal) {
    if (!isfinite(value)) return 1;
    return value != 0 && fabs(value) < least_normal ? 2 : 0;
}

static void judge_block(const struct judging *j, struct judgement *block, int64_t first, int64_t count) {
    const struct problem *problem = j->problem;
    const struct point *point = j->over->point;
    double in[2][BLOCK], want[BLOCK], magnitude[BLOCK], bound[BLOCK];
    uint8_t touched[BLOCK] = {0};
    struct call_f64 call = {.dims = problem->dims, .params = problem->params, .dtype = problem->dtype,
        .output = j->output, .count = count, .out = want, .magnitude = magnitude, .bound = bound,
        .rte = j->over->built->policy.rte};
    int inputs = 0;
    for (int o = 0; o < problem->operand_count; o++) {
        const struct operand_data *operand = &problem->operands[o];
        if (operand->role != ROLE_IN) continue;
        double *values = in[inputs++], least_normal = ldexp(1, dtype_info(operand->dtype)->least_exponent);
        for (int64_t i = 0; i < count; i++) {
            values[i] = dtype_load(operand->dtype, operand->image, first + i);
            touched[i] |= touched_by(values[i], least_normal);
        }
        call.in[o] = values;
    }
    problem->op->f64(&call);
    struct judge_input input = {.dtype = problem->operands[j->output].dtype, .arithmetic = point->kernel->arithmetic,
        .policy = j->over->built->policy, .want = want, .magnitude = magnitude, .bound = bound,
        .got = problem->operands[j->output].got, .first = first, .count = count, .touched = touched};
    judge_add(block, &input);
}

static void judge_blocks(void *context, int64_t first, int64_t count) {
    const struct judging *j = context;
    for (int64_t b = first; b < first + count; b++) {
        int64_t at = b * BLOCK, left = j->count - at;
        judge_start(&j->blocks[b], 0);
        judge_block(j, &j->blocks[b], at, left < BLOCK ? left : BLOCK);
    }
}

static int output_of(const struct problem *problem) {
    int output = 0;
    while (problem->operands[output].role != ROLE_OUT) output++;
    return output;
}

static bool judge_piece(const struct worker *w, int64_t count, struct piece *piece, struct error *err) {
    const struct problem *problem = &w->lane->problem;
    int64_t blocks = (count + BLOCK - 1) / BLOCK;
    struct judging judging = {w->over, problem, output_of(problem), count, calloc((size_t)blocks, sizeof *judging.blocks)};
    if (!judging.blocks) return error_set(err, STATUS_FAULT, "out of host memory for judging");
    parallel_for(blocks, 1, judge_blocks, &judging);
    judge_start(&piece->judgement, count);
    for (int64_t b = 0; b < blocks; b++) judge_merge(&piece->judgement, &judging.blocks[b]);
    free(judging.blocks);
    return true;
}

// ---- one piece ----

static bool run_piece(struct worker *w, int64_t index, struct error *err) {
    const struct pass_over *over = w->over;
    struct problem *problem = &w->lane->problem;
    struct piece *piece = &over->pieces[index];
    struct record *record = &piece->record;
    struct check_request request = {.gpu = over->gpu, .work = w->lane->work, .problem = problem, .launch = &w->launch,
        .point = over->point, .policy = over->built->policy, .timeout_s = over->options->timeout_s,
        .queue = &over->sweep->queue};
    int64_t before = index * over->n, left = (int64_t)over->point->sweep_count - before;
    struct filling filling = {problem, over->point->sweep_first + (uint64_t)before};
    record->check.guards_intact = record->check.inputs_intact = record->check.same_bits = true;
    parallel_for(over->n, 1 << 16, fill_chunk, &filling);
    problem->inputs_placed = false;
    if (!check_run(&request, 1, err)) return false;
    check_memory(&request, 1, &w->arena, record);
    check_take(&request, record);
    if (!check_run(&request, 2, err)) return false;
    if (record->check.guards_intact) check_memory(&request, 2, &w->arena, record);
    check_second_run(&request, &w->arena, record);
    return judge_piece(w, left < over->n ? left : over->n, piece, err);
}

static void *work_off(void *argument) {
    struct worker *w = argument;
    while (!atomic_load(&w->over->stop)) {
        int64_t index = atomic_fetch_add(&w->over->next, 1);
        if (index >= w->over->piece_count) break;
        if (run_piece(w, index, &w->err)) continue;
        w->failed = true;
        atomic_store(&w->over->stop, true);
    }
    return NULL;
}

// ---- the point ----

static bool prepare(struct worker *w, struct error *err) {
    const struct pass_over *over = w->over;
    struct problem *problem = &w->lane->problem;
    if (problem->key != problem_key(over->point, over->options->seed)) {
        problem_close(over->gpu, problem);
        if (!problem_open(over->gpu, over->point, over->options->seed, problem, err)) return false;
    }
    return w->prepared = launch_prepare(over->gpu, over->point, problem, over->built, &w->launch, err);
}

// Runs the lanes, the first on this thread. What one of them met is in err.
static bool run_lanes(struct worker workers[LANES], struct error *err) {
    for (int i = 1; i < LANES; i++)
        workers[i].started = pthread_create(&workers[i].thread, NULL, work_off, &workers[i]) == 0;
    work_off(&workers[0]);
    for (int i = 1; i < LANES; i++)
        if (workers[i].started) pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < LANES; i++) {
        if (!workers[i].failed) continue;
        *err = workers[i].err;
        return false;
    }
    return true;
}

// 0x3f800000 (1); of two operands 0x3c00, 0x4000 (1, 2).
static const char *argument_text(const struct problem *problem, uint64_t argument, struct record *record,
    struct arena *arena) {
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
        record->check.inputs[record->check.input_count++] =
            (struct named_number){problem->op->operands[i].name, value};
    }
    const char *text = arena_format(arena, "%s (%s)", text_str(&bits), text_str(&values));
    text_free(&bits);
    text_free(&values);
    return text ? text : "";
}

static void describe_failure(const struct pass_over *over, const struct judgement *all, struct arena *arena,
    struct record *record) {
    const struct problem *problem = &over->sweep->lanes[0].problem;
    const char *argument = argument_text(problem, record->exhaustive.argument, record, arena);
    if (!all->failures) return;
    const char *text = arena_format(arena, "%lld of %lld checked inputs give a wrong %s; worst at %s: got %.9g, want %.9g",
        (long long)all->failures, (long long)all->checked, problem->op->operands[output_of(problem)].name, argument,
        all->got, all->want);
    record->status = RECORD_FAIL;
    record->reason = record->reason ? arena_format(arena, "%s; %s", record->reason, text) : text;
}

// The replay line of a failure is that of the piece which holds the worst argument, or what went wrong first.
static void narrow_replay(const struct pass_over *over, int64_t index, struct arena *arena, struct record *record) {
    struct point piece = *over->point;
    struct error ignored = {0};
    uint64_t before = (uint64_t)(index * over->n), left = piece.sweep_count - before;
    piece.sweep_first += before;
    piece.sweep_count = left < (uint64_t)over->n ? left : (uint64_t)over->n;
    if (point_name(arena, &piece, &ignored))
        record->replay = point_replay(arena, &piece, over->options->seed);
}

static void note_memory(const struct record *piece, struct arena *arena, struct record *record) {
    record->check.guards_intact &= piece->check.guards_intact;
    record->check.inputs_intact &= piece->check.inputs_intact;
    record->check.same_bits &= piece->check.same_bits;
    record->check.output_hash =
        hash_bytes(record->check.output_hash, &piece->check.output_hash, sizeof piece->check.output_hash);
    if (piece->status != RECORD_FAIL || record->status == RECORD_FAIL) return;
    record->status = RECORD_FAIL;
    record->reason = arena_copy(arena, piece->reason);
}

// The error of the worst argument; where nothing is allowed, or classes differ, the ratio to the bound does not tell it.
static double worst_ulp(const struct judgement *all, enum dtype dtype) {
    if (isfinite(all->worst_ratio)) return all->worst_ratio * all->bound_ulp;
    if (!isfinite(all->got) || !isfinite(all->want)) return NAN;
    return fabs(all->got - all->want) / dtype_ulp(dtype, all->want);
}

static void sum_up(const struct pass_over *over, struct arena *arena, struct record *record) {
    const struct point *point = over->point;
    struct judgement all;
    int64_t bad = -1;
    judge_start(&all, (int64_t)point->sweep_count);
    record->check.guards_intact = record->check.inputs_intact = record->check.same_bits = true;
    record->check.output_hash = HASH_START;
    for (int64_t i = 0; i < over->piece_count; i++) {
        struct piece *piece = &over->pieces[i];
        if (piece->judgement.worst_index >= 0) piece->judgement.worst_index += i * over->n;
        judge_merge(&all, &piece->judgement);
        note_memory(&piece->record, arena, record);
        if (bad < 0 && record->status == RECORD_FAIL) bad = i;
    }
    judge_finish(&all);
    record->check.rte = over->built->policy.rte;
    record->check.specials = over->built->policy.specials;
    record->check.denorms = over->built->policy.denorms;
    record->check.elements = all.elements;
    record->check.checked = all.checked;
    record->check.excluded = all.excluded;
    record->check.failures = all.failures;
    memcpy(record->check.histogram, all.histogram, sizeof all.histogram);
    record->check.max_ulp = all.checked ? all.max_ulp : NAN;
    record->check.p99_ulp = all.p99_ulp;
    record->check.mean_ulp = judge_mean_ulp(&all);
    record->check.nmse = judge_nmse(&all);
    record->check.bound_ulp = all.checked ? all.bound_ulp : NAN;
    record->check.worst_ratio = all.checked ? all.worst_ratio : NAN;
    record->check.worst_index = all.worst_index;
    record->check.got = all.got;
    record->check.want = all.want;
    record->exhaustive.bits = sweep_bits(point->kernel, point->dtype);
    record->exhaustive.first = point->sweep_first;
    record->exhaustive.last = point->sweep_first + point->sweep_count - 1;
    record->exhaustive.inputs = (int64_t)point->sweep_count;
    if (all.worst_index >= 0) {
        const struct problem *problem = &over->sweep->lanes[0].problem;
        record->check.worst_operand = problem->op->operands[output_of(problem)].name;
        record->exhaustive.argument = point->sweep_first + (uint64_t)all.worst_index;
        record->exhaustive.ulp = worst_ulp(&all, problem->operands[output_of(problem)].dtype);
        describe_failure(over, &all, arena, record);
        if (all.failures) bad = all.worst_index / over->n;
    }
    if (bad >= 0) narrow_replay(over, bad, arena, record);
}

bool sweep_point(struct sweep *sweep, struct gpu *gpu, const struct run_options *options, const struct point *point,
    const struct built *built, struct arena *arena, struct record *record, struct error *err) {
    int64_t start = clock_ns(), n = point->dims[0], count = (int64_t)point->sweep_count;
    struct pass_over over = {.sweep = sweep, .gpu = gpu, .options = options, .point = point, .built = built, .n = n,
        .piece_count = (count + n - 1) / n};
    struct worker workers[LANES] = {0};
    over.pieces = calloc((size_t)over.piece_count, sizeof *over.pieces);
    bool ok = over.pieces || error_set(err, STATUS_FAULT, "out of host memory for a sweep");
    for (int i = 0; ok && i < LANES; i++) {
        workers[i].over = &over;
        workers[i].lane = &sweep->lanes[i];
        ok = prepare(&workers[i], err);
    }
    ok = ok && run_lanes(workers, err);
    if (ok) {
        sum_up(&over, arena, record);
        record->exhaustive.inputs_per_s = (double)count * 1e9 / (double)(clock_ns() - start);
    }
    for (int i = 0; i < LANES; i++) {
        if (workers[i].prepared) launch_release(gpu, &workers[i].launch);
        arena_free(&workers[i].arena);
    }
    free(over.pieces);
    return ok;
}
