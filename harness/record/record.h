// SPDX-License-Identifier: Apache-2.0
// A record: what one point produced. The same structure is written by the worker as one line of
// JSON, kept in the journal, folded into a result and read by every report.
#ifndef VKASSAY_RECORD_RECORD_H
#define VKASSAY_RECORD_RECORD_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/fields.h"
#include "../base/json.h"
#include "../device/profile.h"
#include "../judge/judge.h"
#include "../stats/summary.h"
#include "refusal.h"
#include "wall.h"

#include <json-c/json.h>
#include <stdint.h>

enum record_status {
    RECORD_PASS,
    RECORD_FAIL,
    RECORD_SKIP,
    RECORD_ERROR,
    RECORD_TIMEOUT,
    RECORD_CRASH,
    RECORD_DEVICE_LOST,
    RECORD_STATUS_COUNT
};
const char *record_status_name(enum record_status status); // "pass" ... "device-lost"

// The separate figures of a point, each in nanoseconds a run of the kernel. Data goes one of two ways between host and
// device: staged, where the host writes (host_write) what the device copies (upload), and back (download, host_read);
// or mapped, where the host writes and reads device memory that it sees (mapped_write, mapped_read), as far as the
// device has such memory. End to end is staged.
enum figure {
    FIGURE_COMPUTE,
    FIGURE_UPLOAD,
    FIGURE_DOWNLOAD,
    FIGURE_HOST_WRITE,
    FIGURE_HOST_READ,
    FIGURE_SUBMIT,
    FIGURE_END_TO_END,
    FIGURE_MAPPED_WRITE,
    FIGURE_MAPPED_READ,
    FIGURE_COUNT
};
const char *figure_name(enum figure figure); // "compute", ... "mapped_read"

enum clock { CLOCK_NONE, CLOCK_GPU, CLOCK_HOST };
const char *clock_name(enum clock clock); // "gpu", "host"; NULL for none

// Runs that show how the error of a kernel spreads whose bits differ from run to run.
enum { CHECK_RUNS = 8 };
enum { RECORD_NAMES = 40, RECORD_ATTEMPTS = 2, RECORD_FACTS = 12 };
struct named_number {
    const char *name;
    double value;
};

// Looks at the reference kernel before, while and after a point was timed, on a GPU.
struct record_looks {
    int count;             // 0: there were none
    double least, most;    // of that kernel's times, over its median so far
    double noise;          // standard deviation of its times, as a share of that median
    double least_clock_hz; // of the shader cores when that kernel was slow; NaN: it was not, or it cannot be read
};

struct record {
    // Strings live in the arena of whoever made the record.
    const char *name;
    size_t case_length; // of the name of its case, a prefix of `name`: kernel, dtype and dims
    bool part;          // of the exhaustive run of its case: over the inputs that its name ends with
    const char *operator;
    const char *kernel;
    const char *dtype;
    struct named_number *dims; // at most RECORD_NAMES: dims, then parameters that differ from their default
    int dim_count;
    uint32_t wg[3];
    struct named_number *tunables; // the other tunables, at most RECORD_NAMES
    int tunable_count;
    bool is_default;
    const char *systems; // "torchless,candle" or ""
    const char *peak;    // the measured peak this point serves, or NULL

    enum record_status status;
    const char *reason;            // NULL for pass
    const struct refusal *refusal; // of a point that was not run, what `reason` says; NULL: not known but as a text
    uint32_t failed;               // the checks (enum check_bit) that it failed; 0 where something else is the reason
    const char *call;   // the Vulkan call that failed, and its code: "vkQueueSubmit: VK_ERROR_UNKNOWN"; NULL: none did
    const char *replay; // "vkassay check 'NAME' --seed S"
    struct {
        const char *status; // a failing status, "flake" or "skip"; NULL: nothing but a pass
        const char *reason;
    } expected; // by the expectations of the run
    struct {
        enum record_status statuses[RECORD_ATTEMPTS]; // in order; the record is of the worse one
        int count;                                    // 0: one attempt was enough
        bool flaky;                                   // some passed and some did not
    } attempts;

    struct {            // present when checked > 0, the status is fail, or of an exhaustive check
        double max_ulp; // of all elements compared; need not be the worst's: never to be shown beside bound_ulp
        double worst_ulp, bound_ulp, worst_ratio; // of the worst element: its error (infinite for a mismatch of class),
                                                  // what it is allowed, and the one over the other
        double p99_ulp, mean_ulp, nmse;
        int64_t worst_index;
        const char *worst_operand;     // the output
        double got, want;              // NaN and Inf are written as strings
        struct named_number inputs[8]; // at the worst index, where the inputs correspond
        int input_count;
        int64_t checked, elements, excluded, failures;
        int64_t histogram[JUDGE_HISTOGRAM];
        bool same_bits, guards_intact, inputs_intact;
        struct {           // of a kernel that says that its bits may differ: how its worst_ratio spreads
            int runs;      // that were judged; 0: none
            double lo, hi; // least and largest of them; hi is worst_ratio
        } spread;
        struct {                 // of a point whose inputs are drawn anew: the statistics of its errors, in shares of
            const char *operand; // what is expected (judge/errors.h), of the output that comes nearest to its limit
            int draws;           // 0: it is no such point
            int64_t outputs, groups;    // 0: no output is a sum, or rounding to nearest is not declared
            double spread, most_spread; // root of the mean square
            double bias, most_bias;     // the mean; away from zero is positive
        } errors;
        struct {             // of the same points: batch invariance
            const char *dim; // of which the first line was run alone; NULL: that was not tried, or means nothing
            int64_t count;   // of lines that there are
            bool same_bits;  // it had the bits that it has among all
        } lines;
        int64_t exact; // outputs that a run with whole numbers was judged by (check/exact.h); 0: no such run
        bool packed;   // the second run had its operands in one buffer, at the least legal offsets
        bool rte, specials, denorms; // the policy in force
        uint64_t output_hash;        // of the output's bits, written as a hexadecimal string
    } check;

    struct {                  // of an exhaustive check, over whose inputs `check` is; present when bits > 0
        int bits;             // of all inputs of one output together
        uint64_t first, last; // inputs, by their bits
        int64_t inputs;       // run and judged, or left out by policy
        uint64_t argument;    // the worst: whose error takes up most of its bound
        double ulp;           // its error, of check.bound_ulp; NaN for a mismatch of class
        double inputs_per_s;  // over all of the wall time
    } exhaustive;

    struct summary time[FIGURE_COUNT];
    double *samples[FIGURE_COUNT]; // raw, time[].samples of them; NULL when trimmed
    int repeats;                   // dispatches in one interval of the compute figure
    const char *stop;              // "precise", "time", "count"
    enum clock clock;              // whose times these are; CLOCK_NONE: nothing was timed
    const char *clock_why;         // of CLOCK_HOST, why it is not the GPU's: "asked for"; NULL: no reason is known
    const char *cache;             // "hot" or "cold"
    double drift;                  // the fixed reference kernel's time beside this point over its median; NaN: none
    bool throttled;                // drift beyond 1.1 and its noise; or beyond 1.05 before it, and no time left to wait
    bool remeasured;               // it was throttled at first: these samples are of a second try
    struct record_looks looks;
    double shader_clock_hz; // of the shader cores beside this point; NaN: cannot be read
    double host_load;       // other work on the host while this was timed, as a share of its cores; NaN: unknown
    double host_steal;      // what a hypervisor took of them; NaN: unknown
    struct {
        double ns, max_ulp;
        bool extrapolated;                   // timed over a part of the outputs, and scaled up
        double scale;                        // by so much: 1 where all were timed; NaN: a file of before does not say
    } reference;                             // the scalar baseline; ns NaN: not timed
    struct named_number facts[RECORD_FACTS]; // what a probe found beside times: shares, counts, bytes
    int fact_count;
    struct named_number
        *code;           // what the driver tells of the machine code, by its own names; of several passes the most
    int code_count;      // at most RECORD_NAMES
    double flops, bytes; // useful work and least traffic of one run
    const char
        *arithmetic; // what executes that work: a peak's name without its ending, "matrix_f16_f32"; NULL: not known
    double upload_bytes, download_bytes; // that the upload and download figures moved; 0: nothing
    struct wall wall;                    // where the wall time of this point went
    int64_t
        build_ns; // that its shaders took of a core, ahead of time or within wall; 0: had been built for another point
    uint64_t source_hash; // of manifest and tokens of the shaders; 0: not known
    bool validated;       // it ran under the validation layer, which had so much to say
    uint32_t validation_messages;
    const char *bounds_unchecked; // how the driver failed under the layer's checks of accesses: it ran without them;
                                  // NULL: it ran with them, or they were not asked for
    uint32_t subgroup_size;       // that ran, when required; 0: the driver's choice
    uint64_t memory_used,
        memory_peak; // bytes on the device when the point was judged, and the most until then; 0: unknown
    struct {
        double joules, watts; // of one run, and meanwhile, all of the device's, idle parts too; NaN: not measured
        const char *source;   // "nvml", "rapl"
        const char *why;      // it was asked for, and cannot be measured here
    } energy;                 // neither: it was not asked for
    struct needs needs;       // what it asks of a device's limits and features; not known of results from before
};

// The times are the GPU's where `why_host` is NULL, otherwise the host's, for that reason.
void record_timed_by(struct record *record, const char *why_host);

// It is skipped, for this reason.
void record_refuse(struct arena *arena, struct record *record, const struct refusal *refusal);

// What follows the case in the name: "wg=16x16x1,TILE_K=16", and of a part its inputs; "" when nothing does.
const char *record_shape(const struct record *record);
uint64_t record_invocations(const struct record *record); // in one workgroup
// The name of its case: "matmul.tiled/f32/m=512,n=512,k=512".
const char *record_case(struct arena *arena, const struct record *record);

// How a source_hash stands in files: "tokens:0123456789abcdef", "" when it is not known. Results from before hold
// digits alone, of text that another version of the shader compiler lays out otherwise: they are read as not known.
enum { SOURCE_HASH_TEXT = 24 };
void source_hash_text(uint64_t hash, char out[SOURCE_HASH_TEXT]);
extern const struct kind kind_source; // uint64_t as that has it; 0 is null
extern const struct kind kind_status; // enum record_status

struct json_object *record_to_json(const struct record *record, bool with_samples);

// Parts of a record, as files have them and exports write them too; the last is of struct summary.
extern const struct field spread_fields[], exhaustive_fields[], reference_fields[], cost_fields[], summary_fields[];

// Strict about kinds and ranges; members it does not know are passed over. An error names the JSON
// path; record_read does so for a record within a file.
bool record_from_json(struct arena *arena, struct json_object *object, struct record *out, struct error *err);
bool record_read(struct arena *arena, const struct json_at *at, struct record *out, struct error *err);

// ---- the checks that a point can fail: what a record's `failed` is made of. A check more is a bit here, a line in the
// table of checks.c, one in reports/schema/result.schema.json, and the place that finds it

enum check_bit {
    CHECK_ULP = 1 << 0,
    CHECK_CLASS = 1 << 1,
    CHECK_UNWRITTEN = 1 << 2,
    CHECK_GUARD = 1 << 3,
    CHECK_INPUT = 1 << 4,
    CHECK_BITS = 1 << 5,
    CHECK_PACKED = 1 << 6,
    CHECK_VALIDATION = 1 << 7,
    CHECK_PROBE = 1 << 8,
    CHECK_ERRORS = 1 << 9,
    CHECK_BARRIER = 1 << 10,
};

struct check_info {
    uint32_t bit;
    const char *key;     // in files: "guard"
    const char *words;   // what was found: "it wrote outside its buffers"
    const char *look_at; // where such faults mostly are
};
extern const struct check_info checks[]; // ends with a NULL key

// CHECK_ULP, CHECK_CLASS or both, by the worst of an output's elements, the largest error of its numbers and the bound.
uint32_t checks_of_worst(double got, double want, double max_ulp, double bound_ulp);

#endif
