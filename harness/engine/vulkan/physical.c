// SPDX-License-Identifier: Apache-2.0
// Lists and describes the usable physical devices of an instance.
#include "internal.h"
#include "../../base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool choose_family(VkPhysicalDevice physical, struct device_info *info) {
    VkQueueFamilyProperties families[MOST_FAMILIES];
    uint32_t count = MOST_FAMILIES;
    int best = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        const bool computes = families[i].queueFlags & VK_QUEUE_COMPUTE_BIT && families[i].queueCount;
        const bool draws = families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT;
        // Prefers a queue with timestamps, then one without graphics, because no desktop waits for it.
        const int score = computes ? 1 + 2 * (families[i].timestampValidBits > 0) + !draws : 0;
        if (score <= best) continue;
        best = score;
        info->queue_family = i;
        info->queue_flags = families[i].queueFlags;
        info->timestamp_bits = families[i].timestampValidBits;
    }
    return best > 0;
}

static bool describe(
    VkInstance instance, VkPhysicalDevice handle, struct physical *out, bool *usable, struct error *err) {
    struct extensions extensions;
    struct feature_chain features;
    if (!extensions_read(handle, &extensions, err)) return false;
    *out = (struct physical){.handle = handle};
    *usable = extensions.api_version >= VK_API_VERSION_1_1 && choose_family(handle, &out->info);
    bool ok = true;
    if (*usable) {
        features_read(handle, &extensions, &features);
        features_name(&features, out->info.features);
        properties_read(handle, &extensions, &out->info); // after the features: some properties depend on them
        ok = cooperative_read(instance, handle, &out->info, err);
    }
    extensions_free(&extensions);
    return ok;
}

bool physical_list(struct arena *arena, VkInstance instance, struct physical **out, size_t *count, struct error *err) {
    uint32_t found = 0;
    bool usable;
    *count = 0;
    VkResult result = vkEnumeratePhysicalDevices(instance, &found, NULL);
    // Some loaders answer so if drivers do not find their hardware.
    if (result == VK_ERROR_INITIALIZATION_FAILED || (result == VK_SUCCESS && found == 0)) return true;
    if (!vk_check(NULL, result, "vkEnumeratePhysicalDevices", err)) return false;
    VkPhysicalDevice *handles = arena_alloc(arena, found, sizeof(VkPhysicalDevice));
    *out = arena_alloc(arena, found, sizeof **out);
    result = vkEnumeratePhysicalDevices(instance, &found, handles);
    // VK_INCOMPLETE: another device appeared meanwhile; the listed ones are complete.
    if (result != VK_INCOMPLETE && !vk_check(NULL, result, "vkEnumeratePhysicalDevices", err)) return false;
    for (uint32_t i = 0; i < found; i++) {
        struct physical *next = &(*out)[*count];
        if (!describe(instance, handles[i], next, &usable, err)) return false;
        if (!usable) continue;
        next->info.index = (int)*count;
        ++*count;
    }
    return true;
}

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
    for (size_t i = 0; i < *count; i++) (*devices)[i] = found[i].info;
    return true;
}
