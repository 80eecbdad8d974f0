// SPDX-License-Identifier: Apache-2.0
// The journal: JSON lines, each on disk before the next point starts.
#include "../base/file.h"
#include "../base/memory.h"
#include "../base/json.h"
#include "parts.h"
#include "record.h"
#include "result.h"
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// ---- eviction: members dropped from memory once the record is in the journal

// The file of a journal; it stays open as long as the journal or a record evicted into it, even if its folder is gone.
struct evicted_lines {
    size_t users;
    int fd;
    char path[];
};

// The place of an evicted record in its journal, as user data of its JSON.
struct evicted_place {
    struct evicted_lines *lines;
    off_t offset;
    size_t length;
    struct judged_outputs judged;
    bool gone;
};

// Members used only for writing the record.
static const char *const evicted[] = {"operator", "kernel", "dtype", "dims", "shape", "default", "systems", "check",
    "time", "repeats", "stop", "cache", "clock", "drift", "remeasured", "looks", "shader_clock_hz", "host_load",
    "host_steal", "reference", "facts", "code", "cost", "wall", "build_ns", "source_hash", "subgroup_size", "refusal"};
enum { EVICTED = sizeof evicted / sizeof *evicted };

static void evicted_lines_release(struct evicted_lines *lines) {
    if (--lines->users) return;
    close(lines->fd);
    free(lines);
}

// json-c 0.19 calls this twice for a released object (its issue 934), unless the user data is removed; the removal
// calls it, too.
static void let_go(struct json_object *record, void *user) {
    struct evicted_place *place = user;
    if (place->gone) return;
    place->gone = true;
    json_object_set_userdata(record, NULL, NULL);
    evicted_lines_release(place->lines);
    free(place);
}

struct judged_outputs record_judged(struct json_object *record) {
    const struct evicted_place *place = json_object_get_userdata(record);
    return place ? place->judged : judged_of(json_get(record, "check"));
}

// Returns whether a run needs all of the record: a peak or a part of a sweep.
static bool stays_whole(struct json_object *record) {
    return json_get_string(record, "peak", NULL) || json_get_bool(record, "part", false);
}

// ---- restoring

// Appends the line of an evicted record, without its end.
static bool read_line(const struct evicted_place *place, struct text *out, struct error *err) {
    char *bytes = memory_alloc(place->length, 1);
    size_t got = 0;
    for (ssize_t n = 1; got < place->length && n > 0; got += n > 0 ? (size_t)n : 0)
        n = pread(place->lines->fd, bytes + got, place->length - got, place->offset + (off_t)got);
    const bool whole = got == place->length && bytes[got - 1] == '\n' && line_is_whole(bytes, got - 1);
    if (whole) line_take(out, bytes, got - 1);
    free(bytes);
    return whole || error_set(err, STATUS_FAULT, "%s: the record at byte %lld cannot be read again", place->lines->path,
                        (long long)place->offset);
}

bool record_line(struct json_object *record, struct text *out, struct error *err) {
    const struct evicted_place *place = json_object_get_userdata(record);
    if (place) return read_line(place, out, err);
    json_put_text(out, json_object_get(record), JSON_C_TO_STRING_PLAIN);
    return true;
}

struct journal {
    off_t head;       // the end of line 1
    off_t start, end; // of the last whole line
    bool more;        // the file goes on after `end`, with a torn line or the end of an earlier run
    struct evicted_lines *lines;
};

// Locks the journal. A run killed a moment ago may hold its lock for some milliseconds more, until a child it was
// starting is gone too.
static bool lock(int fd) {
    for (int tries = 0; tries < 20; tries++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
        if (errno != EWOULDBLOCK && errno != EINTR) return false;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    errno = EWOULDBLOCK;
    return false;
}

// Accepts only regular files. The folder of a resumed run may be somebody else's and contain a pipe or device
// instead.
static bool is_usable(int fd, int flags) {
    struct stat info;
    if (flags & O_CREAT) return true;
    if (fstat(fd, &info) != 0) return false;
    if (S_ISREG(info.st_mode)) return true;
    errno = EINVAL;
    return false;
}

void journal_close(struct journal *journal) {
    if (!journal) return;
    flock(journal->lines->fd, LOCK_UN);
    evicted_lines_release(journal->lines);
    free(journal);
}

// Opens a journal for a single writer: its lock ends with the process.
static struct journal *journal_open(const char *path, int flags, struct error *err) {
    int fd = open(path, flags | O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (fd >= 0 && is_usable(fd, flags) && lock(fd)) {
        struct journal *journal = memory_alloc(1, sizeof *journal);
        journal->lines = memory_alloc(1, sizeof *journal->lines + strlen(path) + 1);
        journal->lines->users = 1;
        journal->lines->fd = fd;
        strcpy(journal->lines->path, path);
        return journal;
    }
    if (fd >= 0 && errno == EWOULDBLOCK)
        error_set(err, STATUS_USAGE, "%s: another vkassay is writing this journal", path);
    else if (errno == ELOOP || errno == EINVAL)
        error_set(err, STATUS_BAD_INPUT, "%s: expected a regular file, and no link to one", path);
    else
        error_set(err, STATUS_FAULT, "%s: cannot be opened: %s", path, strerror(errno));
    if (fd >= 0) close(fd);
    return NULL;
}

static bool write_at(int fd, const char *bytes, size_t length, off_t offset) {
    while (length) {
        ssize_t n = pwrite(fd, bytes, length, offset);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes += n;
        length -= (size_t)n;
        offset += n;
    }
    return true;
}

bool journal_append(struct journal *journal, struct json_object *record, struct error *err) {
    struct text object = {0}, line = {0};
    const bool part = json_get_bool(record, "part", false);
    if (part) text_append(&object, "{\"" JOURNAL_PART "\":");
    json_put_text(&object, json_object_get(record), JSON_C_TO_STRING_PLAIN);
    if (part) text_append(&object, "}");
    line_put(&line, text_str(&object), object.length);
    text_append(&line, "\n");
    text_free(&object);
    const size_t length = line.length;
    bool ok = (!journal->more || ftruncate(journal->lines->fd, journal->end) == 0) &&
              write_at(journal->lines->fd, text_str(&line), length, journal->end) && fsync(journal->lines->fd) == 0;
    int reason = errno;
    text_free(&line);
    if (ok) {
        journal->more = false;
        journal->start = journal->end;
        journal->end += (off_t)length;
        return true;
    }
    // Remove the written part of the line, so that the lines before it can be resumed. If that fails as well,
    // resuming drops the torn line.
    if (ftruncate(journal->lines->fd, journal->end) != 0) reason = reason ? reason : errno;
    return error_set(err, STATUS_FAULT, "%s: a record cannot be written: %s; earlier records are intact",
        journal->lines->path, strerror(reason));
}

// The run still needs, and keeps, name, status, reason, expectation, whether it was timed ("time": {}), and the values
// of record_judged. Peaks and parts of a sweep stay whole.
void journal_evict(struct journal *journal, struct json_object *record) {
    if (stays_whole(record) || json_object_get_userdata(record)) return;
    const size_t length = (size_t)(journal->end - journal->start);
    struct evicted_place *place = memory_alloc(1, sizeof *place);
    *place =
        (struct evicted_place){journal->lines, journal->start, length, judged_of(json_get(record, "check")), false};
    journal->lines->users++;
    bool timed = json_get(record, "time") != NULL;
    for (int i = 0; i < EVICTED; i++) json_object_object_del(record, evicted[i]);
    if (timed) json_put(record, "time", json_object_new_object());
    json_object_set_userdata(record, place, let_go);
}

// Syncs the folder, because a new file's name is on disk only after that. Not every file system can do it; the data
// itself is safe.
static void sync_folder(const char *path) {
    struct arena arena = {0};
    int fd = open(file_folder(&arena, path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)!fsync(fd);
        close(fd);
    }
    arena_free(&arena);
}

struct journal *journal_create(const char *path, struct json_object *context, struct error *err) {
    struct journal *journal = journal_open(path, O_CREAT, err);
    if (!journal) return NULL;
    // Empty it only after the lock is held.
    if (ftruncate(journal->lines->fd, 0) != 0 && errno != EINVAL) {
        error_set(err, STATUS_FAULT, "%s: cannot be emptied: %s", path, strerror(errno));
    } else if (journal_append(journal, context, err)) {
        journal->head = journal->end;
        sync_folder(path);
        return journal;
    }
    journal_close(journal);
    return NULL;
}

// ---- devices of a resumed run: lines without a record

// Adds a device to the context's run, in order of appearance, each once.
static void add_device(struct json_object *context, const char *uuid) {
    struct json_object *run = json_get(context, "run"), *list = json_get(run, "devices");
    if (!json_object_is_type(list, json_type_array)) {
        json_put(run, "devices", list = json_object_new_array());
        json_object_array_add(list, json_text(json_get_string(json_get(context, "device"), "device_uuid", "")));
    }
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        const char *there = json_object_get_string(json_object_array_get_idx(list, i));
        if (there && strcmp(there, uuid) == 0) return;
    }
    json_object_array_add(list, json_text(uuid));
}

void journal_rewind(struct journal *journal, struct json_object *last) {
    const struct evicted_place *place = last ? json_object_get_userdata(last) : NULL;
    if (last && !place) return;
    journal->end = place ? place->offset + (off_t)place->length : journal->head;
    journal->more = true;
}

bool journal_take_device(struct json_object *context, struct json_object *line) {
    const char *uuid = json_get_string(line, "goes_on_with", NULL);
    if (uuid) add_device(context, uuid);
    return uuid;
}

bool journal_goes_on_with(
    struct journal *journal, struct json_object *context, const char *device_uuid, struct error *err) {
    if (strcmp(json_get_string(json_get(context, "device"), "device_uuid", ""), device_uuid) == 0) return true;
    struct json_object *line = json_object_new_object();
    json_put(line, "goes_on_with", json_text(device_uuid));
    bool ok = journal_append(journal, line, err);
    json_object_put(line);
    if (ok) add_device(context, device_uuid);
    return ok;
}

// ---- resuming

struct resumed {
    struct arena *arena;
    struct json_object *context, **records;
    size_t count, capacity;
};

// Keeps a line: line 1 is the context, the others are records. Takes `value` over.
static bool keep_line(struct resumed *out, const char *where, struct json_object *value, struct error *err) {
    if (!out->context) {
        out->context = value;
        if (json_get(json_get(value, "run"), JOURNAL_BAD_LINES)) // of an earlier resumed run
            json_object_object_del(json_get(value, "run"), JOURNAL_BAD_LINES);
        if (json_get_int(value, "schema_version", 0) == RESULT_SCHEMA_VERSION) return true;
        return error_set(err, STATUS_BAD_INPUT, "%s: expected the context of a run with \"schema_version\": %d", where,
            RESULT_SCHEMA_VERSION);
    }
    struct arena scratch = {0};
    struct record record;
    struct json_at at = json_root(value, where);
    bool ok = record_read(&scratch, &at, &record, err);
    arena_free(&scratch);
    if (!ok) {
        json_object_put(value);
        return false;
    }
    out->records = arena_grow(out->arena, out->records, out->count, &out->capacity, sizeof(struct json_object *));
    out->records[out->count++] = value;
    return true;
}

// Parses a line. A part of an exhaustive check is taken out of its line.
static struct json_object *parse_line(const char *line, size_t length) {
    struct json_object *value = line_parse(line, length), *part = json_get(value, JOURNAL_PART);
    if (!json_object_is_type(part, json_type_object)) return value;
    json_object_get(part);
    json_object_put(value);
    return part;
}

// Notes a line of no record, because its bytes were changed: its point is run again.
static void note_bad_line(struct json_object *context, size_t number) {
    struct json_object *run = json_get(context, "run"), *list = json_get(run, JOURNAL_BAD_LINES);
    if (!list && run) json_put(run, JOURNAL_BAD_LINES, list = json_object_new_array());
    if (list) json_object_array_add(list, json_object_new_int64((int64_t)number));
}

static bool read_lines(FILE *file, struct journal *journal, struct resumed *out, struct error *err) {
    char *line = NULL, where[400];
    size_t room = 0;
    ssize_t length;
    bool ok = true;
    for (size_t number = 1; ok && (length = getline(&line, &room, file)) > 0; number++) {
        // A line without its end was torn, even if it parses.
        const bool torn = line[length - 1] != '\n';
        struct json_object *value = torn ? NULL : parse_line(line, (size_t)length - 1);
        snprintf(where, sizeof where, "%.360s:%zu", journal->lines->path, number);
        if (!value && !torn && out->context) {
            note_bad_line(out->context, number);
            journal->start = journal->end;
            journal->end += length;
        } else if (!value ||
                   (out->context && json_get(value, JOURNAL_END))) { // torn by a crash, or the end of an earlier run
            journal->more = true;
            if (getc(file) != EOF)
                ok = error_set(err, STATUS_BAD_INPUT, "%s: expected %s", where,
                    value ? "nothing after this end" : "one JSON value and the end of the line");
            json_object_put(value);
        } else {
            journal->start = journal->end;
            journal->end += length;
            if (out->context && journal_take_device(out->context, value)) {
                json_object_put(value);
                continue;
            }
            if (!out->context) journal->head = journal->end;
            ok = keep_line(out, where, value, err);
            if (ok && number > 1) journal_evict(journal, value);
        }
    }
    if (ok && ferror(file))
        ok = error_set(err, STATUS_BAD_INPUT, "%s: cannot be read: %s", journal->lines->path, strerror(errno));
    free(line);
    if (ok && !out->context)
        ok = error_set(err, STATUS_BAD_INPUT, "%s: holds no context; there is nothing to resume", journal->lines->path);
    return ok;
}

struct journal *journal_resume(const char *path, struct arena *arena, struct json_object **context,
    struct json_object ***records, size_t *count, struct error *err) {
    struct resumed out = {.arena = arena};
    struct journal *journal = journal_open(path, 0, err);
    if (!journal) {
        if (!file_exists(path)) err->status = STATUS_BAD_INPUT;
        return NULL;
    }
    FILE *file = fopen(path, "re");
    bool ok = file ? read_lines(file, journal, &out, err)
                   : error_set(err, STATUS_BAD_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    if (file) fclose(file);
    if (ok) {
        *context = out.context;
        *records = out.records;
        *count = out.count;
        return journal;
    }
    for (size_t i = 0; i < out.count; i++) json_object_put(out.records[i]);
    json_object_put(out.context);
    journal_close(journal);
    return NULL;
}
