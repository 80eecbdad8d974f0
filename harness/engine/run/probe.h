// SPDX-License-Identifier: Apache-2.0
// Runs probes (plan/probes.h). Each is a function: it gives one sample per call, or finds metrics once.
#ifndef VKASSAY_RUN_PROBE_H
#define VKASSAY_RUN_PROBE_H

#include "../vulkan/gpu.h"
#include "run.h"
#include "../timing/series.h"
#include "../timing/throttle.h"

struct probe_run {
    struct gpu *gpu;
    const struct timing_device *device; // over `gpu`
    struct stop_rule rule;              // of the suite
    struct work *work;                  // with room for two timestamps
    const struct run_options *options;
    const struct point *point;
    struct arena *arena; // of the record
    struct record *out;
    struct drift *drift; // NULL: no looks at the device's speed
    struct phase_timer *phases;
};

// Runs the point's probe and fills the record. `compute` is the figure named after the probe, by either clock
// (`clock` names it). The rest is in the other figures and in the metrics.
bool probe_point(struct probe_run *run, struct error *err);

// ---- for the files of probes

// Takes one sample. Figures of `ns` left at NaN are not measured.
typedef bool probe_step(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err);

// Takes samples until the compute figure's median is known, or the point's time is spent. The first sample warms up
// and is dropped. `why_host`: the reason for times by the host; NULL: they are the GPU's.
bool probe_sample(struct probe_run *run, probe_step *step, void *user, const char *why_host, struct error *err);
void probe_fact(struct probe_run *run, const char *name, double value);
// Fails the record with this reason, for a finding that is wrong rather than slow.
void probe_fails(struct probe_run *run, const char *reason);
int64_t probe_dim(const struct probe_run *run, const char *name);
bool probe_is(const struct probe_run *run, const char *variant); // the part of its name after the dot

// The shader probe.comp computes y[i] = x[i] + SALT after `rounds` dependent multiply-adds, for i below n. Bindings
// x, y; push n, rounds; 64 invocations a workgroup.
enum { PROBE_WORKGROUP = 64 };
bool probe_spirv(
    struct probe_run *run, const struct define *define, const char *cache_folder, struct spirv *out, struct error *err);
struct program *probe_program(
    struct probe_run *run, const struct spirv *spirv, uint32_t salt, bool uncached, struct error *err);
// Makes the program with salt 0.
struct program *probe_plain(struct probe_run *run, struct error *err);
bool probe_dispatch(struct probe_run *run, struct work *work, const struct program *program,
    const struct binding bindings[2], uint32_t n, uint32_t rounds, struct error *err);

bool probe_submit(struct probe_run *run, struct error *err);
bool probe_command(struct probe_run *run, struct error *err);
bool probe_create(struct probe_run *run, struct error *err);
bool probe_upload(struct probe_run *run, struct error *err);
bool probe_download(struct probe_run *run, struct error *err);
bool probe_allocate(struct probe_run *run, struct error *err);
bool probe_memory(struct probe_run *run, struct error *err);
bool probe_pipeline(struct probe_run *run, struct error *err);
bool probe_shader(struct probe_run *run, struct error *err);
bool probe_offset(struct probe_run *run, struct error *err);
bool probe_open(struct probe_run *run, struct error *err);
bool probe_overlap(struct probe_run *run, struct error *err);

#endif
