// SPDX-License-Identifier: Apache-2.0
// `try`: runs shaders without a manifest: guesses one, makes a suite of its operator's sizes, and benches both.
#include "../../reference/table.h"
#include "../base/clock.h"
#include "../base/file.h"
#include "../tools/adopt/operator_words.h"
#include "bench/bench.h"
#include "command.h"
#include "init/sizes.h"
#include "init/tried.h"
#include "init/verdict.h"
#include "prepare.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double standard_budget_s = 20;
static const double climbing = 0.6; // share of the budget; the rest is for other kernels at the same size

// ---- the suite

static bool write_suite(
    struct arena *arena, const char *home, struct tried *tried, const char *path, bool given_suite, struct error *err) {
    struct operator_sizes sizes;
    if (!sizes_load(arena, home, &sizes, err)) return false;
    struct json_object *entries = json_object_new_array(), *dims = json_object_new_array();
    for (size_t i = 0; i < sizes.kernels.count; i++)
        tried->siblings += strcmp(operator_name(sizes.kernels.items[i]->op), tried->op) == 0;
    sizes_add(&sizes, tried->op, dims); // duplicates are planned once
    json_object_array_add(entries, tried_entry("kernel", tried->guess.kernel, "all", dims));
    bool ok = true;
    if (!given_suite && !json_object_array_length(dims))
        ok = error_set(err, STATUS_USAGE,
            "try: no suite has sizes of %s; use `vkassay init` and write your own suite (suites/README.md)", tried->op);
    if (ok)
        return sizes_write(
            path, arena_format(arena, "a shader of %s at the sizes of the suites", tried->op), false, entries, err);
    json_object_put(entries);
    return false;
}

// ---- one shader

// Writes a manifest by `init`, which prints its guesses. Replaces the manifest of an earlier try of this shader.
static bool write_manifest(
    struct arena *arena, const struct options *options, struct tried *tried, enum status *status, struct error *err) {
    const char *const words[] = {tried->op, tried->shader, NULL};
    struct options init = *options;
    init.words = words;
    init.word_count = 2;
    init.out = arena_format(arena, "%s/manifest.json", tried->kernels);
    unlink(init.out);
    return init_manifest(arena, &init, &tried->guess, status, err) || error_prefix(err, "try: ");
}

// Refuses what is no shader, before a folder is made for it.
static bool is_shader(const char *path, struct error *err) {
    struct stat found;
    if (stat(path, &found) != 0) return error_set(err, STATUS_BAD_INPUT, "try: %s: %s", path, strerror(errno));
    return !S_ISDIR(found.st_mode) ||
           error_set(err, STATUS_USAGE,
               "try: %s is a folder; expected shaders (`vkassay init %s` reads the whole folder)", path, path);
}

// Checks and times the shader at number `index` of the words. `given` receives the options of its run.
static bool try_one(struct arena *arena, struct options *given, size_t index, struct tried *tried, enum status *status,
    struct error *err) {
    const struct bench how = {.verb = "try",
        .time = true,
        .knows_peaks = true,
        .climbs = CLIMB_RIGHT,
        .in_steps = !given->suite && !given->dims,
        .result = &tried->result};
    const char *home = home_folder(arena, err), *path = given->words[index];
    *tried = (struct tried){.shader = path, .op = given->operator, .start_ns = clock_ns()};
    if (!home || !is_shader(path, err)) return false;
    tried->folder = arena_format(arena, "%s/try/%s", given->out ? given->out : "reports/out", file_slug(arena, path));
    tried->kernels = arena_format(arena, "%s/kernels", tried->folder);
    const char *suite = arena_format(arena, "%s/suite.json", tried->folder);
    if (!file_make_folder(tried->kernels, err) || !write_manifest(arena, given, tried, status, err) ||
        !write_suite(arena, home, tried, suite, given->suite != NULL, err))
        return false;
    if (!given->suite) given->suite = suite;
    struct options bench = *given;
    bench.only = tried->kernels;
    bench.words = NULL;
    bench.word_count = 0;
    bench.budget_s *= climbing;
    return bench_suite(arena, &bench, &how, status, err);
}

// ---- all shaders

// Sets the operator's name from the word given for it.
static bool find_operator(struct arena *arena, struct options *options, struct error *err) {
    for (size_t i = 0; i < options->operators.count; i++)
        if (!operators_load(arena, options->operators.items[i], err)) return false;
    const struct op *op = operator_meant(options->operator, strlen(options->operator));
    if (!op) return error_set(err, STATUS_USAGE, "%s", operator_unknown(arena, options->operator));
    options->operator= operator_name(op);
    return true;
}

static bool try_all(
    struct arena *arena, const struct options *given, const char **result, enum status *status, struct error *err) {
    struct options options = *given, own = *given;
    struct tried tried[2];
    if (!options.word_count || options.word_count > 2 || !options.operator||(options.json && options.word_count > 1))
        return error_set(err, STATUS_USAGE,
            "try: expected one shader, or without --json two, and --operator NAME (see `vkassay list operators`)");
    if (!find_operator(arena, &options, err)) return false;
    if (!(options.budget_s > 0)) options.budget_s = standard_budget_s;
    for (size_t i = 0; i < options.word_count; i++) {
        enum status one = STATUS_OK;
        own = options;
        if (!try_one(arena, &own, i, &tried[i], &one, err)) return false;
        *result = tried[i].result;
        *status = status_join(*status, one);
        if (one == STATUS_OK && options.word_count == 1 && !options.json)
            return siblings_say(arena, &own, &tried[i], err);
    }
    return *status != STATUS_OK || options.word_count == 1 || versus_say(arena, &own, tried, err);
}

// With --json, everything said on the way goes to standard error, by any process, and only the verdict to standard
// output.
bool command_try(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const char *result = NULL;
    if (!options->json) return try_all(arena, options, &result, status, err);
    const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return error_set(err, STATUS_FAULT, "standard output: %s", strerror(errno));
    const bool ok = try_all(arena, options, &result, status, err);
    fflush(stdout);
    const bool back = dup2(out, STDOUT_FILENO) >= 0;
    close(out);
    if (!back) return error_set(err, STATUS_FAULT, "standard output: %s", strerror(errno));
    struct error later;
    return verdict_print(arena, options, result, ok ? *status : err->status, ok ? NULL : err, ok ? err : &later) && ok;
}
