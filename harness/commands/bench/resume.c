// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include "../../base/kind.h"
#include "../../record/result.h"
#include "../../record/journal.h"
#include "../../device/device_info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The verbs that can be resumed.
static const struct {
    const char *verb;
    enum command_set bit;
} resumable[] = {{"bench", BENCH}, {"check", CHECK}, {"tune", TUNE}};

// Returns 0 for other verbs.
static enum command_set command_bit(const char *verb) {
    for (size_t i = 0; i < sizeof resumable / sizeof *resumable; i++)
        if (strcmp(resumable[i].verb, verb) == 0) return resumable[i].bit;
    return 0;
}

static struct json_object *read_context(const char *path, struct error *err) {
    struct json_object *context = kind_head(path, err);
    if (!context || json_object_is_type(json_get(json_get(context, "run"), "argv"), json_type_array)) return context;
    json_object_put(context);
    error_set(err, STATUS_BAD_INPUT, "%s:1: expected the context of a run with its command line", path);
    return NULL;
}

// Returns the recorded words, with "~" replaced by the home folder; NULL with err.
static char **read_argv(struct arena *arena, struct json_object *recorded, struct error *err) {
    size_t argc = json_object_array_length(recorded);
    char **argv = arena_alloc(arena, argc + 1, sizeof *argv);
    for (size_t i = 0; i < argc; i++) {
        const char *word = json_object_get_string(json_object_array_get_idx(recorded, i));
        if (!(argv[i] = home_path_read(arena, word ? word : "", err))) return NULL;
    }
    return argv;
}

// Refuses to resume with another verb, because its records would be of another kind.
static bool same_verb(const struct options *given, const char *verb, const char *path, struct error *err) {
    if (verb && strcmp(verb, given->argv[1]) == 0) return true;
    if (!verb || !command_bit(verb))
        return error_set(err, STATUS_BAD_INPUT, "%s:1: this command cannot be resumed", path);
    return error_set(err, STATUS_USAGE, "%s: this is a run of `vkassay %s`; `vkassay %s` cannot resume it", path, verb,
        given->argv[1]);
}

static bool merge(
    struct arena *arena, const struct options *given, int argc, char **argv, struct options *out, struct error *err) {
    struct text left_out = {0};
    bool ok = options_resume(arena, argc, argv, 2, command_bit(argv[1]), given, out, &left_out, err);
    out->left_out = ok ? arena_copy(arena, text_str(&left_out)) : NULL;
    // Control characters become "?", because a foreign journal may hold terminal escapes.
    for (size_t i = 0; i < left_out.length; i++)
        if ((unsigned char)left_out.data[i] < ' ' || left_out.data[i] == 0x7f) left_out.data[i] = '?';
    if (ok && left_out.length)
        fprintf(stderr,
            "vkassay: ignored recorded options that load, run or write files; repeat them with --resume to use "
            "them:%s\n",
            text_str(&left_out));
    text_free(&left_out);
    return ok;
}

bool resume_options(struct arena *arena, const struct options *given, struct options *out, struct error *err) {
    const char *path = kind_run_file(arena, given->resume);
    struct json_object *context = read_context(path, err);
    if (!context) return false;
    struct json_object *recorded = json_get(json_get(context, "run"), "argv");
    char **argv = read_argv(arena, recorded, err);
    int argc = (int)json_object_array_length(recorded);
    bool ok = argv && same_verb(given, argc > 1 ? argv[1] : NULL, path, err) &&
              (merge(arena, given, argc, argv, out, err) || error_prefix(err, "%s:1: ", path));
    if (ok) {
        struct device_info *device = arena_alloc(arena, 1, sizeof *device);
        struct error older; // an older journal's device may lack members required now
        out->device = arena_copy(arena, json_get_string(json_get(context, "device"), "device_uuid", ""));
        out->run.seed = strtoull(json_get_string(json_get(context, "run"), "seed", "1"), NULL, 10);
        out->began_on = device_from_json(json_get(context, "device"), device, &older) ? device : NULL;
    }
    json_object_put(context);
    return ok;
}

bool resume_lacks(const struct options *options, const char *name) {
    size_t length = strlen(name);
    for (const char *at = options->left_out; at && (at = strstr(at, " --")); at += 3)
        if (strncmp(at + 3, name, length) == 0 && at[3 + length] == ' ') return true;
    return false;
}

const char *resume_line(struct arena *arena, const struct options *options, const char *folder) {
    const char *verb = options->argv[1];
    const enum command_set command = command_bit(verb);
    struct text line = {0};
    if (!command) return NULL;
    text_format(&line, "vkassay %s --resume ", verb);
    text_shell_word(&line, folder);
    options_again(arena, options, 2, command, &line);
    return arena_take(arena, &line);
}
