// SPDX-License-Identifier: Apache-2.0
// Suites: JSON files listing the points to run and the time to spend. suites/README.md documents them.
#ifndef VKASSAY_PLAN_SUITE_H
#define VKASSAY_PLAN_SUITE_H

#include "../../base/fields.h"
#include "../../shader/select_name.h"
#include "point.h"

// How long to measure and how much to check. Every member may be set in a suite's "settings". Each line of this list
// is a member, and workers receive it, too (supervise/protocol.c).
#define SETTINGS(MEMBER)                                                                                               \
    MEMBER(double, point_seconds) /* time for one point's samples of compute */                                        \
    MEMBER(double, precision)     /* stop when the median's 95 % interval is within +- this share */                   \
    MEMBER(int, least_samples)                                                                                         \
    MEMBER(int, most_samples)                                                                                          \
    MEMBER(int, cpu_samples)           /* on a CPU, enough once point_seconds are spent; 0: least_samples */           \
    MEMBER(bool, cpu_sanitize)         /* bench on a CPU runs built-in kernels with instrumented shaders, too */       \
    MEMBER(double, longest_dispatch_s) /* a point with a longer estimate is skipped, with the figure */                \
    MEMBER(double, check_operations)   /* of the reference for one case; above it, granules are sampled */             \
    MEMBER(double, reference_seconds)  /* for the scalar baseline; above it, a part is extrapolated */                 \
    MEMBER(double, memory_share)       /* largest share of device memory for one point */                              \
    MEMBER(bool, plain_inputs)         /* inputs without hard lines and special values */                              \
    MEMBER(bool, cold)                 /* the cache mode */                                                            \
    MEMBER(int, some_shapes)           /* for "shapes": "some", beside default and systems */
#define SETTINGS_MEMBER(type, name) type name;
struct settings {
    SETTINGS(SETTINGS_MEMBER)
};
struct settings settings_standard(void);

// The shapes planned for a case. SHAPES_DEFAULT: the default. SHAPES_SYSTEMS: the systems' shapes, too. SHAPES_SOME:
// also a spread of `some_shapes` others. SHAPES_ALL: all shapes. SHAPES_LISTED: the listed ones. A refused shape
// becomes a point with `refused` set if it is the default, a system's or listed, and under SHAPES_ALL.
enum shape_choice { SHAPES_DEFAULT, SHAPES_SYSTEMS, SHAPES_SOME, SHAPES_ALL, SHAPES_LISTED };

// An object of "dims": names with their values, to be crossed.
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

// A shape as written in the file. Tunables not named have their defaults.
struct shape_text {
    struct tunable_text {
        const char *name;
        int64_t value;
    } items[KERNEL_TUNABLES];
    int count;
    const char *where;
};

// An entry: kernels, dtypes, crossed dims, shapes. If the file lists several kernels or operators, each gets its own
// entry here.
struct suite_entry {
    const char *kernel;       // glob over the names of kernels or probes
    const char *op;           // or an operator's name, for all its kernels; NULL: `kernel` is used
    bool probe;               // the glob is over probes (probes.h)
    const char *subject;      // JSON path of the name, for errors
    bool dtypes[DTYPE_COUNT]; // none set: every dtype of the kernel
    struct suite_dims *dims;  // by object in "dims", in order; the lists in an object are crossed
    size_t dims_count;
    enum shape_choice shapes;
    struct shape_text *explicit_shapes; // "shapes": [{"WG_X": 64}]
    size_t explicit_count;
    const char *peak;      // the best of these points is this peak, "copy_bytes_per_s"; NULL: none
    const char *only_kind; // "cpu", "gpu": for this kind of device; "own": for kernels of the user; NULL: any
    const char *where;     // JSON path, for errors
};

struct suite {
    const char *name, *summary, *file;
    const char *sizes; // of --dims (suite_sizes.h), or NULL; cases refused by an operator are then left out
    struct settings settings;
    struct suite_entry *entries;
    size_t entry_count;
};

// Returns whether the entry has one of the kernels in one of its dtypes.
bool entry_has_kernel(const struct suite_entry *entry, const struct kernels *kernels);

bool suite_load(struct arena *arena, const char *path, struct suite *out, struct error *err);

// Makes it the suite of all recorded dispatches among the kernels. Of its own entries, only those of peaks stay, and
// these if `peaks`.
void suite_of_recordings(struct arena *arena, const struct kernels *kernels, bool peaks, struct suite *suite);

struct plan {
    struct point *points; // peaks first; the points of a case stand together
    size_t count;
};

// Returns the plan's point of this name; NULL: it has none.
const struct point *plan_point(const struct plan *plan, const char *name);

// Crosses the suite with the kernels under the device's limits. Points given by two entries are planned once. Cases
// are in the order of the suite. Kernels of one operator at equal dims and dtype follow each other, because they
// share their operands.
//
// `select` keeps the points matched by one of its globs (none: all). Points for peaks are kept in any case. A glob is
// compared with the whole name and with its leading parts. So "matmul.tiled" takes the kernel, "matmul.tiled/f16" its
// f16 cases, and a case's name all its shapes. The name of an operator or a family stands for its kernels:
// "softmax/f16".
//
// Errors: an entry with a glob matching no kernel, or with dims refused by the operator, gives its JSON path. A glob
// matching no point is STATUS_USAGE, and the error suggests near names.
bool plan_build(struct arena *arena, const struct suite *suite, const struct kernels *kernels,
    const struct device_info *device, const char *const *select, size_t select_count, struct plan *out,
    struct error *err);

// Keeps the points matched by a glob or serving a peak. Without globs all points stay. A glob without a match is
// STATUS_USAGE. The error suggests near names, or gives the reason why the plan has no point of the kernels.
bool select_points(struct arena *arena, struct plan *plan, const struct kernels *kernels, const char *const *globs,
    size_t count, struct error *err);

// Returns whether a selection asks for the point: it serves no peak (`peak` NULL), or a glob matches its name.
bool select_asks(const char *const *globs, size_t count, const char *name, const char *peak);

// Returns whether the glob may match the name of some point of the kernel. The test is quick and may wrongly return
// true, but never wrongly false.
bool select_may_match(const char *glob, const struct kernel *kernel);

// Plans the points with these exact names, in their order and once each, whether or not a suite has them. `refused`
// is set as in plan_build. A text that is no point's name is STATUS_USAGE.
bool plan_from_names(struct arena *arena, const struct kernels *kernels, const struct device_info *device,
    const char *const *names, size_t count, const struct settings *settings, struct plan *out, struct error *err);

// Keeps one point of each pipeline: the first of each kernel, type and shape. Dims only change what a pipeline is run
// with. Left out are probes, and points for peaks without a matching glob.
void plan_pipelines(struct arena *arena, const char *const *globs, size_t count, struct plan *plan);

// The division of a plan into shards. Shards belong together if `hash` is equal.
struct plan_cut {
    size_t points, of; // in this shard, and in all shards; without peaks
    uint64_t hash;     // hash of each point's name and shard
};

// Keeps shard `index` of `count` (1-based). Shards have whole cases and similar costs: the most expensive case comes
// first, and each goes to the shard with the least cost so far. The cost of point i is costs[i], in any unit; NULL:
// all cost the same. Peaks stay in each shard. The same plan and costs are divided in the same way everywhere.
void plan_shard(
    struct arena *arena, struct plan *plan, const double *costs, int index, int count, struct plan_cut *cut);

extern const struct field suite_fields[]; // of the file, but for its claims

// ---- the exhaustive tier: points for every possible input of an elementwise operator. Inputs are counted by their
// bits. With one operand, input i is the element with the bits i. With two 16-bit operands, the first has the lower
// half of i and the second the upper half.

enum {
    EXHAUSTIVE_BITS = 32,       // largest number of input bits for one output
    EXHAUSTIVE_PIECE = 1 << 22, // inputs of one dispatch; the dim n of every exhaustive check with at least so many
    EXHAUSTIVE_CHUNK = 1 << 26, // inputs of one point, repeated after an interruption
};

// Returns the number of input operands; 0: the operator is not elementwise.
int exhaustive_operands(const struct op *op);

// Returns the bits of all inputs of an output together, 16 or 32. 0: the case cannot be checked exhaustively. The
// operator is not elementwise, depends on the place of an element, has no inputs, or has more input bits.
int exhaustive_bits(const struct kernel *kernel, enum dtype dtype);

struct exhaustive_request {
    uint64_t first, last; // range of 32-bit inputs; 16-bit inputs are always checked whole
    bool pairs;           // includes operators of two 16-bit operands
    double memory_share;
    const char *const *select; // as for plan_build
    size_t select_count;
};

// Plans every kernel and dtype that can be checked exhaustively, at its default shape and in chunks. A case refused
// by the device is one point with the reason.
bool plan_exhaustive(struct arena *arena, const struct kernels *kernels, const struct device_info *device,
    const struct exhaustive_request *request, struct plan *out, struct error *err);

#endif
