// SPDX-License-Identifier: Apache-2.0
// Whether results that are merged make a whole run: all shards are among them, and none was cut short.
#ifndef VKASSAY_COMMANDS_MERGE_WHOLE_H
#define VKASSAY_COMMANDS_MERGE_WHOLE_H

#include "../base/arena.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

struct merge_whole {
    struct arena *arena;
    size_t parts;
    const char *why; // of the first that was cut short; NULL: none
    int64_t left;    // over all of them; WHOLE_UNKNOWN: some do not say
    int64_t shards;  // that there are; 0: they are no shards of one run
    bool *seen;      // by index from 1
};

// Takes $.run of one result.
void merge_whole_add(struct merge_whole *whole, const char *path, struct json_object *run);

// Says in $.run of the merged result whether it is whole. True: it is.
bool merge_whole_put(struct merge_whole *whole, struct json_object *run);

#endif
