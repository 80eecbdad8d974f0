// SPDX-License-Identifier: Apache-2.0
// A hash table with open addressing: a name is in the first free slot from its hash on. At most half of the slots are
// used.
#include "names.h"

#include "hash.h"
#include "memory.h"

#include <stdbool.h>
#include <stdlib.h>

enum { FIRST_SLOTS = 64 }; // a power of two, like all later sizes

struct names_slot {
    const char *name; // NULL: free
    size_t length, number;
    uint64_t hash;
};

// Returns the slot of the name, or the free slot for it.
static struct names_slot *slot_of(const struct names *names, const char *name, size_t length, uint64_t hash) {
    for (size_t i = (size_t)hash;; i++) {
        struct names_slot *slot = &names->slots[i & (names->capacity - 1)];
        bool same = slot->name && slot->hash == hash && slot->length == length;
        if (!slot->name || (same && memcmp(slot->name, name, length) == 0)) return slot;
    }
}

static void grow(struct names *names) {
    struct names wider = {.count = names->count, .capacity = names->capacity ? names->capacity * 2 : FIRST_SLOTS};
    wider.slots = memory_alloc(wider.capacity, sizeof *wider.slots);
    for (size_t i = 0; i < names->capacity; i++) {
        const struct names_slot *slot = &names->slots[i];
        if (slot->name) *slot_of(&wider, slot->name, slot->length, slot->hash) = *slot;
    }
    free(names->slots);
    *names = wider;
}

size_t names_put(struct names *names, const char *name, size_t length, size_t fresh) {
    if (2 * names->count >= names->capacity) grow(names);
    uint64_t hash = hash_bytes(HASH_START, name, length);
    struct names_slot *slot = slot_of(names, name, length, hash);
    if (!slot->name) {
        *slot = (struct names_slot){name, length, fresh, hash};
        names->count++;
    }
    return slot->number;
}

size_t names_get(const struct names *names, const char *name, size_t length) {
    if (!names->capacity) return NAMES_NONE;
    const struct names_slot *slot = slot_of(names, name, length, hash_bytes(HASH_START, name, length));
    return slot->name ? slot->number : NAMES_NONE;
}

void names_free(struct names *names) {
    free(names->slots);
    *names = (struct names){0};
}
