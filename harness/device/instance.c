// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool has_debug_utils(void) {
    uint32_t count = 0;
    bool found = false;
    if (vkEnumerateInstanceExtensionProperties(NULL, &count, NULL) != VK_SUCCESS) return false;
    VkExtensionProperties *list = memory_alloc(count, sizeof *list);
    if (vkEnumerateInstanceExtensionProperties(NULL, &count, list) >= VK_SUCCESS)
        for (uint32_t i = 0; i < count && !found; i++)
            found = strcmp(list[i].extensionName, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) == 0;
    free(list);
    return found;
}

bool instance_create(struct validation *validation, bool *debug_utils, VkInstance *out, struct error *err) {
    *out = VK_NULL_HANDLE;
    *debug_utils = has_debug_utils();
    bool validate = validation && validation->enabled;
    if (validate && !validation_available(err)) return false;

    const char *extensions[2];
    uint32_t extension_count = 0;
    if (*debug_utils || validate) extensions[extension_count++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    if (validate) extensions[extension_count++] = VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME;

    struct validation_chain chain;
    // 1.3 is the most this program knows; a device may offer less, down to 1.1.
    VkResult result = vkCreateInstance(
        &(VkInstanceCreateInfo){
            .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
            .pNext = validate ? validation_chain(validation, &chain) : NULL,
            .pApplicationInfo =
                &(VkApplicationInfo){
                    .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                    .pApplicationName = "vkassay",
                    .apiVersion = VK_API_VERSION_1_3,
                },
            .enabledLayerCount = validate,
            .ppEnabledLayerNames = (const char *const[]){"VK_LAYER_KHRONOS_validation"},
            .enabledExtensionCount = extension_count,
            .ppEnabledExtensionNames = extensions,
        },
        NULL, out);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER) { // the loader found no driver at all
        *out = VK_NULL_HANDLE;
        return true;
    }
    return vk_check(NULL, result, "vkCreateInstance", err);
}
