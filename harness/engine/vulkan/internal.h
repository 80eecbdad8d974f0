// SPDX-License-Identifier: Apache-2.0
// Declarations shared by the files of this folder. Vulkan's types do not leave this folder.
#ifndef VKASSAY_DEVICE_INTERNAL_H
#define VKASSAY_DEVICE_INTERNAL_H

#include "gpu.h"
#include "../../device/device_info.h"

#include "newer_vulkan.h"

#include <stdatomic.h>

// ---- errors (vk_result.c) ----

// Returns true for VK_SUCCESS. Otherwise fills err: its text and its `call` are, for example, "vkCreateFence:
// VK_ERROR_DEVICE_LOST". Its kind is ERROR_DEVICE_LOST, ERROR_TIMEOUT or, for every other code, ERROR_DRIVER. `gpu`
// may be NULL; if not, it remembers the loss of the device.
bool vk_check(struct gpu *gpu, VkResult result, const char *call, struct error *err);

// ---- instance (instance.c) ----

enum { VALIDATION_TEXT = 1500, VALIDATION_SHOWN = 20 };
struct validation {
    bool enabled, gpu_assisted;
    unsigned messages, reported; // findings; `reported`: their number when the text was last asked for
    unsigned remarks;            // messages that are not findings
    char first[VALIDATION_TEXT]; // text of the first finding since then
    VkDebugUtilsMessengerEXT messenger;
};

// Creates the instance. Without a Vulkan driver *out is VK_NULL_HANDLE and the function returns true. `validation`
// may be NULL: no layer.
bool instance_create(struct validation *validation, bool *debug_utils, VkInstance *out, struct error *err);

// Returns whether a message is a finding: an error, which fails a point. Warnings, performance remarks and remarks
// about the layer's own settings are not findings. `name` may be NULL.
bool validation_is_finding(
    VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types, const char *name);
// Returns whether this version of the layer finds races in shared memory. GPU-assisted validation then includes that
// check.
bool validation_sees_races(uint32_t version);
bool validation_start(struct validation *validation, VkInstance instance, struct error *err);
void validation_stop(struct validation *validation, VkInstance instance);

// ---- abilities of a device (features.c, properties.c, physical.c) ----

enum { MOST_FAMILIES = 64 }; // queue families examined at most

struct extensions {
    VkExtensionProperties *list; // owned
    uint32_t count;
    uint32_t api_version; // Vulkan version of the device
};
bool extensions_read(VkPhysicalDevice physical, struct extensions *out, struct error *err);
void extensions_free(struct extensions *extensions);
bool extensions_named(const struct extensions *extensions, const char *name);
// Returns whether the device has it as an extension or as part of core Vulkan since `core` (0: never).
bool extensions_offer(const struct extensions *extensions, const char *name, uint32_t core);

// Feature structures; those known to the device are linked. Padding does not matter, because members are accessed by
// name and by a table of offsets.
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
// Reads the switches that this program uses and the device has, and no others. The result is ready for
// VkDeviceCreateInfo.pNext.
void features_read(VkPhysicalDevice physical, const struct extensions *extensions, struct feature_chain *out);
// Marks the features behind the enabled switches.
void features_name(const struct feature_chain *chain, bool features[FEATURE_COUNT]);
// Lists the extensions to enable at device creation: those of the feature structures, and a few without a structure,
// such as the memory budget. Returns their number.
enum { FEATURE_EXTENSIONS = 32 };
uint32_t features_extensions(const struct extensions *extensions, const char *names[FEATURE_EXTENSIONS]);

// Fills in identity, limits, subgroup features, float controls and heaps. Call it after features_name, because some
// of these depend on the features.
void properties_read(VkPhysicalDevice physical, const struct extensions *extensions, struct device_info *info);

// Lists the device's cooperative matrices (matrices.c). Call it after features_name.
bool cooperative_read(VkInstance instance, VkPhysicalDevice physical, struct device_info *info, struct error *err);

// A device usable for this program: it has Vulkan 1.1 and a queue with compute.
struct physical {
    VkPhysicalDevice handle;
    struct device_info info;
};
// Lists the usable devices in the loader's order, in the arena.
bool physical_list(struct arena *arena, VkInstance instance, struct physical **out, size_t *count, struct error *err);

// ---- memory (buffer.c, kept_memory.c) ----

// An allocation. If the host accesses it, it stays mapped for its whole life.
struct memory_piece {
    VkDeviceMemory memory;
    uint64_t bytes;
    uint32_t type; // index of the memory type
    bool mapped;
    void *host; // NULL: not mapped
};
void memory_piece_free(struct gpu *gpu, const struct memory_piece *piece); // also unmaps it

// Memory of destroyed buffers, kept for reuse.
enum { KEPT_PIECES = 64 };
struct kept_memory {
    struct memory_piece pieces[KEPT_PIECES];
    int count;
    uint64_t bytes;
};
// Returns the size of the piece for a buffer of `bytes`; 0: memory of such buffers is not kept.
uint64_t kept_memory_bytes(uint64_t bytes);
// Replaces *piece with a kept one of the same size and type, mapped or unmapped likewise. False: there is none.
bool kept_memory_take(struct gpu *gpu, struct memory_piece *piece);
// Keeps the piece. False: enough is kept already, and the caller still owns the piece.
bool kept_memory_give(struct gpu *gpu, const struct memory_piece *piece);
void kept_memory_release(struct gpu *gpu); // returns all of it to the driver

// ---- the open device ----

struct first_use; // machine code ahead of its use (first_use.c)

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
    // Work timed out or the device is lost. Objects still in use by such work are never destroyed, because that could
    // wait forever. The process is expected to end.
    atomic_bool abandoned; // several threads build shaders
    struct validation validation;
    bool debug_utils;
    PFN_vkSetDebugUtilsObjectNameEXT set_name;
    PFN_vkCmdInsertDebugUtilsLabelEXT insert_label;
    VkPipelineCache pipeline_cache;
    char *pipeline_cache_file;    // NULL: none
    uint64_t pipeline_cache_hash; // of the file's contents
    uint64_t memory_used, memory_peak;
    bool feedback; // the driver reports hits of the pipeline cache
    _Atomic uint64_t cache_hits, cache_misses;
    uint64_t heap_used[VK_MAX_MEMORY_HEAPS]; // includes kept memory
    struct kept_memory kept;
    bool disassembles;
    bool may_prebuild;           // it has several threads, and the driver's caches are on
    struct first_use *first_use; // NULL: nothing was compiled ahead, and the next two are not called
    // Compiles the machine code of a program that was created between gpu_prebuild_begin and gpu_prebuild_end. Failures
    // show at the program's first use.
    void (*first_use_compile)(struct gpu *gpu, const struct program_desc *desc, const struct program *program);
    void (*first_use_close)(struct gpu *gpu);
};

struct buffer_handle {
    VkBuffer buffer;
    struct memory_piece piece;
    uint64_t needed; // bytes of the piece used by the buffer
    bool coherent, staging, recycled;
};

// Returns the memory type for a buffer of this kind, among the types set in `allowed`; UINT32_MAX: there is none.
uint32_t buffer_memory_type(const struct gpu *gpu, enum buffer_kind kind, uint32_t allowed);

struct program {
    VkDescriptorSetLayout set_layouts[PROGRAM_SETS];
    VkPipelineLayout layout;
    VkPipeline pipeline;
    int bindings, sets; // sets: counted up to the last one with a binding
    struct slot slots[PROGRAM_BINDINGS];
    uint32_t push_bytes;
    char *label;
    struct program_statistic statistics[PROGRAM_STATISTICS];
    int statistic_count;
};

// Fills in the statistics, if the device was opened with the feature (statistics.c).
void statistics_read(struct gpu *gpu, struct program *program);

// ---- pipeline cache (pipeline.c) ----
bool pipeline_cache_open(struct gpu *gpu, const char *folder, struct error *err);
void pipeline_cache_close(struct gpu *gpu); // writes it if its contents changed

// ---- descriptor sets (work.c) ----

// Descriptor pools: a full one is followed by another, and all are emptied at once.
struct descriptors {
    VkDescriptorPool *pools;
    size_t count, used; // count: pools; used: sets in them
};

// ---- work (work.c records, submit.c runs) ----
struct tick {
    uint64_t ticks, available; // in the order of vkGetQueryPoolResults
};
struct work {
    VkQueue queue;
    uint32_t family;
    VkPipelineStageFlags stages; // pipeline stages of its commands
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkQueryPool queries; // VK_NULL_HANDLE without timestamps
    int timestamps;
    struct tick *ticks; // of the last run, one per timestamp
    struct descriptors descriptors;
    // The last dispatch; an equal one reuses its descriptor sets.
    const struct program *program;
    VkDescriptorBufferInfo bound[PROGRAM_BINDINGS];
    VkDescriptorSet sets[PROGRAM_SETS];
};

#endif
