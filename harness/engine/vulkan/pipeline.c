// SPDX-License-Identifier: Apache-2.0
// Programs: a compute pipeline with its layouts.
#include "internal.h"
#include "../../base/clock.h"
#include "../../base/memory.h"
#include "../../base/hash.h"
#include "../../shader/compile/cache_file.h"

#include <stdlib.h>
#include <string.h>

// ---- the driver's pipeline cache

// Each device and driver has its own file. Drivers check cache data poorly. So it is passed on only if the header
// around it proves it complete and made for this very cache UUID.

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

void gpu_cache_write(struct gpu *gpu) {
    size_t length = 0;
    if (!gpu->pipeline_cache || gpu->abandoned || !gpu->pipeline_cache_file) return;
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

void pipeline_cache_close(struct gpu *gpu) {
    gpu_cache_write(gpu);
    if (gpu->pipeline_cache && !gpu->abandoned) vkDestroyPipelineCache(gpu->device, gpu->pipeline_cache, NULL);
    gpu->pipeline_cache = VK_NULL_HANDLE;
    free(gpu->pipeline_cache_file);
    gpu->pipeline_cache_file = NULL;
}

static bool refuse(const struct program_desc *desc, struct error *err) {
    return error_prefix(err, "%s: ", desc->label ? desc->label : "program");
}

// Returns whether the pipeline must require the size. Without the feature, a size that the device always has needs no
// requirement.
static bool requires_size(const struct device_info *info, uint32_t size) {
    return size != 0 && (info->features[FEATURE_SUBGROUP_SIZE] || !subgroup_size_is_constant(info, size));
}

// Refuses, before any Vulkan call, a program that the device cannot run (ERROR_SKIP).
static bool check(const struct gpu *gpu, const struct program_desc *desc, struct error *err) {
    const struct device_info *info = &gpu->info;
    if (desc->bindings < 0 || desc->bindings > PROGRAM_BINDINGS || desc->push_bytes < 0 || desc->push_bytes % 4 ||
        desc->push_bytes > PROGRAM_PUSH_BYTES || desc->constant_count < 0 || desc->constant_count > PROGRAM_CONSTANTS)
        return error_set(err, STATUS_FAULT, "%d bindings, %d bytes of push constants, %d constants; at most %d, %d, %d",
            desc->bindings, desc->push_bytes, desc->constant_count, PROGRAM_BINDINGS, PROGRAM_PUSH_BYTES,
            PROGRAM_CONSTANTS);
    uint32_t storage = 0;
    for (int i = 0; i < desc->bindings; i++) {
        storage += !desc->slots || !desc->slots[i].uniform;
        if (desc->slots && desc->slots[i].set >= PROGRAM_SETS)
            return error_set(err, STATUS_FAULT, "descriptor set %u; at most %d", desc->slots[i].set, PROGRAM_SETS - 1);
    }
    if (storage > gpu->info.storage_buffers)
        return error_of_kind(
            err, ERROR_SKIP, "%u storage buffers; the device allows %u", storage, gpu->info.storage_buffers);
    if ((uint32_t)desc->push_bytes > info->push_bytes)
        return error_of_kind(
            err, ERROR_SKIP, "%d bytes of push constants; the device allows %u", desc->push_bytes, info->push_bytes);
    uint32_t size = desc->subgroup_size;
    if (size == 0 || !requires_size(info, size)) return true;
    if (!info->features[FEATURE_SUBGROUP_SIZE])
        return error_of_kind(err, ERROR_SKIP, "a subgroup size of %u is required; the device lacks %s", size,
            feature_name(FEATURE_SUBGROUP_SIZE));
    if (size < info->min_subgroup_size || size > info->max_subgroup_size || size & (size - 1))
        return error_of_kind(err, ERROR_SKIP,
            "a subgroup size of %u is required; the device allows powers of two from %u to %u", size,
            info->min_subgroup_size, info->max_subgroup_size);
    return true;
}

// Makes the layout of one set from the program's bindings in it.
static bool make_set(struct gpu *gpu, struct program *program, int set, struct error *err) {
    VkDescriptorSetLayoutBinding bindings[PROGRAM_BINDINGS];
    uint32_t count = 0;
    for (int i = 0; i < program->bindings; i++) {
        const struct slot *slot = &program->slots[i];
        if (slot->set != (uint32_t)set) continue;
        bindings[count++] = (VkDescriptorSetLayoutBinding){
            .binding = slot->binding,
            .descriptorType = slot->uniform ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        };
    }
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = count,
        .pBindings = bindings,
    };
    VkResult result = vkCreateDescriptorSetLayout(gpu->device, &info, NULL, &program->set_layouts[set]);
    return vk_check(gpu, result, "vkCreateDescriptorSetLayout", err);
}

static bool make_layouts(struct gpu *gpu, const struct program_desc *desc, struct program *program, struct error *err) {
    for (int set = 0; set < program->sets; set++)
        if (!make_set(gpu, program, set, err)) return false;
    VkPushConstantRange push = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = (uint32_t)desc->push_bytes};
    VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = (uint32_t)program->sets,
        .pSetLayouts = program->set_layouts,
        .pushConstantRangeCount = desc->push_bytes > 0,
        .pPushConstantRanges = &push,
    };
    VkResult result = vkCreatePipelineLayout(gpu->device, &layout_info, NULL, &program->layout);
    return vk_check(gpu, result, "vkCreatePipelineLayout", err);
}

static VkResult make_pipeline(
    struct gpu *gpu, const struct program_desc *desc, VkShaderModule module, struct program *program) {
    VkSpecializationMapEntry entries[PROGRAM_CONSTANTS];
    uint32_t values[PROGRAM_CONSTANTS];
    for (int i = 0; i < desc->constant_count; i++) {
        values[i] = desc->constants[i].value;
        entries[i] = (VkSpecializationMapEntry){
            .constantID = desc->constants[i].id,
            .offset = (uint32_t)((size_t)i * sizeof *values),
            .size = sizeof *values,
        };
    }
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = desc->subgroup_size,
    };
    VkSpecializationInfo constants = {
        .mapEntryCount = (uint32_t)desc->constant_count,
        .pMapEntries = entries,
        .dataSize = (size_t)desc->constant_count * sizeof *values,
        .pData = values,
    };
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage =
            {
                .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .pNext = requires_size(&gpu->info, desc->subgroup_size) ? &subgroup : NULL,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = desc->entry ? desc->entry : "main",
                .pSpecializationInfo = &constants,
            },
        .layout = program->layout,
    };
    VkPipelineCreationFeedback whole = {0}, stage = {0};
    VkPipelineCreationFeedbackCreateInfo feedback = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
        .pPipelineCreationFeedback = &whole,
        .pipelineStageCreationFeedbackCount = 1,
        .pPipelineStageCreationFeedbacks = &stage,
    };
    const bool reported = gpu->feedback && !desc->uncached;
    if (reported) info.pNext = &feedback;
    if (gpu->info.features[FEATURE_PIPELINE_STATISTICS]) info.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
    if (info.flags && gpu->disassembles) info.flags |= VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
    VkResult result = vkCreateComputePipelines(
        gpu->device, desc->uncached ? VK_NULL_HANDLE : gpu->pipeline_cache, 1, &info, NULL, &program->pipeline);
    if (reported && whole.flags & VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT)
        ++*(whole.flags & VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT ? &gpu->cache_hits
                                                                                           : &gpu->cache_misses);
    return result;
}

// Names an object for layers and tools; `name` may be NULL: it has none.
static void put_name(const struct gpu *gpu, VkObjectType type, uint64_t handle, const char *name) {
    if (!gpu->set_name || !name) return;
    VkDebugUtilsObjectNameInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = name};
    gpu->set_name(gpu->device, &info); // a failure loses only the name
}

static bool make_module_and_pipeline(
    struct gpu *gpu, const struct program_desc *desc, struct program *program, struct error *err) {
    VkShaderModule module;
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = desc->words * sizeof *desc->spirv,
        .pCode = desc->spirv,
    };
    VkResult result = vkCreateShaderModule(gpu->device, &info, NULL, &module);
    if (!vk_check(gpu, result, "vkCreateShaderModule", err)) return false;
    put_name(gpu, VK_OBJECT_TYPE_SHADER_MODULE, (uint64_t)module, desc->label);
    result = make_pipeline(gpu, desc, module, program);
    vkDestroyShaderModule(gpu->device, module, NULL);
    return vk_check(gpu, result, "vkCreateComputePipelines", err);
}

static void place_bindings(const struct program_desc *desc, struct program *program) {
    program->bindings = desc->bindings;
    program->sets = 1; // a driver is never asked to bind zero sets
    for (int i = 0; i < desc->bindings; i++) {
        program->slots[i] = desc->slots ? desc->slots[i] : (struct slot){.binding = (uint32_t)i};
        if ((int)program->slots[i].set >= program->sets) program->sets = (int)program->slots[i].set + 1;
    }
}

struct program *program_create(
    struct gpu *gpu, const struct program_desc *desc, int64_t *compile_ns, struct error *err) {
    int64_t start = clock_ns();
    if (compile_ns) *compile_ns = 0;
    if (!check(gpu, desc, err)) {
        refuse(desc, err);
        return NULL;
    }
    struct program *program = memory_alloc(1, sizeof *program);
    place_bindings(desc, program);
    program->push_bytes = (uint32_t)desc->push_bytes;
    program->label = desc->label ? strdup(desc->label) : NULL;
    if (!make_layouts(gpu, desc, program, err) || !make_module_and_pipeline(gpu, desc, program, err)) {
        refuse(desc, err);
        program_destroy(gpu, program);
        return NULL;
    }
    put_name(gpu, VK_OBJECT_TYPE_PIPELINE, (uint64_t)program->pipeline, program->label);
    statistics_read(gpu, program);
    if (compile_ns) *compile_ns = clock_ns() - start;
    if (gpu->first_use) gpu->first_use_compile(gpu, desc, program);
    return program;
}

void program_destroy(struct gpu *gpu, struct program *program) {
    if (!program) return;
    if (!gpu->abandoned) {
        vkDestroyPipeline(gpu->device, program->pipeline, NULL);
        vkDestroyPipelineLayout(gpu->device, program->layout, NULL);
        for (int set = 0; set < program->sets; set++)
            vkDestroyDescriptorSetLayout(gpu->device, program->set_layouts[set], NULL);
    }
    free(program->label);
    free(program);
}
