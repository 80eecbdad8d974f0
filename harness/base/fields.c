// SPDX-License-Identifier: Apache-2.0
#include "fields.h"

#include "text.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- kinds that are tables

static struct json_object *list_put(const struct item_list *list, const void *whole) {
    const void *items = (const char *)whole + list->items, *count = (const char *)whole + list->count;
    if (!list->in_arena) return items_put(list->kind, items, list->size, (size_t) * (const int *)count);
    memcpy(&items, items, sizeof(void *));
    return items_put(list->kind, items, list->size, *(const size_t *)count);
}

static bool count_get(const struct json_at *at, const struct item_list *list, struct error *err) {
    const size_t count = json_count(at), least = (size_t)list->least, most = list->most ? (size_t)list->most : INT_MAX;
    if (!json_expect(at, list->named ? json_type_object : json_type_array, err)) return false;
    if (count >= least && count <= most) return true;
    if (!list->most) return json_fail(at, err, "expected %zu or more items, found %zu", least, count);
    return json_fail(at, err, "expected %zu to %zu items, found %zu", least, most, count);
}

// Reads the members of an object as items, each after its name.
static bool members_get(
    const struct item_list *list, struct arena *arena, const struct json_at *at, void *items, struct error *err) {
    char *item = items;
    json_object_object_foreach(at->value, name, ignored) {
        struct json_at member;
        (void)ignored;
        *(const char **)(void *)item = arena_copy(arena, name);
        if (!json_member(at, name, false, &member, err) || !kind_get(list->kind, arena, &member, item, err))
            return false;
        item += list->size;
    }
    return true;
}

static bool list_get(
    const struct item_list *list, struct arena *arena, const struct json_at *at, void *whole, struct error *err) {
    void *items = (char *)whole + list->items, *count = (char *)whole + list->count;
    const bool alone = list->alone && !json_object_is_type(at->value, json_type_array);
    const size_t found = alone ? 1 : json_count(at);
    if (!alone && !count_get(at, list, err)) return false;
    if (list->in_arena) {
        void *made = arena_alloc(arena, found, list->size);
        memcpy(items, &made, sizeof made);
        items = made;
        *(size_t *)count = found;
    } else {
        *(int *)count = (int)found;
    }
    if (alone) return kind_get(list->kind, arena, at, items, err);
    if (list->named) return members_get(list, arena, at, items, err);
    return items_get(arena, at, list->kind, items, list->size, found, err);
}

static struct json_object *each_put(const struct kind *kind, const char *items) {
    struct json_object *object = json_object_new_object();
    for (int i = kind->keys->first; i < kind->keys->end; i++, items += kind->each)
        json_put(object, kind->keys->name(i), kind_put(kind->values, items));
    return object;
}

// Members that are missing leave their items as they are; other members are ignored.
static bool each_get(
    const struct kind *kind, struct arena *arena, const struct json_at *at, char *items, struct error *err) {
    struct json_at member;
    for (int i = kind->keys->first; i < kind->keys->end; i++, items += kind->each)
        if (!json_member(at, kind->keys->name(i), true, &member, err) ||
            (member.value && !kind_get(kind->values, arena, &member, items, err)))
            return false;
    return true;
}

static bool word_get(const struct enum_words *words, const struct json_at *at, int *value, struct error *err) {
    if (!json_expect(at, json_type_string, err)) return false;
    const char *word = json_object_get_string(at->value);
    for (*value = words->first; *value < words->end; ++*value)
        if (words->name(*value) && strcmp(words->name(*value), word) == 0) return true;
    return json_fail(at, err, "expected %s, found \"%.40s\"", words->expected, word);
}

static bool chars_get(const struct json_at *at, char *out, size_t size, struct error *err) {
    if (!json_expect(at, json_type_string, err)) return false;
    const char *string = json_object_get_string(at->value);
    if (strlen(string) >= size) return json_fail(at, err, "expected fewer than %zu characters", size);
    memcpy(out, string, strlen(string) + 1);
    return true;
}

// Checks the bounds of a number, or of the length of a text.
static bool is_within(const struct kind *kind, const struct json_at *at, struct error *err) {
    const bool text = json_object_is_type(at->value, json_type_string);
    const double size = text ? (double)strlen(json_object_get_string(at->value)) : json_object_get_double(at->value);
    const char *unit = text ? " characters" : "";
    if (kind->least > 0 && size < kind->least)
        return json_fail(at, err, "expected at least %g%s, found %g", kind->least, unit, size);
    return !(kind->most > 0 && size > kind->most) ||
           json_fail(at, err, "expected at most %g%s, found %g", kind->most, unit, size);
}

bool fields_only(const struct json_at *at, const struct field *fields, const struct field *also, struct error *err) {
    const char *keys[FIELDS_CLOSED + 1] = {0};
    size_t count = 0;
    for (const struct field *f = fields; f->key && count < FIELDS_CLOSED; f++) keys[count++] = f->key;
    for (const struct field *f = also; f && f->key && count < FIELDS_CLOSED; f++) keys[count++] = f->key;
    return json_only(at, keys, err);
}

struct json_object *kind_put(const struct kind *kind, const void *member) {
    if (kind->put) return kind->put(member);
    if (kind->of) return kind_put(kind->of, member);
    if (kind->words) return json_text(kind->words->name(*(const int *)member));
    if (kind->list) return list_put(kind->list, member);
    if (kind->fields) return fields_put(kind->fields, member);
    if (kind->each) return each_put(kind, member);
    return json_object_new_string(member);
}

bool kind_get(const struct kind *kind, struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    int word;
    if (kind->where) *(const char **)(void *)((char *)member + kind->where) = arena_copy(arena, at->path);
    if (kind->get) return kind->get(arena, at, member, err);
    if (kind->of)
        return kind_get(kind->of, arena, at, member, err) && is_within(kind, at, err) &&
               (!kind->words || word_get(kind->words, at, &word, err));
    if (kind->words) return word_get(kind->words, at, member, err);
    if (kind->list) return list_get(kind->list, arena, at, member, err);
    if (kind->plain && !json_object_is_type(at->value, json_type_object))
        return kind_get(kind->plain, arena, at, member, err);
    if (kind->closed && !fields_only(at, kind->fields, kind->also, err)) return false;
    if (kind->fields) return fields_get(arena, at, kind->fields, member, err);
    if (kind->each) return each_get(kind, arena, at, member, err);
    return chars_get(at, member, kind->chars, err);
}

static void kind_absent(const struct kind *kind, void *member) {
    if (kind->of)
        kind_absent(kind->of, member);
    else if (kind->absent)
        kind->absent(member);
}

// ---- tables

void fields_add(struct json_object *object, const struct field *fields, const void *base) {
    for (; fields->key; fields++) {
        struct json_object *value = kind_put(fields->kind, (const char *)base + fields->offset);
        if (value || fields->presence != SPARSE) json_put(object, fields->key, value);
    }
}

struct json_object *fields_put(const struct field *fields, const void *base) {
    struct json_object *object = json_object_new_object();
    fields_add(object, fields, base);
    return object;
}

bool fields_get(
    struct arena *arena, const struct json_at *at, const struct field *fields, void *base, struct error *err) {
    struct lh_entry *last = NULL;
    for (; fields->key; fields++) {
        struct json_at member;
        void *to = (char *)base + fields->offset;
        if (!json_next_member(at, fields->key, fields->presence != REQUIRED, &last, &member, err)) return false;
        if (member.value || fields->presence == REQUIRED) {
            if (!kind_get(fields->kind, arena, &member, to, err)) return false;
        } else {
            kind_absent(fields->kind, to);
        }
    }
    return true;
}

void fields_absent(const struct field *fields, void *base) {
    for (; fields->key; fields++) kind_absent(fields->kind, (char *)base + fields->offset);
}

struct json_object *items_put(const struct kind *kind, const void *items, size_t size, size_t count) {
    struct json_object *array = json_object_new_array_ext(count ? (int)count : 1);
    for (size_t i = 0; i < count; i++) json_object_array_add(array, kind_put(kind, (const char *)items + i * size));
    return array;
}

bool items_get(struct arena *arena, const struct json_at *at, const struct kind *kind, void *items, size_t size,
    size_t count, struct error *err) {
    struct json_at item;
    if (!json_expect(at, json_type_array, err)) return false;
    if (json_count(at) != count) return json_fail(at, err, "expected %zu items, found %zu", count, json_count(at));
    for (size_t i = 0; i < count; i++)
        if (!json_item(at, i, &item, err) || !kind_get(kind, arena, &item, (char *)items + i * size, err)) return false;
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

struct json_object *given_put(const void *member) {
    return json_object_get(*(struct json_object *const *)member);
}
static bool json_get_any(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    (void)arena, (void)err;
    *(struct json_object **)member = at->value;
    return true;
}
const struct kind kind_json = {.put = given_put, .get = json_get_any};

static struct json_object *text_put(const void *member) {
    return json_text(*(const char *const *)member);
}
static bool text_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    return json_string(at, arena, member, err);
}
const struct kind kind_text = {.put = text_put, .get = text_get, .schema = SCHEMA({"type" : "string"})};

static struct json_object *flag_put(const void *member) {
    return json_object_new_boolean(*(const bool *)member);
}
static bool flag_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    (void)arena;
    return json_boolean(at, member, err);
}
const struct kind kind_flag = {.put = flag_put, .get = flag_get, .schema = SCHEMA({"type" : "boolean"})};

static struct json_object *mark_put(const void *member) {
    return *(const bool *)member ? json_object_new_boolean(true) : NULL;
}
const struct kind kind_mark = {.put = mark_put, .get = flag_get, .schema = SCHEMA({"const" : true})};

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
const struct kind kind_real = {
    .put = real_put, .get = real_get, .absent = real_absent, .schema = SCHEMA({"type" : "number"})};
static bool amount_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    (void)arena;
    return json_number(at, member, err) &&
           (!(*(double *)member < 0) || json_fail(at, err, "expected at least 0, found %g", *(double *)member));
}
const struct kind kind_amount = {
    .put = real_put, .get = amount_get, .absent = real_absent, .schema = SCHEMA({"type" : "number", "minimum" : 0})};

static struct json_object *positive_put(const void *member) {
    double value = *(const double *)member;
    return value > 0 ? json_double(value) : NULL;
}

static bool above_0_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    (void)arena;
    return json_number(at, member, err) &&
           (*(double *)member > 0 || json_fail(at, err, "expected a number above 0, found %g", *(double *)member));
}
#define ABOVE_0 SCHEMA({"type" : "number", "exclusiveMinimum" : 0})
const struct kind kind_above_0 = {.put = real_put, .get = above_0_get, .schema = ABOVE_0};
const struct kind kind_positive = {.put = positive_put, .get = above_0_get, .absent = real_absent, .schema = ABOVE_0};

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
const struct kind kind_special = {.put = special_put,
    .get = special_get,
    .absent = real_absent,
    .name = "special",
    .meaning = "A number, also NaN or an infinity.",
    .schema = SCHEMA({"anyOf" : [ {"type" : "number"}, {"enum" : [ "nan", "inf", "-inf" ]} ]})};

// Integers differ only in their type and range.
#define INTEGER_KIND(name, type, high, ...)                                                                            \
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
    const struct kind kind_##name = {.put = name##_put, .get = name##_get, __VA_ARGS__};
#define NATURAL .schema = SCHEMA({"type" : "integer", "minimum" : 0})
INTEGER_KIND(int, int, INT_MAX, NATURAL)
INTEGER_KIND(int64, int64_t, INT64_MAX, NATURAL)
INTEGER_KIND(size, size_t, INT64_MAX, NATURAL)
INTEGER_KIND(uint32, uint32_t, UINT32_MAX, .name = "uint32",
    .schema = SCHEMA({"type" : "integer", "minimum" : 0, "maximum" : 4294967295}))

static struct json_object *some_put(const void *member) {
    return *(const size_t *)member ? size_put(member) : NULL;
}
const struct kind kind_some = {.put = some_put, .of = &kind_size, .least = 1};

static struct json_object *three_put(const void *member) {
    return items_put(&kind_uint32, member, sizeof(uint32_t), 3);
}
static bool three_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    return items_get(arena, at, &kind_uint32, member, sizeof(uint32_t), 3, err);
}
const struct kind kind_three = {.put = three_put, .get = three_get, .schema = SCHEMA({
                                    "type" : "array",
                                    "items" : {"type" : "integer", "minimum" : 0, "maximum" : 4294967295},
                                    "minItems" : 3,
                                    "maxItems" : 3
                                })};

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
const struct kind kind_hex = {.put = hex_put,
    .get = hex_get,
    .name = "hash",
    .schema = SCHEMA({"type" : "string", "pattern" : "^[0-9a-f]{16}$"})};

static struct json_object *version_1_put(const void *member) {
    (void)member;
    return json_object_new_int64(1);
}
static bool version_1_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    int64_t version;
    (void)arena, (void)member;
    return json_integer(at, 1, 1, &version, err);
}
const struct kind kind_version_1 = {.put = version_1_put, .get = version_1_get, .schema = SCHEMA({"const" : 1})};
