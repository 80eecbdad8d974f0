// SPDX-License-Identifier: Apache-2.0
// Kinds that only describe files, for files.c.
#ifndef VKASSAY_SCHEMA_DESCRIBED_H
#define VKASSAY_SCHEMA_DESCRIBED_H

#include "../base/fields.h"

// The kind of a list without a structure.
#define LIST(KIND, MEANING)                                                                                            \
    &(const struct kind) {                                                                                             \
        .list = &(const struct item_list){.kind = &KIND}, .meaning = MEANING                                           \
    }

extern const struct kind kind_tuned_file, kind_joined_file, kind_mutants_file, kind_comparison_file,
    kind_verdict_file;

// The verdict of `try --json`.
enum try_verdict { TRY_RIGHT, TRY_WRONG, TRY_NOT_JUDGED, TRY_ERROR, TRY_VERDICTS };
const char *try_verdict_name(enum try_verdict verdict); // "right", "wrong", "not judged", "error"

#endif
