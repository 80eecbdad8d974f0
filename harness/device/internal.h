// SPDX-License-Identifier: Apache-2.0
// What the files of this folder share. Vulkan's types stay behind it.
#ifndef VKASSAY_DEVICE_INTERNAL_H
#define VKASSAY_DEVICE_INTERNAL_H

#include "gpu.h"

#include "newer_vulkan.h"

#include <stdatomic.h>

// ---- errors (result.c) ----

// True for VK_SUCCESS; otherwise fills err: "vkCreateFence: VK_ERROR_DEVICE_LOST", as text and as
// `call`, with ERROR_DEVICE_LOST, ERROR_TIMEOUT or else ERROR_DRIVER. `gpu` may be NULL; when not,
// loss of the device is remembered in it.
bool vk_check(struct gpu *gpu, VkResult result, const char *call, struct error *err);

// ---- instance (instance.c) ----

enum { VALIDATION_TEXT = 1500, VALIDATION_SHOWN = 20 };
struct validation {
    bool enabled, gpu_assisted;
    unsigned messages, told;     // findings; told: how many there were when the text was asked for
    unsigned remarks;            // messages that are no findings
    char first[VALIDATION_TEXT]; // of those since then
    VkDebugUtilsMessengerEXT messenger;
};

// *out stays VK_NULL_HANDLE, with true, when the machine has no Vulkan driver. `validation` may be
// NULL: no layer.
bool instance_create(struct validation *validation, bool *debug_utils, VkInstance *out, struct error *err);

// Whether a message is a finding, which fails a point: an error. Warnings, remarks about performance and those about
// the layer's own settings are none. `name` may be NULL.
bool validation_is_finding(
    VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types, const char *name);
// Whether a layer of that version looks for races in shared memory, which GPU-assisted validation does by itself then.
bool validation_sees_races(uint32_t version);
bool validation_start(struct validation *validation, VkInstance instance, struct error *err);
void validation_stop(struct validation *validation, VkInstance instance);

// ---- what a device has (features.c, properties.c, physical.c) ----

enum { MOST_FAMILIES = 64 }; // queue families that are looked at

struct extensions {
    VkExtensionProperties *list; // owned
    uint32_t count;
    uint32_t api_version; // that this program may use of the device
};
bool extensions_read(VkPhysicalDevice physical, struct extensions *out, struct error *err);
void extensions_free(struct extensions *extensions);
bool extensions_named(const struct extensions *extensions, const char *name);
// By extension, or because it is part of core Vulkan since `core` (0: never).
bool extensions_offer(const struct extensions *extensions, const char *name, uint32_t core);

// Feature structures, linked as the device knows them. No padding matters: members are reached by
// name and by table.
struct feature_chain {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDevice16BitStorageFeatures storage16;
    VkPhysicalDevice8BitStorageFeatures storage8;
    VkPhysicalDeviceShaderFloat16Int8Features float16_int8;
    VkPhysicalDeviceSubgroupSizeControlFeatures subgroup_size;
    VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures subgroup_types;
    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float;
    VkPhysicalDeviceCooperativeMatrixFeaturesNV cooperative_nv;
    khr_cooperative_matrix_features cooperative_khr;
    nv_cooperative_matrix_2_features cooperative_2;
    khr_shader_bfloat16_features bfloat16;
    ext_shader_float8_features float8;
    VkPhysicalDeviceShaderIntegerDotProductFeatures integer_dot;
    VkPhysicalDeviceBufferDeviceAddressFeatures buffer_address;
    VkPhysicalDeviceMaintenance4Features maintenance4;
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables;
    VkPhysicalDeviceShaderClockFeaturesKHR clock;
    VkPhysicalDeviceVulkanMemoryModelFeatures memory_model;
    VkPhysicalDeviceZeroInitializeWorkgroupMemoryFeatures zero_shared;
};
// The switches that this program uses and the device has, and no other: ready to hang on
// VkDeviceCreateInfo.pNext.
void features_read(VkPhysicalDevice physical, const struct extensions *extensions, struct feature_chain *out);
// Which of enum feature those switches give.
void features_name(const struct feature_chain *chain, bool features[FEATURE_COUNT]);
// The names of extensions to enable at device creation: those behind the switches, and memory
// budget. Returns how many.
enum { FEATURE_EXTENSIONS = 32 };
uint32_t features_extensions(const struct extensions *extensions, const char *names[FEATURE_EXTENSIONS]);

// Everything of device_info but its index and features.
void properties_read(VkPhysicalDevice physical, const struct extensions *extensions, struct device_info *info);

// What cooperative matrices the device has (matrices.c). Comes after features_name.
bool cooperative_read(VkInstance instance, VkPhysicalDevice physical, struct device_info *info, struct error *err);

// A device that this program can use: Vulkan 1.1 and a queue with compute.
struct physical {
    VkPhysicalDevice handle;
    struct device_info info;
};
// In the arena, in the loader's order.
bool physical_list(struct arena *arena, VkInstance instance, struct physical **out, size_t *count, struct error *err);

// ---- memory (buffer.c, kept_memory.c) ----

// An allocation, mapped for as long as it lives where the host is to see it.
struct memory_piece {
    VkDeviceMemory memory;
    uint64_t bytes;
    uint32_t type; // its index
    bool mapped;
    void *host; // NULL: not mapped
};
void memory_piece_free(struct gpu *gpu, const struct memory_piece *piece); // unmaps too

// Pieces of buffers that are gone.
enum { KEPT_PIECES = 64 };
struct kept_memory {
    struct memory_piece pieces[KEPT_PIECES];
    int count;
    uint64_t bytes;
};
// The size of the piece that a buffer of so many bytes gets; 0: its memory is not kept.
uint64_t kept_memory_bytes(uint64_t bytes);
// A kept piece of the same bytes and type, mapped or not as well; false: there is none.
bool kept_memory_take(struct gpu *gpu, struct memory_piece *piece);
// False: enough is kept, and the piece is still the caller's.
bool kept_memory_give(struct gpu *gpu, const struct memory_piece *piece);
void kept_memory_release(struct gpu *gpu); // all of it, to the driver

// ---- the open device ----

struct gpu {
    struct device_info info;
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkQueue transfer; // VK_NULL_HANDLE: none
    uint32_t transfer_family;
    VkPhysicalDeviceMemoryProperties memory;
    bool memory_budget; // VK_EXT_memory_budget
    // Work was given up on (timeout) or the device is lost: what it may still use is never
    // destroyed, since that could wait for ever. The process is expected to end.
    atomic_bool abandoned; // shaders are built by several threads
    struct validation validation;
    bool debug_utils;
    PFN_vkSetDebugUtilsObjectNameEXT set_name;
    PFN_vkCmdInsertDebugUtilsLabelEXT insert_label;
    VkPipelineCache pipeline_cache;
    char *pipeline_cache_file;    // NULL: none
    uint64_t pipeline_cache_hash; // of what the file holds
    uint64_t memory_used, memory_peak;
    bool feedback; // the driver says what the pipeline cache had
    _Atomic uint64_t cache_hits, cache_misses;
    uint64_t heap_used[VK_MAX_MEMORY_HEAPS]; // with what is kept
    struct kept_memory kept;
};

struct buffer_handle {
    VkBuffer buffer;
    struct memory_piece piece;
    uint64_t needed; // bytes of the piece that are the buffer's
    bool coherent, staging, recycled;
};

// The type of memory for such a buffer, of those whose bits are set in `allowed`; UINT32_MAX: there is none.
uint32_t buffer_memory_type(const struct gpu *gpu, enum buffer_kind kind, uint32_t allowed);

struct program {
    VkDescriptorSetLayout set_layouts[PROGRAM_SETS];
    VkPipelineLayout layout;
    VkPipeline pipeline;
    int bindings, sets; // sets: up to the last that has a binding
    struct slot slots[PROGRAM_BINDINGS];
    uint32_t push_bytes;
    char *label;
    struct program_statistic statistics[PROGRAM_STATISTICS];
    int statistic_count;
};

// Fills them in, where the device was opened with the feature (statistics.c).
void statistics_read(struct gpu *gpu, struct program *program);

// ---- pipeline cache (pipeline.c) ----
bool pipeline_cache_open(struct gpu *gpu, const char *folder, struct error *err);
void pipeline_cache_close(struct gpu *gpu); // writes it when it has grown

// ---- descriptor sets (work.c) ----

// Pools, one more when the last is full, emptied all at once.
struct descriptors {
    VkDescriptorPool *pools;
    size_t count, used; // pools; sets in them
};

// ---- work (work.c records, submit.c runs) ----
struct tick {
    uint64_t ticks, available; // as vkGetQueryPoolResults writes a pair
};
struct work {
    VkQueue queue;
    uint32_t family;
    VkPipelineStageFlags stages; // that commands of it may have
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkQueryPool queries; // VK_NULL_HANDLE without timestamps
    int timestamps;
    struct tick *ticks; // of the last run, one for each timestamp
    struct descriptors descriptors;
    // The last dispatch, so that one like it needs no new descriptor sets.
    const struct program *program;
    VkDescriptorBufferInfo bound[PROGRAM_BINDINGS];
    VkDescriptorSet sets[PROGRAM_SETS];
};

#endif
