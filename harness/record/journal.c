// SPDX-License-Identifier: Apache-2.0
// The journal: JSON lines, each on disk before the next point starts.
#include "../base/file.h"
#include "../base/memory.h"
#include "parts.h"
#include "result.h"
#include "shed.h"
#include "version1.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct journal {
    int fd;
    off_t start, end; // of the last whole line
    struct shed_lines *lines;
    char path[];
};

// A run that was just killed may hold its lock for some milliseconds more, until a child that it was
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

// The folder of a run that is resumed may be somebody else's: what is written to is in it, and no pipe or device.
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
    close(journal->fd);
    shed_lines_release(journal->lines);
    free(journal);
}

// One journal, one writer: a lock that goes when the process does.
static struct journal *journal_open(const char *path, int flags, struct error *err) {
    int fd = open(path, flags | O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (fd >= 0 && is_usable(fd, flags) && lock(fd)) {
        struct journal *journal = memory_alloc(1, sizeof *journal + strlen(path) + 1);
        journal->fd = fd;
        journal->lines = shed_lines_open(path);
        strcpy(journal->path, path);
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
    size_t length = 0;
    const char *line =
        json_object_to_json_string_length(record, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &length);
    if (!line) return error_set(err, STATUS_FAULT, "%s: out of memory", journal->path);
    bool ok = write_at(journal->fd, line, length, journal->end) &&
              write_at(journal->fd, "\n", 1, journal->end + (off_t)length) && fsync(journal->fd) == 0;
    if (ok) {
        journal->start = journal->end;
        journal->end += (off_t)length + 1;
        return true;
    }
    int reason = errno;
    // What was written of the line goes, so that the lines before it can be resumed. Should that
    // fail as well, the torn line is dropped when the journal is resumed.
    if (ftruncate(journal->fd, journal->end) != 0) reason = reason ? reason : errno;
    return error_set(err, STATUS_FAULT, "%s: a record cannot be written: %s; what was written before is intact",
        journal->path, strerror(reason));
}

void journal_shed(struct journal *journal, struct json_object *record) {
    record_shed(record, journal->lines, journal->start, (size_t)(journal->end - journal->start));
}

// The name of a new file is on disk only once its folder is. Not every file system can do that; the
// data itself is safe.
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
    // Emptied only once the lock is held.
    if (ftruncate(journal->fd, 0) != 0 && errno != EINVAL) {
        error_set(err, STATUS_FAULT, "%s: cannot be emptied: %s", path, strerror(errno));
    } else if (journal_append(journal, context, err)) {
        sync_folder(path);
        return journal;
    }
    journal_close(journal);
    return NULL;
}

// ---- resuming

struct resumed {
    struct arena *arena;
    struct json_object *context, **records;
    size_t count, capacity;
    int64_t version; // of what the journal held before
};

// Line 1 is the context, the others are records; takes `value` over.
static bool keep_line(struct resumed *out, const char *where, struct json_object *value, struct error *err) {
    if (!out->context) {
        out->context = value;
        out->version = json_get_int(value, "schema_version", 0);
        json_put_int(value, "schema_version", RESULT_SCHEMA_VERSION);
        if (out->version >= 1 && out->version <= RESULT_SCHEMA_VERSION) return true;
        return error_set(err, STATUS_BAD_INPUT, "%s: expected the context of a run with \"schema_version\": %d", where,
            RESULT_SCHEMA_VERSION);
    }
    if (out->version == 1) version1_record(value);
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

static bool read_lines(FILE *file, struct journal *journal, struct resumed *out, struct error *err) {
    char *line = NULL, where[400];
    size_t room = 0;
    ssize_t length;
    bool ok = true;
    for (size_t number = 1; ok && (length = getline(&line, &room, file)) > 0; number++) {
        // A line without its end was torn, even where it makes sense.
        struct json_object *value =
            line[length - 1] == '\n' ? json_parse_passing(line, (size_t)length, &samples_all) : NULL;
        snprintf(where, sizeof where, "%.360s:%zu", journal->path, number);
        if (value) {
            journal->start = journal->end;
            journal->end += length;
            ok = keep_line(out, where, value, err);
            if (ok && number > 1) journal_shed(journal, value);
        } else if (getc(file) != EOF) { // only the last line can have been torn by a crash
            ok = error_set(err, STATUS_BAD_INPUT, "%s: expected one JSON value and the end of the line", where);
        }
    }
    if (ok && ferror(file))
        ok = error_set(err, STATUS_BAD_INPUT, "%s: cannot be read: %s", journal->path, strerror(errno));
    free(line);
    if (ok && !out->context)
        ok = error_set(err, STATUS_BAD_INPUT, "%s: holds no context; there is nothing to resume", journal->path);
    return ok;
}

struct json_object *journal_context(const char *path, struct error *err) {
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat info;
    FILE *file = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) ? fdopen(fd, "r") : NULL;
    char *line = NULL;
    size_t room = 0;
    if (!file) {
        error_set(err, STATUS_BAD_INPUT, "%s: %s%s", path, fd < 0 ? "cannot be opened: " : "expected a regular file",
            fd < 0 ? strerror(errno) : "");
        if (fd >= 0) close(fd);
        return NULL;
    }
    ssize_t length = getline(&line, &room, file);
    struct json_object *context = length > 0 ? json_parse(line, (size_t)length) : NULL;
    if (!context) error_set(err, STATUS_BAD_INPUT, "%s:1: expected the context of a run with its command line", path);
    free(line);
    fclose(file);
    return context;
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
    if (ok && ftruncate(journal->fd, journal->end) != 0)
        ok = error_set(err, STATUS_FAULT, "%s: its torn last line cannot be removed: %s", path, strerror(errno));
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
