// SPDX-License-Identifier: Apache-2.0
// A record: the outcome of one point. The worker writes it as one line of JSON, the journal keeps it, results collect
// it, and every report reads it.
#ifndef VKASSAY_RECORD_RECORD_H
#define VKASSAY_RECORD_RECORD_H

#include "../base/fields.h"
#include "../base/json.h"
#include "../truth/judge/judge.h"
#include "../truth/stats/summary.h"
#include "refusal.h"
#include "terms.h"
#include "wall.h"

#include <json-c/json.h>
#include <stdint.h>

struct needs;

struct record {
    // Strings live in the arena of the record's maker.
    const char *name;
    size_t case_length; // length of its case's name, a prefix of `name`: kernel, dtype and dims
    bool part;          // a part of its case's exhaustive run: over the inputs at the end of its name
    const char *operator;
    const char *kernel;
    const char *dtype;
    struct named_number *dims; // at most RECORD_NAMES: dims, then parameters not at their default
    int dim_count;
    uint32_t wg[3];
    struct named_number *tunables; // the other tunables, at most RECORD_NAMES
    int tunable_count;
    bool is_default;
    const char *systems;    // "torchless,candle" or ""
    const char *leaves;     // conventions that the kernel leaves open, "nan, ties"; NULL: none
    const char *reads_back; // outputs and scratch that it reads as well as writes, "y, kept", unless the manifest has a
                            // word for it; NULL: none
    const char *peak;       // the measured peak this point serves, or NULL

    enum record_status status;
    const char *reason;            // NULL for pass
    const struct refusal *refusal; // of a point not run: `reason` as data; NULL: only the text is known
    uint32_t failed;               // failed checks (enum check_bit); 0: something else is the reason
    const char *call;              // the failed Vulkan call and its code: "vkQueueSubmit: VK_ERROR_UNKNOWN"; NULL: none
    const char *replay;            // "vkassay check 'NAME' --seed S"
    struct {
        const char *status; // a failing status, "flake" or "skip"; NULL: only a pass
        const char *reason;
    } expected; // by the expectations of the run
    struct {
        enum record_status statuses[RECORD_ATTEMPTS]; // in order; the record is the worse one's
        int count;                                    // 0: one attempt was enough
        bool flaky;                                   // some passed and some did not
    } attempts;

    struct {            // present if checked or exact > 0, on a failure, or in an exhaustive check
        double max_ulp; // of all compared elements, not only the worst: never show it beside bound_ulp
        double worst_ulp, bound_ulp, worst_ratio; // of the worst element: its error (infinite if classes
                                                  // differ), its bound, and their ratio
        double p99_ulp, mean_ulp, nmse;
        int64_t worst_index;
        const char *worst_operand;     // the output
        double got, want;              // NaN and Inf are written as strings
        struct named_number inputs[8]; // at the worst index, if inputs correspond to it
        int input_count;
        int64_t checked, elements, excluded, failures;
        int64_t histogram[JUDGE_HISTOGRAM];
        bool same_bits, guards_intact, inputs_intact;
        struct {           // of a kernel allowed to give different bits: the spread of its worst_ratio
            int runs;      // judged runs; 0: none
            double lo, hi; // smallest and largest; hi is worst_ratio
        } spread;
        struct {                        // of a point with repeated draws of inputs: its errors as shares of the
            const char *operand;        // expected ones (judge/errors.h), for the output nearest to its limit
            int draws;                  // 0: no repeated draws
            int64_t outputs, groups;    // 0: no output is a sum, or rounding to nearest is not declared
            double spread, most_spread; // root mean square
            double bias, most_bias;     // the mean; away from zero is positive
        } errors;
        struct {             // of the same points: batch invariance
            const char *dim; // the first line along it was run alone; NULL: not tried, or meaningless
            int64_t count;   // number of lines
            bool same_bits;  // the line had the same bits as among all lines
        } lines;
        struct {                     // of a run with instrumented shaders (check/sanitized)
            int64_t accesses;        // logged accesses and barriers; 0: there was no such run
            int64_t dropped;         // others, for which the log had no room
            int64_t groups_left_out; // workgroups without a log; their accesses are tested for bounds only
            int64_t findings;
            bool uses_addresses; // it also uses buffer addresses, and these accesses are not logged
            const char *at;      // the small point that ran for it; NULL: its own
            const char *why;     // the reason why it could not be sanitized; NULL: it was, or was not asked for
        } sanitized;
        struct {
            int placement; // where lines have their patterns (plan/lines.h)
            int count;     // of rows
            struct special_inputs rows[RECORD_SPECIALS];
        } specials_in; // inputs that are not finite
        // Executions of a point that passed, by state (check/repeated); all 0: it was not repeated.
        struct repeated_row {
            int64_t runs, differing, wrong; // executions; with other bits than the judged one; judged wrong
            int64_t unjudged;               // differing ones that were not judged
        } repeated[REPEAT_STATES];
        uint64_t first_line; // hash of the first line's bits for --invariant; 0: it was not run
        int64_t exact;       // outputs judged by a run with whole numbers (check/exact.h); 0: no such run
        double mixes;        // factor on the bound of a kernel that mixes its outputs' terms; 0: it does not
        int64_t
            subgroup_width; // the only one that the kernel's subgroup operations met; 0: it has none, or met several
        bool packed;        // the second run had its operands in one buffer, at the smallest legal offsets
        bool folded;        // the second run had a grid folded over other axes
        bool rte, specials, denorms; // the policy in force
        uint64_t output_hash;        // of the output's bits, written as a hexadecimal string
    } check;

    struct {                       // of a recorded dispatch (harness/capture)
        int64_t count;             // dispatches of the program that were alike; 0: of a kernel with a manifest
        double ns;                 // of all of them in the program; NaN: not timed
        int64_t number;            // of the first, in the order of the program
        const char *signature;     // equal in two captures: the same work, but for contents of storage (NULL: unknown)
        const char *module, *name; // hash of the module, with the entry point; the pipeline's name, or the entry point
        const char *sizes;         // bytes of each storage range, by binding
        const char *inputs;        // hash of all that it reads: contents and parameters
        const char *device;        // of the recording; NULL: the device and driver of this run
        int64_t compared, differing; // elements of outputs with recorded results, and those with other bits
        const char *operand;         // the worst of these: its place, bits as numbers, and distance
        int64_t index;
        double got, want, max_ulp; // of integers their difference; infinite: a mismatch of class
    } recorded;
    struct {                  // of an exhaustive check: the inputs of `check`; present if bits > 0
        int bits;             // of all inputs of one output together
        uint64_t first, last; // inputs, as bits
        int64_t inputs;       // run and judged, or left out by policy
        uint64_t argument;    // the worst input: its error uses most of its bound
        double ulp;           // its error, under check.bound_ulp; NaN for a mismatch of class
        double inputs_per_s;  // over all wall time
    } exhaustive;

    struct summary time[FIGURE_COUNT];
    double *samples[FIGURE_COUNT]; // raw, time[].samples values; NULL if trimmed
    int repeats;                   // dispatches in one interval of the compute figure
    const char *stop;              // "precise", "time", "count"
    enum clock clock;              // the clock of these times; CLOCK_NONE: nothing was timed
    const char *clock_why;         // for CLOCK_HOST: why it is not the GPU's, as "asked for"; NULL: unknown
    const char *cache;             // "hot" or "cold"
    double drift;                  // time of the fixed reference kernel beside this point, over its median; NaN: none
    bool throttled;                // drift beyond 1.1 and its noise, or beyond 1.05 before it without time to wait
    bool remeasured;               // throttled at first: these samples are from a second try
    struct clock_probes clock_probes;
    double shader_clock_hz; // of the shader cores beside this point; NaN: not readable
    double host_load;       // other work on the host during timing, as a share of its cores; NaN: unknown
    double host_steal;      // share of these cores taken by a hypervisor; NaN: unknown
    struct {
        double ns, max_ulp;
        bool extrapolated;                       // timed over a part of the outputs, and scaled up
        double scale;                            // the factor: 1 if all were timed; NaN: unknown, in older files
    } reference;                                 // the scalar baseline; ns NaN: not timed
    struct named_number metrics[RECORD_METRICS]; // findings of a probe besides times: shares, counts, bytes
    int metric_count;
    struct named_number *code; // from the driver on the machine code, under its names; the most of several passes
    int code_count;            // at most RECORD_NAMES
    double flops, bytes;       // useful work and least traffic of one run
    const char *arithmetic;    // unit for this work: a peak's name without its ending, "matrix_f16_f32"; NULL: unknown
    double upload_bytes, download_bytes; // moved by the upload and download figures; 0: nothing
    struct wall wall;                    // where the wall time of this point went
    int64_t build_ns;     // core time to build its shaders, ahead or within wall; 0: built for another point
    uint64_t source_hash; // of manifest and shader tokens; 0: unknown
    bool validated;       // ran under the validation layer, with validation_messages messages
    uint32_t validation_messages;
    const char *bounds_unchecked; // the driver's failure under the layer's checks of accesses: it ran without them;
                                  // NULL: it ran with them, or they were not asked for
    const char *unsanitized; // how the device was lost in the small sanitized run: the point ran without one; NULL:
                             // it was not
    uint32_t subgroup_size;  // of the run, if required; 0: the driver's choice
    uint64_t memory_used,
        memory_peak; // device bytes when the point was judged, and the most until then; 0: unknown
    struct {
        double joules, watts; // of one run, and during it, for the whole device with idle parts; NaN: not measured
        const char *source;   // "nvml", "rapl"
        const char *why;      // it was asked for, but cannot be measured here
    } energy;                 // neither text: it was not asked for
    const struct mutant_outcome *mutant; // of a kernel broken on purpose; NULL: of another, or its worker was lost
    const struct needs *needs;           // limits and features needed of a device; NULL: unknown, in older results
};

// Marks the times as the GPU's if `why_host` is NULL, else as the host's, for that reason.
void record_timed_by(struct record *record, const char *why_host);

// Makes the record a skip, for this reason.
void record_refuse(struct arena *arena, struct record *record, const struct refusal *refusal);

extern const struct kind kind_source; // uint64_t in that form; 0 is null
extern const struct kind kind_status; // enum record_status
extern const struct kind kind_failed; // uint32_t, bits of checks; null: none

// Write and read members of an object as numbers with names, except the member `except`; it may be NULL.
void named_put(struct json_object *object, const struct named_number *numbers, int count, const struct kind *kind);
bool named_list_get(struct arena *arena, const struct json_at *at, const struct kind *kind, const char *except,
    struct named_number **numbers, int *count, struct error *err);

extern const struct kind kind_record;
extern const struct field mutant_outcome_fields[]; // of struct mutant_outcome
extern const struct kind kind_rule;                // name of a rule of equivalence

struct json_object *record_to_json(const struct record *record, bool with_samples);

// Parts of a record as in files; exports write them too. The last one is for struct summary.
extern const struct field spread_fields[], exhaustive_fields[], reference_fields[], cost_fields[], summary_fields[];

// Reads a record, strict about kinds and ranges. Unknown members are skipped. An error names the JSON path;
// record_read uses the path within its file.
bool record_from_json(struct arena *arena, struct json_object *object, struct record *out, struct error *err);
bool record_read(struct arena *arena, const struct json_at *at, struct record *out, struct error *err);

#endif
