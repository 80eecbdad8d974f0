// SPDX-License-Identifier: Apache-2.0
// The layer's knowledge of a device's objects. A single lock guards everything here. Long calls of the next layer are
// made without it.
#ifndef VKASSAY_CAPTURE_STATE_H
#define VKASSAY_CAPTURE_STATE_H

#include "../../base/hash.h"
#include "calls.h"
#include "map.h"

#include <pthread.h>
#include <stdatomic.h>

// Why a dispatch is not recorded.
enum not_recorded {
    RECORDED,
    NO_IMAGES,
    NO_TEXEL_BUFFERS,
    NO_INLINE_BLOCKS,
    NO_OTHER_DESCRIPTORS,
    NO_MANY_DESCRIPTORS,
    NO_LATE_DESCRIPTORS,
    NO_DESCRIPTOR_BUFFERS,
    NO_ABSENT_DESCRIPTOR,
    NO_SPARSE_BUFFERS,
    NO_TRANSFER,
    NO_ADDRESSES,
    NO_RAY_QUERIES,
    NO_SHADER_OBJECTS,
    NO_MODULE,
    NO_SELECTION,
    NO_STAGING,
    NO_COPY,
    NO_BYTES,
    NO_FILE,
    NO_FENCE,
    NO_MEMORY,
    NOT_RECORDED_COUNT
};

// An interface variable of a module.
struct vk_variable {
    uint32_t set, binding;
};

struct vk_module {
    int refs;
    struct content_hash hash;
    uint32_t *code;
    size_t bytes;
    struct vk_variable *variables; // by set and binding, each once
    size_t variable_count;
    enum not_recorded reason; // of all its dispatches, or RECORDED
};

struct vk_set_layout {
    int refs;
    struct vk_slot {
        uint32_t binding, count;
        VkDescriptorType type;
        VkDescriptorBindingFlags flags;
        uint32_t first, dynamic; // of its descriptors in the set, and among the dynamic ones
    } * slots;                   // by binding
    uint32_t slot_count, total, dynamic_total;
};

enum { CAPTURE_SETS = 32, CAPTURE_PUSH_BYTES = 4096 };

struct vk_layout {
    int refs;
    struct vk_set_layout *sets[CAPTURE_SETS]; // NULL: none
    uint32_t push_bytes;                      // of the compute stage
};

struct vk_pipeline {
    int refs;
    struct vk_module *module; // NULL: not known
    char *entry, *name;       // name NULL: none
    uint32_t subgroup_size;   // required; 0: none
    bool full_subgroups;
    uint32_t push_bytes, constant_count;
    VkSpecializationMapEntry *constants;
    unsigned char *constant_data;
    struct content_hash content; // of all but the name
    int number;                  // of its line; -1: none yet
};

struct vk_buffer {
    VkDeviceSize bytes, offset; // offset: in its memory
    uint64_t memory;            // 0: not bound
    bool sparse, can_copy;
};

// Members of a pool: the handles of sets, or of command buffers.
struct vk_pool {
    uint64_t *members;
    size_t count, room;
    uint32_t family; // of a pool of commands
};

// The first member of what a pool has: the pool's handle, and its place there.
struct pooled {
    uint64_t pool;
    size_t place;
};

struct vk_set {
    struct pooled pooled; // the first member
    struct vk_set_layout *layout;
    struct vk_descriptor {
        VkBuffer buffer;
        VkDeviceSize offset, range;
    } * descriptors; // NULL: too many
    uint32_t count;
};

struct vk_device {
    _Atomic(void *) key; // of the loader; NULL: destroyed
    struct vk_device *next;
    VkDevice handle;
    int number;
    PFN_vkGetDeviceProcAddr get;
    struct vk_calls call;
    VkPhysicalDeviceMemoryProperties memory;
    double timestamp_ns;
    uint32_t timestamp_bits[32]; // by queue family
    struct map modules, pipelines, set_layouts, layouts, buffers, memories, sets, set_pools, templates, command_pools,
        commands;
    struct stage_chunk *spare; // staging.h
    uint64_t spare_bytes;
    // Submissions in flight (submit.c), the oldest first.
    struct vk_submission *pending, **pending_end;
    VkFence fences[64]; // not in use
    int fence_count;
    pthread_t thread;
    pthread_cond_t changed;
    bool has_thread, stopping;
    bool reading; // the thread writes files: it waits for nothing
};

void state_lock(void);
void state_unlock(void);
void state_wait(pthread_cond_t *changed); // releases the lock meanwhile

// Finds the device of a dispatchable handle: the device, a queue or a command buffer. NULL: unknown.
struct vk_device *device_of(const void *handle);
struct vk_device *device_new(void *key); // NULL: memory is out
void devices_each(void (*each)(struct vk_device *device, void *user), void *user);

static inline uint64_t key_of(const void *handle) {
    return (uint64_t)(uintptr_t)handle;
}

// Put an object in a map by its handle, instead of an earlier one, or remove it. Both take the lock. `release` accepts
// NULL. An object without memory for the map is released.
void state_put(struct map *map, const void *handle, void *object, void (*release)(void *object));
void state_drop(struct map *map, const void *handle, void (*release)(void *object));

// Finds a structure in a chain; NULL: none.
const void *in_chain(const void *chain, VkStructureType type);

// Finds or makes the pool of this handle. NULL: memory is out.
struct vk_pool *pool_of(struct map *pools, uint64_t handle);

// The pools of a kind and their members, by handle. `release` accepts NULL.
struct pooling {
    struct map *pools, *members;
    void (*release)(void *member);
};
// Puts a member instead of an earlier one with its handle. Without memory for it, it is released.
void pool_put(struct pooling of, uint64_t pool, uint64_t handle, struct pooled *member);
void pool_drop(struct pooling of, uint64_t handle);  // releases a member
void pool_empty(struct pooling of, uint64_t pool);   // releases all members
void pool_destroy(struct pooling of, uint64_t pool); // and the pool
void pool_release(void *pool);                       // NULL: nothing to do

#endif
