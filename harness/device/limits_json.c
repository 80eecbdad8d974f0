// SPDX-License-Identifier: Apache-2.0
// struct device_info to JSON and back, from tables of fields.
#include "limits.h"

#include "../base/fields.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- kinds of members

static struct json_object *string_put(const void *member) {
    return json_object_new_string(member);
}
static bool string_get(const struct json_at *at, char *out, size_t size, struct error *err) {
    if (!json_expect(at, json_type_string, err)) return false;
    const char *string = json_object_get_string(at->value);
    if (strlen(string) >= size) return json_fail(at, err, "expected fewer than %zu characters", size);
    memcpy(out, string, strlen(string) + 1);
    return true;
}
#define STRING_KIND(MEMBER)                                                                                            \
    static bool MEMBER##_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {         \
        (void)arena;                                                                                                   \
        return string_get(at, member, sizeof((struct device_info *)0)->MEMBER, err);                                   \
    }                                                                                                                  \
    static const struct kind kind_##MEMBER = {string_put, MEMBER##_get, NULL};
STRING_KIND(name)
STRING_KIND(driver_name)
STRING_KIND(driver_info)
STRING_KIND(device_uuid)
STRING_KIND(driver_uuid)
STRING_KIND(pci)

// Vulkan's packing of a version: 3 bits variant, 7 major, 10 minor, 12 patch.
static struct json_object *version_put(const void *member) {
    char string[40];
    uint32_t version = *(const uint32_t *)member;
    snprintf(string, sizeof string, "%u.%u.%u", version >> 22 & 0x7f, version >> 12 & 0x3ff, version & 0xfff);
    return json_object_new_string(string);
}
static bool version_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    unsigned major, minor, patch;
    char rest;
    (void)arena;
    if (!json_expect(at, json_type_string, err)) return false;
    const char *string = json_object_get_string(at->value);
    if (sscanf(string, "%3u.%4u.%4u%c", &major, &minor, &patch, &rest) != 3 || major > 0x7f || minor > 0x3ff ||
        patch > 0xfff)
        return json_fail(at, err, "expected a version such as \"1.3.230\", found \"%.40s\"", string);
    *(uint32_t *)member = major << 22 | minor << 12 | patch;
    return true;
}
static const struct kind kind_version = {version_put, version_get, NULL};

static struct json_object *three_put(const void *member) {
    struct json_object *array = json_object_new_array();
    for (int i = 0; i < 3; i++) json_object_array_add(array, kind_uint32.put((const uint32_t *)member + i));
    return array;
}
static bool three_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    struct json_at item;
    for (size_t i = 0; i < 3; i++)
        if (!json_item(at, i, &item, err) || !kind_uint32.get(arena, &item, (uint32_t *)member + i, err)) return false;
    return true;
}
static const struct kind kind_three = {three_put, three_get, NULL};

static struct json_object *device_kind_put(const void *member) {
    return json_object_new_string(device_kind_name(*(const enum device_kind *)member));
}
static bool device_kind_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    enum device_kind *kind = member;
    (void)arena;
    if (!json_expect(at, json_type_string, err)) return false;
    const char *name = json_object_get_string(at->value);
    for (int i = DEVICE_OTHER; i <= DEVICE_CPU; i++) {
        *kind = (enum device_kind)i;
        if (strcmp(device_kind_name(*kind), name) == 0) return true;
    }
    return json_fail(at, err, "expected discrete, integrated, virtual, cpu or other, found \"%.40s\"", name);
}
static const struct kind kind_device = {device_kind_put, device_kind_get, NULL};

static struct json_object *component_put(const void *member) {
    return json_object_new_string(component_name(*(const enum component *)member));
}
static bool component_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    (void)arena;
    if (!json_expect(at, json_type_string, err)) return false;
    const char *name = json_object_get_string(at->value);
    int component = component_named(name);
    if (component < 0) return json_fail(at, err, "expected a type such as \"f16\", found \"%.40s\"", name);
    *(enum component *)member = (enum component)component;
    return true;
}
static const struct kind kind_component = {component_put, component_get, NULL};

static struct json_object *features_put(const void *member) {
    const bool *features = member;
    struct json_object *object = json_object_new_object();
    for (int i = 0; i < FEATURE_COUNT; i++) json_put_bool(object, feature_name((enum feature)i), features[i]);
    return object;
}
// A feature that the file does not mention is one that its writer did not know: absent. One that we
// do not know is of no use here.
static bool features_get(struct arena *arena, const struct json_at *object, void *member, struct error *err) {
    struct json_at at;
    (void)arena;
    for (int i = 0; i < FEATURE_COUNT; i++) {
        if (!json_member(object, feature_name((enum feature)i), true, &at, err)) return false;
        if (at.value && !json_boolean(&at, (bool *)member + i, err)) return false;
    }
    return true;
}
static const struct kind kind_features = {features_put, features_get, NULL};

// ---- groups and lists, whose kinds take the whole device_info

#define AT(member) offsetof(struct device_info, member)
#define WHOLE_KIND(name, put, get)                                                                                     \
    static struct json_object *name##_put(const void *whole) {                                                         \
        return put(name, whole);                                                                                       \
    }                                                                                                                  \
    static bool name##_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {            \
        return get(arena, at, name, whole, err);                                                                       \
    }                                                                                                                  \
    static const struct kind kind_##name = {name##_put, name##_get, NULL};

// A file from before a limit was recorded has none of that name: it is 0 then.
#define KIND_U32 kind_uint32
#define KIND_U32_3 kind_three
#define KIND_U64 kind_int64
#define LIMIT_FIELD(FORM, NAME, ...) {#NAME, &KIND_##FORM, AT(NAME), NULLABLE},
static const struct field limits[] = {DEVICE_LIMITS(LIMIT_FIELD){0}};
WHOLE_KIND(limits, fields_put, fields_get)

static const struct field timestamps[] = {
    {"period_ns", &kind_real, AT(timestamp_period_ns), REQUIRED},
    {"valid_bits", &kind_uint32, AT(timestamp_bits), REQUIRED},
    {0},
};
WHOLE_KIND(timestamps, fields_put, fields_get)

// Items of `size` bytes in struct device_info, at most `room`; where they and how many they are stand there.
struct item_list {
    const struct field *fields;
    size_t items, count, size, room;
    const char *what;
};

static struct json_object *list_put(const struct item_list *list, const void *whole) {
    const char *item = (const char *)whole + list->items;
    struct json_object *array = json_object_new_array();
    for (int i = *(const int *)((const char *)whole + list->count); i > 0; i--, item += list->size)
        json_object_array_add(array, fields_put(list->fields, item));
    return array;
}

static bool list_get(
    struct arena *arena, const struct json_at *at, const struct item_list *list, void *whole, struct error *err) {
    char *to = (char *)whole + list->items;
    struct json_at item;
    if (!json_expect(at, json_type_array, err)) return false;
    if (json_count(at) > list->room) return json_fail(at, err, "expected at most %zu %s", list->room, list->what);
    for (size_t i = 0; i < json_count(at); i++, to += list->size)
        if (!json_item(at, i, &item, err) || !fields_get(arena, &item, list->fields, to, err)) return false;
    *(int *)((char *)whole + list->count) = (int)json_count(at);
    return true;
}

static const struct field heap[] = {
    {"bytes", &kind_int64, offsetof(struct device_heap, bytes), REQUIRED},
    {"device_local", &kind_flag, offsetof(struct device_heap, device_local), REQUIRED},
    {0},
};
static const struct item_list heaps[] = {
    {heap, AT(heaps), AT(heap_count), sizeof(struct device_heap), DEVICE_HEAPS, "heaps"}};
WHOLE_KIND(heaps, list_put, list_get)

#define COOPERATIVE(name, kind)                                                                                        \
    { #name, &kind, offsetof(struct cooperative, name), REQUIRED }
static const struct field matrix[] = {COOPERATIVE(m, kind_uint32), COOPERATIVE(n, kind_uint32),
    COOPERATIVE(k, kind_uint32), COOPERATIVE(a, kind_component), COOPERATIVE(b, kind_component),
    COOPERATIVE(c, kind_component), COOPERATIVE(result, kind_component), {0}};
static const struct item_list matrices[] = {
    {matrix, AT(cooperative), AT(cooperative_count), sizeof(struct cooperative), DEVICE_COOPERATIVE, "matrices"}};
WHOLE_KIND(matrices, list_put, list_get)

// ---- the whole

static const struct field fields[] = {
    {"index", &kind_int, AT(index), REQUIRED},
    {"name", &kind_name, AT(name), REQUIRED},
    {"kind", &kind_device, AT(kind), REQUIRED},
    {"vendor_id", &kind_uint32, AT(vendor_id), REQUIRED},
    {"device_id", &kind_uint32, AT(device_id), REQUIRED},
    {"api_version", &kind_version, AT(api_version), REQUIRED},
    {"driver_version", &kind_uint32, AT(driver_version), REQUIRED},
    {"driver_name", &kind_driver_name, AT(driver_name), REQUIRED},
    {"driver_info", &kind_driver_info, AT(driver_info), REQUIRED},
    {"device_uuid", &kind_device_uuid, AT(device_uuid), REQUIRED},
    {"driver_uuid", &kind_driver_uuid, AT(driver_uuid), REQUIRED},
    {"pci", &kind_pci, AT(pci), REQUIRED},
    {"queue_family", &kind_uint32, AT(queue_family), REQUIRED},
    {"limits", &kind_limits, 0, REQUIRED},
    {"timestamps", &kind_timestamps, 0, REQUIRED},
    {"features", &kind_features, AT(features), REQUIRED},
    {"heaps", &kind_heaps, 0, REQUIRED},
    {"cooperative_matrices", &kind_matrices, 0, NULLABLE}, // a file from before they were listed has none
    {0},
};
struct json_object *device_to_json(const struct device_info *info) {
    return fields_put(fields, info);
}

bool device_from_json(struct json_object *object, struct device_info *info, struct error *err) {
    struct json_at root = json_root(object, "device");
    *info = (struct device_info){0};
    return fields_get(NULL, &root, fields, info, err);
}
