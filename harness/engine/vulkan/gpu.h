// SPDX-License-Identifier: Apache-2.0
// The thin Vulkan layer: instance, device, buffers, programs, recorded work, timestamps. The layers above do not
// include vulkan.h. Every VkResult is checked. The kind of an error distinguishes a lost device, out of memory, a
// timeout, a missing ability of the device, and other driver failures.
#ifndef VKASSAY_DEVICE_GPU_H
#define VKASSAY_DEVICE_GPU_H

#include "../../base/arena.h"
#include "../../device/limits.h"
#include "../../base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct device_info;
struct gpu;

struct gpu_options {
    bool validate;     // enables VK_LAYER_KHRONOS_validation with core and synchronization checks
    bool gpu_assisted; // also checks accesses of shaders; the layer rewrites them, and drivers compile them slowly
    const char *cache_folder; // of the pipeline cache file; NULL: the file is neither read nor written
    int threads;              // thread limit requested from a driver on the host's cores; 0: the driver's default
    bool anew;                // drivers compile everything again; caches of earlier runs are neither read nor extended
    bool disassembles;        // drivers keep texts of the machine code (program_disassembly)
    bool transfer;            // also opens a queue of a family that only copies, if there is one
};

// Lists the loader's devices with a compute queue and Vulkan 1.1, in the loader's order and in the arena. Without a
// loader or a driver, count is 0 and the function returns true.
bool gpu_enumerate(struct arena *arena, struct device_info **devices, size_t *count, struct error *err);

// Returns whether the Khronos validation layer is installed.
bool gpu_validates(void);

// Opens the device with the device_uuid of `info` (and its index, if several have that UUID). Enables every feature
// of the device that this program uses. A damaged pipeline cache file is ignored with a line on stderr.
struct gpu *gpu_open(const struct device_info *info, const struct gpu_options *options, struct error *err);
void gpu_close(struct gpu *gpu);       // writes the pipeline cache; accepts NULL
void gpu_cache_write(struct gpu *gpu); // writes it now, if its contents changed

const struct device_info *gpu_info(const struct gpu *gpu);

// Returns whether this process should end after the error: the device is lost, does not answer, or the driver failed.
bool gpu_is_over(const struct error *err);

// Returns the number of the validation layer's findings so far (errors only). The first texts are also printed to
// stderr.
unsigned gpu_validation_messages(const struct gpu *gpu);
// Returns the text of the first finding since the last call; "" if there was none.
const char *gpu_validation_text(struct gpu *gpu);

// The bytes of all buffers on the device, except staging buffers. gpu_memory_used returns their current sum, and
// gpu_memory_peak the largest sum since the last gpu_memory_begin.
uint64_t gpu_memory_used(const struct gpu *gpu);
uint64_t gpu_memory_peak(const struct gpu *gpu);
void gpu_memory_begin(struct gpu *gpu);

// Counts pipelines found and not found in the pipeline cache, as the driver reports
// (VK_EXT_pipeline_creation_feedback). Both are 0 if the driver reports nothing.
void gpu_cache_counts(const struct gpu *gpu, uint64_t *hits, uint64_t *misses);

// ---- buffers ----
enum buffer_kind {
    BUFFER_DEVICE,   // device-local; storage, copy source and destination
    BUFFER_UNIFORM,  // device-local; uniform, copy destination
    BUFFER_UPLOAD,   // host-visible, for writing by the host; mapped for its whole life
    BUFFER_READBACK, // host-visible and, if possible, cached; mapped for its whole life
    BUFFER_MAPPED,   // device-local and host-visible; mapped for its whole life. ERROR_SKIP: there is no such memory
};
struct buffer {
    struct buffer_handle *handle;
    uint64_t bytes;
    void *host; // NULL for BUFFER_DEVICE and BUFFER_UNIFORM
};
bool buffer_create(struct gpu *gpu, enum buffer_kind kind, uint64_t bytes, struct buffer *out, struct error *err);
// Like buffer_create, but reuses memory of a destroyed buffer if a piece fits; its contents are stale. Only memory of
// buffers created by this function is reused.
bool buffer_recycle(struct gpu *gpu, enum buffer_kind kind, uint64_t bytes, struct buffer *out, struct error *err);
void buffer_destroy(struct gpu *gpu, struct buffer *buffer); // accepts a zeroed buffer
// If memory is not coherent, buffer_flush makes host writes visible to the device, and buffer_invalidate makes device
// writes visible to the host.
bool buffer_flush(struct gpu *gpu, const struct buffer *buffer, struct error *err);
bool buffer_invalidate(struct gpu *gpu, const struct buffer *buffer, struct error *err);

// ---- programs ----
struct program;
// The place of a buffer in the descriptor sets.
struct slot {
    uint32_t set, binding; // set below PROGRAM_SETS
    bool uniform;          // a uniform buffer; otherwise a storage buffer
};
struct program_desc {
    const char *label; // for debug tools and errors
    const uint32_t *spirv;
    size_t words;
    const char *entry; // NULL: "main"
    int bindings;
    const struct slot *slots; // one for each binding; NULL: storage buffers at set 0, binding 0 .. bindings-1
    int push_bytes;
    struct {
        uint32_t id;
        uint32_t value;
    } constants[PROGRAM_CONSTANTS]; // specialization constants, 32-bit
    int constant_count;
    uint32_t subgroup_size; // 0: the driver's choice; otherwise requiredSubgroupSize
    bool uncached;          // created without the pipeline cache
};
// Creates a program. *compile_ns (may be NULL) receives the duration of the call, mostly pipeline creation. Several
// threads may call it at once.
struct program *program_create(
    struct gpu *gpu, const struct program_desc *desc, int64_t *compile_ns, struct error *err);
void program_destroy(struct gpu *gpu, struct program *program);

// In between, program_create also compiles for drivers that would delay it to a program's first dispatch. Call both
// from one thread, without work running on the device. Useful only while several threads create programs.
void gpu_prebuild_begin(struct gpu *gpu);
void gpu_prebuild_end(struct gpu *gpu);

// Returns the driver's statistics of a program's machine code, under the driver's names: registers, spills, bytes of
// shared memory, ... They need VK_KHR_pipeline_executable_properties (the feature pipeline_statistics). NULL and
// count 0: there are none.
enum { PROGRAM_STATISTICS = 32 };
struct program_statistic {
    char name[64];
    double value;
};
const struct program_statistic *program_statistics(const struct program *program, int *count);

// Appends the driver's texts of a program's code: intermediate code and assembly. Needs the option `disassembles` and
// the feature pipeline_statistics. Appends nothing if the driver gives no text.
struct text;
void program_disassembly(struct gpu *gpu, const struct program *program, struct text *out);

// ---- work ----
// A recording of commands, submitted once or many times. Its buffers and programs must outlive it.
struct work;
struct binding {
    const struct buffer *buffer;
    uint64_t offset, bytes; // offset a multiple of storage_alignment
};
// Creates a recording with room for `timestamps` timestamps.
struct work *work_create(struct gpu *gpu, int timestamps, struct error *err);
void work_destroy(struct gpu *gpu, struct work *work);
// Creates a recording for the transfer queue, for copies only. ERROR_SKIP: the device was opened without such a
// queue, or has none.
struct work *work_create_transfer(struct gpu *gpu, struct error *err);

// Starts a recording and drops the previous one.
bool work_begin(struct gpu *gpu, struct work *work, struct error *err);
void work_copy(struct work *work, const struct buffer *from, uint64_t from_offset, const struct buffer *to,
    uint64_t to_offset, uint64_t bytes);
void work_fill(struct work *work, const struct buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t word);
bool work_dispatch(struct gpu *gpu, struct work *work, const struct program *program, const struct binding *bindings,
    const void *push, const uint32_t groups[3], struct error *err);
// Adds an execution and memory barrier between earlier and later dispatches and copies. Host access is not part of
// it: work_end makes everything visible to the host, and submission makes host writes visible to the device.
void work_barrier(struct work *work);
// Writes timestamp number `index`. A full execution barrier precedes it, so earlier work is done. A full barrier also
// follows a timestamp that `opens` an interval, because the specification lets later work start before a timestamp is
// written.
void work_timestamp(struct work *work, int index, bool opens);
bool work_end(struct gpu *gpu, struct work *work, struct error *err);

// Submits the recording and waits. `timeout_s` bounds the wait (ERROR_TIMEOUT). The host's time from the call of
// vkQueueSubmit until the wait returned goes to *host_ns. The duration of the vkQueueSubmit call goes to *submit_ns.
// Both may be NULL.
//
// After a timeout or the loss of the device no more work runs. Destroying objects then releases no driver memory,
// because that could wait forever; the process should end soon. A driver may run work inside vkQueueSubmit. Then this
// timeout has no effect, and a watcher of the process must enforce it.
bool work_run(
    struct gpu *gpu, struct work *work, double timeout_s, int64_t *host_ns, int64_t *submit_ns, struct error *err);

// Submits all recordings in order and waits once, for the last. *host_ns starts at the first submission; *submit_ns
// covers all calls of vkQueueSubmit. Both may be NULL. Timestamps are not read.
bool work_run_queued(struct gpu *gpu, struct work *const *works, size_t count, double timeout_s, int64_t *host_ns,
    int64_t *submit_ns, struct error *err);

// Submits both, the second directly after the first, and waits for both. *host_ns starts at the first submission.
bool work_run_both(
    struct gpu *gpu, struct work *a, struct work *b, double timeout_s, int64_t *host_ns, struct error *err);

// Reads timestamp number `index` of the last run, as the device wrote it. False: the recording has no such timestamp,
// or the device did not write it.
bool work_ticks(const struct work *work, int index, uint64_t *ticks);

// Converts ticks to nanoseconds: takes the difference modulo 2^valid_bits and scales it as a double.
double timestamp_difference_ns(uint64_t from, uint64_t to, uint32_t valid_bits, double period_ns);

#endif
