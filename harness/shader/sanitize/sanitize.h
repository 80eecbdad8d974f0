// SPDX-License-Identifier: Apache-2.0
// Changes a module so that a run of it logs its accesses to shared memory and storage, its barriers and its fences.
// Every access through an index beyond its array goes to the array's first element instead.
#ifndef VKASSAY_SANITIZE_SANITIZE_H
#define VKASSAY_SANITIZE_SANITIZE_H

#include "../spirv/analyses.h"
#include "../spirv/binary.h"
#include "sites.h"

// The log is a storage buffer. Behind its head are rows with a word for each logged invocation. In the first row is 1 +
// the index of its last word, or 0 if it did not come to its end. Every other row has one more word of its log. Words
// without room go to the last row.
enum {
    LOG_CLOCK,
    LOG_INVOCATIONS, // logged ones
    LOG_FIRST,       // invocations below this number are logged,
    LOG_GAP,         // the next so many are not, and all others are
    LOG_ROOM_WORDS,  // behind the head
    LOG_LOOKED,      // of an invocation not logged: 1 + a site, with its bit, of an access outside; 0: none
    LOG_LOOKED_AT,   // its address or index
    LOG_LOOKED_BY,   // the invocation's number
    LOG_LIMIT,       // length of each slot's data in bytes
    LOG_LIMITS = 16,
    LOG_HEAD_WORDS = LOG_LIMIT + LOG_LIMITS
};
// A word has a site in its low bits and then a bit for an index outside its array. Above is the address in units of
// 1 << shift bytes, or the index. If `wide`, the address or the index is the next word. SITE_STRIDE, SITE_START,
// SITE_TIME and SITE_LOOKED have words behind them, too.
struct log_coding {
    uint32_t site_bits, shift;
    bool wide;
};
// Who: the number of the workgroup, and the invocation's number in it.
enum { WHO_LOCAL_BITS = 11, WHO_LOCALS = 1 << WHO_LOCAL_BITS, WHO_GROUPS = 1 << (32 - WHO_LOCAL_BITS) };

struct sanitize_request {
    struct barrier_setting setting; // its entry must not be NULL
    const struct sanitize_slot {
        uint32_t set, binding;
        bool shares; // its memory is also bound elsewhere: its reads are logged, even if nothing writes it here
    } * slots;       // at most LOG_LIMITS
    int slot_count;
    uint32_t log_set, log_binding;
    uint64_t longest; // data of a slot, in bytes
    bool all_logged;  // every invocation has a log, so that only accesses without an entry are tested apart
};

struct sanitized {
    struct spirv spirv;
    struct site *sites;
    uint32_t site_count;
    struct log_coding coding;
    uint32_t shared_bytes;
    bool has_fences;     // of storage
    bool uses_addresses; // it also uses buffer addresses, and these accesses are not logged
};

// Makes the module; everything is in the arena. ERROR_SKIP: the module cannot be handled, with the reason.
bool sanitize_module(struct arena *arena, const struct spirv *spirv, const struct sanitize_request *request,
    struct sanitized *out, struct error *err);

#endif
