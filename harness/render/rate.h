// SPDX-License-Identifier: Apache-2.0
// The speed of a record in the unit that bounds it, relative to the device's own measured peaks.
#ifndef VKASSAY_RENDER_RATE_H
#define VKASSAY_RENDER_RATE_H

#include "view.h"
#include "../base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct record;
struct result;

// A rate and its roof. A roof is a measured peak: of memory, or of the units that execute the record's operations
// (its `arithmetic`). A rate above the memory roof must come from a cache if the record moves less than half the
// bytes of the measured copy. Such a rate is compared with the cache's peak.
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

// Returns whether such a record shows an error. On a processor, other work on the host can slow a peak down.
bool beyond_is_error(const struct result *result);

// Returns the memory roof in bytes per second: the highest of copy, read and write. NaN if none was measured.
double peak_bytes(const struct result *result);

// Returns the peak that bounds the record's operations; NULL if it was not measured.
const char *arithmetic_roof(const struct result *result, const struct record *record);

// ---- the cost of one use when several share an upload, computed from the separate figures

// Nanoseconds. Writing to staging memory and uploading happen once for all uses. Submitting with computing, and
// downloading with reading, happen for each.
struct uses {
    double upload, compute, download;
};

// Fills `out`; a missing figure counts as 0. Returns false without a compute figure, without an upload, and for
// probes.
bool uses_of(const struct record *record, struct uses *out);

// Return the time of one of k uses that share the upload; in the second, they also share the download.
double time_per_use(const struct uses *uses, double k);
double time_per_resident_use(const struct uses *uses, double k);

// Returns the least number of uses sharing an upload at which one use takes less than `ns`; NaN if no number does.
double uses_to_beat(const struct uses *uses, double ns);

#endif
