// SPDX-License-Identifier: Apache-2.0
// Makes the wanted members of a plain JSON object in one pass over its text. The others are only checked.
#include "json_scan.h"

#include <ctype.h>
#include <float.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 18 };     // of a number before its point: a longer integer may be too large
enum { KEY_BYTES = 64 };  // of a member's name with its NUL
enum { REAL_BYTES = 64 }; // of a number with its NUL

// ---- values

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
    if (at < end && (*at == '-' || (*at >= '0' && *at <= '9'))) {
        const char *behind = json_number_end(at, end), *whole = at + (*at == '-');
        return behind && json_digits_end(whole, behind) - whole <= DIGITS ? behind : NULL;
    }
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

// An object on its way into memory.
struct building {
    const char *end;
    const struct json_keep *keep;
    const struct json_passed *passed;
    int passed_count;
    const char *names[JSON_DEEPEST]; // quoted names of the members on the path; NULL: an array
};

// Returns whether the member named last, in an object within `depth` others, is wanted.
static bool is_kept(const struct building *b, int depth) {
    const struct json_keep *keep = b->keep;
    if (!keep || depth > 1) return true;
    if (depth == 1)
        return !keep->outer || !b->names[0] || !json_is_word(b->names[0], keep->outer) ||
               json_is_word(b->names[1], keep->inner);
    bool kept = !keep->members;
    for (const char *const *name = keep->members; !kept && *name; name++) kept = json_is_word(b->names[0], *name);
    return kept;
}

// Reads a number of at most 15 digits with a small exponent. The digits and the power of ten are exact then. Their
// product or quotient is rounded once, as by strtod.
static bool short_real(const char *at, const char *end, double *out) {
    static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
        1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const bool negative = *at == '-';
    int64_t whole = 0;
    int digits = 0, shift = 0;
    bool fraction = false;
    for (at += negative; at < end && (*at | 0x20) != 'e'; at++) {
        if (*at == '.' && (fraction = true)) continue;
        whole = whole * 10 + (*at - '0');
        shift -= fraction;
        if (++digits > 15) return false;
    }
    if (at < end) shift += (int)strtol(at + 1, NULL, 10);
    if (FLT_EVAL_METHOD != 0 || shift < -22 || shift > 22) return false;
    *out = shift < 0 ? (double)whole / powers[-shift] : (double)whole * powers[shift];
    if (negative) *out = -*out;
    return true;
}

// Makes a number without its text. NULL: it is too long.
static struct json_object *make_real(const char *at, const char *end) {
    char text[REAL_BYTES];
    double value;
    const size_t length = (size_t)(end - at);
    if (length >= sizeof text) return NULL;
    memcpy(text, at, length);
    text[length] = '\0';
    if (!short_real(text, text + length, &value)) value = strtod(text, NULL);
    return json_object_new_double(value);
}

// Makes a text, a number, true, false or null. NULL for all but null: the parser must read it.
static struct json_object *make_word(const char *at, const char *end) {
    const size_t length = (size_t)(end - at);
    if (*at == 't' || *at == 'f') return json_object_new_boolean(*at == 't');
    if (*at == 'n') return NULL;
    if (*at == '"' && !memchr(at, '\\', length)) return json_object_new_string_len(at + 1, (int)length - 2);
    if (*at == '"') return json_parse(at, length);
    const char *digit = at + (*at == '-');
    if (json_digits_end(digit, end) != end) return make_real(at, end);
    int64_t value = 0;
    for (; digit < end; digit++) value = value * 10 + (*digit - '0');
    return json_object_new_int64(*at == '-' ? -value : value);
}

// The first names met, kept for the whole process, so that objects share them. Files of one kind have few. Any others
// are copied by each object.
enum { SHARED_NAMES = 1024, PROBES = 8 };
static _Atomic(const char *) shared_names[SHARED_NAMES];

// Returns the shared name with these characters, or NULL.
static const char *share(const char *name, size_t length) {
    uint32_t hash = 0;
    for (size_t i = 0; i < length; i++) hash = hash * 31 + (unsigned char)name[i];
    for (uint32_t i = 0; i < PROBES; i++) {
        _Atomic(const char *) *place = &shared_names[(hash + i) % SHARED_NAMES];
        const char *there = atomic_load(place);
        if (!there) {
            char *copy = strndup(name, length);
            if (!copy || atomic_compare_exchange_strong(place, &there, copy)) return copy;
            free(copy);
        }
        if (strncmp(there, name, length) == 0 && !there[length]) return there;
    }
    return NULL;
}

static void add_member(struct json_object *object, const char *name, size_t length, struct json_object *value) {
    char key[KEY_BYTES];
    const char *shared = share(name, length);
    if (shared) {
        json_object_object_add_ex(object, shared, value, JSON_C_OBJECT_KEY_IS_CONSTANT);
        return;
    }
    memcpy(key, name, length);
    key[length] = '\0';
    json_object_object_add(object, key, value);
}

static const char *make_value(struct building *b, const char *at, int depth, struct json_object **out);

// Adds the member that begins at `at`, if it is wanted. Returns the position after it, or NULL.
static const char *make_member(struct building *b, const char *at, int depth, struct json_object *object) {
    const char *name = at, *value = name_end(at, b->end), *behind;
    struct json_object *made = NULL;
    size_t count;
    if (!value || memchr(name, '\\', (size_t)(value - name))) return NULL;
    b->names[depth] = name;
    if (!is_kept(b, depth)) return value_end(value, b->end, depth + 1);
    if (b->passed && depth == 2 && json_is_passed(b->passed, b->names) && value < b->end && *value == '[') {
        behind = json_numbers_end(value, b->end, &count);
        if (!behind || ++b->passed_count > JSON_PASSED) return NULL;
        json_object_object_add(object, b->passed->count_key, json_object_new_int64((int64_t)count));
        return behind;
    }
    const size_t length = (size_t)((const char *)memchr(name + 1, '"', (size_t)(value - name)) - name - 1);
    if (length >= KEY_BYTES || !(behind = make_value(b, value, depth + 1, &made))) return NULL;
    const int before = json_object_object_length(object);
    add_member(object, name + 1, length, made);
    return json_object_object_length(object) > before ? behind : NULL; // a member twice: the parser says so
}

static const char *make_item(struct building *b, const char *at, int depth, struct json_object *array) {
    struct json_object *made;
    const char *behind = make_value(b, at, depth + 1, &made);
    b->names[depth] = NULL;
    if (behind) json_object_array_add(array, made);
    return behind;
}

// Makes the value that begins at `at`, within `depth` containers. Returns the position after it. NULL: it is not plain,
// and there is no value.
static const char *make_value(struct building *b, const char *at, int depth, struct json_object **out) {
    *out = NULL;
    if (at >= b->end || depth >= JSON_DEEPEST) return NULL;
    if (*at != '{' && *at != '[') {
        const char *behind = *at == '"' ? string_end(at, b->end) : word_end(at, b->end);
        *out = behind ? make_word(at, behind) : NULL;
        return *out || *at == 'n' ? behind : NULL;
    }
    const bool object = *at == '{';
    const char close = object ? '}' : ']';
    *out = object ? json_object_new_object() : json_object_new_array();
    b->names[depth] = NULL;
    at = json_space_end(at + 1, b->end);
    if (at < b->end && *at == close) return at + 1;
    for (;; at = json_space_end(at + 1, b->end)) {
        at = object ? make_member(b, at, depth, *out) : make_item(b, at, depth, *out);
        if (at) at = json_space_end(at, b->end);
        if (!at || at >= b->end || (*at != ',' && *at != close)) break;
        if (*at == close) return at + 1;
    }
    json_object_put(*out);
    *out = NULL;
    return NULL;
}

const char *json_build(struct json_object **out, const char *bytes, size_t length, const struct json_keep *keep,
    const struct json_passed *passed) {
    struct building b = {.end = bytes + length, .keep = keep, .passed = passed};
    *out = NULL;
    return length && *bytes == '{' ? make_value(&b, bytes, 0, out) : NULL;
}
