// SPDX-License-Identifier: Apache-2.0
#include "reading.h"
#include "output.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- a dispatch after its run

// One execution of a dispatch.
struct execution {
    const struct vk_submission *submission;
    struct recording *recording;
    struct recorded_dispatch *dispatch;
    uint64_t number;
    struct content_hash signature;
    bool has_time;
    uint64_t ns;
};

static const unsigned char *bytes_at(const struct stage_place *place) {
    return place->chunk->bytes + place->offset;
}

// Adds the grid of an indirect dispatch and the content of small uniforms to the signature.
static void add_facts(struct recorded_dispatch *dispatch, struct content_hash *hash) {
    if (dispatch->indirect) {
        memcpy(dispatch->grid, bytes_at(&dispatch->indirect_grid), sizeof dispatch->grid);
        *hash = signature_join(*hash, dispatch->grid, sizeof dispatch->grid);
    }
    for (uint32_t i = 0; i < dispatch->operand_count; i++) {
        const struct recorded_operand *operand = &dispatch->operands[i];
        if (operand->small) *hash = signature_join(*hash, bytes_at(&operand->before), (size_t)operand->bytes);
    }
}

static void read_time(struct execution *run) {
    const struct vk_device *device = run->recording->device;
    const uint32_t bits = device->timestamp_bits[run->recording->family & 31];
    uint64_t ticks[2];
    if (!run->dispatch->queries ||
        device->call.GetQueryPoolResults(device->handle, run->dispatch->queries->pool, run->dispatch->query, 2,
            sizeof ticks, ticks, sizeof *ticks, VK_QUERY_RESULT_64_BIT) != VK_SUCCESS)
        return;
    const uint64_t mask = bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    run->ns = (uint64_t)((double)((ticks[1] - ticks[0]) & mask) * device->timestamp_ns);
    run->has_time = true;
}

// ---- lines

static enum not_recorded reason_of(enum output_outcome outcome) {
    return outcome == OUTPUT_WRITTEN ? RECORDED : outcome == OUTPUT_FULL ? NO_BYTES : NO_FILE;
}

static void put_constants(struct json_line *line, const struct vk_pipeline *pipeline) {
    for (uint32_t i = 0; i < pipeline->constant_count; i++) {
        const VkSpecializationMapEntry *constant = &pipeline->constants[i];
        json_line_format(line, "%s{\"id\":%u,\"bytes\":", i ? "," : "", constant->constantID);
        json_line_hex(line, pipeline->constant_data + constant->offset, constant->size);
        json_line_format(line, "}");
    }
}

// Writes the module and the line of a pipeline. `name` may be NULL.
static void write_pipeline(const struct vk_pipeline *pipeline, int number, int device, const char *name) {
    struct json_line line = {0};
    output_file(true, pipeline->module->hash, pipeline->module->code, pipeline->module->bytes);
    json_line_format(&line, "{\"pipeline\":%d,\"device\":%d,\"module\":", number, device);
    json_line_hash(&line, pipeline->module->hash);
    json_line_format(&line, ",\"entry\":");
    json_line_string(&line, pipeline->entry);
    json_line_format(
        &line, pipeline->subgroup_size ? ",\"subgroup_size\":%u" : ",\"subgroup_size\":null", pipeline->subgroup_size);
    json_line_format(&line, ",\"full_subgroups\":%s,\"constants\":[", pipeline->full_subgroups ? "true" : "false");
    put_constants(&line, pipeline);
    json_line_format(&line, "],\"push_bytes\":%u", pipeline->push_bytes);
    if (name) {
        json_line_format(&line, ",\"name\":");
        json_line_string(&line, name);
    }
    json_line_format(&line, "}");
    output_line(&line);
    json_line_free(&line);
}

// Writes a copy to the file of its hash. The device may write to a command buffer's copies again meanwhile:
// then the bytes are taken first.
static enum not_recorded write_copy(
    const struct execution *run, const struct stage_place *place, VkDeviceSize size, struct content_hash *hash) {
    const unsigned char *bytes = bytes_at(place);
    unsigned char *taken = NULL;
    if (!run->recording->once) {
        taken = malloc((size_t)size + 1);
        if (!taken) return NO_MEMORY;
        memcpy(taken, bytes, (size_t)size);
        bytes = taken;
    }
    *hash = content_hash(bytes, (size_t)size);
    const enum output_outcome outcome = output_file(false, *hash, bytes, (size_t)size);
    free(taken);
    return reason_of(outcome);
}

static enum not_recorded put_operand(
    const struct execution *run, const struct recorded_operand *operand, struct json_line *line) {
    struct content_hash hash;
    enum not_recorded reason = write_copy(run, &operand->before, operand->bytes, &hash);
    json_line_format(line,
        "{\"set\":%u,\"binding\":%u,\"index\":%u,\"type\":\"%s\",\"offset\":%" PRIu64 ",\"bytes\":%" PRIu64
        ",\"memory\":%" PRIu64 ",\"before\":",
        operand->set, operand->binding, operand->index, operand->uniform ? "uniform" : "storage", operand->offset,
        operand->bytes, operand->memory);
    json_line_hash(line, hash);
    json_line_format(line, ",\"after\":");
    if (operand->uniform || reason != RECORDED) {
        json_line_format(line, "null}");
        return reason;
    }
    reason = write_copy(run, &operand->after, operand->bytes, &hash);
    json_line_hash(line, hash);
    json_line_format(line, "}");
    return reason;
}

// Writes the operands, and then makes the line of the dispatch.
static enum not_recorded put_dispatch(const struct execution *run, int pipeline, struct json_line *line) {
    const struct recorded_dispatch *dispatch = run->dispatch;
    const uint32_t *grid = dispatch->grid, *base = dispatch->base;
    json_line_format(line,
        "{\"dispatch\":%" PRIu64 ",\"pipeline\":%d,\"grid\":[%u,%u,%u],\"base\":[%u,%u,%u],\"indirect\":%s,\"push\":",
        run->number, pipeline, grid[0], grid[1], grid[2], base[0], base[1], base[2],
        dispatch->indirect ? "true" : "false");
    json_line_hex(line, dispatch->push, dispatch->pipeline->push_bytes);
    json_line_format(line, ",\"operands\":[");
    for (uint32_t i = 0; i < dispatch->operand_count; i++) {
        if (i) json_line_format(line, ",");
        const enum not_recorded reason = put_operand(run, &dispatch->operands[i], line);
        if (reason != RECORDED) return reason;
    }
    json_line_format(line, "],\"signature\":");
    json_line_hash(line, run->signature);
    if (run->recording->device->number) json_line_format(line, ",\"device\":%d", run->recording->device->number);
    json_line_format(line, run->has_time ? ",\"ns\":%" PRIu64 "}" : ",\"ns\":null}", run->ns);
    return line->failed ? NO_MEMORY : RECORDED;
}

// ---- reading

// Expects the lock, and releases it while files are written.
static void record(struct execution *run, struct seen_signature *signature, int pipeline) {
    struct json_line line = {0};
    signature->kept = true;
    state_unlock();
    enum not_recorded reason = put_dispatch(run, pipeline, &line);
    state_lock();
    const bool torn = run->recording->clock != run->submission->clock;
    if (!torn && reason == RECORDED && !output_line(&line)) reason = NO_FILE;
    signature->kept = !torn && reason == RECORDED;
    if (signature->kept) {
        run->dispatch->done = true;
        dispatch_is_recorded();
    } else if (!torn) { // a later submission has its own copies
        signature->reason = reason;
        dispatch_is_not_recorded(reason);
    }
    json_line_free(&line);
}

// Returns the number of the line of the dispatch's pipeline. Expects the lock.
static int number_pipeline(struct vk_device *device, struct vk_pipeline *pipeline) {
    bool is_new = false;
    if (pipeline->number < 0) pipeline->number = pipeline_number(pipeline->content, device->number, &is_new);
    if (is_new) write_pipeline(pipeline, pipeline->number, device->number, pipeline->name);
    return pipeline->number;
}

static void count_execution(const struct execution *run, struct seen_signature *signature) {
    signature->count += 1 + run->dispatch->uncounted;
    run->dispatch->uncounted = 0;
    signature->timed += run->has_time;
    signature->ns += run->ns;
    signature->uncopied += run->dispatch->reason == RECORDED && !run->dispatch->copied;
}

// Expects the lock.
static void read_dispatch(struct execution *run) {
    struct recorded_dispatch *dispatch = run->dispatch;
    const bool latest = run->recording->clock == run->submission->clock;
    if (dispatch->facts && !latest) {
        dispatch->uncounted++;
        return;
    }
    if (latest) read_time(run);
    run->signature = dispatch->hash;
    if (dispatch->facts) add_facts(dispatch, &run->signature);
    const int pipeline = dispatch->kind ? number_pipeline(run->recording->device, dispatch->pipeline) : 0;
    struct seen_signature *signature = dispatch->kind ? signature_of(run->signature, dispatch->kind, pipeline) : NULL;
    if (signature) count_execution(run, signature);
    if (dispatch->reason != RECORDED)
        dispatch_is_not_recorded(dispatch->reason);
    else if (!signature)
        dispatch_is_not_recorded(NO_MEMORY);
    else if (dispatch->copied && latest && !signature->kept && !dispatch->done)
        record(run, signature, pipeline);
    if (latest) dispatch->planned = false; // its copy is used, whether or not it was needed
}

static void read_recording(const struct vk_submission *submission, struct recording *recording, uint64_t *number) {
    for (size_t i = 0; i < recording->count; i++) {
        const struct recorded_item *item = &recording->items[i];
        if (item->secondary) {
            read_recording(submission, item->secondary, number);
            continue;
        }
        struct execution run = {
            .submission = submission, .recording = recording, .dispatch = item->dispatch, .number = (*number)++};
        read_dispatch(&run);
    }
}

static void fetch(struct vk_device *device, const struct recording *recording) {
    staging_fetch(device, recording->chunks);
    for (size_t i = 0; i < recording->count; i++)
        if (recording->items[i].secondary) fetch(device, recording->items[i].secondary);
}

static void read_submission(struct vk_device *device, const struct vk_submission *submission) {
    uint64_t number = submission->first;
    for (size_t i = 0; i < submission->count; i++) {
        fetch(device, submission->recordings[i]);
        read_recording(submission, submission->recordings[i], &number);
    }
}

// ---- submissions

void submission_release(struct vk_submission *submission) {
    for (size_t i = 0; i < submission->count; i++) recording_release(submission->recordings[i]);
    free(submission);
}

void reading_lose(struct vk_submission *submission) {
    for (size_t i = 0; i < submission->count; i++)
        for (uint64_t d = 0; d < submission->recordings[i]->dispatches; d++) dispatch_is_not_recorded(NO_FENCE);
    submission_release(submission);
}

VkFence fence_take(struct vk_device *device) {
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence = VK_NULL_HANDLE;
    if (device->fence_count) return device->fences[--device->fence_count];
    return device->call.CreateFence(device->handle, &info, NULL, &fence) == VK_SUCCESS ? fence : VK_NULL_HANDLE;
}

static void fence_give(struct vk_device *device, VkFence fence) {
    const int room = (int)(sizeof device->fences / sizeof *device->fences);
    if (device->fence_count < room && device->call.ResetFences(device->handle, 1, &fence) == VK_SUCCESS)
        device->fences[device->fence_count++] = fence;
    else
        device->call.DestroyFence(device->handle, fence, NULL);
}

// Reads the oldest submission. Expects the lock, and releases it while it waits.
static void read_oldest(struct vk_device *device) {
    struct vk_submission *submission = device->pending;
    state_unlock();
    const VkResult result = device->call.WaitForFences(device->handle, 1, &submission->fence, VK_TRUE, UINT64_MAX);
    state_lock();
    device->reading = true;
    if (result == VK_SUCCESS) read_submission(device, submission);
    fence_give(device, submission->fence);
    device->pending = submission->next;
    if (!device->pending) device->pending_end = &device->pending;
    if (result == VK_SUCCESS)
        submission_release(submission);
    else
        reading_lose(submission);
    device->reading = false;
    pthread_cond_broadcast(&device->changed);
}

static void *thread_main(void *user) {
    struct vk_device *device = user;
    state_lock();
    while (device->pending || !device->stopping)
        if (device->pending)
            read_oldest(device);
        else
            state_wait(&device->changed);
    state_unlock();
    return NULL;
}

// The program's signals are for its own threads.
static bool start(struct vk_device *device) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    device->has_thread = pthread_create(&device->thread, NULL, thread_main, device) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return device->has_thread;
}

bool reading_push(struct vk_device *device, struct vk_submission *submission) {
    if (!device->has_thread && !start(device)) return false;
    *device->pending_end = submission;
    device->pending_end = &submission->next;
    pthread_cond_broadcast(&device->changed);
    return true;
}

void reading_end(struct vk_device *device) {
    state_lock();
    const bool has_thread = device->has_thread;
    device->stopping = true;
    pthread_cond_broadcast(&device->changed);
    state_unlock();
    if (has_thread) pthread_join(device->thread, NULL);
    device->has_thread = false;
    while (device->fence_count) device->call.DestroyFence(device->handle, device->fences[--device->fence_count], NULL);
}

void reading_forget(struct vk_device *device, void *unused) {
    (void)unused;
    device->has_thread = false;
    device->pending = NULL;
    device->pending_end = &device->pending;
}

static void is_pending(struct vk_device *device, void *user) {
    if (device->pending) *(bool *)user = true;
}

void reading_wait(int seconds) {
    const struct timespec pause = {.tv_nsec = 5000000};
    for (int i = 0; i < seconds * 200; i++) {
        bool pending = false;
        state_lock();
        devices_each(is_pending, &pending);
        state_unlock();
        if (!pending) return;
        nanosleep(&pause, NULL);
    }
}
