// SPDX-License-Identifier: Apache-2.0
// Makes all versions of json-c accept the same input. In strict mode, json-c 0.18 refuses every byte from 0x80 on if
// char is signed. Older versions accept control characters in strings. Both contradict JSON (RFC 8259, 7 and 8.1).
// Older versions also replace an integer beyond 64 bits by the nearest one.
#include "json_ascii.h"

#include "json_scan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void append_escape(struct text *text, uint32_t code) {
    if (code < 0x10000)
        text_format(text, "\\u%04x", (unsigned)code);
    else
        text_format(text, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (code >> 10)), (unsigned)(0xdc00 + (code & 0x3ff)));
}

// Returns the length of the character at the start of `left` bytes. Returns 0 with *fault if it is not allowed here.
static size_t character(
    const char *bytes, size_t left, bool in_string, bool escaped, uint32_t *code, const char **fault) {
    size_t length = utf8_read(bytes, left, code);
    *fault = length == 0                                ? "not UTF-8"
             : in_string && *code < 0x20                ? "a control character in a string"
             : *code >= 0x80 && (!in_string || escaped) ? "unexpected character"
                                                        : NULL;
    return *fault ? 0 : length;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

enum { LEAST_DIGITS = 19 }; // of an integer that may not fit into 64 bits

// Returns whether there are this many digits in a row. Only one in every LEAST_DIGITS bytes is checked.
static bool has_long_number(const char *bytes, size_t length) {
    for (size_t i = LEAST_DIGITS - 1; i < length; i += LEAST_DIGITS) {
        if (!is_digit(bytes[i])) continue;
        size_t first = i, end = i;
        while (first > 0 && is_digit(bytes[first - 1])) first--;
        while (end < length && is_digit(bytes[end])) end++;
        if (end - first >= LEAST_DIGITS) return true;
    }
    return false;
}

// Returns the length of the number at the start of `left` bytes outside of strings, or 0 if there is none. Sets
// *beyond for an integer beyond 64 bits.
static size_t number(const char *bytes, size_t left, bool *beyond) {
    char digits[LEAST_DIGITS + 3] = ""; // a sign, one digit more than fits, a NUL
    size_t length = 0;
    bool integer = true;
    for (; length < left && (is_digit(bytes[length]) || (bytes[length] && strchr(".-+eE", bytes[length]))); length++)
        integer &= is_digit(bytes[length]) || (length == 0 && bytes[0] == '-');
    *beyond = integer && length >= sizeof digits;
    if (!integer || *beyond || length < LEAST_DIGITS) return length;
    memcpy(digits, bytes, length);
    errno = 0;
    if (*digits == '-')
        (void)strtoll(digits, NULL, 10);
    else
        (void)strtoull(digits, NULL, 10);
    *beyond = errno == ERANGE;
    return length;
}

// Returns whether there is nothing to check: no byte beyond ASCII, and no control character anywhere.
static bool is_plain(const char *bytes, size_t length) {
    bool other = false;
    for (size_t i = 0; i < length; i++) other |= (unsigned char)bytes[i] < 0x20 || (unsigned char)bytes[i] >= 0x80;
    return !other;
}

struct json_ascii json_to_ascii(const char *bytes, size_t length) {
    struct json_ascii out = {.bytes = bytes, .length = length};
    const bool long_number = has_long_number(bytes, length);
    if (!long_number && is_plain(bytes, length)) return out;
    size_t copied = 0, step = 1;
    bool in_string = false, escaped = false, beyond = false;
    for (size_t i = 0; i < length; i += step) {
        uint32_t code = 0;
        if (in_string && !escaped && (step = (size_t)(json_plain_end(bytes + i, bytes + length) - (bytes + i))))
            continue;
        if (long_number && !in_string && (step = number(bytes + i, length - i, &beyond)) && !beyond) continue;
        step = 1;
        if (!in_string && !beyond && (unsigned char)bytes[i] < 0x80 && bytes[i] != '"') continue;
        step = character(bytes + i, length - i, in_string, escaped, &code, &out.fault);
        if (beyond) out.fault = "an integer beyond 64 bits";
        if (out.fault) {
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
