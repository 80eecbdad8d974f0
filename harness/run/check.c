// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "../base/clock.h"
#include "../base/hash.h"
#include "fill.h"
#include "parallel.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const int64_t most_spread_ns = 5000000000; // that judging how a point's error spreads may take, but for one run

// ---- one poisoned run ----

static bool is_packed(const struct check_request *r, uint32_t run) {
    return r->packed && run == 2;
}

// A run of its own, in which all that is looked at is what must not change.
enum { RUN_REACHING = CHECK_RUNS + 1 };

static bool reads_inputs(const struct check_request *r, uint32_t run) {
    return run == 1 || run == RUN_REACHING || is_packed(r, run);
}

static void copy_spans(const struct check_request *r, bool up, bool inputs, bool packed) {
    const struct problem *problem = r->problem;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        if (operand->role == ROLE_IN && !inputs) continue;
        uint64_t bytes = operand_span(problem, operand);
        const struct buffer *buffer = packed ? &problem->packed : &operand->device;
        uint64_t at = packed ? problem->packed_at[i] : 0;
        if (up)
            work_copy(r->work, &problem->upload, operand->staging, buffer, at, bytes);
        else
            work_copy(r->work, buffer, at, &problem->readback, operand->staging, bytes);
    }
}

// Scratch buffers and their guards hold one word, another in every run.
static uint32_t scratch_word(uint32_t run, int index) {
    return guard_word(run, 1000u + (uint32_t)index, 0);
}

static void copy_scratch_guards(const struct check_request *r) {
    uint64_t at = 0;
    for (int i = 0; i < r->launch->scratch_count; i++) {
        uint64_t guard = r->problem->guard, after = guard + r->launch->scratch_bytes[i];
        work_copy(r->work, &r->launch->scratch[i], 0, &r->launch->scratch_guards, at, guard);
        work_copy(r->work, &r->launch->scratch[i], after, &r->launch->scratch_guards, at + guard, GUARD_BYTES);
        at += guard + GUARD_BYTES;
    }
}

static void turn(const struct check_request *r, enum wall_part part) {
    if (r->phases) phase_timer_turn(r->phases, part);
    if (r->share) timer_share_turn(r->share, part);
}

static bool run_staged(const struct check_request *r, uint32_t run, bool place, struct error *err) {
    if (!buffer_flush(r->gpu, &r->problem->upload, err)) return false;
    turn(r, WALL_COMPUTE);
    if (!work_begin(r->gpu, r->work, err)) return false;
    bool packed = is_packed(r, run);
    copy_spans(r, true, place, packed);
    for (int i = 0; i < r->launch->scratch_count; i++)
        work_fill(r->work, &r->launch->scratch[i], 0, r->launch->scratch[i].bytes, scratch_word(run, i));
    work_barrier(r->work);
    bool (*record)(struct gpu *, struct work *, const struct launch *, struct error *) = packed ? launch_record_packed
                                                                                         : run == RUN_REACHING
                                                                                             ? launch_record_reaching
                                                                                             : launch_record;
    if (!record(r->gpu, r->work, r->launch, err)) return false;
    copy_spans(r, false, reads_inputs(r, run), packed);
    copy_scratch_guards(r);
    work_barrier(r->work);
    if (!work_end(r->gpu, r->work, err) || !work_run(r->gpu, r->work, r->timeout_s, NULL, NULL, err)) return false;
    turn(r, WALL_DOWNLOAD);
    if (!buffer_invalidate(r->gpu, &r->problem->readback, err)) return false;
    return !r->launch->scratch_count || buffer_invalidate(r->gpu, &r->launch->scratch_guards, err);
}

bool check_run(const struct check_request *r, uint32_t run, struct error *err) {
    bool *placed = is_packed(r, run) ? &r->problem->packed_placed : &r->problem->inputs_placed;
    bool place = !*placed;
    turn(r, WALL_UPLOAD);
    problem_stage(r->problem, run, place);
    if (r->queue) pthread_mutex_lock(r->queue);
    bool ok = run_staged(r, run, place, err);
    if (r->queue) pthread_mutex_unlock(r->queue);
    *placed |= ok;
    return ok;
}

// ---- what must not have changed ----

struct comparison {
    const unsigned char *a, *b;
    atomic_bool differs;
};

static void compare_chunk(void *context, int64_t first, int64_t count) {
    struct comparison *c = context;
    if (memcmp(c->a + first, c->b + first, (size_t)count) != 0) atomic_store(&c->differs, true);
}

static bool same_bytes(const void *a, const void *b, uint64_t bytes) {
    struct comparison comparison = {.a = a, .b = b};
    parallel_for((int64_t)bytes, 1 << 20, compare_chunk, &comparison);
    return !atomic_load(&comparison.differs);
}

static const unsigned char *read_back(const struct problem *problem, const struct operand_data *operand) {
    return (const unsigned char *)problem->readback.host + operand->staging;
}

static void fail(struct record *record, struct arena *arena, uint32_t failed, const char *text) {
    record->status = RECORD_FAIL;
    record->failed |= failed;
    record->reason = record->reason ? arena_format(arena, "%s; %s", record->reason, text) : text;
}

static void check_guards(const struct check_request *r, uint32_t run, struct arena *arena, struct record *record) {
    const struct problem *problem = r->problem;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        if (operand->role == ROLE_IN && !reads_inputs(r, run)) continue;
        uint32_t guard_run = operand->role == ROLE_IN ? GUARD_RUN_INPUTS : run;
        const unsigned char *span = read_back(problem, operand);
        uint64_t after = problem->guard + operand->bytes;
        int64_t before_at = guard_check(span, problem->guard, guard_run, (uint32_t)i * 2);
        int64_t after_at =
            guard_check(span + after, operand_span(problem, operand) - after, guard_run, (uint32_t)i * 2 + 1);
        if (before_at < 0 && after_at < 0) continue;
        record->check.guards_intact = false;
        const char *name = problem->op->operands[i].name;
        fail(record, arena, CHECK_GUARD,
            before_at >= 0 ? arena_format(arena, "wrote before operand %s, %lld bytes before its start", name,
                                 (long long)problem->guard - (long long)before_at)
                           : arena_format(arena, "wrote past the end of operand %s, %lld bytes behind it", name,
                                 (long long)after_at));
    }
}

static void check_scratch_guards(
    const struct check_request *r, uint32_t run, struct arena *arena, struct record *record) {
    const uint32_t *words = r->launch->scratch_guards.host;
    for (int i = 0; i < r->launch->scratch_count; i++) {
        uint64_t count = (r->problem->guard + GUARD_BYTES) / 4, at = 0;
        while (at < count && words[at] == scratch_word(run, i)) at++;
        words += count;
        if (at == count) continue;
        record->check.guards_intact = false;
        fail(record, arena, CHECK_GUARD,
            arena_format(arena, "wrote outside scratch buffer %s", r->point->kernel->scratch[i].name));
    }
}

static void check_inputs(const struct check_request *r, struct arena *arena, struct record *record) {
    for (int i = 0; i < r->problem->operand_count; i++) {
        const struct operand_data *operand = &r->problem->operands[i];
        if (operand->role != ROLE_IN) continue;
        if (same_bytes(operand->image, read_back(r->problem, operand) + r->problem->guard, operand->bytes)) continue;
        record->check.inputs_intact = false;
        fail(record, arena, CHECK_INPUT, arena_format(arena, "changed its input %s", r->problem->op->operands[i].name));
    }
}

void check_memory(const struct check_request *r, uint32_t run, struct arena *arena, struct record *record) {
    check_guards(r, run, arena, record);
    check_scratch_guards(r, run, arena, record);
    if (reads_inputs(r, run)) check_inputs(r, arena, record);
}

bool check_reaching(const struct check_request *r, struct arena *arena, struct record *record, struct error *err) {
    if (!r->launch->has_reaching || !record->check.guards_intact) return true;
    if (!check_run(r, RUN_REACHING, err)) return false;
    turn(r, WALL_JUDGE);
    check_guards(r, RUN_REACHING, arena, record);
    check_scratch_guards(r, RUN_REACHING, arena, record);
    return true;
}

// The output whose bits are not those that were kept, or NULL.
static const char *differing_output(const struct check_request *r) {
    for (int i = 0; i < r->problem->operand_count; i++) {
        const struct operand_data *operand = &r->problem->operands[i];
        if (operand->role == ROLE_IN) continue;
        if (!same_bytes(operand->got, read_back(r->problem, operand) + r->problem->guard, operand->bytes))
            return r->problem->op->operands[i].name;
    }
    return NULL;
}

void check_second_run(const struct check_request *r, struct arena *arena, struct record *record) {
    const char *differs = differing_output(r);
    if (!differs) return;
    record->check.same_bits = false;
    if (!r->point->kernel->nondeterministic)
        fail(record, arena, CHECK_BITS, arena_format(arena, "a second run gave other bits in %s", differs));
}

// Where a packed run gave other bits: a run that lies as the first did tells whether its place or the run itself is
// why.
static bool check_packed_run(
    const struct check_request *r, struct arena *arena, struct record *record, struct error *err) {
    const char *differs = differing_output(r);
    if (!differs) return true;
    struct check_request apart = *r;
    apart.packed = false;
    if (!check_run(&apart, 3, err)) return false;
    check_second_run(&apart, arena, record);
    if (record->check.same_bits)
        fail(record, arena, CHECK_PACKED,
            arena_format(arena,
                "with its operands packed into one buffer at the least offsets it gave other bits in %s", differs));
    return true;
}

struct taking {
    const unsigned char *from;
    unsigned char *to;
};

static void take_chunk(void *context, int64_t first, int64_t count) {
    const struct taking *t = context;
    memcpy(t->to + first, t->from + first, (size_t)count);
}

// Keeps the outputs of the first run, and hashes their bits eight bytes at a time.
void check_take(const struct check_request *r, struct record *record) {
    uint64_t hash = HASH_START;
    for (int i = 0; i < r->problem->operand_count; i++) {
        struct operand_data *operand = &r->problem->operands[i];
        if (operand->role == ROLE_IN) continue;
        struct taking taking = {read_back(r->problem, operand) + r->problem->guard, operand->got};
        parallel_for((int64_t)operand->bytes, 1 << 20, take_chunk, &taking);
        uint64_t at = 0;
        for (uint64_t word; at + 8 <= operand->bytes; at += 8) {
            memcpy(&word, taking.to + at, 8);
            hash = (hash ^ word) * 0x100000001b3u;
            hash ^= hash >> 32;
        }
        hash = hash_bytes(hash, taking.to + at, (size_t)(operand->bytes - at));
    }
    record->check.output_hash = hash;
}

// ---- judging ----

// Special values among the inputs of element `e`: 1 NaN or Inf, 2 subnormal. Only elementwise operators take specials,
// so element e of every input belongs to output e.
static uint8_t touched_by(const struct problem *problem, int64_t e) {
    uint8_t touched = 0;
    if (e >= problem->special_elements) return 0;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *input = &problem->operands[i];
        if (!problem->op->operands[i].specials || !input->image) continue;
        enum number_class c = classify(input->dtype, dtype_load(input->dtype, input->image, e));
        if (c == CLASS_NAN || c == CLASS_INFINITE) touched |= 1;
        if (c == CLASS_SUBNORMAL) touched |= 2;
    }
    return touched;
}

// Judging is cut into blocks of one size, whatever the number of cores, so that sums come out the same everywhere.
enum { JUDGE_BLOCK = 1 << 14 };

struct judging {
    const struct check_request *request;
    const struct truth_output *output;
    struct judgement *blocks;
};

static void judge_piece(const struct judging *j, struct judgement *block, int64_t at, int64_t first, int64_t count) {
    const struct operand_data *operand = &j->request->problem->operands[j->output->operand];
    uint8_t touched[JUDGE_BLOCK];
    bool any = first < j->request->problem->special_elements;
    for (int64_t i = 0; any && i < count; i++) touched[i] = touched_by(j->request->problem, first + i);
    struct judge_input input = {.dtype = operand->dtype,
        .arithmetic = j->request->point->kernel->arithmetic,
        .policy = j->request->policy,
        .want = j->output->want + at,
        .magnitude = j->output->magnitude + at,
        .bound = j->output->bound + at,
        .got = operand->got,
        .first = first,
        .count = count,
        .touched = any ? touched : NULL};
    judge_add(block, &input);
}

// The range that holds position `at` of the checked elements.
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
    const struct judging *j = context;
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

static bool judge_output(
    const struct check_request *r, const struct truth_output *output, struct judgement *judgement, struct error *err) {
    int64_t count = (output->total + JUDGE_BLOCK - 1) / JUDGE_BLOCK;
    struct judging judging = {r, output, calloc((size_t)count, sizeof *judging.blocks)};
    if (!judging.blocks) {
        error_set(err, STATUS_FAULT, "out of host memory for judging");
        return false;
    }
    parallel_for(count, 1, judge_blocks, &judging);
    judge_start(judgement, r->problem->operands[output->operand].elements);
    for (int64_t b = 0; b < count; b++) judge_merge(judgement, &judging.blocks[b]);
    judge_finish(judgement);
    free(judging.blocks);
    return true;
}

static void describe_worst(const struct check_request *r, int operand, struct record *record) {
    const struct problem *problem = r->problem;
    record->check.worst_operand = problem->op->operands[operand].name;
    for (int i = 0; i < problem->operand_count && record->check.input_count < 8; i++) {
        const struct operand_data *input = &problem->operands[i];
        if (!input->image || input->elements != problem->operands[operand].elements) continue;
        record->check.inputs[record->check.input_count++] = (struct named_number){
            problem->op->operands[i].name, dtype_load(input->dtype, input->image, record->check.worst_index)};
    }
}

// Those that merge adds to.
static void clear_figures(struct record *record) {
    record->check.elements = record->check.checked = record->check.excluded = record->check.failures = 0;
    record->check.max_ulp = record->check.p99_ulp = record->check.mean_ulp = record->check.nmse = 0;
    record->check.worst_index = -1;
    memset(record->check.histogram, 0, sizeof record->check.histogram);
}

// Sums up the outputs; the figures of the worst element are those of the output whose ratio is worst.
static void merge(const struct check_request *r, const struct judgement *j, int operand, struct record *record) {
    bool worse = record->check.elements == 0 || j->worst_ratio > record->check.worst_ratio;
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
    record->check.worst_ulp = j->worst_ulp;
    record->check.bound_ulp = j->bound_ulp;
    record->check.worst_ratio = j->worst_ratio;
    record->check.worst_index = j->worst_index;
    record->check.got = j->got;
    record->check.want = j->want;
    record->check.input_count = 0;
    if (j->worst_index >= 0) describe_worst(r, operand, record);
}

// Whole words of an output that hold what it was poisoned with: nothing wrote there.
static int64_t unwritten_words(const struct operand_data *output, uint32_t run, int operand) {
    const unsigned char *got = output->got;
    int64_t count = 0;
    for (uint64_t at = 0; !output->image && at + 4 <= output->bytes; at += 4) {
        uint32_t word = poison_word(run, operand, at / 4);
        count += memcmp(got + at, &word, 4) == 0;
    }
    return count;
}

static void fail_output(const struct check_request *r, uint32_t run, const struct judgement *judgement, int operand,
    struct arena *arena, struct record *record) {
    const char *name = r->problem->op->operands[operand].name;
    int64_t unwritten = unwritten_words(&r->problem->operands[operand], run, operand);
    fail(record, arena, checks_of_worst(judgement->got, judgement->want, judgement->max_ulp, judgement->bound_ulp),
        arena_format(arena, "%lld of %lld checked elements of %s are wrong; worst at index %lld: got %.9g, want %.9g",
            (long long)judgement->failures, (long long)judgement->checked, name, (long long)judgement->worst_index,
            judgement->got, judgement->want));
    if (unwritten)
        fail(record, arena, CHECK_UNWRITTEN,
            arena_format(arena, "%lld 32-bit words of %s were never written", (long long)unwritten, name));
}

// Those of that run, which lie in operand->got.
static bool judge_outputs(
    const struct check_request *r, uint32_t run, struct arena *arena, struct record *record, struct error *err) {
    clear_figures(record);
    for (int o = 0; o < r->truth->output_count; o++) {
        struct judgement judgement;
        int operand = r->truth->outputs[o].operand;
        if (!judge_output(r, &r->truth->outputs[o], &judgement, err)) return false;
        merge(r, &judgement, operand, record);
        if (judgement.failures) fail_output(r, run, &judgement, operand, arena, record);
    }
    return true;
}

// ---- the same again ----

static bool check_bits(const struct check_request *r, struct arena *arena, struct record *record, struct error *err) {
    if (!check_run(r, 2, err)) return false;
    turn(r, WALL_JUDGE);
    bool intact = record->check.guards_intact && record->check.inputs_intact;
    if (intact) check_memory(r, 2, arena, record); // what the first run broke is said once
    record->check.packed = r->packed;
    if (r->packed) return check_packed_run(r, arena, record, err);
    check_second_run(r, arena, record);
    return true;
}

// Another run of a kernel whose bits may differ from run to run. The record's figures stay those of one run: of the
// worst.
static bool judge_another(
    const struct check_request *r, uint32_t run, struct arena *arena, struct record *record, struct error *err) {
    uint64_t hash = record->check.output_hash;
    if (!check_run(r, run, err)) return false;
    turn(r, WALL_JUDGE);
    check_memory(r, run, arena, record);
    record->check.packed |= is_packed(r, run);
    if (differing_output(r)) record->check.same_bits = false;
    check_take(r, record);
    record->check.output_hash = hash; // that of the first run
    struct record another = {.check = record->check};
    if (!judge_outputs(r, run, arena, &another, err)) return false;
    double share = another.check.worst_ratio;
    record->check.spread.lo = another.check.spread.lo = fmin(record->check.spread.lo, share);
    record->check.spread.hi = another.check.spread.hi = fmax(record->check.spread.hi, share);
    record->check.spread.runs = another.check.spread.runs = (int)run;
    if (share > record->check.worst_ratio || another.status == RECORD_FAIL) record->check = another.check;
    if (another.status == RECORD_FAIL)
        fail(record, arena, another.failed, arena_format(arena, "in run %u %s", run, another.reason));
    return true;
}

static bool check_spread(const struct check_request *r, struct arena *arena, struct record *record, struct error *err) {
    int64_t start = clock_ns();
    record->check.spread.runs = 1;
    record->check.spread.lo = record->check.spread.hi = record->check.worst_ratio;
    for (uint32_t run = 2; run <= CHECK_RUNS && record->status != RECORD_FAIL; run++) {
        if (run > 2 && clock_ns() - start > most_spread_ns) break;
        if (!judge_another(r, run, arena, record, err)) return false;
    }
    return true;
}

bool check_point(const struct check_request *request, struct arena *arena, struct record *record, struct error *err) {
    record->check.guards_intact = record->check.inputs_intact = record->check.same_bits = true;
    record->check.rte = request->policy.rte;
    record->check.specials = request->policy.specials;
    record->check.denorms = request->policy.denorms;
    if (!check_run(request, 1, err)) return false;
    turn(request, WALL_JUDGE);
    check_memory(request, 1, arena, record);
    check_take(request, record);
    if (!judge_outputs(request, 1, arena, record, err)) return false;
    bool (*again)(const struct check_request *, struct arena *, struct record *, struct error *) =
        request->point->kernel->nondeterministic ? check_spread : check_bits;
    if (!again(request, arena, record, err) || !check_reaching(request, arena, record, err)) return false;
    if (record->status == RECORD_FAIL) request->problem->inputs_placed = request->problem->packed_placed = false;
    return true;
}
