// SPDX-License-Identifier: Apache-2.0
#include "drift.h"

#include "../base/clock.h"
#include "../base/file.h"
#include "pace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INVOCATIONS = 64, BYTES = INVOCATIONS * 4 + 4, BUSY_GROUPS = 8192, TIMES = 3, FIRST_SAMPLES = 9 };
static const double wanted_ns = 100e3;
static const int64_t first_settle_ns = 400000000; // from idle

struct drift {
    struct program *program;
    struct work *work;
    struct buffer buffer, ticks; // what the kernel writes, and its last word on the host
    uint32_t rounds;
    struct pace pace;
};

// The cores of a GPU; a CPU's counter is of the host and does not follow its clock.
static bool reads_clock(struct gpu *gpu) {
    return gpu_info(gpu)->features[FEATURE_SHADER_CLOCK] && gpu_info(gpu)->timestamp_bits > 0 &&
           gpu_info(gpu)->kind != DEVICE_CPU;
}

static bool compile(struct gpu *gpu, const struct run_options *options, struct drift *drift, struct error *err) {
    struct arena arena = {0};
    struct spirv spirv;
    const struct define clock = {"FEATURE_SHADER_CLOCK", "1"};
    const char *path = NULL;
    for (size_t i = 0; i < options->include_count && !path; i++) {
        path = arena_format(&arena, "%s/drift.comp", options->include_folders[i]);
        if (path && !file_exists(path)) path = NULL;
    }
    bool ok = path ? compile_glsl(&arena, path, &clock, reads_clock(gpu), options->include_folders,
                         options->include_count, options->cache_folder, &spirv, err)
                   : error_set(err, STATUS_BAD_INPUT, "drift.comp: expected in kernels/include, found nowhere");
    if (ok) {
        struct program_desc desc = {
            .label = "drift", .spirv = spirv.words, .words = spirv.count, .bindings = 1, .push_bytes = 4};
        drift->program = program_create(gpu, &desc, NULL, err);
    }
    arena_free(&arena);
    return ok && drift->program;
}

static bool run_groups(
    struct gpu *gpu, struct drift *drift, uint32_t groups, double timeout_s, double *ns, struct error *err) {
    struct binding binding = {&drift->buffer, 0, BYTES};
    if (!work_begin(gpu, drift->work, err)) return false;
    work_timestamp(drift->work, 0, true);
    if (!work_dispatch(gpu, drift->work, drift->program, &binding, &drift->rounds, (uint32_t[3]){groups, 1, 1}, err))
        return false;
    work_timestamp(drift->work, 1, false);
    work_copy(drift->work, &drift->buffer, BYTES - 4, &drift->ticks, 0, 4);
    if (!work_end(gpu, drift->work, err) || !work_run(gpu, drift->work, timeout_s, NULL, NULL, err)) return false;
    *ns = work_interval_ns(gpu, drift->work, 0, 1);
    return true;
}

// One workgroup: its time follows the clock alone.
static bool time_once(struct gpu *gpu, struct drift *drift, double timeout_s, double *ns, struct error *err) {
    return run_groups(gpu, drift, 1, timeout_s, ns, err);
}

// A slow clock slows all of them, an interruption one. 0 where none is of use.
static bool time_best(struct gpu *gpu, struct drift *drift, double timeout_s, double *ns, struct error *err) {
    *ns = 0;
    for (int i = 0; i < TIMES; i++) {
        double one;
        if (!time_once(gpu, drift, timeout_s, &one, err)) return false;
        if (one > 0 && (!(*ns > 0) || one < *ns)) *ns = one;
    }
    return true;
}

static bool has_own_clock(struct gpu *gpu) {
    return gpu_info(gpu)->timestamp_bits > 0 && gpu_info(gpu)->kind != DEVICE_CPU;
}

static bool keep_busy(struct gpu *gpu, struct drift *drift, double timeout_s, struct error *err) {
    double ns;
    for (int i = 0; i < 4; i++)
        if (!run_groups(gpu, drift, BUSY_GROUPS, timeout_s, &ns, err)) return false;
    return true;
}

static bool calibrate(struct gpu *gpu, struct drift *drift, double timeout_s, struct error *err) {
    double ns = 0;
    for (drift->rounds = 64; drift->rounds < 1u << 24; drift->rounds *= 2) {
        if (!time_once(gpu, drift, timeout_s, &ns, err)) return false;
        if (!(ns < wanted_ns)) break;
    }
    for (int64_t start = clock_ns(); has_own_clock(gpu) && clock_ns() - start < first_settle_ns;)
        if (!keep_busy(gpu, drift, timeout_s, err)) return false;
    pace_start(&drift->pace, clock_ns());
    for (int i = 0; has_own_clock(gpu) && i < FIRST_SAMPLES; i++) {
        if (!time_best(gpu, drift, timeout_s, &ns, err)) return false;
        if (ns > 0) pace_add(&drift->pace, ns);
    }
    return true;
}

struct drift *drift_open(struct gpu *gpu, const struct run_options *options, struct error *err) {
    struct drift *drift = calloc(1, sizeof *drift);
    if (!drift) {
        error_set(err, STATUS_FAULT, "out of memory");
        return NULL;
    }
    bool ok = compile(gpu, options, drift, err) && buffer_create(gpu, BUFFER_DEVICE, BYTES, &drift->buffer, err) &&
              buffer_create(gpu, BUFFER_READBACK, 4, &drift->ticks, err);
    if (ok) {
        drift->work = work_create(gpu, 2, err);
        ok = drift->work && (gpu_info(gpu)->timestamp_bits == 0 || calibrate(gpu, drift, options->timeout_s, err));
    }
    if (ok) return drift;
    drift_close(gpu, drift);
    return NULL;
}

void drift_close(struct gpu *gpu, struct drift *drift) {
    if (!drift) return;
    if (drift->work) work_destroy(gpu, drift->work);
    if (drift->program) program_destroy(gpu, drift->program);
    buffer_destroy(gpu, &drift->buffer);
    buffer_destroy(gpu, &drift->ticks);
    free(drift);
}

struct settling {
    struct gpu *gpu;
    struct drift *drift;
    double timeout_s;
};

static bool sample_pace(void *user, double *ns, struct error *err) {
    const struct settling *s = user;
    return time_best(s->gpu, s->drift, s->timeout_s, ns, err);
}

static bool busy_pace(void *user, struct error *err) {
    const struct settling *s = user;
    return keep_busy(s->gpu, s->drift, s->timeout_s, err);
}

static int64_t now_pace(void *user) {
    (void)user;
    return clock_ns();
}

bool drift_settle(struct gpu *gpu, struct drift *drift, double timeout_s, struct error *err) {
    struct settling settling = {gpu, drift, timeout_s};
    const struct pace_device device = {sample_pace, busy_pace, now_pace, &settling};
    return !has_own_clock(gpu) || pace_settle(&drift->pace, &device, err);
}

bool drift_is_slow(const struct drift *drift) {
    return pace_is_slow(&drift->pace);
}

bool drift_repeats(struct gpu *gpu, struct drift *drift, int64_t took_ns) {
    return !has_own_clock(gpu) || pace_repeats(&drift->pace, took_ns, clock_ns());
}

bool drift_sample(struct gpu *gpu, struct drift *drift, double timeout_s, double *ratio, struct error *err) {
    double ns;
    *ratio = NAN;
    if (gpu_info(gpu)->timestamp_bits == 0) return true;
    if (!time_best(gpu, drift, timeout_s, &ns, err)) return false;
    if (ns > 0) *ratio = pace_add(&drift->pace, ns);
    return true;
}

// Ticks over nanoseconds, of the difference between a run and one twice as long: what starting one costs is in both.
bool drift_clock(struct gpu *gpu, struct drift *drift, double timeout_s, double *hz, struct error *err) {
    double ns[2];
    uint32_t ticks[2], rounds = drift->rounds;
    *hz = NAN;
    if (!reads_clock(gpu)) return true;
    for (int i = 0; i < 2; i++) {
        drift->rounds = rounds << i;
        bool ok = time_once(gpu, drift, timeout_s, &ns[i], err) && buffer_invalidate(gpu, &drift->ticks, err);
        drift->rounds = rounds;
        if (!ok) return false;
        memcpy(&ticks[i], drift->ticks.host, sizeof ticks[i]);
    }
    if (ns[0] > 0 && ns[1] > 1.5 * ns[0] && ticks[1] > ticks[0])
        *hz = (double)(ticks[1] - ticks[0]) / (ns[1] - ns[0]) * 1e9;
    return true;
}
