// SPDX-License-Identifier: Apache-2.0
// The Khronos validation layer: asked for with synchronization checks, its messages counted.
#include "internal.h"

#include "../base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool validation_available(struct error *err) {
    uint32_t count = 0;
    bool found = false;
    vkEnumerateInstanceLayerProperties(&count, NULL);
    VkLayerProperties *layers = memory_alloc(count, sizeof *layers);
    if (vkEnumerateInstanceLayerProperties(&count, layers) >= VK_SUCCESS)
        for (uint32_t i = 0; i < count && !found; i++)
            found = strcmp(layers[i].layerName, "VK_LAYER_KHRONOS_validation") == 0;
    free(layers);
    return found || error_set(err, STATUS_USAGE,
                        "validation was asked for, and the layer VK_LAYER_KHRONOS_validation is "
                        "not installed; it "
                        "is in the package vulkan-validationlayers");
}

static VKAPI_ATTR VkBool32 VKAPI_CALL heard(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
    VkDebugUtilsMessageTypeFlagsEXT types, const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
    (void)severity;
    (void)types;
    struct validation *validation = user;
    if (validation->messages == validation->told)
        snprintf(validation->first, sizeof validation->first, "%s", data->pMessage);
    if (validation->messages < VALIDATION_SHOWN) fprintf(stderr, "validation: %s\n", data->pMessage);
    validation->messages++;
    return VK_FALSE;
}

// Messages of type GENERAL are the loader's and the drivers' own remarks (lavapipe says that it is
// no conformant implementation); they are no findings about this program.
static VkDebugUtilsMessengerCreateInfoEXT messenger_info(struct validation *validation) {
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = heard,
        .pUserData = validation,
    };
}

const void *validation_chain(struct validation *validation, struct validation_chain *chain) {
    static const VkValidationFeatureEnableEXT enables[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,
        VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT,
        VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT,
    };
    chain->messenger = messenger_info(validation);
    chain->features = (VkValidationFeaturesEXT){
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .pNext = &chain->messenger,
        .enabledValidationFeatureCount = validation->gpu_assisted ? sizeof enables / sizeof *enables : 1,
        .pEnabledValidationFeatures = enables,
    };
    return &chain->features;
}

bool validation_start(struct validation *validation, VkInstance instance, struct error *err) {
    if (!validation->enabled) return true;
    PFN_vkCreateDebugUtilsMessengerEXT create =
        (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT");
    VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(validation);
    if (!create) return vk_check(NULL, VK_ERROR_EXTENSION_NOT_PRESENT, "vkCreateDebugUtilsMessengerEXT", err);
    return vk_check(NULL, create(instance, &info, NULL, &validation->messenger), "vkCreateDebugUtilsMessengerEXT", err);
}

void validation_stop(struct validation *validation, VkInstance instance) {
    if (!validation->messenger) return;
    PFN_vkDestroyDebugUtilsMessengerEXT destroy =
        (PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT");
    if (destroy) destroy(instance, validation->messenger, NULL);
    validation->messenger = VK_NULL_HANDLE;
}
