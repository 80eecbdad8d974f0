// SPDX-License-Identifier: Apache-2.0
#include "store.h"

#include "../base/file.h"
#include "cases.h"
#include "device_key.h"
#include "merge.h"
#include "../stats/summary.h"
#include "../base/json.h"
#include "result.h"
#include "record.h"
#include "../device/device_info.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// The first line of the file "store"; it changes with the form of a store.
static const char mark[] = "vkassay store 1\n";

// ---- folders

bool store_is(const char *path) {
    struct arena arena = {0};
    struct error ignored;
    size_t length = 0;
    const char *name = arena_format(&arena, "%s/store", path);
    const char *found = file_exists(name) ? file_read(&arena, name, &length, &ignored) : NULL;
    bool is = found && strcmp(found, mark) == 0;
    arena_free(&arena);
    return is;
}

static bool begin_store(const char *store, struct error *err) {
    struct arena arena = {0};
    DIR *folder = opendir(store);
    static const char half[] = "store.part-"; // the first line that another host may be about to write
    bool any = false;                         // whether a file belongs to no store; hidden ones do not count
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        any |= entry->d_name[0] != '.' && strncmp(entry->d_name, half, strlen(half)) != 0;
    if (folder) closedir(folder);
    bool ok =
        store_is(store) || (any ? error_set(err, STATUS_BAD_INPUT, "%s: not a store, and it holds other files", store)
                                : file_make_folder(store, err) &&
                                       file_write(arena_format(&arena, "%s/store", store), mark, strlen(mark), err));
    arena_free(&arena);
    return ok;
}

bool store_devices(struct arena *arena, const char *store, char ***devices, size_t *count, struct error *err) {
    size_t capacity = 0;
    *devices = NULL;
    *count = 0;
    if (!store_is(store)) return error_set(err, STATUS_BAD_INPUT, "%s: expected a store (`vkassay store add`)", store);
    DIR *folder = opendir(store);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (entry->d_name[0] == '.' || !file_exists(arena_format(arena, "%s/%s/runs", store, entry->d_name))) continue;
        *devices = arena_grow(arena, *devices, *count, &capacity, sizeof **devices);
        (*devices)[(*count)++] = arena_copy(arena, entry->d_name);
    }
    if (folder) closedir(folder);
    if (*count) qsort(*devices, *count, sizeof **devices, file_by_bytes);
    return true;
}

// Locks the device's lists for this process, and returns the descriptor of the lock; -1 with err.
static int lock(const char *folder, struct error *err) {
    struct arena arena = {0};
    int fd = open(arena_format(&arena, "%s/lock", folder), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (fd < 0 || flock(fd, LOCK_EX) != 0) {
        error_set(err, STATUS_FAULT, "%s: cannot be locked: %s", folder, strerror(errno));
        if (fd >= 0) close(fd);
        fd = -1;
    }
    arena_free(&arena);
    return fd;
}

// ---- reading the lists

static const char unit_word[] = "unit="; // before the seventh field of a run

// Takes the next field of a line, ended by a tab or the line's end; NULL: there is none.
static char *next_field(char **at) {
    char *field = *at;
    if (!field) return NULL;
    char *tab = strchr(field, '\t');
    if (tab) *tab = '\0';
    *at = tab ? tab + 1 : NULL;
    return field;
}

static bool fail_line(const char *path, size_t line, const char *what, struct error *err) {
    return error_set(err, STATUS_BAD_INPUT, "%s:%zu: %s", path, line, what);
}

// Reads a point's number, median and interval, "12:3.5:3.4:3.6"; "12:" if it was not right.
static bool read_time(struct store_series *s, const char *text, struct store_time *out) {
    char *end;
    unsigned long point = strtoul(text, &end, 10);
    if (end == text || *end != ':' || point >= s->point_count) return false;
    *out = (struct store_time){.run = (uint32_t)s->run_count, .point = (uint32_t)point};
    if (!end[1]) return true;
    out->median = strtod(end + 1, &end);
    if (*end != ':') return false;
    out->lo = strtod(end + 1, &end);
    if (*end != ':') return false;
    out->hi = strtod(end + 1, &end);
    return *end == '\0' && out->median > 0 && isfinite(out->median) && isfinite(out->lo) && isfinite(out->hi);
}

static bool read_run(
    struct store_series *s, char *line, bool times, const char *path, size_t number, struct error *err) {
    struct store_run run = {0};
    struct store_time time;
    const char **const fields[] = {&run.file, &run.started, &run.suite, &run.seed, &run.driver, &run.git};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!(*fields[i] = next_field(&line))) return fail_line(path, number, "expected six fields of a run", err);
    if (strstr(run.file, "..") || *run.file == '/')
        return fail_line(path, number, "expected a file of this folder", err);
    const bool has_unit = line && strncmp(line, unit_word, strlen(unit_word)) == 0;
    run.unit = has_unit ? next_field(&line) + strlen(unit_word) : "";
    run.times = line && !times ? line : "";
    if (!times) run.points = line ? 1 : 0;
    for (const char *at = run.times; (at = strchr(at, '\t')); at++) run.points++;
    for (char *field; times && (field = next_field(&line));) {
        run.points++;
        if (!read_time(s, field, &time)) return fail_line(path, number, "expected NUMBER:MEDIAN:LO:HI of a point", err);
        s->times = arena_grow(&s->arena, s->times, s->time_count, &s->time_capacity, sizeof *s->times);
        s->times[s->time_count++] = time;
    }
    s->runs = arena_grow(&s->arena, s->runs, s->run_count, &s->run_capacity, sizeof *s->runs);
    s->runs[s->run_count++] = run;
    return true;
}

static void read_points(struct store_series *s, char *text) {
    for (char *end; (end = strchr(text, '\n')); text = end + 1) {
        *end = '\0';
        s->points = arena_grow(&s->arena, s->points, s->point_count, &s->point_capacity, sizeof *s->points);
        s->points[s->point_count++] = text;
    }
}

// Lists the units. Runs of an older store are of the only known unit, if there is one.
static void find_units(struct store_series *s) {
    struct names names = {0};
    const char *known = NULL;
    size_t count = 0;
    for (size_t i = 0; i < s->run_count; i++) {
        const char *unit = s->runs[i].unit;
        if (!*unit || names_put(&names, unit, strlen(unit), count) < count) continue;
        known = unit;
        count++;
    }
    names_free(&names);
    s->units = arena_alloc(&s->arena, s->run_count + 1, sizeof *s->units);
    for (size_t i = 0; i < s->run_count; i++) {
        struct store_run *run = &s->runs[i];
        if (count == 1) run->unit = known;
        if (names_put(&names, run->unit, strlen(run->unit), s->unit_count) == s->unit_count)
            s->units[s->unit_count++] = run->unit;
    }
    names_free(&names);
}

// Reads both lists. A last line without its end was cut short by a full disk or a crash; that run is ignored.
static bool read_lists(struct store_series *s, bool times, struct error *err) {
    const char *points = arena_format(&s->arena, "%s/points", s->folder);
    const char *runs = arena_format(&s->arena, "%s/runs", s->folder);
    char *text = file_exists(points) ? file_read(&s->arena, points, NULL, err) : arena_copy(&s->arena, "");
    size_t number = 1;
    if (!text) return false;
    read_points(s, text);
    if (!file_exists(runs)) return true;
    if (!(text = file_read(&s->arena, runs, NULL, err))) return false;
    for (char *end; (end = strchr(text, '\n')); text = end + 1, number++) {
        *end = '\0';
        if (!read_run(s, text, times, runs, number, err)) return false;
    }
    find_units(s);
    return true;
}

bool store_read(const char *store, const char *device, bool times, struct store_series *out, struct error *err) {
    *out = (struct store_series){0};
    out->device = arena_copy(&out->arena, device);
    out->folder = arena_format(&out->arena, "%s/%s", store, device);
    if (read_lists(out, times, err)) return true;
    store_series_free(out);
    return false;
}

void store_series_free(struct store_series *series) {
    arena_free(&series->arena);
    *series = (struct store_series){0};
}

// ---- adding

// Replaces control characters of a field, because a tab or line end would end it.
static const char *field_of(struct arena *arena, const char *text) {
    char *field = arena_copy(arena, text ? text : "");
    for (char *c = field; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f) *c = ' ';
    return field;
}

static bool append(const char *path, const struct text *text, struct error *err) {
    int fd = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0666);
    bool ok = fd >= 0;
    for (size_t done = 0; ok && done < text->length;) {
        ssize_t n = write(fd, text_str(text) + done, text->length - done);
        ok = n > 0 || (n < 0 && errno == EINTR);
        if (n > 0) done += (size_t)n;
    }
    if (fd >= 0) ok = close(fd) == 0 && ok;
    return ok || error_set(err, STATUS_FAULT, "%s: cannot be written: %s", path, strerror(errno));
}

// Makes the times of a run's line, each behind a tab, and the names still missing in the list of points.
static void put_times(struct store_series *s, const struct result *result, struct text *line, struct text *fresh) {
    struct names names = {0};
    for (size_t i = 0; i < s->point_count; i++) names_put(&names, s->points[i], strlen(s->points[i]), i);
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        const struct summary *time = &record->time[FIGURE_COMPUTE];
        const bool timed = record_is_timed(record);
        if (record->status == RECORD_SKIP || (record->status == RECORD_PASS && !timed)) continue;
        const char *name = field_of(&s->arena, record->name);
        size_t number = names_put(&names, name, strlen(name), s->point_count);
        if (number == s->point_count) {
            text_format(fresh, "%s\n", name);
            s->point_count++;
        }
        if (timed)
            text_format(line, "\t%zu:%.7g:%.7g:%.7g", number, time->median, time->lo, time->hi);
        else
            text_format(line, "\t%zu:", number);
    }
    names_free(&names);
}

// Copies a result without raw samples.
static bool copy_result(const char *from, const char *to, struct error *err) {
    struct merge merge = {0};
    struct json_object *run = NULL;
    bool ok =
        merge_add(&merge, from, &run, err) && merge_write(&merge, to, json_get_double(run, "wall_s", 0), true, err);
    json_object_put(run);
    merge_free(&merge);
    return ok;
}

// Returns whether the run is stored. Its times are compared too, because two devices may have begun in one second and
// may not be told apart by their unit.
static bool has_run(const struct store_series *s, const struct store_run *run) {
    for (size_t i = 0; i < s->run_count; i++) {
        const struct store_run *other = &s->runs[i];
        const bool unit = !*other->unit || strcmp(other->unit, run->unit) == 0;
        if (unit && strcmp(other->started, run->started) == 0 && strcmp(other->suite, run->suite) == 0 &&
            strcmp(other->seed, run->seed) == 0 && strcmp(other->driver, run->driver) == 0 &&
            strcmp(other->git, run->git) == 0 && strcmp(other->times, run->times) == 0)
            return true;
    }
    return false;
}

static bool add_run(
    struct store_series *s, const struct result *result, const char *path, bool *added, struct error *err) {
    struct json_object *run = json_get(result->context, "run"), *tool = json_get(result->context, "tool");
    struct store_run entry = {.started = field_of(&s->arena, json_get_string(run, "started", "unknown")),
        .suite = field_of(&s->arena, result_suite(&s->arena, result, "")),
        .seed = field_of(&s->arena, json_get_string(run, "seed", "")),
        .driver = field_of(&s->arena, result->device->driver_info),
        .git = field_of(&s->arena, json_get_string(tool, "git", "")),
        .unit = field_of(&s->arena, device_unit(&s->arena, device_key(result->device, result->context)))};
    struct text line = {0}, times = {0}, fresh = {0};
    put_times(s, result, &times, &fresh);
    entry.times = times.length ? text_str(&times) + 1 : ""; // behind the tab
    *added = !has_run(s, &entry);
    const char *driver = file_slug(&s->arena, result->device->driver_info);
    const char *name = arena_format(&s->arena, "%s-%s-%s-%s", entry.started, entry.suite, entry.git, entry.seed);
    entry.file = arena_format(&s->arena, "%s/%s-%zu.json", driver, file_slug(&s->arena, name), s->run_count);
    text_format(&line, "%s\t%s\t%s\t%s\t%s\t%s\t%s%s%s\n", entry.file, entry.started, entry.suite, entry.seed,
        entry.driver, entry.git, unit_word, entry.unit, text_str(&times));
    // The run's line is written last, so an interrupted addition leaves no run.
    bool ok = !*added || (file_make_folder(arena_format(&s->arena, "%s/%s", s->folder, driver), err) &&
                             copy_result(path, arena_format(&s->arena, "%s/%s", s->folder, entry.file), err) &&
                             append(arena_format(&s->arena, "%s/points", s->folder), &fresh, err) &&
                             append(arena_format(&s->arena, "%s/runs", s->folder), &line, err));
    text_free(&line);
    text_free(&times);
    text_free(&fresh);
    return ok;
}

bool store_add(const char *store, const char *result_path, bool *added, struct error *err) {
    struct arena arena = {0};
    struct result result;
    struct store_series series = {0};
    if (!begin_store(store, err) || !result_read_compute(result_path, &result, err)) return false;
    const char *device = file_slug(&arena, result.device->name);
    const char *folder = arena_format(&arena, "%s/%s", store, device);
    int fd = file_make_folder(folder, err) ? lock(folder, err) : -1;
    bool ok =
        fd >= 0 && store_read(store, device, false, &series, err) && add_run(&series, &result, result_path, added, err);
    if (fd >= 0) close(fd);
    store_series_free(&series);
    result_free(&result);
    arena_free(&arena);
    return ok;
}

// ---- pruning

static int newest_first(const void *a, const void *b) {
    const struct store_run *x = *(struct store_run *const *)a, *y = *(struct store_run *const *)b;
    int order = strcmp(x->unit, y->unit);
    if (!order) order = strcmp(x->driver, y->driver);
    if (!order) order = strcmp(x->suite, y->suite);
    if (!order) order = strcmp(y->started, x->started);
    return order ? order : (x < y) - (x > y); // within one second, the one added last
}

static size_t choose_gone(struct store_series *s, size_t keep, const char *before) {
    struct store_run **order = arena_alloc(&s->arena, s->run_count + 1, sizeof *order);
    size_t gone = 0, place = 0;
    for (size_t i = 0; i < s->run_count; i++) order[i] = &s->runs[i];
    if (s->run_count) qsort(order, s->run_count, sizeof *order, newest_first);
    for (size_t i = 0; i < s->run_count; i++) {
        const bool same = i && strcmp(order[i]->unit, order[i - 1]->unit) == 0 &&
                          strcmp(order[i]->driver, order[i - 1]->driver) == 0 &&
                          strcmp(order[i]->suite, order[i - 1]->suite) == 0;
        place = same ? place + 1 : 0;
        order[i]->gone = (keep && place >= keep) || (before && strcmp(order[i]->started, before) < 0);
        gone += order[i]->gone;
    }
    return gone;
}

// Writes the list without their lines, then removes their files.
static bool remove_gone(struct store_series *s, struct error *err) {
    const char *path = arena_format(&s->arena, "%s/runs", s->folder);
    char *text = file_read(&s->arena, path, NULL, err);
    struct file_out *out = text ? file_begin(path, err) : NULL;
    if (!out) return false;
    size_t i = 0;
    for (char *end; (end = strchr(text, '\n')); text = end + 1, i++)
        if (i < s->run_count && !s->runs[i].gone) file_put(out, text, (size_t)(end + 1 - text));
    if (!file_finish(out, true, err)) return false;
    for (i = 0; i < s->run_count; i++)
        if (s->runs[i].gone) unlink(arena_format(&s->arena, "%s/%s", s->folder, s->runs[i].file));
    return true;
}

bool store_prune(
    const char *store, const char *device, size_t keep, const char *before, size_t *removed, struct error *err) {
    struct arena arena = {0};
    struct store_series series = {0};
    const char *folder = arena_format(&arena, "%s/%s", store, device);
    int fd = lock(folder, err);
    bool ok = fd >= 0 && store_read(store, device, false, &series, err);
    *removed = ok ? choose_gone(&series, keep, before) : 0;
    ok = ok && (!*removed || remove_gone(&series, err));
    if (fd >= 0) close(fd);
    store_series_free(&series);
    arena_free(&arena);
    return ok;
}
