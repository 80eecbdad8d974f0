// SPDX-License-Identifier: Apache-2.0
#include "made_up.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); // of libFuzzer

static uint64_t state;
static size_t below(size_t count) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return count ? (size_t)(state >> 33) % count : 0;
}

// ---- trees

enum { MOST_PLACES = 4096 };

// A value within its array or object.
struct place {
    struct json_object *in, *value;
    const char *key; // NULL: of an array
    size_t index;
};
struct tree {
    struct place places[MOST_PLACES];
    size_t count;
};

static void find_places(struct tree *tree, struct json_object *in) {
    const bool object = json_object_is_type(in, json_type_object), array = json_object_is_type(in, json_type_array);
    const size_t first = tree->count;
    if (object) {
        json_object_object_foreach(in, key, value) {
            if (tree->count < MOST_PLACES) tree->places[tree->count++] = (struct place){in, value, key, 0};
        }
    }
    for (size_t i = 0; array && i < json_object_array_length(in) && tree->count < MOST_PLACES; i++)
        tree->places[tree->count++] = (struct place){in, json_object_array_get_idx(in, i), NULL, i};
    for (size_t i = first, end = tree->count; i < end; i++) find_places(tree, tree->places[i].value);
}

// Puts a value at a place, and takes the value over.
static void put(const struct place *at, struct json_object *value) {
    if (at->key)
        json_object_object_add(at->in, at->key, value);
    else
        json_object_array_put_idx(at->in, at->index, value);
}

static struct json_object *copy(struct json_object *value) {
    struct json_object *out = NULL;
    if (value) json_object_deep_copy(value, &out, NULL);
    return out;
}

// Returns a value at which readers may fail.
static struct json_object *odd_value(void) {
    static const char *const odd[] = {"null", "true", "false", "0", "1", "-1", "2", "255", "256", "65536", "2147483647",
        "2147483648", "4294967295", "4294967296", "9007199254740993", "9223372036854775807", "-9223372036854775808",
        "18446744073709551615", "1e308", "-1e308", "1e-320", "0.1", "-0.0", "\"\"", "[]", "{}", "[[]]", "[null]",
        "[0, 0]", "{\"\": 0}", "\"*\"", "\"/\"", "\"../../..\"", "\"\\u001b[31m\"", "\"\\u202e\"", "\"=1+1\"",
        "\"%n%s\"", "\"f32\"", "\"n\"", "\"WG_X\"", "{\"over\": 0}", "\"2026-01-01T00:00:00Z\"", "\"e\\u0301\""};
    return json_tokener_parse(odd[below(sizeof odd / sizeof *odd)]);
}

static struct json_object *changed_string(struct json_object *value, const char *other) {
    uint8_t bytes[256] = {0};
    size_t length = (size_t)json_object_get_string_len(value);
    if (below(4) == 0) return json_object_new_string(other);
    if (length > sizeof bytes / 2) length = sizeof bytes / 2;
    memcpy(bytes, json_object_get_string(value), length);
    length = LLVMFuzzerMutate(bytes, length, sizeof bytes);
    for (size_t i = 0; i < length; i++) // UTF-8 is refused at once
        if (bytes[i] >= 0x80) bytes[i] &= 0x7f;
    return json_object_new_string_len((const char *)bytes, (int)length);
}

static struct json_object *changed_number(struct json_object *value) {
    static const double factors[] = {-1, 0.5, 2, 1.0000001, 1000, 1e9, 1e-9};
    const int64_t whole = json_object_get_int64(value);
    if (json_object_is_type(value, json_type_double))
        return json_object_new_double(json_object_get_double(value) * factors[below(sizeof factors / sizeof *factors)]);
    const uint64_t bits = (uint64_t)whole;
    const uint64_t changed[] = {bits + 1, bits - 1, bits * 2, bits / 2, 0 - bits, bits ^ (uint64_t)1 << below(64)};
    return json_object_new_int64((int64_t)changed[below(sizeof changed / sizeof *changed)]);
}

static struct json_object *nested(struct json_object *value) {
    for (size_t depth = below(4) ? 1 : 1 + below(200); depth; depth--) {
        struct json_object *outer = below(2) ? json_object_new_array() : json_object_new_object();
        if (json_object_is_type(outer, json_type_array))
            json_object_array_add(outer, value);
        else
            json_object_object_add(outer, "a", value);
        value = outer;
    }
    return value;
}

// Repeats an item or adds a member under another name.
static void repeat(const struct place *at, const char *key) {
    char same[40], name[64];
    snprintf(same, sizeof same, "%.20s", key ? key : "a");
    for (size_t times = below(8) ? 1 : below(70); times; times--) {
        snprintf(name, sizeof name, "%s%zu", same, times);
        if (!at->key)
            json_object_array_add(at->in, copy(at->value));
        else
            json_object_object_add(at->in, times == 1 && below(2) ? same : name, copy(at->value));
    }
}

static void remove_at(const struct place *at) {
    if (at->key)
        json_object_object_del(at->in, at->key);
    else
        json_object_array_del_idx(at->in, at->index, 1);
}

// Makes one change. `other` is a place of this or another tree.
static void change(const struct place *at, const struct place *other) {
    switch (below(9)) {
    case 0:
        remove_at(at);
        break;
    case 1:
        put(at, odd_value());
        break;
    case 2:
    case 3:
        put(at, copy(other->value));
        break;
    case 4:
        put(at, nested(copy(at->value)));
        break;
    case 5:
        repeat(at, other->key);
        break;
    default:
        if (json_object_is_type(at->value, json_type_string))
            put(at, changed_string(at->value, other->value ? json_object_get_string(other->value) : ""));
        else if (json_object_is_type(at->value, json_type_int) || json_object_is_type(at->value, json_type_double))
            put(at, changed_number(at->value));
        else
            put(at, odd_value());
    }
}

static struct json_object *parse(const char *bytes, size_t length) {
    struct json_tokener *tokener = json_tokener_new_ex(64);
    struct json_object *value = length < INT32_MAX ? json_tokener_parse_ex(tokener, bytes, (int)length) : NULL;
    const bool whole = json_tokener_get_error(tokener) == json_tokener_success;
    json_tokener_free(tokener);
    if (whole && (json_object_is_type(value, json_type_object) || json_object_is_type(value, json_type_array)))
        return value;
    json_object_put(value);
    return NULL;
}

// Returns the changed text of a value, owned by the caller; NULL: the bytes are no value.
static char *changed_value(const char *bytes, size_t length, const struct seed *seed) {
    static struct tree tree, others;
    struct json_object *value = parse(bytes, length), *more = seed ? parse(seed->bytes, seed->length) : NULL;
    if (!value) {
        json_object_put(more);
        return NULL;
    }
    if (json_object_is_type(value, json_type_object)) json_object_object_del(value, "crc32");
    for (size_t changes = 1 + below(3); changes; changes--) {
        tree.count = others.count = 0;
        find_places(&tree, value);
        if (more) find_places(&others, more);
        const struct tree *from = others.count && below(2) ? &others : &tree;
        if (tree.count) change(&tree.places[below(tree.count)], &from->places[below(from->count)]);
    }
    char *text = strdup(json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(value);
    json_object_put(more);
    return text;
}

// ---- lines and words

// Changes a line of several: as a value, or by its removal or repetition. Returns 0 if the result has no room.
static size_t change_line(const struct seed *seed, uint8_t *bytes, size_t length, size_t room) {
    size_t lines = 1, begin = 0;
    for (size_t i = 0; i < length; i++) lines += bytes[i] == '\n' && i + 1 < length;
    for (size_t line = below(lines); line && begin < length; begin++) line -= bytes[begin] == '\n';
    const uint8_t *end = memchr(bytes + begin, '\n', length - begin);
    const size_t old = end ? (size_t)(end - bytes) - begin : length - begin, rest = length - begin - old;
    const size_t how = lines > 1 ? below(10) : 2;
    char *text = how > 1 ? changed_value((const char *)bytes + begin, old, seed) : NULL;
    const size_t new = text ? strlen(text) : how == 1 ? 2 * old + 1 : 0;
    if ((how > 1 && !text) || begin + new + rest > room) {
        free(text);
        return 0;
    }
    memmove(bytes + begin + new, bytes + begin + old, rest);
    if (text) memcpy(bytes + begin, text, new);
    if (how == 1) {
        bytes[begin + old] = '\n';
        memmove(bytes + begin + old + 1, bytes + begin, old);
    }
    free(text);
    return begin + new + rest;
}

static size_t change_word(uint8_t *bytes, size_t length) {
    uint32_t word;
    const size_t words = length / sizeof word, at = below(words) * sizeof word;
    memcpy(&word, bytes + (below(2) ? below(words) * sizeof word : at), sizeof word);
    const uint32_t changed[] = {word, word + 1, word - 1, word ^ (uint32_t)1 << below(32), (uint32_t)below(64),
        UINT32_MAX, (word & 0xffff) | (uint32_t)below(12) << 16, (word & 0xffff0000) | (uint32_t)below(400)};
    word = changed[below(sizeof changed / sizeof *changed)];
    memcpy(bytes + at, &word, sizeof word);
    return length;
}

size_t made_up(enum form form, const struct seed *seeds, size_t seed_count, uint8_t *bytes, size_t length, size_t room,
    unsigned number) {
    state = number;
    below(2);
    const struct seed *seed = seed_count ? &seeds[below(seed_count)] : NULL;
    if (seed && seed->length <= room && (length < 2 || below(30) == 0)) {
        memcpy(bytes, seed->bytes, seed->length);
        length = seed->length;
    }
    size_t changed = 0;
    if (form == FORM_JSON && below(10)) changed = change_line(seed, bytes, length, room);
    if (form == FORM_WORDS && below(4) && length >= sizeof(uint32_t)) changed = change_word(bytes, length);
    return changed ? changed : LLVMFuzzerMutate(bytes, length, room);
}
