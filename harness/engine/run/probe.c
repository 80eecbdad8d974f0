// SPDX-License-Identifier: Apache-2.0
// The shared parts of probes.
#include "probe.h"

#include "../program/shaders.h"
#include "../../record/record.h"
#include "../../../reference/table.h"

#include <math.h>
#include <string.h>

enum { MOST_SAMPLES = 2000, FEW_SAMPLES = 3, MOST_ON_AN_AXIS = 65535 };
static const double slow_share = 4; // a probe too slow for enough samples may take this many times its time

// ---- samples

struct probing {
    struct probe_run *run;
    probe_step *step;
    void *user;
    struct throttle_watch *watch; // NULL: no clock probes meanwhile
};

static bool one_step(void *user, double ns[FIGURE_COUNT], struct error *err) {
    const struct probing *p = user;
    return p->step(p->run, p->user, ns, err) && (!p->watch || throttle_probe(p->watch, err));
}

// A measurement of a probe; it may be made twice.
struct sampling {
    struct probing probing;
    struct series_plan plan;
    struct series series;
    enum stop_reason stop;
};

static bool take_series(void *user, struct throttle_watch *watch, struct error *err) {
    struct sampling *s = user;
    s->probing.watch = watch;
    return series_take(&s->plan, &s->series, &s->stop, err);
}

static void discard_series(void *user) {
    struct sampling *s = user;
    s->series = (struct series){.values = s->series.values, .room = s->series.room};
}

// Measures between two looks at the reference kernel. The host may have worked for seconds since the point began, and
// the device's clock has fallen meanwhile.
static bool take_watched(struct probe_run *run, struct sampling *sampling, struct error *err) {
    const struct throttle_target target = {take_series, discard_series, sampling};
    struct throttle throttle;
    if (!run->drift) return take_series(sampling, NULL, err);
    if (!throttle_measure(run->drift, &target, run->phases, &throttle, err) ||
        !drift_clock(run->drift, &run->out->shader_clock_hz, err))
        return false;
    throttle_keep(&throttle, run->out);
    return true;
}

bool probe_sample(struct probe_run *run, probe_step *step, void *user, const char *why_host, struct error *err) {
    struct sampling sampling = {.probing = {.run = run, .step = step, .user = user},
        .series = {.values = arena_alloc(run->arena, FIGURE_COUNT * MOST_SAMPLES, sizeof(double)),
            .room = MOST_SAMPLES},
        .plan = {.device = run->device, .rule = run->rule, .decides = FIGURE_COMPUTE, .warm = true, .step = one_step}};
    sampling.plan.user = &sampling.probing;
    struct stop_rule *rule = &sampling.plan.rule;
    if (rule->most > MOST_SAMPLES) rule->most = MOST_SAMPLES;
    rule->few = FEW_SAMPLES;
    rule->slow_seconds = slow_share * rule->seconds;
    if (!take_watched(run, &sampling, err)) return false;
    series_keep(run->arena, run->out, &sampling.series);
    run->out->stop = stop_reason_name(sampling.stop);
    record_timed_by(run->out, why_host);
    run->out->repeats = 1;
    return true;
}

void probe_fact(struct probe_run *run, const char *name, double value) {
    if (run->out->metric_count < RECORD_METRICS)
        run->out->metrics[run->out->metric_count++] = (struct named_number){name, value};
}

void probe_fails(struct probe_run *run, const char *reason) {
    run->out->status = RECORD_FAIL;
    run->out->failed = CHECK_PROBE;
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
    return shader_of_includes(run->arena, run->options, "probe.comp", define, cache_folder, out, err);
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
