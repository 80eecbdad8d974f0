// SPDX-License-Identifier: Apache-2.0
// Refuses points expected to hold the device too long, by the peaks measured so far.
#ifndef VKASSAY_SUPERVISE_ESTIMATE_H
#define VKASSAY_SUPERVISE_ESTIMATE_H

#include "../base/json.h"
#include "../record/refusal.h"

struct estimate {
    double bytes_per_s, flops_per_s; // measured; 0: not yet
};

// Takes the peaks from the existing records, given by plan index; NULL: no record yet.
void estimate_learn(struct estimate *estimate, struct json_object *const *records, size_t count);

// Returns why a dispatch of `flops` and `bytes` is not tried: it is expected to take longer than `longest_s`. NULL:
// it may run. Always NULL before a peak was measured.
const struct refusal *estimate_too_long(
    struct arena *arena, const struct estimate *estimate, double flops, double bytes, double longest_s);

#endif
