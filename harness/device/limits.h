// SPDX-License-Identifier: Apache-2.0
// A device as plain data. No Vulkan type appears here, so planning, judging and reporting can read it on a machine
// without a driver.
#ifndef VKASSAY_DEVICE_LIMITS_H
#define VKASSAY_DEVICE_LIMITS_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/fields.h"
#include "../base/text.h"
#include "features.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

enum device_kind { DEVICE_OTHER, DEVICE_INTEGRATED, DEVICE_DISCRETE, DEVICE_VIRTUAL, DEVICE_CPU };

// The limits, one row each: form, sense, name here and in JSON, and source in Vulkan (an expression of properties.c).
// Then follow its line in `vkassay devices`, the text before and after it there, and its name on a page. A NULL line or
// page name: not shown there. The senses: MOST and SIZE are the most allowed, and needs of SIZE follow from the size of
// tensors. A larger number of LEAST allows less. plan/needs.c has a row for each limit: the needs of kernels.
//
// Subgroup limits are printed by other code. Without control of the subgroup size, the least and the largest size
// equal the size, unless the device reports a range. The limit max_subgroups is the most subgroups of a workgroup
// with a required size; without size control it is 0. The matrix2 limits are 0 without VK_NV_cooperative_matrix2.
// They are the most invocations of a workgroup with matrices, their longest side, and the shared memory reserved for
// them.
// clang-format off
#define DEVICE_LIMITS(X)                                                                                               \
    X(U32, MOST, max_invocations, core->maxComputeWorkGroupInvocations, "workgroup", "", " invocations",               \
        "invocations a workgroup")                                                                                     \
    X(U32_3, MOST, max_size, core->maxComputeWorkGroupSize, "workgroup", "at most ", "", "workgroup size")             \
    X(U32_3, SIZE, max_groups, core->maxComputeWorkGroupCount, "workgroup", "grid ", "", NULL)                         \
    X(U32, MOST, shared_bytes, core->maxComputeSharedMemorySize, "workgroup", "", " bytes shared", "shared bytes")     \
    X(U64, SIZE, storage_range, core->maxStorageBufferRange, "buffers", "storage range ", "", NULL)                    \
    X(U32, LEAST, storage_alignment, core->minStorageBufferOffsetAlignment, "buffers", "offset alignment ", "", NULL)  \
    X(U32, MOST, storage_buffers, core->maxPerStageDescriptorStorageBuffers, "buffers", "at most ", " in a shader",    \
        "storage buffers a shader")                                                                                    \
    X(U32, MOST, push_bytes, core->maxPushConstantsSize, "buffers", "push constants ", " bytes", NULL)                 \
    X(U64, SIZE, largest_allocation, chain->maintenance3.maxMemoryAllocationSize, "buffers", "largest allocation ",    \
        "", NULL)                                                                                                      \
    X(U32, MOST, subgroup_size, chain->subgroup.subgroupSize, NULL, "", "", "subgroup size")                           \
    X(U32, LEAST, min_subgroup_size, chain->subgroup.subgroupSize, NULL, "", "", NULL)                                 \
    X(U32, MOST, max_subgroup_size, chain->subgroup.subgroupSize, NULL, "", "", NULL)                                  \
    X(U32, MOST, max_subgroups, 0, NULL, "", "", NULL)                                                                 \
    X(U32, MOST, matrix2_invocations, chain->matrix2.workgroupScopeMaxWorkgroupSize, NULL, "", "", NULL)               \
    X(U32, MOST, matrix2_side, chain->matrix2.flexibleDimensionsMaxDimension, NULL, "", "", NULL)                      \
    X(U32, LEAST, matrix2_shared_bytes, chain->matrix2.workgroupScopeReservedSharedMemory, NULL, "", "", NULL)
// clang-format on
#define DECLARE_LIMIT_U32(NAME) uint32_t NAME;
#define DECLARE_LIMIT_U32_3(NAME) uint32_t NAME[3];
#define DECLARE_LIMIT_U64(NAME) uint64_t NAME; // bytes, at most INT64_MAX so that JSON holds them; shown in MiB

#define DECLARE_LIMIT(FORM, SENSE, NAME, ...) DECLARE_LIMIT_##FORM(NAME)

// Limits without a device: allowed values or needed values; 0: not stated.
struct limit_values {
    DEVICE_LIMITS(DECLARE_LIMIT)
};

// The same rows as data, by index: LIMIT_max_invocations and so on. A limit of 0 is unknown: the file is older than the
// limit.
#define LIMIT_INDEX(FORM, SENSE, NAME, ...) LIMIT_##NAME,
enum limit_index { DEVICE_LIMITS(LIMIT_INDEX) LIMIT_COUNT };
struct limit {
    const char *name;
    enum { LIMIT_U32, LIMIT_U32_3, LIMIT_U64 } form;
    enum { LIMIT_MOST, LIMIT_SIZE, LIMIT_LEAST } sense;
    size_t offset; // in struct device_info
    size_t value;  // in struct limit_values
    const char *line, *before, *after, *page;
};
extern const struct limit device_limits[LIMIT_COUNT];

int limit_parts(const struct limit *limit); // 1 or 3
// Read and set one part of a limit's member. A number beyond the member's form saturates.
uint64_t limit_number(const struct limit *limit, const void *member, int part);
void limit_set(const struct limit *limit, void *member, int part, uint64_t number);

enum { DEVICE_HEAPS = 16, DEVICE_COOPERATIVE = 64, DEVICE_FLEXIBLE = 256 };

struct device_heap {
    uint64_t bytes;
    bool device_local;
};

// Limits and features that a backend ships to. Shapes keep to them in addition to the device's own (profile.h).
enum { PROFILE_NAME = 64 };
struct profile {
    char name[PROFILE_NAME];    // "webgpu"; "": no profile
    struct limit_values limits; // 0: not limited by the profile
    bool without[FEATURE_COUNT];
};

// The link between host and device (host_link.h).
struct host_link {
    double gt_per_s; // 10^9 transfers per second and lane; 0: unknown
    uint32_t lanes;
};

struct device_info {
    int index;      // in the loader's order
    char name[256]; // VkPhysicalDeviceProperties.deviceName
    enum device_kind kind;
    uint32_t vendor_id, device_id;
    uint32_t api_version, driver_version;
    char driver_name[256]; // "" below Vulkan 1.2 without VK_KHR_driver_properties
    char driver_info[256];
    char device_uuid[33], driver_uuid[33]; // lower-case hexadecimal
    char pci[16];                          // "0000:65:00.0", "" if unknown
    struct host_link link;

    DEVICE_LIMITS(DECLARE_LIMIT)
    bool features[FEATURE_COUNT];

    double timestamp_period_ns; // nanoseconds a tick
    uint32_t timestamp_bits;    // timestampValidBits of the queue used; 0: no timestamps
    uint32_t queue_family;      // the compute family in use
    uint32_t queue_flags;       // its VkQueueFlags; 0: unknown, from an older file
    struct device_heap heaps[DEVICE_HEAPS];
    int heap_count;
    struct cooperative cooperative[DEVICE_COOPERATIVE]; // only types with a name here
    int cooperative_count;
    struct cooperative flexible[DEVICE_FLEXIBLE]; // listed by VK_NV_cooperative_matrix2
    int flexible_count;
    struct profile profile; // the limits and features above are narrowed to it
};

// Returns one part of a limit of the device.
uint64_t device_limit(const struct device_info *info, enum limit_index limit, int part);

// Sets every limit to the number that refuses nothing: the largest, or 1 for a least one.
void device_unlimited(struct device_info *info);

// Returns whether the device's subgroups are always of this size, so that none has to be required.
bool subgroup_size_is_constant(const struct device_info *info, int64_t size);

// Returns whether the device multiplies matrices of these sides, types and scope. wanted->invocations is the
// workgroup's size. Sides of subgroup matrices must be listed as such: other sides are composed of listed ones, and
// are often slow.
bool device_multiplies(const struct device_info *info, const struct cooperative *wanted);

// Returns the name of bit `bit` of VkQueueFlags, "graphics", "compute", ...; NULL: it has no name here.
const char *queue_flag_name(int bit);
enum { QUEUE_FLAGS = 11 };
// Appends the family and its flags: "family 2 (compute, transfer)".
void queue_append(struct text *text, const struct device_info *info);

// Returns "discrete", "integrated", "virtual", "cpu" or "other".
const char *device_kind_name(enum device_kind kind);

// Returns the bytes of the largest device-local heap, or of the largest heap if none is device-local.
uint64_t device_memory(const struct device_info *info);

// Sorts devices by preference, in place and stably: discrete, integrated, virtual, CPU, other; then more device-local
// memory; then the lower index.
void device_rank(struct device_info *devices, size_t count);

// Appends the limit's value; `between` separates the parts of a limit of three.
void limit_append(struct text *text, const struct limit *limit, const struct device_info *info, const char *between);

// Chooses devices by `selector`: NULL for the best of the ranking, "all", or one or more selectors separated by
// commas. Each is a decimal index (the loader's order), a UUID, a PCI id, or a part of the name in any case. Each
// names another device. On success chosen[0..*chosen_count) are positions in `devices`; `chosen` has room for
// `count`. A selector with no match or several is an error with a list of all devices. Without any device the error
// is STATUS_NO_DEVICE.
bool device_choose(const struct device_info *devices, size_t count, const char *selector, size_t *chosen,
    size_t *chosen_count, struct error *err);

// Returns whether checks on one device are valid for the other: model and driver are the same.
bool device_alike(const struct device_info *a, const struct device_info *b);

// Convert to and from the `device` member of a result.
struct json_object *device_to_json(const struct device_info *info);
bool device_from_json(struct json_object *object, struct device_info *info, struct error *err);
// The fields of struct device_info that identify the device and its driver, as an object.
extern const struct kind kind_device_identity;
extern const struct field device_identity_fields[];
extern const struct kind kind_device_info; // all fields
extern const struct enum_words feature_words;

#endif
