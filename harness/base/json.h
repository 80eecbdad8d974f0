// SPDX-License-Identifier: Apache-2.0
// JSON on top of json-c. Reading gives errors with the file and the JSON path; writing uses the C locale.
//
// Readers of untrusted files follow a `struct json_at`: a value and its path. A getter that fails fills err with
// "FILE: $.cases[3].dims: expected an object, found a string" and STATUS_BAD_INPUT.
#ifndef VKASSAY_BASE_JSON_H
#define VKASSAY_BASE_JSON_H

#include "arena.h"
#include "error.h"
#include "text.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_at {
    struct json_object *value; // borrowed; NULL for JSON null and for an absent optional member
    const char *file;
    void *reading;  // whatever else the readers of this document need; NULL: nothing
    char path[200]; // "$.cases[3].dims"
};

// Parses a whole file. The caller releases the value with json_object_put. On failure, returns NULL with the file,
// the line and the parser's reason in err. Text after the value is an error, and so is null.
struct json_object *json_read(const char *path, struct error *err);

// Parses exactly one JSON value in UTF-8 with optional white space around it; returns NULL for anything else and for
// null.
struct json_object *json_parse(const char *bytes, size_t length);

// Serialises a value (two-space indent if pretty) in the C locale and writes the file atomically.
bool json_write(const char *path, struct json_object *value, bool pretty, struct error *err);

struct text;
// Write a document with a long list as its last member, item by item, with only one item in memory. Each call
// releases the value passed to it. `head` needs at least one member; `put` counts the items so far.
void json_begin_list(struct text *out, struct json_object *head, const char *key);
void json_put_item(struct text *out, struct json_object *item, size_t *put);
void json_end_list(struct text *out, size_t put);

// Appends a value in one of json-c's layouts and releases it. Slashes are not escaped.
void json_put_text(struct text *out, struct json_object *value, int layout);
// Prints a value indented, with a line break, and releases it.
void json_print(struct json_object *value, FILE *out);

struct json_at json_root(struct json_object *value, const char *file);

// Finds a member of an object. If it is `optional` and absent, its value is NULL and the result is true.
bool json_member(const struct json_at *object, const char *key, bool optional, struct json_at *out, struct error *err);

// Finds members of one object. This is faster if they are asked for in their order there. *last, the member
// found last, is NULL at first.
bool json_next_member(const struct json_at *object, const char *key, bool optional, struct lh_entry **last,
    struct json_at *out, struct error *err);
bool json_item(const struct json_at *array, size_t index, struct json_at *out, struct error *err);
size_t json_count(const struct json_at *array); // items of an array, members of an object, otherwise 0

// Checks the type of a value; the error names the expected and the actual one.
bool json_expect(const struct json_at *at, enum json_type type, struct error *err);
bool json_fail(const struct json_at *at, struct error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Read a value. Strings are copied into the arena, integers must be in [low, high], and numbers must be finite.
bool json_string(const struct json_at *at, struct arena *arena, const char **out, struct error *err);
bool json_integer(const struct json_at *at, int64_t low, int64_t high, int64_t *out, struct error *err);
bool json_number(const struct json_at *at, double *out, struct error *err);
bool json_boolean(const struct json_at *at, bool *out, struct error *err);

// Returns whether every member is among the NULL-terminated `keys`; the error suggests the nearest key.
bool json_only(const struct json_at *object, const char *const *keys, struct error *err);

// Returns a JSON number. Non-finite numbers become null, because files hold no NaN; the record has the reason.
struct json_object *json_double(double value);
void json_put(struct json_object *object, const char *key, struct json_object *value); // takes `value` over
void json_put_string(struct json_object *object, const char *key, const char *value);  // NULL becomes null
void json_put_int(struct json_object *object, const char *key, int64_t value);
void json_put_double(struct json_object *object, const char *key, double value);
void json_put_bool(struct json_object *object, const char *key, bool value);

// Read our own records leniently: an absent member, null or another type gives the default.
double json_get_double(struct json_object *object, const char *key, double otherwise);
int64_t json_get_int(struct json_object *object, const char *key, int64_t otherwise);
bool json_get_bool(struct json_object *object, const char *key, bool otherwise);
const char *json_get_string(struct json_object *object, const char *key, const char *otherwise); // borrowed
struct json_object *json_get(struct json_object *object, const char *key); // borrowed or NULL; object may be NULL

// ---- an object with one long list, read item by item. Memory is needed only for the largest item.

// Arrays of numbers within an item to count instead of reading: ITEM.outer.X.key for every X except `except` (may be
// NULL). A member `count_key` with the number replaces each of them.
struct json_passed {
    const char *outer, *key, *except, *count_key;
};

// One item. All of it belongs to the reader.
struct json_met {
    struct json_at at; // "$.records[3]"
    const char *bytes; // as in the file
    size_t length;
    uint64_t offset;            // in the file's content
    struct json_object *before; // the outermost object's members before the list; borrowed
    bool line;                  // a line after the object, not an item of the list
};

struct json_list {
    const char *key;                                                          // of the list in the outermost object
    const struct json_passed *passed;                                         // NULL: everything is read
    bool (*take)(void *user, const struct json_met *item, struct error *err); // false ends the reading
    void *user;
    bool lines; // items may instead be lines after the object, as in a journal
};

// Passes every item to list->take in the file's order. Returns the outermost object, with an empty list. If the
// member is not an array, it is returned as it is. Errors name the file and the line, as with json_read. The file may
// have any size, a value at most FILE_IN_WHOLE bytes. A torn last line, which has no end, is skipped.
struct json_object *json_read_list(const char *path, const struct json_list *list, struct error *err);

// Appends an object's text in one line, without such arrays.
void json_put_without(struct text *out, const char *bytes, size_t length, const struct json_passed *passed);

#endif
