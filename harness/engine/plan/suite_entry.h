// SPDX-License-Identifier: Apache-2.0
// The members of suite files, for suite.c and for their schema.
#ifndef VKASSAY_PLAN_SUITE_ENTRY_H
#define VKASSAY_PLAN_SUITE_ENTRY_H

#include "../../base/fields.h"
#include "suite.h"

enum { SUITE_SUBJECTS = 5 };

// An entry as in the file: its subjects may be several.
struct entry_text {
    struct suite_entry entry; // of any of the subjects
    struct {
        struct suite_subject {
            const char *name, *where;
        } * items;
        size_t count;
    } subjects[SUITE_SUBJECTS];
    int subject; // the only one with items
};
extern const struct kind kind_entry_text;

// Appends the entries of an element: one for each kernel or operator it lists.
void suite_entries_add(struct arena *arena, const struct entry_text *text, struct suite *out, size_t *capacity);

#endif
