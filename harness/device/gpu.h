// SPDX-License-Identifier: Apache-2.0
// The thin Vulkan layer: instance, device, buffers, programs, recorded work, timestamps. Nothing
// above this folder includes vulkan.h. Every VkResult is checked; an error's kind says whether the
// device is lost, more memory was asked for than there is, time ran out, the device lacks something,
// or the driver failed in another way.
#ifndef VKASSAY_DEVICE_GPU_H
#define VKASSAY_DEVICE_GPU_H

#include "limits.h"

#include <stddef.h>

struct gpu;

struct gpu_options {
    bool validate;     // VK_LAYER_KHRONOS_validation, core and synchronization checks
    bool gpu_assisted; // its checks of what shaders access too: it rewrites them, and a driver takes long over that
    const char *cache_folder; // for the pipeline cache file; NULL: none is read or written
    int threads;              // that a driver on the host's cores is asked to make do with; 0: as it likes
    bool anew;                // drivers compile anew: what they keep of earlier runs is not looked at, nor added to
    bool transfer;            // a second queue too, of a family that copies and does not compute, where there is one
};

// Every device the loader knows with a compute queue and Vulkan 1.1; in the loader's order, in the
// arena. A machine with no loader or no driver gives count 0 and true.
bool gpu_enumerate(struct arena *arena, struct device_info **devices, size_t *count, struct error *err);

// Whether the Khronos validation layer is installed.
bool gpu_validates(void);

// Opens the device whose device_uuid (and index, among equals) is that of `info`, with every
// feature it has enabled. A damaged pipeline cache file is ignored with a line on stderr.
struct gpu *gpu_open(const struct device_info *info, const struct gpu_options *options, struct error *err);
void gpu_close(struct gpu *gpu);       // writes the pipeline cache; accepts NULL
void gpu_cache_write(struct gpu *gpu); // writes it now, if it has grown

const struct device_info *gpu_info(const struct gpu *gpu);

// Whether this process should end after that error: its device is lost, does not answer, or failed in a way of its own.
bool gpu_is_over(const struct error *err);

// Findings of the validation layer so far (errors only); the first texts go to stderr as
// they come.
unsigned gpu_validation_messages(const struct gpu *gpu);
// The text of the first message since the text was last asked for, "" when there was none.
const char *gpu_validation_text(struct gpu *gpu);

// Bytes of buffers on the device now, without those that are staged through; and the most that there were since the
// peak was begun anew.
uint64_t gpu_memory_used(const struct gpu *gpu);
uint64_t gpu_memory_peak(const struct gpu *gpu);
void gpu_memory_begin(struct gpu *gpu);

// Pipelines made through the cache, which it had and had not, as the driver says (VK_EXT_pipeline_creation_feedback);
// both 0 where it says nothing.
void gpu_cache_counts(const struct gpu *gpu, uint64_t *hits, uint64_t *misses);

// ---- buffers ----
enum buffer_kind {
    BUFFER_DEVICE,   // device-local; storage, copy source and destination
    BUFFER_UNIFORM,  // device-local; uniform, copy destination
    BUFFER_UPLOAD,   // host-visible, for writing by the host; mapped for as long as it lives
    BUFFER_READBACK, // host-visible and cached where there is such memory; mapped likewise
    BUFFER_MAPPED,   // device-local and host-visible both; mapped likewise. ERROR_SKIP where there is no such memory
};
struct buffer {
    struct buffer_handle *handle;
    uint64_t bytes;
    void *host; // NULL for BUFFER_DEVICE and BUFFER_UNIFORM
};
bool buffer_create(struct gpu *gpu, enum buffer_kind kind, uint64_t bytes, struct buffer *out, struct error *err);
// The same, in memory that an earlier buffer made this way has left, where there is a piece for it: what it holds is
// what that one held.
bool buffer_recycle(struct gpu *gpu, enum buffer_kind kind, uint64_t bytes, struct buffer *out, struct error *err);
void buffer_destroy(struct gpu *gpu, struct buffer *buffer); // accepts a zeroed one
// Makes host writes visible to the device, or device writes visible to the host, where memory is
// not coherent.
bool buffer_flush(struct gpu *gpu, const struct buffer *buffer, struct error *err);
bool buffer_invalidate(struct gpu *gpu, const struct buffer *buffer, struct error *err);

// ---- programs ----
enum { PROGRAM_BINDINGS = 16, PROGRAM_CONSTANTS = 40, PROGRAM_PUSH_BYTES = 128 };
enum { PROGRAM_SETS = 4 }; // that every device has (maxBoundDescriptorSets)
struct program;
// Where a buffer is bound.
struct slot {
    uint32_t set, binding; // set below PROGRAM_SETS
    bool uniform;          // a uniform buffer, else a storage buffer
};
struct program_desc {
    const char *label; // for debug tools and errors
    const uint32_t *spirv;
    size_t words;
    const char *entry; // NULL: "main"
    int bindings;
    const struct slot *slots; // of each; NULL: storage buffers at set 0, binding 0 .. bindings-1
    int push_bytes;
    struct {
        uint32_t id;
        uint32_t value;
    } constants[PROGRAM_CONSTANTS]; // specialization constants, 32-bit
    int constant_count;
    uint32_t subgroup_size; // 0: the driver's choice; otherwise requiredSubgroupSize
    bool uncached;          // without the pipeline cache
};
// The time that pipeline creation took goes to *compile_ns (may be NULL). May be called from several
// threads at once.
struct program *program_create(
    struct gpu *gpu, const struct program_desc *desc, int64_t *compile_ns, struct error *err);
void program_destroy(struct gpu *gpu, struct program *program);

// What the driver tells of a program's machine code, by the names that it gives: registers, spills, bytes of shared
// memory, ... (VK_KHR_pipeline_executable_properties, the feature pipeline_statistics). NULL and 0: nothing.
enum { PROGRAM_STATISTICS = 32 };
struct program_statistic {
    char name[64];
    double value;
};
const struct program_statistic *program_statistics(const struct program *program, int *count);

// ---- work ----
// A recording of commands that is submitted once or many times. Buffers and programs in it must
// outlive it.
struct work;
struct binding {
    const struct buffer *buffer;
    uint64_t offset, bytes; // offset a multiple of storage_alignment
};
// With room for that many timestamps.
struct work *work_create(struct gpu *gpu, int timestamps, struct error *err);
void work_destroy(struct gpu *gpu, struct work *work);
// For the transfer queue, which takes copies alone. ERROR_SKIP where the device was opened without one or has none.
struct work *work_create_transfer(struct gpu *gpu, struct error *err);

// Drops what was recorded before.
bool work_begin(struct gpu *gpu, struct work *work, struct error *err);
void work_copy(struct work *work, const struct buffer *from, uint64_t from_offset, const struct buffer *to,
    uint64_t to_offset, uint64_t bytes);
void work_fill(struct work *work, const struct buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t word);
bool work_dispatch(struct gpu *gpu, struct work *work, const struct program *program, const struct binding *bindings,
    const void *push, const uint32_t groups[3], struct error *err);
// Execution and memory barrier between the dispatches and copies before and those after. work_end
// makes everything visible to the host; the submission makes what the host wrote visible to the
// device.
void work_barrier(struct work *work);
// Timestamp number `index`, fenced: a full execution barrier stands before it, so that earlier work
// is done, and after one that `opens` an interval, as the specification lets later work start
// before a timestamp is written.
void work_timestamp(struct work *work, int index, bool opens);
bool work_end(struct gpu *gpu, struct work *work, struct error *err);

// Submits and waits. `timeout_s` bounds the wait (ERROR_TIMEOUT). *host_ns (may be NULL): from the
// call of vkQueueSubmit until the wait returned, in host time; *submit_ns (may be NULL): the
// vkQueueSubmit call alone. After a timeout or the loss of the device no work runs any more, and
// destroying things releases none of the driver's memory, since that could wait for ever: the
// process should end soon. A driver that runs work inside vkQueueSubmit cannot be timed out from
// here; whoever watches the process must.
bool work_run(
    struct gpu *gpu, struct work *work, double timeout_s, int64_t *host_ns, int64_t *submit_ns, struct error *err);

// Submits all of them one behind the other, and waits once: for the last. *host_ns is from the first submission on,
// *submit_ns of all the calls of vkQueueSubmit; both may be NULL. Timestamps are not read.
bool work_run_queued(struct gpu *gpu, struct work *const *works, size_t count, double timeout_s, int64_t *host_ns,
    int64_t *submit_ns, struct error *err);

// Submits both, the second as soon as the first is, and waits for both; *host_ns is from the first submission on.
bool work_run_both(
    struct gpu *gpu, struct work *a, struct work *b, double timeout_s, int64_t *host_ns, struct error *err);

// Timestamp number `index` of the last run, as the device wrote it. False: it has no timestamps, or wrote none there.
bool work_ticks(const struct work *work, int index, uint64_t *ticks);

// Ticks to nanoseconds: the difference modulo 2^valid_bits, scaled as double.
double timestamp_difference_ns(uint64_t from, uint64_t to, uint32_t valid_bits, double period_ns);

#endif
