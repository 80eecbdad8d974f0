// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include "file.h"
#include "json_parse.h"
#include "memory.h"
#include "text.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static size_t line_of(const char *bytes, size_t offset) {
    size_t line = 1;
    for (size_t i = 0; i < offset; i++) line += bytes[i] == '\n';
    return line;
}

// Parses exactly one value with optional white space around it. JSON's null is NULL without a fault.
static struct json_object *parse(const char *bytes, size_t length, const char **fault, size_t *line) {
    const size_t start = json_space_end(bytes, length, 0);
    struct json_text text = {.bytes = bytes + start, .length = length - start, .deepest = JSON_DEEPEST};
    struct json_object *value;
    if (json_parse_value(&text, &value)) {
        text.end = json_space_end(text.bytes, text.length, text.end);
        if (text.end < text.length) text.fault = "expected the end of the file after the JSON value";
    }
    *fault = text.fault;
    if (!text.fault) return value;
    *line = line_of(bytes, start + text.end);
    json_object_put(value);
    return NULL;
}

struct json_object *json_read(const char *path, struct error *err) {
    struct arena arena = {0};
    size_t length = 0, line = 0;
    const char *fault = NULL;
    char *bytes = file_in_whole(&arena, path, &length, err);
    struct json_object *value = bytes ? parse(bytes, length, &fault, &line) : NULL;
    if (fault)
        error_set(err, STATUS_BAD_INPUT, "%s:%zu: not JSON: %s", path, line, fault);
    else if (bytes && !value)
        error_set(err, STATUS_BAD_INPUT, "%s: $: expected object, found null", path);
    arena_free(&arena);
    return value;
}

struct json_object *json_parse(const char *bytes, size_t length) {
    const char *fault;
    size_t line;
    return parse(bytes, length, &fault, &line);
}

bool json_write(const char *path, struct json_object *value, bool pretty, struct error *err) {
    int flags = pretty ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED : JSON_C_TO_STRING_PLAIN;
    size_t length = 0;
    const char *string = json_object_to_json_string_length(value, flags | JSON_C_TO_STRING_NOSLASHESCAPE, &length);
    if (!string) return error_set(err, STATUS_FAULT, "%s: out of memory", path);
    return file_write(path, string, length, err);
}

// Appends a value, indented by `blanks` after each line break. Strings have no line breaks of their own.
static void put_indented(struct text *out, struct json_object *value, int blanks) {
    const char *text = json_object_to_json_string_ext(
        value, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE);
    if (!text) memory_out(1, 1);
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        text_append_n(out, text, (size_t)(end + 1 - text));
        text_format(out, "%*s", blanks, "");
    }
    text_append(out, text);
}

void json_begin_list(struct text *out, struct json_object *head, const char *key) {
    struct text text = {0};
    put_indented(&text, head, 0);
    text_append_n(out, text_str(&text), text.length - strlen("\n}"));
    text_format(out, ",\n  \"%s\": [", key);
    text_free(&text);
    json_object_put(head);
}

void json_put_item(struct text *out, struct json_object *item, size_t *put) {
    text_append(out, (*put)++ ? ",\n    " : "\n    ");
    put_indented(out, item, 4);
    json_object_put(item);
}

void json_end_list(struct text *out, size_t put) {
    text_append(out, put ? "\n  ]\n}\n" : "]\n}\n");
}

void json_put_text(struct text *out, struct json_object *value, int layout) {
    text_append(out, json_object_to_json_string_ext(value, layout | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(value);
}

void json_print(struct json_object *value, FILE *out) {
    struct text text = {0};
    json_put_text(&text, value, JSON_C_TO_STRING_PRETTY);
    fprintf(out, "%s\n", text_str(&text));
    text_free(&text);
}

struct json_at json_root(struct json_object *value, const char *file) {
    return (struct json_at){.value = value, .file = file, .path = "$"};
}

bool json_fail(const struct json_at *at, struct error *err, const char *format, ...) {
    char what[1200];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return error_set(err, STATUS_BAD_INPUT, "%s: %s: %s", at->file, at->path, what);
}

bool json_expect(const struct json_at *at, enum json_type type, struct error *err) {
    enum json_type found = json_object_get_type(at->value);
    if (found == type) return true;
    return json_fail(at, err, "expected %s, found %s", json_type_to_name(type), json_type_to_name(found));
}

// Starts a path with at most `most` bytes of another. It must be fast because every member read has a path.
static char *path_start(struct json_at *out, const struct json_at *from, size_t most) {
    size_t length = strnlen(from->path, most);
    out->file = from->file;
    out->reading = from->reading;
    memcpy(out->path, from->path, length);
    return out->path + length;
}

bool json_next_member(const struct json_at *object, const char *key, bool optional, struct lh_entry **last,
    struct json_at *out, struct error *err) {
    if (!json_expect(object, json_type_object, err)) return false;
    char *end = path_start(out, object, 150);
    size_t length = strnlen(key, 40);
    *end = '.';
    memcpy(end + 1, key, length);
    end[length + 1] = '\0';
    struct lh_table *table = json_object_get_object(object->value);
    struct lh_entry *entry = *last ? lh_entry_next(*last) : lh_table_head(table);
    if (!entry || strcmp(lh_entry_k(entry), key) != 0) entry = lh_table_lookup_entry(table, key);
    out->value = entry ? lh_entry_v(entry) : NULL;
    if (entry) *last = entry;
    return entry || optional || json_fail(object, err, "expected a member \"%s\"", key);
}

bool json_member(const struct json_at *object, const char *key, bool optional, struct json_at *out, struct error *err) {
    struct lh_entry *last = NULL;
    return json_next_member(object, key, optional, &last, out, err);
}

bool json_item(const struct json_at *array, size_t index, struct json_at *out, struct error *err) {
    if (!json_expect(array, json_type_array, err)) return false;
    char *end = path_start(out, array, 170);
    if (index < 10)
        memcpy(end, (char[]){'[', (char)('0' + index), ']', '\0'}, 4);
    else
        snprintf(end, sizeof out->path - 170, "[%zu]", index);
    out->value = json_object_array_get_idx(array->value, index);
    return true;
}

size_t json_count(const struct json_at *at) {
    if (json_object_is_type(at->value, json_type_array)) return json_object_array_length(at->value);
    if (json_object_is_type(at->value, json_type_object)) return (size_t)json_object_object_length(at->value);
    return 0;
}

bool json_string(const struct json_at *at, struct arena *arena, const char **out, struct error *err) {
    if (!json_expect(at, json_type_string, err)) return false;
    const char *string = json_object_get_string(at->value);
    if (strlen(string) != (size_t)json_object_get_string_len(at->value))
        return json_fail(at, err, "a string may not hold a NUL character");
    *out = arena_copy(arena, string);
    return true;
}

bool json_integer(const struct json_at *at, int64_t low, int64_t high, int64_t *out, struct error *err) {
    if (!json_expect(at, json_type_int, err)) return false;
    int64_t value = json_object_get_int64(at->value);
    if (value < low || value > high)
        return json_fail(at, err, "expected an integer from %lld to %lld, found %s", (long long)low, (long long)high,
            json_object_get_string(at->value));
    *out = value;
    return true;
}

bool json_number(const struct json_at *at, double *out, struct error *err) {
    if (!json_object_is_type(at->value, json_type_int) && !json_expect(at, json_type_double, err)) return false;
    *out = json_object_get_double(at->value);
    return isfinite(*out) || json_fail(at, err, "expected a finite number");
}

bool json_boolean(const struct json_at *at, bool *out, struct error *err) {
    if (!json_expect(at, json_type_boolean, err)) return false;
    *out = json_object_get_boolean(at->value);
    return true;
}

bool json_only(const struct json_at *object, const char *const *keys, struct error *err) {
    if (!json_expect(object, json_type_object, err)) return false;
    size_t count = 0;
    while (keys[count]) count++;
    json_object_object_foreach(object->value, key, value) {
        (void)value;
        size_t i = 0;
        while (i < count && strcmp(keys[i], key) != 0) i++;
        if (i < count) continue;
        const char *near = text_nearest(key, keys, count);
        if (near) return json_fail(object, err, "unknown member \"%s\"; did you mean \"%s\"?", key, near);
        return json_fail(object, err, "unknown member \"%s\"", key);
    }
    return true;
}

struct json_object *json_double(double value) {
    if (!isfinite(value)) return NULL;
    struct text text = {0};
    text_number(&text, value);
    if (value == 0 && signbit(value)) text_append(&text, ".0"); // "-0" would be read as an integer, without its sign
    struct json_object *number = json_object_new_double_s(value, text_str(&text));
    text_free(&text);
    return number;
}

void json_put(struct json_object *object, const char *key, struct json_object *value) {
    json_object_object_add(object, key, value);
}

void json_put_string(struct json_object *object, const char *key, const char *value) {
    json_put(object, key, value ? json_object_new_string(value) : NULL);
}

void json_put_int(struct json_object *object, const char *key, int64_t value) {
    json_put(object, key, json_object_new_int64(value));
}

void json_put_double(struct json_object *object, const char *key, double value) {
    json_put(object, key, json_double(value));
}

void json_put_bool(struct json_object *object, const char *key, bool value) {
    json_put(object, key, json_object_new_boolean(value));
}

struct json_object *json_get(struct json_object *object, const char *key) {
    struct json_object *value = NULL;
    if (json_object_is_type(object, json_type_object)) json_object_object_get_ex(object, key, &value);
    return value;
}

double json_get_double(struct json_object *object, const char *key, double otherwise) {
    struct json_object *value = json_get(object, key);
    if (json_object_is_type(value, json_type_double) || json_object_is_type(value, json_type_int))
        return json_object_get_double(value);
    return otherwise;
}

int64_t json_get_int(struct json_object *object, const char *key, int64_t otherwise) {
    struct json_object *value = json_get(object, key);
    return json_object_is_type(value, json_type_int) ? json_object_get_int64(value) : otherwise;
}

bool json_get_bool(struct json_object *object, const char *key, bool otherwise) {
    struct json_object *value = json_get(object, key);
    return json_object_is_type(value, json_type_boolean) ? json_object_get_boolean(value) : otherwise;
}

const char *json_get_string(struct json_object *object, const char *key, const char *otherwise) {
    struct json_object *value = json_get(object, key);
    return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : otherwise;
}
