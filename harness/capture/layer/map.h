// SPDX-License-Identifier: Apache-2.0
// A map from numbers to pointers, for handles of Vulkan and for hashes. Zeroed is empty. It takes no lock.
#ifndef VKASSAY_CAPTURE_MAP_H
#define VKASSAY_CAPTURE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map {
    struct map_entry {
        uint64_t key;
        void *value; // NULL: no entry
    } * entries;
    size_t count, room;
};

void *map_get(const struct map *map, uint64_t key); // NULL: absent

// Puts a value, not NULL, in the place of an earlier one. False: memory is out, and nothing is changed.
bool map_put(struct map *map, uint64_t key, void *value);

void *map_take(struct map *map, uint64_t key); // removes the entry and returns its value, NULL: absent

// Empties the map. Calls `release` with the values, if it is not NULL.
void map_clear(struct map *map, void (*release)(void *value));

#endif
