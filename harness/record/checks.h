// SPDX-License-Identifier: Apache-2.0
// The checks that a point can fail: what a record's `failed` is made of. A check more is a bit here, a line in the
// table of checks.c, one in reports/schema/result.schema.json, and the place that finds it.
#ifndef VKASSAY_RECORD_CHECKS_H
#define VKASSAY_RECORD_CHECKS_H

#include <stdint.h>

enum check_bit {
    CHECK_ULP = 1 << 0,
    CHECK_CLASS = 1 << 1,
    CHECK_UNWRITTEN = 1 << 2,
    CHECK_GUARD = 1 << 3,
    CHECK_INPUT = 1 << 4,
    CHECK_BITS = 1 << 5,
    CHECK_PACKED = 1 << 6,
    CHECK_VALIDATION = 1 << 7,
    CHECK_PROBE = 1 << 8,
    CHECK_ERRORS = 1 << 9,
};

struct check_info {
    uint32_t bit;
    const char *key;     // in files: "guard"
    const char *words;   // what was found: "it wrote outside its buffers"
    const char *look_at; // where such faults mostly are
};
extern const struct check_info checks[]; // ends with a NULL key

// CHECK_ULP, CHECK_CLASS or both, by the worst of an output's elements, the largest error of its numbers and the bound.
uint32_t checks_of_worst(double got, double want, double max_ulp, double bound_ulp);

#endif
