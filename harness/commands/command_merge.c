// SPDX-License-Identifier: Apache-2.0
#include "../record/merge.h"
#include "command.h"

#include <inttypes.h>
#include <stdio.h>

// Whether results that are merged make a whole run: all shards are among them, and none was cut short.
struct merge_whole {
    struct arena *arena;
    size_t parts;
    const char *why; // of the first that was cut short; NULL: none
    int64_t left;    // over all of them; WHOLE_UNKNOWN: some do not say
    int64_t shards;  // that there are; 0: they are no shards of one run
    bool *seen;      // by index from 1
};

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

// Takes $.run of one result.
static void add_whole(struct merge_whole *whole, const char *path, struct json_object *run) {
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

// Says in $.run of the merged result whether it is whole. True: it is.
static bool put_whole(struct merge_whole *whole, struct json_object *run) {
    const char *absent = missing(whole), *why = whole->why ? whole->why : absent;
    whole_put(run, why, absent ? WHOLE_UNKNOWN : whole->left);
    if (whole->parts > 1) json_object_object_del(run, "shard");
    if (whole->parts > 1) json_object_object_del(run, "covered"); // of one part alone
    return !why;
}

struct shards {
    struct merge merge;
    double wall_s;
    struct wall wall;
    bool split; // every one of them has it
    struct merge_whole whole;
};

static bool add_result(struct shards *shards, const char *path, struct error *err) {
    struct json_object *run;
    struct wall wall;
    if (!merge_add(&shards->merge, path, &run, err)) return false;
    add_whole(&shards->whole, path, run);
    shards->split &= wall_from_json(run, &wall);
    wall_add(&shards->wall, &wall);
    shards->wall_s += json_get_double(run, "wall_s", 0);
    json_object_put(run);
    return true;
}

bool command_merge(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    struct shards shards = {.split = true, .whole = {.arena = arena}};
    bool ok = true;
    if (options->word_count < 1 || !options->out)
        ok = error_set(err, STATUS_USAGE, "merge: expected results, and --out FILE");
    for (size_t i = 0; ok && i < options->word_count; i++) ok = add_result(&shards, options->words[i], err);
    struct json_object *run = json_get(shards.merge.context, "run");
    bool whole = ok && put_whole(&shards.whole, run);
    if (ok) json_object_object_del(run, "wall");
    if (ok && shards.split) json_put(run, "wall", wall_to_json(&shards.wall));
    ok = ok && merge_write(&shards.merge, options->out, shards.wall_s, options->trim, err);
    if (ok) printf("%zu records of %zu results are in %s\n", shards.merge.count, options->word_count, options->out);
    if (ok && !whole) printf("The run was %s\n", whole_words(arena, run));
    merge_free(&shards.merge);
    if (!whole) *status = STATUS_PARTIAL;
    return ok;
}
