// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include "file.h"
#include "json_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1 << 20 };
#define SPACE " \t\r\n"

// The part of a file in memory: bytes [start, end) are not yet read.
struct window {
    const char *path;
    struct file_in *in;
    bool whole; // nothing follows after `end`
    char *bytes;
    size_t start, end, room;
    uint64_t offset; // of bytes[0] in the content
    size_t line;     // the line of bytes[0]
};

static size_t lines_in(const char *bytes, size_t length) {
    size_t lines = 0;
    if (!length) return 0; // `bytes` may be NULL then
    for (const char *at = bytes, *end = bytes + length; (at = memchr(at, '\n', (size_t)(end - at))); at++) lines++;
    return lines;
}

static size_t line_at(const struct window *w, size_t index) {
    return w->line + lines_in(w->bytes, index);
}

static bool fail_here(const struct window *w, const char *what, struct error *err) {
    return error_set(err, STATUS_BAD_INPUT, "%s:%zu: %s", w->path, line_at(w, w->start), what);
}

static bool fail_short(const struct window *w, struct error *err) {
    return error_set(err, STATUS_BAD_INPUT, "%s:%zu: not JSON: expected more JSON, found the end of the file", w->path,
        line_at(w, w->end));
}

// ---- the window

static bool make_room(struct window *w, struct error *err) {
    w->line += lines_in(w->bytes, w->start);
    w->offset += w->start;
    if (w->start) memmove(w->bytes, w->bytes + w->start, w->end - w->start);
    w->end -= w->start;
    w->start = 0;
    if (w->end < w->room) return true;
    if (w->room >= FILE_IN_WHOLE) return fail_here(w, "a value above 256 MiB is not read", err);
    size_t room = w->room ? w->room * 2 : FIRST_ROOM;
    char *wider = realloc(w->bytes, room);
    if (!wider) return error_set(err, STATUS_FAULT, "%s: out of memory for a value of %zu bytes", w->path, w->room);
    w->bytes = wider;
    w->room = room;
    return true;
}

// Reads more of the file. Returns false on an error; at the end of the file `whole` is set.
static bool fill(struct window *w, struct error *err) {
    if (!make_room(w, err)) return false;
    size_t got, wanted = w->room - w->end;
    if (!file_in_read(w->in, w->bytes + w->end, wanted, &got, err)) return false;
    w->whole = got < wanted;
    w->end += got;
    return true;
}

// Stores the next byte in *next, skipping white space, or '\0' at the end of the file. The byte stays unread.
static bool peek(struct window *w, char *next, struct error *err) {
    for (;; w->start++) {
        if (w->start == w->end && !w->whole && !fill(w, err)) return false;
        *next = w->bytes && w->start < w->end ? w->bytes[w->start] : '\0';
        if (w->start == w->end || !(*next && strchr(SPACE, *next))) return true;
    }
}

// ---- values

// Reads the value at the start, and widens the window to contain all of it. The caller owns *out, and moves the start
// behind *length bytes.
static bool read_value(
    struct window *w, const struct json_passed *passed, struct json_object **out, size_t *length, struct error *err) {
    char ignored;
    if (!peek(w, &ignored, err)) return false;
    if (w->start == w->end) return fail_short(w, err);
    for (;;) {
        struct json_text text = {
            .bytes = w->bytes + w->start, .length = w->end - w->start, .deepest = JSON_DEEPEST_ITEM, .passed = passed};
        bool ok = json_parse_value(&text, out);
        *length = text.end;
        if (ok && (*length < text.length || w->whole)) return true;
        if (ok) json_object_put(*out); // a number may continue
        if (!ok && (w->whole || text.fault != json_goes_on))
            return error_set(
                err, STATUS_BAD_INPUT, "%s:%zu: not JSON: %s", w->path, line_at(w, w->start + text.end), text.fault);
        if (!fill(w, err)) return false;
    }
}

static bool read_key(struct window *w, struct json_object **key, struct error *err) {
    size_t length;
    char first;
    if (!peek(w, &first, err)) return false;
    if (w->start < w->end && first != '"') return fail_here(w, "not JSON: expected the quoted name of a member", err);
    if (!read_value(w, NULL, key, &length, err)) return false;
    w->start += length;
    if (!peek(w, &first, err)) return false;
    if (w->start == w->end) return fail_short(w, err);
    if (first != ':') return fail_here(w, "not JSON: expected a colon after the name of a member", err);
    w->start++;
    return true;
}

// Reads the separator after an item or a member: sets *more for a comma, and clears it for `close`.
static bool read_on(struct window *w, char close, bool *more, struct error *err) {
    char next;
    if (!peek(w, &next, err)) return false;
    if (w->start == w->end) return fail_short(w, err);
    if (next != ',' && next != close)
        return fail_here(w, close == ']' ? "not JSON: expected ',' or ']'" : "not JSON: expected ',' or '}'", err);
    w->start++;
    *more = next == ',';
    return true;
}

// Hands the item at the start to its reader; `at` is its JSON path.
static bool hand_over(
    struct window *w, const struct json_list *list, const char *at, struct json_object *before, struct error *err) {
    struct json_object *item = NULL;
    size_t length;
    if (!read_value(w, list->passed, &item, &length, err)) return false;
    struct json_met met = {.at = json_root(item, w->path),
        .bytes = w->bytes + w->start,
        .length = length,
        .offset = w->offset + w->start,
        .before = before,
        .line = *at != '$'};
    snprintf(met.at.path, sizeof met.at.path, "%s", at);
    bool ok = list->take(list->user, &met, err);
    json_object_put(item);
    w->start += length;
    return ok;
}

static bool read_items(struct window *w, const struct json_list *list, struct json_object *before, struct error *err) {
    char first;
    bool more = true;
    w->start++; // '['
    if (!peek(w, &first, err)) return false;
    if (w->start < w->end && first == ']') more = (w->start++, false);
    for (size_t i = 0; more; i++) {
        char at[180];
        snprintf(at, sizeof at, "$.%.150s[%zu]", list->key, i);
        if (!hand_over(w, list, at, before, err) || !read_on(w, ']', &more, err)) return false;
    }
    return true;
}

// Skips white space and adds its line breaks to *line.
static bool skip_space(struct window *w, size_t *line, struct error *err) {
    for (;; w->start++) {
        if (w->start == w->end && !w->whole && !fill(w, err)) return false;
        if (w->start == w->end || !w->bytes[w->start] || !strchr(SPACE, w->bytes[w->start])) return true;
        *line += w->bytes[w->start] == '\n';
    }
}

// Reads the items behind the object, one a line. A torn last line is no item.
static bool read_lines(struct window *w, const struct json_list *list, struct json_object *before, struct error *err) {
    size_t line = line_at(w, w->start), last = line;
    char at[40];
    for (;; last = line) {
        if (!skip_space(w, &line, err)) return false;
        if (w->start == w->end) return true;
        while (!memchr(w->bytes + w->start, '\n', w->end - w->start)) {
            if (w->whole) return true; // the line has no end, because its writer was killed
            if (!fill(w, err)) return false;
        }
        if (line == last) return fail_here(w, "not JSON: expected the end of the line after the JSON value", err);
        snprintf(at, sizeof at, "line %zu: $", line);
        if (!hand_over(w, list, at, before, err)) return false;
    }
}

static bool read_member(
    struct window *w, const struct json_list *list, const char *key, struct json_object *object, struct error *err) {
    char first;
    if (!peek(w, &first, err)) return false;
    if (json_object_object_get_ex(object, key, NULL))
        return error_set(err, STATUS_BAD_INPUT, "%s: $: the member \"%s\" occurs twice", w->path, key);
    if (strcmp(key, list->key) == 0 && w->start < w->end && first == '[') {
        json_put(object, key, json_object_new_array());
        return read_items(w, list, object, err);
    }
    struct json_object *value = NULL;
    size_t length;
    if (!read_value(w, NULL, &value, &length, err)) return false;
    json_put(object, key, value);
    w->start += length;
    return true;
}

static bool read_members(
    struct window *w, const struct json_list *list, struct json_object *object, struct error *err) {
    char first;
    bool more = true;
    w->start++; // '{'
    if (!peek(w, &first, err)) return false;
    if (w->start < w->end && first == '}') more = (w->start++, false);
    while (more) {
        struct json_object *key = NULL;
        bool ok = read_key(w, &key, err) && read_member(w, list, json_object_get_string(key), object, err) &&
                  read_on(w, '}', &more, err);
        json_object_put(key);
        if (!ok) return false;
    }
    return true;
}

// ---- the file

// Refuses a root that is not an object.
static bool fail_other(struct window *w, char first, struct error *err) {
    struct json_object *value = NULL;
    size_t length;
    if (first == '[') return error_set(err, STATUS_BAD_INPUT, "%s: $: expected object, found array", w->path);
    if (!read_value(w, NULL, &value, &length, err)) return false;
    struct json_at root = json_root(value, w->path);
    json_expect(&root, json_type_object, err);
    json_object_put(value);
    return false;
}

static bool read_whole(struct window *w, const struct json_list *list, struct json_object *object, struct error *err) {
    char next;
    if (!peek(w, &next, err)) return false;
    if (w->start == w->end) return fail_short(w, err);
    if (next != '{') return fail_other(w, next, err);
    if (!read_members(w, list, object, err)) return false;
    if (list->lines && !json_object_object_get_ex(object, list->key, NULL)) return read_lines(w, list, object, err);
    if (!peek(w, &next, err)) return false;
    return w->start == w->end || fail_here(w, "not JSON: expected the end of the file after the JSON value", err);
}

struct json_object *json_read_list(const char *path, const struct json_list *list, struct error *err) {
    struct window w = {.path = path, .in = file_in_open(path, err), .line = 1};
    struct json_object *object = json_object_new_object();
    bool ok = w.in && read_whole(&w, list, object, err);
    file_in_close(w.in);
    free(w.bytes);
    if (ok) return object;
    json_object_put(object);
    return NULL;
}
