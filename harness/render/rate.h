// SPDX-License-Identifier: Apache-2.0
// How fast a record is in the unit that bounds it, by the device's own measured peaks. Private to harness/render.
#ifndef VKASSAY_RENDER_RATE_H
#define VKASSAY_RENDER_RATE_H

#include "../record/result.h"
#include "view.h"

// A roof is a measured peak: of memory, or of what executes the record's operations (its `arithmetic`). Work that
// passes the memory roof came out of a cache, if its traffic is less than half of that of the copy which set the roof:
// it is held against the cache's peak.
struct rate {
    double value;     // NaN when not measured
    const char *unit; // "B/s", "FLOP/s" or "OP/s": what the roofline says bounds this much work on this much data
    const char *roof; // the peak that it is held against: "matrix_f16_f32_flops_per_s"; NULL: it was not measured
    double share;     // of that roof; NaN without one
};

struct rate rate_of(const struct result *result, const struct record *record);

// A roof in words: "memory", "f16 matrix units".
const char *roof_words(const char *key);

// A share beyond it is an error: the roof was measured too low, or the work is counted too high.
#define MOST_SHARE 1.05

// Finds timed records whose share is beyond that by more than their samples and those of the roof scatter. The greatest
// shares are first, in the arena. Returns how many there are.
struct beyond {
    const struct record *record;
    struct rate rate;
};
size_t beyond_roofs(const struct result *result, struct arena *arena, struct beyond **out);

// The roof of memory in bytes a second: the highest of copying, reading and writing. NaN when none was measured.
double peak_bytes(const struct result *result);

// The peak that bounds the record's operations; NULL: it was not measured.
const char *arithmetic_roof(const struct result *result, const struct record *record);

// ---- what one use costs when several share an upload: from the separate figures, by arithmetic

// Nanoseconds: writing to staging memory and uploading, once for all uses; submitting and computing, and downloading
// and reading, for each.
struct uses {
    double upload, compute, download;
};

// A figure that the record lacks is nothing to wait for; false without a compute figure, or with nothing to upload.
bool uses_of(const struct record *record, struct uses *out);

// Of one of k uses, when they share the upload; and when they share the download too.
double time_per_use(const struct uses *uses, double k);
double time_per_resident_use(const struct uses *uses, double k);

// The least whole number of uses that share an upload from which on one takes less than `ns`; NaN when no number does.
double uses_to_beat(const struct uses *uses, double ns);

#endif
