// SPDX-License-Identifier: Apache-2.0
// The figures of a record in one table, and its speed relative to the device's own measured peaks. Tables, exports and
// claims read their figures here.
#ifndef VKASSAY_RECORD_FIGURES_H
#define VKASSAY_RECORD_FIGURES_H

#include "terms.h"
#include "../base/arena.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record;
struct result;

// The figures, after the times of enum figure.
enum {
    FIGURE_LOW = FIGURE_COUNT, // ends of the 95 % interval of the compute median
    FIGURE_HIGH,
    FIGURE_MOVED,
    FIGURE_MOVED_BY_HOST,
    FIGURE_MOVED_MAPPED,
    FIGURE_MOVED_SHARE,
    FIGURE_RUNS_TO_HALF,
    FIGURE_BYTES_PER_S,
    FIGURE_FLOPS_PER_S,
    FIGURE_BUILD_SHARE,
    FIGURE_REFERENCE,
    FIGURE_PEAK_SHARE,
    FIGURES
};

// A figure is a sum of times or an amount, over another sum of times or alone. To add one: a number above and a row in
// figures.c.
struct figure_info {
    const char *name, *unit; // "moved_share", "share"; "" a plain number
    unsigned times, over;    // sums of times, a bit each; over: what the first is divided by; 0: nothing
    size_t amount;           // offset in a record of a double in place of `times`, in a rate over seconds; 0: none
    bool high;               // the higher the better
    double (*of)(const struct result *result, const struct record *record); // in place of all these; NULL: by them
};
extern const struct figure_info figure_table[FIGURES];

// Returns a figure; NaN if it was not measured. A missing copy counts as 0 in a sum with others.
double figure_value(const struct result *result, const struct record *record, int figure);

static inline bool measured(double value) {
    return isfinite(value) && value > 0;
}
// Returns the compute median of a record that passed and was timed; NaN otherwise.
double compute_ns(const struct record *record);

// Returns the largest share of its warps that an NVIDIA multiprocessor can hold, for workgroups of `invocations` with
// `registers` each. It assumes 65536 registers, allocated per lane in units of eight, 64 warps and 32 workgroups
// (CUDA programming guide, compute capability 9.0). Multiprocessors with 32 or 48 warps reach a greater share. Limits
// from shared memory are not counted. Returns NaN for other vendors, because their figures have another form.
double occupancy_most(uint32_t vendor, double registers, uint64_t invocations);

// ---- rates

// A rate and its roof. A roof is a measured peak: of memory, or of the units that execute the record's operations
// (its `arithmetic`). A rate above the memory roof must come from a cache if the record moves less than half the
// bytes of the measured copy. Such a rate is compared with the cache's peak, if this is the larger one. On a processor,
// a rate above MOST_SHARE of its roof has none: other work slowed the peak.
struct rate {
    double value;     // NaN when not measured
    const char *unit; // "B/s", "FLOP/s" or "OP/s": the roofline bound for this much work on this much data
    const char *roof; // the peak it is compared with: "matrix_f16_f32_flops_per_s"; NULL if not measured
    double share;     // of that roof; NaN without a roof
};

struct rate rate_of(const struct result *result, const struct record *record);

// Returns a roof in words: "memory", "f16 matrix units".
const char *roof_words(const char *key);

// A larger share is an error: the roof was measured too low, or the work is counted too high.
#define MOST_SHARE 1.05

// Finds timed records whose share exceeds MOST_SHARE by more than their samples and the roof's samples scatter:
// greatest share first, in the arena. Returns their number.
struct beyond {
    const struct record *record;
    struct rate rate;
};
size_t beyond_roofs(const struct result *result, struct arena *arena, struct beyond **out);

// Returns the memory roof in bytes per second: the highest of copy, read and write. NaN if none was measured.
double peak_bytes(const struct result *result);

// Returns the peak that bounds the record's operations; NULL if it was not measured.
const char *arithmetic_roof(const struct result *result, const struct record *record);

// ---- machine code. Drivers report its figures through VK_KHR_pipeline_executable_properties, each
// under names of its own, which records keep.

enum code_figure {
    CODE_REGISTERS, // of an invocation, or of a subgroup's lane
    CODE_SPILLS,    // registers, stores or bytes moved to memory, as the driver counts them
    CODE_SCRATCH,   // bytes of memory for spills and local arrays, of an invocation
    CODE_SHARED,    // bytes of shared memory of a workgroup
    CODE_BYTES,     // size of the code
    CODE_WAVES,     // subgroups that can be resident on the smallest unit of the device
    CODE_CYCLES,    // the compiler's static estimate; no measurement
    CODE_FIGURES
};
extern const char *const code_figure_titles[CODE_FIGURES];

// Returns a figure of a record, or NaN if its driver does not report it.
double code_figure(const struct record *record, enum code_figure figure);

// Returns the file name for the disassembly of a record's pipeline, in the arena.
const char *code_file_name(struct arena *arena, const struct record *record);

#endif
