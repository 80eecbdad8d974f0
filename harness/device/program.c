// SPDX-License-Identifier: Apache-2.0
// Programs: a compute pipeline with its layouts.
#include "internal.h"

#include "../base/clock.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(const struct program_desc *desc, struct error *err) {
    return error_prefix(err, "%s: ", desc->label ? desc->label : "program");
}

// What the device cannot do is a skip, said before any Vulkan call.
static bool check(const struct gpu *gpu, const struct program_desc *desc, struct error *err) {
    const struct device_info *info = &gpu->info;
    if (desc->bindings < 0 || desc->bindings > PROGRAM_BINDINGS || desc->push_bytes < 0 ||
        desc->push_bytes % 4 || desc->push_bytes > PROGRAM_PUSH_BYTES || desc->constant_count < 0 ||
        desc->constant_count > PROGRAM_CONSTANTS)
        return error_set(err, STATUS_FAULT,
            "%d bindings, %d bytes of push constants, %d constants; at most %d, %d, %d",
            desc->bindings, desc->push_bytes, desc->constant_count, PROGRAM_BINDINGS,
            PROGRAM_PUSH_BYTES, PROGRAM_CONSTANTS);
    if ((uint32_t)desc->bindings > gpu->most_bindings)
        return error_of_kind(err, ERROR_SKIP, "%d storage buffers; the device allows %u",
            desc->bindings, gpu->most_bindings);
    if ((uint32_t)desc->push_bytes > info->push_bytes)
        return error_of_kind(err, ERROR_SKIP, "%d bytes of push constants; the device allows %u",
            desc->push_bytes, info->push_bytes);
    uint32_t size = desc->subgroup_size;
    if (size == 0) return true;
    if (!info->features[FEATURE_SUBGROUP_SIZE])
        return error_of_kind(err, ERROR_SKIP,
            "a subgroup size of %u is required; the device lacks %s", size,
            feature_name(FEATURE_SUBGROUP_SIZE));
    if (size < info->min_subgroup_size || size > info->max_subgroup_size || size & (size - 1))
        return error_of_kind(err, ERROR_SKIP,
            "a subgroup size of %u is required; the device allows powers of two from %u to %u",
            size, info->min_subgroup_size, info->max_subgroup_size);
    return true;
}

static bool make_layouts(
    struct gpu *gpu, const struct program_desc *desc, struct program *program, struct error *err) {
    VkDescriptorSetLayoutBinding bindings[PROGRAM_BINDINGS];
    for (int i = 0; i < desc->bindings; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = (uint32_t)i,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        };
    VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = (uint32_t)desc->bindings,
        .pBindings = bindings,
    };
    VkResult result =
        vkCreateDescriptorSetLayout(gpu->device, &set_info, NULL, &program->set_layout);
    if (!vk_check(gpu, result, "vkCreateDescriptorSetLayout", err)) return false;
    VkPushConstantRange push = {
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = (uint32_t)desc->push_bytes};
    VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &program->set_layout,
        .pushConstantRangeCount = desc->push_bytes > 0,
        .pPushConstantRanges = &push,
    };
    result = vkCreatePipelineLayout(gpu->device, &layout_info, NULL, &program->layout);
    return vk_check(gpu, result, "vkCreatePipelineLayout", err);
}

static VkResult make_pipeline(struct gpu *gpu, const struct program_desc *desc,
    VkShaderModule module, struct program *program) {
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
                .pNext = desc->subgroup_size ? &subgroup : NULL,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = desc->entry ? desc->entry : "main",
                .pSpecializationInfo = &constants,
            },
        .layout = program->layout,
    };
    return vkCreateComputePipelines(
        gpu->device, gpu->pipeline_cache, 1, &info, NULL, &program->pipeline);
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
    result = make_pipeline(gpu, desc, module, program);
    vkDestroyShaderModule(gpu->device, module, NULL);
    return vk_check(gpu, result, "vkCreateComputePipelines", err);
}

static void name_pipeline(const struct gpu *gpu, const struct program *program) {
    if (!gpu->set_name || !program->label) return;
    VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_PIPELINE,
        .objectHandle = (uint64_t)program->pipeline,
        .pObjectName = program->label,
    };
    gpu->set_name(gpu->device, &info); // a name that does not stick costs nothing
}

struct program *program_create(
    struct gpu *gpu, const struct program_desc *desc, int64_t *compile_ns, struct error *err) {
    int64_t start = clock_ns();
    if (compile_ns) *compile_ns = 0;
    if (!check(gpu, desc, err)) {
        refuse(desc, err);
        return NULL;
    }
    struct program *program = calloc(1, sizeof *program);
    if (!program) {
        error_set(err, STATUS_FAULT, "out of memory for a program");
        return NULL;
    }
    program->bindings = desc->bindings;
    program->push_bytes = (uint32_t)desc->push_bytes;
    program->label = desc->label ? strdup(desc->label) : NULL;
    if (!make_layouts(gpu, desc, program, err) ||
        !make_module_and_pipeline(gpu, desc, program, err)) {
        refuse(desc, err);
        program_destroy(gpu, program);
        return NULL;
    }
    name_pipeline(gpu, program);
    if (compile_ns) *compile_ns = clock_ns() - start;
    return program;
}

void program_destroy(struct gpu *gpu, struct program *program) {
    if (!program) return;
    if (!gpu->abandoned) {
        vkDestroyPipeline(gpu->device, program->pipeline, NULL);
        vkDestroyPipelineLayout(gpu->device, program->layout, NULL);
        vkDestroyDescriptorSetLayout(gpu->device, program->set_layout, NULL);
    }
    free(program->label);
    free(program);
}
