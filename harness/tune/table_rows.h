// SPDX-License-Identifier: Apache-2.0
// The parts of a row common to tuned tables and joined ones.
#ifndef VKASSAY_TUNE_TABLE_ROWS_H
#define VKASSAY_TUNE_TABLE_ROWS_H

#include "../base/fields.h"
#include "../record/record.h"

// Members of struct record: the case, and the best shape.
#define ROW_FIELDS                                                                                                     \
    {"kernel", &kind_text, offsetof(struct record, kernel), REQUIRED},                                                 \
        {"operator", &kind_text, offsetof(struct record, operator), REQUIRED},                                         \
        {"source_hash", &kind_row_source, offsetof(struct record, source_hash), REQUIRED},                             \
        {"dtype", &kind_text, offsetof(struct record, dtype), REQUIRED}, {"dims", &kind_row_dims, 0, REQUIRED}, {      \
        "shape", &kind_row_shape, 0, REQUIRED                                                                          \
    }
extern const struct kind kind_row_source, kind_row_dims, kind_row_shape;

extern const struct kind kind_row_bucket; // int
extern const struct kind kind_row_other;  // struct record: another shape; the median of its time is the loss

// For members of tables.
extern const struct kind kind_row_undecided; // bool
extern const struct kind kind_row_legal;     // size_t, 0: unknown
extern const struct kind kind_table_tool;    // struct json_object *
extern const struct kind kind_table_profile; // struct profile

#endif
