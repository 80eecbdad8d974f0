// SPDX-License-Identifier: Apache-2.0
#include "profile.h"

#include "../base/fields.h"
#include "../base/file.h"
#include "../base/kind.h"
#include "device_info.h"

#include <stdio.h>
#include <string.h>

// ---- limits one by one

static uint64_t value(const struct limit *limit, const struct limit_values *values, int i) {
    return limit_number(limit, (const char *)values + limit->value, i);
}

static void clamp(struct device_info *info, const struct profile *profile, const char *only) {
    if (!*profile->name) return;
    for (int l = 0; l < LIMIT_COUNT; l++) {
        const struct limit *limit = &device_limits[l];
        if (only && strcmp(limit->name, only) != 0) continue;
        void *at = (char *)info + limit->offset;
        for (int i = 0; i < limit_parts(limit); i++) {
            uint64_t has = limit_number(limit, at, i), allowed = value(limit, &profile->limits, i);
            if (allowed && (limit->sense == LIMIT_LEAST ? allowed > has : allowed < has))
                limit_set(limit, at, i, allowed);
        }
    }
    for (int f = 0; f < FEATURE_COUNT; f++) info->features[f] = info->features[f] && !profile->without[f];
    if (profile->without[FEATURE_COOPERATIVE_MATRIX]) info->cooperative_count = 0;
    info->profile = *profile;
}

bool profile_same(const struct profile *a, const struct profile *b) {
    for (int l = 0; l < LIMIT_COUNT; l++)
        for (int i = 0; i < limit_parts(&device_limits[l]); i++)
            if (value(&device_limits[l], &a->limits, i) != value(&device_limits[l], &b->limits, i)) return false;
    return strcmp(a->name, b->name) == 0 && memcmp(a->without, b->without, sizeof a->without) == 0;
}

void device_hold(struct device_info *info, const struct profile *profile) {
    clamp(info, profile, "max_groups");
}

void device_clamp(struct device_info *info, const struct profile *profile) {
    clamp(info, profile, NULL);
}

// ---- comparison with a profile

static bool fits(const struct profile *profile, const struct needs *needs, bool shape_alone, struct excess *excess) {
    for (int l = 0; l < LIMIT_COUNT; l++) {
        const struct limit *limit = &device_limits[l];
        if (shape_alone && limit->sense == LIMIT_SIZE) continue;
        for (int i = 0; i < limit_parts(limit); i++) {
            uint64_t needed = value(limit, &needs->limits, i), allowed = value(limit, &profile->limits, i);
            *excess = (struct excess){.limit = limit, .needed = (double)needed, .allowed = (double)allowed};
            if (allowed && needed && (limit->sense == LIMIT_LEAST ? needed < allowed : needed > allowed)) return false;
        }
    }
    for (int f = 0; f < FEATURE_COUNT; f++) {
        *excess = (struct excess){.feature = (enum feature)f};
        if (needs->features[f] && profile->without[f]) return false;
    }
    return true;
}

bool profile_fits(const struct profile *profile, const struct needs *needs, struct excess *excess) {
    return fits(profile, needs, false, excess);
}

bool profile_fits_shape(const struct profile *profile, const struct needs *needs) {
    struct excess ignored;
    return fits(profile, needs, true, &ignored);
}

void excess_append(struct text *text, const struct excess *excess) {
    if (excess->limit)
        text_format(text, "%s: %.0f, at %s %.0f", excess->limit->name, excess->needed,
            excess->limit->sense == LIMIT_LEAST ? "least" : "most", excess->allowed);
    else
        text_format(text, "without %s", feature_name(excess->feature));
}

// ---- JSON

#define KIND_U32 kind_uint32
#define KIND_U32_3 kind_three
#define KIND_U64 kind_int64
#define VALUE_FIELD(FORM, SENSE, NAME, ...) {#NAME, &KIND_##FORM, offsetof(struct limit_values, NAME), SPARSE},
static const struct field value_fields[] = {DEVICE_LIMITS(VALUE_FIELD){0}};

static struct json_object *values_put(const void *member) {
    const struct limit_values *values = member;
    struct json_object *object = json_object_new_object();
    for (int l = 0; l < LIMIT_COUNT; l++) {
        const struct limit *limit = &device_limits[l];
        bool said = false;
        for (int i = 0; i < limit_parts(limit); i++) said = said || value(limit, values, i);
        if (said) json_put(object, limit->name, kind_put(value_fields[l].kind, (const char *)values + limit->value));
    }
    return object;
}
// A profile leaves out a limit instead of allowing 0.
#define FROM_1(INNER) KIND(INNER, .schema = SCHEMA({"minimum" : 1}))
#define ALLOWED_U32 FROM_1(kind_uint32)
#define ALLOWED_U32_3                                                                                                  \
    KIND(kind_three, .schema = SCHEMA({"items" : {"type" : "integer", "minimum" : 1, "maximum" : 4294967295}}))
#define ALLOWED_U64 FROM_1(kind_int64)
#define ALLOWED_FIELD(FORM, SENSE, NAME, ...) {#NAME, ALLOWED_##FORM, offsetof(struct limit_values, NAME), SPARSE},
static const struct field allowed_fields[] = {DEVICE_LIMITS(ALLOWED_FIELD){0}};

static const struct kind kind_read_values = {.fields = value_fields, .closed = true};
static bool values_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    return kind_get(&kind_read_values, arena, at, member, err);
}
static const struct kind kind_values = {.put = values_put, .get = values_get, .fields = value_fields};
static const struct kind kind_allowed = {.put = values_put,
    .get = values_get,
    .fields = allowed_fields,
    .name = "allowed",
    .meaning = "Limits by their names in a device. Absent: not limited by the profile."};

ENUM_WORDS(, feature, feature_name, feature, 0, FEATURE_COUNT, "a feature")

static struct json_object *features_put(const void *member) {
    const bool *features = member;
    struct json_object *list = json_object_new_array();
    for (int f = 0; f < FEATURE_COUNT; f++)
        if (features[f]) json_object_array_add(list, json_object_new_string(feature_name((enum feature)f)));
    return list;
}
static bool features_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    struct json_at item;
    (void)arena;
    if (!json_expect(at, json_type_array, err)) return false;
    for (size_t i = 0; i < json_count(at); i++) {
        if (!json_item(at, i, &item, err) || !json_expect(&item, json_type_string, err)) return false;
        int feature = feature_named(json_object_get_string(item.value));
        if (feature < 0)
            return json_fail(&item, err, "expected a feature, as `vkassay devices` names them, found \"%.40s\"",
                json_object_get_string(item.value));
        ((bool *)member)[feature] = true;
    }
    return true;
}
static const struct kind kind_features = {
    .put = features_put, .get = features_get, .meaning = "Features by their names in a device.", .set = &feature_words};

static const struct kind kind_profile_name = {.chars = PROFILE_NAME, .schema = SCHEMA({"minLength" : 1})};
static const struct field file_fields[] = {
    {"schema_version", &kind_version_1, 0, REQUIRED},
    {"name", &kind_profile_name, offsetof(struct profile, name), REQUIRED},
    {"allows", &kind_allowed, offsetof(struct profile, limits), REQUIRED},
    {"without", &kind_features, offsetof(struct profile, without), NEW},
    {0},
};
static struct json_object *profile_put(const void *member) {
    const struct profile *profile = member;
    return *profile->name ? fields_put(&file_fields[1], profile) : NULL;
}
const struct kind kind_profile = {.put = profile_put,
    .fields = &file_fields[1], // without the version
    .name = "profile",
    .meaning = "Limits and features that shapes keep to (--limits)."};

static const struct field needs_fields[] = {
    {"limits", &kind_values, offsetof(struct needs, limits), REQUIRED},
    {"features", &kind_features, offsetof(struct needs, features), REQUIRED},
    {0},
};
static struct json_object *needs_put(const void *member) {
    const struct needs *needs = *(const struct needs *const *)member;
    return needs ? fields_put(needs_fields, needs) : NULL;
}
static bool needs_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    struct needs *needs = arena_alloc(arena, 1, sizeof *needs);
    *(const struct needs **)member = needs;
    return fields_get(arena, at, needs_fields, needs, err);
}
const struct kind kind_needs = {.put = needs_put,
    .get = needs_get,
    .fields = needs_fields,
    .meaning = "Limits and features that the shape needs of a device at these dims."};

// ---- by name

const struct kind kind_profile_file = {.fields = file_fields, .closed = true};

// Refuses limits of 0, because 0 would mean no limit. A limit equal to the device's must be left out.
static bool no_zeros(const struct json_at *root, const struct profile *profile, struct error *err) {
    struct json_at allows, member;
    if (!json_member(root, "allows", false, &allows, err)) return false;
    for (int l = 0; l < LIMIT_COUNT; l++) {
        const struct limit *limit = &device_limits[l];
        if (!json_member(&allows, limit->name, true, &member, err)) return false;
        for (int i = 0; member.value && i < limit_parts(limit); i++)
            if (!value(limit, &profile->limits, i))
                return json_fail(
                    &member, err, "expected at least 1, found 0; omit the limits that the profile does not set");
    }
    return true;
}

static bool read_file(const char *path, struct profile *out, struct error *err) {
    struct json_object *value = kind_read(path, KIND_PROFILE, err);
    struct arena arena = {0};
    if (!value) return false;
    struct json_at root = json_root(value, path), name;
    bool ok = kind_get(&kind_profile_file, &arena, &root, out, err) && json_member(&root, "name", false, &name, err) &&
              (*out->name || json_fail(&name, err, "expected a name, found none")) && no_zeros(&root, out, err);
    json_object_put(value);
    arena_free(&arena);
    return ok;
}

static bool unknown(const char *name, struct error *err) {
    const char *names[PROFILES];
    struct text all = {0};
    for (int i = 0; i < PROFILES; i++) {
        names[i] = profiles[i].profile.name;
        text_format(&all, "%s, ", names[i]);
    }
    const char *near = text_nearest(name, names, PROFILES);
    error_set(err, STATUS_USAGE, "no profile \"%s\"%s%s%s; there are %sor a file", name,
        near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "", text_str(&all));
    text_free(&all);
    return false;
}

// Words for several features at once.
static const struct {
    const char *word;
    enum feature features[3];
    int count;
} bundles[] = {
    {"subgroups", {FEATURE_SUBGROUP_BASIC, FEATURE_SUBGROUP_ARITHMETIC, FEATURE_SUBGROUP_SHUFFLE}, 3},
    {"f16", {FEATURE_STORAGE16, FEATURE_FLOAT16}, 2},
};

static bool grant(const char *word, struct profile *out, struct error *err) {
    for (size_t b = 0; b < sizeof bundles / sizeof *bundles; b++) {
        if (strcmp(bundles[b].word, word) != 0) continue;
        for (int i = 0; i < bundles[b].count; i++) out->without[bundles[b].features[i]] = false;
        return true;
    }
    int feature = feature_named(word);
    if (feature < 0)
        return error_set(err, STATUS_USAGE,
            "unknown feature \"%s\"; a profile takes subgroups, f16, and the features listed by `vkassay devices`",
            word);
    out->without[feature] = false;
    return true;
}

bool profile_find(const char *asked, struct profile *out, struct error *err) {
    struct arena arena = {0};
    char *name = arena_copy(&arena, asked), *plus = strrchr(name, '/');
    plus = strchr(plus ? plus : name, '+');
    if (plus) *plus = '\0';
    bool ok = false;
    *out = (struct profile){0};
    for (int i = 0; i < PROFILES && !ok; i++) {
        ok = strcmp(profiles[i].profile.name, name) == 0;
        if (ok) *out = profiles[i].profile;
    }
    if (!ok) ok = strchr(name, '/') || file_exists(name) ? read_file(name, out, err) : unknown(name, err);
    for (char *word = plus; ok && word;) {
        char *next = strchr(++word, '+');
        if (next) *next = '\0';
        ok = grant(word, out, err);
        if (ok && strlen(out->name) + strlen(word) + 2 < sizeof out->name) {
            strcat(out->name, "+");
            strcat(out->name, word);
        }
        word = next;
    }
    arena_free(&arena);
    return ok;
}
