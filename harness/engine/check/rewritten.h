// SPDX-License-Identifier: Apache-2.0
// Runs a point once more with its SPIR-V rewritten by a user's command, and compares the outputs with the kernel's own.
#ifndef VKASSAY_CHECK_REWRITTEN_H
#define VKASSAY_CHECK_REWRITTEN_H

#include "check.h"

// Keeps the rewritten kernels of the last shapes.
struct rewriter;
struct rewriter *rewriter_open(void);
void rewriter_close(struct gpu *gpu, struct rewriter *rewriter); // accepts NULL

// Rewrites the kernel by options->rewritten and runs both on the inputs in place. Other bits fail the record
// (CHECK_REWRITTEN); two NaNs count as equal. A kernel with varying bits is only judged. Returns false if the device
// failed, or if the command gives no valid SPIR-V that can be built: err begins with the command.
bool rewriter_check(struct rewriter *rewriter, const struct check_request *request, const struct built *sound,
    const struct run_options *options, struct arena *arena, struct record *record, struct error *err);

#endif
