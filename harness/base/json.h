// SPDX-License-Identifier: Apache-2.0
// JSON over json-c: reading with errors that name the file and the JSON path, writing in the C locale.
//
// Readers of hostile files walk a `struct json_at`: the value and the path that led to it. A getter that fails fills
// err with "FILE: $.cases[3].dims: expected an object, found a string" and STATUS_BAD_INPUT.
#ifndef VKASSAY_BASE_JSON_H
#define VKASSAY_BASE_JSON_H

#include "arena.h"
#include "error.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_at {
    struct json_object *value; // borrowed; NULL for JSON null and for an absent optional member
    const char *file;
    char path[200]; // "$.cases[3].dims"
};

// Parses a whole file. The caller releases the returned value with json_object_put. NULL with the file, line and
// the parser's reason in err; text after the value is an error, and so is null.
struct json_object *json_read(const char *path, struct error *err);

// Exactly one JSON value in UTF-8, with white space around it at most; otherwise NULL. JSON's null is NULL too.
struct json_object *json_parse(const char *bytes, size_t length);

// Serialises (two-space indent when pretty) and writes the file atomically. Numbers in the C locale.
bool json_write(const char *path, struct json_object *value, bool pretty, struct error *err);

// Appends a value, indented by so many blanks behind each line break; strings have no line breaks of their own. False
// when memory is out.
struct text;
bool json_put_indented(struct text *out, struct json_object *value, int blanks);

// Writes a document whose last member is a long list, item by item: only one item is in memory. Each call releases the
// value that it is given. `head` has at least one member; `put` counts the items so far.
void json_begin_list(struct text *out, struct json_object *head, const char *key);
void json_put_item(struct text *out, struct json_object *item, size_t *put);
void json_end_list(struct text *out, size_t put);

// Appends a value in one of json-c's layouts, and releases it; slashes stand for themselves.
void json_put_text(struct text *out, struct json_object *value, int layout);
// The same, indented, and a line break.
void json_print(struct json_object *value, FILE *out);

struct json_at json_root(struct json_object *value, const char *file);

// A member of an object. `optional`: an absent member gives value NULL and true.
bool json_member(const struct json_at *object, const char *key, bool optional, struct json_at *out, struct error *err);
bool json_item(const struct json_at *array, size_t index, struct json_at *out, struct error *err);
size_t json_count(const struct json_at *array); // items of an array, members of an object, otherwise 0

// Checks of kind; each says what was expected and found.
bool json_expect(const struct json_at *at, enum json_type type, struct error *err);
bool json_fail(const struct json_at *at, struct error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Values: the string is copied into the arena. Integers must lie in [low, high]. Numbers must be finite.
bool json_string(const struct json_at *at, struct arena *arena, const char **out, struct error *err);
bool json_integer(const struct json_at *at, int64_t low, int64_t high, int64_t *out, struct error *err);
bool json_number(const struct json_at *at, double *out, struct error *err);
bool json_boolean(const struct json_at *at, bool *out, struct error *err);

// Every member of the object must be among the NULL-terminated `keys`; otherwise the nearest is suggested.
bool json_only(const struct json_at *object, const char *const *keys, struct error *err);

// Writing: a number that is not finite becomes null (files hold no NaN; the record carries the reason).
struct json_object *json_double(double value);
void json_put(struct json_object *object, const char *key, struct json_object *value); // takes `value` over
void json_put_string(struct json_object *object, const char *key, const char *value);  // NULL becomes null
void json_put_int(struct json_object *object, const char *key, int64_t value);
void json_put_double(struct json_object *object, const char *key, double value);
void json_put_bool(struct json_object *object, const char *key, bool value);

// Lenient reading of our own records: a default when the member is absent, null or of another type.
double json_get_double(struct json_object *object, const char *key, double otherwise);
int64_t json_get_int(struct json_object *object, const char *key, int64_t otherwise);
bool json_get_bool(struct json_object *object, const char *key, bool otherwise);
const char *json_get_string(struct json_object *object, const char *key, const char *otherwise); // borrowed
struct json_object *json_get(struct json_object *object, const char *key); // borrowed or NULL; object may be NULL

#endif
