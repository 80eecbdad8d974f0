// SPDX-License-Identifier: Apache-2.0
// How fast a record is in the unit that bounds it, by the device's own measured peaks. Private to
// harness/render.
#ifndef VKASSAY_RENDER_RATE_H
#define VKASSAY_RENDER_RATE_H

#include "../record/result.h"

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

#endif
