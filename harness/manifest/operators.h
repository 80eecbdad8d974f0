// SPDX-License-Identifier: Apache-2.0
// Operators of the user's: C compiled to a shared object against reference/operator.h.
#ifndef VKASSAY_PLAN_OPERATORS_H
#define VKASSAY_PLAN_OPERATORS_H

#include "../base/arena.h"
#include "../base/error.h"

// Loads the object, with its path in the arena, for the life of the process and adds its operators to those that
// manifests may name; comes before kernels_load. STATUS_BAD_INPUT: it cannot be loaded, was made for another version,
// or one of its operators lacks something or bears a name that is taken.
bool operators_load(struct arena *arena, const char *path, struct error *err);

#endif
