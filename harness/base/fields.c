// SPDX-License-Identifier: Apache-2.0
#include "fields.h"

#include "text.h"
#include "utf8.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct json_object *fields_put(const struct field *fields, const void *base) {
    struct json_object *object = json_object_new_object();
    for (; fields->key; fields++) {
        struct json_object *value = fields->kind->put((const char *)base + fields->offset);
        if (value || fields->presence != SPARSE) json_put(object, fields->key, value);
    }
    return object;
}

bool fields_get(
    struct arena *arena, const struct json_at *at, const struct field *fields, void *base, struct error *err) {
    for (; fields->key; fields++) {
        struct json_at member;
        void *to = (char *)base + fields->offset;
        if (!json_member(at, fields->key, fields->presence != REQUIRED, &member, err)) return false;
        if (member.value || fields->presence == REQUIRED) {
            if (!fields->kind->get(arena, &member, to, err)) return false;
        } else if (fields->kind->absent) {
            fields->kind->absent(to);
        }
    }
    return true;
}

void fields_absent(const struct field *fields, void *base) {
    for (; fields->key; fields++)
        if (fields->kind->absent) fields->kind->absent((char *)base + fields->offset);
}

struct json_object *items_put(const struct kind *kind, const void *items, size_t size, size_t count) {
    struct json_object *array = json_object_new_array_ext(count ? (int)count : 1);
    for (size_t i = 0; i < count; i++) json_object_array_add(array, kind->put((const char *)items + i * size));
    return array;
}

bool items_get(struct arena *arena, const struct json_at *at, const struct kind *kind, void *items, size_t size,
    size_t count, struct error *err) {
    struct json_at item;
    if (!json_expect(at, json_type_array, err)) return false;
    if (json_count(at) != count) return json_fail(at, err, "expected %zu items, found %zu", count, json_count(at));
    for (size_t i = 0; i < count; i++)
        if (!json_item(at, i, &item, err) || !kind->get(arena, &item, (char *)items + i * size, err)) return false;
    return true;
}

struct json_object *json_text(const char *string) {
    if (!string) return NULL;
    struct text clean = {0};
    uint32_t code;
    for (size_t left = strlen(string), length; left; string += length, left -= length) {
        length = utf8_read(string, left, &code);
        if (length)
            text_append_n(&clean, string, length);
        else
            text_append(&clean, "\xef\xbf\xbd");
        if (!length) length = 1;
    }
    struct json_object *value = json_object_new_string(text_str(&clean));
    text_free(&clean);
    return value;
}

static struct json_object *text_put(const void *member) {
    return json_text(*(const char *const *)member);
}
static bool text_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    return json_string(at, arena, member, err);
}
const struct kind kind_text = {text_put, text_get, NULL};

static struct json_object *flag_put(const void *member) {
    return json_object_new_boolean(*(const bool *)member);
}
static bool flag_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    (void)arena;
    return json_boolean(at, member, err);
}
const struct kind kind_flag = {flag_put, flag_get, NULL};

static struct json_object *mark_put(const void *member) {
    return *(const bool *)member ? json_object_new_boolean(true) : NULL;
}
const struct kind kind_mark = {mark_put, flag_get, NULL};

static struct json_object *real_put(const void *member) {
    return json_double(*(const double *)member);
}
static bool real_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    (void)arena;
    return json_number(at, member, err);
}
static void real_absent(void *member) {
    *(double *)member = NAN;
}
const struct kind kind_real = {real_put, real_get, real_absent};

static struct json_object *positive_put(const void *member) {
    double value = *(const double *)member;
    return value > 0 ? json_double(value) : NULL;
}
const struct kind kind_positive = {positive_put, real_get, real_absent};

static const struct {
    const char *name;
    double value;
} specials[] = {{"nan", NAN}, {"inf", INFINITY}, {"-inf", -INFINITY}};

static struct json_object *special_put(const void *member) {
    double value = *(const double *)member;
    if (isfinite(value)) return json_double(value);
    return json_object_new_string(isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}
static bool special_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    (void)arena;
    if (!json_object_is_type(at->value, json_type_string)) return json_number(at, member, err);
    const char *name = json_object_get_string(at->value);
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (strcmp(name, specials[i].name) != 0) continue;
        *(double *)member = specials[i].value;
        return true;
    }
    return json_fail(at, err, "expected a number, \"nan\", \"inf\" or \"-inf\", found \"%.40s\"", name);
}
const struct kind kind_special = {special_put, special_get, real_absent};

// Integers differ in their type and their range alone.
#define INTEGER_KIND(name, type, high)                                                                                 \
    static struct json_object *name##_put(const void *member) {                                                        \
        return json_object_new_int64((int64_t) * (const type *)member);                                                \
    }                                                                                                                  \
    static bool name##_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {           \
        int64_t value;                                                                                                 \
        (void)arena;                                                                                                   \
        if (!json_integer(at, 0, high, &value, err)) return false;                                                     \
        *(type *)member = (type)value;                                                                                 \
        return true;                                                                                                   \
    }                                                                                                                  \
    const struct kind kind_##name = {name##_put, name##_get, NULL};
INTEGER_KIND(int, int, INT_MAX)
INTEGER_KIND(uint32, uint32_t, UINT32_MAX)
INTEGER_KIND(int64, int64_t, INT64_MAX)
INTEGER_KIND(size, size_t, INT64_MAX)

static struct json_object *hex_put(const void *member) {
    char digits[17];
    snprintf(digits, sizeof digits, "%016" PRIx64, *(const uint64_t *)member);
    return json_object_new_string(digits);
}
bool json_hex(const struct json_at *at, const char *digits, uint64_t *out, struct error *err) {
    uint64_t value = 0;
    size_t length = strspn(digits, "0123456789abcdef");
    if (length != 16 || digits[length])
        return json_fail(at, err, "expected sixteen digits 0-9a-f, found \"%.40s\"", digits);
    if (sscanf(digits, "%" SCNx64, &value) != 1) return json_fail(at, err, "expected hexadecimal digits");
    *out = value;
    return true;
}
static bool hex_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    (void)arena;
    return json_expect(at, json_type_string, err) && json_hex(at, json_object_get_string(at->value), member, err);
}
const struct kind kind_hex = {hex_put, hex_get, NULL};
