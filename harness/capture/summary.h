// SPDX-License-Identifier: Apache-2.0
// The content of a captured folder, in a few numbers.
#ifndef VKASSAY_CAPTURE_SUMMARY_H
#define VKASSAY_CAPTURE_SUMMARY_H

#include "../base/arena.h"
#include "../base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { CAPTURE_REASONS = 64 };

struct capture_summary {
    size_t processes, unfinished; // unfinished: without a last line, as after a crash
    int64_t dispatches, recorded; // seen and recorded; of unfinished processes only the recorded ones
    size_t modules;               // files
    int64_t bytes;                // of all files written
    struct capture_reason {
        const char *reason;
        int64_t count;
    } not_recorded[CAPTURE_REASONS];
    size_t reason_count;
};

// Reads the lines of all processes. The texts are in the arena. False: the folder or a file in it cannot be read.
bool capture_summarise(struct arena *arena, const char *folder, struct capture_summary *out, struct error *err);

#endif
