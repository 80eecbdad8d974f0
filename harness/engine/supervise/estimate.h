// SPDX-License-Identifier: Apache-2.0
// What the peaks measured so far allow. Points expected to hold the device too long are refused, and times below any
// possible one are errors.
#ifndef VKASSAY_SUPERVISE_ESTIMATE_H
#define VKASSAY_SUPERVISE_ESTIMATE_H

#include "../../base/json.h"
#include "../../record/refusal.h"

struct estimate {
    double bytes_per_s, flops_per_s; // measured; 0: not yet
    double cold_bytes_per_s;         // the best of memory
    double hot_bytes_per_s;          // the best of memory and caches; 0: no cache was measured
    double most_ops_per_s;           // of any arithmetic
    char arithmetic[512];            // whose peaks are known: " fma_f32 matrix_f16_f32 "
};

// Takes the peaks from the existing records, given by plan index; NULL: no record yet.
void estimate_learn(struct estimate *estimate, struct json_object *const *records, size_t count);

// Returns why a dispatch of `flops` and `bytes` is not tried: it is expected to take longer than `longest_s`. NULL:
// it may run. Always NULL before a peak was measured.
const struct refusal *estimate_too_long(
    struct arena *arena, const struct estimate *estimate, double flops, double bytes, double longest_s);

// Fails a record that passed if its median is shorter than its bytes and operations take at several times the measured
// peaks: 4 and 8 times on a GPU, 16 times on a CPU. Roofs are medians and may have been measured on a busy host, and
// algorithms with fewer operations exist (Winograd). Operators that may stop early have no floor.
void estimate_judge(const struct estimate *estimate, bool cpu, struct json_object *record);

#endif
