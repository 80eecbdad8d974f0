// SPDX-License-Identifier: Apache-2.0
// Command buffers and their bindings for compute. All functions expect the lock.
#ifndef VKASSAY_CAPTURE_COMMANDS_H
#define VKASSAY_CAPTURE_COMMANDS_H

#include "recording.h"
#include "state.h"

struct vk_commands {
    struct pooled pooled; // the first member
    struct vk_device *device;
    uint32_t family;
    struct recording *recording; // NULL: it is not begun
    struct vk_pipeline *pipeline;
    bool shader_object; // bound instead of a pipeline
    struct bound_set {
        VkDescriptorSet handle;
        struct vk_set *pushed; // instead of a handle
        bool in_buffer;        // its descriptors are in a buffer
        uint32_t *dynamic, dynamic_count;
    } sets[CAPTURE_SETS];
    unsigned char push[CAPTURE_PUSH_BYTES];
};

struct vk_commands *commands_of(struct vk_device *device, VkCommandBuffer handle); // NULL: unknown

// Returns the set at a number; NULL: none.
struct vk_set *bound_set(const struct vk_commands *commands, uint32_t number);

void commands_clear(struct vk_device *device); // at its end

#endif
