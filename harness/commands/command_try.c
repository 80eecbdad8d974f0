// SPDX-License-Identifier: Apache-2.0
// `try`: runs one shader without a manifest: guesses one, makes a suite of its operator's sizes, and benches both.
#include "../../reference/table.h"
#include "../base/file.h"
#include "../manifest/known_names.h"
#include "../plan/suite.h"
#include "command.h"
#include "prepare.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Suites to take an operator's sizes from, small and odd sizes first.
static const char *const size_suites[] = {"smoke", "quick"};

// Returns whether the entry is for the operator, by its name or by the name of one of its kernels.
static bool is_of(const struct suite_entry *entry, const char *op, const struct kernels *kernels) {
    if (entry->probe || entry->peak) return false;
    if (entry->op) return strcmp(entry->op, op) == 0;
    for (size_t k = 0; entry->kernel && k < kernels->count; k++)
        if (strcmp(kernels->items[k]->op->name, op) == 0 && select_matches(entry->kernel, kernels->items[k]->name))
            return true;
    return false;
}

static struct json_object *dims_json(const struct suite_dims *dims) {
    struct json_object *object = json_object_new_object();
    for (size_t i = 0; i < dims->count; i++) {
        struct json_object *values = json_object_new_array();
        for (size_t v = 0; v < dims->items[i].count; v++)
            json_object_array_add(values, json_object_new_double(dims->items[i].values[v]));
        json_put(object, dims->items[i].name, values);
    }
    return object;
}

// Adds an object for each size in the suites. Duplicates are planned once.
static bool add_sizes(
    struct arena *arena, const char *home, const char *op, struct json_object *list, struct error *err) {
    const char *const folder = arena_format(arena, "%s/kernels", home);
    struct kernels kernels;
    if (!kernels_load(arena, &folder, 1, &kernels, err)) return false;
    for (size_t s = 0; s < sizeof size_suites / sizeof *size_suites; s++) {
        struct suite suite;
        if (!suite_load(arena, arena_format(arena, "%s/suites/%s.json", home, size_suites[s]), &suite, err))
            return false;
        for (size_t e = 0; e < suite.entry_count; e++) {
            if (!is_of(&suite.entries[e], op, &kernels)) continue;
            for (size_t d = 0; d < suite.entries[e].dims_count; d++)
                json_object_array_add(list, dims_json(&suite.entries[e].dims[d]));
        }
    }
    return json_object_array_length(list) ||
           error_set(err, STATUS_USAGE,
               "try: no suite has sizes of %s; use `vkassay init` and write your own suite (suites/README.md)", op);
}

static bool write_suite(struct arena *arena, const char *home, const char *op, const char *path, struct error *err) {
    struct json_object *suite = json_object_new_object(), *entries = json_object_new_array(),
                       *entry = json_object_new_object(), *dims = json_object_new_array();
    bool ok = add_sizes(arena, home, op, dims, err);
    json_put_string(entry, "kernel", arena_format(arena, "%s.*", op));
    json_put(entry, "dims", dims);
    json_put_string(entry, "shapes", "all");
    json_object_array_add(entries, entry);
    json_put_int(suite, "schema_version", 1);
    json_put_string(suite, "name", "try");
    json_put_string(suite, "summary", arena_format(arena, "a shader of %s at the sizes of the suites", op));
    json_put(suite, "entries", entries);
    ok = ok && json_write(path, suite, true, err);
    json_object_put(suite);
    return ok;
}

// Writes a manifest by `init`, which prints its guesses. Replaces the manifest of an earlier try of this shader.
static bool write_manifest(
    struct arena *arena, const struct options *options, const char *path, enum status *status, struct error *err) {
    const char *const words[] = {options->operator, options->words[0], NULL};
    struct options init = *options;
    init.words = words;
    init.word_count = 2;
    init.out = path;
    unlink(path);
    if (!command_init(arena, &init, status, err)) return false;
    return *status == STATUS_OK || error_set(err, STATUS_BAD_INPUT, "try: %s does not match %s (see above)",
                                       options->words[0], options->operator);
}

static bool no_such_operator(struct arena *arena, const char *name, struct error *err) {
    struct known_names names = {0};
    for (size_t i = 0; operators[i]; i++) names_add(&names, operators[i]->name);
    return error_set(err, STATUS_USAGE, "unknown operator '%s'%s (see `vkassay list operators`)", name,
        names_hint(arena, &names, name));
}

bool command_try(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    if (options->word_count != 1 || !options->operator)
        return error_set(
            err, STATUS_USAGE, "try: expected one shader and --operator NAME (see `vkassay list operators`)");
    const char *home = home_folder(arena, err);
    if (!home) return false;
    if (!operator_named(options->operator) && !options->operators.count)
        return no_such_operator(arena, options->operator, err);
    struct stat found;
    if (stat(options->words[0], &found) != 0) // before a folder is made for it
        return error_set(err, STATUS_BAD_INPUT, "try: %s: %s", options->words[0], strerror(errno));
    if (S_ISDIR(found.st_mode))
        return error_set(err, STATUS_USAGE,
            "try: %s is a folder; expected one shader (`vkassay init %s` reads the whole folder)", options->words[0],
            options->words[0]);
    const char *folder = arena_format(
        arena, "%s/try/%s", options->out ? options->out : "reports/out", file_slug(arena, options->words[0]));
    struct options bench = *options;
    if (!bench.suite) bench.suite = arena_format(arena, "%s/suite.json", folder);
    bench.only = arena_format(arena, "%s/kernels", folder);
    bench.words = NULL;
    bench.word_count = 0;
    if (!file_make_folder(bench.only, err) ||
        !write_manifest(arena, options, arena_format(arena, "%s/manifest.json", bench.only), status, err) ||
        (!options->suite && !write_suite(arena, home, options->operator, bench.suite, err)))
        return false;
    return command_bench(arena, &bench, status, err);
}
