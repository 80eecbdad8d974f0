// SPDX-License-Identifier: Apache-2.0
#include "loop_limit.h"
#include "launch.h"

#include "../program/shaders.h"
#include "../record/record.h"
#include "../../reference/table.h"

#include <math.h>
#include <string.h>

enum { WANTED = 1 << 18 }; // four times lavapipe's limit
enum { WAITING_RUNS = 4 };
static const double probe_timeout_s = 10;

static bool count_turns(
    struct gpu *gpu, struct program *program, struct buffer *buffer, struct buffer *host, struct error *err) {
    static const uint32_t wanted = WANTED;
    const struct binding binding = {buffer, 0, 4};
    struct work *work = work_create(gpu, 0, err);
    bool ok = work && work_begin(gpu, work, err);
    if (ok) {
        work_fill(work, buffer, 0, 4, 0);
        work_barrier(work);
        ok = work_dispatch(gpu, work, program, &binding, &wanted, (uint32_t[3]){1, 1, 1}, err);
    }
    if (ok) {
        work_barrier(work);
        work_copy(work, buffer, 0, host, 0, 4);
        ok = work_end(gpu, work, err) && work_run(gpu, work, probe_timeout_s, NULL, NULL, err) &&
             buffer_invalidate(gpu, host, err);
    }
    work_destroy(gpu, work);
    return ok;
}

bool loop_limit_probe(struct gpu *gpu, const struct run_options *options, struct loop_limit *limit, struct error *err) {
    if (limit->probed) return true;
    struct arena arena = {0};
    struct spirv spirv;
    struct program *program = NULL;
    struct buffer buffer = {0}, host = {0};
    bool ok = shader_of_includes(&arena, options, "loop_turns.comp", NULL, options->cache_folder, &spirv, err);
    if (ok) {
        const struct program_desc desc = {
            .label = "loop_turns", .spirv = spirv.words, .words = spirv.count, .bindings = 1, .push_bytes = 4};
        program = program_create(gpu, &desc, NULL, err);
    }
    ok = program && buffer_create(gpu, BUFFER_DEVICE, 4, &buffer, err) &&
         buffer_create(gpu, BUFFER_READBACK, 4, &host, err) && count_turns(gpu, program, &buffer, &host, err);
    if (ok) {
        uint32_t count;
        memcpy(&count, host.host, sizeof count);
        *limit = (struct loop_limit){true, count < WANTED ? count : 0};
    }
    if (program) program_destroy(gpu, program);
    buffer_destroy(gpu, &buffer);
    buffer_destroy(gpu, &host);
    arena_free(&arena);
    return ok;
}

// A launch with watched loops. All programs share one word.
struct watched {
    struct built built;
    int binding[KERNEL_PASSES];
    struct program *programs[KERNEL_PASSES]; // NULL: no loop
    struct buffer word, host;
    struct launch launch;
};

static void watched_close(struct gpu *gpu, struct watched *w) {
    launch_release(gpu, &w->launch);
    for (int i = 0; i < KERNEL_PASSES; i++)
        if (w->programs[i]) program_destroy(gpu, w->programs[i]);
    buffer_destroy(gpu, &w->word);
    buffer_destroy(gpu, &w->host);
}

static bool make_programs(
    const struct check_request *request, const struct run_options *options, struct watched *w, struct error *err) {
    struct arena arena = {0};
    struct loaded loaded[KERNEL_PASSES];
    bool ok = shaders_load(&arena, gpu_info(request->gpu), options, request->point, loaded, err);
    for (int i = 0; ok && i < w->built.pass_count; i++) {
        ok =
            program_watching(&arena, request->gpu, request->point, i, &loaded[i], &w->programs[i], &w->binding[i], err);
        if (w->programs[i]) w->built.passes[i] = w->programs[i];
    }
    arena_free(&arena);
    return ok;
}

static bool watched_open(const struct check_request *request, const struct built *built,
    const struct run_options *options, struct watched *w, struct error *err) {
    struct gpu *gpu = request->gpu;
    w->built = *built;
    if (!make_programs(request, options, w, err) ||
        !launch_prepare(gpu, request->point, request->problem, &w->built, &w->launch, err) ||
        !buffer_create(gpu, BUFFER_DEVICE, 4, &w->word, err) || !buffer_create(gpu, BUFFER_READBACK, 4, &w->host, err))
        return false;
    for (int i = 0; i < w->launch.dispatch_count; i++) {
        struct launched *at = &w->launch.dispatches[i];
        if (w->programs[at->pass]) at->bindings[LAUNCH_PLAIN][w->binding[at->pass]] = (struct binding){&w->word, 0, 4};
    }
    return true;
}

// Sets the word to 0, or reads it back.
static bool move_word(const struct check_request *request, struct watched *w, bool back, struct error *err) {
    if (!work_begin(request->gpu, request->work, err)) return false;
    if (back)
        work_copy(request->work, &w->word, 0, &w->host, 0, 4);
    else
        work_fill(request->work, &w->word, 0, 4, 0);
    work_barrier(request->work);
    return work_end(request->gpu, request->work, err) &&
           work_run(request->gpu, request->work, request->timeout_s, NULL, NULL, err) &&
           (!back || buffer_invalidate(request->gpu, &w->host, err));
}

static bool run_watched(const struct check_request *request, const struct built *built,
    const struct run_options *options, bool *cut, struct error *err) {
    struct watched w = {0};
    bool ok = watched_open(request, built, options, &w, err);
    if (ok) {
        struct check_request watched = *request;
        watched.launch = &w.launch;
        watched.stale_memory = NULL;
        watched.packed = false;
        watched.timeout_s *= 4; // for two atomic operations a turn
        ok = move_word(request, &w, false, err) && check_run(&watched, 1, err) && move_word(request, &w, true, err);
    }
    if (ok) {
        uint32_t word;
        memcpy(&word, w.host.host, sizeof word);
        *cut = word != 0;
    }
    request->problem->inputs_placed = false;
    watched_close(request->gpu, &w);
    return ok;
}

bool loop_limit_excuse(const struct check_request *request, const struct built *built,
    const struct run_options *options, uint32_t turns, struct arena *arena, struct record *record, struct error *err) {
    static const uint32_t by_values = CHECK_ULP | CHECK_CLASS | CHECK_ERRORS | CHECK_UNWRITTEN;
    static const uint32_t by_runs = CHECK_BITS | CHECK_PACKED | CHECK_FOLDED;
    const bool waits = built->waits;
    const struct op *op = request->point->kernel->op;
    const int64_t *dims = request->point->dims;
    bool cut = false;
    if (!turns || record->status != RECORD_FAIL || record->failed & ~(waits ? by_values | by_runs : by_values))
        return true;
    // No invocation comes near the limit at a small point. The factor of 8 covers loops without operations of the
    // operator, such as loops over padding.
    if (!waits && 8 * fmax(operator_elements(op, dims), operator_flops(op, dims)) < turns) return true;
    // A wait is ended in some runs only. If it was ended in none of these, unequal runs still show that it can be.
    for (int run = 0; !cut && run < (waits ? WAITING_RUNS : 1); run++)
        if (!run_watched(request, built, options, &cut, err)) return !gpu_is_over(err); // the verdict stays
    if (!cut && !(waits && (record->failed & by_runs || request->point->draws))) return true;
    record->failed = 0;
    memset(&record->check, 0, sizeof record->check);
    record_refuse(arena, record, REFUSED(arena, .kind = REFUSAL_LOOP_TURNS, .figures = {turns}));
    return true;
}
