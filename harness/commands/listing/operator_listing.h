// SPDX-License-Identifier: Apache-2.0
// What `list operators` says of an operator.
#ifndef VKASSAY_COMMANDS_OPERATOR_LISTING_H
#define VKASSAY_COMMANDS_OPERATOR_LISTING_H

#include "../../base/arena.h"
#include "../../base/json.h"
#include "../../manifest/kernel.h"

// All that a manifest or a suite may name of it, and which kernels it has (reports/schema/operators.schema.json).
struct json_object *operator_listing(const struct op *op, const struct kernels *kernels);

// The same object as a person reads it.
void operator_listing_print(struct arena *arena, struct json_object *listed);

// Names of dtypes that are set in dtypes[DTYPE_COUNT].
struct json_object *dtypes_listing(const bool *dtypes);

#endif
