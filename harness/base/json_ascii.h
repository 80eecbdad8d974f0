// SPDX-License-Identifier: Apache-2.0
// What json.c hands to json-c, whose versions differ in the strings they take.
#ifndef VKASSAY_BASE_JSON_ASCII_H
#define VKASSAY_BASE_JSON_ASCII_H

#include "text.h"

struct json_ascii {
    const char *bytes; // borrowed: what was given where it is ASCII already, else those of `text`
    size_t length;
    struct text text;
    const char *fault; // why it is no JSON, or NULL
    size_t at;         // where: an offset into what was given
};

// The same JSON with \u escapes for characters beyond ASCII. Ill-formed UTF-8, control characters in strings,
// characters beyond ASCII outside of them and integers beyond 64 bits are faults; all other grammar is the parser's.
// Release text with text_free.
struct json_ascii json_to_ascii(const char *bytes, size_t length);

#endif
