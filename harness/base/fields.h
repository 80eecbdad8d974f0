// SPDX-License-Identifier: Apache-2.0
// Converts structures to JSON and back by one table of fields, so reading and writing always agree. The JSON Schemas of
// files follow from the same tables (schema/schema.h).
#ifndef VKASSAY_BASE_FIELDS_H
#define VKASSAY_BASE_FIELDS_H

#include "json.h"

#include <stddef.h>

// The JSON form of one member, given by functions or by one of the tables after them. A function replaces the table for
// its direction.
struct kind {
    struct json_object *(*put)(const void *member); // NULL: null
    bool (*get)(struct arena *arena, const struct json_at *at, void *member, struct error *err);
    void (*absent)(void *member);   // called if the JSON member is null or missing; NULL: it stays zero
    const struct enum_words *words; // an enum: one of its words
    const struct item_list *list;   // an array
    const struct field *fields;     // an object
    bool closed;                    // of fields: no members are allowed beside these and `also`
    const struct kind *plain;       // of fields: the form of a value that is no object; NULL: there is none
    size_t chars;                   // char[chars]: a text that fits
    const struct kind *values;      // members of the object with any other name, or with `keys`
    const struct enum_words *keys;
    size_t each;           // an array with an item of so many bytes for each of `keys`
    const struct kind *of; // this form, within the bounds, and one of `words` if there are any
    double least, most;    // bounds of a number, or of the length of a text; 0: none
    size_t where;          // offset in the member of a const char * for its JSON path; 0: it is not kept

    // Only for schemas.
    const char *name;              // of its definition in a schema; NULL: no definition
    const char *meaning;           // for readers of the file; NULL: the key is enough
    const char *schema;            // members of its schema that follow from nothing else, as JSON (SCHEMA)
    const struct field *also;      // members of the object beside `fields`, read elsewhere
    const struct kind *const *any; // its other forms; ends with NULL
    int required;                  // so many of `keys`, the first ones, are always there
    const struct enum_words *set;  // an array of these words, each at most once
};
// A kind within bounds, or with a meaning: KIND(kind_int, .least = 1, .meaning = "Number of workers.").
#define KIND(INNER, ...)                                                                                               \
    &(const struct kind) {                                                                                             \
        .of = &INNER, __VA_ARGS__                                                                                      \
    }
// JSON as a text: SCHEMA({"pattern": "^[0-9]+$"}).
#define SCHEMA(...) #__VA_ARGS__

struct json_object *kind_put(const struct kind *kind, const void *member);
bool kind_get(const struct kind *kind, struct arena *arena, const struct json_at *at, void *member, struct error *err);

// The words of an enum, from `first` to before `end`.
struct enum_words {
    const char *(*name)(int value); // NULL: the value has no word, and is null
    int first, end;
    const char *expected; // "gpu or host"
};

// Defines the words of an enum from a function, and its kind too; `scope` is static or empty.
#define ENUM_WORDS(scope, what, name_of, type, first, end, expected)                                                   \
    static const char *what##_word(int value) {                                                                        \
        return name_of((enum type)value);                                                                              \
    }                                                                                                                  \
    scope const struct enum_words what##_words = {what##_word, first, end, expected};
#define ENUM_KIND(scope, what, name_of, type, first, end, expected)                                                    \
    ENUM_WORDS(static, what, name_of, type, first, end, expected)                                                      \
    scope const struct kind kind_##what = {.words = &what##_words};

// Items of one kind in a struct, and their number.
struct item_list {
    const struct kind *kind;
    size_t size;         // of an item
    size_t items, count; // offsets of an array and an int; if in_arena, of a pointer and a size_t
    int least, most;     // most 0: any number
    bool in_arena;
    bool alone; // an item in place of an array is a list of one
    bool named; // an object in place of an array: its members are the items, and each begins with its name
};
// Kinds for such members: an array with room for MOST, or one in the arena. They take the whole struct as member.
#define ROOM_LIST(STRUCT, ITEMS, COUNT, KIND, LEAST, MOST)                                                             \
    ITEM_LIST(STRUCT, ITEMS, COUNT, KIND, .least = LEAST, .most = MOST)
#define ARENA_LIST(STRUCT, ITEMS, COUNT, KIND, LEAST)                                                                  \
    ITEM_LIST(STRUCT, ITEMS, COUNT, KIND, .least = LEAST, .in_arena = true)
#define LIST_OR_ONE(STRUCT, ITEMS, COUNT, KIND)                                                                        \
    ITEM_LIST(STRUCT, ITEMS, COUNT, KIND, .least = 1, .in_arena = true, .alone = true)
#define ITEM_LIST(STRUCT, ITEMS, COUNT, KIND, ...)                                                                     \
    &(const struct kind) {                                                                                             \
        .list = &(const struct item_list) {                                                                            \
            LIST_OF(STRUCT, ITEMS, COUNT, KIND), __VA_ARGS__                                                           \
        }                                                                                                              \
    }
// The first members of an item_list.
#define LIST_OF(STRUCT, ITEMS, COUNT, KIND)                                                                            \
    .kind = KIND, .size = sizeof *((STRUCT *)0)->ITEMS, .items = offsetof(STRUCT, ITEMS),                              \
    .count = offsetof(STRUCT, COUNT)

// REQUIRED members must be there when read. The others may be missing, as in a part of a record. All are always
// written, but SPARSE ones only with a value; NULLABLE ones without a value are null. Files of older versions lack the
// NEW ones.
enum presence { REQUIRED, WRITTEN, NULLABLE, SPARSE, NEW, NEW_NULLABLE };

struct field {
    const char *key; // NULL ends a table
    const struct kind *kind;
    size_t offset; // of the member; 0 too for a kind of the whole, and for a member written elsewhere
    enum presence presence;
};

enum { FIELDS_CLOSED = 60 }; // at most in a closed kind
// Returns whether an object has only members of these tables; the error suggests the nearest key. `also` may be NULL.
bool fields_only(const struct json_at *at, const struct field *fields, const struct field *also, struct error *err);
struct json_object *fields_put(const struct field *fields, const void *base);
void fields_add(struct json_object *object, const struct field *fields, const void *base); // to its other members
// Reads an object; `base` must be zeroed before.
bool fields_get(
    struct arena *arena, const struct json_at *at, const struct field *fields, void *base, struct error *err);
void fields_absent(const struct field *fields, void *base); // as if all members were missing

// Write and read an array of items of one kind, `size` bytes each. Reading expects exactly `count` of them.
struct json_object *items_put(const struct kind *kind, const void *items, size_t size, size_t count);
bool items_get(struct arena *arena, const struct json_at *at, const struct kind *kind, void *items, size_t size,
    size_t count, struct error *err);

extern const struct kind kind_json;      // struct json_object *, any value: borrowed when read
extern const struct kind kind_text;      // const char *; NULL is null
extern const struct kind kind_flag;      // bool
extern const struct kind kind_mark;      // bool; null if false
extern const struct kind kind_real;      // double; null if not finite, read as NaN
extern const struct kind kind_amount;    // the same, and not negative when read
extern const struct kind kind_positive;  // double, above 0 when read; null if not above 0
extern const struct kind kind_above_0;   // double, above 0 when read
extern const struct kind kind_special;   // double; NaN and infinities are "nan", "inf", "-inf"
extern const struct kind kind_int;       // int, not negative
extern const struct kind kind_uint32;    // uint32_t
extern const struct kind kind_three;     // uint32_t[3]
extern const struct kind kind_int64;     // int64_t, not negative
extern const struct kind kind_size;      // size_t
extern const struct kind kind_some;      // size_t, above 0 when read; null if 0
extern const struct kind kind_hex;       // uint64_t as sixteen hexadecimal digits
extern const struct kind kind_version_1; // the number 1, not stored: a file's "schema_version"

// Returns a JSON string; NULL gives null. Invalid UTF-8, printed by some drivers and compilers, becomes U+FFFD.
struct json_object *json_text(const char *string);

// The `put` of members of type struct json_object *, as of kind_json, for kinds that describe the value.
struct json_object *given_put(const void *member);

// Reads sixteen hexadecimal digits; `at` is their place, for the error.
bool json_hex(const struct json_at *at, const char *digits, uint64_t *out, struct error *err);

#endif
