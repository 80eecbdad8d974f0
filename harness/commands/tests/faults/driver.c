// SPDX-License-Identifier: Apache-2.0
// A faulty driver for LD_PRELOAD: calls of one Vulkan function return a code or end the process, and never reach the
// real driver.
//
//     FAULT_CALL=vkAllocateMemory   which function.
//     FAULT_CODE=-2                 its return value; "signal 11", "exit 3" or "hang"; or "meet FOLDER":
//                                   wait for another process to reach FOLDER, then continue without a fault.
//     FAULT_DEVICE=NAME             only in processes that made a device with this in its name.
//     FAULT_FROM=8                  from its 8th call in a process on (default 1).
//     FAULT_TIMES=1                 at most this many times in a process (default: no limit).
//     FAULT_ONCE=FILE               only in one process: the first to create FILE.
//     FAULT_CHANCE=50               only this percentage of the calls, drawn by process and call.
//     FAULT_INSTRUMENTED=1          only in processes that ask the validation layer to rewrite shaders.
//     FAULT_KIND=2                  every device claims this VkPhysicalDeviceType.
//     FAULT_UUID=17                 every device has another UUID, a different one for each number here.
//     FAULT_MODEL=3                 every device has this device id.
//     FAULT_WORD=0x41424344         for shader modules and pipelines: only modules with this word.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool instrumented;         // this process asked for GPU-assisted validation
static _Thread_local bool marked; // the last module made by this thread has FAULT_WORD

static long number(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 0) : otherwise;
}

// Returns whether this process has the fault.
static bool is_mine(void) {
    static int mine = -1;
    const char *path = getenv("FAULT_ONCE");
    if (mine < 0) {
        int fd = path ? open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666) : 0;
        mine = fd >= 0;
        if (fd > 0) close(fd);
    }
    return mine;
}

// The name of the device made by this process; "": none yet.
static char made[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];

static void note_made(VkPhysicalDevice physical) {
    PFN_vkGetPhysicalDeviceProperties get =
        __extension__(PFN_vkGetPhysicalDeviceProperties) dlsym(RTLD_NEXT, "vkGetPhysicalDeviceProperties");
    VkPhysicalDeviceProperties properties = {0};
    if (get) get(physical, &properties);
    memcpy(made, properties.deviceName, sizeof made);
}

// Creates a file for this process and waits for another process's file.
static void meet(const char *folder) {
    char path[4096];
    size_t others = 0;
    snprintf(path, sizeof path, "%s/%ld", folder, (long)getpid());
    close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
    while (others < 4) { // includes "." and ".."
        DIR *list = opendir(folder);
        others = 0;
        while (list && readdir(list)) others++;
        if (list) closedir(list);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
}

// Draws by a hash of the process and the call, so that processes differ.
static bool is_drawn(long call) {
    uint64_t x = (uint64_t)getpid() * 0x9e3779b97f4a7c15u + (uint64_t)call * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 31) * 0x94d049bb133111ebu;
    return (long)((x >> 33) % 100) < number("FAULT_CHANCE", 100);
}

static bool is_due(void) {
    static long calls, faults;
    long times = number("FAULT_TIMES", 0);
    pthread_mutex_lock(&lock);
    bool due = ++calls >= number("FAULT_FROM", 1) && (!times || faults < times) && is_drawn(calls) && is_mine();
    faults += due;
    pthread_mutex_unlock(&lock);
    return due;
}

// Returns VK_SUCCESS if the real driver shall be called.
static VkResult fault(const char *call) {
    const char *wanted = getenv("FAULT_CALL"), *code = getenv("FAULT_CODE"), *device = getenv("FAULT_DEVICE");
    bool of_shader = strcmp(call, "vkCreateShaderModule") == 0 || strcmp(call, "vkCreateComputePipelines") == 0;
    if (!wanted || !code || strcmp(wanted, call) != 0) return VK_SUCCESS;
    if (of_shader && getenv("FAULT_WORD") && !marked) return VK_SUCCESS;
    if (device && !strstr(made, device)) return VK_SUCCESS;
    if (getenv("FAULT_INSTRUMENTED") && !instrumented) return VK_SUCCESS;
    if (!is_due()) return VK_SUCCESS;
    if (strncmp(code, "meet ", 5) == 0) {
        meet(code + 5);
        return VK_SUCCESS;
    }
    if (strncmp(code, "signal ", 7) == 0) raise(atoi(code + 7));
    if (strncmp(code, "exit ", 5) == 0) _exit(atoi(code + 5));
    while (strcmp(code, "hang") == 0) pause();
    return (VkResult)strtol(code, NULL, 0);
}

static void mark(const VkShaderModuleCreateInfo *info) {
    uint32_t word = (uint32_t)number("FAULT_WORD", 0);
    marked = false;
    for (size_t i = 0; i < info->codeSize / 4 && !marked; i++) marked = info->pCode[i] == word;
}

// Defines a function in front of the loader's function of the same name. The loader's own calls do not come here.
#define CALL(name, parameters, arguments)                                                                              \
    VKAPI_ATTR VkResult VKAPI_CALL name parameters {                                                                   \
        VkResult result = fault(#name);                                                                                \
        PFN_##name next = result ? NULL : __extension__(PFN_##name) dlsym(RTLD_NEXT, #name);                           \
        return next ? next arguments : result;                                                                         \
    }
#define CREATE(name, info, object)                                                                                     \
    CALL(name, (VkDevice device, const info *i, const VkAllocationCallbacks *a, object *out), (device, i, a, out))

VKAPI_ATTR VkResult VKAPI_CALL vkCreateInstance(
    const VkInstanceCreateInfo *info, const VkAllocationCallbacks *a, VkInstance *out) {
    for (const VkBaseInStructure *at = info->pNext; at; at = at->pNext) {
        const VkValidationFeaturesEXT *features = (const VkValidationFeaturesEXT *)at;
        if (at->sType != VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT) continue;
        for (uint32_t i = 0; i < features->enabledValidationFeatureCount; i++)
            instrumented |= features->pEnabledValidationFeatures[i] == VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT;
    }
    VkResult result = fault("vkCreateInstance");
    PFN_vkCreateInstance next =
        result ? NULL : __extension__(PFN_vkCreateInstance) dlsym(RTLD_NEXT, "vkCreateInstance");
    return next ? next(info, a, out) : result;
}
CALL(
    vkEnumeratePhysicalDevices, (VkInstance instance, uint32_t *count, VkPhysicalDevice *list), (instance, count, list))
CALL(vkEnumerateDeviceExtensionProperties,
    (VkPhysicalDevice physical, const char *layer, uint32_t *count, VkExtensionProperties *list),
    (physical, layer, count, list))
VKAPI_ATTR VkResult VKAPI_CALL vkCreateDevice(
    VkPhysicalDevice physical, const VkDeviceCreateInfo *info, const VkAllocationCallbacks *a, VkDevice *out) {
    note_made(physical);
    VkResult result = fault("vkCreateDevice");
    PFN_vkCreateDevice next = result ? NULL : __extension__(PFN_vkCreateDevice) dlsym(RTLD_NEXT, "vkCreateDevice");
    return next ? next(physical, info, a, out) : result;
}
CREATE(vkAllocateMemory, VkMemoryAllocateInfo, VkDeviceMemory)
CREATE(vkCreateBuffer, VkBufferCreateInfo, VkBuffer)
CREATE(vkCreateCommandPool, VkCommandPoolCreateInfo, VkCommandPool)
CREATE(vkCreateDescriptorPool, VkDescriptorPoolCreateInfo, VkDescriptorPool)
CREATE(vkCreateDescriptorSetLayout, VkDescriptorSetLayoutCreateInfo, VkDescriptorSetLayout)
CREATE(vkCreateFence, VkFenceCreateInfo, VkFence)
CREATE(vkCreatePipelineCache, VkPipelineCacheCreateInfo, VkPipelineCache)
CREATE(vkCreatePipelineLayout, VkPipelineLayoutCreateInfo, VkPipelineLayout)
CREATE(vkCreateQueryPool, VkQueryPoolCreateInfo, VkQueryPool)
CALL(vkBindBufferMemory, (VkDevice device, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset),
    (device, buffer, memory, offset))
CALL(vkMapMemory,
    (VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size, VkMemoryMapFlags flags,
        void **out),
    (device, memory, offset, size, flags, out))
CALL(vkAllocateCommandBuffers, (VkDevice device, const VkCommandBufferAllocateInfo *i, VkCommandBuffer *out),
    (device, i, out))
CALL(vkAllocateDescriptorSets, (VkDevice device, const VkDescriptorSetAllocateInfo *i, VkDescriptorSet *out),
    (device, i, out))
CALL(vkResetCommandPool, (VkDevice device, VkCommandPool pool, VkCommandPoolResetFlags flags), (device, pool, flags))
CALL(vkResetDescriptorPool, (VkDevice device, VkDescriptorPool pool, VkDescriptorPoolResetFlags flags),
    (device, pool, flags))
CALL(vkBeginCommandBuffer, (VkCommandBuffer commands, const VkCommandBufferBeginInfo *i), (commands, i))
CALL(vkEndCommandBuffer, (VkCommandBuffer commands), (commands))
CALL(vkResetFences, (VkDevice device, uint32_t count, const VkFence *fences), (device, count, fences))
CALL(vkQueueSubmit, (VkQueue queue, uint32_t count, const VkSubmitInfo *submits, VkFence fence),
    (queue, count, submits, fence))
CALL(vkWaitForFences, (VkDevice device, uint32_t count, const VkFence *fences, VkBool32 all, uint64_t ns),
    (device, count, fences, all, ns))
CALL(vkGetQueryPoolResults,
    (VkDevice device, VkQueryPool pool, uint32_t first, uint32_t count, size_t size, void *out, VkDeviceSize stride,
        VkQueryResultFlags flags),
    (device, pool, first, count, size, out, stride, flags))
CALL(vkGetPipelineCacheData, (VkDevice device, VkPipelineCache cache, size_t *size, void *out),
    (device, cache, size, out))
CALL(vkCreateComputePipelines,
    (VkDevice device, VkPipelineCache cache, uint32_t count, const VkComputePipelineCreateInfo *list,
        const VkAllocationCallbacks *a, VkPipeline *out),
    (device, cache, count, list, a, out))

VKAPI_ATTR VkResult VKAPI_CALL vkCreateShaderModule(
    VkDevice device, const VkShaderModuleCreateInfo *info, const VkAllocationCallbacks *a, VkShaderModule *out) {
    mark(info);
    VkResult result = fault("vkCreateShaderModule");
    PFN_vkCreateShaderModule next =
        result ? NULL : __extension__(PFN_vkCreateShaderModule) dlsym(RTLD_NEXT, "vkCreateShaderModule");
    return next ? next(device, info, a, out) : result;
}

VKAPI_ATTR void VKAPI_CALL vkGetPhysicalDeviceProperties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *out) {
    PFN_vkGetPhysicalDeviceProperties2 next =
        __extension__(PFN_vkGetPhysicalDeviceProperties2) dlsym(RTLD_NEXT, "vkGetPhysicalDeviceProperties2");
    next(physical, out);
    VkPhysicalDeviceProperties *core = &out->properties;
    core->deviceType = (VkPhysicalDeviceType)number("FAULT_KIND", (long)core->deviceType);
    core->deviceID = (uint32_t)number("FAULT_MODEL", (long)core->deviceID);
    for (VkBaseOutStructure *at = out->pNext; at; at = at->pNext) {
        VkPhysicalDeviceIDProperties *id = (VkPhysicalDeviceIDProperties *)at;
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES)
            id->deviceUUID[0] = (uint8_t)(id->deviceUUID[0] + number("FAULT_UUID", 0));
    }
}
