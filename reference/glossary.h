// SPDX-License-Identifier: Apache-2.0
// What the names of operands, dims and parameters stand for, in a few words each.
#ifndef VKASSAY_REFERENCE_GLOSSARY_H
#define VKASSAY_REFERENCE_GLOSSARY_H

#include "operator.h"

// Of an operand, dim (derived ones too) or parameter of the operator; NULL where nothing is known, as of one that is
// not of the table (table.h).
const char *operator_meaning(const struct op *op, const char *name);

// The rows behind it, for tests: `of` holds the operators it is for, parted by blanks; NULL: all that have no row of
// their own. Ends with a NULL name.
struct meaning {
    const char *name, *of, *text;
};
extern const struct meaning meanings[];

#endif
