// SPDX-License-Identifier: Apache-2.0
#include "../base/json.h"
#include "../base/text.h"
#include "../record/result.h"
#include "../record/whole.h"
#include "command.h"
#include "merge_whole.h"

#include <stdio.h>
#include <string.h>

struct shards {
    struct json_object **records;
    size_t count, capacity;
    double wall_s;
    struct wall wall;
    bool split; // every one of them has it
    struct merge_whole whole;
};

static bool same_text(struct json_object *a, struct json_object *b, const char *section, const char *key) {
    return strcmp(json_get_string(json_get(a, section), key, ""), json_get_string(json_get(b, section), key, "")) == 0;
}

// Shards of one run share the device, the driver, the suite and the seed.
static bool check_same(struct json_object *first, struct json_object *other, const char *path, struct error *err) {
    static const char *const fields[][2] = {
        {"device", "device_uuid"}, {"device", "driver_uuid"}, {"run", "suite"}, {"run", "seed"}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (same_text(first, other, fields[i][0], fields[i][1])) continue;
        return error_set(err, STATUS_BAD_INPUT, "%s: $.%s.%s: expected '%s' as in the first result, found '%s'", path,
            fields[i][0], fields[i][1], json_get_string(json_get(first, fields[i][0]), fields[i][1], ""),
            json_get_string(json_get(other, fields[i][0]), fields[i][1], ""));
    }
    return true;
}

static bool is_known(const struct shards *shards, const char *name) {
    for (size_t i = 0; i < shards->count; i++)
        if (strcmp(json_get_string(shards->records[i], "name", ""), name) == 0) return true;
    return false;
}

static bool add_record(struct arena *arena, struct shards *shards, const struct record *record, struct error *err) {
    if (is_known(shards, record->name)) {
        if (record->peak) return true; // every shard measures the peaks for itself
        return error_set(err, STATUS_BAD_INPUT, "point %s is in two of the results", record->name);
    }
    struct json_object **grown =
        arena_grow(arena, shards->records, shards->count, &shards->capacity, sizeof(struct json_object *));
    if (!grown) return error_set(err, STATUS_FAULT, "out of memory");
    shards->records = grown;
    shards->records[shards->count++] = record_to_json(record, true);
    return true;
}

static bool add_result(
    struct arena *arena, const char *path, struct json_object **context, struct shards *shards, struct error *err) {
    struct result result;
    if (!result_read(path, &result, err)) return false;
    bool ok = !*context || check_same(*context, result.context, path, err);
    for (size_t i = 0; ok && i < result.count; i++) ok = add_record(arena, shards, &result.records[i], err);
    struct wall wall;
    if (ok) merge_whole_add(&shards->whole, path, json_get(result.context, "run"));
    shards->split &= wall_from_json(json_get(result.context, "run"), &wall);
    wall_add(&shards->wall, &wall);
    shards->wall_s += json_get_double(json_get(result.context, "run"), "wall_s", 0);
    if (ok && !*context) *context = json_object_get(result.context);
    result_free(&result);
    return ok;
}

int command_merge(struct arena *arena, const struct options *options, struct error *err) {
    struct json_object *context = NULL;
    struct shards shards = {.split = true, .whole = {.arena = arena}};
    bool ok = true;
    if (options->word_count < 1 || !options->out)
        ok = error_set(err, STATUS_USAGE, "merge: expected results, and --out FILE");
    for (size_t i = 0; ok && i < options->word_count; i++)
        ok = add_result(arena, options->words[i], &context, &shards, err);
    bool whole = ok && merge_whole_put(&shards.whole, json_get(context, "run"));
    if (ok) json_object_object_del(json_get(context, "run"), "wall");
    if (ok && shards.split) json_put(json_get(context, "run"), "wall", wall_to_json(&shards.wall));
    ok = ok && result_write(options->out, context, shards.records, shards.count, shards.wall_s, options->trim, err);
    if (ok) printf("%zu records of %zu results are in %s\n", shards.count, options->word_count, options->out);
    if (ok && !whole) printf("The run was %s\n", whole_words(arena, json_get(context, "run")));
    for (size_t i = 0; i < shards.count; i++) json_object_put(shards.records[i]);
    json_object_put(context);
    return !ok ? -1 : whole ? STATUS_OK : STATUS_PARTIAL;
}
