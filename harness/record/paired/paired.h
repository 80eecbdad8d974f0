// SPDX-License-Identifier: Apache-2.0
// Which record of the base a record of the new result is compared with.
#ifndef VKASSAY_RECORD_PAIRED_H
#define VKASSAY_RECORD_PAIRED_H

#include "../compare.h"

// Makes the points of the comparison from the records that ran. Those of the same name are one point.
//
// Names of captured dispatches have numbers, which differ between two captures. So these are paired in the order of the
// program, by the first of these that fits: the signature; the module and the sizes of operands; the pipeline's name
// and the sizes. `paired` says so, or says what a dispatch without a partner lacks.
//
// STATUS_BAD_INPUT: a name occurs twice.
bool points_pair(struct comparison *c, struct error *err);

#endif
