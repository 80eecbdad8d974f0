// SPDX-License-Identifier: Apache-2.0
#include "shed.h"

#include "../base/memory.h"
#include "version1.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct shed_lines {
    size_t users;
    char path[];
};

// Where a record stands: the user data of its JSON.
struct place {
    struct shed_lines *lines;
    off_t offset;
    size_t length;
};

// What nobody asks of a record but who writes it.
static const char *const shed[] = {"operator", "kernel", "dtype", "dims", "shape", "default", "systems", "check",
    "time", "repeats", "stop", "cache", "clock", "drift", "remeasured", "shader_clock_hz", "host_load", "host_steal",
    "reference", "facts", "cost", "wall", "build_ns", "source_hash", "subgroup_size", "refusal"};
enum { SHED = sizeof shed / sizeof *shed };

struct shed_lines *shed_lines_open(const char *path) {
    struct shed_lines *lines = memory_alloc(1, sizeof *lines + strlen(path) + 1);
    lines->users = 1;
    strcpy(lines->path, path);
    return lines;
}

void shed_lines_release(struct shed_lines *lines) {
    if (!--lines->users) free(lines);
}

static void let_go(struct json_object *record, void *user) {
    struct place *place = user;
    (void)record;
    shed_lines_release(place->lines);
    free(place);
}

void record_shed(struct json_object *record, struct shed_lines *lines, off_t offset, size_t length) {
    bool needed = json_get_string(record, "peak", NULL) || json_get_bool(record, "part", false);
    if (needed || json_object_get_userdata(record)) return;
    struct place *place = memory_alloc(1, sizeof *place);
    *place = (struct place){lines, offset, length};
    lines->users++;
    bool timed = json_get(record, "time") != NULL;
    for (int i = 0; i < SHED; i++) json_object_object_del(record, shed[i]);
    if (timed) json_put(record, "time", json_object_new_object());
    json_object_set_userdata(record, place, let_go);
}

// ---- and back

static bool is_shed(const char *key) {
    for (int i = 0; i < SHED; i++)
        if (strcmp(shed[i], key) == 0) return true;
    return false;
}

static struct json_object *read_line(const struct place *place, struct error *err) {
    int fd = open(place->lines->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    char *bytes = memory_alloc(place->length, 1);
    size_t got = 0;
    for (ssize_t n = 1; fd >= 0 && got < place->length && n > 0; got += n > 0 ? (size_t)n : 0)
        n = pread(fd, bytes + got, place->length - got, place->offset + (off_t)got);
    struct json_object *whole = got == place->length ? json_parse(bytes, got) : NULL;
    free(bytes);
    if (fd >= 0) close(fd);
    if (json_object_is_type(whole, json_type_object)) return whole;
    json_object_put(whole);
    error_set(err, STATUS_FAULT, "%s: the record at byte %lld cannot be read again", place->lines->path,
        (long long)place->offset);
    return NULL;
}

struct json_object *record_whole(struct json_object *record, struct error *err) {
    const struct place *place = json_object_get_userdata(record);
    if (!place) return json_object_get(record);
    struct json_object *line = read_line(place, err), *whole = line ? json_object_new_object() : NULL;
    if (!line) return NULL;
    version1_record(line);
    json_object_object_foreach(line, key, value) { // in the order in which they were written
        struct json_object *kept = NULL;
        if (is_shed(key))
            json_put(whole, key, json_object_get(value));
        else if (json_object_object_get_ex(record, key, &kept))
            json_put(whole, key, json_object_get(kept));
    }
    json_object_object_foreach(record, added, more) {
        if (!json_object_object_get_ex(whole, added, NULL)) json_put(whole, added, json_object_get(more));
    }
    json_object_put(line);
    return whole;
}
