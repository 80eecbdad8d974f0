// SPDX-License-Identifier: Apache-2.0
// struct device_info to JSON and back, from one table of members.
#include "limits.h"

#include "../base/json.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum form { FORM_INT, FORM_U32, FORM_U32_3, FORM_U64, FORM_DOUBLE, FORM_STRING, FORM_VERSION, FORM_KIND };

struct member {
    const char *group; // NULL: a member of the object itself
    const char *name;
    enum form form;
    size_t offset, size;
};

#define MEMBER(group, name, form, field)                                                                               \
    { group, name, form, offsetof(struct device_info, field), sizeof((struct device_info *)0)->field }

static const struct member members[] = {
    MEMBER(NULL, "index", FORM_INT, index),
    MEMBER(NULL, "name", FORM_STRING, name),
    MEMBER(NULL, "kind", FORM_KIND, kind),
    MEMBER(NULL, "vendor_id", FORM_U32, vendor_id),
    MEMBER(NULL, "device_id", FORM_U32, device_id),
    MEMBER(NULL, "api_version", FORM_VERSION, api_version),
    MEMBER(NULL, "driver_version", FORM_U32, driver_version),
    MEMBER(NULL, "driver_name", FORM_STRING, driver_name),
    MEMBER(NULL, "driver_info", FORM_STRING, driver_info),
    MEMBER(NULL, "device_uuid", FORM_STRING, device_uuid),
    MEMBER(NULL, "driver_uuid", FORM_STRING, driver_uuid),
    MEMBER(NULL, "pci", FORM_STRING, pci),
    MEMBER(NULL, "queue_family", FORM_U32, queue_family),
#define LIMIT_MEMBER(FORM, NAME, ...) MEMBER("limits", #NAME, FORM_##FORM, NAME),
    DEVICE_LIMITS(LIMIT_MEMBER) // each ends in a comma
    MEMBER("timestamps", "period_ns", FORM_DOUBLE, timestamp_period_ns),
    MEMBER("timestamps", "valid_bits", FORM_U32, timestamp_bits),
};
enum { MEMBER_COUNT = sizeof members / sizeof *members };

// Vulkan's packing of a version: 3 bits variant, 7 major, 10 minor, 12 patch.
static struct json_object *version_to_json(uint32_t version) {
    char string[40];
    snprintf(string, sizeof string, "%u.%u.%u", version >> 22 & 0x7f, version >> 12 & 0x3ff, version & 0xfff);
    return json_object_new_string(string);
}

static bool version_from_json(const struct json_at *at, uint32_t *version, struct error *err) {
    unsigned major, minor, patch;
    char rest;
    if (!json_expect(at, json_type_string, err)) return false;
    const char *string = json_object_get_string(at->value);
    if (sscanf(string, "%3u.%4u.%4u%c", &major, &minor, &patch, &rest) != 3 || major > 0x7f || minor > 0x3ff ||
        patch > 0xfff)
        return json_fail(at, err, "expected a version such as \"1.3.230\", found \"%.40s\"", string);
    *version = major << 22 | minor << 12 | patch;
    return true;
}

static struct json_object *three_to_json(const uint32_t *three) {
    struct json_object *array = json_object_new_array();
    for (int i = 0; i < 3; i++) json_object_array_add(array, json_object_new_int64(three[i]));
    return array;
}

static struct json_object *value_to_json(enum form form, const void *field) {
    switch (form) {
    case FORM_INT:
        return json_object_new_int(*(const int *)field);
    case FORM_U32:
        return json_object_new_int64(*(const uint32_t *)field);
    case FORM_U32_3:
        return three_to_json(field);
    case FORM_U64:
        return json_object_new_int64((int64_t) * (const uint64_t *)field);
    case FORM_DOUBLE:
        return json_double(*(const double *)field);
    case FORM_STRING:
        return json_object_new_string(field);
    case FORM_VERSION:
        return version_to_json(*(const uint32_t *)field);
    case FORM_KIND:
        return json_object_new_string(device_kind_name(*(const enum device_kind *)field));
    }
    return NULL;
}

static struct json_object *features_to_json(const struct device_info *info) {
    struct json_object *features = json_object_new_object();
    for (int i = 0; i < FEATURE_COUNT; i++) json_put_bool(features, feature_name((enum feature)i), info->features[i]);
    return features;
}

static struct json_object *heaps_to_json(const struct device_info *info) {
    struct json_object *heaps = json_object_new_array();
    for (int i = 0; i < info->heap_count; i++) {
        struct json_object *heap = json_object_new_object();
        json_put_int(heap, "bytes", (int64_t)info->heaps[i].bytes);
        json_put_bool(heap, "device_local", info->heaps[i].device_local);
        json_object_array_add(heaps, heap);
    }
    return heaps;
}

static struct json_object *cooperative_to_json(const struct device_info *info) {
    struct json_object *list = json_object_new_array();
    for (int i = 0; i < info->cooperative_count; i++) {
        const struct cooperative *has = &info->cooperative[i];
        struct json_object *item = json_object_new_object();
        json_put_int(item, "m", has->m);
        json_put_int(item, "n", has->n);
        json_put_int(item, "k", has->k);
        json_put_string(item, "a", component_name(has->a));
        json_put_string(item, "b", component_name(has->b));
        json_put_string(item, "c", component_name(has->c));
        json_put_string(item, "result", component_name(has->result));
        json_object_array_add(list, item);
    }
    return list;
}

struct json_object *device_to_json(const struct device_info *info) {
    struct json_object *object = json_object_new_object();
    for (int i = 0; i < MEMBER_COUNT; i++) {
        const struct member *member = &members[i];
        struct json_object *into = object;
        if (member->group && !(into = json_get(object, member->group)))
            json_put(object, member->group, into = json_object_new_object());
        json_put(into, member->name, value_to_json(member->form, (const char *)info + member->offset));
    }
    json_put(object, "features", features_to_json(info));
    json_put(object, "heaps", heaps_to_json(info));
    json_put(object, "cooperative_matrices", cooperative_to_json(info));
    return object;
}

static bool string_from_json(const struct json_at *at, char *out, size_t size, struct error *err) {
    if (!json_expect(at, json_type_string, err)) return false;
    const char *string = json_object_get_string(at->value);
    if (strlen(string) >= size) return json_fail(at, err, "expected fewer than %zu characters", size);
    memcpy(out, string, strlen(string) + 1);
    return true;
}

static bool u32_from_json(const struct json_at *at, uint32_t *out, struct error *err) {
    int64_t value;
    if (!json_integer(at, 0, UINT32_MAX, &value, err)) return false;
    *out = (uint32_t)value;
    return true;
}

static bool u64_from_json(const struct json_at *at, uint64_t *out, struct error *err) {
    int64_t value;
    if (!json_integer(at, 0, INT64_MAX, &value, err)) return false;
    *out = (uint64_t)value;
    return true;
}

static bool three_from_json(const struct json_at *at, uint32_t *three, struct error *err) {
    struct json_at item;
    for (size_t i = 0; i < 3; i++)
        if (!json_item(at, i, &item, err) || !u32_from_json(&item, &three[i], err)) return false;
    return true;
}

static bool int_from_json(const struct json_at *at, int *out, struct error *err) {
    int64_t value;
    if (!json_integer(at, 0, INT32_MAX, &value, err)) return false;
    *out = (int)value;
    return true;
}

static bool kind_from_json(const struct json_at *at, enum device_kind *kind, struct error *err) {
    if (!json_expect(at, json_type_string, err)) return false;
    const char *name = json_object_get_string(at->value);
    for (int i = DEVICE_OTHER; i <= DEVICE_CPU; i++) {
        *kind = (enum device_kind)i;
        if (strcmp(device_kind_name(*kind), name) == 0) return true;
    }
    return json_fail(at, err, "expected discrete, integrated, virtual, cpu or other, found \"%.40s\"", name);
}

static bool value_from_json(const struct json_at *at, enum form form, void *field, size_t size, struct error *err) {
    switch (form) {
    case FORM_INT:
        return int_from_json(at, field, err);
    case FORM_U32:
        return u32_from_json(at, field, err);
    case FORM_U32_3:
        return three_from_json(at, field, err);
    case FORM_U64:
        return u64_from_json(at, field, err);
    case FORM_DOUBLE:
        return json_number(at, field, err);
    case FORM_STRING:
        return string_from_json(at, field, size, err);
    case FORM_VERSION:
        return version_from_json(at, field, err);
    case FORM_KIND:
        return kind_from_json(at, field, err);
    }
    return false;
}

// A feature that the file does not mention is one that its writer did not know: absent. One that we
// do not know is of no use here.
static bool features_from_json(const struct json_at *root, bool *features, struct error *err) {
    struct json_at object, at;
    if (!json_member(root, "features", false, &object, err)) return false;
    for (int i = 0; i < FEATURE_COUNT; i++) {
        if (!json_member(&object, feature_name((enum feature)i), true, &at, err)) return false;
        if (at.value && !json_boolean(&at, &features[i], err)) return false;
    }
    return true;
}

static bool heaps_from_json(const struct json_at *root, struct device_info *info, struct error *err) {
    struct json_at array, heap, bytes, local;
    if (!json_member(root, "heaps", false, &array, err) || !json_expect(&array, json_type_array, err)) return false;
    if (json_count(&array) > DEVICE_HEAPS) return json_fail(&array, err, "expected at most %d heaps", DEVICE_HEAPS);
    info->heap_count = (int)json_count(&array);
    for (int i = 0; i < info->heap_count; i++)
        if (!json_item(&array, (size_t)i, &heap, err) || !json_member(&heap, "bytes", false, &bytes, err) ||
            !u64_from_json(&bytes, &info->heaps[i].bytes, err) ||
            !json_member(&heap, "device_local", false, &local, err) ||
            !json_boolean(&local, &info->heaps[i].device_local, err))
            return false;
    return true;
}

static bool component_from_json(
    const struct json_at *object, const char *member, enum component *out, struct error *err) {
    struct json_at at;
    if (!json_member(object, member, false, &at, err) || !json_expect(&at, json_type_string, err)) return false;
    const char *name = json_object_get_string(at.value);
    int component = component_named(name);
    if (component < 0) return json_fail(&at, err, "expected a type such as \"f16\", found \"%.40s\"", name);
    *out = (enum component)component;
    return true;
}

static bool side_from_json(const struct json_at *object, const char *member, uint32_t *out, struct error *err) {
    struct json_at at;
    return json_member(object, member, false, &at, err) && u32_from_json(&at, out, err);
}

// A file from before cooperative matrices were listed has none.
static bool cooperative_from_json(const struct json_at *root, struct device_info *info, struct error *err) {
    struct json_at array, item;
    if (!json_member(root, "cooperative_matrices", true, &array, err)) return false;
    if (!array.value) return true;
    if (!json_expect(&array, json_type_array, err)) return false;
    if (json_count(&array) > DEVICE_COOPERATIVE)
        return json_fail(&array, err, "expected at most %d matrices", DEVICE_COOPERATIVE);
    info->cooperative_count = (int)json_count(&array);
    for (int i = 0; i < info->cooperative_count; i++) {
        struct cooperative *out = &info->cooperative[i];
        if (!json_item(&array, (size_t)i, &item, err) || !side_from_json(&item, "m", &out->m, err) ||
            !side_from_json(&item, "n", &out->n, err) || !side_from_json(&item, "k", &out->k, err) ||
            !component_from_json(&item, "a", &out->a, err) || !component_from_json(&item, "b", &out->b, err) ||
            !component_from_json(&item, "c", &out->c, err) || !component_from_json(&item, "result", &out->result, err))
            return false;
    }
    return true;
}

bool device_from_json(struct json_object *object, struct device_info *info, struct error *err) {
    struct json_at root = json_root(object, "device"), group, at;
    *info = (struct device_info){0};
    for (int i = 0; i < MEMBER_COUNT; i++) {
        const struct member *member = &members[i];
        group = root;
        if (member->group && !json_member(&root, member->group, false, &group, err)) return false;
        bool limit = member->group && strcmp(member->group, "limits") == 0; // one that is not told is 0
        if (!json_member(&group, member->name, limit, &at, err)) return false;
        if (limit && !at.value) continue;
        if (!value_from_json(&at, member->form, (char *)info + member->offset, member->size, err)) return false;
    }
    return features_from_json(&root, info->features, err) && heaps_from_json(&root, info, err) &&
           cooperative_from_json(&root, info, err);
}
