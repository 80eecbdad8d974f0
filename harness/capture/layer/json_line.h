// SPDX-License-Identifier: Apache-2.0
// A growing text for lines of JSON. Zeroed is empty.
#ifndef VKASSAY_CAPTURE_JSON_LINE_H
#define VKASSAY_CAPTURE_JSON_LINE_H

#include "../../base/hash.h"

#include <stdbool.h>
#include <stddef.h>

struct json_line {
    char *data;
    size_t length, room;
    bool failed; // memory was out: the text is not complete
};

void json_line_bytes(struct json_line *line, const void *bytes, size_t length);
void json_line_format(struct json_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Appends a text of unknown origin in quotation marks. A byte outside UTF-8 becomes "?".
void json_line_string(struct json_line *line, const char *string);

// Append hexadecimal digits in quotation marks.
void json_line_hex(struct json_line *line, const void *bytes, size_t length);
void json_line_hash(struct json_line *line, struct content_hash hash);

void json_line_free(struct json_line *line);

#endif
