// SPDX-License-Identifier: Apache-2.0
// Converts struct device_info to JSON and back, by tables of fields.
#include "limits.h"

#include "../base/fields.h"
#include "profile.h"
#include "device_info.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- kinds of members

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
static const struct kind kind_version = {.put = version_put,
    .get = version_get,
    .schema = SCHEMA({"type" : "string", "pattern" : "^[0-9]+\\.[0-9]+\\.[0-9]+$"})};

ENUM_KIND(static, device, device_kind_name, device_kind, DEVICE_OTHER, DEVICE_CPU + 1,
    "discrete, integrated, virtual, cpu or other")
ENUM_KIND(static, component, component_name, component, 0, COMPONENT_COUNT, "a type such as \"f16\"")
ENUM_KIND(static, scope, matrix_scope_name, matrix_scope, 0, SCOPE_COUNT, "a scope such as \"subgroup\"")

// A feature missing from the file was unknown to its writer, so it counts as absent.
static const struct kind kind_features = {.each = sizeof(bool), .values = &kind_flag, .keys = &feature_words};

// ---- groups and lists: their kinds take the whole device_info

#define AT(member) offsetof(struct device_info, member)

// A file older than a limit does not have it; the limit is then 0.
#define KIND_U32 kind_uint32
#define KIND_U32_3 kind_three
#define KIND_U64 kind_int64
#define LIMIT_FIELD(FORM, SENSE, NAME, ...) {#NAME, &KIND_##FORM, AT(NAME), NEW},
static const struct field limits[] = {DEVICE_LIMITS(LIMIT_FIELD){0}};
static const struct kind kind_limits = {.fields = limits,
    .schema = SCHEMA({
        "required" : [ // in files of every version
            "max_invocations", "shared_bytes", "storage_alignment", "push_bytes", "subgroup_size", "min_subgroup_size",
            "max_subgroup_size", "max_subgroups", "max_size", "max_groups", "storage_range", "largest_allocation"
        ]
    })};

static const struct field timestamps[] = {
    {"period_ns", &kind_amount, AT(timestamp_period_ns), REQUIRED},
    {"valid_bits", KIND(kind_uint32, .most = 64), AT(timestamp_bits), REQUIRED},
    {0},
};
static const struct kind kind_timestamps = {.fields = timestamps};

// Leaves out flags without a name here.
static struct json_object *queue_flags_put(const void *member) {
    const uint32_t flags = *(const uint32_t *)member;
    struct json_object *names = flags ? json_object_new_array() : NULL;
    for (int bit = 0; names && bit < QUEUE_FLAGS; bit++)
        if (flags >> bit & 1 && queue_flag_name(bit))
            json_object_array_add(names, json_object_new_string(queue_flag_name(bit)));
    return names;
}
static bool queue_flags_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    uint32_t *flags = member;
    struct json_at item;
    (void)arena;
    if (!json_expect(at, json_type_array, err)) return false;
    for (size_t i = 0; i < json_count(at); i++) {
        if (!json_item(at, i, &item, err) || !json_expect(&item, json_type_string, err)) return false;
        const char *name = json_object_get_string(item.value);
        for (int bit = 0; bit < QUEUE_FLAGS; bit++)
            if (queue_flag_name(bit) && strcmp(queue_flag_name(bit), name) == 0) *flags |= 1u << bit;
    }
    return true;
}
static const struct kind kind_queue_flags = {.put = queue_flags_put,
    .get = queue_flags_get,
    .meaning = "The flags of this family. Some drivers give a queue for graphics less shared memory.",
    .set = &(const struct enum_words){queue_flag_name, 0, QUEUE_FLAGS, "a flag of queues"}};

static const struct field host_link[] = {
    {"gt_per_s", KIND(kind_above_0, .meaning = "10^9 transfers per second and lane."),
        offsetof(struct host_link, gt_per_s), REQUIRED},
    {"lanes", KIND(kind_uint32, .least = 1, .most = 32), offsetof(struct host_link, lanes), REQUIRED},
    {0},
};
static struct json_object *link_put(const void *member) {
    return ((const struct host_link *)member)->lanes ? fields_put(host_link, member) : NULL;
}
static const struct kind kind_link = {.put = link_put,
    .fields = host_link,
    .meaning = "The PCI Express link to the host, as fast as both ends allow. Absent: unknown."};

static const struct field heap[] = {
    {"bytes", &kind_int64, offsetof(struct device_heap, bytes), REQUIRED},
    {"device_local", &kind_flag, offsetof(struct device_heap, device_local), REQUIRED},
    {0},
};
static const struct kind kind_heap = {.fields = heap};

#define COOPERATIVE(name, kind)                                                                                        \
    { #name, &kind, offsetof(struct cooperative, name), REQUIRED }
static const struct field matrix[] = {COOPERATIVE(m, kind_uint32), COOPERATIVE(n, kind_uint32),
    COOPERATIVE(k, kind_uint32), COOPERATIVE(a, kind_component), COOPERATIVE(b, kind_component),
    COOPERATIVE(c, kind_component), COOPERATIVE(result, kind_component),
    // Older files lack these three: their matrices are of subgroups, and their sums wrap.
    {"scope", KIND(kind_scope, .meaning = "The invocations that hold the matrices together. Absent: subgroup."),
        offsetof(struct cooperative, scope), NEW},
    {"saturating", &kind_flag, offsetof(struct cooperative, saturating), NEW},
    {"invocations", KIND(kind_uint32, .meaning = "Of flexible matrices: the required workgroup size. 0: any."),
        offsetof(struct cooperative, invocations), NEW},
    {0}};
static const struct kind kind_matrix = {.fields = matrix,
    .name = "matrices",
    .meaning = "Sides and types of a product: result[m, n] = a[m, k] b[k, n] + c."};

// ---- the whole

#define CHARS(MEMBER)                                                                                                  \
    &(const struct kind) {                                                                                             \
        .chars = sizeof((struct device_info *)0)->MEMBER                                                               \
    }

#define UUID(MEMBER) KIND(*CHARS(MEMBER), .schema = SCHEMA({"pattern" : "^([0-9a-f]{32})?$"}))

static const struct field fields[] = {
    {"index", &kind_int, AT(index), REQUIRED},
    {"name", CHARS(name), AT(name), REQUIRED},
    {"kind", &kind_device, AT(kind), REQUIRED},
    {"vendor_id", &kind_uint32, AT(vendor_id), REQUIRED},
    {"device_id", &kind_uint32, AT(device_id), REQUIRED},
    {"api_version", &kind_version, AT(api_version), REQUIRED},
    {"driver_version", &kind_uint32, AT(driver_version), REQUIRED},
    {"driver_name", CHARS(driver_name), AT(driver_name), REQUIRED},
    {"driver_info", CHARS(driver_info), AT(driver_info), REQUIRED},
    {"device_uuid", UUID(device_uuid), AT(device_uuid), REQUIRED},
    {"driver_uuid", UUID(driver_uuid), AT(driver_uuid), REQUIRED},
    {"pci", CHARS(pci), AT(pci), REQUIRED},
    {"host_link", &kind_link, AT(link), SPARSE},
    {"queue_family", &kind_uint32, AT(queue_family), REQUIRED},
    {"queue_flags", &kind_queue_flags, AT(queue_flags), SPARSE},
    {"graphics_queue", KIND(kind_mark, .meaning = "A queue of another family, for graphics, was open too."),
        AT(graphics_queue), SPARSE},
    {"limits", &kind_limits, 0, REQUIRED},
    {"timestamps", &kind_timestamps, 0, REQUIRED},
    {"features", &kind_features, AT(features), REQUIRED},
    {"heaps", ROOM_LIST(struct device_info, heaps, heap_count, &kind_heap, 0, DEVICE_HEAPS), 0, REQUIRED},
    // Older files have none.
    {"cooperative_matrices",
        ROOM_LIST(struct device_info, cooperative, cooperative_count, &kind_matrix, 0, DEVICE_COOPERATIVE), 0, NEW},
    {"flexible_matrices",
        KIND(*ROOM_LIST(struct device_info, flexible, flexible_count, &kind_matrix, 0, DEVICE_FLEXIBLE),
            .meaning = "Of VK_NV_cooperative_matrix2: sides are multiples of these."),
        0, NEW},
    {"profile", &kind_profile, AT(profile), SPARSE},
    {0},
};

const struct field device_identity_fields[] = {
    {"name", CHARS(name), AT(name), REQUIRED},
    {"kind", &kind_device, AT(kind), REQUIRED},
    {"vendor_id", &kind_uint32, AT(vendor_id), REQUIRED},
    {"device_id", &kind_uint32, AT(device_id), REQUIRED},
    {"driver_name", CHARS(driver_name), AT(driver_name), REQUIRED},
    {"driver_info", CHARS(driver_info), AT(driver_info), REQUIRED},
    {"driver_version", &kind_uint32, AT(driver_version), REQUIRED},
    {0},
};
const struct kind kind_device_identity = {.fields = device_identity_fields};

const struct kind kind_device_info = {.fields = fields};

struct json_object *device_to_json(const struct device_info *info) {
    return fields_put(fields, info);
}

bool device_from_json(struct json_object *object, struct device_info *info, struct error *err) {
    struct json_at root = json_root(object, "device");
    *info = (struct device_info){0};
    return fields_get(NULL, &root, fields, info, err);
}
