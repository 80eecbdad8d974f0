// SPDX-License-Identifier: Apache-2.0
// Which device a result is of. This is the only answer to "is this the same device?".
//
//   unit              This very device, under any driver. The UUID decides. Two drivers may give one device two UUIDs,
//   so
//                     between drivers of two names an equal PCI address is enough. A UUID of zeros is unknown. Then the
//                     PCI address decides, or else the name. A CPU device is its host's processor with its cores:
//                     llvmpipe has the same UUID on every host.
//   model             Vendor, device id and name.
//
//   driver            The driver's name, version and words for it.
//
//   model and driver  Both.
//
//   model and build   And the driver's UUID, which changes with its build. Checks on one device hold for the other.
//
//   unit and driver   The unit, model and driver, within one profile of limits and with the same queues: one table may
//   hold both results' times.
//
// A UUID, PCI address or processor that either side lacks tells nothing. So a file of an older version is of the same
// device as long as the rest is equal.
//
// Results are made to be shared, so no host name or other identity of a host is recorded. Mesa makes the UUID of a GPU
// from its PCI address. Equal GPUs in the same place of two hosts are therefore one unit under Mesa.
#ifndef VKASSAY_RECORD_DEVICE_KEY_H
#define VKASSAY_RECORD_DEVICE_KEY_H

#include "../base/arena.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct device_info;
struct result;

enum device_projection {
    DEVICE_UNIT,
    DEVICE_MODEL,
    DEVICE_DRIVER,
    DEVICE_MODEL_AND_DRIVER,
    DEVICE_MODEL_AND_BUILD,
    DEVICE_UNIT_AND_DRIVER
};

struct device_key {
    const struct device_info *device;
    const char *processor; // of the host; "": unknown
    int64_t cores;         // 0: unknown
};

// Returns the key of a device and its host in the context of a result. NULL: the host is unknown. All is borrowed.
struct device_key device_key(const struct device_info *device, struct json_object *context);
// Returns the key of a device of this host. The arena owns the host's part.
struct device_key device_key_here(struct arena *arena, const struct device_info *device);

// Returns the first fact that tells the devices apart, by its place in a result: "device", "device_uuid". NULL: they
// are the same.
struct device_fact {
    const char *section, *key;
};
const struct device_fact *device_key_difference(
    struct device_key a, struct device_key b, enum device_projection projection);

// Returns whether devices of one host are the same.
bool device_same(const struct device_info *a, const struct device_info *b, enum device_projection projection);

// Numbers the devices of some keys from 0, in the order of their first keys: of[i] is the device of keys[i]. Returns
// the number of devices.
size_t device_group(const struct device_key *keys, size_t count, enum device_projection projection, size_t *of);

// Returns whether two of the results are of one model but of different units, so that their names do not tell them
// apart.
bool results_need_units(const struct result *results, size_t count);

// Returns a text for the unit, to be part of keys and names of files. It is the UUID, else the PCI address, else the
// name. A CPU device has its processor.
const char *device_unit(struct arena *arena, struct device_key key);

// Returns the name of one of several devices, for people. Namesakes have their PCI addresses added; if these do not
// tell them apart, their drivers, profiles and places in the list.
const char *device_label(struct arena *arena, const struct device_info *const *devices, size_t count, size_t index);

#endif
