// SPDX-License-Identifier: Apache-2.0
// Mistakes: all errors found in manifests. A kernel with a mistake is left out, and the other kernels are read.
#ifndef VKASSAY_MANIFEST_MISTAKES_H
#define VKASSAY_MANIFEST_MISTAKES_H

#include "../../base/arena.h"

#include <stddef.h>

enum { MISTAKES = 500 }; // kept at most, because files may be hostile

struct mistakes {
    const char **items; // "FILE: PATH: expected ..., found ...", each once
    size_t count, capacity;
    size_t more;         // how many beyond MISTAKES
    const char **flawed; // names of the kernels left out, if they could be read
    size_t flawed_count, flawed_capacity;
};

void mistakes_add(struct arena *arena, struct mistakes *mistakes, const char *text);
void mistakes_add_kernel(struct arena *arena, struct mistakes *mistakes, const char *name);

#endif
