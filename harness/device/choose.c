// SPDX-License-Identifier: Apache-2.0
// Chooses a device: the ranking and the selectors, as pure functions of plain data.
#include "limits.h"

#include "../base/arena.h"
#include "../base/text.h"
#include "../base/error.h"
#include "device_info.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// Lower is better.
static const int kind_order[] = {
    [DEVICE_DISCRETE] = 0,
    [DEVICE_INTEGRATED] = 1,
    [DEVICE_VIRTUAL] = 2,
    [DEVICE_CPU] = 3,
    [DEVICE_OTHER] = 4,
};

static bool better(const struct device_info *a, const struct device_info *b) {
    if (kind_order[a->kind] != kind_order[b->kind]) return kind_order[a->kind] < kind_order[b->kind];
    if (device_memory(a) != device_memory(b)) return device_memory(a) > device_memory(b);
    return a->index < b->index;
}

// Sorts by insertion: a machine has few devices, and equal ones keep their order.
void device_rank(struct device_info *devices, size_t count) {
    for (size_t i = 1; i < count; i++) {
        struct device_info moving = devices[i];
        size_t at = i;
        for (; at > 0 && better(&moving, &devices[at - 1]); at--) devices[at] = devices[at - 1];
        devices[at] = moving;
    }
}

static bool by_index(const struct device_info *device, const char *selector) {
    char *end;
    if (!isdigit((unsigned char)*selector)) return false;
    long index = strtol(selector, &end, 10);
    return *end == '\0' && index == device->index;
}

// Skips hyphens: other tools group a UUID's digits with them.
static bool by_uuid(const struct device_info *device, const char *selector) {
    const char *digit = device->device_uuid;
    for (; *selector; selector++) {
        if (*selector == '-') continue;
        if (tolower((unsigned char)*selector) != *digit) return false;
        digit++;
    }
    return *digit == '\0' && digit != device->device_uuid;
}

// Accepts a PCI id with the domain, or without it, as lspci prints it.
static bool by_pci(const struct device_info *device, const char *selector) {
    if (!device->pci[0]) return false;
    const char *bus = strchr(device->pci, ':');
    return strcasecmp(device->pci, selector) == 0 || (bus && strcasecmp(bus + 1, selector) == 0);
}

static bool by_name(const struct device_info *device, const char *selector) {
    return strcasecmp(device->name, selector) == 0;
}

static bool by_name_part(const struct device_info *device, const char *selector) {
    return *selector && strcasestr(device->name, selector);
}

// The first rule that matches any device decides. A whole name precedes a part of one, so that "NVIDIA A100" can be
// distinguished from "NVIDIA A100 80GB".
static bool (*const rules[])(const struct device_info *, const char *) = {
    by_index,
    by_uuid,
    by_pci,
    by_name,
    by_name_part,
};

static bool refuse(
    const struct device_info *devices, size_t count, const char *selector, bool several, struct error *err) {
    struct text list = {0};
    for (size_t i = 0; i < count; i++)
        text_format(&list, "\n  %d  %s (%s%s%s)  UUID %s", devices[i].index, devices[i].name,
            device_kind_name(devices[i].kind), devices[i].pci[0] ? ", PCI " : "", devices[i].pci,
            devices[i].device_uuid);
    error_set(err, STATUS_USAGE,
        several ? "device \"%s\" names several devices; give an index, UUID or PCI id:%s"
                : "no device matches \"%s\"; expected an index, a part of a name, a UUID, "
                  "a PCI id, a list of these with commas or \"all\" of:%s",
        selector, text_str(&list));
    text_free(&list);
    return false;
}

// Collects the devices matched by the first rule with any match; returns their number.
static size_t match(const struct device_info *devices, size_t count, const char *selector, size_t *chosen) {
    size_t matches = 0;
    for (size_t rule = 0; rule < sizeof rules / sizeof *rules && matches == 0; rule++)
        for (size_t i = 0; i < count; i++)
            if (rules[rule](&devices[i], selector)) chosen[matches++] = i;
    return matches;
}

static bool choose_one(
    const struct device_info *devices, size_t count, const char *selector, size_t *chosen, struct error *err) {
    struct arena arena = {0};
    size_t *found = arena_alloc(&arena, count, sizeof *found), matches = match(devices, count, selector, found);
    *chosen = matches ? found[0] : 0;
    arena_free(&arena);
    return matches == 1 || refuse(devices, count, selector, matches > 1, err);
}

// Chooses one device for each part of "0,1" or "nvidia,llvmpipe", and none twice.
static bool choose_each(const struct device_info *devices, size_t count, const char *list, size_t *chosen,
    size_t *chosen_count, struct error *err) {
    struct arena arena = {0};
    bool ok = true;
    for (const char *at = list; ok && at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t one = 0;
        ok = choose_one(devices, count, arena_copy_n(&arena, at, strcspn(at, ",")), &one, err);
        for (size_t i = 0; ok && i < *chosen_count; i++)
            if (chosen[i] == one) ok = error_set(err, STATUS_USAGE, "--device %s names a device twice", list);
        if (ok) chosen[(*chosen_count)++] = one;
    }
    arena_free(&arena);
    return ok;
}

bool device_choose(const struct device_info *devices, size_t count, const char *selector, size_t *chosen,
    size_t *chosen_count, struct error *err) {
    *chosen_count = 0;
    if (count == 0)
        return error_set(err, STATUS_NO_DEVICE,
            "no Vulkan 1.1 device with a compute queue was found; install a driver (Mesa's "
            "lavapipe, package "
            "mesa-vulkan-drivers, needs no GPU), or time the scalar references: bench --device none");
    if (!selector) {
        *chosen = 0;
        for (size_t i = 1; i < count; i++)
            if (better(&devices[i], &devices[*chosen])) *chosen = i;
        *chosen_count = 1;
        return true;
    }
    if (strcmp(selector, "all") == 0) {
        for (size_t i = 0; i < count; i++) chosen[i] = i;
        *chosen_count = count;
        return true;
    }
    // A name may contain a comma, so the whole selector is tried before a list.
    if (strchr(selector, ',') && !match(devices, count, selector, chosen))
        return choose_each(devices, count, selector, chosen, chosen_count, err);
    if (!choose_one(devices, count, selector, chosen, err)) return false;
    *chosen_count = 1;
    return true;
}
