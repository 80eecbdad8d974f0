// SPDX-License-Identifier: Apache-2.0
#include "merge.h"

#include "../base/file.h"
#include "../base/kind.h"
#include "../base/text.h"
#include "parts.h"
#include "../device/device_info.h"
#include "device_key.h"
#include "result.h"
#include "journal.h"

#include <math.h>
#include <string.h>

// The place of a record in its result.
struct merge_piece {
    uint64_t offset;
    size_t length, path;
};

// ---- reading

// Returns a member as text, even if it is a number.
static const char *text_in(struct json_object *context, const char *section, const char *key) {
    const char *text = json_object_get_string(json_get(json_get(context, section), key));
    return text ? text : "";
}

static bool fail_fact(const struct device_fact *fact, struct json_object *first, struct json_object *other,
    const char *path, const char *remedy, struct error *err) {
    const char *a = text_in(first, fact->section, fact->key), *b = text_in(other, fact->section, fact->key);
    return error_set(err, STATUS_BAD_INPUT, "%s: $.%s.%s: expected '%s' as in the first result, found '%s'%s", path,
        fact->section, fact->key, a, b, remedy);
}

// Checks that model, driver and its build are the same. Sets merge->other_unit. A CPU device is its host's processor
// only for times, so that checks by many hosts can be merged.
static bool same_device(struct merge *merge, struct json_object *other, const char *path, struct error *err) {
    struct json_object *first = merge->context;
    struct device_info a, b;
    if (!device_from_json(json_get(first, "device"), &a, err) || !device_from_json(json_get(other, "device"), &b, err))
        return error_prefix(err, "%s: ", path);
    const struct device_key x = device_key(&a, first), y = device_key(&b, other);
    const struct device_fact *fact = device_key_difference(x, y, DEVICE_MODEL_AND_BUILD);
    if (fact) return fail_fact(fact, first, other, path, "", err);
    merge->other_unit = device_key_difference(x, y, DEVICE_UNIT);
    if (!merge->other_unit || merge->alike || a.kind == DEVICE_CPU) return true;
    return fail_fact(
        merge->other_unit, first, other, path, " (--alike merges checks of devices of one model and driver)", err);
}

// Compares the whole profiles, because two different ones may have one name.
static bool same_profile(const struct merge *merge, struct json_object *other, const char *path, struct error *err) {
    struct json_object *first = json_get(json_get(merge->context, "device"), "profile");
    struct json_object *second = json_get(json_get(other, "device"), "profile");
    const char *expected = json_get_string(first, "name", "none"), *found = json_get_string(second, "name", "none");
    if (json_object_equal(first, second)) return true;
    return error_set(err, STATUS_BAD_INPUT, "%s: $.device.profile: expected '%s' as in the first result, found %s'%s'",
        path, expected, strcmp(expected, found) == 0 ? "another one named " : "", found);
}

// Checks that results belong to one run: same device, driver, profile of limits, suite, seed and program version.
static bool check_same(struct merge *merge, struct json_object *other, const char *path, struct error *err) {
    static const struct device_fact facts[] = {{"run", "suite"}, {"run", "seed"}, {"tool", "version"}, {"tool", "git"}};
    struct json_object *first = merge->context;
    bool ok = same_device(merge, other, path, err);
    for (size_t i = 0; ok && i < sizeof facts / sizeof *facts; i++) {
        const bool version = strcmp(facts[i].section, "tool") == 0;
        ok = (version && merge->any_version) ||
             strcmp(text_in(first, facts[i].section, facts[i].key), text_in(other, facts[i].section, facts[i].key)) ==
                 0 ||
             fail_fact(&facts[i], first, other, path, version ? " (--allow-different merges them anyway)" : "", err);
    }
    return ok && same_profile(merge, other, path, err);
}

// Refuses timed points of two devices, because times of one run need one device, even of one model.
static bool check_times(
    const struct merge *merge, const struct json_met *item, const struct record *record, struct error *err) {
    if (!merge->other_unit || merge->any_version || record->peak || !json_get(item->at.value, "time")) return true;
    return fail_fact(merge->other_unit, merge->context, item->before, item->at.file,
        ", and points are timed (--allow-different merges them anyway)", err);
}

// Notes a duplicate; the text names the first few places.
static void add_twice(struct merge *merge, const struct json_met *item, const char *name, size_t first) {
    enum { MOST_SAID = 3 };
    const char *path = merge->paths[merge->pieces[first].path];
    if (merge->twice++ >= MOST_SAID) return;
    merge->twice_why = arena_format(&merge->arena, "%s%s%s: %s: point %s is in two of the results, in %s too",
        merge->twice_why ? merge->twice_why : "", merge->twice_why ? "; " : "", item->at.file, item->at.path, name,
        path);
}

static void add_record(struct merge *merge, const struct json_met *item, const struct record *record) {
    size_t length = strlen(record->name), first = names_get(&merge->names, record->name, length);
    if (first != NAMES_NONE) {
        if (!record->peak) add_twice(merge, item, record->name, first); // every shard measures the peaks for itself
        return;
    }
    struct arena *arena = &merge->arena;
    names_put(&merge->names, arena_copy_n(arena, record->name, length), length, merge->count);
    merge->pieces = arena_grow(arena, merge->pieces, merge->count, &merge->capacity, sizeof *merge->pieces);
    merge->pieces[merge->count++] = (struct merge_piece){item->offset, item->length, merge->path_count};
    merge->counts[record->status]++;
    if (!record->peak) return;
    merge->peaks =
        arena_grow(arena, merge->peaks, merge->peak_count, &merge->peak_capacity, sizeof(struct json_object *));
    merge->peaks[merge->peak_count++] = record_of(item);
}

// Takes a record. A record of another run is not read further, because the context usually precedes the records.
static bool take_record(void *user, const struct json_met *item, struct error *err) {
    struct merge *merge = user;
    struct record record;
    bool is_record;
    if (!result_version(item->before, item->at.file, true, err) || !result_line(&merge->lines, item, &is_record, err))
        return false;
    if (!is_record) return true;
    bool of_run = json_get(item->before, "device") && json_get(item->before, "run");
    if (merge->context && of_run && merge->checked <= merge->path_count) {
        if (!check_same(merge, item->before, item->at.file, err)) return false;
        merge->checked = merge->path_count + 1;
    }
    bool ok =
        record_read(&merge->scratch, &item->at, &record, err) && (!of_run || check_times(merge, item, &record, err));
    if (ok) add_record(merge, item, &record);
    if (++merge->scratched % 512 == 0) arena_free(&merge->scratch);
    return ok;
}

bool merge_once(const struct merge *merge, struct error *err) {
    if (!merge->twice) return true;
    return error_set(err, STATUS_BAD_INPUT, "%s; %zu point%s twice", merge->twice_why, merge->twice,
        merge->twice == 1 ? " occurs" : "s occur");
}

bool merge_add(struct merge *merge, const char *path, struct json_object **run, struct error *err) {
    const struct json_list list = {"records", &samples_all, take_record, merge, .lines = true};
    struct device_info device;
    merge->paths =
        arena_grow(&merge->arena, merge->paths, merge->path_count, &merge->path_capacity, sizeof *merge->paths);
    merge->other_unit = NULL;
    merge->lines = (struct result_lines){0};
    merge->paths[merge->path_count] = path;
    size_t before = merge->count;
    struct json_object *context = json_read_list(path, &list, err);
    result_complete(&merge->lines, context, NULL, 0); // merge_write makes the peaks
    if (!context && merge->count == before) kind_not_read(path, KIND_RESULT, err);
    if (!context || !result_first_line(&merge->lines, path, err) || !result_check(context, path, &device, err) ||
        (merge->context && !check_same(merge, context, path, err))) {
        json_object_put(context);
        return false;
    }
    merge->path_count++;
    *run = json_object_get(json_get(context, "run"));
    if (merge->context)
        json_object_put(context);
    else
        merge->context = context;
    return true;
}

// ---- writing

// Reads the next piece; pieces are in the order of their file.
static bool read_piece(
    struct file_in *in, const char *path, const struct merge_piece *piece, struct text *out, struct error *err) {
    out->length = 0;
    char block[65536];
    if (!file_in_skip_to(in, piece->offset, err)) return false;
    for (size_t got; out->length < piece->length; text_append_n(out, block, got)) {
        const size_t left = piece->length - out->length, wanted = left < sizeof block ? left : sizeof block;
        if (!file_in_read(in, block, wanted, &got, err)) return false;
        if (got < wanted) return error_set(err, STATUS_BAD_INPUT, "%s: changed while it was read", path);
    }
    return true;
}

static bool put_pieces(const struct merge *merge, struct writer *writer, struct error *err) {
    struct text room = {0};
    bool ok = true;
    size_t next = 0;
    for (size_t p = 0; ok && p < merge->path_count; p++) {
        struct file_in *in = file_in_open(merge->paths[p], err);
        ok = in;
        for (; ok && next < merge->count && merge->pieces[next].path == p; next++) {
            ok = read_piece(in, merge->paths[p], &merge->pieces[next], &room, err);
            if (ok) writer_put(writer, text_str(&room), room.length);
        }
        file_in_close(in);
    }
    text_free(&room);
    return ok;
}

static bool put_all(const struct merge *merge, struct writer *writer, double wall_seconds, struct error *err) {
    struct json_object *head = result_head(merge->context, wall_seconds, peaks_make(merge->peaks, merge->peak_count),
        kind_put(&kind_counts, merge->counts));
    writer_begin(writer, head);
    json_object_put(head);
    const bool ok = put_pieces(merge, writer, err);
    writer_end(writer);
    return ok;
}

bool merge_write(const struct merge *merge, const char *path, double wall_seconds, bool trimmed, struct error *err) {
    struct writer writer;
    return writer_open(&writer, path, trimmed, err) &&
           writer_close(&writer, put_all(merge, &writer, wall_seconds, err), err);
}

bool merge_put_one(struct text *out, const char *path, struct error *err) {
    struct merge merge = {0};
    struct writer writer = {.out = out, .document = true};
    struct json_object *run = NULL;
    const bool ok =
        merge_add(&merge, path, &run, err) && put_all(&merge, &writer, json_get_double(run, "wall_s", NAN), err);
    json_object_put(run);
    merge_free(&merge);
    return ok;
}

void merge_free(struct merge *merge) {
    for (size_t i = 0; i < merge->peak_count; i++) json_object_put(merge->peaks[i]);
    json_object_put(merge->context);
    names_free(&merge->names);
    arena_free(&merge->scratch);
    arena_free(&merge->arena);
    *merge = (struct merge){0};
}
