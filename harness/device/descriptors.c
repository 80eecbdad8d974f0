// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include "../base/memory.h"

#include <stdlib.h>

enum { SETS_A_POOL = 64 };

static bool add_pool(struct gpu *gpu, struct descriptors *descriptors, struct error *err) {
    descriptors->pools = memory_resize(descriptors->pools, descriptors->count + 1, sizeof(VkDescriptorPool));
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, SETS_A_POOL * PROGRAM_BINDINGS},
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, SETS_A_POOL},
    };
    VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = SETS_A_POOL,
        .poolSizeCount = sizeof sizes / sizeof *sizes,
        .pPoolSizes = sizes,
    };
    VkResult result = vkCreateDescriptorPool(gpu->device, &info, NULL, &descriptors->pools[descriptors->count]);
    if (!vk_check(gpu, result, "vkCreateDescriptorPool", err)) return false;
    descriptors->count++;
    return true;
}

// Sets are counted here, since drivers differ in what they say of a full pool, and some hand out
// more.
bool descriptors_allocate(struct gpu *gpu, struct descriptors *descriptors, VkDescriptorSetLayout layout,
    VkDescriptorSet *out, struct error *err) {
    size_t pool = descriptors->used / SETS_A_POOL;
    if (pool == descriptors->count && !add_pool(gpu, descriptors, err)) return false;
    VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = descriptors->pools[pool],
        .descriptorSetCount = 1,
        .pSetLayouts = &layout,
    };
    if (!vk_check(gpu, vkAllocateDescriptorSets(gpu->device, &info, out), "vkAllocateDescriptorSets", err))
        return false;
    descriptors->used++;
    return true;
}

bool descriptors_reset(struct gpu *gpu, struct descriptors *descriptors, struct error *err) {
    for (size_t i = 0; i < descriptors->count; i++) {
        VkResult result = vkResetDescriptorPool(gpu->device, descriptors->pools[i], 0);
        if (!vk_check(gpu, result, "vkResetDescriptorPool", err)) return false;
    }
    descriptors->used = 0;
    return true;
}

void descriptors_free(struct gpu *gpu, struct descriptors *descriptors) {
    for (size_t i = 0; i < descriptors->count && !gpu->abandoned; i++)
        vkDestroyDescriptorPool(gpu->device, descriptors->pools[i], NULL);
    free(descriptors->pools);
    *descriptors = (struct descriptors){0};
}
