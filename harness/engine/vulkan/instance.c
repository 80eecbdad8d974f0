// SPDX-License-Identifier: Apache-2.0
#include "internal.h"
#include "../../base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the Khronos validation layer, with synchronization checks; its messages are counted

bool validation_is_finding(
    VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types, const char *name) {
    static const char *const remarks[] = {
        "VALIDATION-SETTINGS", "CURRENT-VALIDATION-ENABLED", "WARNING-Setting-Limit-Adjusted"};
    for (size_t i = 0; name && i < sizeof remarks / sizeof *remarks; i++)
        if (strcmp(name, remarks[i]) == 0) return false;
    return (severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) &&
           (types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT);
}

// Lifts the layer's limit of messages of one kind (ten by default), because a wrong kernel would pass beyond it.
// Layers of all versions read these variables; they override the application and settings files.
static bool lift_message_limit(struct error *err) {
    static const char *const settings[][2] = {
        {"VK_LAYER_ENABLE_MESSAGE_LIMIT", "false"}, {"VK_LAYER_DUPLICATE_MESSAGE_LIMIT", "2000000000"}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (setenv(settings[i][0], settings[i][1], 1) != 0)
            return error_set(err, STATUS_FAULT, "%s: %s", settings[i][0], strerror(errno));
    return true;
}

bool validation_sees_races(uint32_t version) {
    return version >= VK_MAKE_API_VERSION(0, 1, 4, 345);
}

// Looks for the layer; *version receives its version.
static bool find_layer(uint32_t *version) {
    uint32_t count = 0;
    bool found = false;
    vkEnumerateInstanceLayerProperties(&count, NULL);
    VkLayerProperties *layers = memory_alloc(count, sizeof *layers);
    if (vkEnumerateInstanceLayerProperties(&count, layers) >= VK_SUCCESS)
        for (uint32_t i = 0; i < count && !found; i++) {
            found = strcmp(layers[i].layerName, "VK_LAYER_KHRONOS_validation") == 0;
            *version = layers[i].specVersion;
        }
    free(layers);
    return found;
}

bool gpu_validates(void) {
    return find_layer(&(uint32_t){0});
}

// Returns whether the layer is installed; if not, err says how to install it.
static bool validation_available(const struct validation *validation, struct error *err) {
    uint32_t version = 0;
    const bool found = find_layer(&version);
    if (found && validation->gpu_assisted && !validation_sees_races(version))
        fprintf(stderr, "validation: the layer is of %u.%u.%u; it finds races in shared memory from 1.4.345 on\n",
            VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version), VK_API_VERSION_PATCH(version));
    return found || error_set(err, STATUS_USAGE,
                        "validation was asked for, and the layer VK_LAYER_KHRONOS_validation is "
                        "not installed; it "
                        "is in the package vulkan-validationlayers");
}

static VKAPI_ATTR VkBool32 VKAPI_CALL note_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
    VkDebugUtilsMessageTypeFlagsEXT types, const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
    struct validation *validation = user;
    if (!validation_is_finding(severity, types, data->pMessageIdName)) {
        if (validation->remarks++ < VALIDATION_SHOWN)
            fprintf(stderr, "validation, a remark that fails nothing: %s\n", data->pMessage);
        return VK_FALSE;
    }
    if (validation->messages == validation->reported)
        snprintf(validation->first, sizeof validation->first, "%s", data->pMessage);
    if (validation->messages < VALIDATION_SHOWN) fprintf(stderr, "validation: %s\n", data->pMessage);
    validation->messages++;
    return VK_FALSE;
}

// Leaves out messages of type GENERAL. They are remarks of the loader and of drivers, not findings about this
// program; lavapipe, for example, says that it is not a conformant implementation.
static VkDebugUtilsMessengerCreateInfoEXT messenger_info(struct validation *validation) {
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = note_message,
        .pUserData = validation,
    };
}

// Extends VkInstanceCreateInfo.pNext, so that messages of instance creation are received too.
struct validation_chain {
    VkDebugUtilsMessengerCreateInfoEXT messenger;
    VkValidationFeaturesEXT features;
};

static const void *validation_chain(struct validation *validation, struct validation_chain *chain) {
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

// ---- the instance

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
    if (validate && (!validation_available(validation, err) || !lift_message_limit(err))) return false;

    const char *extensions[2];
    uint32_t extension_count = 0;
    if (*debug_utils || validate) extensions[extension_count++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    if (validate) extensions[extension_count++] = VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME;

    struct validation_chain chain;
    // 1.3 is the newest version known to this program; a device may offer less, down to 1.1.
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
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER) { // the loader found no driver
        *out = VK_NULL_HANDLE;
        return true;
    }
    return vk_check(NULL, result, "vkCreateInstance", err);
}
