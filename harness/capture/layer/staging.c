// SPDX-License-Identifier: Apache-2.0
#include "staging.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_CHUNK = 256 << 10, MOST_SPARE = 64 << 20, ALIGNMENT = 64 }; // bytes

static uint64_t staged; // bytes of all chunks in use

// A driver may give the memory to the program again. The copies are erased, because a program that reads memory before
// it writes it would otherwise compute with them.
static void destroy(struct vk_device *device, struct stage_chunk *chunk) {
    memset(chunk->bytes, 0, (size_t)chunk->size);
    device->call.DestroyBuffer(device->handle, chunk->buffer, NULL);
    device->call.FreeMemory(device->handle, chunk->memory, NULL);
    free(chunk);
}

// Returns the best type of memory for reading by the host among `bits`; UINT32_MAX: none.
static uint32_t memory_type(const struct vk_device *device, uint32_t bits) {
    uint32_t best = UINT32_MAX, best_score = 0;
    for (uint32_t i = 0; i < device->memory.memoryTypeCount; i++) {
        const VkMemoryPropertyFlags flags = device->memory.memoryTypes[i].propertyFlags;
        const uint32_t score = 1u + (flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT ? 4u : 0u) +
                               (flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT ? 2u : 0u) +
                               (flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT ? 0u : 1u);
        if (!(bits >> i & 1) || !(flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)) continue;
        if (score > best_score) {
            best = i;
            best_score = score;
        }
    }
    return best;
}

static bool make_memory(struct vk_device *device, struct stage_chunk *chunk) {
    VkMemoryRequirements needs;
    device->call.GetBufferMemoryRequirements(device->handle, chunk->buffer, &needs);
    const uint32_t type = memory_type(device, needs.memoryTypeBits);
    if (type == UINT32_MAX) return false;
    const VkMemoryAllocateInfo info = {
        VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
    void *bytes;
    if (device->call.AllocateMemory(device->handle, &info, NULL, &chunk->memory) != VK_SUCCESS) return false;
    if (device->call.BindBufferMemory(device->handle, chunk->buffer, chunk->memory, 0) != VK_SUCCESS ||
        device->call.MapMemory(device->handle, chunk->memory, 0, VK_WHOLE_SIZE, 0, &bytes) != VK_SUCCESS)
        return false;
    chunk->bytes = bytes;
    chunk->coherent = device->memory.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    return true;
}

static struct stage_chunk *make(struct vk_device *device, VkDeviceSize size) {
    const VkBufferCreateInfo info = {
        VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    struct stage_chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk) return NULL;
    chunk->size = size;
    if (device->call.CreateBuffer(device->handle, &info, NULL, &chunk->buffer) == VK_SUCCESS) {
        if (make_memory(device, chunk)) return chunk;
        device->call.DestroyBuffer(device->handle, chunk->buffer, NULL);
        if (chunk->memory) device->call.FreeMemory(device->handle, chunk->memory, NULL);
    }
    free(chunk);
    return NULL;
}

// Takes a spare chunk, not much too large.
static struct stage_chunk *take_spare(struct vk_device *device, VkDeviceSize size) {
    for (struct stage_chunk **at = &device->spare; *at; at = &(*at)->next) {
        struct stage_chunk *chunk = *at;
        if (chunk->size < size || chunk->size / 4 > size) continue;
        *at = chunk->next;
        device->spare_bytes -= chunk->size;
        return chunk;
    }
    return NULL;
}

bool staging_take(struct vk_device *device, struct stage_chunk **list, VkDeviceSize bytes, struct stage_place *place) {
    struct stage_chunk *chunk = *list;
    const VkDeviceSize most = capture_settings()->most_staging;
    if (!chunk || chunk->size - chunk->used < bytes) {
        const VkDeviceSize size = bytes > LEAST_CHUNK ? (bytes + 0xfffff) & ~(VkDeviceSize)0xfffff : LEAST_CHUNK;
        if (size < bytes || size > most || staged > most - size) return false;
        chunk = take_spare(device, size);
        if (!chunk) chunk = make(device, size);
        if (!chunk) return false;
        chunk->used = 0;
        chunk->next = *list;
        *list = chunk;
        staged += chunk->size;
    }
    *place = (struct stage_place){chunk, chunk->used};
    chunk->used += (bytes + ALIGNMENT - 1) & ~(VkDeviceSize)(ALIGNMENT - 1);
    if (chunk->used > chunk->size) chunk->used = chunk->size;
    return true;
}

bool staging_is_short(void) {
    return staged > capture_settings()->most_staging / 2;
}

void staging_fetch(struct vk_device *device, struct stage_chunk *list) {
    for (struct stage_chunk *chunk = list; chunk; chunk = chunk->next) {
        const VkMappedMemoryRange range = {
            VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, .memory = chunk->memory, .size = VK_WHOLE_SIZE};
        if (!chunk->coherent) device->call.InvalidateMappedMemoryRanges(device->handle, 1, &range);
    }
}

void staging_release(struct vk_device *device, struct stage_chunk *list) {
    while (list) {
        struct stage_chunk *chunk = list;
        list = chunk->next;
        staged -= chunk->size;
        if (device->spare_bytes + chunk->size > MOST_SPARE) {
            destroy(device, chunk);
            continue;
        }
        chunk->next = device->spare;
        device->spare = chunk;
        device->spare_bytes += chunk->size;
    }
}

void staging_clear(struct vk_device *device) {
    while (device->spare) {
        struct stage_chunk *chunk = device->spare;
        device->spare = chunk->next;
        destroy(device, chunk);
    }
}
