// SPDX-License-Identifier: Apache-2.0
// The one table of all operators.
#ifndef VKASSAY_REFERENCE_TABLE_H
#define VKASSAY_REFERENCE_TABLE_H

#include "signature.h"

#include <stddef.h>

// Operators by family, in the order of the families; both arrays end with NULL.
extern const struct op *const operators[];
extern const char *const operator_families[];

// Members of an operator, for code without operator.h. flops is 0 if none are stated.
const char *operator_name(const struct op *op);
double operator_flops(const struct op *op, const int64_t *dims);
// Returns the number of terms of a mean (mean_over); 1: the operator is none.
double operator_mean_terms(const struct op *op, const int64_t *dims);

const struct op *operator_named(const char *name); // in the table or added; NULL if there is none
const char *operator_family(const char *name);     // its family; "other" if there is no such operator

// Adds a user's operator for the life of the process; `file` is its source and must live as long. Operators added
// before kernels are loaded are found like those of the table. Returns NULL, or the reason for a refusal (static
// text).
const char *operators_add(const struct op *op, const char *file);
const char *operators_added_from(const struct op *op); // NULL: it is in the table
const struct op *operator_at(size_t index);            // the table, then added ones; NULL after the last

// ---- The meanings of operands, dims and parameters, in a few words each.

// Returns the meaning of an operand, dim (also a derived one) or parameter of the operator. Returns NULL if it is
// unknown, or if the operator is not in the table (table.h).
const char *operator_meaning(const struct op *op, const char *name);

// A row of the glossary, for tests. `of` lists its operators, separated by blanks. NULL: all operators without a row
// of their own. The last row has a NULL name.
struct meaning {
    const char *name, *of, *text;
};
extern const struct meaning meanings[];

#endif
