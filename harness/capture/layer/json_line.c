// SPDX-License-Identifier: Apache-2.0
#include "json_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct json_line *line, size_t more) {
    if (line->failed || more > SIZE_MAX / 4 - line->length) return !(line->failed = true);
    const size_t wanted = line->length + more;
    if (wanted <= line->room) return true;
    const size_t room = wanted < 256 ? 512 : 2 * wanted;
    char *data = realloc(line->data, room);
    if (!data) return !(line->failed = true);
    line->data = data;
    line->room = room;
    return true;
}

void json_line_bytes(struct json_line *line, const void *bytes, size_t length) {
    if (!length || !reserve(line, length)) return;
    memcpy(line->data + line->length, bytes, length);
    line->length += length;
}

void json_line_format(struct json_line *line, const char *format, ...) {
    va_list values;
    va_start(values, format);
    const int length = vsnprintf(NULL, 0, format, values);
    va_end(values);
    if (length < 0 || !reserve(line, (size_t)length + 1)) return;
    va_start(values, format);
    vsnprintf(line->data + line->length, (size_t)length + 1, format, values);
    va_end(values);
    line->length += (size_t)length;
}

// Returns the length of the sequence of UTF-8 at `text` (RFC 3629), 0 if there is none. A NUL ends the text.
static size_t sequence(const unsigned char *text) {
    const size_t length = *text < 0x80 ? 1 : *text >= 0xf0 ? 4 : *text >= 0xe0 ? 3 : 2;
    if (length > 1 && (*text < 0xc2 || *text > 0xf4)) return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    if ((*text == 0xe0 && text[1] < 0xa0) || (*text == 0xed && text[1] > 0x9f)) return 0;
    if ((*text == 0xf0 && text[1] < 0x90) || (*text == 0xf4 && text[1] > 0x8f)) return 0;
    return length;
}

void json_line_string(struct json_line *line, const char *string) {
    json_line_bytes(line, "\"", 1);
    for (const unsigned char *at = (const unsigned char *)string; *at;) {
        const size_t length = sequence(at);
        if (*at == '"' || *at == '\\')
            json_line_format(line, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7f)
            json_line_format(line, "\\u%04x", *at);
        else
            json_line_bytes(line, length ? (const char *)at : "?", length ? length : 1);
        at += length ? length : 1;
    }
    json_line_bytes(line, "\"", 1);
}

void json_line_hex(struct json_line *line, const void *bytes, size_t length) {
    const unsigned char *from = bytes;
    json_line_bytes(line, "\"", 1);
    for (size_t i = 0; i < length; i++) json_line_format(line, "%02x", from[i]);
    json_line_bytes(line, "\"", 1);
}

void json_line_hash(struct json_line *line, struct content_hash hash) {
    char digits[CONTENT_HASH_DIGITS + 1];
    content_hash_text(hash, digits);
    json_line_format(line, "\"%s\"", digits);
}

void json_line_free(struct json_line *line) {
    free(line->data);
    *line = (struct json_line){0};
}
