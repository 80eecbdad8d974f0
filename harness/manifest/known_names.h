// SPDX-License-Identifier: Apache-2.0
// A set of names that may stand at one place, and what to say when another one does.
#ifndef VKASSAY_PLAN_KNOWN_NAMES_H
#define VKASSAY_PLAN_KNOWN_NAMES_H

#include "kernel.h"

enum { NAMES = 1024 };
struct known_names {
    const char *items[NAMES];
    size_t count;
};

void names_add(struct known_names *names, const char *name); // beyond NAMES, names are left out of hints
bool names_have(const struct known_names *names, const char *name);
void names_of_dims(struct known_names *names, const struct op *op); // given and derived
void names_of_params(struct known_names *names, const struct op *op);
void names_of_operands(struct known_names *names, const struct op *op);
void names_of_dtypes(struct known_names *names, const bool *among); // those set in among[DTYPE_COUNT]; NULL: all
void names_of_features(struct known_names *names);
void names_of_kernels(struct known_names *names, const struct kernels *kernels);
void names_of_tunables(struct known_names *names, const struct kernel *kernel);

// The end of an error that rejects `wanted`: "; did you mean "rows"?", else "; expected rows,
// cols". In the arena.
const char *names_hint(struct arena *arena, const struct known_names *names, const char *wanted);

// "rows, cols" in the arena; "none" when empty. Long lists are cut: "a, b, c and 40 more".
const char *names_joined(struct arena *arena, const struct known_names *names);

#endif
