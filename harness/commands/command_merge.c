// SPDX-License-Identifier: Apache-2.0
#include "../record/merge.h"

#include "../record/whole.h"
#include "command.h"
#include "merge_whole.h"

#include <stdio.h>

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
    merge_whole_add(&shards->whole, path, run);
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
    bool whole = ok && merge_whole_put(&shards.whole, run);
    if (ok) json_object_object_del(run, "wall");
    if (ok && shards.split) json_put(run, "wall", wall_to_json(&shards.wall));
    ok = ok && merge_write(&shards.merge, options->out, shards.wall_s, options->trim, err);
    if (ok) printf("%zu records of %zu results are in %s\n", shards.merge.count, options->word_count, options->out);
    if (ok && !whole) printf("The run was %s\n", whole_words(arena, run));
    merge_free(&shards.merge);
    if (!whole) *status = STATUS_PARTIAL;
    return ok;
}
