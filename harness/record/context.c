// SPDX-License-Identifier: Apache-2.0
// The context of a run: the facts needed to interpret its figures.
#include "../base/fields.h"
#include "result.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

// ---- words of a command line in a result. Results are made to be shared, so the user's home folder becomes "~" at
// the start of a path. A path starts at the start of a word, after a blank (a word may be a whole command) and after
// "=". With the same home, reading gives back the same bytes (of UTF-8).

// Returns $HOME; *length excludes slashes at its end, and is 0 if no path could begin with it.
static const char *home_folder(size_t *length) {
    const char *home = getenv("HOME");
    *length = home && *home == '/' ? strlen(home) : 0;
    while (*length && home[*length - 1] == '/') --*length;
    return home;
}

static bool ends_name(char c) {
    return c == '\0' || c == '/' || c == ' ' || c == '\t';
}

// Returns whether a path can begin after this part of a recorded word.
static bool begins_path(const char *recorded, size_t length) {
    return !length || strchr(" \t=", recorded[length - 1]);
}

struct json_object *home_path_to_json(const char *word) {
    size_t length;
    const char *home = home_folder(&length);
    struct text out = {0};
    if (!word) return NULL;
    for (const char *at = word; *at;) {
        bool begins = begins_path(text_str(&out), out.length);
        bool here = begins && length && strncmp(at, home, length) == 0 && ends_name(at[length]);
        if (here)
            text_append(&out, "~");
        else if (begins && *at == '~')
            text_append(&out, "~~"); // a name with a leading "~"
        else
            text_append_n(&out, at, 1);
        at += here ? length : 1;
    }
    struct json_object *string = json_text(text_str(&out));
    text_free(&out);
    return string;
}

char *home_path_read(struct arena *arena, const char *recorded, struct error *err) {
    size_t length;
    const char *home = home_folder(&length);
    struct text out = {0};
    bool known = true;
    for (const char *at = recorded; *at; at++) {
        bool tilde = *at == '~' && begins_path(recorded, (size_t)(at - recorded));
        if (tilde && ends_name(at[1])) {
            text_append_n(&out, home, length);
            known = known && length;
        } else {
            text_append_n(&out, at, 1);
            at += tilde && at[1] == '~';
        }
    }
    char *word = known ? arena_copy(arena, text_str(&out)) : NULL;
    text_free(&out);
    if (!known)
        error_set(
            err, STATUS_BAD_INPUT, "the recorded '%s' is in the user's home folder, and HOME names none", recorded);
    return word;
}

// The Makefile passes both to this file.
#ifndef VKASSAY_VERSION
#define VKASSAY_VERSION "0.1.0"
#endif
#ifndef VKASSAY_GIT
#define VKASSAY_GIT "unknown"
#endif

const char *context_tool(void) {
    return "vkassay " VKASSAY_VERSION " (" VKASSAY_GIT ")";
}

static struct json_object *tool_make(void) {
    struct json_object *tool = json_object_new_object();
    json_put_string(tool, "name", "vkassay");
    json_put_string(tool, "version", VKASSAY_VERSION);
    json_put_string(tool, "git", VKASSAY_GIT);
    return tool;
}

// Returns the "model name" of /proc/cpuinfo on x86. Other architectures have no such line, so it returns their
// machine's name.
static struct json_object *processor(const char *machine) {
    struct json_object *name = NULL;
    FILE *file = fopen("/proc/cpuinfo", "re");
    char *line = NULL;
    size_t room = 0;
    while (file && !name && getline(&line, &room, file) > 0) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        colon[strcspn(colon, "\n")] = '\0';
        name = json_text(colon + 1 + strspn(colon + 1, " \t"));
    }
    free(line);
    if (file) fclose(file);
    return name ? name : json_text(machine);
}

// Leaves out the machine's host name, because results are made to be shared.
static struct json_object *host_make(void) {
    struct json_object *host = json_object_new_object();
    struct utsname system = {0};
    uname(&system);
    json_put(host, "cpu", processor(system.machine));
    json_put_int(host, "cores", sysconf(_SC_NPROCESSORS_ONLN));
    json_put_int(host, "memory_bytes", (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE));
    json_put_string(host, "os", system.sysname);
    json_put(host, "kernel", json_text(system.release));
    json_put_string(host, "machine", system.machine);
    return host;
}

static struct json_object *argv_make(const struct run_facts *facts) {
    struct json_object *argv = json_object_new_array();
    for (int i = 0; i < facts->argc; i++) {
        const char *slash = i == 0 ? strrchr(facts->argv[0], '/') : NULL;
        json_object_array_add(argv, home_path_to_json(slash ? slash + 1 : facts->argv[i]));
    }
    return argv;
}

static struct json_object *run_make(const struct run_facts *facts) {
    struct json_object *run = json_object_new_object(), *shard = NULL;
    char seed[24]; // a string, because JSON readers keep only 53 bits of a number
    snprintf(seed, sizeof seed, "%" PRIu64, facts->seed);
    if (facts->shard_count) {
        shard = json_object_new_object();
        json_put_int(shard, "index", facts->shard_index);
        json_put_int(shard, "count", facts->shard_count);
    }
    json_put(run, "suite", json_text(facts->suite));
    json_put(run, "suite_file", home_path_to_json(facts->suite_file));
    json_put_string(run, "seed", seed);
    json_put(run, "argv", argv_make(facts));
    json_put(run, "started", json_text(facts->started));
    json_put_bool(run, "cold", facts->cold);
    json_put(run, "shard", shard);
    return run;
}

struct json_object *context_make(const struct device_info *device, const struct run_facts *facts) {
    struct json_object *context = json_object_new_object();
    json_put_int(context, "schema_version", RESULT_SCHEMA_VERSION);
    json_put(context, "tool", tool_make());
    json_put(context, "host", host_make());
    json_put(context, "device", device_to_json(device));
    json_put(context, "run", run_make(facts));
    return context;
}

// ---- completeness of a run

void whole_put(struct json_object *run, const char *why, int64_t left) {
    json_put_bool(run, "complete", !why);
    json_put(run, "why", json_text(why));
    json_put(run, "left", left == WHOLE_UNKNOWN ? NULL : json_object_new_int64(left));
}

bool whole_is(struct json_object *run) {
    return json_get_bool(run, "complete", true);
}

const char *whole_words(struct arena *arena, struct json_object *run) {
    if (whole_is(run)) return NULL;
    const char *why = json_get_string(run, "why", "no reason is given");
    int64_t left = json_get_int(run, "left", WHOLE_UNKNOWN);
    return left == WHOLE_UNKNOWN ? arena_format(arena, "cut short: %s", why)
                                 : arena_format(arena, "cut short: %s; %" PRId64 " left", why, left);
}
