// SPDX-License-Identifier: Apache-2.0
// Slips: all errors found in manifests. A kernel with a slip is left out, and the other kernels are read.
#ifndef VKASSAY_MANIFEST_SLIPS_H
#define VKASSAY_MANIFEST_SLIPS_H

#include "../base/arena.h"

#include <stddef.h>

enum { SLIPS = 500 }; // kept at most, because files may be hostile

struct slips {
    const char **items; // "FILE: PATH: expected ..., found ...", each once
    size_t count, capacity;
    size_t more;         // how many beyond SLIPS
    const char **flawed; // names of the kernels left out, if they could be read
    size_t flawed_count, flawed_capacity;
};

void slips_add(struct arena *arena, struct slips *slips, const char *text);
void slips_add_kernel(struct arena *arena, struct slips *slips, const char *name);

#endif
