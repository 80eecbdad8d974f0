// SPDX-License-Identifier: Apache-2.0
// The layer as the Vulkan loader sees it: how its functions are found, and the lives of instances and devices.
#include "buffers.h"
#include "commands.h"
#include "describe.h"
#include "descriptors.h"
#include "output.h"
#include "reading.h"
#include "shaders.h"

#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>

// ---- functions by name

static const struct call_row {
    const char *name;
    size_t next; // offset of the next layer's function in struct vk_calls
    PFN_vkVoidFunction ours;
} call_rows[] = {
#define ROW_OURS(name) {"vk" #name, offsetof(struct vk_calls, name), (PFN_vkVoidFunction)capture_##name},
#define ROW_ALIAS(name, of) {"vk" #name, offsetof(struct vk_calls, of), (PFN_vkVoidFunction)capture_##of},
#define ROW_NEWER(name, type) {"vk" #name, offsetof(struct vk_calls, name), (PFN_vkVoidFunction)capture_##name},
#define ROW_NEXT(name) {"vk" #name, offsetof(struct vk_calls, name), NULL},
    CAPTURE_CALLS(ROW_OURS, ROW_ALIAS, ROW_NEWER, ROW_NEXT)};
enum { CALL_ROWS = sizeof call_rows / sizeof *call_rows };

static void load_calls(struct vk_device *device) {
    for (int i = 0; i < CALL_ROWS; i++) {
        const PFN_vkVoidFunction next = device->get(device->handle, call_rows[i].name);
        if (next) memcpy((char *)&device->call + call_rows[i].next, &next, sizeof next);
    }
}

static PFN_vkVoidFunction ours(const char *name) {
    for (int i = 0; i < CALL_ROWS; i++)
        if (strcmp(call_rows[i].name, name) == 0) return call_rows[i].ours;
    return NULL;
}

// ---- instances

// The functions are asked for when the instance is made. Later, the loader would answer with the first layer's.
struct vk_instance {
    void *key; // of the loader
    VkInstance handle;
    struct vk_instance *next;
    PFN_vkGetInstanceProcAddr get;
    PFN_vkDestroyInstance destroy;
    struct physical_calls call;
};
static struct vk_instance *instances; // guarded by the lock

static struct vk_instance instance_of(const void *handle) {
    struct vk_instance found = {0};
    state_lock();
    for (const struct vk_instance *at = instances; at; at = at->next)
        if (at->key == *(void *const *)handle) found = *at;
    state_unlock();
    return found;
}

// Finds the loader's link to the next layer in the chain.
static void *link_of(const void *chain, VkStructureType type) {
    for (const VkLayerInstanceCreateInfo *at = chain; at; at = at->pNext)
        if (at->sType == type && at->function == VK_LAYER_LINK_INFO) return (void *)(uintptr_t)at;
    return NULL;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(
    const VkInstanceCreateInfo *info, const VkAllocationCallbacks *a, VkInstance *out) {
    VkLayerInstanceCreateInfo *link = link_of(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    if (!link || !link->u.pLayerInfo) return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    const PFN_vkCreateInstance next = (PFN_vkCreateInstance)get(VK_NULL_HANDLE, "vkCreateInstance");
    struct vk_instance *instance = calloc(1, sizeof *instance);
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const VkResult result = !next      ? VK_ERROR_INITIALIZATION_FAILED
                            : instance ? next(info, a, out)
                                       : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS) {
        free(instance);
        return result;
    }
    *instance = (struct vk_instance){.key = *(void **)*out,
        .handle = *out,
        .get = get,
        .destroy = (PFN_vkDestroyInstance)get(*out, "vkDestroyInstance"),
        .call = physical_calls(*out, get)};
    state_lock();
    instance->next = instances;
    instances = instance;
    state_unlock();
    return result;
}

static VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance handle, const VkAllocationCallbacks *a) {
    if (!handle) return;
    const struct vk_instance instance = instance_of(handle);
    state_lock();
    for (struct vk_instance **at = &instances; *at; at = &(*at)->next) {
        if ((*at)->handle != handle) continue;
        struct vk_instance *gone = *at;
        *at = gone->next;
        free(gone);
        break;
    }
    state_unlock();
    if (instance.destroy) instance.destroy(handle, a);
}

// ---- devices

static void learn_device(struct vk_device *device, const struct physical_calls *call, VkPhysicalDevice physical) {
    VkPhysicalDeviceProperties properties;
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    call->properties(physical, &properties);
    call->memory(physical, &device->memory);
    call->families(physical, &count, families);
    device->timestamp_ns = (double)properties.limits.timestampPeriod;
    for (uint32_t i = 0; i < count; i++) device->timestamp_bits[i] = families[i].timestampValidBits;
}

// Begins the output at the first device. A child process made by fork() begins anew.
static void begin_output(void) {
    if (output_begin()) signatures_forget();
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(
    VkPhysicalDevice physical, const VkDeviceCreateInfo *info, const VkAllocationCallbacks *a, VkDevice *out) {
    static int made;
    VkLayerDeviceCreateInfo *link = link_of(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    if (!link || !link->u.pLayerInfo) return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetDeviceProcAddr get_next = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    begin_output();
    const struct vk_instance instance = instance_of(physical);
    const PFN_vkCreateDevice next = (PFN_vkCreateDevice)get(instance.handle, "vkCreateDevice");
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    if (!next || !instance.call.properties) return VK_ERROR_INITIALIZATION_FAILED;
    const VkResult result = next(physical, info, a, out);
    if (result != VK_SUCCESS) return result;
    struct vk_device *device = device_new(*(void **)*out);
    if (!device) {
        const PFN_vkDestroyDevice destroy = (PFN_vkDestroyDevice)get_next(*out, "vkDestroyDevice");
        if (destroy) destroy(*out, a);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    device->handle = *out;
    device->get = get_next;
    load_calls(device);
    learn_device(device, &instance.call, physical);
    state_lock();
    device->number = made++;
    state_unlock();
    describe_device(&instance.call, physical, device->number);
    return result;
}

VKAPI_ATTR void VKAPI_CALL capture_DestroyDevice(VkDevice handle, const VkAllocationCallbacks *a) {
    if (!handle) return;
    struct vk_device *device = device_of(handle);
    reading_end(device);
    state_lock();
    commands_clear(device);
    descriptors_clear(device);
    shaders_clear(device);
    buffers_clear(device);
    staging_clear(device);
    signatures_end(); // more lines take its place
    state_unlock();
    const PFN_vkDestroyDevice next = device->call.DestroyDevice;
    atomic_store(&device->key, NULL);
    next(handle, a);
}

// Reads the rest of the submissions of a process with devices left, and writes the last line.
__attribute__((destructor)) static void end_process(void) {
    if (!capture_settings()->folder || !output_is_ours()) return;
    reading_wait(10);
    output_stop();
    state_lock();
    signatures_end();
    state_unlock();
}

// ---- how the loader finds all this

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device(VkDevice handle, const char *name) {
    struct vk_device *device = device_of(handle);
    if (strcmp(name, "vkGetDeviceProcAddr") == 0) return (PFN_vkVoidFunction)get_device;
    const PFN_vkVoidFunction next = device ? device->get(handle, name) : NULL, own = ours(name);
    return next && own ? own : next; // a function of a disabled extension stays absent
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance(VkInstance handle, const char *name) {
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } own[] = {
        {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)get_instance},
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)get_device},
        {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
        {"vkDestroyInstance", (PFN_vkVoidFunction)destroy_instance},
        {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
    };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i].name, name) == 0) return own[i].function;
    const struct vk_instance instance = handle ? instance_of(handle) : (struct vk_instance){0};
    const PFN_vkVoidFunction next = instance.get ? instance.get(handle, name) : NULL, device = ours(name);
    return next && device ? device : next;
}

// No lock is held by a lost thread in a child process.
static void before_fork(void) {
    state_lock();
    output_lock();
}

static void after_fork(void) {
    output_unlock();
    state_unlock();
}

static void after_fork_in_child(void) {
    devices_each(reading_forget, NULL);
    after_fork();
}

__attribute__((constructor)) static void begin_process(void) {
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(
    VkNegotiateLayerInterface *interface) {
    if (interface->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT || interface->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    interface->loaderLayerInterfaceVersion = 2;
    interface->pfnGetInstanceProcAddr = get_instance;
    interface->pfnGetDeviceProcAddr = get_device;
    interface->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
