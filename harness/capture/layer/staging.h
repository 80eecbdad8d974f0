// SPDX-License-Identifier: Apache-2.0
// Host memory for copies of operands. All functions expect the lock.
#ifndef VKASSAY_CAPTURE_STAGING_H
#define VKASSAY_CAPTURE_STAGING_H

#include "state.h"

// A mapped buffer, in the list of its owner.
struct stage_chunk {
    struct stage_chunk *next;
    VkBuffer buffer;
    VkDeviceMemory memory;
    unsigned char *bytes;
    VkDeviceSize size, used;
    bool coherent;
};

// Where a copy is; chunk NULL: there is none.
struct stage_place {
    struct stage_chunk *chunk;
    VkDeviceSize offset;
};

// Reserves bytes in the first chunk of the list, or in a new first one. False: memory or its limit is out.
bool staging_take(struct vk_device *device, struct stage_chunk **list, VkDeviceSize bytes, struct stage_place *place);

bool staging_is_short(void); // half of the limit is in use

// Makes writes of the device visible. Their submission must have ended.
void staging_fetch(struct vk_device *device, struct stage_chunk *list);

void staging_release(struct vk_device *device, struct stage_chunk *list); // no submission may use it
void staging_clear(struct vk_device *device);                             // destroys spare chunks

#endif
