// SPDX-License-Identifier: Apache-2.0
// Decodes the words of a log. Private to harness/shader/sanitize.
#ifndef VKASSAY_SANITIZE_ENTRIES_H
#define VKASSAY_SANITIZE_ENTRIES_H

#include "findings.h"

#include <stddef.h>

struct log_entry {
    uint32_t address; // or an index, if is_outside
    uint32_t site, who;
    uint32_t time;   // of an atomic operation: the clock
    uint32_t stride; // of a matrix, in elements
    bool is_outside;
};

// All entries, workgroup by workgroup. Within one they are sorted by the workgroup's barriers, then by the subgroup's,
// then by invocation.
struct log_entries {
    struct log_entry *items;
    size_t count;
    size_t *group_start; // by workgroup, and the end
    bool *is_whole;      // by workgroup: no entry of it was dropped
    uint32_t *stopped;   // by workgroup: 1 + an invocation that did not come to its end; 0: none
};

void entries_open(const struct dispatch_log *log, struct log_entries *out);
void entries_close(struct log_entries *entries);

#endif
