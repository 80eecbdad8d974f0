// SPDX-License-Identifier: Apache-2.0
// The meanings of operands, dims and parameters, in a few words each.
#ifndef VKASSAY_REFERENCE_GLOSSARY_H
#define VKASSAY_REFERENCE_GLOSSARY_H

#include "signature.h"

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
