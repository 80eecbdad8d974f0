// SPDX-License-Identifier: Apache-2.0
// Running one point on a device: operands in, verdict and samples out.
#ifndef VKASSAY_RUN_RUN_H
#define VKASSAY_RUN_RUN_H

#include "../device/gpu.h"
#include "../plan/suite.h"
#include "../record/record.h"

// How points are run. A line of this list is a member, which workers are sent too (supervise/protocol.c).
#define RUN_OPTIONS(MEMBER)                                                                                            \
    MEMBER(uint64_t, seed)                                                                                             \
    MEMBER(double, timeout_s)  /* for one wait on the GPU */                                                           \
    MEMBER(double, interval_s) /* least length of an interval of hot samples; 0: what the timer needs */               \
    MEMBER(bool, time)         /* false: check only */                                                                 \
    MEMBER(bool, host_clock)   /* hot samples by the host's clock, though the device has one */                        \
    MEMBER(bool, validate)     /* the validation layer */                                                              \
    MEMBER(bool, gpu_assisted) /* its checks of what shaders read and write too */                                     \
    MEMBER(bool, lines)        /* shaders tell the lines of their source */                                            \
    MEMBER(bool, energy)       /* of each timed point, where the machine counts it */                                  \
    MEMBER(bool, anew)         /* drivers compile anew: nothing of theirs is kept or taken from earlier runs */        \
    MEMBER(int, threads)       /* of the host that it may use, where others are at work beside it; 0: all cores */     \
    MEMBER(double, build_from) /* share of what is built ahead at which it begins, so that others begin elsewhere */   \
    MEMBER(bool, commit)       /* SPIR-V that older compilers need is written beside its source */                     \
    MEMBER(const char *, cache_folder)                                                                                 \
    MEMBER(const char *, own_cores)     /* of what it times: base/cores.h, cores_take; NULL: none */                   \
    MEMBER(const char *, wgsl_compiler) /* a command; NULL: see shaders/wgsl.c */
#define RUN_OPTIONS_MEMBER(type, name) type name;
struct run_options {
    struct settings settings;
    RUN_OPTIONS(RUN_OPTIONS_MEMBER)
    const char *const *include_folders; // searched for shader includes
    size_t include_count;
    bool only_hash; // of shaders only the source hash is made
};

struct runner;
// The scalar reference of a point's problem timed by itself, without a device: the record's `reference`, with the
// status of a skip that says so.
void reference_point(
    const struct point *point, const struct run_options *options, struct arena *arena, struct record *out);

struct runner *runner_open(const struct device_info *device, const struct run_options *options, struct error *err);
void runner_close(struct runner *runner);
struct gpu *runner_gpu(struct runner *runner); // which is the runner's

// Whether two points are of one problem: equal operator, dtype, dims and parameters.
bool runner_same_problem(const struct point *a, const struct point *b);

// Runs points of one problem, at most RUNNER_GROUP: each is built and checked, then
// those that passed are timed in interleaved rounds, and their records filled (strings in the arena). What goes wrong
// inside a point becomes its record's status and reason. False only when the device can no longer be used: then
// records[*lost] says how, the others mean nothing, and a new runner must be opened. `alive` (may be NULL) is called
// before each point is built and checked, with its index, and before they are timed, with `count`.
enum { RUNNER_GROUP = 32 };
bool runner_points(struct runner *runner, const struct point *points, size_t count, struct arena *arena,
    struct record *records, size_t *lost, void (*alive)(void *user, size_t index), void *user);

// One of them by itself; false likewise.
bool runner_point(struct runner *runner, const struct point *point, struct arena *arena, struct record *out);

// The same in other ways: a check that is not timed, whatever the options say; and one sample of the compute figure
// alone, which the record holds, for searches that ask one shape and then another. A shape is checked before its first
// sample.
bool runner_check(struct runner *runner, const struct point *point, struct arena *arena, struct record *out);
bool runner_sample(struct runner *runner, const struct point *point, struct arena *arena, struct record *out);

// Builds the shaders of points to come, on all cores, so that none is built while another is timed. What fails to build
// does so again, with its reason, when its point is run. Of more than RUNNER_PREFILL the rest is built when it is run.
// False only when the device can no longer be used: then *lost is the record of the point whose shaders came first to
// that.
enum { RUNNER_PREFILL = 128 };
struct prefill_watch { // called from several threads at once, with the index of a point, around the building of its
                       // shaders
    void (*begin)(void *user, size_t index), (*end)(void *user, size_t index);
    void *user;
};
bool runner_prefill(struct runner *runner, const struct point *points, size_t count, const struct prefill_watch *phases,
    struct arena *arena, struct record *lost);

// The parts of a record that follow from the point alone: names, dims, shape, cost, replay line; nothing measured.
void runner_describe(const struct point *point, uint64_t seed, struct arena *arena, struct record *out);

#endif
