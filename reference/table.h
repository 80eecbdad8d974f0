// SPDX-License-Identifier: Apache-2.0
// The one table of all operators.
#ifndef VKASSAY_REFERENCE_TABLE_H
#define VKASSAY_REFERENCE_TABLE_H

#include "operator.h"

// By family, in the order of the families; both end with NULL.
extern const struct op *const operators[];
extern const char *const operator_families[];

const struct op *operator_named(const char *name); // of these or of those added; NULL when there is none
const char *operator_family(const char *name);     // its family; "other" when there is none of that name

// Operators of the user's, for the life of the process: what is added before kernels are loaded is
// found like those of the table. NULL, or why it is not added (static text).
// `file` says where it comes from and lives as long.
const char *operators_add(const struct op *op, const char *file);
const char *operators_added_from(const struct op *op); // NULL: it is of the table
const struct op *operator_at(size_t index);            // the table, then those added; NULL behind the last

#endif
