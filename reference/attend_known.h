// SPDX-License-Identifier: Apache-2.0
// Attention with weights of 1 or 0, so an output is a mean of whole values. A key has one nonzero number, 1 or -1.
// Its position and sign are the key's class. A query of zeros gives all its keys the same weight. Any other query has
// one large number. Keys of the matching class then score far above all others, and the exponentials of the others
// are 0 in any type. Values are 0 and 16 of either sign. So few are nonzero that sums of all of them are exact in
// f32, f16 and bf16 in any order.
//
// A weight may be inexact, like the exponential of 0, but all are inexact alike. So an output times the number of
// keys is nearest to the right whole number. A value too many, too few or exchanged gives another whole number.
#ifndef VKASSAY_REFERENCE_ATTEND_KNOWN_H
#define VKASSAY_REFERENCE_ATTEND_KNOWN_H

#include "operator.h"

extern const struct known_outputs attention_known, attention_masked_known;

#endif
