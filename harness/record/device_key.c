// SPDX-License-Identifier: Apache-2.0
#include "device_key.h"

#include "../base/json.h"
#include "../base/text.h"
#include "../device/device_info.h"
#include "../device/profile.h"
#include "journal.h"
#include "result.h"

#include <inttypes.h>
#include <string.h>

struct device_key device_key(const struct device_info *device, struct json_object *context) {
    struct json_object *host = json_get(context, "host");
    return (struct device_key){device, json_get_string(host, "cpu", ""), json_get_int(host, "cores", 0)};
}

struct device_key device_key_here(struct arena *arena, const struct device_info *device) {
    struct json_object *context = json_object_new_object();
    json_put(context, "host", host_make());
    struct device_key key = device_key(device, context);
    key.processor = arena_copy(arena, key.processor);
    json_object_put(context);
    return key;
}

// ---- facts

enum compared { SAME, DIFFERENT, UNKNOWN };

static enum compared equal(bool same) {
    return same ? SAME : DIFFERENT;
}

static enum compared texts(const char *a, const char *b) {
    return !*a || !*b ? UNKNOWN : equal(strcmp(a, b) == 0);
}

// Returns the UUID; "": it is unknown, or all zeros.
static const char *known(const char *uuid) {
    return uuid[strspn(uuid, "0")] ? uuid : "";
}

enum fact {
    VENDOR,
    ID,
    NAME,
    DRIVER_NAME,
    DRIVER_VERSION,
    DRIVER_INFO,
    DRIVER_UUID,
    UUID,
    PCI,
    CPU,
    CORES,
    PROFILE,
    GRAPHICS,
    FACTS
};
static const struct device_fact facts[FACTS] = {[VENDOR] = {"device", "vendor_id"},
    [ID] = {"device", "device_id"},
    [NAME] = {"device", "name"},
    [DRIVER_NAME] = {"device", "driver_name"},
    [DRIVER_VERSION] = {"device", "driver_version"},
    [DRIVER_INFO] = {"device", "driver_info"},
    [DRIVER_UUID] = {"device", "driver_uuid"},
    [UUID] = {"device", "device_uuid"},
    [PCI] = {"device", "pci"},
    [CPU] = {"host", "cpu"},
    [CORES] = {"host", "cores"},
    [PROFILE] = {"device", "profile"},
    [GRAPHICS] = {"device", "graphics_queue"}};

static void compare_facts(const struct device_key *x, const struct device_key *y, enum compared out[FACTS]) {
    const struct device_info *a = x->device, *b = y->device;
    out[VENDOR] = equal(a->vendor_id == b->vendor_id);
    out[ID] = equal(a->device_id == b->device_id);
    out[NAME] = equal(strcmp(a->name, b->name) == 0);
    out[DRIVER_NAME] = equal(strcmp(a->driver_name, b->driver_name) == 0);
    out[DRIVER_VERSION] = equal(a->driver_version == b->driver_version);
    out[DRIVER_INFO] = equal(strcmp(a->driver_info, b->driver_info) == 0);
    out[DRIVER_UUID] = texts(known(a->driver_uuid), known(b->driver_uuid));
    out[UUID] = texts(known(a->device_uuid), known(b->device_uuid));
    out[PCI] = texts(a->pci, b->pci);
    out[CPU] = texts(x->processor, y->processor);
    out[CORES] = !x->cores || !y->cores ? UNKNOWN : equal(x->cores == y->cores);
    out[PROFILE] = equal(profile_same(&a->profile, &b->profile));
    out[GRAPHICS] = equal(a->graphics_queue == b->graphics_queue);
}

// Returns the first of the facts up to `last` that differs.
static const struct device_fact *differing(const enum compared *compared, enum fact first, enum fact last) {
    for (enum fact fact = first; fact <= last; fact++)
        if (compared[fact] == DIFFERENT) return &facts[fact];
    return NULL;
}

// Returns the fact that decides whether two devices of equal ids are one.
static enum fact decisive(const struct device_key *a, const enum compared *compared) {
    if (a->device->kind == DEVICE_CPU) return compared[CPU] == DIFFERENT ? CPU : CORES;
    const bool by_uuid = compared[UUID] == SAME || compared[DRIVER_NAME] != DIFFERENT || compared[PCI] == UNKNOWN;
    if (compared[UUID] != UNKNOWN && by_uuid) return UUID;
    return compared[PCI] != UNKNOWN ? PCI : NAME;
}

static const struct device_fact *differing_unit(const struct device_key *a, const enum compared *compared) {
    const struct device_fact *ids = differing(compared, VENDOR, ID);
    const enum fact fact = decisive(a, compared);
    return ids ? ids : differing(compared, fact, fact);
}

const struct device_fact *device_key_difference(
    struct device_key a, struct device_key b, enum device_projection projection) {
    enum compared compared[FACTS];
    compare_facts(&a, &b, compared);
    const struct device_fact *unit = differing_unit(&a, compared);
    switch (projection) {
    case DEVICE_MODEL:
        return differing(compared, VENDOR, NAME);
    case DEVICE_DRIVER:
        return differing(compared, DRIVER_NAME, DRIVER_INFO);
    case DEVICE_MODEL_AND_DRIVER:
        return differing(compared, VENDOR, DRIVER_INFO);
    case DEVICE_MODEL_AND_BUILD:
        return differing(compared, VENDOR, DRIVER_UUID);
    case DEVICE_UNIT_AND_DRIVER:
        if (!unit) unit = differing(compared, VENDOR, DRIVER_INFO);
        return unit ? unit : differing(compared, PROFILE, GRAPHICS);
    case DEVICE_UNIT:
        break;
    }
    return unit;
}

bool device_same(const struct device_info *a, const struct device_info *b, enum device_projection projection) {
    return !device_key_difference(device_key(a, NULL), device_key(b, NULL), projection);
}

size_t device_group(const struct device_key *keys, size_t count, enum device_projection projection, size_t *of) {
    size_t devices = 0;
    for (size_t i = 0; i < count; i++) {
        size_t first = 0; // the first key of the same device
        while (first < i && device_key_difference(keys[first], keys[i], projection)) first++;
        of[i] = first < i ? of[first] : devices++;
    }
    return devices;
}

bool results_need_units(const struct result *results, size_t count) {
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < i; k++) {
            const struct device_key a = device_key(results[i].device, results[i].context),
                                    b = device_key(results[k].device, results[k].context);
            if (!device_key_difference(a, b, DEVICE_MODEL) && device_key_difference(a, b, DEVICE_UNIT)) return true;
        }
    return false;
}

// ---- texts

const char *device_unit(struct arena *arena, struct device_key key) {
    const struct device_info *device = key.device;
    if (device->kind == DEVICE_CPU && *key.processor)
        return arena_format(arena, "%s, %" PRId64 " cores", key.processor, key.cores);
    if (device->kind != DEVICE_CPU && *known(device->device_uuid)) return device->device_uuid;
    return device->kind != DEVICE_CPU && *device->pci ? device->pci : device->name;
}

const char *device_label(struct arena *arena, const struct device_info *const *devices, size_t count, size_t index) {
    const struct device_info *device = devices[index];
    bool alone = true, by_place = *device->pci;
    for (size_t i = 0; i < count; i++) {
        if (i == index || strcmp(devices[i]->name, device->name) != 0) continue;
        alone = false;
        by_place = by_place && texts(devices[i]->pci, device->pci) == DIFFERENT;
    }
    if (alone) return device->name;
    if (by_place) return arena_format(arena, "%s (%s)", device->name, device->pci);
    return arena_format(
        arena, "%s, %s (%zu)", device->name, suite_within(arena, device->driver_info, &device->profile), index + 1);
}
