// SPDX-License-Identifier: Apache-2.0
// Running one point on a device: operands in, verdict and samples out.
#ifndef VKASSAY_RUN_RUN_H
#define VKASSAY_RUN_RUN_H

#include "../device/gpu.h"
#include "../plan/suite.h"
#include "../record/record.h"

struct run_options {
    struct settings settings;
    uint64_t seed;
    bool time;     // false: check only
    bool validate; // the validation layer
    bool gpu_assisted; // its checks of what shaders read and write too
    const char *cache_folder;
    const char *const *include_folders; // searched for shader includes
    size_t include_count;
    const char *wgsl_compiler; // a command; NULL: see device/wgsl.c
    double timeout_s; // for one wait on the GPU
};

struct runner;
struct runner *runner_open(const struct device_info *device, const struct run_options *options, struct error *err);
void runner_close(struct runner *runner);

// Runs a point and fills the record (strings in the arena). What goes wrong inside a point becomes the record's status and reason;
// false only when the device can no longer be used (then `out` says device-lost and a new runner must be opened).
bool runner_point(struct runner *runner, const struct point *point, struct arena *arena, struct record *out);

// The same in other ways: a check that is not timed, whatever the options say; and one sample of the compute figure alone, which
// the record holds, for searches that ask one shape and then another. A shape is checked before its first sample.
bool runner_check(struct runner *runner, const struct point *point, struct arena *arena, struct record *out);
bool runner_sample(struct runner *runner, const struct point *point, struct arena *arena, struct record *out);

// Builds the shaders of points to come, on all cores, so that none is built while another is timed. What fails to build
// does so again, with its reason, when its point is run.
void runner_prefill(struct runner *runner, const struct point *points, size_t count);

// The parts of a record that follow from the point alone: names, dims, shape, cost, replay line; nothing measured.
void runner_describe(const struct point *point, uint64_t seed, struct arena *arena, struct record *out);

#endif
