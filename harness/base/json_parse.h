// SPDX-License-Identifier: Apache-2.0
// Parses JSON (RFC 8259) into values of json-c, whose own parser differs between versions. Private to harness/base.
#ifndef VKASSAY_BASE_JSON_PARSE_H
#define VKASSAY_BASE_JSON_PARSE_H

#include "json.h"

enum { JSON_PASSED = 16 };                          // most arrays counted in one value; any others are read
enum { JSON_DEEPEST = 64, JSON_DEEPEST_ITEM = 62 }; // containers around a value: of a file, and of a list's item
extern const char json_goes_on[];                   // the fault of a text that ends within the value

struct json_text {
    const char *bytes; // begins at a value
    size_t length;
    int deepest;
    const struct json_passed *passed; // arrays to count instead of reading; NULL: none

    // Set by the parser:
    size_t end;        // behind the value, or where the fault is
    const char *fault; // NULL: none
    struct {
        size_t key, end;   // from the member's name to behind the array
    } arrays[JSON_PASSED]; // those counted
    int array_count;
};

// Parses the value at the start, and leaves what follows. Returns false with a fault; JSON's null is NULL without one.
// A number at the end of the text is complete.
bool json_parse_value(struct json_text *text, struct json_object **out);

static inline size_t json_space_end(const char *bytes, size_t length, size_t at) {
    while (at < length && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t')) at++;
    return at;
}

#endif
