// SPDX-License-Identifier: Apache-2.0
// Suites: JSON files that say which points to run and how
// long to spend. suites/README.md documents the file.
#ifndef VKASSAY_PLAN_SUITE_H
#define VKASSAY_PLAN_SUITE_H

#include "point.h"

// How long to measure and how much to check; every member may be set in a suite's "settings".
// A line of this list is a member, which workers are sent too (supervise/protocol.c).
#define SETTINGS(MEMBER)                                                                                               \
    MEMBER(double, point_seconds) /* for the samples of one point's compute figure */                                  \
    MEMBER(double, precision)     /* stop when the median's 95 % interval is within +- this share */                   \
    MEMBER(int, least_samples)                                                                                         \
    MEMBER(int, most_samples)                                                                                          \
    MEMBER(double, longest_dispatch_s) /* a point estimated longer is skipped, with the figure */                      \
    MEMBER(double, check_operations)   /* of the reference, to check one case; beyond, granules are sampled */         \
    MEMBER(double, reference_seconds)  /* for the scalar baseline; beyond, it is extrapolated from a part */           \
    MEMBER(double, memory_share)       /* largest share of device memory one point may take */                         \
    MEMBER(bool, cold)                 /* cache mode */                                                                \
    MEMBER(int, some_shapes)           /* beside default and systems under "shapes": "some" */
#define SETTINGS_MEMBER(type, name) type name;
struct settings {
    SETTINGS(SETTINGS_MEMBER)
};
struct settings settings_standard(void);

// Which shapes of a case are planned: the default; that and the systems' shapes; those and a spread
// of `some_shapes` others; all; those listed. A refused shape becomes a point with `refused` set
// when it is the default, a seed's or listed, and under SHAPES_ALL.
enum shape_choice { SHAPES_DEFAULT, SHAPES_SYSTEMS, SHAPES_SOME, SHAPES_ALL, SHAPES_LISTED };

// One object of "dims": names with their values, to be crossed.
struct suite_values {
    const char *name; // a dim or a parameter
    double *values;
    size_t count;
};
struct suite_dims {
    struct suite_values *items;
    size_t count;
    const char *where; // JSON path, for errors
};

// A shape as the file has it; what it leaves out stands at its default.
struct shape_text {
    const char *names[KERNEL_TUNABLES];
    int64_t values[KERNEL_TUNABLES];
    int count;
    const char *where;
};

// One entry: kernels, dtypes, dims crossed, shapes. Where the file lists kernels or operators, each has an entry here.
struct suite_entry {
    const char *kernel;       // glob over kernel names, or probes'
    const char *op;           // or an operator's name: all its kernels; NULL: by `kernel`
    bool probe;               // the glob is over probes' (probes.h)
    bool chain;               // or over chains' (chain.h): `probe` is set too
    const char *subject;      // JSON path of what names these, for errors
    bool dtypes[DTYPE_COUNT]; // none set: every dtype the kernel has
    struct suite_dims *dims;  // one for each object in "dims", in order; its lists are crossed
    size_t dims_count;
    enum shape_choice shapes;
    struct shape_text *explicit_shapes; // "shapes": [{"WG_X": 64}]
    size_t explicit_count;
    const char *peak;      // "copy_bytes_per_s": the best of these points is it; NULL: none
    const char *only_kind; // "cpu" or "gpu": entry for that kind of device alone; NULL: any
    const char *where;     // JSON path, for errors
};

struct suite {
    const char *name, *summary, *file;
    const char
        *sizes; // those of a command line, where it gave some (suite_sizes.h): what an operator refuses is left out
    struct settings settings;
    struct suite_entry *entries;
    size_t entry_count;
};

// Whether one of the kernels is in the entry, in one of its dtypes.
bool entry_has_kernel(const struct suite_entry *entry, const struct kernels *kernels);

bool suite_load(struct arena *arena, const char *path, struct suite *out, struct error *err);

struct plan {
    struct point *points; // peaks first; the points of a case stand together
    size_t count;
};

// Crosses the suite with the kernels under the device's limits. An entry whose glob
// matches no kernel, or whose dims the operator refuses, is an error with its JSON path.
// Points that two entries give are planned once. `select` keeps only what matches one of
// its globs (none: all); peaks are kept when anything is. A glob is held against the
// whole name and against its leading parts: "matmul.tiled" takes the kernel,
// "matmul.tiled/f16" its f16 cases, a case's name its shapes; an operator's or a family's name
// stands for its kernels, "softmax/f16". One that matches nothing is STATUS_USAGE and says what
// is near. Cases stand in the order of the suite; kernels of
// an operator at equal dims and dtype follow each other, as they share their operands.
bool plan_build(struct arena *arena, const struct suite *suite, const struct kernels *kernels,
    const struct device_info *device, const char *const *select, size_t select_count, struct plan *out,
    struct error *err);

// Keeps the points of the plan that one of the globs matches, and those that serve a peak. A glob
// that matches nothing is STATUS_USAGE and says what is near, and of kernels that the plan leaves out why; without
// globs all points stay.
bool select_points(struct arena *arena, struct plan *plan, const struct kernels *kernels, const char *const *globs,
    size_t count, struct error *err);

// Whether the glob matches the name of a point, or of a kernel, or one of its leading parts, with the kernel's own name
// or that of its operator there; or of its family, which has to stand there as it is, and where an operator has the
// same name that one is meant.
bool select_matches(const char *glob, const char *name);

// Whether a selection asks for the point: it serves no peak (`peak` NULL), or a glob matches its name.
bool select_asks(const char *const *globs, size_t count, const char *name, const char *peak);

// Whether the glob can match the name of some point of the kernel: quick, and true too often rather than too seldom.
bool select_may_match(const char *glob, const struct kernel *kernel);

// The points of these exact names, in their order, once each, whether or not a suite has them;
// `refused` is set as plan_build sets it. Anything that is no point's name is STATUS_USAGE.
bool plan_from_names(struct arena *arena, const struct kernels *kernels, const struct device_info *device,
    const char *const *names, size_t count, const struct settings *settings, struct plan *out, struct error *err);

// How the points of a plan were shared out: shards belong together where `hash` is the same.
struct plan_cut {
    size_t points, of; // in this shard, and in all; without peaks
    uint64_t hash;     // of every point's name and shard
};

// Keeps shard `index` of `count` (1-based): whole cases, shared out so that the costs of shards are near each other
// (the dearest case first, each to the shard that has least so far). costs[i] is that of point i, in any unit; NULL:
// all cost the same. Peaks stay in each. The same plan and costs are cut alike everywhere.
void plan_shard(
    struct arena *arena, struct plan *plan, const double *costs, int index, int count, struct plan_cut *cut);

#endif
