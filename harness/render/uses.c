// SPDX-License-Identifier: Apache-2.0
#include "uses.h"

#include <math.h>

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
