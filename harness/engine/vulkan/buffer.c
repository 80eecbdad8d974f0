// SPDX-License-Identifier: Apache-2.0
// Buffers. Each has its own allocation, so that guards at a buffer's end border on no other data of ours.
#include "internal.h"

#include "../../base/memory.h"

#include <stdlib.h>

#define NONE UINT32_MAX

// The memory properties for each kind of buffer, in order of preference. The first memory type with all of `must` and
// none of `avoid` is taken.
#define VISIBLE VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT
#define COHERENT VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
#define CACHED VK_MEMORY_PROPERTY_HOST_CACHED_BIT
#define LOCAL VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
enum { WISHES = 4 };
static const struct wish {
    VkMemoryPropertyFlags must, avoid;
} wishes[][WISHES] = {
    // Leaves the small host-visible window of device memory to buffers that need it.
    [BUFFER_DEVICE] = {{LOCAL, VISIBLE}, {LOCAL, 0}, {0, 0}},
    [BUFFER_UNIFORM] = {{LOCAL, VISIBLE}, {LOCAL, 0}, {0, 0}},
    // Written in order and read by a copy: memory of the host, not memory behind the bus.
    [BUFFER_UPLOAD] = {{VISIBLE | COHERENT, LOCAL | CACHED}, {VISIBLE | COHERENT, LOCAL}, {VISIBLE | COHERENT, 0},
        {VISIBLE, 0}},
    // Reading uncached memory is many times slower than the copy that filled it.
    [BUFFER_READBACK] = {{VISIBLE | CACHED | COHERENT, LOCAL}, {VISIBLE | CACHED, LOCAL}, {VISIBLE | CACHED, 0},
        {VISIBLE, 0}},
    [BUFFER_MAPPED] = {{LOCAL | VISIBLE | COHERENT, CACHED}, {LOCAL | VISIBLE | COHERENT, 0}, {LOCAL | VISIBLE, 0},
        {LOCAL | VISIBLE, 0}},
};

// Types that no buffer should get: lazily allocated memory, protected memory, and AMD's uncached types for debugging.
static const VkMemoryPropertyFlags unwanted =
    VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT | VK_MEMORY_PROPERTY_PROTECTED_BIT |
    VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD | VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD;

uint32_t buffer_memory_type(const struct gpu *gpu, enum buffer_kind kind, uint32_t allowed) {
    for (int wish = 0; wish < WISHES; wish++) {
        VkMemoryPropertyFlags must = wishes[kind][wish].must, avoid = wishes[kind][wish].avoid | unwanted;
        for (uint32_t i = 0; i < gpu->memory.memoryTypeCount; i++) {
            VkMemoryPropertyFlags flags = gpu->memory.memoryTypes[i].propertyFlags;
            if (allowed & 1u << i && (flags & must) == must && !(flags & avoid)) return i;
        }
    }
    return NONE;
}

// Returns the bytes available for a further allocation in the heap: the rest of the driver's budget, or else the
// heap's size minus our allocations.
static uint64_t available(const struct gpu *gpu, uint32_t heap) {
    uint64_t size = gpu->memory.memoryHeaps[heap].size, used = gpu->heap_used[heap];
    if (gpu->memory_budget) {
        VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
        VkPhysicalDeviceMemoryProperties2 memory = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
        vkGetPhysicalDeviceMemoryProperties2(gpu->physical, &memory);
        if (budget.heapBudget[heap]) {
            size = budget.heapBudget[heap];
            used = budget.heapUsage[heap];
        }
    }
    uint64_t left = size > used ? size - used : 0;
    return left < gpu->info.largest_allocation ? left : gpu->info.largest_allocation;
}

static bool out_of_memory(const struct gpu *gpu, uint32_t heap, uint64_t requested, struct error *err) {
    uint64_t left = available(gpu, heap);
    error_of_kind(err, ERROR_OUT_OF_MEMORY,
        "out of device memory: a buffer of %llu bytes was requested, %llu are available", (unsigned long long)requested,
        (unsigned long long)left);
    err->requested = requested;
    err->available = left;
    return false;
}

static bool is_out_of_memory(VkResult result) {
    return result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY;
}

// Checks a call that makes a buffer or its memory, like vk_check. A driver's out of memory counts as such only if the
// request is larger than the available memory; any other is an error.
static bool check_made(
    struct gpu *gpu, VkResult result, const char *call, uint32_t heap, uint64_t requested, struct error *err) {
    uint64_t left = result == VK_SUCCESS ? 0 : available(gpu, heap);
    if (is_out_of_memory(result) && requested > left) return out_of_memory(gpu, heap, requested, err);
    if (vk_check(gpu, result, call, err)) return true;
    if (is_out_of_memory(result)) {
        err->requested = requested;
        err->available = left;
    }
    return error_prefix(err, "a buffer of %llu bytes, where %llu are available: ", (unsigned long long)requested,
        (unsigned long long)left);
}

static bool allocate(struct gpu *gpu, struct memory_piece *piece, struct error *err) {
    uint32_t heap = gpu->memory.memoryTypes[piece->type].heapIndex;
    if (piece->bytes > available(gpu, heap)) kept_memory_release(gpu);
    if (piece->bytes > available(gpu, heap)) return out_of_memory(gpu, heap, piece->bytes, err);
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = piece->bytes,
        .memoryTypeIndex = piece->type,
    };
    VkResult result = vkAllocateMemory(gpu->device, &info, NULL, &piece->memory);
    if (is_out_of_memory(result) && gpu->kept.count) {
        kept_memory_release(gpu);
        result = vkAllocateMemory(gpu->device, &info, NULL, &piece->memory);
    }
    if (!check_made(gpu, result, "vkAllocateMemory", heap, piece->bytes, err)) return false;
    gpu->heap_used[heap] += piece->bytes;
    if (!piece->mapped) return true;
    result = vkMapMemory(gpu->device, piece->memory, 0, VK_WHOLE_SIZE, 0, &piece->host);
    if (vk_check(gpu, result, "vkMapMemory", err)) return true;
    memory_piece_free(gpu, piece);
    piece->memory = VK_NULL_HANDLE;
    return false;
}

static bool bind(struct gpu *gpu, struct buffer_handle *handle, enum buffer_kind kind, struct error *err) {
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(gpu->device, handle->buffer, &needs);
    uint32_t type = buffer_memory_type(gpu, kind, needs.memoryTypeBits);
    if (type == NONE) return error_of_kind(err, ERROR_SKIP, "the device has no memory fit for this kind of buffer");
    const uint64_t kept = handle->recycled ? kept_memory_bytes(needs.size) : 0;
    struct memory_piece *piece = &handle->piece;
    *piece = (struct memory_piece){
        .type = type, .bytes = kept ? kept : needs.size, .mapped = kind != BUFFER_DEVICE && kind != BUFFER_UNIFORM};
    handle->recycled = kept > 0;
    if (!(kept && kept_memory_take(gpu, piece)) && !allocate(gpu, piece, err)) return false;
    handle->needed = needs.size;
    handle->coherent = gpu->memory.memoryTypes[type].propertyFlags & COHERENT;
    handle->staging = kind == BUFFER_UPLOAD || kind == BUFFER_READBACK;
    if (!handle->staging) gpu->memory_used += needs.size;
    if (gpu->memory_used > gpu->memory_peak) gpu->memory_peak = gpu->memory_used;
    return vk_check(gpu, vkBindBufferMemory(gpu->device, handle->buffer, piece->memory, 0), "vkBindBufferMemory", err);
}

static bool make_buffer(
    struct gpu *gpu, struct buffer_handle *handle, enum buffer_kind kind, uint64_t bytes, struct error *err) {
    const VkMemoryHeap *heaps = gpu->memory.memoryHeaps;
    uint32_t heap = 0; // the largest
    if (bytes == 0) return error_set(err, STATUS_FAULT, "a buffer of zero bytes was requested");
    for (uint32_t i = 1; i < gpu->memory.memoryHeapCount; i++)
        if (heaps[i].size > heaps[heap].size) heap = i;
    // In some drivers a larger request is undefined behaviour.
    if (bytes > heaps[heap].size || bytes > gpu->info.largest_allocation) return out_of_memory(gpu, heap, bytes, err);
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = bytes,
        .usage = kind == BUFFER_UNIFORM ? VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT
                                        : VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    VkResult result = vkCreateBuffer(gpu->device, &info, NULL, &handle->buffer);
    return check_made(gpu, result, "vkCreateBuffer", heap, bytes, err);
}

static bool create(
    struct gpu *gpu, enum buffer_kind kind, uint64_t bytes, bool recycled, struct buffer *out, struct error *err) {
    *out = (struct buffer){.bytes = bytes, .handle = memory_alloc(1, sizeof *out->handle)};
    out->handle->recycled = recycled;
    bool ok = make_buffer(gpu, out->handle, kind, bytes, err) && bind(gpu, out->handle, kind, err);
    out->host = out->handle->piece.host;
    if (!ok) buffer_destroy(gpu, out);
    return ok;
}

bool buffer_create(struct gpu *gpu, enum buffer_kind kind, uint64_t bytes, struct buffer *out, struct error *err) {
    return create(gpu, kind, bytes, false, out, err);
}

bool buffer_recycle(struct gpu *gpu, enum buffer_kind kind, uint64_t bytes, struct buffer *out, struct error *err) {
    return create(gpu, kind, bytes, true, out, err);
}

void buffer_destroy(struct gpu *gpu, struct buffer *buffer) {
    struct buffer_handle *handle = buffer->handle;
    if (handle && !gpu->abandoned) {
        vkDestroyBuffer(gpu->device, handle->buffer, NULL);
        if (!handle->staging) gpu->memory_used -= handle->needed;
        bool kept = handle->recycled && handle->piece.memory && kept_memory_give(gpu, &handle->piece);
        if (handle->piece.memory && !kept) memory_piece_free(gpu, &handle->piece);
    }
    free(handle);
    *buffer = (struct buffer){0};
}

static VkMappedMemoryRange whole(const struct buffer *buffer) {
    return (VkMappedMemoryRange){
        .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
        .memory = buffer->handle->piece.memory,
        .size = VK_WHOLE_SIZE,
    };
}

bool buffer_flush(struct gpu *gpu, const struct buffer *buffer, struct error *err) {
    if (!buffer->host || buffer->handle->coherent) return true;
    VkMappedMemoryRange range = whole(buffer);
    return vk_check(gpu, vkFlushMappedMemoryRanges(gpu->device, 1, &range), "vkFlushMappedMemoryRanges", err);
}

bool buffer_invalidate(struct gpu *gpu, const struct buffer *buffer, struct error *err) {
    if (!buffer->host || buffer->handle->coherent) return true;
    VkMappedMemoryRange range = whole(buffer);
    return vk_check(gpu, vkInvalidateMappedMemoryRanges(gpu->device, 1, &range), "vkInvalidateMappedMemoryRanges", err);
}
