// SPDX-License-Identifier: Apache-2.0
// Finds faults in the log of one dispatch.
#ifndef VKASSAY_SANITIZE_FINDINGS_H
#define VKASSAY_SANITIZE_FINDINGS_H

#include "../../base/arena.h"
#include "sanitize.h"

enum finding_kind {
    FINDING_RACE,    // two unordered accesses, one of them a write
    FINDING_BOUNDS,  // an access outside its array or its buffer
    FINDING_UNSET,   // a read of shared memory before any write
    FINDING_BARRIER, // a barrier reached by only a part of a workgroup or subgroup
    FINDING_STOPPED  // an invocation ended by the driver
};

struct finding {
    enum finding_kind kind;
    uint32_t first, second;         // sites; of a barrier: the second is another barrier, or equal to the first
    uint32_t first_who, second_who; // as in an entry; the second access is the later one in the log
    uint32_t address;               // an index outside its array, if is_index
    bool is_index;
    bool is_unlogged;   // first_who is the number of an invocation without a log
    uint32_t reach, of; // of a barrier: invocations that reach it
    uint64_t times;     // findings with the same sites
};

// The log of a dispatch, with all that is known of it.
struct dispatch_log {
    const uint32_t *rows; // of words, one for each invocation
    uint32_t row_count;
    uint32_t invocations;            // logged ones
    uint32_t first_groups, left_out; // after the first workgroups so many are not logged
    uint32_t looked[3];              // LOG_LOOKED and the next two words
    const struct sanitized *module;
    uint32_t locals, groups; // invocations of a workgroup, logged workgroups
    struct log_slot {
        uint64_t bytes; // of its data
        uint64_t at;    // where its data begin, in one numbering of all memory; a multiple of 4
        const char *name;
    } slots[LOG_LIMITS];
    int slot_count;
};

enum { FINDINGS = 16 };
struct findings {
    struct finding items[FINDINGS];
    int count;
};

void findings_make(const struct dispatch_log *log, struct findings *out);
// Appends a finding, or counts it if one with its sites is there.
void findings_add(struct findings *findings, const struct finding *finding);
// Returns a finding as a sentence, in the arena. It reads the lines of source files.
const char *finding_text(struct arena *arena, const struct dispatch_log *log, const struct finding *finding);

#endif
