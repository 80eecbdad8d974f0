// SPDX-License-Identifier: Apache-2.0
// What is wrong in manifests, all of it: a slip costs its kernel, and the others are read on.
#ifndef VKASSAY_PLAN_SLIPS_H
#define VKASSAY_PLAN_SLIPS_H

#include "../base/arena.h"

#include <stddef.h>

enum { SLIPS = 500 }; // that are kept; files are hostile

struct slips {
    const char **items; // "FILE: PATH: expected ..., found ...", each once
    size_t count, capacity;
    size_t more;         // beyond those
    const char **flawed; // names of the kernels left out, as far as they could be read
    size_t flawed_count, flawed_capacity;
};

void slips_add(struct arena *arena, struct slips *slips, const char *text);
void slips_add_kernel(struct arena *arena, struct slips *slips, const char *name);

#endif
