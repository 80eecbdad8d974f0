// SPDX-License-Identifier: Apache-2.0
// What one use costs when several share an upload: from the separate figures, by arithmetic. Private to harness/render.
#ifndef VKASSAY_RENDER_USES_H
#define VKASSAY_RENDER_USES_H

#include "view.h"

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
