// SPDX-License-Identifier: Apache-2.0
// Attention whose weights are 1 or 0, so that an output is a mean of whole values. A key has one number that is not 0,
// 1 or -1, and is of the class that its place and sign make. A query is nothing but zeros, and its keys all weigh the
// same; or it has one large number, by which keys of that class score so far above all others that the exponentials of
// these are 0 in any type. Values are 0 and 16 of either sign, so few of them that sums of all of them are exact in
// f32, f16 and bf16 in any order.
//
// A weight may err, as an exponential of 0, but all alike; so that times the number of keys an output comes nearest to
// the right whole number, and one with a value too many, too few, or another one, to another.
#ifndef VKASSAY_REFERENCE_ATTEND_KNOWN_H
#define VKASSAY_REFERENCE_ATTEND_KNOWN_H

#include "operator.h"

extern const struct known_outputs attention_known, attention_masked_known;

#endif
