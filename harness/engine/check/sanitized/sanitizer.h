// SPDX-License-Identifier: Apache-2.0
// Runs a point once more with instrumented shaders, and judges the logs of its dispatches (harness/shader/sanitize).
#ifndef VKASSAY_CHECK_SANITIZER_H
#define VKASSAY_CHECK_SANITIZER_H

#include "dispatch.h"
#include "../check.h"

// Keeps the log's buffers, and the programs of the last shapes.
struct sanitizer;
struct sanitizer *sanitizer_open(void);
void sanitizer_close(struct gpu *gpu, struct sanitizer *sanitizer); // accepts NULL

// The instrumented shaders of a point. `programs` of unlike kernels have unlike keys.
struct sanitized_passes {
    uint64_t key, last_used;
    struct arena arena;
    bool small;
    struct sanitized modules[KERNEL_PASSES];
    struct built built; // its passes bind the log behind all others
    const char *why;    // the reason why it is not sanitized; NULL: it is
};
// Returns a power of two that is at least the length of each buffer in bytes: programs are built for it.
uint64_t sanitizer_longest(const struct launch *launch);
// Builds the passes. `loaded` has the shaders with their lines; the launch tells what shares memory. `small`: every
// invocation has a log with room for all, so no access is tested apart from it. False: the device
// is unusable.
bool sanitized_passes_make(struct gpu *gpu, const struct point *point, const struct loaded *loaded,
    const struct launch *launch, bool small, struct sanitized_passes *out, struct error *err);
void sanitized_passes_release(struct gpu *gpu, struct sanitized_passes *passes);

// Runs the point and adds its findings to the record, with lines if the options have them. Without a finding the record
// stays as it is, except for the members about the sanitizer. Returns false if the device failed.
bool sanitizer_check(struct sanitizer *sanitizer, const struct check_request *request,
    const struct run_options *options, bool small, struct arena *arena, struct record *record, struct error *err);
// Does the same with changed shaders, compiled with lines. They are built into *passes (zeroed at first), and the
// caller releases it.
bool sanitizer_check_changed(struct sanitizer *sanitizer, const struct check_request *request,
    const struct loaded *loaded, struct sanitized_passes *passes, struct arena *arena, struct record *record,
    struct error *err);

#endif
