// SPDX-License-Identifier: Apache-2.0
#include "shaders.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

// ---- modules

// A decoration of a variable; the other member is UINT32_MAX.
struct decorated {
    uint32_t id, set, binding;
};

static int by_id(const void *a, const void *b) {
    const struct decorated *one = a, *other = b;
    return (one->id > other->id) - (one->id < other->id);
}

static int by_binding(const void *a, const void *b) {
    const struct vk_variable *one = a, *other = b;
    if (one->set != other->set) return one->set > other->set ? 1 : -1;
    return (one->binding > other->binding) - (one->binding < other->binding);
}

// Joins the decorations of each variable.
static void join_variables(struct vk_module *module, struct decorated *list, size_t count) {
    qsort(list, count, sizeof *list, by_id);
    for (size_t i = 0, end; i < count; i = end) {
        struct vk_variable variable = {UINT32_MAX, UINT32_MAX};
        for (end = i; end < count && list[end].id == list[i].id; end++) {
            if (list[end].set != UINT32_MAX) variable.set = list[end].set;
            if (list[end].binding != UINT32_MAX) variable.binding = list[end].binding;
        }
        if (variable.set != UINT32_MAX && variable.binding != UINT32_MAX)
            module->variables[module->variable_count++] = variable;
    }
    qsort(module->variables, module->variable_count, sizeof *module->variables, by_binding);
    size_t kept = 0;
    for (size_t i = 0; i < module->variable_count; i++)
        if (!kept || by_binding(&module->variables[kept - 1], &module->variables[i]) != 0)
            module->variables[kept++] = module->variables[i];
    module->variable_count = kept;
}

// Calls for each instruction's first word. Stops at a length that leaves the module.
#define EACH_INSTRUCTION(module, at)                                                                                   \
    for (size_t at = 5, words = (module)->bytes / 4;                                                                   \
         at < words && (module)->code[at] >> 16 && (module)->code[at] >> 16 <= words - at;                             \
         at += (module)->code[at] >> 16)

static bool is_place(const uint32_t *code) {
    return (*code & 0xffff) == SpvOpDecorate && *code >> 16 >= 4 &&
           (code[2] == SpvDecorationBinding || code[2] == SpvDecorationDescriptorSet);
}

static bool scan(struct vk_module *module) {
    size_t count = 0;
    EACH_INSTRUCTION(module, at) {
        const uint32_t *code = module->code + at;
        if (*code == (2u << 16 | SpvOpCapability) && code[1] == SpvCapabilityRayQueryKHR)
            module->reason = NO_RAY_QUERIES;
        if (*code == (2u << 16 | SpvOpCapability) && code[1] == SpvCapabilityPhysicalStorageBufferAddresses)
            module->reason = NO_ADDRESSES;
        count += is_place(code);
    }
    struct decorated *list = calloc(count + 1, sizeof *list);
    module->variables = calloc(count + 1, sizeof *module->variables);
    if (!list || !module->variables) {
        free(list);
        return false;
    }
    size_t filled = 0;
    EACH_INSTRUCTION(module, at) {
        const uint32_t *code = module->code + at;
        if (!is_place(code)) continue;
        list[filled] = (struct decorated){code[1], UINT32_MAX, UINT32_MAX};
        *(code[2] == SpvDecorationDescriptorSet ? &list[filled].set : &list[filled].binding) = code[3];
        filled++;
    }
    join_variables(module, list, filled);
    free(list);
    return true;
}

static void module_release(void *value) {
    struct vk_module *module = value;
    if (!module || --module->refs) return;
    free(module->code);
    free(module->variables);
    free(module);
}

static struct vk_module *module_make(const VkShaderModuleCreateInfo *info) {
    struct vk_module *module = calloc(1, sizeof *module);
    if (!module) return NULL;
    *module = (struct vk_module){.refs = 1, .bytes = info->codeSize & ~(size_t)3};
    module->code = malloc(module->bytes + 4);
    if (module->code) memcpy(module->code, info->pCode, module->bytes);
    if (module->code && scan(module)) {
        module->hash = content_hash(module->code, module->bytes);
        return module;
    }
    module_release(module);
    return NULL;
}

VKAPI_ATTR VkResult VKAPI_CALL capture_CreateShaderModule(
    VkDevice handle, const VkShaderModuleCreateInfo *info, const VkAllocationCallbacks *a, VkShaderModule *out) {
    struct vk_device *device = device_of(handle);
    const VkResult result = device->call.CreateShaderModule(handle, info, a, out);
    if (result != VK_SUCCESS) return result;
    struct vk_module *module = module_make(info);
    state_put(&device->modules, *out, module, module_release);
    return result;
}

VKAPI_ATTR void VKAPI_CALL capture_DestroyShaderModule(
    VkDevice handle, VkShaderModule module, const VkAllocationCallbacks *a) {
    struct vk_device *device = device_of(handle);
    state_drop(&device->modules, module, module_release);
    device->call.DestroyShaderModule(handle, module, a);
}

// ---- pipelines

void pipeline_keep(struct vk_pipeline *pipeline) {
    pipeline->refs++;
}

void pipeline_release(void *value) {
    struct vk_pipeline *pipeline = value;
    if (!pipeline || --pipeline->refs) return;
    module_release(pipeline->module);
    free(pipeline->entry);
    free(pipeline->name);
    free(pipeline->constants);
    free(pipeline->constant_data);
    free(pipeline);
}

static bool copy_constants(struct vk_pipeline *pipeline, const VkSpecializationInfo *info) {
    if (!info || !info->mapEntryCount) return true;
    pipeline->constants = malloc(info->mapEntryCount * sizeof *pipeline->constants);
    pipeline->constant_data = malloc(info->dataSize + 1);
    if (!pipeline->constants || !pipeline->constant_data) return false;
    memcpy(pipeline->constant_data, info->pData, info->dataSize);
    for (uint32_t i = 0; i < info->mapEntryCount; i++) {
        const VkSpecializationMapEntry *entry = &info->pMapEntries[i];
        if (entry->offset <= info->dataSize && entry->size <= info->dataSize - entry->offset)
            pipeline->constants[pipeline->constant_count++] = *entry;
    }
    return true;
}

// Hashes all facts but the name: part by part, each hash beside the next part.
static struct content_hash pipeline_content(const struct vk_pipeline *pipeline) {
    struct content_hash hash = pipeline->module->hash;
    const uint64_t facts[] = {pipeline->subgroup_size, pipeline->full_subgroups, pipeline->push_bytes,
        content_hash(pipeline->entry, strlen(pipeline->entry)).words[0]};
    struct {
        struct content_hash before;
        uint64_t facts[4];
    } all = {hash, {facts[0], facts[1], facts[2], facts[3]}};
    hash = content_hash(&all, sizeof all);
    for (uint32_t i = 0; i < pipeline->constant_count; i++) {
        const VkSpecializationMapEntry *constant = &pipeline->constants[i];
        all.before = hash;
        all.facts[0] = constant->constantID;
        all.facts[1] = constant->size;
        const struct content_hash value = content_hash(pipeline->constant_data + constant->offset, constant->size);
        memcpy(&all.facts[2], &value, sizeof value);
        hash = content_hash(&all, sizeof all);
    }
    return hash;
}

// Makes the description of a pipeline. Its module is an object, or inline in the chain of its stage.
static struct vk_pipeline *pipeline_make(struct vk_device *device, const VkComputePipelineCreateInfo *info) {
    const VkPipelineShaderStageCreateInfo *stage = &info->stage;
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *size =
        in_chain(stage->pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
    const void *code = in_chain(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    const struct vk_layout *layout = map_get(&device->layouts, key_of(info->layout));
    struct vk_pipeline *pipeline = calloc(1, sizeof *pipeline);
    if (!pipeline) return NULL;
    *pipeline = (struct vk_pipeline){.refs = 1,
        .number = -1,
        .subgroup_size = size ? size->requiredSubgroupSize : 0,
        .full_subgroups = stage->flags & VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT,
        .push_bytes = layout ? layout->push_bytes : 0,
        .entry = strdup(stage->pName ? stage->pName : "")};
    pipeline->module = stage->module ? map_get(&device->modules, key_of(stage->module)) : NULL;
    if (pipeline->module)
        pipeline->module->refs++;
    else if (!stage->module && code)
        pipeline->module = module_make(code);
    if (!pipeline->entry || !copy_constants(pipeline, stage->pSpecializationInfo)) {
        pipeline_release(pipeline);
        return NULL;
    }
    if (pipeline->module) pipeline->content = pipeline_content(pipeline);
    return pipeline;
}

VKAPI_ATTR VkResult VKAPI_CALL capture_CreateComputePipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
    const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *a, VkPipeline *out) {
    struct vk_device *device = device_of(handle);
    const VkResult result = device->call.CreateComputePipelines(handle, cache, count, infos, a, out);
    if (result < 0) return result;
    state_lock();
    for (uint32_t i = 0; i < count; i++) {
        if (!out[i]) continue;
        struct vk_pipeline *pipeline = pipeline_make(device, &infos[i]);
        pipeline_release(map_take(&device->pipelines, key_of(out[i])));
        if (pipeline && !map_put(&device->pipelines, key_of(out[i]), pipeline)) pipeline_release(pipeline);
    }
    state_unlock();
    return result;
}

VKAPI_ATTR void VKAPI_CALL capture_DestroyPipeline(
    VkDevice handle, VkPipeline pipeline, const VkAllocationCallbacks *a) {
    struct vk_device *device = device_of(handle);
    state_drop(&device->pipelines, pipeline, pipeline_release);
    device->call.DestroyPipeline(handle, pipeline, a);
}

VKAPI_ATTR VkResult VKAPI_CALL capture_SetDebugUtilsObjectNameEXT(
    VkDevice handle, const VkDebugUtilsObjectNameInfoEXT *info) {
    struct vk_device *device = device_of(handle);
    if (info->objectType == VK_OBJECT_TYPE_PIPELINE) {
        state_lock();
        struct vk_pipeline *pipeline = map_get(&device->pipelines, info->objectHandle);
        if (pipeline) {
            free(pipeline->name);
            pipeline->name = info->pObjectName ? strdup(info->pObjectName) : NULL;
        }
        state_unlock();
    }
    return device->call.SetDebugUtilsObjectNameEXT(handle, info);
}

void shaders_clear(struct vk_device *device) {
    map_clear(&device->pipelines, pipeline_release);
    map_clear(&device->modules, module_release);
}
