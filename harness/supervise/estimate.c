// SPDX-License-Identifier: Apache-2.0
#include "estimate.h"

#include "../base/json.h"
#include "../base/memory.h"
#include "../record/peaks.h"

#include <stdio.h>
#include <stdlib.h>

// The share of a measured peak that a kernel is expected to reach at least. Plain kernels of
// well-filled devices reach more; those that reach less are caught by the point's timeout.
static const double expected_share = 0.1;
#define EXPECTED_SHARE_TEXT "a tenth"

void estimate_learn(struct estimate *estimate, struct json_object *const *records, size_t count) {
    struct json_object **there = memory_alloc(count, sizeof *there);
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (json_get_string(records[i], "peak", NULL)) there[found++] = records[i];
    struct json_object *peaks = peaks_make(there, found);
    estimate->bytes_per_s = json_get_double(peaks, "copy_bytes_per_s", 0);
    estimate->flops_per_s = json_get_double(peaks, "fma_f32_flops_per_s", 0);
    json_object_put(peaks);
    free(there);
}

// Three digits with a decimal prefix: "12.5 G".
static void scaled(double value, char *out, size_t size) {
    static const char prefixes[][2] = {"", "k", "M", "G", "T", "P"};
    size_t p = 0;
    for (; value >= 999.5 && p + 1 < sizeof prefixes / sizeof *prefixes; p++) value /= 1000;
    snprintf(out, size, "%.3g %s", value, prefixes[p]);
}

bool estimate_too_long(
    const struct estimate *estimate, double flops, double bytes, double longest_s, char reason[ESTIMATE_REASON]) {
    double computing = estimate->flops_per_s > 0 ? flops / (estimate->flops_per_s * expected_share) : 0;
    double moving = estimate->bytes_per_s > 0 ? bytes / (estimate->bytes_per_s * expected_share) : 0;
    bool by_flops = computing >= moving;
    double seconds = by_flops ? computing : moving;
    if (!(seconds > longest_s)) return false;
    char peak[24];
    scaled(by_flops ? estimate->flops_per_s : estimate->bytes_per_s, peak, sizeof peak);
    snprintf(reason, ESTIMATE_REASON,
        "estimated %.2g s a dispatch at " EXPECTED_SHARE_TEXT " of the measured %s%s; the suite allows %g s", seconds,
        peak, by_flops ? "FLOP/s" : "B/s", longest_s);
    return true;
}
