// SPDX-License-Identifier: Apache-2.0
// json-c 0.18 refuses, in strict mode, every byte from 0x80 on where char is signed; before 0.18 it takes control
// characters in strings. Neither is JSON (RFC 8259, 7 and 8.1), and what is taken must not differ between the two.
#include "json_ascii.h"

#include "utf8.h"

static void append_escape(struct text *text, uint32_t code) {
    if (code < 0x10000)
        text_format(text, "\\u%04x", (unsigned)code);
    else
        text_format(text, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (code >> 10)), (unsigned)(0xdc00 + (code & 0x3ff)));
}

// Bytes of the character at the start of `left` bytes; 0 and *fault when there may be none such here.
static size_t character(
    const char *bytes, size_t left, bool in_string, bool escaped, uint32_t *code, const char **fault) {
    size_t length = utf8_read(bytes, left, code);
    *fault = length == 0                                ? "not UTF-8"
             : in_string && *code < 0x20                ? "a control character in a string"
             : *code >= 0x80 && (!in_string || escaped) ? "unexpected character"
                                                        : NULL;
    return *fault ? 0 : length;
}

// Whether there is nothing to look at: no byte beyond ASCII, no control character wherever it stands.
static bool is_plain(const char *bytes, size_t length) {
    bool other = false;
    for (size_t i = 0; i < length; i++) other |= (unsigned char)bytes[i] < 0x20 || (unsigned char)bytes[i] >= 0x80;
    return !other;
}

struct json_ascii json_to_ascii(const char *bytes, size_t length) {
    struct json_ascii out = {.bytes = bytes, .length = length};
    if (is_plain(bytes, length)) return out;
    size_t copied = 0, step = 1;
    bool in_string = false, escaped = false;
    for (size_t i = 0; i < length; i += step) {
        uint32_t code = 0;
        step = character(bytes + i, length - i, in_string, escaped, &code, &out.fault);
        if (!step) {
            out.at = i;
            break;
        }
        if (code >= 0x80) {
            text_append_n(&out.text, bytes + copied, i - copied);
            append_escape(&out.text, code);
            copied = i + step;
        }
        if (code == '"' && !escaped) in_string = !in_string;
        escaped = in_string && code == '\\' && !escaped;
    }
    if (!copied || out.fault) return out;
    text_append_n(&out.text, bytes + copied, length - copied);
    out.bytes = text_str(&out.text);
    out.length = out.text.length;
    return out;
}
