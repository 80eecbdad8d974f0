// SPDX-License-Identifier: Apache-2.0
// The entries of a log, workgroup by workgroup. Private to harness/shader/sanitize.
#ifndef VKASSAY_SANITIZE_WALK_H
#define VKASSAY_SANITIZE_WALK_H

#include "entries.h"

// When an access happened, within its workgroup.
struct moment {
    uint32_t interval; // workgroup barriers passed by its invocation
    uint32_t turn;     // passed subgroup barriers with an effect on this kind of memory
};

// An atomic operation on storage.
struct exchange {
    uint32_t entry, interval;
    uint32_t time;
    uint32_t fenced; // 1 + the last interval before it with a fence of its workgroup for storage; 0: none
    bool is_release, is_acquire;
};

struct walk {
    const struct dispatch_log *log;
    struct log_entries entries;
    struct moment *moments; // by entry
    bool *broken;           // by workgroup: its barriers differ between invocations
    struct exchange *exchanges;
    size_t exchange_count, exchange_capacity;
    size_t *exchange_start; // by workgroup, and the end
    // State of the current workgroup.
    uint32_t interval[WHO_LOCALS], turn[WHO_LOCALS][2], subgroup[WHO_LOCALS], turns[WHO_LOCALS];
    bool has_subgroups;
    struct barrier_seen {
        uint32_t site, reach, who;
        bool orders[2], fenced[2]; // by the barrier; by a fence after it
    } * barriers;
    size_t barrier_count, barrier_capacity;
    bool first_fenced[2]; // before the first barrier
    uint32_t *epochs[2];  // by interval: barriers that order shared memory, storage
    size_t epoch_capacity;
};

bool walk_open(struct walk *walk, const struct dispatch_log *log);
void walk_close(struct walk *walk);
// Sets the moments of a workgroup's entries, and its epochs. Adds findings about its barriers, and its atomic
// operations, the first time (`findings` not NULL).
void walk_group(struct walk *walk, uint32_t group, struct findings *findings);
// Returns whether an order between two entries of this memory (0 shared, 1 storage) is known.
bool walk_ordered(const struct walk *walk, uint32_t first, uint32_t second, int memory);

static inline const struct log_entry *walk_entry(const struct walk *walk, uint32_t entry) {
    return &walk->entries.items[entry];
}
static inline const struct site *walk_site(const struct walk *walk, uint32_t entry) {
    return &walk->log->module->sites[walk_entry(walk, entry)->site];
}
static inline uint32_t walk_who(const struct walk *walk, uint32_t entry) {
    return walk_entry(walk, entry)->who;
}

#endif
