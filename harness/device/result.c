// SPDX-License-Identifier: Apache-2.0
// VkResult to errors.
#include "internal.h"

static const struct outcome {
    VkResult result;
    const char *name;
    enum error_kind kind;
} outcomes[] = {
    {VK_TIMEOUT, "VK_TIMEOUT", ERROR_TIMEOUT},
    {VK_NOT_READY, "VK_NOT_READY", ERROR_PLAIN},
    {VK_INCOMPLETE, "VK_INCOMPLETE", ERROR_PLAIN},
    {VK_ERROR_OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY", ERROR_OUT_OF_MEMORY},
    {VK_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY", ERROR_OUT_OF_MEMORY},
    {VK_ERROR_OUT_OF_POOL_MEMORY, "VK_ERROR_OUT_OF_POOL_MEMORY", ERROR_OUT_OF_MEMORY},
    {VK_ERROR_TOO_MANY_OBJECTS, "VK_ERROR_TOO_MANY_OBJECTS", ERROR_OUT_OF_MEMORY},
    {VK_ERROR_INITIALIZATION_FAILED, "VK_ERROR_INITIALIZATION_FAILED", ERROR_PLAIN},
    {VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST", ERROR_DEVICE_LOST},
    {VK_ERROR_MEMORY_MAP_FAILED, "VK_ERROR_MEMORY_MAP_FAILED", ERROR_PLAIN},
    {VK_ERROR_LAYER_NOT_PRESENT, "VK_ERROR_LAYER_NOT_PRESENT", ERROR_PLAIN},
    {VK_ERROR_EXTENSION_NOT_PRESENT, "VK_ERROR_EXTENSION_NOT_PRESENT", ERROR_SKIP},
    {VK_ERROR_FEATURE_NOT_PRESENT, "VK_ERROR_FEATURE_NOT_PRESENT", ERROR_SKIP},
    {VK_ERROR_INCOMPATIBLE_DRIVER, "VK_ERROR_INCOMPATIBLE_DRIVER", ERROR_PLAIN},
    {VK_ERROR_FRAGMENTED_POOL, "VK_ERROR_FRAGMENTED_POOL", ERROR_OUT_OF_MEMORY},
    {VK_ERROR_UNKNOWN, "VK_ERROR_UNKNOWN", ERROR_PLAIN},
    {VK_ERROR_INVALID_SHADER_NV, "VK_ERROR_INVALID_SHADER_NV", ERROR_PLAIN},
};

bool vk_check(struct gpu *gpu, VkResult result, const char *call, struct error *err) {
    if (result == VK_SUCCESS) return true;
    if (gpu && result == VK_ERROR_DEVICE_LOST) gpu->abandoned = true;
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
        if (outcomes[i].result == result)
            return error_of_kind(err, outcomes[i].kind, "%s: %s", call, outcomes[i].name);
    return error_of_kind(err, ERROR_PLAIN, "%s: VkResult %d", call, (int)result);
}
