// SPDX-License-Identifier: Apache-2.0
// Other words for operators, as backends use them.
#ifndef VKASSAY_MANIFEST_OPERATOR_WORDS_H
#define VKASSAY_MANIFEST_OPERATOR_WORDS_H

#include "../../base/arena.h"

#include <stddef.h>

struct op;

// Ends with an entry without a word. A word of an operator that does not exist here has the name "".
struct operator_word {
    const char *word, *op;
};
extern const struct operator_word operator_words[];

// Returns the operator meant by the first `length` characters, in any case and with any separators: its name, or one
// of its other words. NULL: none.
const struct op *operator_meant(const char *name, size_t length);

// Returns the refusal of a name that means no operator, with the nearest names.
const char *operator_unknown(struct arena *arena, const char *name);

#endif
