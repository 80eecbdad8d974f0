// SPDX-License-Identifier: Apache-2.0
// The one table of all operators.
#ifndef VKASSAY_REFERENCE_TABLE_H
#define VKASSAY_REFERENCE_TABLE_H

#include "operator.h"

extern const struct operator *const operators[];   // by family, in the order of families; ends with NULL
extern const char *const operator_families[];      // ends with NULL
const struct operator *operator_named(const char *name); // NULL when there is none

#endif
