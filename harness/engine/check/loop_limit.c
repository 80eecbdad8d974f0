// SPDX-License-Identifier: Apache-2.0
#include "loop_limit.h"
#include "launch.h"

#include "../program/shaders.h"
#include "../../shader/spirv/changes.h"
#include "../../record/record.h"
#include "../../../reference/table.h"

#include <math.h>
#include <string.h>

enum { WANTED = 1 << 18 }; // four times lavapipe's limit
enum { WAITING_RUNS = 4 };
static const double probe_timeout_s = 10;

static bool count_iterations(
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
         buffer_create(gpu, BUFFER_READBACK, 4, &host, err) && count_iterations(gpu, program, &buffer, &host, err);
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

// Builds the kernel with its loops watched.
static bool watch(const struct check_request *request, const struct run_options *options, const struct built *sound,
    struct built *out, struct error *err) {
    const struct kernel *kernel = request->point->kernel;
    struct arena arena = {0};
    struct loaded loaded[KERNEL_PASSES];
    bool changed[KERNEL_PASSES] = {false};
    bool ok = shaders_load(&arena, gpu_info(request->gpu), options, request->point, loaded, err);
    for (int i = 0; ok && i < kernel->pass_count; i++) {
        struct slot word;
        uint32_t loops = 0;
        if (!program_slot_behind(request->point, i, &word))
            ok = error_of_kind(err, ERROR_SKIP, "%s: no free binding to count its loops", kernel->name);
        ok = ok && loop_ends_watch(&arena, &loaded[i].spirv, kernel->passes[i].entry,
                       (uint32_t[]){word.set, word.binding}, &loaded[i].spirv, &loops, err);
        changed[i] = loops;
    }
    const struct variation variation = {.changed = changed, .observes = true};
    ok = ok && built_vary(request->gpu, request->point, loaded, variation, sound, out, err);
    arena_free(&arena);
    return ok;
}

static bool run_watched(const struct check_request *request, const struct built *built,
    const struct run_options *options, bool *cut, struct error *err) {
    struct built watched = {0};
    struct check_request slow = *request;
    uint32_t word = 0;
    slow.timeout_s *= 4; // for two atomic operations an iteration
    const bool ok = watch(request, options, built, &watched, err) && check_observe(&slow, &watched, &word, 1, err);
    *cut = ok && word;
    request->problem->inputs_placed = false;
    built_release(request->gpu, &watched);
    return ok;
}

bool loop_limit_excuse(const struct check_request *request, const struct built *built,
    const struct run_options *options, uint32_t iterations, struct arena *arena, struct record *record,
    struct error *err) {
    static const uint32_t by_values = CHECK_ULP | CHECK_CLASS | CHECK_ERRORS | CHECK_UNWRITTEN;
    static const uint32_t by_runs = CHECK_BITS | CHECK_PACKED | CHECK_FOLDED;
    const bool waits = built->waits;
    const struct op *op = request->point->kernel->op;
    const int64_t *dims = request->point->dims;
    bool cut = false;
    if (!iterations || record->status != RECORD_FAIL || record->failed & ~(waits ? by_values | by_runs : by_values))
        return true;
    // No invocation comes near the limit at a small point. The factor of 8 covers loops without operations of the
    // operator, such as loops over padding.
    if (!waits && 8 * fmax(operator_elements(op, dims), operator_flops(op, dims)) < iterations) return true;
    // A wait is ended in some runs only. If it was ended in none of these, unequal runs still show that it can be.
    for (int run = 0; !cut && run < (waits ? WAITING_RUNS : 1); run++)
        if (!run_watched(request, built, options, &cut, err)) return !gpu_is_over(err); // the verdict stays
    if (!cut && !(waits && (record->failed & by_runs || request->point->draws))) return true;
    record->failed = 0;
    memset(&record->check, 0, sizeof record->check);
    record_refuse(arena, record, REFUSED(arena, .kind = REFUSAL_LOOP_TURNS, .figures = {iterations}));
    return true;
}
