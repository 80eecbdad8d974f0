// SPDX-License-Identifier: Apache-2.0
// The words of statuses, clocks and checks.
#include "parts.h"

#include <math.h>

static const char *const statuses[RECORD_STATUS_COUNT] = {
    [RECORD_PASS] = "pass",
    [RECORD_FAIL] = "fail",
    [RECORD_SKIP] = "skip",
    [RECORD_ERROR] = "error",
    [RECORD_TIMEOUT] = "timeout",
    [RECORD_CRASH] = "crash",
    [RECORD_DEVICE_LOST] = "device-lost",
    [RECORD_COMPILED] = "compiled",
};
const char *record_status_name(enum record_status status) {
    return statuses[status];
}

ENUM_WORDS(, status, record_status_name, record_status, 0, RECORD_STATUS_COUNT, "a status (pass, fail, skip, ...)")
const struct kind kind_status = {.words = &status_words, .name = "status"};

const char *clock_name(enum clock clock) {
    static const char *const names[] = {[CLOCK_GPU] = "gpu", [CLOCK_HOST] = "host"};
    return names[clock];
}

const char *repeat_state_name(enum repeat_state state) {
    static const char *const names[] = {"warm", "cold", "paused", "busy"};
    return names[state];
}

const struct check_info checks[] = {
    {CHECK_ULP, "ulp", "a number is farther from the reference than its bound",
        "the order and the precision of sums, the tail of a row, a missing barrier"},
    {CHECK_CLASS, "class", "a NaN or an infinity instead of a number, or the reverse",
        "overflow before a division, a missing subtraction of the maximum, uninitialised shared memory"},
    {CHECK_UNWRITTEN, "unwritten", "words of an output were never written",
        "the tail after the last whole vector, the last workgroup, the grid in the manifest"},
    {CHECK_GUARD, "guard", "it wrote outside its buffers", "the comparison of an invocation's index with the end"},
    {CHECK_INPUT, "input", "it changed its inputs", "the bindings' order in the manifest, a store to the wrong buffer"},
    {CHECK_BITS, "bits", "a second run gave other bits",
        "a missing barrier between invocations that share memory, atomic additions of floats"},
    {CHECK_PACKED, "packed", "it gives other bits where its operands lie in one buffer",
        "loads that assume an alignment, reads beyond an operand's end"},
    {CHECK_VALIDATION, "validation", "the validation layer reported an error", "the object named in its message"},
    {CHECK_PROBE, "probe", "a probe found a forbidden result", "the driver, not a kernel"},
    {CHECK_ERRORS, "errors", "its errors are larger than its sums explain, or are biased",
        "sums kept in a narrower type, rounding towards zero, the depth in the manifest"},
    {CHECK_BARRIER, "barrier", "a barrier is skipped by a part of a workgroup",
        "the condition around it; drivers of CPUs run such barriers anyway"},
    {CHECK_RACE, "race", "two invocations access the same memory, and nothing orders them",
        "a barrier between a write and a read by others, and at the end of a loop"},
    {CHECK_BOUNDS, "bounds", "it accesses an element outside its buffer or array",
        "the test of an index against the end, a subtraction below 0"},
    {CHECK_UNSET, "unset", "it reads shared memory that its workgroup did not write",
        "the part of a tile that no invocation fills"},
    {CHECK_REWRITTEN, "rewritten", "it gives other results after its SPIR-V was rewritten",
        "the rewriter if a second driver fails too, else the driver"},
    {CHECK_FOLDED, "folded", "it gives other bits in a grid folded over other axes",
        "gl_WorkGroupID.x in place of linear_group(), the test of groups past the end"},
    {CHECK_REPLAY, "replay", "it keeps results of an earlier run instead of computing them",
        "flags and counters in scratch that no run resets, loads from an output"},
    {CHECK_FLOOR, "floor", "its time is shorter than the device's peaks allow",
        "work that is skipped in timed runs, the operator's cost model"},
    {CHECK_RECORDED, "recorded", "it gives other bits than its recording, on the same device and driver",
        "results that depend on the order of invocations, or on memory outside the recorded ranges"},
    {CHECK_FINITE, "finite", "it makes a NaN or an infinity from finite inputs",
        "overflow of f16, a division by 0, a softmax without its maximum"},
    {0, NULL, NULL, NULL},
};

static const char *check_word(int i) {
    return checks[i].key;
}
const struct enum_words check_words = {check_word, 0, sizeof checks / sizeof *checks - 1, "a check"};

uint32_t checks_of_worst(double got, double want, double max_ulp, double bound_ulp) {
    bool numbers = isfinite(got) && isfinite(want);
    return (numbers ? 0u : CHECK_CLASS) | (numbers || max_ulp > bound_ulp ? CHECK_ULP : 0u);
}
