// SPDX-License-Identifier: Apache-2.0
// The content of a command buffer: its dispatches, and the copies of their operands. A recording lives as long
// as its command buffer has it, or a submission of it is not yet read. All functions expect the lock.
#ifndef VKASSAY_CAPTURE_RECORDING_H
#define VKASSAY_CAPTURE_RECORDING_H

#include "signatures.h"
#include "staging.h"
#include "state.h"

struct recorded_operand {
    uint32_t set, binding, index;
    bool uniform, small;        // small: its content belongs to the signature
    uint64_t memory;            // number of its memory
    VkDeviceSize offset, bytes; // in the memory
    VkBuffer buffer;            // only while the dispatch is recorded
    VkDeviceSize buffer_offset;
    struct stage_place before, after;
};

// Pairs of timestamps.
struct query_block {
    struct query_block *next;
    VkQueryPool pool;
    uint32_t used;
};

struct recorded_dispatch {
    struct vk_pipeline *pipeline; // NULL: not known
    uint32_t grid[3], base[3];
    bool indirect;
    struct stage_place indirect_grid;
    enum not_recorded reason;
    bool planned, copied; // a copy is planned for its kind; all operands are copied
    bool late;            // uniforms or an indirect grid belong to the signature
    bool facts;           // these are copied
    bool done;            // written
    unsigned char *push;  // push_bytes of the pipeline
    struct recorded_operand *operands;
    uint32_t operand_count;
    struct content_hash hash; // of all facts known before it runs
    uint64_t uncounted;       // executions followed by another before their facts were read
    struct seen_kind *kind;
    struct query_block *queries; // NULL: no times
    uint32_t query;
};

struct recording {
    int refs;
    struct vk_device *device;
    uint32_t family; // of queues
    bool once;       // the buffer is submitted once
    uint64_t clock;  // of its last submission
    struct recorded_item {
        struct recorded_dispatch *dispatch; // or:
        struct recording *secondary;
    } * items;
    size_t count, room;
    uint64_t dispatches; // also of secondary buffers
    struct stage_chunk *chunks;
    struct query_block *queries;
};

struct recording *recording_make(struct vk_device *device, uint32_t family, bool once); // NULL: memory is out
void recording_release(struct recording *recording);                                    // NULL: nothing to do

// Adds an empty dispatch, or a secondary buffer's recording. NULL, false: memory is out.
struct recorded_dispatch *recording_dispatch(struct recording *recording);
bool recording_execute(struct recording *recording, struct recording *secondary);

// Marks the beginning of a submission, for secondary buffers too. Their copies are then no longer of an earlier one.
void recording_submit(struct recording *recording, uint64_t clock);

// Gives back the copies planned for a dispatch: a later one may need them.
void dispatch_unplan(struct recorded_dispatch *dispatch);

#endif
