// SPDX-License-Identifier: Apache-2.0
// Picks the wanted members of a JSON object, without parsing the others.
#include "json_scan.h"
#include "utf8.h"

#include <ctype.h>
#include <string.h>

enum { DIGITS = 18 }; // of a number before its point: a longer integer may be too large

// ---- values

static const char *number_end(const char *at, const char *end) {
    const char *behind = json_number_end(at, end), *whole = at + (at < end && *at == '-');
    return behind && json_digits_end(whole, behind) - whole <= DIGITS ? behind : NULL;
}

static const char *escape_end(const char *at, const char *end) {
    if (at + 1 >= end) return NULL;
    if (at[1] != 'u') return strchr("\"\\/bfnrt", at[1]) && at[1] ? at + 2 : NULL;
    for (int i = 2; i < 6; i++)
        if (at + i >= end || !isxdigit((unsigned char)at[i])) return NULL;
    return at + 6;
}

// Returns the position after the closing quote of a string that begins at `at`.
static const char *string_end(const char *at, const char *end) {
    uint32_t code;
    for (at++; at < end;) {
        if ((at = json_plain_end(at, end)) == end) return NULL;
        const unsigned char c = (unsigned char)*at;
        if (c == '"') return at + 1;
        size_t length = c < 0x80 ? 1 : utf8_read(at, (size_t)(end - at), &code);
        if (c < ' ' || !length) return NULL;
        if (c != '\\')
            at += length;
        else if (!(at = escape_end(at, end)))
            return NULL;
    }
    return NULL;
}

static const char *word_end(const char *at, const char *end) {
    static const char *const words[] = {"true", "false", "null"};
    if (at < end && (*at == '-' || (*at >= '0' && *at <= '9'))) return number_end(at, end);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(end - at) >= length && memcmp(at, words[i], length) == 0) return at + length;
    }
    return NULL;
}

// Returns the position of a member's value, after its name and colon.
static const char *name_end(const char *at, const char *end) {
    if (at >= end || *at != '"' || !(at = string_end(at, end))) return NULL;
    at = json_space_end(at, end);
    return at < end && *at == ':' ? json_space_end(at + 1, end) : NULL;
}

static const char *value_end(const char *at, const char *end, int depth) {
    if (at >= end || depth > JSON_DEEPEST) return NULL;
    if (*at == '"') return string_end(at, end);
    if (*at != '{' && *at != '[') return word_end(at, end);
    const bool object = *at == '{';
    const char close = object ? '}' : ']';
    at = json_space_end(at + 1, end);
    if (at < end && *at == close) return at + 1;
    for (;; at = json_space_end(at + 1, end)) {
        if (object && !(at = name_end(at, end))) return NULL;
        if (!(at = value_end(at, end, depth + 1))) return NULL;
        at = json_space_end(at, end);
        if (at >= end || (*at != ',' && *at != close)) return NULL;
        if (*at == close) return at + 1;
    }
}

// ---- members

static bool is_kept(const char *quoted, const struct json_keep *keep) {
    if (!keep->members) return true;
    for (const char *const *name = keep->members; *name; name++)
        if (json_is_word(quoted, *name)) return true;
    return false;
}

static bool pick(struct text *out, const char *at, const char *end, const struct json_keep *keep) {
    bool any = false;
    if (at >= end || *at != '{') return false;
    text_append(out, "{");
    at = json_space_end(at + 1, end);
    if (at < end && *at == '}') return text_append(out, "}"), true;
    for (;; at = json_space_end(at + 1, end)) {
        const char *name = at, *value = name_end(at, end), *behind = value ? value_end(value, end, 0) : NULL;
        if (!behind || memchr(name, '\\', (size_t)(value - name))) return false;
        if (is_kept(name, keep)) {
            const bool narrowed = keep->outer && json_is_word(name, keep->outer) && *value == '{';
            const struct json_keep inner = {(const char *const[]){keep->inner, NULL}, NULL, NULL};
            if (any) text_append(out, ",");
            any = true;
            text_append_n(out, name, (size_t)((narrowed ? value : behind) - name));
            if (narrowed && !pick(out, value, behind, &inner)) return false;
        }
        at = json_space_end(behind, end);
        if (at >= end || (*at != ',' && *at != '}')) return false;
        if (*at == '}') return text_append(out, "}"), true;
    }
}

bool json_pick(struct text *out, const char *bytes, size_t length, const struct json_keep *keep) {
    out->length = 0;
    return pick(out, bytes, bytes + length, keep);
}
