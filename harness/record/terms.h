// SPDX-License-Identifier: Apache-2.0
// The terms of records: statuses, figures, clocks, checks and small values. Code that only passes records on needs no
// more than these.
#ifndef VKASSAY_RECORD_TERMS_H
#define VKASSAY_RECORD_TERMS_H

#include <stdint.h>
#include <json-c/json.h>
#include <stdbool.h>

struct enum_words; // base/fields.h

enum record_status {
    RECORD_PASS,
    RECORD_FAIL,
    RECORD_SKIP,
    RECORD_ERROR,
    RECORD_TIMEOUT,
    RECORD_CRASH,
    RECORD_DEVICE_LOST,
    RECORD_COMPILED, // only compiled, by `check --tier compile`: nothing was run
    RECORD_STATUS_COUNT
};
const char *record_status_name(enum record_status status); // "pass" ... "device-lost"
extern const struct enum_words status_words;

// The outcome of a kernel that was broken on purpose (a mutant).
enum mutant_verdict {
    MUTANT_KILLED,     // a check failed
    MUTANT_SURVIVED,   // some bits differ, but every check passed
    MUTANT_UNSEEN,     // the same bits at every point
    MUTANT_EQUIVALENT, // not killed, and right by a rule (mutate/equivalence.h)
    MUTANT_INVALID,    // not a legal module
    MUTANT_NOT_RUN,
    MUTANT_VERDICTS
};
extern const struct enum_words mutant_verdict_words;
struct mutant_outcome {
    enum mutant_verdict verdict;
    const char *check;  // killed: "ulp", "timeout", ...; else NULL
    const char *point;  // point that killed it, or the first with other bits; else NULL
    const char *rule;   // equivalent: name of the rule; else NULL
    const char *reason; // explanation; NULL: none
    int64_t points;     // number of points it ran at, including the killing one; all reach its instruction
    double seconds;
};

// The figures of a point, each in nanoseconds for one run of the kernel. Data moves between host and device in one of
// two ways. Staged: the host writes staging memory (host_write) and the device copies it (upload), and back
// (download, host_read). Mapped: the host writes and reads device memory directly (mapped_write, mapped_read), if it
// can see that memory. End to end is staged.
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

// Returns the share of a check's outputs that the device or the specification leaves open.
double open_share(int64_t checked, int64_t excluded);

enum clock { CLOCK_NONE, CLOCK_GPU, CLOCK_HOST };
const char *clock_name(enum clock clock); // "gpu", "host"; NULL for none

// Runs to judge the spread of errors, for kernels whose bits differ from run to run.
enum { CHECK_RUNS = 8 };
enum { RECORD_NAMES = 40, RECORD_ATTEMPTS = 2, RECORD_METRICS = 12, RECORD_SPECIALS = 8 };

// Inputs of one operand with one special value, and the judged outputs that depend on them.
enum special_value { SPECIAL_NAN, SPECIAL_INFINITY, SPECIAL_MINUS_INFINITY, SPECIAL_VALUES };
const char *special_value_name(enum special_value value); // "nan", "inf", "-inf"
struct special_inputs {
    const char *operand;
    int index; // of the operand
    enum special_value value;
    int64_t inputs, judged;
};

struct named_number {
    const char *name;
    double value;
};

// Looks at the reference kernel before, during and after the timing of a point, on a GPU.
struct clock_probes {
    int count;             // 0: no probes
    double least, most;    // of the reference kernel's times, over its median so far
    double noise;          // standard deviation of these times, as a share of the median
    double least_clock_hz; // shader clock while that kernel was slow; NaN: never slow, or not readable
};

// Writes a source_hash as in files: "tokens:0123456789abcdef", or "" if unknown. Older results have only digits: the
// hash of a text laid out by one version of the shader compiler. These are read as unknown.
enum { SOURCE_HASH_TEXT = 24 };
void source_hash_text(uint64_t hash, char out[SOURCE_HASH_TEXT]);

// ---- the checks that a point can fail, as in a record's `failed`. To add one: a bit here, a line in the table of
// terms.c, and the code to detect it

// The state of the device before an execution. WARM: the last command was the same kernel. COLD: shared memory,
// registers and caches hold other numbers. PAUSED: 50 ms without work. BUSY: beside other work.
enum repeat_state { REPEAT_WARM, REPEAT_COLD, REPEAT_PAUSED, REPEAT_BUSY, REPEAT_STATES };
const char *repeat_state_name(enum repeat_state state); // "warm"

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
    CHECK_RACE = 1 << 11,
    CHECK_BOUNDS = 1 << 12,
    CHECK_UNSET = 1 << 13,
    CHECK_REWRITTEN = 1 << 14,
    CHECK_FOLDED = 1 << 15,
    CHECK_REPLAY = 1 << 16,
    CHECK_FLOOR = 1 << 17,
    CHECK_RECORDED = 1 << 18,
    CHECK_FINITE = 1 << 19,
};

struct check_info {
    uint32_t bit;
    const char *key;     // in files: "guard"
    const char *words;   // the finding: "it wrote outside its buffers"
    const char *look_at; // the usual places of such faults
};
extern const struct check_info checks[]; // ends with a NULL key
extern const struct enum_words check_words;

// Returns CHECK_ULP, CHECK_CLASS or both, from an output's worst element, the largest error of its numbers and the
// bound.
uint32_t checks_of_worst(double got, double want, double max_ulp, double bound_ulp);

// ---- a record against the expectation of its point. A run's exit status and every report use this.

struct record;

enum expectation_outcome {
    OUTCOME_GOOD,             // passed or skipped
    OUTCOME_EXPECTED_FAILURE, // failed just as expected
    OUTCOME_KNOWN_FLAKE,      // failed, and is known to fail now and then
    OUTCOME_UNEXPECTED_PASS,  // passed where a failure is expected, even if in only one of two attempts
    OUTCOME_WRONG,            // failed unexpectedly, or in another way than expected
};

#define EXPECTED_FLAKE "flake"
#define EXPECTED_SKIP "skip"

extern const struct enum_words expected_words; // of an expectation

// Returns whether a record as in a journal has the status.
bool record_json_is(struct json_object *record, enum record_status status);

enum expectation_outcome record_outcome(const struct record *record);
enum expectation_outcome record_outcome_json(struct json_object *record); // of a record as in a journal

// Returns whether the outcome is neither good nor as expected: the run has failed.
bool outcome_is_bad(enum expectation_outcome outcome);

#endif
