// SPDX-License-Identifier: Apache-2.0
// Where a JSON value ends, and what of it need not be read. Private to harness/base.
#ifndef VKASSAY_BASE_JSON_SCAN_H
#define VKASSAY_BASE_JSON_SCAN_H

#include "json_list.h"
#include "text.h"

enum { JSON_PASSED = 16 };  // arrays of one value that can be passed over; what is beyond is read
enum { JSON_DEEPEST = 62 }; // of an item: as deep as a file may be, less the object and the list around it

// ---- pieces of the grammar, each behind what begins at `at`

static inline const char *json_space_end(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) at++;
    return at;
}

static inline const char *json_digits_end(const char *at, const char *end) {
    while (at < end && *at >= '0' && *at <= '9') at++;
    return at;
}

// NULL: there is no number, or one whose exponent has three digits, which may not be finite.
const char *json_number_end(const char *at, const char *end);

// Whether a string in its quotes, without escapes, is that word.
bool json_is_word(const char *quoted, const char *word);

// ---- values

struct json_scan {
    const struct json_passed *passed;
    const char *bytes;
    size_t length; // of the value
    struct {
        const char *key, *end; // from the name of the member on, to behind the array
        size_t count;          // of numbers
    } arrays[JSON_PASSED];
    int array_count;
    bool broken_string; // some string has a line break in it
};

// Finds the end of the value that begins at bytes[0], which is no white space; its insides are not judged. False when
// it does not end within `length` bytes: all of them are taken for it then. `whole`: nothing comes behind them.
bool json_scan_value(struct json_scan *scan, const char *bytes, size_t length, bool whole);

// One value of JSON in UTF-8, with white space around it at most. NULL with *fault, and *line from 1 on, on failure;
// JSON's null is NULL too, without a fault.
struct json_object *json_parse_text(
    struct json_tokener *tokener, const char *bytes, size_t length, const char **fault, size_t *line);

struct json_tokener *json_tokener_make(int depth); // a new one: never NULL

// A parser that serves one value after the other. Zeroed is ready; released with json_reader_close.
struct json_reader {
    struct json_tokener *tokener; // NULL before the first
    struct text without;          // a value without what is passed over
};
void json_reader_close(struct json_reader *reader);

// Parses what was scanned, as json_parse_text does.
struct json_object *json_reader_parse(
    struct json_reader *reader, const struct json_scan *scan, const char **fault, size_t *line);

#endif
