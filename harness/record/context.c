// SPDX-License-Identifier: Apache-2.0
// The context of a run: the facts needed to interpret its figures.
#include "../base/fields.h"
#include "result.h"
#include "journal.h"
#include "../device/device_info.h"

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

struct tool {
    const char *name, *version, *git;
};
static const struct tool this_tool = {"vkassay", VKASSAY_VERSION, VKASSAY_GIT};

static const struct field tool_fields[] = {
    {"name", KIND(kind_text, .schema = SCHEMA({"const" : "vkassay"})), offsetof(struct tool, name), REQUIRED},
    {"version", &kind_text, offsetof(struct tool, version), REQUIRED},
    {"git", &kind_text, offsetof(struct tool, git), REQUIRED},
    {0},
};
const struct kind kind_tool = {.fields = tool_fields, .name = "tool"};

struct host {
    char *cpu;
    int64_t cores, memory;
    const char *os, *kernel, *machine;
};

static const struct field host_fields[] = {
    {"cpu", &kind_text, offsetof(struct host, cpu), REQUIRED},
    {"cores", KIND(kind_int64, .least = 1), offsetof(struct host, cores), REQUIRED},
    {"memory_bytes", KIND(kind_int64, .least = 1), offsetof(struct host, memory), REQUIRED},
    {"os", &kind_text, offsetof(struct host, os), REQUIRED},
    {"kernel", &kind_text, offsetof(struct host, kernel), REQUIRED},
    {"machine", &kind_text, offsetof(struct host, machine), REQUIRED},
    {0},
};
const struct kind kind_host = {.fields = host_fields, .name = "host"};

// Returns the "model name" of /proc/cpuinfo on x86. Other architectures have no such line, so it returns their
// machine's name.
static char *processor(struct arena *arena, const char *machine) {
    char *name = NULL;
    FILE *file = fopen("/proc/cpuinfo", "re");
    char *line = NULL;
    size_t room = 0;
    while (file && !name && getline(&line, &room, file) > 0) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        colon[strcspn(colon, "\n")] = '\0';
        name = arena_copy(arena, colon + 1 + strspn(colon + 1, " \t"));
    }
    free(line);
    if (file) fclose(file);
    return name ? name : arena_copy(arena, machine);
}

struct json_object *host_make(void) {
    struct arena arena = {0};
    struct utsname system = {0};
    uname(&system);
    const struct host host = {.cpu = processor(&arena, system.machine),
        .cores = sysconf(_SC_NPROCESSORS_ONLN),
        .memory = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE),
        .os = system.sysname,
        .kernel = system.release,
        .machine = system.machine};
    struct json_object *json = fields_put(host_fields, &host);
    arena_free(&arena);
    return json;
}

// ---- the start of a run

#define AT(member) offsetof(struct run_start, member)
static const struct field shard_fields[] = {
    {"index", KIND(kind_int, .least = 1), AT(shard_index), REQUIRED},
    {"count", KIND(kind_int, .least = 1), AT(shard_count), REQUIRED},
    {0},
};
static const struct field shard_later_fields[] = {
    {"points", KIND(kind_int64, .meaning = "Planned points of this shard, without peaks."), 0, SPARSE},
    {"of", KIND(kind_int64, .meaning = "Planned points of all shards."), 0, SPARSE},
    {"cut", KIND(kind_hex, .meaning = "Hash of the assignment of points to shards. Shards of one run have the same."),
        0, SPARSE},
    {0},
};
static struct json_object *shard_put(const void *whole) {
    const struct run_start *start = whole;
    return start->shard_count ? fields_put(shard_fields, start) : NULL;
}
static const struct kind kind_shard = {.put = shard_put, .fields = shard_fields, .also = shard_later_fields};

static struct json_object *argv_put(const void *whole) {
    const struct run_start *start = whole;
    struct json_object *argv = json_object_new_array();
    for (int i = 0; i < start->argc; i++) {
        const char *slash = i == 0 ? strrchr(start->argv[0], '/') : NULL;
        json_object_array_add(argv, home_path_to_json(slash ? slash + 1 : start->argv[i]));
    }
    return argv;
}
static const struct kind kind_argv = {.put = argv_put,
    .list = &(const struct item_list){.kind = &kind_text},
    .meaning = "The command line; ~ is the user's home."};

static struct json_object *path_put(const void *member) {
    return home_path_to_json(*(const char *const *)member);
}

static struct json_object *seed_put(const void *member) {
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, *(const uint64_t *)member);
    return json_object_new_string(seed);
}
static const struct kind kind_seed = {.put = seed_put,
    .meaning = "Decimal; a text, because JSON readers keep 53 bits of a number.",
    .schema = SCHEMA({"type" : "string", "pattern" : "^[0-9]{1,20}$"})};

const struct field run_start_fields[] = {
    {"suite", &kind_text, AT(suite), NULLABLE},
    {"suite_file", KIND(kind_text, .put = path_put), AT(suite_file), NULLABLE},
    {"seed", &kind_seed, AT(seed), REQUIRED},
    {"argv", &kind_argv, 0, REQUIRED},
    {"started", KIND(kind_text, .meaning = "ISO 8601, UTC."), AT(started), NULLABLE},
    {"cold", &kind_flag, AT(cold), REQUIRED},
    {"shard", &kind_shard, 0, NULLABLE},
    {0},
};
#undef AT
const struct kind kind_run_start = {.fields = run_start_fields};

struct json_object *context_make(const struct device_info *device, const struct run_start *start) {
    struct json_object *context = json_object_new_object();
    json_put_int(context, "schema_version", RESULT_SCHEMA_VERSION);
    json_put(context, "tool", fields_put(tool_fields, &this_tool));
    json_put(context, "host", host_make());
    json_put(context, "device", device_to_json(device));
    json_put(context, "run", fields_put(run_start_fields, start));
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
