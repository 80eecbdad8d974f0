// SPDX-License-Identifier: Apache-2.0
// Finds outputs and scratch buffers read by a kernel before any pass of the same run has to have written them.
// Results of an earlier run may then stand in for its work.
#ifndef VKASSAY_PROGRAM_READS_BACK_H
#define VKASSAY_PROGRAM_READS_BACK_H

#include "shaders.h"

// Buffers by bit: outputs by their index, then scratch buffers from READ_SCRATCH on. Buffers cleared by the host and
// outputs in the place of inputs are in neither set.
enum { READ_SCRATCH = OPERATOR_OPERANDS };
struct reads_back {
    uint32_t mixed; // the first pass using it reads and writes it
    uint32_t meant; // of these, the ones in "reads_back" of the manifest
    uint32_t stale; // the first pass using it only reads it: it never holds anything of this run
};

struct reads_back reads_back_of(const struct point *point, const struct loaded loaded[KERNEL_PASSES]);

// Returns the names, such as "y, kept"; NULL for an empty set. The text is in the arena.
const char *reads_back_names(struct arena *arena, const struct kernel *kernel, uint32_t set);

#endif
