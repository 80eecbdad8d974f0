// SPDX-License-Identifier: Apache-2.0
// Opens and closes a device.
#include "internal.h"

#include "../../base/cores.h"
#include "../../base/memory.h"
#include "../../device/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_QUEUES = 3 };

// Finds the same device again by its UUID, and by its index if several have that UUID (one GPU under two drivers of one
// kind).
static bool find_device(struct gpu *gpu, const struct device_info *wanted, struct error *err) {
    struct arena arena = {0};
    struct physical *list = NULL;
    size_t count = 0;
    bool ok = physical_list(&arena, gpu->instance, &list, &count, err);
    const struct physical *found = NULL;
    for (size_t i = 0; ok && i < count; i++) {
        if (strcmp(list[i].info.device_uuid, wanted->device_uuid) != 0) continue;
        if (!found || list[i].info.index == wanted->index) found = &list[i];
    }
    if (found) {
        gpu->physical = found->handle;
        gpu->info = found->info;
        device_hold(&gpu->info, &wanted->profile);
        gpu->info.graphics_queue = wanted->graphics_queue;
    } else if (ok) {
        ok = error_set(
            err, STATUS_NO_DEVICE, "device \"%s\" (UUID %s) is no longer there", wanted->name, wanted->device_uuid);
    }
    arena_free(&arena);
    return ok;
}

// Finds a queue family with some flag of `has` and none of `lacks`, other than the one that computes.
static bool find_family(const struct gpu *gpu, VkQueueFlags has, VkQueueFlags lacks, uint32_t *family) {
    VkQueueFamilyProperties families[MOST_FAMILIES];
    uint32_t count = MOST_FAMILIES;
    vkGetPhysicalDeviceQueueFamilyProperties(gpu->physical, &count, families);
    for (*family = 0; *family < count; ++*family) {
        const VkQueueFlags flags = families[*family].queueFlags;
        if (*family != gpu->info.queue_family && flags & has && !(flags & lacks) && families[*family].queueCount)
            return true;
    }
    return false;
}

// Chooses the families to open a queue of: the one that computes, one for graphics if it is asked for, and one that
// only copies.
static bool choose_families(
    struct gpu *gpu, bool *transfer, uint32_t chosen[MOST_QUEUES], uint32_t *count, struct error *err) {
    *count = 0;
    chosen[(*count)++] = gpu->info.queue_family;
    if (gpu->info.graphics_queue) {
        if (!find_family(gpu, VK_QUEUE_GRAPHICS_BIT, 0, &chosen[*count]))
            return error_set(err, STATUS_NO_DEVICE,
                "device \"%s\" has no queue family for graphics: leave out --with-graphics", gpu->info.name);
        ++*count;
    }
    *transfer = *transfer && find_family(gpu, VK_QUEUE_TRANSFER_BIT, VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT,
                                 &gpu->transfer_family);
    if (*transfer) chosen[(*count)++] = gpu->transfer_family;
    return true;
}

static bool create_device(struct gpu *gpu, bool transfer, struct error *err) {
    struct extensions extensions;
    struct feature_chain features;
    const char *names[FEATURE_EXTENSIONS];
    uint32_t chosen[MOST_QUEUES], queue_count;
    if (!choose_families(gpu, &transfer, chosen, &queue_count, err)) return false;
    if (!extensions_read(gpu->physical, &extensions, err)) return false;
    features_read(gpu->physical, &extensions, &features);
    uint32_t count = features_extensions(&extensions, names);
    gpu->feedback = extensions_offer(&extensions, VK_EXT_PIPELINE_CREATION_FEEDBACK_EXTENSION_NAME, VK_API_VERSION_1_3);
    gpu->memory_budget = extensions_named(&extensions, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    const float priority = 1;
    VkDeviceQueueCreateInfo queues[MOST_QUEUES];
    for (uint32_t i = 0; i < queue_count; i++)
        queues[i] = (VkDeviceQueueCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
            .queueFamilyIndex = chosen[i],
            .queueCount = 1,
            .pQueuePriorities = &priority};
    VkResult result = vkCreateDevice(gpu->physical,
        &(VkDeviceCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
            .pNext = &features.core,
            .queueCreateInfoCount = queue_count,
            .pQueueCreateInfos = queues,
            .enabledExtensionCount = count,
            .ppEnabledExtensionNames = names,
        },
        NULL, &gpu->device);
    extensions_free(&extensions); // the names point at constants, not into the list
    if (!vk_check(gpu, result, "vkCreateDevice", err)) return false;
    vkGetDeviceQueue(gpu->device, gpu->info.queue_family, 0, &gpu->queue);
    if (transfer) vkGetDeviceQueue(gpu->device, gpu->transfer_family, 0, &gpu->transfer);
    return true;
}

static void find_debug_utils(struct gpu *gpu) {
    if (!gpu->debug_utils) return;
    gpu->set_name =
        (PFN_vkSetDebugUtilsObjectNameEXT)vkGetInstanceProcAddr(gpu->instance, "vkSetDebugUtilsObjectNameEXT");
    gpu->insert_label =
        (PFN_vkCmdInsertDebugUtilsLabelEXT)vkGetInstanceProcAddr(gpu->instance, "vkCmdInsertDebugUtilsLabelEXT");
}

// Limits the threads of Mesa's llvmpipe, and disables other on-disk caches of compiled shaders, of Mesa and NVIDIA. The
// environment is the only way to do so. The least is two threads: with one, workgroups run one after the other, and a
// race between them does not show.
static void set_environment(const struct gpu_options *options) {
    char threads[16];
    snprintf(threads, sizeof threads, "%d", options->threads > 2 ? options->threads : 2);
    if (options->threads > 0) setenv("LP_NUM_THREADS", threads, 0);
    if (!options->anew) return;
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    setenv("__GL_SHADER_DISK_CACHE", "0", 1);
}

struct gpu *gpu_open(const struct device_info *info, const struct gpu_options *options, struct error *err) {
    struct gpu *gpu = memory_alloc(1, sizeof *gpu);
    set_environment(options);
    gpu->disassembles = options->disassembles;
    gpu->may_prebuild = !options->anew && !options->validate && options->threads != 1 && cores_usable() > 1;
    gpu->validation.enabled = options->validate;
    gpu->validation.gpu_assisted = options->gpu_assisted;
    bool ok = instance_create(&gpu->validation, &gpu->debug_utils, &gpu->instance, err);
    if (ok && !gpu->instance)
        ok = error_set(err, STATUS_NO_DEVICE, "device \"%s\": no Vulkan driver opens it", info->name);
    ok = ok && validation_start(&gpu->validation, gpu->instance, err) && find_device(gpu, info, err) &&
         create_device(gpu, options->transfer, err);
    if (ok) {
        vkGetPhysicalDeviceMemoryProperties(gpu->physical, &gpu->memory);
        find_debug_utils(gpu);
        ok = pipeline_cache_open(gpu, options->anew ? NULL : options->cache_folder, err);
    }
    if (ok) return gpu;
    gpu_close(gpu);
    return NULL;
}

void gpu_close(struct gpu *gpu) {
    if (!gpu) return;
    if (gpu->first_use) gpu->first_use_close(gpu);
    pipeline_cache_close(gpu);
    if (!gpu->abandoned) {
        kept_memory_release(gpu);
        if (gpu->device) vkDestroyDevice(gpu->device, NULL);
        if (gpu->instance) {
            validation_stop(&gpu->validation, gpu->instance);
            vkDestroyInstance(gpu->instance, NULL);
        }
        free(gpu);
    } else if (!gpu->validation.enabled) {
        free(gpu); // with the layer, its messenger may still be called and count in *gpu
    }
}

const struct device_info *gpu_info(const struct gpu *gpu) {
    return &gpu->info;
}

unsigned gpu_validation_messages(const struct gpu *gpu) {
    return gpu->validation.messages;
}

const char *gpu_validation_text(struct gpu *gpu) {
    struct validation *validation = &gpu->validation;
    if (validation->messages == validation->reported) return "";
    validation->reported = validation->messages;
    return validation->first;
}

uint64_t gpu_memory_used(const struct gpu *gpu) {
    return gpu->memory_used;
}

uint64_t gpu_memory_peak(const struct gpu *gpu) {
    return gpu->memory_peak;
}

void gpu_memory_begin(struct gpu *gpu) {
    gpu->memory_peak = gpu->memory_used;
}

void gpu_cache_counts(const struct gpu *gpu, uint64_t *hits, uint64_t *misses) {
    *hits = gpu->cache_hits;
    *misses = gpu->cache_misses;
}
