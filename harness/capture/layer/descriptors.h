// SPDX-License-Identifier: Apache-2.0
// Layouts and sets of descriptors, and their updates. All functions expect the lock.
#ifndef VKASSAY_CAPTURE_DESCRIPTORS_H
#define VKASSAY_CAPTURE_DESCRIPTORS_H

#include "state.h"

bool descriptor_is_dynamic(VkDescriptorType type); // a buffer with an offset given when its set is bound

// Finds the slot of a binding; NULL: the layout has none.
const struct vk_slot *layout_slot(const struct vk_set_layout *layout, uint32_t binding);

// Makes a set for pushed descriptors. NULL: memory is out.
struct vk_set *pushed_set_make(struct vk_set_layout *layout);
void pushed_set_release(struct vk_set *set); // NULL: nothing to do

// Write buffers into a set; other types of descriptors are ignored.
void set_write(struct vk_set *set, const VkWriteDescriptorSet *write);
void set_write_template(
    struct vk_device *device, struct vk_set *set, VkDescriptorUpdateTemplate handle, const void *data);

void descriptors_clear(struct vk_device *device); // at its end

#endif
