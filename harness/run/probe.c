// SPDX-License-Identifier: Apache-2.0
// The table of probes by operator, and what they share.
#include "probe.h"

#include "../base/clock.h"
#include "../base/file.h"

#include <math.h>
#include <string.h>

enum { MOST_SAMPLES = 2000, FEW_SAMPLES = 3, MOST_ON_AN_AXIS = 65535 };
static const double slow_share =
    4; // a probe too slow for the samples that a point needs may take so many times its time

static const struct {
    const char *operator;
    bool (*run)(struct probe_run *run, struct error *err);
} table[] = {
    {"allocate", probe_allocate},
    {"download", probe_download},
    {"memory", probe_memory},
    {"offset", probe_offset},
    {"open", probe_open},
    {"overlap", probe_overlap},
    {"pipeline", probe_pipeline},
    {"shader", probe_shader},
    {"submit", probe_submit},
    {"upload", probe_upload},
};

bool probe_point(struct probe_run *run, struct error *err) {
    run->out->cache = "hot";
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].operator, run->point->kernel->op->name) == 0) return table[i].run(run, err);
    return error_set(err, STATUS_FAULT, "%s: nothing runs this probe", run->point->kernel->name);
}

// ---- samples

static bool keep(struct probe_run *run, enum figure figure, const double *values, size_t count) {
    if (!count) return true;
    double *kept = arena_alloc(run->arena, count, sizeof *kept);
    if (!kept) return false;
    memcpy(kept, values, count * sizeof *kept);
    run->out->samples[figure] = kept;
    run->out->time[figure] = summarize(kept, count);
    return true;
}

static enum stop_reason stop_now(const struct settings *settings, const double *values, size_t count, double spent) {
    size_t most = (size_t)settings->most_samples;
    struct stop_rule rule = {.least = (size_t)settings->least_samples,
        .most = most < MOST_SAMPLES ? most : MOST_SAMPLES,
        .precision = settings->precision,
        .seconds = settings->point_seconds};
    if (count >= FEW_SAMPLES && spent > slow_share * settings->point_seconds) return STOP_TIME;
    return stop_check(&rule, values, count, spent);
}

bool probe_sample(struct probe_run *run, probe_step *step, void *user, const char *clock, struct error *err) {
    double(*series)[MOST_SAMPLES] = arena_alloc(run->arena, FIGURE_COUNT, sizeof *series);
    size_t counts[FIGURE_COUNT] = {0};
    enum stop_reason stop = STOP_NOT_YET;
    if (!series) return error_set(err, STATUS_FAULT, "out of host memory for samples");
    int64_t start = clock_ns();
    for (size_t round = 0; stop == STOP_NOT_YET; round++) {
        double ns[FIGURE_COUNT];
        for (int f = 0; f < FIGURE_COUNT; f++) ns[f] = NAN;
        if (!step(run, user, ns, err)) return false;
        for (int f = 0; round > 0 && f < FIGURE_COUNT; f++)
            if (isfinite(ns[f])) series[f][counts[f]++] = ns[f];
        double spent = (double)(clock_ns() - start) * 1e-9;
        if (round > 0) stop = stop_now(&run->options->settings, series[FIGURE_COMPUTE], counts[FIGURE_COMPUTE], spent);
    }
    for (int f = 0; f < FIGURE_COUNT; f++)
        if (!keep(run, (enum figure)f, series[f], counts[f]))
            return error_set(err, STATUS_FAULT, "out of host memory for samples");
    run->out->stop = stop_reason_name(stop);
    run->out->clock = clock;
    run->out->repeats = 1;
    return true;
}

void probe_fact(struct probe_run *run, const char *name, double value) {
    if (run->out->fact_count < RECORD_FACTS)
        run->out->facts[run->out->fact_count++] = (struct named_number){name, value};
}

void probe_fails(struct probe_run *run, const char *reason) {
    run->out->status = RECORD_FAIL;
    run->out->reason = reason;
}

int64_t probe_dim(const struct probe_run *run, const char *name) {
    return run->point->dims[operator_dim_index(run->point->kernel->op, name)];
}

bool probe_is(const struct probe_run *run, const char *variant) {
    const char *dot = strchr(run->point->kernel->name, '.');
    return dot && strcmp(dot + 1, variant) == 0;
}

// ---- the shader

bool probe_spirv(struct probe_run *run, const struct define *define, const char *cache_folder, struct spirv *out,
    struct error *err) {
    const struct run_options *options = run->options;
    for (size_t i = 0; i < options->include_count; i++) {
        const char *path = arena_format(run->arena, "%s/probe.comp", options->include_folders[i]);
        if (path && file_exists(path))
            return compile_glsl(run->arena, path, define, define != NULL, options->include_folders,
                options->include_count, cache_folder, out, err);
    }
    return error_set(err, STATUS_BAD_INPUT, "probe.comp: expected in kernels/include, found nowhere");
}

struct program *probe_program(
    struct probe_run *run, const struct spirv *spirv, uint32_t salt, bool uncached, struct error *err) {
    const struct program_desc desc = {.label = "probe",
        .spirv = spirv->words,
        .words = spirv->count,
        .bindings = 2,
        .push_bytes = 8,
        .constants = {{0, salt}},
        .constant_count = 1,
        .uncached = uncached};
    return program_create(run->gpu, &desc, NULL, err);
}

struct program *probe_plain(struct probe_run *run, struct error *err) {
    struct spirv spirv;
    if (!probe_spirv(run, NULL, run->options->cache_folder, &spirv, err)) return NULL;
    return probe_program(run, &spirv, 0, false, err);
}

bool probe_dispatch(struct probe_run *run, struct work *work, const struct program *program,
    const struct binding bindings[2], uint32_t n, uint32_t rounds, struct error *err) {
    const uint32_t push[] = {n, rounds}, all = (n + PROBE_WORKGROUP - 1) / PROBE_WORKGROUP;
    const uint32_t down = (all + MOST_ON_AN_AXIS - 1) / MOST_ON_AN_AXIS;
    return work_dispatch(run->gpu, work, program, bindings, push, (uint32_t[3]){(all + down - 1) / down, down, 1}, err);
}
