// SPDX-License-Identifier: Apache-2.0
#include "map.h"

#include <stdlib.h>

// Returns where an entry with this key is, or may be put. Fibonacci hashing (Knuth, TAOCP 3, 6.4), linear probing.
static size_t find(const struct map *map, uint64_t key) {
    size_t at = (size_t)((key * 0x9e3779b97f4a7c15u) >> 32) & (map->room - 1);
    while (map->entries[at].value && map->entries[at].key != key) at = (at + 1) & (map->room - 1);
    return at;
}

void *map_get(const struct map *map, uint64_t key) {
    return map->count ? map->entries[find(map, key)].value : NULL;
}

static bool grow(struct map *map) {
    struct map larger = {.room = map->room ? map->room * 2 : 64};
    larger.entries = calloc(larger.room, sizeof *larger.entries);
    if (!larger.entries) return false;
    for (size_t i = 0; i < map->room; i++)
        if (map->entries[i].value) larger.entries[find(&larger, map->entries[i].key)] = map->entries[i];
    larger.count = map->count;
    free(map->entries);
    *map = larger;
    return true;
}

bool map_put(struct map *map, uint64_t key, void *value) {
    if (2 * map->count >= map->room && !grow(map)) return false;
    struct map_entry *entry = &map->entries[find(map, key)];
    map->count += !entry->value;
    *entry = (struct map_entry){key, value};
    return true;
}

// The entries after the removed one are put again, as far as a search would pass its place.
void *map_take(struct map *map, uint64_t key) {
    if (!map->count) return NULL;
    size_t at = find(map, key);
    void *value = map->entries[at].value;
    if (!value) return NULL;
    map->entries[at].value = NULL;
    map->count--;
    while (map->entries[at = (at + 1) & (map->room - 1)].value) {
        const struct map_entry moved = map->entries[at];
        map->entries[at].value = NULL;
        map->entries[find(map, moved.key)] = moved;
    }
    return value;
}

void map_clear(struct map *map, void (*release)(void *value)) {
    for (size_t i = 0; release && i < map->room; i++)
        if (map->entries[i].value) release(map->entries[i].value);
    free(map->entries);
    *map = (struct map){0};
}
