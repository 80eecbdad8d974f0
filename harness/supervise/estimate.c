// SPDX-License-Identifier: Apache-2.0
#include "estimate.h"

#include "../base/memory.h"
#include "../record/result.h"

#include <stdlib.h>

// Any kernel is expected to reach this share of a measured peak. Plain kernels on well-filled devices reach more; the
// point's timeout catches slower ones.
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

// Formats three digits with a decimal prefix: "12.5 GB/s".
static const char *scaled(struct arena *arena, double value, const char *unit) {
    static const char prefixes[][2] = {"", "k", "M", "G", "T", "P"};
    size_t p = 0;
    for (; value >= 999.5 && p + 1 < sizeof prefixes / sizeof *prefixes; p++) value /= 1000;
    return arena_format(arena, "%.3g %s%s", value, prefixes[p], unit);
}

const struct refusal *estimate_too_long(
    struct arena *arena, const struct estimate *estimate, double flops, double bytes, double longest_s) {
    double computing = estimate->flops_per_s > 0 ? flops / (estimate->flops_per_s * expected_share) : 0;
    double moving = estimate->bytes_per_s > 0 ? bytes / (estimate->bytes_per_s * expected_share) : 0;
    bool by_flops = computing >= moving;
    double seconds = by_flops ? computing : moving;
    if (!(seconds > longest_s)) return NULL;
    const char *peak =
        by_flops ? scaled(arena, estimate->flops_per_s, "FLOP/s") : scaled(arena, estimate->bytes_per_s, "B/s");
    return REFUSED(
        arena, .kind = REFUSAL_TOO_LONG, .words = {EXPECTED_SHARE_TEXT, peak}, .figures = {seconds, longest_s});
}
