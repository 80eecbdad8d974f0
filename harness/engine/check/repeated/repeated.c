// SPDX-License-Identifier: Apache-2.0
#include "repeated.h"

#include "../../../../reference/operator.h"
#include "../../../base/memory.h"
#include "../../../device/device_info.h"
#include "../../../record/record.h"
#include "../../../truth/stats/share.h"
#include "../../program/shaders.h"
#include "../check_parts.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 16, ALIGNMENT = 256, GROUP = 64, MOST_GROUPS = 1024, BUSY_GROUPS = 256 };
enum { BUSY_TURNS = 4096, BUSY_TURNS_OF_CPU = 16, MOST_GROUPS_OF_CPU = 8 }; // a CPU takes microseconds for a workgroup
static const long pause_ns = 50000000;                                      // a GPU lowers its clock within it
enum { MODE_HASH, MODE_KEEP, MODE_BUSY };

struct repeater {
    struct program *program;
    struct buffer slots, slots_host; // slot 0: of the judged outputs
};

// The parameters of repeated.comp.
struct push {
    uint32_t mode, count, last, slot, place;
};

struct repeater *repeater_open(struct gpu *gpu, const struct run_options *options, struct error *err) {
    struct repeater *repeater = memory_alloc(1, sizeof *repeater);
    struct arena arena = {0};
    struct spirv spirv;
    const uint64_t bytes = (BATCH + 1) * 2 * sizeof(uint32_t);
    if (shader_of_includes(&arena, options, "repeated.comp", NULL, options->cache_folder, &spirv, err))
        repeater->program = program_create(gpu,
            &(struct program_desc){.label = "repeated.comp",
                .spirv = spirv.words,
                .words = spirv.count,
                .bindings = 3,
                .push_bytes = sizeof(struct push)},
            NULL, err);
    const bool ok = repeater->program && buffer_create(gpu, BUFFER_DEVICE, bytes, &repeater->slots, err) &&
                    buffer_create(gpu, BUFFER_READBACK, bytes, &repeater->slots_host, err);
    arena_free(&arena);
    if (ok) return repeater;
    repeater_close(gpu, repeater);
    return NULL;
}

void repeater_close(struct gpu *gpu, struct repeater *repeater) {
    if (!repeater) return;
    if (repeater->program) program_destroy(gpu, repeater->program);
    buffer_destroy(gpu, &repeater->slots);
    buffer_destroy(gpu, &repeater->slots_host);
    free(repeater);
}

// A run of repetitions of one point.
struct repetition {
    struct repeater *repeater;
    const struct check_request *request;
    struct buffer kept;                    // the outputs of a differing execution, or the judged ones
    uint64_t place[OPERATOR_OPERANDS];     // of each output in `kept`
    unsigned char *got[OPERATOR_OPERANDS]; // copies of the judged outputs
    struct repeated_row *row;
    bool has_busy;
};

static uint64_t words_of(const struct operand_data *operand) {
    return (operand->bytes + 3) / 4;
}

// Records one look at an output, in its own buffer or in `kept`.
static bool look(const struct repetition *x, uint32_t mode, int index, bool in_kept, uint32_t slot, struct error *err) {
    const struct check_request *r = x->request;
    const struct operand_data *operand = &r->problem->operands[index];
    const uint64_t words = words_of(operand), groups = (words + GROUP - 1) / GROUP, over = operand->bytes % 4;
    const uint64_t most = gpu_info(r->gpu)->kind == DEVICE_CPU ? MOST_GROUPS_OF_CPU : MOST_GROUPS;
    const struct binding data = {
        in_kept ? &x->kept : &operand->device, in_kept ? x->place[index] : r->problem->guard, words * 4};
    const struct push push = {.mode = mode,
        .count = (uint32_t)words,
        .last = over ? (1u << 8 * over) - 1 : UINT32_MAX,
        .slot = slot,
        .place = (uint32_t)(x->place[index] / 4)};
    const struct binding bindings[] = {
        data, {&x->repeater->slots, 0, x->repeater->slots.bytes}, {&x->kept, 0, x->kept.bytes}};
    return work_dispatch(r->gpu, r->work, x->repeater->program, bindings, &push,
        (uint32_t[3]){(uint32_t)(groups < most ? groups : most), 1, 1}, err);
}

// Looks at each output.
static bool look_at_all(const struct repetition *x, uint32_t mode, bool in_kept, uint32_t slot, struct error *err) {
    const struct problem *problem = x->request->problem;
    for (int i = 0; i < problem->operand_count; i++)
        if (problem->operands[i].role != ROLE_IN && !look(x, mode, i, in_kept, slot, err)) return false;
    work_barrier(x->request->work);
    return true;
}

// Starts other work, which nothing orders with the kernel behind it.
static bool start_busy(const struct repetition *x, struct error *err) {
    const struct binding all[] = {
        {&x->kept, 0, x->kept.bytes}, {&x->repeater->slots, 0, x->repeater->slots.bytes}, {&x->kept, 0, x->kept.bytes}};
    const bool cpu = gpu_info(x->request->gpu)->kind == DEVICE_CPU;
    const struct push push = {.mode = MODE_BUSY, .count = cpu ? BUSY_TURNS_OF_CPU : BUSY_TURNS};
    return work_dispatch(
        x->request->gpu, x->request->work, x->repeater->program, all, &push, (uint32_t[3]){BUSY_GROUPS, 1, 1}, err);
}

static bool submit(const struct repetition *x, struct error *err) {
    const struct check_request *r = x->request;
    return work_end(r->gpu, r->work, err) && work_run(r->gpu, r->work, r->timeout_s, NULL, NULL, err);
}

// Puts the judged outputs into `kept`, and their hash into slot 0.
static bool hash_judged(struct repetition *x, struct error *err) {
    const struct check_request *r = x->request;
    struct problem *problem = r->problem;
    if (!work_begin(r->gpu, r->work, err)) return false;
    work_fill(r->work, &x->repeater->slots, 0, x->repeater->slots.bytes, 0);
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        const uint64_t at = operand->staging + problem->guard;
        if (operand->role == ROLE_IN) continue;
        memcpy((unsigned char *)problem->upload.host + at, x->got[i], (size_t)operand->bytes);
        work_copy(r->work, &problem->upload, at, &x->kept, x->place[i], words_of(operand) * 4);
    }
    work_barrier(r->work);
    return buffer_flush(r->gpu, &problem->upload, err) && look_at_all(x, MODE_HASH, true, 0, err) && submit(x, err);
}

// Downloads the kept outputs and judges them. *wrong: some check of their numbers does not hold.
static bool judge_kept(struct repetition *x, struct arena *arena, bool *wrong, struct error *err) {
    const struct check_request *r = x->request;
    struct problem *problem = r->problem;
    struct record judged = {0};
    if (!work_begin(r->gpu, r->work, err)) return false;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        if (operand->role != ROLE_IN)
            work_copy(r->work, &x->kept, x->place[i], &problem->readback, operand->staging + problem->guard,
                words_of(operand) * 4);
    }
    work_barrier(r->work);
    if (!submit(x, err) || !buffer_invalidate(r->gpu, &problem->readback, err)) return false;
    check_take(r, &judged);
    check_outputs(r, 1, arena, &judged);
    *wrong = judged.status == RECORD_FAIL;
    for (int i = 0; i < problem->operand_count; i++)
        if (x->got[i]) memcpy(problem->operands[i].got, x->got[i], (size_t)problem->operands[i].bytes);
    return true;
}

static bool record_executions(const struct repetition *x, enum repeat_state state, uint32_t count, struct error *err) {
    const struct check_request *r = x->request;
    work_fill(r->work, &x->repeater->slots, 2 * sizeof(uint32_t), x->repeater->slots.bytes - 2 * sizeof(uint32_t), 0);
    work_barrier(r->work);
    for (uint32_t e = 1; e <= count; e++) {
        if (state == REPEAT_COLD && r->stale_memory && !stale_memory_record(r->gpu, r->work, r->stale_memory, e, err))
            return false;
        if (state == REPEAT_BUSY && !start_busy(x, err)) return false;
        if (!launch_record(r->gpu, r->work, r->launch, LAUNCH_PLAIN, false, err) ||
            !look_at_all(x, MODE_HASH, false, e, err) || !look_at_all(x, MODE_KEEP, false, e, err))
            return false;
    }
    work_copy(r->work, &x->repeater->slots, 0, &x->repeater->slots_host, 0, x->repeater->slots.bytes);
    work_barrier(r->work);
    return true;
}

// Counts the executions of a submission that differ; equal hashes have one verdict.
static bool count_batch(struct repetition *x, uint32_t count, struct arena *arena, struct error *err) {
    const uint64_t(*const host) = x->repeater->slots_host.host;
    uint64_t slots[BATCH + 1], first = 0;
    bool wrong = false;
    memcpy(slots, host, sizeof slots);
    for (uint32_t e = 1; e <= count; e++) {
        if (slots[e] == slots[0]) continue;
        if (!first && !judge_kept(x, arena, &wrong, err)) return false;
        if (!first) first = slots[e];
        x->row->differing++;
        x->row->wrong += wrong && slots[e] == first;
        x->row->unjudged += slots[e] != first;
    }
    x->row->runs += count;
    return true;
}

static bool run_state(
    struct repetition *x, enum repeat_state state, int64_t count, struct arena *arena, struct error *err) {
    const struct check_request *r = x->request;
    for (int64_t done = 0; done < count;) {
        const int64_t left = count - done, most = state == REPEAT_PAUSED ? 1 : BATCH;
        const uint32_t some = (uint32_t)(left < most ? left : most);
        if (state == REPEAT_PAUSED) nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
        if (!work_begin(r->gpu, r->work, err) || !record_executions(x, state, some, err) || !submit(x, err) ||
            !buffer_invalidate(r->gpu, &x->repeater->slots_host, err) || !count_batch(x, some, arena, err))
            return false;
        done += some;
    }
    return true;
}

// Sets the reason of a point that failed.
static void tell(const struct check_request *r, struct arena *arena, struct record *record) {
    struct text text = {0};
    int64_t differing = 0, wrong = 0, runs = 0;
    for (int s = 0; s < REPEAT_STATES; s++) {
        const struct repeated_row *row = &record->check.repeated[s];
        const struct share_interval in = share_interval(row->differing, row->runs);
        differing += row->differing;
        wrong += row->wrong;
        runs += row->runs;
        if (row->runs)
            text_format(&text, "; %s: %lld of %lld (%.2g to %.2g %%)", repeat_state_name((enum repeat_state)s),
                (long long)row->differing, (long long)row->runs, 100 * in.low, 100 * in.high);
    }
    const bool varies = r->point->kernel->nondeterministic != NULL;
    if (varies ? wrong : differing)
        check_fail(record, arena, wrong ? CHECK_BITS | CHECK_ULP : CHECK_BITS,
            arena_format(arena, "of %lld executions %lld gave other bits, and %lld were wrong%s", (long long)runs,
                (long long)differing, (long long)wrong, text_str(&text)));
    text_free(&text);
}

static bool can_repeat(const struct check_request *r) {
    const struct kernel *kernel = r->point->kernel;
    for (int i = 0; i < r->problem->operand_count; i++)
        if (r->problem->operands[i].role == ROLE_INOUT || kernel->in_place[i] ||
            words_of(&r->problem->operands[i]) > UINT32_MAX)
            return false;
    return !kernel->layouts && !kernel->recorded;
}

static bool prepare(struct repetition *x, struct error *err) {
    const struct problem *problem = x->request->problem;
    uint64_t bytes = 0;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        if (operand->role == ROLE_IN) continue;
        x->place[i] = bytes;
        bytes += (operand->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        x->got[i] = memory_alloc((size_t)operand->bytes, 1);
        memcpy(x->got[i], operand->got, (size_t)operand->bytes);
    }
    return buffer_create(x->request->gpu, BUFFER_DEVICE, bytes, &x->kept, err) && hash_judged(x, err);
}

bool repeater_check(struct repeater *repeater, const struct check_request *request, const struct run_options *options,
    struct arena *arena, struct record *record, struct error *err) {
    struct repetition x = {.repeater = repeater, .request = request};
    const int64_t counts[REPEAT_STATES] = {[REPEAT_WARM] = options->repeat,
        [REPEAT_COLD] = options->repeat,
        [REPEAT_PAUSED] = (options->repeat + 9) / 10,
        [REPEAT_BUSY] = options->busy ? options->repeat : 0};
    if (!can_repeat(request)) return true;
    check_switch(request, WALL_COMPUTE);
    bool ok = prepare(&x, err);
    for (int s = 0; ok && s < REPEAT_STATES; s++) {
        x.row = &record->check.repeated[s];
        ok = run_state(&x, (enum repeat_state)s, counts[s], arena, err);
    }
    if (ok) tell(request, arena, record);
    for (int i = 0; i < OPERATOR_OPERANDS; i++) free(x.got[i]);
    buffer_destroy(request->gpu, &x.kept);
    return ok;
}
