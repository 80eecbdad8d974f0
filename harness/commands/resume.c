// SPDX-License-Identifier: Apache-2.0
#include "resume.h"

#include "../base/file.h"
#include "../base/json.h"
#include "../record/result.h"
#include "command.h"

#include <string.h>

static const char *allowed_options(const char *verb) {
    for (const struct command *c = commands; c->name; c++)
        if (strcmp(c->name, verb) == 0) return c->options;
    return NULL;
}

// The journal's first line is the context of the run.
static struct json_object *read_context(struct arena *arena, const char *path, struct error *err) {
    char *bytes = file_read(arena, path, NULL, err);
    if (!bytes) return NULL;
    bytes[strcspn(bytes, "\n")] = '\0';
    struct json_object *context = json_tokener_parse(bytes);
    if (!json_object_is_type(json_get(json_get(context, "run"), "argv"), json_type_array)) {
        json_object_put(context);
        error_set(err, STATUS_BAD_INPUT, "%s:1: expected the context of a run with its command line", path);
        return NULL;
    }
    return context;
}

bool resume_options(struct arena *arena, const struct options *given, struct options *out, struct error *err) {
    const char *path = arena_format(arena, "%s/journal.jsonl", given->resume);
    struct json_object *context = path ? read_context(arena, path, err) : NULL;
    if (!context) return path ? false : error_set(err, STATUS_FAULT, "out of memory");
    struct json_object *recorded = json_get(json_get(context, "run"), "argv");
    size_t argc = json_object_array_length(recorded);
    char **argv = arena_alloc(arena, argc + 1, sizeof *argv);
    bool ok = argv != NULL;
    if (!ok) error_set(err, STATUS_FAULT, "out of memory");
    for (size_t i = 0; ok && i < argc; i++) {
        const char *word = json_object_get_string(json_object_array_get_idx(recorded, i));
        argv[i] = home_path_read(arena, word ? word : "", err);
        ok = argv[i] != NULL;
    }
    const char *allowed = ok && argc > 1 ? allowed_options(argv[1]) : NULL;
    if (ok && !allowed) ok = error_set(err, STATUS_BAD_INPUT, "%s:1: the recorded command line is no run", path);
    ok = ok && options_parse(arena, (int)argc, argv, 2, allowed, out, err);
    if (ok) {
        out->resume = given->resume;
        out->quiet = given->quiet;
        out->device = arena_copy(arena, json_get_string(json_get(context, "device"), "device_uuid", ""));
    }
    json_object_put(context);
    return ok;
}
