// SPDX-License-Identifier: Apache-2.0
#include "rate.h"

#include "format.h"
#include "view.h"

#include <math.h>
#include <stdio.h>

// Operations a byte above which arithmetic bounds, for a device whose peaks were not measured:
// between processors (4 to 10) and discrete GPUs (10 to 40) for f32.
static const double usual_ridge = 10;

double peak_bytes(const struct result *result) {
    return result_peak(result, "copy_bytes_per_s");
}

static double own_peak(const struct result *result, const char *dtype) {
    char name[64];
    snprintf(name, sizeof name, "fma_%.16s_flops_per_s", dtype);
    return result_peak(result, name);
}

bool has_own_peak(const struct result *result, const char *dtype) {
    return own_peak(result, dtype) > 0;
}

double peak_flops(const struct result *result, const char *dtype) {
    double own = own_peak(result, dtype);
    return isnan(own) ? result_peak(result, "fma_f32_flops_per_s") : own;
}

struct rate rate_of(const struct result *result, const struct record *record) {
    double bytes_peak = peak_bytes(result), flops_peak = peak_flops(result, record->dtype);
    double ridge = flops_peak / bytes_peak, seconds = compute_ns(record) * 1e-9;
    if (!measured(ridge)) ridge = usual_ridge;
    bool by_bytes = measured(record->bytes) && !(record->flops / record->bytes > ridge);
    struct rate rate = {.unit = by_bytes ? "B/s" : "FLOP/s"};
    rate.value = (by_bytes ? record->bytes : record->flops) / seconds;
    if (!measured(rate.value)) rate.value = NAN;
    rate.share = rate.value / (by_bytes ? bytes_peak : flops_peak);
    return rate;
}

// ---- uses that share an upload

static double or_nothing(const struct record *record, enum figure figure) {
    double ns = figure_ns(record, figure);
    return isnan(ns) ? 0 : ns;
}

bool uses_of(const struct record *record, struct uses *out) {
    *out = (struct uses){
        .upload = or_nothing(record, FIGURE_HOST_WRITE) + or_nothing(record, FIGURE_UPLOAD),
        .compute = or_nothing(record, FIGURE_SUBMIT) + or_nothing(record, FIGURE_COMPUTE),
        .download = or_nothing(record, FIGURE_DOWNLOAD) + or_nothing(record, FIGURE_HOST_READ),
    };
    return !isnan(compute_ns(record)) && out->upload > 0;
}

double time_per_use(const struct uses *uses, double k) {
    return uses->upload / k + uses->compute + uses->download;
}

double time_per_resident_use(const struct uses *uses, double k) {
    return (uses->upload + uses->download) / k + uses->compute;
}

double uses_to_beat(const struct uses *uses, double ns) {
    double spare = ns - uses->compute - uses->download; // what may be left of the upload
    if (!(spare > 0)) return NAN;
    return floor(uses->upload / spare) + 1;
}
