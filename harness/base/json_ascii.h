// SPDX-License-Identifier: Apache-2.0
// Converts the input of json-c to ASCII, because its versions differ in the strings they accept.
#ifndef VKASSAY_BASE_JSON_ASCII_H
#define VKASSAY_BASE_JSON_ASCII_H

#include "text.h"

struct json_ascii {
    const char *bytes; // borrowed: the input if it is ASCII already, otherwise those of `text`
    size_t length;
    struct text text;
    const char *fault; // why it is not JSON, or NULL
    size_t at;         // where: an offset into the input
};

// Returns the same JSON with \u escapes for characters beyond ASCII. Faults are ill-formed UTF-8, control characters
// in strings, characters beyond ASCII outside of strings, and integers beyond 64 bits. The parser checks all other
// grammar. Release `text` with text_free.
struct json_ascii json_to_ascii(const char *bytes, size_t length);

#endif
