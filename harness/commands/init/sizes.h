// SPDX-License-Identifier: Apache-2.0
// Sizes of an operator, taken from the program's suites.
#ifndef VKASSAY_COMMANDS_INIT_SIZES_H
#define VKASSAY_COMMANDS_INIT_SIZES_H

#include "../../base/json.h"
#include "../../engine/plan/suite.h"

enum { SIZE_SUITES = 2 };
struct operator_sizes {
    struct arena *arena;
    struct kernels kernels; // the program's own
    struct suite suites[SIZE_SUITES];
};

// Loads the suites with small and odd sizes, from the program's folder.
bool sizes_load(struct arena *arena, const char *home, struct operator_sizes *out, struct error *err);

// Appends an object of "dims" for each size of the operator.
void sizes_add(const struct operator_sizes *sizes, const char *op, struct json_object *list);

// Appends at most `most` objects with one size each: of at most `work` elements and operations, but not only 1. Sizes
// are rounded to the kernel's rules. They are made up if the suites have none of its operator.
void sizes_add_few(const struct operator_sizes *sizes, const struct kernel *kernel, size_t most, double work,
    struct json_object *list);

// Writes a suite with these entries. `plain`: its inputs are ordinary numbers.
bool sizes_write(const char *path, const char *summary, bool plain, struct json_object *entries, struct error *err);

#endif
