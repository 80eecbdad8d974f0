// SPDX-License-Identifier: Apache-2.0
// A request to a worker, as read from its line (protocol.h).
#ifndef VKASSAY_SUPERVISE_REQUEST_H
#define VKASSAY_SUPERVISE_REQUEST_H

#include "../../device/device_info.h"
#include "../plan/run_options.h"
#include "protocol.h"

struct request {
    enum message_type type;
    // of "open"
    struct device_info device;
    const char *const *kernel_folders;
    size_t kernel_folder_count;
    const char *const *operators;
    size_t operator_count;
    struct run_options options;
    struct version_files versions[2];
    double effect;
    // of requests with points: at most RUNNER_GROUP to run, RUNNER_PREFILL to build, two for a pair,
    // MUTANT_POINTS of a mutant, else one
    struct asked_point {
        const char *name, *peak; // peak NULL: serves no peak
    } * points;
    size_t count;
    const char *next; // of "run"; NULL: not known
    // of "mutant"
    const char *const *mutants;
    size_t mutant_count;
    const char *mutant;
};
// Reads a request; a bad one is STATUS_BAD_INPUT, and err says what was expected. Strings are in the arena.
bool request_read(const char *line, size_t length, struct arena *arena, struct request *out, struct error *err);

#endif
