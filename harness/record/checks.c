// SPDX-License-Identifier: Apache-2.0
#include "checks.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

const struct check_info checks[] = {
    {CHECK_ULP, "ulp", "a number is farther from the reference than its bound",
        "the order and the precision of sums, the tail of a row, a missing barrier"},
    {CHECK_CLASS, "class", "a NaN or an infinity stands where a number is due, or the reverse",
        "overflow before a division, a maximum that was not subtracted, uninitialised shared memory"},
    {CHECK_UNWRITTEN, "unwritten", "words of an output were never written",
        "the tail that no whole vector holds, the last workgroup, the grid in the manifest"},
    {CHECK_GUARD, "guard", "it wrote outside its buffers", "the test of an invocation's index against the end"},
    {CHECK_INPUT, "input", "it changed its inputs", "the bindings' order in the manifest, a store to the wrong buffer"},
    {CHECK_BITS, "bits", "a second run gave other bits",
        "a missing barrier between invocations that share memory, atomic additions of floats"},
    {CHECK_PACKED, "packed", "it gives other bits where its operands lie in one buffer",
        "loads that presume an alignment, reads beyond an operand's end"},
    {CHECK_VALIDATION, "validation", "the validation layer objects", "what its message names"},
    {CHECK_PROBE, "probe", "a probe found what may not be", "the driver: no kernel is at fault"},
    {0, NULL, NULL, NULL},
};

uint32_t checks_of_worst(double got, double want, double max_ulp, double bound_ulp) {
    bool numbers = isfinite(got) && isfinite(want);
    return (numbers ? 0u : CHECK_CLASS) | (numbers || max_ulp > bound_ulp ? CHECK_ULP : 0u);
}
