// SPDX-License-Identifier: Apache-2.0
#include "descriptors.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DESCRIPTORS = 65536 }; // of a set: larger ones are not followed

// ---- layouts

static void set_layout_release(void *value) {
    struct vk_set_layout *layout = value;
    if (!layout || --layout->refs) return;
    free(layout->slots);
    free(layout);
}

static int by_binding(const void *a, const void *b) {
    const struct vk_slot *one = a, *other = b;
    return (one->binding > other->binding) - (one->binding < other->binding);
}

bool descriptor_is_dynamic(VkDescriptorType type) {
    return type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC || type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
}

static struct vk_set_layout *set_layout_make(const VkDescriptorSetLayoutCreateInfo *info) {
    const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags =
        in_chain(info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
    struct vk_set_layout *layout = calloc(1, sizeof *layout);
    if (!layout) return NULL;
    layout->refs = 1;
    layout->slots = calloc(info->bindingCount + (size_t)1, sizeof *layout->slots);
    if (!layout->slots) {
        set_layout_release(layout);
        return NULL;
    }
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        const VkDescriptorSetLayoutBinding *binding = &info->pBindings[i];
        const bool is_inline = binding->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
        layout->slots[i] = (struct vk_slot){.binding = binding->binding,
            .type = binding->descriptorType,
            .count = is_inline && binding->descriptorCount ? 1 : binding->descriptorCount,
            .flags = flags && i < flags->bindingCount ? flags->pBindingFlags[i] : 0};
    }
    layout->slot_count = info->bindingCount;
    qsort(layout->slots, layout->slot_count, sizeof *layout->slots, by_binding);
    for (uint32_t i = 0; i < layout->slot_count; i++) {
        struct vk_slot *slot = &layout->slots[i];
        slot->first = layout->total;
        slot->dynamic = layout->dynamic_total;
        layout->total += slot->count;
        if (descriptor_is_dynamic(slot->type)) layout->dynamic_total += slot->count;
    }
    return layout;
}

const struct vk_slot *layout_slot(const struct vk_set_layout *layout, uint32_t binding) {
    const struct vk_slot key = {.binding = binding};
    return bsearch(&key, layout->slots, layout->slot_count, sizeof *layout->slots, by_binding);
}

VKAPI_ATTR VkResult VKAPI_CALL capture_CreateDescriptorSetLayout(VkDevice handle,
    const VkDescriptorSetLayoutCreateInfo *info, const VkAllocationCallbacks *a, VkDescriptorSetLayout *out) {
    struct vk_device *device = device_of(handle);
    const VkResult result = device->call.CreateDescriptorSetLayout(handle, info, a, out);
    if (result != VK_SUCCESS) return result;
    struct vk_set_layout *layout = set_layout_make(info);
    state_put(&device->set_layouts, *out, layout, set_layout_release);
    return result;
}

VKAPI_ATTR void VKAPI_CALL capture_DestroyDescriptorSetLayout(
    VkDevice handle, VkDescriptorSetLayout layout, const VkAllocationCallbacks *a) {
    struct vk_device *device = device_of(handle);
    state_drop(&device->set_layouts, layout, set_layout_release);
    device->call.DestroyDescriptorSetLayout(handle, layout, a);
}

static void layout_release(void *value) {
    struct vk_layout *layout = value;
    if (!layout || --layout->refs) return;
    for (int i = 0; i < CAPTURE_SETS; i++) set_layout_release(layout->sets[i]);
    free(layout);
}

static struct vk_layout *layout_make(struct vk_device *device, const VkPipelineLayoutCreateInfo *info) {
    struct vk_layout *layout = calloc(1, sizeof *layout);
    if (!layout) return NULL;
    layout->refs = 1;
    for (uint32_t i = 0; i < info->setLayoutCount && i < CAPTURE_SETS; i++) {
        layout->sets[i] = info->pSetLayouts[i] ? map_get(&device->set_layouts, key_of(info->pSetLayouts[i])) : NULL;
        if (layout->sets[i]) layout->sets[i]->refs++;
    }
    for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
        const VkPushConstantRange *range = &info->pPushConstantRanges[i];
        const uint32_t end = range->offset + range->size;
        if (!(range->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT) || end > CAPTURE_PUSH_BYTES) continue;
        if (end > layout->push_bytes) layout->push_bytes = end;
    }
    return layout;
}

VKAPI_ATTR VkResult VKAPI_CALL capture_CreatePipelineLayout(
    VkDevice handle, const VkPipelineLayoutCreateInfo *info, const VkAllocationCallbacks *a, VkPipelineLayout *out) {
    struct vk_device *device = device_of(handle);
    const VkResult result = device->call.CreatePipelineLayout(handle, info, a, out);
    if (result != VK_SUCCESS) return result;
    state_lock();
    struct vk_layout *layout = layout_make(device, info);
    state_unlock();
    state_put(&device->layouts, *out, layout, layout_release);
    return result;
}

VKAPI_ATTR void VKAPI_CALL capture_DestroyPipelineLayout(
    VkDevice handle, VkPipelineLayout layout, const VkAllocationCallbacks *a) {
    struct vk_device *device = device_of(handle);
    state_drop(&device->layouts, layout, layout_release);
    device->call.DestroyPipelineLayout(handle, layout, a);
}

// ---- sets

static void set_release(void *value) {
    struct vk_set *set = value;
    if (!set) return;
    set_layout_release(set->layout);
    free(set->descriptors);
    free(set);
}

// Makes a set with `last` descriptors in its last binding, or as many as the layout has.
static struct vk_set *set_make(struct vk_set_layout *layout, const uint32_t *last) {
    struct vk_set *set = calloc(1, sizeof *set);
    if (!set) return NULL;
    set->layout = layout;
    layout->refs++;
    set->count = layout->total;
    const struct vk_slot *slot = layout->slot_count ? &layout->slots[layout->slot_count - 1] : NULL;
    if (last && slot && slot->flags & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT && *last < slot->count)
        set->count = slot->first + *last;
    if (set->count <= MOST_DESCRIPTORS) set->descriptors = calloc(set->count + (size_t)1, sizeof *set->descriptors);
    return set;
}

struct vk_set *pushed_set_make(struct vk_set_layout *layout) {
    return set_make(layout, NULL);
}

void pushed_set_release(struct vk_set *set) {
    set_release(set);
}

// The lists of sets and pools of a device.
static struct pooling sets_of(struct vk_device *device) {
    return (struct pooling){&device->set_pools, &device->sets, set_release};
}

VKAPI_ATTR VkResult VKAPI_CALL capture_AllocateDescriptorSets(
    VkDevice handle, const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *out) {
    struct vk_device *device = device_of(handle);
    const VkDescriptorSetVariableDescriptorCountAllocateInfo *counts =
        in_chain(info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
    const VkResult result = device->call.AllocateDescriptorSets(handle, info, out);
    if (result != VK_SUCCESS) return result;
    state_lock();
    for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
        struct vk_set_layout *layout = map_get(&device->set_layouts, key_of(info->pSetLayouts[i]));
        const uint32_t *last = counts && i < counts->descriptorSetCount ? &counts->pDescriptorCounts[i] : NULL;
        struct vk_set *set = layout ? set_make(layout, last) : NULL;
        if (set) pool_put(sets_of(device), key_of(info->descriptorPool), key_of(out[i]), &set->pooled);
    }
    state_unlock();
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL capture_FreeDescriptorSets(
    VkDevice handle, VkDescriptorPool pool, uint32_t count, const VkDescriptorSet *sets) {
    struct vk_device *device = device_of(handle);
    state_lock();
    for (uint32_t i = 0; i < count; i++) pool_drop(sets_of(device), key_of(sets[i]));
    state_unlock();
    return device->call.FreeDescriptorSets(handle, pool, count, sets);
}

VKAPI_ATTR VkResult VKAPI_CALL capture_ResetDescriptorPool(
    VkDevice handle, VkDescriptorPool pool, VkDescriptorPoolResetFlags flags) {
    struct vk_device *device = device_of(handle);
    state_lock();
    pool_empty(sets_of(device), key_of(pool));
    state_unlock();
    return device->call.ResetDescriptorPool(handle, pool, flags);
}

VKAPI_ATTR void VKAPI_CALL capture_DestroyDescriptorPool(
    VkDevice handle, VkDescriptorPool pool, const VkAllocationCallbacks *a) {
    struct vk_device *device = device_of(handle);
    state_lock();
    pool_destroy(sets_of(device), key_of(pool));
    state_unlock();
    device->call.DestroyDescriptorPool(handle, pool, a);
}

// ---- updates

static bool is_buffer(VkDescriptorType type) {
    return type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER || type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
           descriptor_is_dynamic(type);
}

// Returns the place of a descriptor, and lowers *count to as many as follow it. Further descriptors belong to the
// next bindings, as an update may pass the end of a binding.
static struct vk_descriptor *place_of(struct vk_set *set, uint32_t binding, uint32_t element, uint32_t *count) {
    const struct vk_slot *slot = layout_slot(set->layout, binding);
    if (!slot || !set->descriptors || element >= set->count || slot->first >= set->count - element) return NULL;
    const uint32_t first = slot->first + element;
    if (*count > set->count - first) *count = set->count - first;
    return &set->descriptors[first];
}

void set_write(struct vk_set *set, const VkWriteDescriptorSet *write) {
    uint32_t count = write->descriptorCount;
    struct vk_descriptor *at =
        is_buffer(write->descriptorType) ? place_of(set, write->dstBinding, write->dstArrayElement, &count) : NULL;
    for (uint32_t i = 0; at && i < count; i++)
        at[i] = (struct vk_descriptor){
            write->pBufferInfo[i].buffer, write->pBufferInfo[i].offset, write->pBufferInfo[i].range};
}

static void set_copy(struct vk_device *device, const VkCopyDescriptorSet *copy) {
    struct vk_set *from = map_get(&device->sets, key_of(copy->srcSet));
    struct vk_set *to = map_get(&device->sets, key_of(copy->dstSet));
    const struct vk_slot *slot = from ? layout_slot(from->layout, copy->srcBinding) : NULL;
    uint32_t count = copy->descriptorCount;
    if (!to || !slot || slot->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) return;
    const struct vk_descriptor *source = place_of(from, copy->srcBinding, copy->srcArrayElement, &count);
    struct vk_descriptor *target = place_of(to, copy->dstBinding, copy->dstArrayElement, &count);
    if (source && target) memmove(target, source, count * sizeof *target);
}

VKAPI_ATTR void VKAPI_CALL capture_UpdateDescriptorSets(VkDevice handle, uint32_t write_count,
    const VkWriteDescriptorSet *writes, uint32_t copy_count, const VkCopyDescriptorSet *copies) {
    struct vk_device *device = device_of(handle);
    state_lock();
    for (uint32_t i = 0; i < write_count; i++) {
        struct vk_set *set = map_get(&device->sets, key_of(writes[i].dstSet));
        if (set) set_write(set, &writes[i]);
    }
    for (uint32_t i = 0; i < copy_count; i++) set_copy(device, &copies[i]);
    state_unlock();
    device->call.UpdateDescriptorSets(handle, write_count, writes, copy_count, copies);
}

// An update template: its entries of buffers.
struct vk_template {
    uint32_t count;
    VkDescriptorUpdateTemplateEntry entries[];
};

VKAPI_ATTR VkResult VKAPI_CALL capture_CreateDescriptorUpdateTemplate(VkDevice handle,
    const VkDescriptorUpdateTemplateCreateInfo *info, const VkAllocationCallbacks *a, VkDescriptorUpdateTemplate *out) {
    struct vk_device *device = device_of(handle);
    const VkResult result = device->call.CreateDescriptorUpdateTemplate(handle, info, a, out);
    if (result != VK_SUCCESS) return result;
    struct vk_template *made =
        calloc(1, sizeof *made + info->descriptorUpdateEntryCount * sizeof *info->pDescriptorUpdateEntries);
    if (!made) return result;
    for (uint32_t i = 0; i < info->descriptorUpdateEntryCount; i++)
        if (is_buffer(info->pDescriptorUpdateEntries[i].descriptorType))
            made->entries[made->count++] = info->pDescriptorUpdateEntries[i];
    state_put(&device->templates, *out, made, free);
    return result;
}

VKAPI_ATTR void VKAPI_CALL capture_DestroyDescriptorUpdateTemplate(
    VkDevice handle, VkDescriptorUpdateTemplate update, const VkAllocationCallbacks *a) {
    struct vk_device *device = device_of(handle);
    state_drop(&device->templates, update, free);
    device->call.DestroyDescriptorUpdateTemplate(handle, update, a);
}

void set_write_template(
    struct vk_device *device, struct vk_set *set, VkDescriptorUpdateTemplate handle, const void *data) {
    const struct vk_template *made = map_get(&device->templates, key_of(handle));
    for (uint32_t e = 0; made && e < made->count; e++) {
        const VkDescriptorUpdateTemplateEntry *entry = &made->entries[e];
        uint32_t count = entry->descriptorCount;
        struct vk_descriptor *at = place_of(set, entry->dstBinding, entry->dstArrayElement, &count);
        for (uint32_t i = 0; at && i < count; i++) {
            VkDescriptorBufferInfo info;
            memcpy(&info, (const char *)data + entry->offset + i * entry->stride, sizeof info);
            at[i] = (struct vk_descriptor){info.buffer, info.offset, info.range};
        }
    }
}

VKAPI_ATTR void VKAPI_CALL capture_UpdateDescriptorSetWithTemplate(
    VkDevice handle, VkDescriptorSet set_handle, VkDescriptorUpdateTemplate update, const void *data) {
    struct vk_device *device = device_of(handle);
    state_lock();
    struct vk_set *set = map_get(&device->sets, key_of(set_handle));
    if (set) set_write_template(device, set, update, data);
    state_unlock();
    device->call.UpdateDescriptorSetWithTemplate(handle, set_handle, update, data);
}

void descriptors_clear(struct vk_device *device) {
    map_clear(&device->sets, set_release);
    map_clear(&device->set_pools, pool_release);
    map_clear(&device->layouts, layout_release);
    map_clear(&device->set_layouts, set_layout_release);
    map_clear(&device->templates, free);
}
