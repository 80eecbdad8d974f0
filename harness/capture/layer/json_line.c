// SPDX-License-Identifier: Apache-2.0
#include "json_line.h"
#include "../../base/text.h"

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

void json_line_string(struct json_line *line, const char *string) {
    json_line_bytes(line, "\"", 1);
    const char *end = string + strlen(string);
    for (const char *at = string; at < end;) {
        uint32_t code = 0;
        const size_t length = utf8_read(at, (size_t)(end - at), &code);
        if (*at == '"' || *at == '\\')
            json_line_format(line, "\\%c", *at);
        else if (length == 1 && (code < 0x20 || code == 0x7f))
            json_line_format(line, "\\u%04x", code);
        else
            json_line_bytes(line, length ? at : "?", length ? length : 1);
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
