// SPDX-License-Identifier: Apache-2.0
// Structures to JSON and back by one table of fields, so that what is written and what is read
// cannot drift apart.
#ifndef VKASSAY_BASE_FIELDS_H
#define VKASSAY_BASE_FIELDS_H

#include "json.h"

#include <stddef.h>

// How one member looks in JSON.
struct kind {
    struct json_object *(*put)(const void *member); // NULL: null
    bool (*get)(struct arena *arena, const struct json_at *at, void *member, struct error *err);
    void (*absent)(void *member); // when the JSON member is null or missing; NULL: all bits zero stand
};

// REQUIRED must be there when read; NULLABLE is written as null and SPARSE left out when there is
// nothing.
enum presence { REQUIRED, NULLABLE, SPARSE };

struct field {
    const char *key; // NULL ends a table
    const struct kind *kind;
    size_t offset; // of the member
    enum presence presence;
};

struct json_object *fields_put(const struct field *fields, const void *base);
// `base` must be zeroed before.
bool fields_get(
    struct arena *arena, const struct json_at *at, const struct field *fields, void *base, struct error *err);
void fields_absent(const struct field *fields, void *base); // as when none of the members is there

// An array of items of one kind, `size` bytes each; reading wants just `count` of them.
struct json_object *items_put(const struct kind *kind, const void *items, size_t size, size_t count);
bool items_get(struct arena *arena, const struct json_at *at, const struct kind *kind, void *items, size_t size,
    size_t count, struct error *err);

extern const struct kind kind_text;     // const char *; NULL is null
extern const struct kind kind_flag;     // bool
extern const struct kind kind_mark;     // bool; null where it is false
extern const struct kind kind_real;     // double; what is not finite is null and reads as NaN
extern const struct kind kind_positive; // the same, and null for what is not above 0 too
extern const struct kind kind_special;  // double; NaN and infinities are "nan", "inf", "-inf"
extern const struct kind kind_int;      // int, not negative
extern const struct kind kind_uint32;   // uint32_t
extern const struct kind kind_int64;    // int64_t, not negative
extern const struct kind kind_size;     // size_t
extern const struct kind kind_hex;      // uint64_t as sixteen hexadecimal digits

// A JSON string; bytes that are no UTF-8 (drivers and compilers print what they like) become
// U+FFFD. NULL gives null.
struct json_object *json_text(const char *string);

// Reads sixteen hexadecimal digits; `at` is where they stand, for the error.
bool json_hex(const struct json_at *at, const char *digits, uint64_t *out, struct error *err);

#endif
