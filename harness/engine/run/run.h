// SPDX-License-Identifier: Apache-2.0
// Runs one point on a device: operands in, verdict and samples out.
#ifndef VKASSAY_RUN_RUN_H
#define VKASSAY_RUN_RUN_H

#include "../vulkan/gpu.h"
#include "../program/program.h"

struct record;

struct runner;
// Times the scalar reference of a point's problem, without a device. It fills the record's `reference`, and skips the
// record for this reason.
void reference_point(
    const struct point *point, const struct run_options *options, struct arena *arena, struct record *out);

struct runner *runner_open(const struct device_info *device, const struct run_options *options, struct error *err);
void runner_close(struct runner *runner);
struct gpu *runner_gpu(struct runner *runner); // owned by the runner

// Returns whether two points have one problem: equal operator, dtype, dims and parameters.
bool runner_same_problem(const struct point *a, const struct point *b);

// Runs points of one problem, at most RUNNER_GROUP. Each is built and checked. All passed points are timed in
// interleaved rounds, and their records filled (strings in the arena). An error inside a point becomes its record's
// status and reason. Returns false only if the device is unusable. Then records[*lost] has the reason, the other
// records are invalid, and a new runner must be opened. `alive` (may be NULL) is called with a point's index before
// it is built and checked, and with `count` before they are timed.
enum { RUNNER_GROUP = 32 };
bool runner_points(struct runner *runner, const struct point *points, size_t count, struct arena *arena,
    struct record *records, size_t *lost, void (*alive)(void *user, size_t index), void *user);

// Names a point of the problem that follows the one of the next call of runner_points; NULL: none is known. Its inputs
// and expected outputs are then made while the device is timed, if that cannot disturb it. The point must stay until
// that call has returned.
void runner_expect(struct runner *runner, const struct point *point);

// Runs a point in other ways. The first never times, whatever the options. The second takes one sample of the compute
// figure, for searches that alternate between shapes. It checks a shape before its first sample.
bool runner_check(struct runner *runner, const struct point *point, struct arena *arena, struct record *out);
bool runner_sample(struct runner *runner, const struct point *point, struct arena *arena, struct record *out);

// Builds the shaders of later points on all cores, so none is built while another is timed. A failed build fails
// again, with its reason, when its point is run. Beyond RUNNER_PREFILL, the rest is built when it is run. Returns
// false only if the device is unusable; *lost is then the record of the first point to cause it.
bool runner_prefill(struct runner *runner, const struct point *points, size_t count, const struct prefill_watch *phases,
    struct arena *arena, struct record *lost);

// Fills the parts of a record known from the point: names, dims, shape, cost, replay line; nothing measured.
void runner_describe(
    const struct point *point, const struct run_options *options, struct arena *arena, struct record *out);

// Estimates a point's cost in seconds, from its operations and bytes. Every point is built, run and judged; a timed one
// also takes samples.
double runner_cost(const struct point *point, const struct run_options *options, const struct device_info *device);

#endif
