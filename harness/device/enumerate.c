// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

bool gpu_enumerate(struct arena *arena, struct device_info **devices, size_t *count, struct error *err) {
    VkInstance instance;
    struct physical *found = NULL;
    bool debug_utils;
    *devices = NULL;
    *count = 0;
    if (!instance_create(NULL, &debug_utils, &instance, err)) return false;
    if (!instance) return true;
    bool ok = physical_list(arena, instance, &found, count, err);
    vkDestroyInstance(instance, NULL);
    if (!ok || *count == 0) return ok;
    *devices = arena_alloc(arena, *count, sizeof **devices);
    if (!*devices) return error_set(err, STATUS_FAULT, "out of memory for the list of devices");
    for (size_t i = 0; i < *count; i++) (*devices)[i] = found[i].info;
    return true;
}
