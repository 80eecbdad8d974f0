// SPDX-License-Identifier: Apache-2.0
// `try`: runs one shader without a manifest: guesses one, makes a suite of its operator's sizes, and benches both.
#include "../../reference/table.h"
#include "../base/file.h"
#include "../manifest/known_names.h"
#include "bench/bench.h"
#include "command.h"
#include "init/init.h"
#include "init/sizes.h"
#include "init/verdict.h"
#include "prepare.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_suite(struct arena *arena, const char *home, const char *op, const char *path, struct error *err) {
    struct json_object *entries = json_object_new_array(), *entry = json_object_new_object(),
                       *dims = json_object_new_array();
    struct operator_sizes sizes;
    json_put_string(entry, "kernel", arena_format(arena, "%s.*", op));
    json_put(entry, "dims", dims);
    json_put_string(entry, "shapes", "all");
    json_object_array_add(entries, entry);
    bool ok = sizes_load(arena, home, &sizes, err);
    if (ok) sizes_add(&sizes, op, dims); // duplicates are planned once
    if (ok && !json_object_array_length(dims))
        ok = error_set(err, STATUS_USAGE,
            "try: no suite has sizes of %s; use `vkassay init` and write your own suite (suites/README.md)", op);
    if (ok)
        return sizes_write(path, arena_format(arena, "a shader of %s at the sizes of the suites", op), entries, err);
    json_object_put(entries);
    return false;
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
    if (!init_manifest(arena, &init, false, status, err)) return false;
    return *status == STATUS_OK || error_set(err, STATUS_BAD_INPUT, "try: %s does not match %s (see above)",
                                       options->words[0], options->operator);
}

static bool try_shader(
    struct arena *arena, const struct options *options, const char **result, enum status *status, struct error *err) {
    if (options->word_count != 1 || !options->operator)
        return error_set(
            err, STATUS_USAGE, "try: expected one shader and --operator NAME (see `vkassay list operators`)");
    const char *home = home_folder(arena, err);
    if (!home) return false;
    if (!operator_named(options->operator) && !options->operators.count) {
        struct known_names names = {0};
        for (size_t i = 0; operators[i]; i++) names_add(&names, operator_name(operators[i]));
        return error_set(err, STATUS_USAGE, "unknown operator '%s'%s (see `vkassay list operators`)", options->operator,
            names_hint(arena, &names, options->operator));
    }
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
    return bench_timed(arena, &bench, result, status, err);
}

// With --json, everything said on the way goes to standard error, by any process, and only the verdict to standard
// output.
bool command_try(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const char *result = NULL;
    if (!options->json) return try_shader(arena, options, &result, status, err);
    const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return error_set(err, STATUS_FAULT, "standard output: %s", strerror(errno));
    const bool ok = try_shader(arena, options, &result, status, err);
    fflush(stdout);
    const bool back = dup2(out, STDOUT_FILENO) >= 0;
    close(out);
    if (!back) return error_set(err, STATUS_FAULT, "standard output: %s", strerror(errno));
    struct error later;
    return verdict_print(arena, options, result, ok ? *status : err->status, ok ? NULL : err, ok ? err : &later) && ok;
}
