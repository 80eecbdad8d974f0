// SPDX-License-Identifier: Apache-2.0
// Converts VkResult to errors.
#include "internal.h"

#include <stdio.h>

static const struct call_outcome {
    VkResult result;
    const char *name;
} outcomes[] = {
#define NAMED(code)                                                                                                    \
    { code, #code }
    NAMED(VK_TIMEOUT),
    NAMED(VK_NOT_READY),
    NAMED(VK_INCOMPLETE),
    NAMED(VK_ERROR_OUT_OF_HOST_MEMORY),
    NAMED(VK_ERROR_OUT_OF_DEVICE_MEMORY),
    NAMED(VK_ERROR_OUT_OF_POOL_MEMORY),
    NAMED(VK_ERROR_TOO_MANY_OBJECTS),
    NAMED(VK_ERROR_INITIALIZATION_FAILED),
    NAMED(VK_ERROR_DEVICE_LOST),
    NAMED(VK_ERROR_MEMORY_MAP_FAILED),
    NAMED(VK_ERROR_LAYER_NOT_PRESENT),
    NAMED(VK_ERROR_EXTENSION_NOT_PRESENT),
    NAMED(VK_ERROR_FEATURE_NOT_PRESENT),
    NAMED(VK_ERROR_INCOMPATIBLE_DRIVER),
    NAMED(VK_ERROR_FORMAT_NOT_SUPPORTED),
    NAMED(VK_ERROR_FRAGMENTED_POOL),
    NAMED(VK_ERROR_FRAGMENTATION),
    NAMED(VK_ERROR_UNKNOWN),
    NAMED(VK_ERROR_INVALID_EXTERNAL_HANDLE),
    NAMED(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS),
    NAMED(VK_ERROR_VALIDATION_FAILED_EXT),
    NAMED(VK_ERROR_INVALID_SHADER_NV),
    NAMED(VK_PIPELINE_COMPILE_REQUIRED),
#undef NAMED
};

bool vk_check(struct gpu *gpu, VkResult result, const char *call, struct error *err) {
    char code[60];
    if (result == VK_SUCCESS) return true;
    if (gpu && result == VK_ERROR_DEVICE_LOST) gpu->abandoned = true;
    snprintf(code, sizeof code, "VkResult %d", (int)result);
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
        if (outcomes[i].result == result) snprintf(code, sizeof code, "%s", outcomes[i].name);
    // Missing abilities of a device are checked before a call, so no code stands for them.
    const enum error_kind kind = result == VK_TIMEOUT             ? ERROR_TIMEOUT
                                 : result == VK_ERROR_DEVICE_LOST ? ERROR_DEVICE_LOST
                                                                  : ERROR_DRIVER;
    error_of_kind(err, kind, "%s: %s", call, code);
    snprintf(err->call, sizeof err->call, "%s: %s", call, code);
    return false;
}

bool gpu_is_over(const struct error *err) {
    return err->kind == ERROR_TIMEOUT || err->kind == ERROR_DEVICE_LOST || err->kind == ERROR_DRIVER;
}
