// SPDX-License-Identifier: Apache-2.0
#include "merge_whole.h"

#include "../base/json.h"
#include "../base/text.h"
#include "../record/whole.h"

#include <inttypes.h>

enum { MOST_SHARDS = 1 << 16 }; // more are not looked for

static void add_shard(struct merge_whole *whole, struct json_object *run) {
    struct json_object *shard = json_get(run, "shard");
    int64_t index = json_get_int(shard, "index", 0), count = json_get_int(shard, "count", 0);
    bool fits = count > 0 && count <= MOST_SHARDS && index > 0 && index <= count;
    if (whole->parts == 0 && fits) {
        whole->seen = arena_alloc(whole->arena, (size_t)count + 1, sizeof *whole->seen);
        whole->shards = count;
    }
    if (!fits || count != whole->shards)
        whole->shards = 0;
    else
        whole->seen[index] = true;
}

void merge_whole_add(struct merge_whole *whole, const char *path, struct json_object *run) {
    int64_t left = json_get_int(run, "left", whole_is(run) ? 0 : WHOLE_UNKNOWN);
    if (whole->parts == 0 || whole->shards) add_shard(whole, run);
    if (!whole_is(run) && !whole->why)
        whole->why = arena_format(whole->arena, "%s: %s", path, json_get_string(run, "why", "no reason is given"));
    bool unknown = whole->left == WHOLE_UNKNOWN || left == WHOLE_UNKNOWN;
    if (unknown || __builtin_add_overflow(whole->left, left, &whole->left)) whole->left = WHOLE_UNKNOWN;
    whole->parts++;
}

// "shards 2, 5 of 8 are not there"; NULL: all are. One result by itself is the shard that it was.
static const char *missing(const struct merge_whole *whole) {
    struct text text = {0};
    for (int64_t i = 1; whole->parts > 1 && i <= whole->shards; i++)
        if (!whole->seen[i]) text_format(&text, "%s%" PRId64, text.length ? ", " : "", i);
    const char *words =
        text.length ? arena_format(whole->arena, "without shard %s of %" PRId64, text_str(&text), whole->shards) : NULL;
    text_free(&text);
    return words;
}

bool merge_whole_put(struct merge_whole *whole, struct json_object *run) {
    const char *absent = missing(whole), *why = whole->why ? whole->why : absent;
    whole_put(run, why, absent ? WHOLE_UNKNOWN : whole->left);
    if (whole->parts > 1) json_object_object_del(run, "shard");
    return !why;
}
