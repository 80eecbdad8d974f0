// SPDX-License-Identifier: Apache-2.0
// Finds the end of a JSON value and the parts of it to skip, makes plain values, and takes them on another thread.
// Private to harness/base.
#ifndef VKASSAY_BASE_JSON_SCAN_H
#define VKASSAY_BASE_JSON_SCAN_H

#include "json.h"
#include "text.h"

enum { JSON_PASSED = 16 };  // most arrays skipped in one value; any others are read
enum { JSON_DEEPEST = 62 }; // of an item: the depth of a file, less the object and the list

// ---- pieces of the grammar: each returns the position after the piece at `at`

static inline const char *json_space_end(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) at++;
    return at;
}

// Skips printable ASCII inside a string, up to a quote or a backslash.
static inline const char *json_plain_end(const char *at, const char *end) {
    while (at < end && (unsigned char)*at >= ' ' && (unsigned char)*at < 0x80 && *at != '"' && *at != '\\') at++;
    return at;
}

static inline const char *json_digits_end(const char *at, const char *end) {
    while (at < end && *at >= '0' && *at <= '9') at++;
    return at;
}

// Returns NULL if there is no number, or if its exponent has three digits, because it may not be finite.
const char *json_number_end(const char *at, const char *end);

// Returns the position after an array of numbers that begins at `at`, and their number. Returns NULL for anything
// else.
const char *json_numbers_end(const char *at, const char *end, size_t *count);

// Returns whether a quoted string without escapes is this word.
bool json_is_word(const char *quoted, const char *word);

// ---- members

// Returns whether an array is to be counted; `names` are the quoted names of the members on its path, or NULL.
bool json_is_passed(const struct json_passed *passed, const char *const names[3]);

// Makes an object with only the members to keep, and counts the arrays to pass (both may be NULL: nothing to leave
// out). The others are checked to be JSON in UTF-8. Returns the position after it. NULL: it does not end here, it is no
// such JSON, there is no object, or a member's name is not plain. The parser must then read all of it.
const char *json_build(struct json_object **out, const char *bytes, size_t length, const struct json_keep *keep,
    const struct json_passed *passed);

// ---- values

struct json_scan {
    const struct json_passed *passed;
    const char *bytes;
    size_t length; // of the value
    struct {
        const char *key, *end; // from the member's name to the end of the array
        size_t count;          // of numbers
    } arrays[JSON_PASSED];
    int array_count;
    bool broken_string; // a string contains a line break
};

// Finds the end of the value that begins at bytes[0], not white space. Its content is not checked. Returns false if
// it does not end within `length` bytes; the scan then covers all of them. `whole`: nothing follows after them.
bool json_scan_value(struct json_scan *scan, const char *bytes, size_t length, bool whole);

// Parses one JSON value in UTF-8 with optional white space around it. On failure, returns NULL with *fault, and *line
// counted from 1. JSON's null is NULL without a fault.
struct json_object *json_parse_text(
    struct json_tokener *tokener, const char *bytes, size_t length, const char **fault, size_t *line);

// Returns whether an object in the text of a parsed value has a member twice; *where is its second name, or the start
// of the text.
bool json_names_twice(struct json_object *value, const char *bytes, size_t length, const char **where);

struct json_tokener *json_tokener_make(int depth); // a new one: never NULL

// A parser for one value after another. Zeroed is ready; release it with json_reader_close.
struct json_reader {
    struct json_tokener *tokener; // NULL before the first
    struct text without;          // a value without its skipped arrays
};
void json_reader_close(struct json_reader *reader);

// Parses a scanned value, as json_parse_text does.
struct json_object *json_reader_parse(
    struct json_reader *reader, const struct json_scan *scan, const char **fault, size_t *line);

// ---- a second thread that takes the items of a long list, while the caller reads the next ones

struct json_taker;

// Starts it; NULL: there is no other core, or no thread.
struct json_taker *json_taker_start(const struct json_list *list);
// Hands over an item, copies its bytes, and takes its value over. Waits while too many are not yet taken. Returns false
// if an earlier one ended the reading.
bool json_taker_put(struct json_taker *taker, const struct json_met *item);
// Waits until all items are taken, and releases it (NULL: nothing to do). Returns false, with err as the reader left
// it, if one ended the reading.
bool json_taker_end(struct json_taker *taker, struct error *err);

#endif
