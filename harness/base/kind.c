// SPDX-License-Identifier: Apache-2.0
#include "kind.h"

#include "file.h"
#include "json.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
    const char *name, *member; // the member of the root that identifies it
    const char *use;           // what it is for
} kinds[KIND_COUNT] = {
    [KIND_UNKNOWN] = {"no file of vkassay", NULL, NULL},
    [KIND_RESULT] = {"a result", "records", "for report, compare, export and the like"},
    [KIND_TUNED] = {"a tuned table", "tuned", "for `vkassay export --format header`, or tuned, glsl, wgsl"},
    [KIND_SPACES] = {"a file of recorded spaces", "spaces", "for `vkassay tune --simulate`, or exports.py"},
    [KIND_SUITE] = {"a suite", "entries", "for `--suite`"},
    [KIND_MANIFEST] = {"a manifest of kernels", "kernels", "for `--kernels`, which takes its folder"},
    [KIND_EXPECTATIONS] = {"a file of expectations", "expectations", "for `--expectations`"},
    [KIND_PROFILE] = {"a profile of limits", "allows", "for `--limits`"},
    [KIND_PEERS] = {"a file of other programs' times", "peers", "for `--peers`"},
    [KIND_COMPARISON] = {"a comparison", "compared", "made by `vkassay compare --format json` for other programs"},
    [KIND_MUTANTS] = {"a file of mutants", "mutated", "made by `vkassay mutate`, with a page beside it"},
    [KIND_GBENCH] = {"a file of google-benchmark's form", "benchmarks", "for its compare.py"},
    [KIND_T4] = {"a file of T4 results", "results", "for other tuners"},
    [KIND_CACHE] = {"a cache file of Kernel Tuner", "cache", "for Kernel Tuner"},
    [KIND_T1] = {"a T1 input file", "ConfigurationSpace", "for Kernel Tuner"},
};

// Returns whether this is the head of a result in lines: its records are not within it.
static bool is_head(struct json_object *root) {
    return json_get(root, "tool") && json_get(root, "device") && json_get(json_get(root, "run"), "argv");
}

enum file_kind kind_of(struct json_object *root) {
    for (int kind = 0; kind < KIND_COUNT; kind++)
        if (kinds[kind].member && json_object_is_type(root, json_type_object) &&
            json_object_object_get_ex(root, kinds[kind].member, NULL))
            return (enum file_kind)kind;
    return is_head(root) ? KIND_RESULT : KIND_UNKNOWN;
}

static bool stop_at_record(void *user, const struct json_met *item, struct error *err) {
    *(struct json_object **)user = json_object_get(item->before);
    return error_set(err, STATUS_BAD_INPUT, "the rest is not wanted");
}

struct json_object *kind_head(const char *path, struct error *err) {
    struct json_object *head = NULL;
    const struct json_list list = {
        .key = kinds[KIND_RESULT].member, .take = stop_at_record, .user = &head, .lines = true};
    struct json_object *root = json_read_list(path, &list, err);
    return root ? root : head;
}

enum file_kind kind_of_file(const char *path) {
    struct error ignored = {0};
    struct json_object *head = kind_head(path, &ignored);
    enum file_kind kind = kind_of(head);
    json_object_put(head);
    return kind;
}

static bool is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

const char *kind_run_result(struct arena *arena, const char *path) {
    static const char *const names[] = {RESULT_FILE, RESULT_FILE ".gz", "result.json", "result.json.gz", OLD_JOURNAL};
    if (!file_is_folder(path)) return path;
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *slash = length && path[length - 1] == '/' ? "" : "/";
        const char *within = arena_format(arena, "%s%s%s", path, slash, names[i]);
        if (is_file(within)) return within;
    }
    return path;
}

const char *kind_run_file(struct arena *arena, const char *folder) {
    const char *path = arena_format(arena, "%s/" RESULT_FILE, folder);
    const char *old = arena_format(arena, "%s/" OLD_JOURNAL, folder);
    return !file_exists(path) && file_exists(old) ? old : path;
}

bool kind_list_results(struct arena *arena, const char *folder, char ***paths, size_t *count, struct error *err) {
    static const char *const endings[] = {".json", ".json.gz", ".jsonl", ".jsonl.gz"};
    size_t capacity = 0;
    *paths = NULL;
    *count = 0;
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
        char **found;
        size_t all;
        if (!file_list(arena, folder, endings[e], &found, &all, err)) return false;
        for (size_t i = 0; i < all; i++) {
            const char *name = strrchr(found[i], '/');
            if ((name && strcmp(name + 1, OLD_JOURNAL) == 0) || kind_of_file(found[i]) != KIND_RESULT) continue;
            *paths = arena_grow(arena, *paths, *count, &capacity, sizeof **paths);
            (*paths)[(*count)++] = found[i];
        }
    }
    if (*count) qsort(*paths, *count, sizeof **paths, file_by_bytes);
    return true;
}

static bool refuse(const char *path, enum file_kind found, enum file_kind wanted, struct error *err) {
    return error_set(err, STATUS_BAD_INPUT, "%.400s is %s, %s; expected %s", path, kinds[found].name, kinds[found].use,
        kinds[wanted].name);
}

// "a, b, c and 4 more"
static void put_members(struct text *out, struct json_object *root) {
    int shown = 0;
    json_object_object_foreach(root, name, value) {
        (void)value;
        if (shown++ < 5) text_format(out, "%s%.40s", shown > 1 ? ", " : "", name);
    }
    if (shown > 5) text_format(out, " and %d more", shown - 5);
}

// Returns whether the root was meant to be of this kind. It is either empty, or has a version or a member with nearly
// the right name.
static bool is_nearly(struct json_object *root, enum file_kind wanted) {
    json_object_object_foreach(root, name, value) {
        (void)value;
        if (strcmp(name, "schema_version") == 0 || text_nearest(name, &kinds[wanted].member, 1)) return true;
    }
    return json_object_object_length(root) == 0;
}

bool kind_expect(struct json_object *root, const char *path, enum file_kind wanted, struct error *err) {
    enum file_kind found = kind_of(root);
    if (found == wanted || !json_object_is_type(root, json_type_object)) return true;
    if (found != KIND_UNKNOWN) return refuse(path, found, wanted, err);
    if (is_nearly(root, wanted)) return true;
    struct text members = {0};
    put_members(&members, root);
    error_set(err, STATUS_BAD_INPUT, "%s: $: expected a member \"%s\", as %s has; found %s: it is %s", path,
        kinds[wanted].member, kinds[wanted].name, text_str(&members), kinds[KIND_UNKNOWN].name);
    text_free(&members);
    return false;
}

// Refuses a shader, and names the commands for shaders.
static bool refuse_shader(const char *path, enum file_kind wanted, struct error *err) {
    static const char *const endings[] = {".comp", ".glsl", ".hlsl", ".wgsl", ".spv"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i]) == 0)
            return !error_set(err, STATUS_BAD_INPUT,
                "%s is a shader, for `vkassay try %s --operator NAME` and `vkassay init`; expected %s", path, path,
                kinds[wanted].name);
    return false;
}

void kind_not_read(const char *path, enum file_kind wanted, struct error *err) {
    if (file_is_folder(path)) {
        error_set(err, STATUS_BAD_INPUT, "%s is a folder; expected %s%s", path, kinds[wanted].name,
            wanted == KIND_RESULT ? ": result.jsonl of a run, as reports/out/DEVICE/RUN/result.jsonl" : "");
        return;
    }
    if (file_exists(path) && refuse_shader(path, wanted, err)) return;
    if (!err->status) error_set(err, STATUS_BAD_INPUT, "%s: $: expected object, found null", path);
    if (err->status == STATUS_BAD_INPUT && wanted != KIND_RESULT && kind_of_file(path) == KIND_RESULT)
        refuse(path, KIND_RESULT, wanted, err);
}

struct json_object *kind_read(const char *path, enum file_kind wanted, struct error *err) {
    struct error why = {0};
    struct json_object *root = json_read(path, &why);
    if (!root) {
        kind_not_read(path, wanted, &why);
        *err = why;
        return NULL;
    }
    if (kind_expect(root, path, wanted, err)) return root;
    json_object_put(root);
    return NULL;
}
