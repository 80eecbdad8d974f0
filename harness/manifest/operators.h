// SPDX-License-Identifier: Apache-2.0
// User operators: C code compiled to a shared object against reference/operator.h.
#ifndef VKASSAY_MANIFEST_OPERATORS_H
#define VKASSAY_MANIFEST_OPERATORS_H

#include "../base/arena.h"
#include "../base/error.h"

// Loads the shared object for the life of the process, and adds its operators to those known to manifests. It is
// called before kernels_load, and the path is kept in the arena. STATUS_BAD_INPUT: the object cannot be loaded or was
// made for another version, or an operator is incomplete or has a taken name.
bool operators_load(struct arena *arena, const char *path, struct error *err);

#endif
