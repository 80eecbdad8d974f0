// SPDX-License-Identifier: Apache-2.0
#include "json_parse.h"

#include "memory.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 40, NAME_BYTES = 64 }; // longer ones need memory, and such a number may not be finite

const char json_goes_on[] = "expected more JSON, found the end of the file";

// ---- places: each function returns the place after its piece, or NULL with the fault

static const char *fail(struct json_text *t, const char *at, const char *fault) {
    t->fault = at == t->bytes + t->length ? json_goes_on : fault;
    t->end = (size_t)(at - t->bytes);
    return NULL;
}

static const char *end_of(const struct json_text *t) {
    return t->bytes + t->length;
}

static const char *space_end(const struct json_text *t, const char *at) {
    return t->bytes + json_space_end(t->bytes, t->length, (size_t)(at - t->bytes));
}

static const char *digits_end(const char *at, const char *end) {
    while (at < end && *at >= '0' && *at <= '9') at++;
    return at;
}

struct number {
    bool ok, whole;   // whole: neither a fraction nor an exponent
    int64_t exponent; // digits of its exponent
};

// Skips a number. If it is none, the fault is at the returned place.
static const char *number_end(const char *at, const char *end, struct number *out) {
    at += at < end && *at == '-';
    const char *first = at;
    at = digits_end(at, end);
    *out = (struct number){.ok = at > first && !(*first == '0' && at > first + 1), .whole = true};
    if (out->ok && at < end && *at == '.') {
        const char *fraction = at + 1;
        at = digits_end(fraction, end);
        *out = (struct number){.ok = at > fraction};
    }
    if (out->ok && at < end && (*at | 0x20) == 'e') {
        at++;
        if (at < end && (*at == '+' || *at == '-')) at++;
        const char *exponent = at;
        at = digits_end(at, end);
        *out = (struct number){.ok = at > exponent, .exponent = at - exponent};
    }
    return at;
}

// ---- numbers

// Writes a number in its shortest form that is no integer.
static int put_real(struct json_object *number, struct printbuf *out, int level, int flags) {
    (void)level, (void)flags;
    struct text text = {0};
    const double value = json_object_get_double(number);
    text_number(&text, value);
    if (!strpbrk(text_str(&text), ".e")) text_append(&text, ".0"); // or it would be read as an integer
    const int put = printbuf_memappend(out, text_str(&text), (int)text.length);
    text_free(&text);
    return put;
}

static struct json_object *make_real(const char *digits) {
    const double value = strtod(digits, NULL);
    if (!isfinite(value)) return json_object_new_double_s(value, digits); // 1e999 is written as it was read
    struct json_object *real = json_object_new_double(value);
    json_object_set_serializer(real, put_real, NULL, NULL);
    return real;
}

// Returns NULL for an integer beyond 64 bits.
static struct json_object *make_integer(const char *digits) {
    errno = 0;
    const int64_t value = strtoll(digits, NULL, 10);
    if (errno == 0) return json_object_new_int64(value);
    errno = 0;
    const uint64_t large = strtoull(digits, NULL, 10);
    return errno == 0 && *digits != '-' ? json_object_new_uint64(large) : NULL;
}

static const char *read_number(struct json_text *t, const char *at, struct json_object **out) {
    struct number number;
    const char *behind = number_end(at, end_of(t), &number);
    if (!number.ok) return fail(t, behind, "expected a number");
    const size_t length = (size_t)(behind - at);
    char few[NUMBER_BYTES], *digits = length < sizeof few ? few : memory_alloc(length + 1, 1);
    memcpy(digits, at, length);
    digits[length] = '\0';
    *out = number.whole ? make_integer(digits) : make_real(digits);
    if (digits != few) free(digits);
    return *out ? behind : fail(t, at, "an integer beyond 64 bits");
}

// ---- strings

static void append_code(struct text *out, uint32_t code) {
    const unsigned lead[] = {0x00, 0xc0, 0xe0, 0xf0};
    const int more = (code >= 0x80) + (code >= 0x800) + (code >= 0x10000);
    char bytes[4];
    bytes[0] = (char)(lead[more] | code >> 6 * more);
    for (int i = 1; i <= more; i++) bytes[i] = (char)(0x80 | (code >> 6 * (more - i) & 0x3f));
    text_append_n(out, bytes, (size_t)more + 1);
}

// Reads the four digits after "\u". Returns false if there are not that many.
static bool read_code(const char *at, const char *end, uint32_t *code) {
    *code = 0;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *digit = at + i < end && at[i] ? strchr(digits, at[i]) : NULL;
        if (!digit) return false;
        *code = *code << 4 | (uint32_t)((digit - digits) % 16);
    }
    return true;
}

// Appends what an escape stands for. Half of a pair of surrogates becomes U+FFFD.
static const char *read_escape(struct json_text *t, const char *at, struct text *out) {
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *end = end_of(t), *name = at + 1 < end && at[1] ? strchr(names, at[1]) : NULL;
    uint32_t code, low;
    if (name) text_append_n(out, &values[name - names], 1);
    if (name) return at + 2;
    if (at + 1 == end) return fail(t, end, NULL);
    if (at[1] != 'u') return fail(t, at + 1, (unsigned char)at[1] < 0x80 ? "unknown escape" : "unexpected character");
    if (!read_code(at + 2, end, &code)) return fail(t, end - at < 6 ? end : at, "expected four digits after \\u");
    at += 6;
    if (code >> 10 == 0x36 && end - at >= 2 && at[0] == '\\' && at[1] == 'u') {
        if (!read_code(at + 2, end, &low)) return fail(t, end - at < 6 ? end : at, "expected four digits after \\u");
        if (low >> 10 == 0x37) {
            code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
            at += 6;
        }
    }
    append_code(out, code >> 11 == 0x1b ? 0xfffd : code);
    return at;
}

// Reads a string that begins at its quote. With escapes its content is in `out`, otherwise *plain is set, and `out` is
// not used.
static const char *read_string(struct json_text *t, const char *at, struct text *out, bool *plain) {
    const char *end = end_of(t), *from = ++at;
    uint32_t code;
    *plain = true;
    out->length = 0;
    while (at < end && *at != '"') {
        if ((unsigned char)*at >= ' ' && (unsigned char)*at < 0x80 && *at != '\\') {
            at++;
            continue;
        }
        if ((unsigned char)*at < ' ') return fail(t, at, "a control character in a string");
        if (*at == '\\') {
            *plain = false;
            text_append_n(out, from, (size_t)(at - from));
            if (!(at = from = read_escape(t, at, out))) return NULL;
            continue;
        }
        const size_t length = utf8_read(at, (size_t)(end - at), &code);
        if (!length) return fail(t, at, "not UTF-8");
        at += length;
    }
    if (at == end) return fail(t, end, NULL);
    if (!*plain) text_append_n(out, from, (size_t)(at - from));
    return at + 1;
}

static const char *read_text(struct json_text *t, const char *at, struct json_object **out) {
    struct text text = {0};
    bool plain;
    const char *behind = read_string(t, at, &text, &plain);
    if (behind && plain) *out = json_object_new_string_len(at + 1, (int)(behind - at - 2));
    if (behind && !plain) *out = json_object_new_string_len(text_str(&text), (int)text.length);
    text_free(&text);
    return behind;
}

// ---- words

static const char *read_word(struct json_text *t, const char *at, struct json_object **out) {
    static const char *const words[] = {
        "null", "false", "true", "NaN", "Infinity", "-Infinity"}; // the last 3: json-c's
    const size_t left = (size_t)(end_of(t) - at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);
        if (left < length && memcmp(at, words[i], left) == 0) return fail(t, end_of(t), NULL);
        if (left < length || memcmp(at, words[i], length) != 0) continue;
        if (i == 1 || i == 2) *out = json_object_new_boolean(i == 2);
        if (i > 2) *out = json_object_new_double_s(strtod(words[i], NULL), words[i]);
        return at + length;
    }
    return fail(t, at, (unsigned char)*at < 0x80 ? "expected a value" : "unexpected character");
}

// ---- arrays to count

// Returns whether a quoted string without escapes is this word.
static bool is_word(const char *quoted, const char *word) {
    const size_t length = strlen(word);
    return quoted && strncmp(quoted + 1, word, length) == 0 && quoted[length + 1] == '"';
}

// `names` are the quoted names of the members on the way to a value within three objects.
static bool is_passed(const struct json_text *t, const char *const names[3]) {
    const struct json_passed *passed = t->passed;
    return passed && t->array_count < JSON_PASSED && is_word(names[0], passed->outer) && names[1] &&
           !(passed->except && is_word(names[1], passed->except)) && is_word(names[2], passed->key);
}

// Returns the place after an array of finite numbers, and their number, or NULL for anything else.
static const char *numbers_end(const struct json_text *t, const char *at, size_t *count) {
    struct number number;
    *count = 0;
    at = space_end(t, at + 1);
    if (at < end_of(t) && *at == ']') return at + 1;
    for (;; at = space_end(t, at + 1)) {
        const char *first = at;
        at = number_end(at, end_of(t), &number);
        if (!number.ok || at - first > NUMBER_BYTES || number.exponent > 2) return NULL;
        ++*count;
        at = space_end(t, at);
        if (at == end_of(t) || (*at != ',' && *at != ']')) return NULL;
        if (*at == ']') return at + 1;
    }
}

// ---- containers

// Where a value is.
struct level {
    const char **names; // quoted names of the members on its path; NULL: an item of an array
    int depth;          // of containers around it
};

static const char *read_value(struct json_text *t, const char *at, struct level level, struct json_object **out);

// Counts the array of a member, if it is to be counted. Otherwise returns NULL without a fault.
static const char *pass_array(struct json_text *t, const char *at, struct level level, struct json_object *object) {
    size_t count;
    const char *behind;
    if (level.depth != 3 || at == end_of(t) || *at != '[' || !is_passed(t, level.names)) return NULL;
    if (!(behind = numbers_end(t, at, &count))) return NULL;
    t->arrays[t->array_count].key = (size_t)(level.names[2] - t->bytes);
    t->arrays[t->array_count++].end = (size_t)(behind - t->bytes);
    json_object_object_add(object, t->passed->count_key, json_object_new_int64((int64_t)count));
    return behind;
}

static const char *read_named(
    struct json_text *t, const char *at, struct level level, const char *name, struct json_object *object) {
    struct json_object *value = NULL;
    const int before = json_object_object_length(object);
    const char *behind = pass_array(t, at, level, object);
    if (behind || !(behind = read_value(t, at, level, &value))) return behind;
    json_object_object_add(object, name, value);
    return json_object_object_length(object) > before
               ? behind
               : fail(t, level.names[level.depth - 1], "an object has this member twice");
}

static const char *read_member(struct json_text *t, const char *at, struct level level, struct json_object *object) {
    struct text text = {0};
    bool plain;
    char few[NAME_BYTES];
    if (at == end_of(t) || *at != '"') return fail(t, at, "expected the quoted name of a member");
    level.names[level.depth - 1] = at;
    const char *behind = read_string(t, at, &text, &plain), *name = few;
    if (!behind) return text_free(&text), NULL;
    const size_t length = (size_t)(behind - at - 2);
    if (plain && length < sizeof few) {
        memcpy(few, at + 1, length);
        few[length] = '\0';
    } else {
        if (plain) text_append_n(&text, at + 1, length);
        name = text_str(&text);
    }
    at = space_end(t, behind);
    at = at < end_of(t) && *at == ':' ? read_named(t, space_end(t, at + 1), level, name, object)
                                      : fail(t, at, "expected a colon after the name of a member");
    text_free(&text);
    return at;
}

static const char *read_item(struct json_text *t, const char *at, struct level level, struct json_object *array) {
    struct json_object *value = NULL;
    level.names[level.depth - 1] = NULL;
    at = read_value(t, at, level, &value);
    if (at) json_object_array_add(array, value);
    return at;
}

static const char *read_container(struct json_text *t, const char *at, struct level level, struct json_object *out) {
    const bool object = *at == '{';
    const char close = object ? '}' : ']';
    level.depth++;
    at = space_end(t, at + 1);
    if (at < end_of(t) && *at == close) return at + 1;
    for (;; at = space_end(t, at + 1)) {
        if (!(at = (object ? read_member : read_item)(t, at, level, out))) return NULL;
        at = space_end(t, at);
        if (at < end_of(t) && *at == close) return at + 1;
        if (at == end_of(t) || *at != ',') return fail(t, at, object ? "expected ',' or '}'" : "expected ',' or ']'");
    }
}

static const char *read_value(struct json_text *t, const char *at, struct level level, struct json_object **out) {
    *out = NULL;
    if (at == end_of(t)) return fail(t, at, NULL);
    if (level.depth >= t->deepest) return fail(t, at, "nesting too deep");
    if (*at == '"') return read_text(t, at, out);
    if ((*at >= '0' && *at <= '9') || (*at == '-' && !(at + 1 < end_of(t) && at[1] == 'I')))
        return read_number(t, at, out);
    if (*at != '{' && *at != '[') return read_word(t, at, out);
    *out = *at == '{' ? json_object_new_object() : json_object_new_array();
    at = read_container(t, at, level, *out);
    if (at) return at;
    json_object_put(*out);
    *out = NULL;
    return NULL;
}

bool json_parse_value(struct json_text *text, struct json_object **out) {
    const char *names[JSON_DEEPEST];
    text->fault = NULL;
    text->array_count = 0;
    const char *behind = read_value(text, text->bytes, (struct level){names, 0}, out);
    if (behind) text->end = (size_t)(behind - text->bytes);
    return behind;
}

// ---- texts without such arrays

// Appends lines with one blank for each line break and the next line's indent.
static void put_lines(struct text *out, const char *from, const char *to) {
    while (from < to) {
        const char *end = memchr(from, '\n', (size_t)(to - from));
        text_append_n(out, from, (size_t)((end ? end : to) - from));
        if (!end) return;
        text_append_n(out, " ", 1);
        for (from = end; from < to && (*from == '\n' || *from == ' ');) from++;
    }
}

// Removes each member with the comma before it, or for the first member the comma after it.
void json_put_without(struct text *out, const char *bytes, size_t length, const struct json_passed *passed) {
    struct json_text text = {.bytes = bytes, .length = length, .deepest = JSON_DEEPEST, .passed = passed};
    struct json_object *value = NULL;
    if (json_parse_value(&text, &value)) json_object_put(value);
    const char *from = bytes;
    for (int i = 0; i < text.array_count; i++) {
        const char *to = bytes + text.arrays[i].key;
        const size_t behind = json_space_end(bytes, length, text.arrays[i].end);
        while (to > from && strchr(" \n\r\t", to[-1])) to--;
        const bool first = to == from || to[-1] != ',';
        put_lines(out, from, first ? to : to - 1);
        from = bytes + (first && behind < length && bytes[behind] == ',' ? behind + 1 : text.arrays[i].end);
    }
    put_lines(out, from, bytes + length);
}
