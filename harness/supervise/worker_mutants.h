// SPDX-License-Identifier: Apache-2.0
// The worker's part of breaking kernels: one kernel at a time, its mutants one after another.
#ifndef VKASSAY_SUPERVISE_WORKER_MUTANTS_H
#define VKASSAY_SUPERVISE_WORKER_MUTANTS_H

#include "protocol.h"

struct worker_mutants {
    struct arena arena; // of what follows
    struct request asked;
    struct mutant_kernel *kernel;
};

// What a break asks for; answers with the list. The kernel before it is let go.
struct json_object *worker_mutants_open(struct worker_mutants *mutants, struct gpu *gpu,
    const struct run_options *options, const struct kernels *kernels, const char *line, size_t length);
// Runs one, and answers. False: the worker must end.
bool worker_mutants_run(struct worker_mutants *mutants, size_t index, FILE *answers);
void worker_mutants_close(struct worker_mutants *mutants); // accepts a zeroed one

#endif
