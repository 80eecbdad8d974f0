// SPDX-License-Identifier: Apache-2.0
// The measure of a problem's size.
#ifndef VKASSAY_RECORD_BUCKET_H
#define VKASSAY_RECORD_BUCKET_H

#include "record.h"

// The measure of size: the product of the operator's dims, each at least 1. A bucket is a power of
// two: floor(log2(size)).
int size_bucket(const double *dims, int count);

// How many of a record's leading dims are its operator's; the parameters that follow are no sizes. All of them where
// the operator is not known.
int record_dims(const struct record *record);

int record_bucket(const struct record *record);

#endif
