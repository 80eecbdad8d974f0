// SPDX-License-Identifier: Apache-2.0
// The extensions of a physical device.
#include "internal.h"
#include "../../base/memory.h"

#include <stdlib.h>
#include <string.h>

bool extensions_read(VkPhysicalDevice physical, struct extensions *out, struct error *err) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(physical, &properties);
    *out = (struct extensions){.api_version = properties.apiVersion};
    VkResult result = vkEnumerateDeviceExtensionProperties(physical, NULL, &out->count, NULL);
    if (!vk_check(NULL, result, "vkEnumerateDeviceExtensionProperties", err)) return false;
    out->list = memory_alloc(out->count, sizeof *out->list);
    result = vkEnumerateDeviceExtensionProperties(physical, NULL, &out->count, out->list);
    if (result == VK_INCOMPLETE || vk_check(NULL, result, "vkEnumerateDeviceExtensionProperties", err)) return true;
    extensions_free(out);
    return false;
}

void extensions_free(struct extensions *extensions) {
    free(extensions->list);
    *extensions = (struct extensions){0};
}

bool extensions_named(const struct extensions *extensions, const char *name) {
    for (uint32_t i = 0; i < extensions->count; i++)
        if (strcmp(extensions->list[i].extensionName, name) == 0) return true;
    return false;
}

bool extensions_offer(const struct extensions *extensions, const char *name, uint32_t core) {
    return (core && extensions->api_version >= core) || extensions_named(extensions, name);
}
