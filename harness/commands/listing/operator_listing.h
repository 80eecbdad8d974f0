// SPDX-License-Identifier: Apache-2.0
// `list operators NAME`: the description of an operator.
#ifndef VKASSAY_COMMANDS_OPERATOR_LISTING_H
#define VKASSAY_COMMANDS_OPERATOR_LISTING_H

#include "../../shader/manifest/kernel.h"
#include "../schema/described.h"

// Fills in all names a manifest or a suite may use for the operator, and its kernels.
void operator_listing(
    struct arena *arena, const struct op *op, const struct kernels *kernels, struct listed_operator *out);

// Prints it as text.
void operator_listing_print(struct arena *arena, const struct listed_operator *listed);

#endif
