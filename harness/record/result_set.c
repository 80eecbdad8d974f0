// SPDX-License-Identifier: Apache-2.0
#include "result_set.h"

#include "../base/cores.h"
#include "../base/file.h"
#include "../base/json.h"
#include "../base/kind.h"
#include "../base/names.h"
#include "cases.h"
#include "record.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// ---- files

static void add_file(struct arena *arena, const char *path, bool found, struct result_files *out, size_t *capacity) {
    out->items = arena_grow(arena, out->items, out->count, capacity, sizeof *out->items);
    out->items[out->count++] = (struct result_file){path, found};
}

bool result_files_find(
    struct arena *arena, const char *const *words, size_t count, struct result_files *out, struct error *err) {
    size_t capacity = 0;
    *out = (struct result_files){0};
    for (size_t i = 0; i < count; i++) {
        char **paths;
        size_t found = 0;
        const bool is_folder = file_is_folder(words[i]);
        if (is_folder && !kind_list_results(arena, words[i], &paths, &found, err)) return false;
        for (size_t k = 0; k < found; k++) add_file(arena, paths[k], true, out, &capacity);
        const char *run = found ? NULL : kind_run_result(arena, words[i]); // the journal of an older run
        if (is_folder && !found && run == words[i])
            return error_set(err, STATUS_BAD_INPUT, "%s: found no results in this folder", words[i]);
        if (run) add_file(arena, run, false, out, &capacity);
    }
    return true;
}

// Files read by several threads. Each thread takes the next unread one.
struct set_reading {
    const struct result_files *files;
    result_reader *read;
    result_taker *take;
    void *user;
    struct error *errs; // status 0: it was read
    _Atomic size_t next;
    pthread_mutex_t taking;
};

static void read_on(void *user, int job) {
    struct set_reading *r = user;
    (void)job;
    for (size_t i = atomic_fetch_add(&r->next, 1); i < r->files->count; i = atomic_fetch_add(&r->next, 1)) {
        struct result result;
        struct error err = {0};
        if (!r->read(r->files->items[i].path, &result, &err)) {
            r->errs[i] = err;
            continue;
        }
        pthread_mutex_lock(&r->taking);
        r->take(r->user, i, &result);
        pthread_mutex_unlock(&r->taking);
    }
}

bool result_files_read(struct arena *arena, struct result_files *files, result_reader *read, result_taker *take,
    void *user, struct error *err) {
    struct set_reading r = {.files = files,
        .read = read,
        .take = take,
        .user = user,
        .errs = arena_alloc(arena, files->count + 1, sizeof *r.errs),
        .taking = PTHREAD_MUTEX_INITIALIZER};
    const int cores = cores_usable();
    workers_run(files->count < (size_t)cores ? (int)files->count : cores, read_on, &r);
    files->skipped = arena_alloc(arena, files->count + 1, sizeof *files->skipped);
    for (size_t i = 0; i < files->count; i++) {
        if (!r.errs[i].status) continue;
        if (!files->items[i].found) {
            *err = r.errs[i];
            return false;
        }
        files->skipped[files->skipped_count++] = arena_copy(arena, r.errs[i].text);
    }
    return true;
}

// ---- results in memory

struct keeping {
    struct result *results;
    bool *read;
};

static void keep(void *user, size_t place, struct result *result) {
    struct keeping *k = user;
    k->results[place] = *result;
    k->read[place] = true;
}

bool result_set_read(
    struct arena *arena, struct result_files *files, result_reader *read, struct result_set *out, struct error *err) {
    struct keeping k = {
        arena_alloc(arena, files->count + 1, sizeof *k.results), arena_alloc(arena, files->count + 1, sizeof *k.read)};
    *out = (struct result_set){k.results, arena_alloc(arena, files->count + 1, sizeof *out->paths), 0};
    const bool ok = result_files_read(arena, files, read, keep, &k, err);
    for (size_t i = 0; i < files->count; i++) {
        if (!k.read[i]) continue;
        out->results[out->count] = k.results[i];
        out->paths[out->count++] = files->items[i].path;
    }
    return ok;
}

bool result_set_of(struct arena *arena, const char *const *paths, size_t count, result_reader *read,
    struct result_set *out, struct error *err) {
    struct result_files files = {.items = arena_alloc(arena, count + 1, sizeof *files.items), .count = count};
    for (size_t i = 0; i < count; i++) files.items[i].path = paths[i];
    return result_set_read(arena, &files, read, out, err);
}

void result_set_free(struct result_set *set) {
    for (size_t i = 0; i < set->count; i++) result_free(&set->results[i]);
    set->count = 0;
}

// ---- one device

const char *result_started(const struct result *result) {
    return json_get_string(json_get(result->context, "run"), "started", "");
}

size_t result_groups(const struct result *results, size_t count, enum device_projection projection, struct arena *arena,
    struct result_group **out) {
    struct device_key *keys = arena_alloc(arena, count + 1, sizeof *keys);
    size_t *of = arena_alloc(arena, count + 1, sizeof *of);
    for (size_t i = 0; i < count; i++) keys[i] = device_key(results[i].device, results[i].context);
    const size_t devices = device_group(keys, count, projection, of);
    struct result_group *groups = *out = arena_alloc(arena, devices + 1, sizeof *groups);
    for (size_t i = 0; i < count; i++) groups[of[i]].count++;
    for (size_t d = 0; d < devices; d++) {
        groups[d].places = arena_alloc(arena, groups[d].count, sizeof *groups[d].places);
        groups[d].count = 0;
    }
    for (size_t i = 0; i < count; i++) { // inserts each behind those that are newer
        struct result_group *group = &groups[of[i]];
        size_t at = group->count++;
        for (; at > 0; at--) {
            const size_t other = group->places[at - 1];
            if (strcmp(result_started(&results[other]), result_started(&results[i])) > 0) break;
            group->places[at] = other;
        }
        group->places[at] = i;
    }
    return devices;
}

// Returns true if the older point adds something missing from the newer one: it ran, or was timed.
static bool says_more(const struct record *older, const struct record *newer) {
    if (newer->status == RECORD_SKIP) return older->status != RECORD_SKIP;
    return newer->status == RECORD_PASS && !record_is_timed(newer) && record_is_timed(older);
}

void result_join(
    const struct result *results, const struct result_group *group, struct arena *arena, struct result *out) {
    struct names names = {0};
    const struct result *from = NULL;
    size_t room = 0, count = 0;
    for (size_t i = 0; i < group->count; i++) room += results[group->places[i]].count;
    struct record *records = arena_alloc(arena, room + 1, sizeof *records);
    for (size_t i = 0; i < group->count; i++) {
        const struct result *result = &results[group->places[i]];
        if (!from && result_peak(result, "copy_bytes_per_s") > 0) from = result;
        for (size_t r = 0; r < result->count; r++) {
            const struct record *record = &result->records[r];
            const size_t at = names_put(&names, record->name, strlen(record->name), count);
            if (at == count || says_more(record, &records[at])) records[at] = *record;
            count += at == count;
        }
    }
    names_free(&names);
    if (!from) from = &results[group->places[0]];
    *out = (struct result){.context = from->context, .device = from->device, .records = records, .count = count};
}
