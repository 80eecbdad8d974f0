// SPDX-License-Identifier: Apache-2.0
// A device as plain data. No Vulkan type appears here, so planning, judging and reporting can read it on a machine
// without a driver.
#ifndef VKASSAY_DEVICE_DEVICE_INFO_H
#define VKASSAY_DEVICE_DEVICE_INFO_H

#include "../base/error.h"
#include "../base/fields.h"
#include "../base/text.h"
#include "limits.h"

#include <json-c/json.h>
#include <stdbool.h>

enum device_kind { DEVICE_OTHER, DEVICE_INTEGRATED, DEVICE_DISCRETE, DEVICE_VIRTUAL, DEVICE_CPU };

enum { DEVICE_HEAPS = 16, DEVICE_COOPERATIVE = 64, DEVICE_FLEXIBLE = 256 };

struct device_heap {
    uint64_t bytes;
    bool device_local;
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
    bool graphics_queue;        // a queue of a family for graphics is open too
    struct device_heap heaps[DEVICE_HEAPS];
    int heap_count;
    struct cooperative cooperative[DEVICE_COOPERATIVE]; // only types with a name here
    int cooperative_count;
    struct cooperative flexible[DEVICE_FLEXIBLE]; // listed by VK_NV_cooperative_matrix2
    int flexible_count;
    struct profile profile; // the limits and features above are clamped to it
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
// Returns whether the family in use is for graphics too.
bool queue_draws(const struct device_info *info);
// Appends the family and its flags: "family 2 (compute, transfer)", and whether a queue for graphics is open too.
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

// ---- devices as JSON

// Convert to and from the `device` member of a result.
struct json_object *device_to_json(const struct device_info *info);
bool device_from_json(struct json_object *object, struct device_info *info, struct error *err);
// The fields of struct device_info that identify the device and its driver, as an object.
extern const struct kind kind_device_identity;
extern const struct field device_identity_fields[];
extern const struct kind kind_device_info; // all fields
extern const struct enum_words feature_words;

#endif
