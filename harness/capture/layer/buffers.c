// SPDX-License-Identifier: Apache-2.0
#include "buffers.h"

#include <stdlib.h>

// A copy of the description of a buffer, with the usage of transfers.
struct copied_info {
    VkBufferCreateInfo info;
    capture_usage_flags_2 flags;
    bool can_copy;
};

// Flags of 64 bits in the chain replace the others. They can be changed if they are the first of the chain: the parts
// before them belong to the program.
static void add_usage(const VkBufferCreateInfo *info, struct copied_info *out) {
    const capture_usage_flags_2 *flags = in_chain(info->pNext, CAPTURE_USAGE_FLAGS_2);
    out->info = *info;
    out->can_copy = !flags || flags == info->pNext || flags->usage & VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    if (info->flags & VK_BUFFER_CREATE_PROTECTED_BIT) {
        out->can_copy = false;
    } else if (flags && flags == info->pNext) {
        out->flags = *flags;
        out->flags.usage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
        out->info.pNext = &out->flags;
    }
    if (out->can_copy && !flags) out->info.usage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
}

VKAPI_ATTR VkResult VKAPI_CALL capture_CreateBuffer(
    VkDevice handle, const VkBufferCreateInfo *info, const VkAllocationCallbacks *a, VkBuffer *out) {
    struct vk_device *device = device_of(handle);
    struct copied_info copy;
    add_usage(info, &copy);
    VkResult result = device->call.CreateBuffer(handle, &copy.info, a, out);
    if (result != VK_SUCCESS) {
        result = device->call.CreateBuffer(handle, info, a, out);
        copy.can_copy = info->usage & VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    }
    if (result != VK_SUCCESS) return result;
    struct vk_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer) return result;
    *buffer = (struct vk_buffer){
        .bytes = info->size, .sparse = info->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT, .can_copy = copy.can_copy};
    state_put(&device->buffers, *out, buffer, free);
    return result;
}

VKAPI_ATTR void VKAPI_CALL capture_DestroyBuffer(VkDevice handle, VkBuffer buffer, const VkAllocationCallbacks *a) {
    struct vk_device *device = device_of(handle);
    state_drop(&device->buffers, buffer, free);
    device->call.DestroyBuffer(handle, buffer, a);
}

VKAPI_ATTR void VKAPI_CALL capture_GetDeviceBufferMemoryRequirements(
    VkDevice handle, const VkDeviceBufferMemoryRequirements *info, VkMemoryRequirements2 *out) {
    struct vk_device *device = device_of(handle);
    VkDeviceBufferMemoryRequirements with_usage = *info;
    struct copied_info copy;
    add_usage(info->pCreateInfo, &copy);
    with_usage.pCreateInfo = &copy.info;
    device->call.GetDeviceBufferMemoryRequirements(handle, &with_usage, out);
}

// Numbers the memories: a later one may have the same handle. The value is the number itself.
static void bind(struct vk_device *device, VkBuffer handle, VkDeviceMemory memory, VkDeviceSize offset) {
    static uint64_t last;
    struct vk_buffer *buffer = map_get(&device->buffers, key_of(handle));
    uint64_t number = key_of(map_get(&device->memories, key_of(memory)));
    if (!buffer) return;
    if (!number && map_put(&device->memories, key_of(memory), (void *)(uintptr_t)(last + 1))) number = ++last;
    buffer->memory = number;
    buffer->offset = offset;
}

VKAPI_ATTR VkResult VKAPI_CALL capture_BindBufferMemory(
    VkDevice handle, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset) {
    struct vk_device *device = device_of(handle);
    const VkResult result = device->call.BindBufferMemory(handle, buffer, memory, offset);
    state_lock();
    if (result == VK_SUCCESS) bind(device, buffer, memory, offset);
    state_unlock();
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL capture_BindBufferMemory2(
    VkDevice handle, uint32_t count, const VkBindBufferMemoryInfo *infos) {
    struct vk_device *device = device_of(handle);
    const VkResult result = device->call.BindBufferMemory2(handle, count, infos);
    state_lock();
    for (uint32_t i = 0; result == VK_SUCCESS && i < count; i++)
        bind(device, infos[i].buffer, infos[i].memory, infos[i].memoryOffset);
    state_unlock();
    return result;
}

VKAPI_ATTR void VKAPI_CALL capture_FreeMemory(VkDevice handle, VkDeviceMemory memory, const VkAllocationCallbacks *a) {
    struct vk_device *device = device_of(handle);
    state_lock();
    map_take(&device->memories, key_of(memory));
    state_unlock();
    device->call.FreeMemory(handle, memory, a);
}

void buffers_clear(struct vk_device *device) {
    map_clear(&device->buffers, free);
    map_clear(&device->memories, NULL);
}
