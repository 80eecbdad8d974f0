// SPDX-License-Identifier: Apache-2.0
// The driver's pipeline cache, one file for each device and driver. Drivers check what they are
// given poorly, so it goes in only when the header around it proves it whole and made for this very
// cache UUID.
#include "internal.h"

#include "../base/hash.h"
#include "../base/memory.h"
#include "cache_file.h"

#include <stdio.h>
#include <stdlib.h>

_Static_assert((int)CACHE_KEY_BYTES == (int)VK_UUID_SIZE, "the key is a pipeline cache UUID");

static VkPhysicalDeviceProperties properties_of(const struct gpu *gpu) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(gpu->physical, &properties);
    return properties;
}

bool pipeline_cache_open(struct gpu *gpu, const char *folder, struct error *err) {
    struct arena arena = {0};
    void *content = NULL;
    size_t length = 0;
    if (folder) {
        struct text name = {0};
        text_format(&name, "%s/pipelines-%s-%s.cache", folder, gpu->info.device_uuid, gpu->info.driver_uuid);
        gpu->pipeline_cache_file = name.data;
        content = cache_file_read(&arena, gpu->pipeline_cache_file, properties_of(gpu).pipelineCacheUUID, &length);
        gpu->pipeline_cache_hash = hash_bytes(HASH_START, content, content ? length : 0);
    }
    VkResult result = vkCreatePipelineCache(gpu->device,
        &(VkPipelineCacheCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
            .initialDataSize = content ? length : 0,
            .pInitialData = content,
        },
        NULL, &gpu->pipeline_cache);
    arena_free(&arena);
    return vk_check(gpu, result, "vkCreatePipelineCache", err);
}

static void write_file(struct gpu *gpu) {
    size_t length = 0;
    if (vkGetPipelineCacheData(gpu->device, gpu->pipeline_cache, &length, NULL) != VK_SUCCESS || length == 0) return;
    void *content = memory_alloc(length, 1);
    if (vkGetPipelineCacheData(gpu->device, gpu->pipeline_cache, &length, content) == VK_SUCCESS) {
        uint64_t hash = hash_bytes(HASH_START, content, length);
        if (hash != gpu->pipeline_cache_hash)
            cache_file_write(gpu->pipeline_cache_file, properties_of(gpu).pipelineCacheUUID, content, length);
        gpu->pipeline_cache_hash = hash;
    }
    free(content);
}

void gpu_cache_write(struct gpu *gpu) {
    if (gpu->pipeline_cache && !gpu->abandoned && gpu->pipeline_cache_file) write_file(gpu);
}

void pipeline_cache_close(struct gpu *gpu) {
    gpu_cache_write(gpu);
    if (gpu->pipeline_cache && !gpu->abandoned) vkDestroyPipelineCache(gpu->device, gpu->pipeline_cache, NULL);
    gpu->pipeline_cache = VK_NULL_HANDLE;
    free(gpu->pipeline_cache_file);
    gpu->pipeline_cache_file = NULL;
}
