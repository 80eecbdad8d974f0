// SPDX-License-Identifier: Apache-2.0
// How fast a record is in the unit that bounds it, by the device's own measured peaks. Private to
// harness/render.
#ifndef VKASSAY_RENDER_RATE_H
#define VKASSAY_RENDER_RATE_H

#include "../record/result.h"
#include "view.h"

struct rate {
    double value;     // NaN when not measured
    const char *unit; // "B/s" or "FLOP/s": what the roofline says bounds this much work on this much data
    double share;     // of the measured peak in that unit; NaN without one
};

struct rate rate_of(const struct result *result, const struct record *record);

// Peaks that bound a record: bytes a second, and operations a second in its dtype (that of f32
// where its own was not measured). NaN when not measured.
double peak_bytes(const struct result *result);
double peak_flops(const struct result *result, const char *dtype);
bool has_own_peak(const struct result *result, const char *dtype); // of operations, in this very type

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
