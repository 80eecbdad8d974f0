// SPDX-License-Identifier: Apache-2.0
// A Vulkan layer for tests: the driver below it fails. FAULT_CALL names a function, FAULT_CODE the fault of a call:
//
//     FAULT_CODE=-2            Returns this code, without the driver's call.
//     FAULT_CODE=lose          Returns VK_ERROR_DEVICE_LOST, as all later calls do.
//     FAULT_CODE='signal 11'   Ends the process by this signal.
//     FAULT_CODE='exit 3'      Ends the process with this status.
//     FAULT_CODE=hang          Does not return.
//     FAULT_CODE=child         Leaves a child process in a session of its own, with all descriptors.
//     FAULT_CODE='meet FOLDER' Waits for another process to reach FOLDER, then goes on without a fault.
//     FAULT_CODE=flip          For vkWaitForFences: flips a high bit in each changed word of mapped memory.
//     FAULT_CODE='flip 17'     Flips one such bit, drawn by this number.
//     FAULT_CODE=spoil      For vkCmdDispatch: the device then overwrites the first word of the last buffer.
//     FAULT_CODE='times halved'For vkGetQueryPoolResults: timestamps are halved, thousandth, stuck, backward, or
//     wrapped.
//
// Which calls:
//
//     FAULT_FROM=8          From its 8th call in a process on (default 1).
//     FAULT_TIMES=1         At most this many times in a process (default: no limit).
//     FAULT_ONCE=FILE       Only in one process: the first to create FILE.
//     FAULT_EVERY=20        Only each 20th call in a process.
//     FAULT_CHANCE=50       Only this percentage of the calls, drawn by process and call.
//     FAULT_DEVICE=NAME     Only in processes with a device of such a name.
//     FAULT_INSTRUMENTED=1  Only in processes with GPU-assisted validation.
//     FAULT_WORD=0x41424344 For shader modules, pipelines and dispatches: only modules with this word.
//
//     FAULT_COUNT=FILE      Appends a line "PID CALL NUMBER" to FILE for each call.
//     FAULT_HIT=FILE        Creates FILE when a call had its fault.
//     FAULT_KIND=2          Every device claims this VkPhysicalDeviceType.
//     FAULT_UUID=17         Every device has another UUID, a different one for each number here.
//     FAULT_MODEL=3         Every device has this device id.
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool instrumented;         // this process asked for GPU-assisted validation
static _Thread_local bool marked; // the last module made by this thread has FAULT_WORD
static bool lost;                 // FAULT_CODE=lose has begun

// ---- the next layer, or the driver

// Functions with faults, and some needed beside them.
#define CALLS(X)                                                                                                       \
    X(CreateInstance)                                                                                                  \
    X(EnumeratePhysicalDevices)                                                                                        \
    X(EnumerateDeviceExtensionProperties)                                                                              \
    X(CreateDevice)                                                                                                    \
    X(AllocateMemory)                                                                                                  \
    X(CreateBuffer)                                                                                                    \
    X(CreateCommandPool)                                                                                               \
    X(CreateDescriptorPool)                                                                                            \
    X(CreateDescriptorSetLayout)                                                                                       \
    X(CreateFence)                                                                                                     \
    X(CreatePipelineCache)                                                                                             \
    X(CreatePipelineLayout)                                                                                            \
    X(CreateQueryPool)                                                                                                 \
    X(BindBufferMemory)                                                                                                \
    X(FlushMappedMemoryRanges)                                                                                         \
    X(InvalidateMappedMemoryRanges)                                                                                    \
    X(AllocateCommandBuffers)                                                                                          \
    X(AllocateDescriptorSets)                                                                                          \
    X(ResetCommandPool)                                                                                                \
    X(ResetDescriptorPool)                                                                                             \
    X(BeginCommandBuffer)                                                                                              \
    X(EndCommandBuffer)                                                                                                \
    X(ResetFences)                                                                                                     \
    X(GetPipelineCacheData)                                                                                            \
    X(CreateComputePipelines)                                                                                          \
    X(CreateShaderModule)                                                                                              \
    X(MapMemory)                                                                                                       \
    X(FreeMemory)                                                                                                      \
    X(QueueSubmit)                                                                                                     \
    X(WaitForFences)                                                                                                   \
    X(GetQueryPoolResults)                                                                                             \
    X(GetPhysicalDeviceProperties2) X(UpdateDescriptorSets) X(CmdBindPipeline) X(CmdBindDescriptorSets) X(CmdDispatch)
#define NEEDED(X) X(CmdUpdateBuffer) X(CmdPipelineBarrier)
#define NUMBER(name) AT_##name,
enum { CALLS(NUMBER) FAULTY, BEFORE = FAULTY - 1, NEEDED(NUMBER) COUNT };
static const char *const names[COUNT] = {
#define NAME(name) "vk" #name,
    CALLS(NAME) NEEDED(NAME)};

// Instances and devices alive. Objects of both begin with the loader's pointer: it finds them. An instance's
// functions are asked for at once: later, the loader would answer with the first layer's.
enum { MOST_LINKS = 64 };
static struct link {
    void *key;
    VkInstance instance; // or a device
    VkDevice device;
    PFN_vkGetInstanceProcAddr of_instance;
    PFN_vkGetDeviceProcAddr of_device;
    PFN_vkVoidFunction next[COUNT];
    PFN_vkGetPhysicalDeviceProperties properties;
} links[MOST_LINKS];

static void add_link(struct link link) {
    for (int i = 0; i < COUNT; i++)
        link.next[i] = link.device ? link.of_device(link.device, names[i]) : link.of_instance(link.instance, names[i]);
    if (link.instance)
        link.properties =
            (PFN_vkGetPhysicalDeviceProperties)link.of_instance(link.instance, "vkGetPhysicalDeviceProperties");
    pthread_mutex_lock(&lock);
    struct link *at = links;
    while (at < links + MOST_LINKS - 1 && at->key && at->key != link.key) at++;
    *at = link;
    pthread_mutex_unlock(&lock);
}

static struct link link_of(const void *handle) {
    struct link found = {0};
    pthread_mutex_lock(&lock);
    for (int i = 0; handle && i < MOST_LINKS; i++)
        if (links[i].key == *(void *const *)handle) found = links[i];
    pthread_mutex_unlock(&lock);
    return found;
}

#define NEXT(handle, name) ((PFN_vk##name)link_of(handle).next[AT_##name])

// Takes this layer's link out of the chain of a new instance or device.
static void *take_link(const void *chain, VkStructureType type) {
    for (const VkLayerInstanceCreateInfo *at = chain; at; at = at->pNext)
        if (at->sType == type && at->function == VK_LAYER_LINK_INFO) return (void *)(uintptr_t)at;
    return NULL;
}

// ---- the calls

static long number(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 0) : otherwise;
}

static bool create(const char *path) {
    int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

// Returns whether this process has the fault.
static bool is_mine(void) {
    static int mine = -1;
    const char *path = getenv("FAULT_ONCE");
    if (mine < 0) mine = !path || create(path);
    return mine;
}

// The name of the device made by this process; "": none yet.
static char made[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];

// Draws by a hash of the process and the call: processes differ.
static bool is_drawn(long call) {
    uint64_t x = (uint64_t)getpid() * 0x9e3779b97f4a7c15u + (uint64_t)call * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 31) * 0x94d049bb133111ebu;
    return (long)((x >> 33) % 100) < number("FAULT_CHANCE", 100);
}

static bool is_due(void) {
    static long calls, faults;
    long times = number("FAULT_TIMES", 0);
    pthread_mutex_lock(&lock);
    bool due = ++calls >= number("FAULT_FROM", 1) && calls % number("FAULT_EVERY", 1) == 0 &&
               (!times || faults < times) && is_drawn(calls) && is_mine();
    faults += due;
    pthread_mutex_unlock(&lock);
    if (due && getenv("FAULT_HIT")) create(getenv("FAULT_HIT"));
    return due;
}

static void count(const char *call) {
    static long calls;
    const char *path = getenv("FAULT_COUNT");
    if (!path) return;
    pthread_mutex_lock(&lock);
    int fd = open(path, O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0666);
    dprintf(fd, "%ld %s %ld\n", (long)getpid(), call, ++calls);
    close(fd);
    pthread_mutex_unlock(&lock);
}

// Returns the fault of this call; NULL: none.
static const char *code_of(const char *call) {
    const char *wanted = getenv("FAULT_CALL"), *code = getenv("FAULT_CODE"), *device = getenv("FAULT_DEVICE");
    bool of_shader = strcmp(call, "vkCreateShaderModule") == 0 || strcmp(call, "vkCreateComputePipelines") == 0;
    count(call);
    if (!wanted || !code || strcmp(wanted, call) != 0) return NULL;
    if (of_shader && getenv("FAULT_WORD") && !marked) return NULL;
    if (device && !strstr(made, device)) return NULL;
    if (getenv("FAULT_INSTRUMENTED") && !instrumented) return NULL;
    return is_due() ? code : NULL;
}

// ---- faults

// Creates a file for this process and waits for another process's file.
static void meet(const char *folder) {
    char path[4096];
    size_t others = 0;
    snprintf(path, sizeof path, "%s/%ld", folder, (long)getpid());
    create(path);
    while (others < 4) { // includes "." and ".."
        DIR *list = opendir(folder);
        others = 0;
        while (list && readdir(list)) others++;
        if (list) closedir(list);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
}

static void leave_a_child(void) {
    if (fork() != 0) return;
    setsid();
    for (;;) pause();
}

// Returns VK_SUCCESS if the real driver shall be called.
static VkResult fault(const char *call) {
    const char *code = code_of(call);
    if (lost) return VK_ERROR_DEVICE_LOST;
    if (!code) return VK_SUCCESS;
    if (strcmp(code, "lose") == 0) return lost = true, VK_ERROR_DEVICE_LOST;
    if (strcmp(code, "child") == 0) return leave_a_child(), VK_SUCCESS;
    if (strncmp(code, "meet ", 5) == 0) return meet(code + 5), VK_SUCCESS;
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

// ---- bits of mapped memory

// Blocks of memory, those mapped with their words at the last submission.
enum { MOST_BLOCKS = 1024, LARGEST_MAPPED = 16 << 20 };
static struct block {
    VkDeviceMemory memory;
    uint32_t *words, *before;
    size_t count;
} blocks[MOST_BLOCKS];

static bool flips(void) {
    const char *code = getenv("FAULT_CODE");
    return code && strncmp(code, "flip", 4) == 0;
}

static struct block *block_of(VkDeviceMemory memory) {
    int i = 0;
    while (i < MOST_BLOCKS - 1 && blocks[i].memory != memory) i++;
    return &blocks[i];
}

static void note_mapped(VkDeviceMemory memory, void *words) {
    struct block *block = block_of(memory);
    if (!flips() || block->count * 4 > LARGEST_MAPPED) return;
    block->words = words;
    block->before = calloc(block->count + 1, 4);
}

static void note_words(void) {
    for (int i = 0; flips() && i < MOST_BLOCKS; i++)
        if (blocks[i].before) memcpy(blocks[i].before, blocks[i].words, blocks[i].count * 4);
}

// Flips bit 30 of the words changed since: of all, or of one.
static void flip(const char *code) {
    const bool one = code[4];
    size_t changed = 0, chosen = one ? (size_t)atol(code + 4) : 0;
    for (int turn = one ? 0 : 1; turn < 2; turn++) {
        if (turn && one) chosen = changed ? chosen % changed : 0;
        changed = 0;
        for (int i = 0; i < MOST_BLOCKS; i++)
            for (size_t w = 0; blocks[i].before && w < blocks[i].count; w++)
                if (blocks[i].words[w] != blocks[i].before[w] && (changed++ == chosen || !one) && turn)
                    blocks[i].words[w] ^= 1u << 30;
    }
}

// ---- timestamps

static void change_times(const char *code, char *results, uint32_t count, VkDeviceSize stride) {
    static uint64_t first;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t *ticks = (uint64_t *)(void *)(results + i * stride);
        if (!first) first = *ticks;
        const uint64_t since = *ticks - first;
        if (strcmp(code, "times halved") == 0) *ticks = first + since / 2;
        if (strcmp(code, "times thousandth") == 0) *ticks = first + since / 1000;
        if (strcmp(code, "times stuck") == 0) *ticks = first;
        if (strcmp(code, "times backward") == 0) *ticks = first + ((uint64_t)1 << 62) - since;
        if (strcmp(code, "times wrapped") == 0) *ticks &= 0xfffff; // about a millisecond
    }
}

// ---- functions

// Defines a function: its fault, or the next layer's function.
#define CALL(name, parameters, arguments, handle)                                                                      \
    static VKAPI_ATTR VkResult VKAPI_CALL fault_##name parameters {                                                    \
        VkResult result = fault("vk" #name);                                                                           \
        PFN_vk##name next = result ? NULL : NEXT(handle, name);                                                        \
        return next ? next arguments : result;                                                                         \
    }
#define CREATE(name, info, object)                                                                                     \
    CALL(name, (VkDevice device, const info *i, const VkAllocationCallbacks *a, object *out), (device, i, a, out),     \
        device)

static VKAPI_ATTR VkResult VKAPI_CALL fault_CreateInstance(
    const VkInstanceCreateInfo *info, const VkAllocationCallbacks *a, VkInstance *out) {
    VkLayerInstanceCreateInfo *link = take_link(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    for (const VkBaseInStructure *at = info->pNext; at; at = at->pNext) {
        const VkValidationFeaturesEXT *features = (const VkValidationFeaturesEXT *)at;
        if (at->sType != VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT) continue;
        for (uint32_t i = 0; i < features->enabledValidationFeatureCount; i++)
            instrumented |= features->pEnabledValidationFeatures[i] == VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT;
    }
    VkResult result = fault("vkCreateInstance");
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    if (!result) result = ((PFN_vkCreateInstance)get(VK_NULL_HANDLE, "vkCreateInstance"))(info, a, out);
    if (!result) add_link((struct link){.key = *(void **)*out, .instance = *out, .of_instance = get});
    return result;
}
CALL(EnumeratePhysicalDevices, (VkInstance instance, uint32_t *count, VkPhysicalDevice *list), (instance, count, list),
    instance)
CALL(EnumerateDeviceExtensionProperties,
    (VkPhysicalDevice physical, const char *layer, uint32_t *count, VkExtensionProperties *list),
    (physical, layer, count, list), physical)

static VKAPI_ATTR VkResult VKAPI_CALL fault_CreateDevice(
    VkPhysicalDevice physical, const VkDeviceCreateInfo *info, const VkAllocationCallbacks *a, VkDevice *out) {
    VkLayerDeviceCreateInfo *link = take_link(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    const PFN_vkGetDeviceProcAddr get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    VkPhysicalDeviceProperties properties = {0};
    link_of(physical).properties(physical, &properties);
    memcpy(made, properties.deviceName, sizeof made);
    VkResult result = fault("vkCreateDevice");
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    if (!result) result = NEXT(physical, CreateDevice)(physical, info, a, out);
    if (!result) add_link((struct link){.key = *(void **)*out, .device = *out, .of_device = get});
    return result;
}
CREATE(CreateBuffer, VkBufferCreateInfo, VkBuffer)
CREATE(CreateCommandPool, VkCommandPoolCreateInfo, VkCommandPool)
CREATE(CreateDescriptorPool, VkDescriptorPoolCreateInfo, VkDescriptorPool)
CREATE(CreateDescriptorSetLayout, VkDescriptorSetLayoutCreateInfo, VkDescriptorSetLayout)
CREATE(CreateFence, VkFenceCreateInfo, VkFence)
CREATE(CreatePipelineCache, VkPipelineCacheCreateInfo, VkPipelineCache)
CREATE(CreatePipelineLayout, VkPipelineLayoutCreateInfo, VkPipelineLayout)
CREATE(CreateQueryPool, VkQueryPoolCreateInfo, VkQueryPool)
CALL(BindBufferMemory, (VkDevice device, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset),
    (device, buffer, memory, offset), device)
CALL(FlushMappedMemoryRanges, (VkDevice device, uint32_t count, const VkMappedMemoryRange *list), (device, count, list),
    device)
CALL(InvalidateMappedMemoryRanges, (VkDevice device, uint32_t count, const VkMappedMemoryRange *list),
    (device, count, list), device)
CALL(AllocateCommandBuffers, (VkDevice device, const VkCommandBufferAllocateInfo *i, VkCommandBuffer *out),
    (device, i, out), device)
CALL(AllocateDescriptorSets, (VkDevice device, const VkDescriptorSetAllocateInfo *i, VkDescriptorSet *out),
    (device, i, out), device)
CALL(ResetCommandPool, (VkDevice device, VkCommandPool pool, VkCommandPoolResetFlags flags), (device, pool, flags),
    device)
CALL(ResetDescriptorPool, (VkDevice device, VkDescriptorPool pool, VkDescriptorPoolResetFlags flags),
    (device, pool, flags), device)
CALL(BeginCommandBuffer, (VkCommandBuffer commands, const VkCommandBufferBeginInfo *i), (commands, i), commands)
CALL(EndCommandBuffer, (VkCommandBuffer commands), (commands), commands)
CALL(ResetFences, (VkDevice device, uint32_t count, const VkFence *fences), (device, count, fences), device)
CALL(GetPipelineCacheData, (VkDevice device, VkPipelineCache cache, size_t *size, void *out),
    (device, cache, size, out), device)

// ---- dispatches that spoil a word

enum { MOST_MARKED = 256, MOST_SETS = 4096 };
static VkPipeline marked_pipelines[MOST_MARKED];
static size_t marked_count;
static struct set {
    VkDescriptorSet set;
    uint32_t binding; // the last one of a buffer
    VkDescriptorBufferInfo last;
} sets[MOST_SETS];
static _Thread_local bool bound_marked; // of the commands that this thread records
static _Thread_local VkDescriptorSet bound;

static struct set *set_of(VkDescriptorSet set) {
    int i = 0;
    while (i < MOST_SETS - 1 && sets[i].set && sets[i].set != set) i++;
    return &sets[i];
}

static VKAPI_ATTR VkResult VKAPI_CALL fault_CreateComputePipelines(VkDevice device, VkPipelineCache cache,
    uint32_t count, const VkComputePipelineCreateInfo *list, const VkAllocationCallbacks *a, VkPipeline *out) {
    VkResult result = fault("vkCreateComputePipelines");
    if (!result) result = NEXT(device, CreateComputePipelines)(device, cache, count, list, a, out);
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; !result && i < count; i++) {
        size_t at = 0; // a driver may use a handle again
        while (at < marked_count && marked_pipelines[at] != out[i]) at++;
        if (at == marked_count && marked_count < MOST_MARKED - 1) marked_count += marked;
        marked_pipelines[at] = marked ? out[i] : VK_NULL_HANDLE;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL fault_CmdBindPipeline(
    VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline) {
    bound_marked = false;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < marked_count; i++) bound_marked |= marked_pipelines[i] == pipeline;
    pthread_mutex_unlock(&lock);
    NEXT(commands, CmdBindPipeline)(commands, point, pipeline);
}

static VKAPI_ATTR void VKAPI_CALL fault_UpdateDescriptorSets(VkDevice device, uint32_t count,
    const VkWriteDescriptorSet *writes, uint32_t copies, const VkCopyDescriptorSet *copied) {
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < count; i++) set_of(writes[i].dstSet)->binding = 0; // each call writes a whole set
    for (uint32_t i = 0; i < count; i++) {
        struct set *set = set_of(writes[i].dstSet);
        if (!writes[i].pBufferInfo || (set->set && writes[i].dstBinding < set->binding)) continue;
        *set = (struct set){writes[i].dstSet, writes[i].dstBinding, *writes[i].pBufferInfo};
    }
    pthread_mutex_unlock(&lock);
    NEXT(device, UpdateDescriptorSets)(device, count, writes, copies, copied);
}

static VKAPI_ATTR void VKAPI_CALL fault_CmdBindDescriptorSets(VkCommandBuffer commands, VkPipelineBindPoint point,
    VkPipelineLayout layout, uint32_t first, uint32_t count, const VkDescriptorSet *list, uint32_t dynamic,
    const uint32_t *offsets) {
    if (count) bound = list[count - 1];
    NEXT(commands, CmdBindDescriptorSets)(commands, point, layout, first, count, list, dynamic, offsets);
}

static VKAPI_ATTR void VKAPI_CALL fault_CmdDispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
    const char *code = getenv("FAULT_CODE");
    NEXT(commands, CmdDispatch)(commands, x, y, z);
    if (!code || strcmp(code, "spoil") != 0 || (getenv("FAULT_WORD") && !bound_marked) || !code_of("vkCmdDispatch"))
        return;
    const VkMemoryBarrier around = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const uint32_t word = 0x4b1dface;
    const VkDescriptorBufferInfo last = set_of(bound)->last;
    NEXT(commands, CmdPipelineBarrier)(commands, all, all, 0, 1, &around, 0, NULL, 0, NULL);
    NEXT(commands, CmdUpdateBuffer)(commands, last.buffer, last.offset, sizeof word, &word);
    NEXT(commands, CmdPipelineBarrier)(commands, all, all, 0, 1, &around, 0, NULL, 0, NULL);
}

static VKAPI_ATTR VkResult VKAPI_CALL fault_CreateShaderModule(
    VkDevice device, const VkShaderModuleCreateInfo *info, const VkAllocationCallbacks *a, VkShaderModule *out) {
    mark(info);
    VkResult result = fault("vkCreateShaderModule");
    return result ? result : NEXT(device, CreateShaderModule)(device, info, a, out);
}

static VKAPI_ATTR VkResult VKAPI_CALL fault_AllocateMemory(
    VkDevice device, const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *a, VkDeviceMemory *out) {
    VkResult result = fault("vkAllocateMemory");
    if (!result) result = NEXT(device, AllocateMemory)(device, info, a, out);
    if (!result && flips())
        *block_of(VK_NULL_HANDLE) = (struct block){.memory = *out, .count = (size_t)info->allocationSize / 4};
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL fault_MapMemory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
    VkDeviceSize size, VkMemoryMapFlags flags, void **out) {
    VkResult result = fault("vkMapMemory");
    if (!result) result = NEXT(device, MapMemory)(device, memory, offset, size, flags, out);
    if (!result) note_mapped(memory, *out);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL fault_FreeMemory(
    VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks *a) {
    struct block *block = block_of(memory);
    free(block->before);
    *block = (struct block){0};
    NEXT(device, FreeMemory)(device, memory, a);
}

static VKAPI_ATTR VkResult VKAPI_CALL fault_QueueSubmit(
    VkQueue queue, uint32_t count, const VkSubmitInfo *submits, VkFence fence) {
    VkResult result = fault("vkQueueSubmit");
    note_words();
    return result ? result : NEXT(queue, QueueSubmit)(queue, count, submits, fence);
}

static VKAPI_ATTR VkResult VKAPI_CALL fault_WaitForFences(
    VkDevice device, uint32_t count, const VkFence *fences, VkBool32 all, uint64_t ns) {
    const char *code = flips() ? code_of("vkWaitForFences") : NULL;
    VkResult result = flips() ? VK_SUCCESS : fault("vkWaitForFences");
    if (!result) result = NEXT(device, WaitForFences)(device, count, fences, all, ns);
    if (!result && code) flip(code);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL fault_GetQueryPoolResults(VkDevice device, VkQueryPool pool, uint32_t first,
    uint32_t count, size_t size, void *out, VkDeviceSize stride, VkQueryResultFlags flags) {
    const char *code = getenv("FAULT_CODE");
    const bool times = code && strncmp(code, "times ", 6) == 0;
    const char *due = times ? code_of("vkGetQueryPoolResults") : NULL;
    VkResult result = times ? VK_SUCCESS : fault("vkGetQueryPoolResults");
    if (!result) result = NEXT(device, GetQueryPoolResults)(device, pool, first, count, size, out, stride, flags);
    if (due && (result == VK_SUCCESS || result == VK_NOT_READY) && flags & VK_QUERY_RESULT_64_BIT)
        change_times(due, out, count, stride);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL fault_GetPhysicalDeviceProperties2(
    VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *out) {
    NEXT(physical, GetPhysicalDeviceProperties2)(physical, out);
    VkPhysicalDeviceProperties *core = &out->properties;
    core->deviceType = (VkPhysicalDeviceType)number("FAULT_KIND", (long)core->deviceType);
    core->deviceID = (uint32_t)number("FAULT_MODEL", (long)core->deviceID);
    for (VkBaseOutStructure *at = out->pNext; at; at = at->pNext) {
        VkPhysicalDeviceIDProperties *id = (VkPhysicalDeviceIDProperties *)at;
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES)
            id->deviceUUID[0] = (uint8_t)(id->deviceUUID[0] + number("FAULT_UUID", 0));
    }
}

// ---- how the loader finds all this

static PFN_vkVoidFunction own(const char *name) {
#define OWN(name) (PFN_vkVoidFunction) fault_##name,
    static const PFN_vkVoidFunction functions[FAULTY] = {CALLS(OWN)};
    for (int i = 0; i < FAULTY; i++)
        if (strcmp(names[i], name) == 0) return functions[i];
    return NULL;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device(VkDevice device, const char *name) {
    const struct link link = link_of(device);
    const PFN_vkVoidFunction ours = own(name), next = link.device ? link.of_device(device, name) : NULL;
    if (strcmp(name, "vkGetDeviceProcAddr") == 0) return (PFN_vkVoidFunction)get_device;
    return next && ours ? ours : next;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance(VkInstance instance, const char *name) {
    const PFN_vkVoidFunction ours = own(name);
    if (strcmp(name, "vkGetInstanceProcAddr") == 0) return (PFN_vkVoidFunction)get_instance;
    if (strcmp(name, "vkGetDeviceProcAddr") == 0) return (PFN_vkVoidFunction)get_device;
    const struct link link = link_of(instance);
    return ours ? ours : link.instance ? link.of_instance(instance, name) : NULL;
}

__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(
    VkNegotiateLayerInterface *interface) {
    interface->loaderLayerInterfaceVersion = 2;
    interface->pfnGetInstanceProcAddr = get_instance;
    interface->pfnGetDeviceProcAddr = get_device;
    interface->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
