// SPDX-License-Identifier: Apache-2.0
// Files that no lower layer writes, for files.c.
#ifndef VKASSAY_SCHEMA_DESCRIBED_H
#define VKASSAY_SCHEMA_DESCRIBED_H

#include "../../../reference/operator.h"
#include "../../base/fields.h"

// The kind of a list without a structure.
#define LIST(KIND, MEANING)                                                                                            \
    &(const struct kind) {                                                                                             \
        .list = &(const struct item_list){.kind = &KIND}, .meaning = MEANING                                           \
    }

extern const struct kind kind_result, kind_verdict_file, kind_operators_file;

// The verdict of `try --json`.
enum try_verdict { TRY_RIGHT, TRY_WRONG, TRY_NOT_JUDGED, TRY_ERROR, TRY_VERDICTS };

struct time_of_try {
    const char *name;
    double median, lo, hi;
    const char *roof; // the measured peak that bounds it; NULL: none
    double share;     // of that peak
};
struct verdict_of_try {
    const char *operator, * shader, *error;
    int exit_status;
    enum try_verdict verdict;
    // Of its result.
    const char *result, *seed, *device;              // the path; NULL: there is none
    int64_t points, judged, failed, skipped, errors; // judged: passed or failed
    const struct record *failure;                    // NULL: none
    struct time_of_try *times;
    size_t time_count;
    const char **remarks;
    size_t remark_count;
};
struct json_object *verdict_of_try_put(const struct verdict_of_try *verdict);

// An operator of `list operators --json`. Lists are in an arena; numbers that say nothing are NaN.
struct listed_dim {
    const char *name, *meaning;
    int least;
};
struct listed_operand {
    struct operand is;
    const char *dtype, *meaning;
    int rank, fill; // fill: an enum fill, or -1
    bool lines, broken;
};
struct listed_parameter {
    struct parameter is;
    const char *type, *meaning;
};
struct listed_operator {
    struct op op;
    struct listed_dim *dims, *derived;
    struct listed_operand *operands;
    struct listed_parameter *parameters;
    const char **dtypes, **kernels;
    size_t dims_count, derived_count, operands_count, parameters_count, dtypes_count, kernels_count;
};
const char *role_name(enum role role); // "in"
struct json_object *listed_operator_put(const struct listed_operator *listed);

#endif
