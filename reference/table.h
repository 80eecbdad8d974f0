// SPDX-License-Identifier: Apache-2.0
// The one table of all operators.
#ifndef VKASSAY_REFERENCE_TABLE_H
#define VKASSAY_REFERENCE_TABLE_H

#include "operator.h"

// By family, in the order of the families; both end with NULL.
extern const struct operator *const operators[];
extern const char *const operator_families[];

const struct operator *operator_named(const char *name); // NULL when there is none

#endif
