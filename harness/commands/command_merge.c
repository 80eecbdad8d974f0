// SPDX-License-Identifier: Apache-2.0
#include "../base/file.h"
#include "../record/merge.h"
#include "command.h"
#include "../record/journal.h"
#include "../base/json.h"
#include "../record/wall.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Tracks whether merged results make a complete run: every shard is present, and none was cut short.
struct merge_whole {
    struct arena *arena;
    size_t parts;
    const char *why;   // of the first one cut short; NULL: none
    int64_t left;      // over all of them; WHOLE_UNKNOWN: some lack the number
    int64_t shards;    // in all; 0: they are not shards of one run
    const char **seen; // paths, by index from 1
    const char *twice; // "shard 2 of 8 is both a.json and b.json"; NULL: there are no duplicates
    const char *cut;   // the hash of how points were split; "": unknown
    int64_t points;    // of all shards together; 0: unknown
    int64_t found;     // of the shards present
};

enum { MOST_SHARDS = 1 << 16 }; // a larger count is not accepted as a shard

static bool is_shard(struct json_object *run, int64_t *index, int64_t *count) {
    struct json_object *shard = json_get(run, "shard");
    *index = json_get_int(shard, "index", 0);
    *count = json_get_int(shard, "count", 0);
    return *count > 0 && *count <= MOST_SHARDS && *index > 0 && *index <= *count;
}

// Returns whether the result is from the same cut: the same number of shards, with the points split alike.
static bool same_cut(const struct merge_whole *whole, const char *path, struct json_object *run, struct error *err) {
    int64_t index, count;
    const char *cut = json_get_string(json_get(run, "shard"), "cut", "");
    if (!is_shard(run, &index, &count) && json_get(run, "shard") && (index < 1 || index > count))
        return error_set(err, STATUS_BAD_INPUT,
            "%s: $.run.shard: expected an index from 1 to the count of shards, found %" PRId64 " of %" PRId64, path,
            index, count);
    if (whole->parts == 0 || !whole->shards || !count) return true;
    if (count != whole->shards)
        return error_set(err, STATUS_BAD_INPUT,
            "%s: this is shard %" PRId64 " of %" PRId64 ", but the first result is one of %" PRId64, path, index, count,
            whole->shards);
    if (strcmp(cut, whole->cut) != 0)
        return error_set(err, STATUS_BAD_INPUT,
            "%s: $.run.shard.cut: expected '%s' as in the first result, found '%s': the points were split differently "
            "(by other kernels or options)",
            path, whole->cut, cut);
    return true;
}

static void add_shard(struct merge_whole *whole, const char *path, struct json_object *run) {
    int64_t index, count;
    struct json_object *shard = json_get(run, "shard");
    bool fits = is_shard(run, &index, &count);
    if (whole->parts == 0 && fits) {
        whole->seen = arena_alloc(whole->arena, (size_t)count + 1, sizeof *whole->seen);
        whole->shards = count;
        whole->cut = arena_copy(whole->arena, json_get_string(shard, "cut", ""));
        whole->points = json_get_int(shard, "of", 0);
    }
    if (!fits || count != whole->shards) {
        whole->shards = 0;
        return;
    }
    if (whole->seen[index] && !whole->twice)
        whole->twice = arena_format(
            whole->arena, "shard %" PRId64 " of %" PRId64 " is both %s and %s", index, count, whole->seen[index], path);
    whole->seen[index] = path;
    whole->found += json_get_int(shard, "points", 0);
}

// Takes $.run of one result.
static void add_whole(struct merge_whole *whole, const char *path, struct json_object *run) {
    int64_t left = json_get_int(run, "left", whole_is(run) ? 0 : WHOLE_UNKNOWN);
    if (whole->parts == 0 || whole->shards) add_shard(whole, path, run);
    if (!whole_is(run) && !whole->why)
        whole->why = arena_format(whole->arena, "%s: %s", path, json_get_string(run, "why", "no reason was recorded"));
    bool unknown = whole->left == WHOLE_UNKNOWN || left == WHOLE_UNKNOWN;
    if (unknown || __builtin_add_overflow(whole->left, left, &whole->left)) whole->left = WHOLE_UNKNOWN;
    whole->parts++;
}

// Returns "without shard 2, 5 of 8, 12 of 96 points"; NULL: all are present. A single result stays the shard it was.
static const char *missing(const struct merge_whole *whole) {
    struct text text = {0};
    for (int64_t i = 1; whole->parts > 1 && i <= whole->shards; i++)
        if (!whole->seen[i]) text_format(&text, "%s%" PRId64, text.length ? ", " : "", i);
    const char *words =
        text.length ? arena_format(whole->arena, "without shard %s of %" PRId64, text_str(&text), whole->shards) : NULL;
    text_free(&text);
    const int64_t points = whole->points - whole->found;
    if (!words || points <= 0) return words;
    return arena_format(whole->arena, "%s, %" PRId64 " of %" PRId64 " points", words, points, whole->points);
}

// Notes in $.run of the merged result whether it is complete, and returns it.
static bool put_whole(struct merge_whole *whole, struct json_object *run) {
    const char *absent = missing(whole), *why = whole->why ? whole->why : absent;
    const bool known = !absent || (whole->points > whole->found && whole->left != WHOLE_UNKNOWN);
    whole_put(run, why, !known ? WHOLE_UNKNOWN : absent ? whole->left + whole->points - whole->found : whole->left);
    if (whole->parts > 1) json_object_object_del(run, "shard");
    if (whole->parts > 1) json_object_object_del(run, "covered"); // holds for one part only
    return !why;
}

struct shards {
    struct merge merge;
    double wall_s;
    struct wall wall;
    bool split; // every result has `wall`
    struct merge_whole whole;
};

static bool add_result(struct shards *shards, const char *path, struct error *err) {
    struct json_object *run;
    struct wall wall;
    if (!merge_add(&shards->merge, path, &run, err)) return false;
    if (!same_cut(&shards->whole, path, run, err)) {
        json_object_put(run);
        return false;
    }
    add_whole(&shards->whole, path, run);
    shards->split &= wall_from_json(run, &wall);
    wall_add(&shards->wall, &wall);
    shards->wall_s += json_get_double(run, "wall_s", 0);
    json_object_put(run);
    return true;
}

bool command_merge(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    struct shards shards = {
        .merge = {.any_version = options->allow_different, .alike = options->alike || options->allow_different},
        .split = true,
        .whole = {.arena = arena, .cut = ""}};
    bool ok = true;
    if (options->word_count < 1 || !options->out)
        ok = error_set(err, STATUS_USAGE, "merge: expected results, and --out FILE");
    for (size_t i = 0; ok && i < options->word_count; i++) ok = add_result(&shards, options->words[i], err);
    if (ok && shards.whole.twice) ok = error_set(err, STATUS_BAD_INPUT, "%s", shards.whole.twice);
    ok = ok && merge_once(&shards.merge, err) && file_make_folder(file_folder(arena, options->out), err);
    struct json_object *run = json_get(shards.merge.context, "run");
    bool whole = ok && put_whole(&shards.whole, run);
    if (ok) json_object_object_del(run, "wall");
    if (ok && shards.split) json_put(run, "wall", wall_to_json(&shards.wall));
    ok = ok && merge_write(&shards.merge, options->out, shards.wall_s, options->trim, err);
    if (ok) printf("Wrote %zu records of %zu results to %s\n", shards.merge.count, options->word_count, options->out);
    if (ok && !whole) printf("The run was %s\n", whole_words(arena, run));
    merge_free(&shards.merge);
    if (!whole) *status = STATUS_PARTIAL;
    return ok;
}
