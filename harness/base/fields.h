// SPDX-License-Identifier: Apache-2.0
// Structures to JSON and back by one table of fields, so that what is written and what is read
// cannot drift apart.
#ifndef VKASSAY_BASE_FIELDS_H
#define VKASSAY_BASE_FIELDS_H

#include "json.h"

#include <stddef.h>

// How one member looks in JSON: by functions, or by one of the tables behind them.
struct kind {
    struct json_object *(*put)(const void *member); // NULL: null
    bool (*get)(struct arena *arena, const struct json_at *at, void *member, struct error *err);
    void (*absent)(void *member);   // when the JSON member is null or missing; NULL: all bits zero stand
    const struct enum_words *words; // an enum: one of its words
    const struct item_list *list;   // an array
    const struct field *fields;     // an object
    bool closed;                    // of fields: it may have no other members
    size_t chars;                   // char[chars]: a text that fits
};
struct json_object *kind_put(const struct kind *kind, const void *member);
bool kind_get(const struct kind *kind, struct arena *arena, const struct json_at *at, void *member, struct error *err);

// The words of an enum, from `first` to before `end`.
struct enum_words {
    const char *(*name)(int value); // NULL, outside of these: null
    int first, end;
    const char *expected; // "gpu or host"
};

// The kind of an enum whose words a function of its own gives; `scope` is static or empty.
#define ENUM_KIND(scope, what, name_of, type, first, end, expected)                                                    \
    static const char *what##_word(int value) {                                                                        \
        return name_of((enum type)value);                                                                              \
    }                                                                                                                  \
    scope const struct kind kind_##what = {.words = &(const struct enum_words){what##_word, first, end, expected}};

// Items of one kind that stand in a struct, and how many they are.
struct item_list {
    const struct kind *kind;
    size_t size;         // of an item
    size_t items, count; // offsets: of the array and of an int; `in_arena` of the pointer to one and of a size_t
    int least, most;     // most 0: any number
    bool in_arena;
};
// Kinds of such members of a struct, which take all of it: an array with room for MOST, or one in the arena.
#define ROOM_LIST(STRUCT, ITEMS, COUNT, KIND, LEAST, MOST) ITEM_LIST(STRUCT, ITEMS, COUNT, KIND, LEAST, MOST, false)
#define ARENA_LIST(STRUCT, ITEMS, COUNT, KIND, LEAST) ITEM_LIST(STRUCT, ITEMS, COUNT, KIND, LEAST, 0, true)
#define ITEM_LIST(STRUCT, ITEMS, COUNT, KIND, ...)                                                                     \
    &(const struct kind) {                                                                                             \
        .list = &(const struct item_list) {                                                                            \
            KIND, sizeof *((STRUCT *)0)->ITEMS, offsetof(STRUCT, ITEMS), offsetof(STRUCT, COUNT), __VA_ARGS__          \
        }                                                                                                              \
    }

// REQUIRED must be there when read; NULLABLE is written as null and SPARSE left out when there is
// nothing.
enum presence { REQUIRED, NULLABLE, SPARSE };

struct field {
    const char *key; // NULL ends a table
    const struct kind *kind;
    size_t offset; // of the member
    enum presence presence;
};

enum { FIELDS_CLOSED = 20 }; // at most in a table of a closed kind
struct json_object *fields_put(const struct field *fields, const void *base);
// `base` must be zeroed before.
bool fields_get(
    struct arena *arena, const struct json_at *at, const struct field *fields, void *base, struct error *err);
void fields_absent(const struct field *fields, void *base); // as when none of the members is there

// An array of items of one kind, `size` bytes each; reading wants just `count` of them.
struct json_object *items_put(const struct kind *kind, const void *items, size_t size, size_t count);
bool items_get(struct arena *arena, const struct json_at *at, const struct kind *kind, void *items, size_t size,
    size_t count, struct error *err);

extern const struct kind kind_text;      // const char *; NULL is null
extern const struct kind kind_flag;      // bool
extern const struct kind kind_mark;      // bool; null where it is false
extern const struct kind kind_real;      // double; what is not finite is null and reads as NaN
extern const struct kind kind_positive;  // the same, and null for what is not above 0 too
extern const struct kind kind_above_0;   // double, above 0 when read
extern const struct kind kind_special;   // double; NaN and infinities are "nan", "inf", "-inf"
extern const struct kind kind_int;       // int, not negative
extern const struct kind kind_uint32;    // uint32_t
extern const struct kind kind_three;     // uint32_t[3]
extern const struct kind kind_int64;     // int64_t, not negative
extern const struct kind kind_size;      // size_t
extern const struct kind kind_hex;       // uint64_t as sixteen hexadecimal digits
extern const struct kind kind_version_1; // the number 1, of which nothing is kept: a file's "schema_version"

// A JSON string; bytes that are no UTF-8 (drivers and compilers print what they like) become
// U+FFFD. NULL gives null.
struct json_object *json_text(const char *string);

// Reads sixteen hexadecimal digits; `at` is where they stand, for the error.
bool json_hex(const struct json_at *at, const char *digits, uint64_t *out, struct error *err);

#endif
