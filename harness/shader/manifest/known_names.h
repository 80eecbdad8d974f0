// SPDX-License-Identifier: Apache-2.0
// The names allowed at one place, and hints for errors about other names.
#ifndef VKASSAY_MANIFEST_KNOWN_NAMES_H
#define VKASSAY_MANIFEST_KNOWN_NAMES_H

#include "kernel.h"

enum { NAMES = 1024 };
struct known_names {
    const char *items[NAMES];
    size_t count;
};

void names_add(struct known_names *names, const char *name); // names beyond NAMES are dropped
bool names_have(const struct known_names *names, const char *name);
void names_of_dims(struct known_names *names, const struct op *op); // given and derived dims
void names_of_params(struct known_names *names, const struct op *op);
void names_of_operands(struct known_names *names, const struct op *op);
void names_of_dtypes(struct known_names *names, const bool *among); // dtypes set in among[DTYPE_COUNT]; NULL: all
void names_of_kernels(struct known_names *names, const struct kernels *kernels);
void names_of_tunables(struct known_names *names, const struct kernel *kernel);

// Returns the end of an error rejecting `wanted`, such as "; did you mean "rows"?" or "; expected one of rows, cols".
// Up to three names are suggested: the nearest one, and names with the same whole words. If the nearest is a typing
// error away, it is the only one. The text is in the arena.
const char *names_hint(struct arena *arena, const struct known_names *names, const char *wanted);

// Joins the names: "rows, cols", or "none" if there are none. Long lists are cut: "a, b, c and 40 more". The text is
// in the arena.
const char *names_joined(struct arena *arena, const struct known_names *names);

#endif
