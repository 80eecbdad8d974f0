// SPDX-License-Identifier: Apache-2.0
// Dispatches: their operands, and copies of these before and after.
#include "commands.h"
#include "descriptors.h"
#include "output.h"
#include "shaders.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_OPERANDS = 256,
    SMALL_UNIFORM = 256, // bytes; its content belongs to the signature
    QUERIES = 128,       // of a block
};

// ---- operands

static enum not_recorded reason_of_type(VkDescriptorType type) {
    switch (type) {
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
        return RECORDED;
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return NO_IMAGES;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        return NO_TEXEL_BUFFERS;
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
        return NO_INLINE_BLOCKS;
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
        return NO_RAY_QUERIES;
    default:
        return NO_OTHER_DESCRIPTORS;
    }
}

// The operands found so far, and the first reason not to record them.
struct operands {
    struct recorded_operand list[MOST_OPERANDS];
    uint32_t count;
    enum not_recorded reason;
};

static void refuse(struct operands *found, enum not_recorded reason) {
    if (found->reason == RECORDED) found->reason = reason;
}

static void add_operand(const struct vk_device *device, const struct vk_descriptor *descriptor, VkDeviceSize dynamic,
    struct recorded_operand operand, struct operands *found) {
    const struct vk_buffer *buffer = map_get(&device->buffers, key_of(descriptor->buffer));
    const VkDeviceSize offset = descriptor->offset + dynamic;
    if (!buffer || offset >= buffer->bytes) {
        refuse(found, NO_ABSENT_DESCRIPTOR);
        return;
    }
    if (buffer->sparse || !buffer->memory || !buffer->can_copy)
        refuse(found, buffer->sparse ? NO_SPARSE_BUFFERS : buffer->memory ? NO_TRANSFER : NO_ABSENT_DESCRIPTOR);
    operand.buffer = descriptor->buffer;
    operand.buffer_offset = offset;
    operand.memory = buffer->memory;
    operand.offset = buffer->offset + offset;
    operand.bytes = buffer->bytes - offset;
    if (descriptor->range < operand.bytes) operand.bytes = descriptor->range; // VK_WHOLE_SIZE is larger
    operand.small = operand.uniform && operand.bytes <= SMALL_UNIFORM;
    if (found->count < MOST_OPERANDS)
        found->list[found->count++] = operand;
    else
        refuse(found, NO_MANY_DESCRIPTORS);
}

// Adds the descriptors of one variable of the module.
static void add_variable(
    const struct vk_commands *commands, const struct vk_variable *variable, struct operands *found) {
    const struct bound_set *bound = variable->set < CAPTURE_SETS ? &commands->sets[variable->set] : NULL;
    const struct vk_set *set = bound_set(commands, variable->set);
    const struct vk_slot *slot = set ? layout_slot(set->layout, variable->binding) : NULL;
    if (!set) refuse(found, bound && bound->in_buffer ? NO_DESCRIPTOR_BUFFERS : NO_ABSENT_DESCRIPTOR);
    if (!slot || !bound) return; // the entry point does not use it
    if (reason_of_type(slot->type) != RECORDED || !set->descriptors) {
        refuse(found, set->descriptors ? reason_of_type(slot->type) : NO_MANY_DESCRIPTORS);
        return;
    }
    if (slot->flags & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT) refuse(found, NO_LATE_DESCRIPTORS);
    for (uint32_t i = 0; i < slot->count && slot->first + i < set->count; i++) {
        const struct vk_descriptor *descriptor = &set->descriptors[slot->first + i];
        const uint32_t offset = descriptor_is_dynamic(slot->type) ? slot->dynamic + i : UINT32_MAX;
        if (!descriptor->buffer && slot->flags & VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT) continue;
        add_operand(commands->device, descriptor, offset < bound->dynamic_count ? bound->dynamic[offset] : 0,
            (struct recorded_operand){.set = variable->set,
                .binding = variable->binding,
                .index = i,
                .uniform = slot->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
                           slot->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC},
            found);
    }
}

// ---- facts known before it runs

static struct content_hash hash_of(const struct recorded_dispatch *dispatch) {
    struct json_line bytes = {0}; // not JSON: only a growing text
    const struct vk_pipeline *pipeline = dispatch->pipeline;
    json_line_bytes(&bytes, &pipeline->content, sizeof pipeline->content);
    if (dispatch->push) json_line_bytes(&bytes, dispatch->push, pipeline->push_bytes);
    json_line_bytes(&bytes, dispatch->base, sizeof dispatch->base);
    for (uint32_t i = 0; i < dispatch->operand_count; i++) {
        const struct recorded_operand *operand = &dispatch->operands[i];
        const uint64_t facts[] = {operand->set, operand->binding, operand->index, operand->uniform, operand->bytes};
        json_line_bytes(&bytes, facts, sizeof facts);
    }
    const struct content_hash hash = content_hash(bytes.data, bytes.length);
    json_line_free(&bytes);
    return hash;
}

static bool is_selected(const struct vk_pipeline *pipeline) {
    const char *only = capture_settings()->only;
    char digits[CONTENT_HASH_DIGITS + 1];
    content_hash_text(pipeline->module->hash, digits);
    return !only || fnmatch(only, digits, 0) == 0 || fnmatch(only, pipeline->entry, 0) == 0 ||
           (pipeline->name && fnmatch(only, pipeline->name, 0) == 0);
}

// Fills in all but the copies. Returns the reason not to record it.
static enum not_recorded describe(const struct vk_commands *commands, struct recorded_dispatch *dispatch) {
    struct vk_pipeline *pipeline = commands->pipeline;
    if (commands->shader_object) return NO_SHADER_OBJECTS;
    if (!pipeline || !pipeline->module) return NO_MODULE;
    struct operands *found = calloc(1, sizeof *found);
    if (!found) return NO_MEMORY;
    refuse(found, pipeline->module->reason);
    for (size_t i = 0; i < pipeline->module->variable_count; i++)
        add_variable(commands, &pipeline->module->variables[i], found);
    if (!is_selected(pipeline)) refuse(found, NO_SELECTION);
    const enum not_recorded reason = found->reason;
    dispatch->operands = malloc((found->count + (size_t)1) * sizeof *dispatch->operands);
    dispatch->push = malloc(pipeline->push_bytes + (size_t)1);
    if (dispatch->operands && dispatch->push) {
        memcpy(dispatch->operands, found->list, found->count * sizeof *dispatch->operands);
        memcpy(dispatch->push, commands->push, pipeline->push_bytes);
        dispatch->operand_count = found->count;
        dispatch->pipeline = pipeline;
        pipeline_keep(pipeline);
        dispatch->hash = hash_of(dispatch);
        if (!dispatch->indirect) dispatch->hash = signature_join(dispatch->hash, dispatch->grid, sizeof dispatch->grid);
        dispatch->kind = kind_of(dispatch->hash);
        dispatch->late = dispatch->indirect;
        for (uint32_t i = 0; i < found->count; i++) dispatch->late |= found->list[i].small;
    }
    free(found);
    return dispatch->kind ? reason : NO_MEMORY;
}

// ---- copies

// Reserves memory for the facts of the signature, or for all operands. Uniforms are read only: one copy serves.
static bool reserve(struct recording *recording, struct recorded_dispatch *dispatch, bool all) {
    struct vk_device *device = recording->device;
    if (dispatch->indirect && !dispatch->indirect_grid.chunk &&
        !staging_take(device, &recording->chunks, sizeof dispatch->grid, &dispatch->indirect_grid))
        return false;
    for (uint32_t i = 0; i < dispatch->operand_count; i++) {
        struct recorded_operand *operand = &dispatch->operands[i];
        if (!all && !operand->small) continue;
        if (!operand->before.chunk && !staging_take(device, &recording->chunks, operand->bytes, &operand->before))
            return false;
        if (!operand->uniform && !staging_take(device, &recording->chunks, operand->bytes, &operand->after))
            return false;
    }
    return true;
}

static void plan(struct recording *recording, struct recorded_dispatch *dispatch) {
    if (dispatch->reason != RECORDED) return;
    dispatch->planned = kind_plan(dispatch->kind, dispatch->late);
    dispatch->facts = dispatch->late && reserve(recording, dispatch, false);
    dispatch->copied = dispatch->planned && reserve(recording, dispatch, true);
    if (dispatch->late && !dispatch->facts) dispatch->copied = false;
    if (dispatch->planned && !dispatch->copied) {
        dispatch_unplan(dispatch);
        dispatch->reason = NO_STAGING;
    }
}

static void barrier(const struct vk_device *device, VkCommandBuffer handle, VkPipelineStageFlags from,
    VkAccessFlags writes, VkPipelineStageFlags to, VkAccessFlags reads) {
    const VkMemoryBarrier memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = writes, .dstAccessMask = reads};
    device->call.CmdPipelineBarrier(handle, from, to, 0, 1, &memory, 0, NULL, 0, NULL);
}

static void copy(const struct vk_device *device, VkCommandBuffer handle, VkBuffer from, VkDeviceSize offset,
    VkDeviceSize bytes, const struct stage_place *to) {
    const VkBufferCopy region = {offset, to->offset, bytes};
    device->call.CmdCopyBuffer(handle, from, to->chunk->buffer, 1, &region);
}

// Copies are between these barriers: all earlier writes are seen, and no later command overtakes.
static void begin_copies(const struct vk_device *device, VkCommandBuffer handle) {
    barrier(device, handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
        VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
}

static void end_copies(const struct vk_device *device, VkCommandBuffer handle) {
    barrier(device, handle, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

static void copy_operands(
    const struct vk_device *device, VkCommandBuffer handle, const struct recorded_dispatch *dispatch, bool after) {
    for (uint32_t i = 0; i < dispatch->operand_count; i++) {
        const struct recorded_operand *operand = &dispatch->operands[i];
        const struct stage_place *to = after ? &operand->after : &operand->before;
        if (to->chunk && (dispatch->copied || operand->small))
            copy(device, handle, operand->buffer, operand->buffer_offset, operand->bytes, to);
    }
}

// ---- times

static struct query_block *queries_make(struct recording *recording, VkCommandBuffer handle) {
    struct vk_device *device = recording->device;
    const VkQueryPoolCreateInfo info = {
        VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = QUERIES};
    struct query_block *block = calloc(1, sizeof *block);
    if (!block || device->call.CreateQueryPool(device->handle, &info, NULL, &block->pool) != VK_SUCCESS) {
        free(block);
        return NULL;
    }
    device->call.CmdResetQueryPool(handle, block->pool, 0, QUERIES);
    block->next = recording->queries;
    return recording->queries = block;
}

// Writes a timestamp between barriers: neither earlier nor later commands count.
static void timestamp(
    const struct vk_device *device, VkCommandBuffer handle, const struct recorded_dispatch *dispatch, uint32_t which) {
    barrier(device, handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0);
    device->call.CmdWriteTimestamp(
        handle, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, dispatch->queries->pool, dispatch->query + which);
    barrier(device, handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0);
}

static void take_queries(struct recording *recording, VkCommandBuffer handle, struct recorded_dispatch *dispatch) {
    const uint32_t family = recording->family;
    if (!capture_settings()->times || family >= 32 || !recording->device->timestamp_bits[family]) return;
    if (!recording->queries || recording->queries->used + 2 > QUERIES) queries_make(recording, handle);
    if (!recording->queries || recording->queries->used + 2 > QUERIES) return;
    dispatch->queries = recording->queries;
    dispatch->query = dispatch->queries->used;
    dispatch->queries->used += 2;
}

// ---- before and after

// A dispatch as it is asked for.
struct asked {
    uint32_t grid[3], base[3];
    VkBuffer indirect; // VK_NULL_HANDLE: the grid is given
    VkDeviceSize offset;
};

// Waits while the thread of this device only writes files and much memory waits for it. It waits for no GPU then.
static void wait_for_staging(struct vk_device *device) {
    while (staging_is_short() && device->reading) state_wait(&device->changed);
}

static struct recorded_dispatch *before(struct vk_device *device, VkCommandBuffer handle, const struct asked *asked) {
    if (!capture_settings()->folder) return NULL;
    state_lock();
    wait_for_staging(device);
    struct vk_commands *commands = commands_of(device, handle);
    struct recording *recording = commands ? commands->recording : NULL;
    struct recorded_dispatch *dispatch = recording ? recording_dispatch(recording) : NULL;
    if (dispatch) {
        const struct vk_buffer *words = map_get(&device->buffers, key_of(asked->indirect));
        memcpy(dispatch->grid, asked->grid, sizeof dispatch->grid);
        memcpy(dispatch->base, asked->base, sizeof dispatch->base);
        dispatch->indirect = asked->indirect;
        dispatch->reason = describe(commands, dispatch);
        if (asked->indirect && dispatch->reason == RECORDED && !(words && words->can_copy && !words->sparse))
            dispatch->reason = NO_TRANSFER;
        plan(recording, dispatch);
        take_queries(recording, handle, dispatch);
    }
    state_unlock();
    if (!dispatch) return NULL;
    if (dispatch->copied || dispatch->facts) {
        begin_copies(device, handle);
        copy_operands(device, handle, dispatch, false);
        if (dispatch->indirect_grid.chunk)
            copy(device, handle, asked->indirect, asked->offset, sizeof dispatch->grid, &dispatch->indirect_grid);
        end_copies(device, handle);
    }
    if (dispatch->queries) timestamp(device, handle, dispatch, 0);
    return dispatch;
}

static void after(struct vk_device *device, VkCommandBuffer handle, const struct recorded_dispatch *dispatch) {
    if (dispatch && dispatch->queries) timestamp(device, handle, dispatch, 1);
    if (!dispatch || !dispatch->copied) return;
    begin_copies(device, handle);
    copy_operands(device, handle, dispatch, true);
    end_copies(device, handle);
}

VKAPI_ATTR void VKAPI_CALL capture_CmdDispatch(VkCommandBuffer handle, uint32_t x, uint32_t y, uint32_t z) {
    struct vk_device *device = device_of(handle);
    struct recorded_dispatch *dispatch = before(device, handle, &(struct asked){.grid = {x, y, z}});
    device->call.CmdDispatch(handle, x, y, z);
    after(device, handle, dispatch);
}

VKAPI_ATTR void VKAPI_CALL capture_CmdDispatchBase(
    VkCommandBuffer handle, uint32_t bx, uint32_t by, uint32_t bz, uint32_t x, uint32_t y, uint32_t z) {
    struct vk_device *device = device_of(handle);
    struct recorded_dispatch *dispatch =
        before(device, handle, &(struct asked){.grid = {x, y, z}, .base = {bx, by, bz}});
    device->call.CmdDispatchBase(handle, bx, by, bz, x, y, z);
    after(device, handle, dispatch);
}

VKAPI_ATTR void VKAPI_CALL capture_CmdDispatchIndirect(VkCommandBuffer handle, VkBuffer buffer, VkDeviceSize offset) {
    struct vk_device *device = device_of(handle);
    struct recorded_dispatch *dispatch = before(device, handle, &(struct asked){.indirect = buffer, .offset = offset});
    device->call.CmdDispatchIndirect(handle, buffer, offset);
    after(device, handle, dispatch);
}

VKAPI_ATTR void VKAPI_CALL capture_CmdExecuteCommands(
    VkCommandBuffer handle, uint32_t count, const VkCommandBuffer *buffers) {
    struct vk_device *device = device_of(handle);
    state_lock();
    struct vk_commands *commands = commands_of(device, handle);
    for (uint32_t i = 0; commands && commands->recording && i < count; i++) {
        struct vk_commands *secondary = commands_of(device, buffers[i]);
        if (secondary && secondary->recording) recording_execute(commands->recording, secondary->recording);
    }
    state_unlock();
    device->call.CmdExecuteCommands(handle, count, buffers);
}
