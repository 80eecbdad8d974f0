// SPDX-License-Identifier: Apache-2.0
#include "sanitize_small.h"
#include "silent_runs.h"

#include "../../base/hash.h"
#include "../../base/memory.h"
#include "../check/check_parts.h"
#include "../../device/device_info.h"
#include "../program/shaders.h"
#include "../../record/record.h"
#include "../tiers/small_point.h"

#include <stdlib.h>
#include <string.h>

// A share of the point's timeout, because the sanitizer has more patience than a check.
static const double share_of_timeout = 0.05;

struct small_verdicts {
    struct arena arena;
    struct problem problem;
    struct verdict {
        uint64_t key;
        struct record record; // only its status, reasons and members about the sanitizer
    } * items;
    size_t count, capacity;
};

void small_verdicts_close(struct gpu *gpu, struct small_verdicts *v) {
    if (!v) return;
    problem_close(gpu, &v->problem);
    arena_free(&v->arena);
    free(v->items);
    free(v);
}

// Types of one size are of one kind: a module differs little between them.
static uint64_t key_of(const struct point *point) {
    const struct dtype_info *type = dtype_info(point->dtype);
    uint64_t key = hash_string(HASH_START, point->kernel->name);
    key = hash_bytes(key, &point->kernel->manifest_hash, sizeof point->kernel->manifest_hash);
    key = hash_bytes(key, &type->bytes, sizeof type->bytes);
    key = hash_bytes(key, &type->elements, sizeof type->elements);
    return hash_bytes(key, &point->shape, sizeof point->shape);
}

static const struct verdict *find(const struct small_verdicts *v, uint64_t key) {
    for (size_t i = 0; v && i < v->count; i++)
        if (v->items[i].key == key) return &v->items[i];
    return NULL;
}

static bool is_applicable(const struct runner *runner, const struct point *point) {
    return !runner->options.sanitize && !runner->options.unsanitized && !runner->options.validate &&
           !point->inputs_count && !point->draws && !point->kernel->recorded;
}

static bool run(struct runner *runner, const struct point *small, const struct built *built, bool lines,
    struct record *out, struct error *err) {
    struct small_verdicts *v = runner->small;
    struct launch launch;
    struct run_options options = runner->options;
    options.lines = lines;
    if (!problem_open(runner->gpu, small, options.seed, &v->problem, err) ||
        !launch_prepare(runner->gpu, small, &v->problem, built, &launch, err))
        return false;
    const struct check_request request = {.gpu = runner->gpu,
        .work = runner->work,
        .problem = &v->problem,
        .launch = &launch,
        .point = small,
        .policy = built->policy,
        .timeout_s = options.timeout_s * share_of_timeout,
        .phases = &runner->phases};
    *out = (struct record){.status = RECORD_PASS};
    const bool ok = sanitizer_check(runner->sanitizer, &request, &options, true, &v->arena, out, err);
    launch_release(runner->gpu, &launch);
    return ok;
}

const char *sanitize_refusal(struct runner *runner, const struct built *built) {
    struct error err;
    if (!built->waits || !loop_limit_probe(runner->gpu, &runner->options, &runner->loops, &err) ||
        !runner->loops.iterations)
        return NULL;
    return "it waits for other invocations, and the driver ends such loops early";
}

// Runs a point of a few accesses. Lines cost another compilation, so only a kernel with a finding has them.
static bool run_and_tell(struct runner *runner, const struct point *small, const struct built *built,
    struct record *out, struct error *err) {
    const struct silent_run kept = silent_run_of(&runner->small->arena, runner, small);
    bool ok = true;
    if (!silent_run_recall(&kept, out)) {
        ok = run(runner, small, built, false, out, err);
        if (ok && out->status == RECORD_FAIL) {
            struct record again;
            ok = run(runner, small, built, true, &again, err);
            if (ok && again.status == RECORD_FAIL) *out = again;
        }
        if (!ok) out->check.sanitized.why = arena_copy(&runner->small->arena, err->text);
        silent_run_keep(&kept, out);
    }
    out->check.sanitized.at = small->name;
    return ok || !*err->call;
}

// A shader may take another way beyond a number. Only a finding there is of interest.
static bool judge_large(struct runner *runner, const struct point *small, const struct built *built, struct record *out,
    struct error *err) {
    const struct numbers_wanted wanted = {.least = 1, .most = 1u << 25};
    const struct numbers_source source = {gpu_info(runner->gpu), &runner->options};
    struct point large[LARGE_POINTS];
    uint32_t numbers[COMPARED_NUMBERS];
    const int count = program_numbers(&source, small, &wanted, numbers);
    const int made = large_points(gpu_info(runner->gpu), runner->options.settings.memory_share, small, numbers, count,
        &runner->small->arena, large);
    for (int i = 0; i < made && out->status == RECORD_PASS; i++) {
        struct record found = {.status = RECORD_PASS};
        if (!run_and_tell(runner, &large[i], built, &found, err)) return false;
        if (found.status == RECORD_FAIL) *out = found;
    }
    return true;
}

// Returns why the suite leaves the point's run out; NULL: it does not. Kernels of a user always have one.
static const char *left_out(const struct runner *runner, const struct point *point) {
    const bool left = runner->options.time && !runner->options.settings.cpu_sanitize && !point->kernel->given &&
                      gpu_info(runner->gpu)->kind == DEVICE_CPU;
    return left ? "the suite leaves this to vkassay check on a CPU" : NULL;
}

// Fills the verdict.
static bool judge(struct runner *runner, const struct point *point, const struct built *built, struct record *out,
    struct error *err) {
    struct point small;
    out->check.sanitized.why = left_out(runner, point);
    if (!out->check.sanitized.why) out->check.sanitized.why = sanitize_refusal(runner, built);
    if (out->check.sanitized.why) return true;
    if (!small_point(
            gpu_info(runner->gpu), runner->options.settings.memory_share, point, &runner->small->arena, &small)) {
        out->check.sanitized.why = "no small sizes are known for it";
        return true;
    }
    return run_and_tell(runner, &small, built, out, err) &&
           (!runner->options.sanitize_large || judge_large(runner, &small, built, out, err));
}

bool sanitize_small(struct runner *runner, const struct point *point, const struct built *built, struct error *err) {
    const uint64_t key = key_of(point);
    if (!is_applicable(runner, point) || find(runner->small, key)) return true;
    if (!runner->small) runner->small = memory_alloc(1, sizeof *runner->small);
    if (!runner->sanitizer) runner->sanitizer = sanitizer_open();
    struct small_verdicts *v = runner->small;
    if (v->count == v->capacity) {
        v->capacity = v->capacity ? 2 * v->capacity : 64;
        v->items = memory_resize(v->items, v->capacity, sizeof *v->items);
    }
    struct verdict *verdict = &v->items[v->count++];
    *verdict = (struct verdict){.key = key, .record = {.status = RECORD_PASS}};
    return judge(runner, point, built, &verdict->record, err);
}

void sanitize_small_tell(
    const struct runner *runner, const struct point *point, struct arena *arena, struct record *record) {
    const struct verdict *verdict = find(runner->small, key_of(point));
    if (!is_applicable(runner, point) || !verdict || record->status == RECORD_SKIP) return;
    const struct record *found = &verdict->record;
    record->check.sanitized = found->check.sanitized;
    if (found->check.sanitized.at) record->check.sanitized.at = arena_copy(arena, found->check.sanitized.at);
    if (found->check.sanitized.why) record->check.sanitized.why = arena_copy(arena, found->check.sanitized.why);
    if (found->status == RECORD_FAIL)
        check_fail(
            record, arena, found->failed, arena_format(arena, "at %s, %s", found->check.sanitized.at, found->reason));
}
