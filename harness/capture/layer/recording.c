// SPDX-License-Identifier: Apache-2.0
#include "recording.h"
#include "shaders.h"

#include <stdlib.h>

struct recording *recording_make(struct vk_device *device, uint32_t family, bool once) {
    struct recording *recording = calloc(1, sizeof *recording);
    if (recording) *recording = (struct recording){.refs = 1, .device = device, .family = family, .once = once};
    return recording;
}

void dispatch_unplan(struct recorded_dispatch *dispatch) {
    if (dispatch->planned && dispatch->kind) dispatch->kind->planned--;
    dispatch->planned = false;
}

static void dispatch_release(struct recorded_dispatch *dispatch) {
    if (!dispatch->done) dispatch_unplan(dispatch);
    pipeline_release(dispatch->pipeline);
    free(dispatch->push);
    free(dispatch->operands);
    free(dispatch);
}

void recording_release(struct recording *recording) {
    if (!recording || --recording->refs) return;
    struct vk_device *device = recording->device;
    for (size_t i = 0; i < recording->count; i++) {
        if (recording->items[i].dispatch) dispatch_release(recording->items[i].dispatch);
        recording_release(recording->items[i].secondary);
    }
    staging_release(device, recording->chunks);
    while (recording->queries) {
        struct query_block *block = recording->queries;
        recording->queries = block->next;
        device->call.DestroyQueryPool(device->handle, block->pool, NULL);
        free(block);
    }
    free(recording->items);
    free(recording);
}

static struct recorded_item *add(struct recording *recording) {
    if (recording->count == recording->room) {
        const size_t room = recording->room ? recording->room * 2 : 16;
        struct recorded_item *items = realloc(recording->items, room * sizeof *items);
        if (!items) return NULL;
        recording->items = items;
        recording->room = room;
    }
    struct recorded_item *item = &recording->items[recording->count++];
    *item = (struct recorded_item){0};
    return item;
}

struct recorded_dispatch *recording_dispatch(struct recording *recording) {
    struct recorded_dispatch *dispatch = calloc(1, sizeof *dispatch);
    struct recorded_item *item = dispatch ? add(recording) : NULL;
    if (!item) {
        free(dispatch);
        return NULL;
    }
    recording->dispatches++;
    return item->dispatch = dispatch;
}

bool recording_execute(struct recording *recording, struct recording *secondary) {
    struct recorded_item *item = add(recording);
    if (!item) return false;
    item->secondary = secondary;
    secondary->refs++;
    recording->dispatches += secondary->dispatches;
    return true;
}

void recording_submit(struct recording *recording, uint64_t clock) {
    recording->clock = clock;
    for (size_t i = 0; i < recording->count; i++)
        if (recording->items[i].secondary) recording_submit(recording->items[i].secondary, clock);
}
