// SPDX-License-Identifier: Apache-2.0
// The context of a run: what a reader must know to make sense of its figures.
#include "../base/fields.h"
#include "result.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

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

// "model name : X" on x86; other architectures have no such line, and their kernel's name of the
// machine stands instead.
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

// The name of the machine stays out: results are made to be shared.
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
    char seed[24]; // as a string: JSON readers keep 53 bits of a number
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

// ---- whether the run is whole

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
