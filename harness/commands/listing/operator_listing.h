// SPDX-License-Identifier: Apache-2.0
// `list operators NAME`: the description of an operator.
#ifndef VKASSAY_COMMANDS_OPERATOR_LISTING_H
#define VKASSAY_COMMANDS_OPERATOR_LISTING_H

#include "../../base/arena.h"
#include "../../base/json.h"
#include "../../manifest/kernel.h"

// Returns all names a manifest or a suite may use for the operator, and its kernels
// (reports/schema/operators.schema.json).
struct json_object *operator_listing(const struct op *op, const struct kernels *kernels);

// Prints the same object as text.
void operator_listing_print(struct arena *arena, struct json_object *listed);

// Returns the names of the dtypes set in dtypes[DTYPE_COUNT].
struct json_object *dtypes_listing(const bool *dtypes);

#endif
