// SPDX-License-Identifier: Apache-2.0
#include "bucket.h"

#include "../../reference/table.h"

#include <math.h>

int size_bucket(const double *dims, int count) {
    double size = 1;
    for (int i = 0; i < count; i++) size *= fmax(dims[i], 1);
    return ilogb(size);
}

int record_dims(const struct record *record) {
    const struct op *op = operator_named(record->operator);
    int dims = op ? operator_dims(op) : record->dim_count;
    return dims < record->dim_count ? dims : record->dim_count;
}

int record_bucket(const struct record *record) {
    double dims[RECORD_NAMES];
    int count = record_dims(record);
    for (int i = 0; i < count; i++) dims[i] = record->dims[i].value;
    return size_bucket(dims, count);
}
