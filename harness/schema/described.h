// SPDX-License-Identifier: Apache-2.0
// Files that no lower layer writes, for files.c.
#ifndef VKASSAY_SCHEMA_DESCRIBED_H
#define VKASSAY_SCHEMA_DESCRIBED_H

#include "../base/fields.h"

// The kind of a list without a structure.
#define LIST(KIND, MEANING)                                                                                            \
    &(const struct kind) {                                                                                             \
        .list = &(const struct item_list){.kind = &KIND}, .meaning = MEANING                                           \
    }

extern const struct kind kind_result, kind_verdict_file;

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

#endif
