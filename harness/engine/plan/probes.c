// SPDX-License-Identifier: Apache-2.0
// The table of probes. Functions of the same names in harness/engine/run/probe*.c run them.
#include "probes.h"
#include "../../../reference/operator.h"

enum { MOST_EACH = 4096 };
static const int64_t most_bytes = (int64_t)1 << 30;

static const char *few(int64_t *dims) {
    return dims[0] <= MOST_EACH ? NULL : "at most 4096 can be asked for";
}

static const char *words(int64_t *dims) {
    return dims[0] % 4 == 0 && dims[0] <= most_bytes ? NULL : "bytes must be a multiple of 4 and at most 2^30";
}

static const char *words_each(int64_t *dims) {
    return dims[1] <= MOST_EACH ? words(dims) : "at most 4096 requests can be asked for";
}

static const char *aligned(int64_t *dims) {
    if (dims[0] > most_bytes / 4) return "n must be at most 2^28";
    return dims[1] % 4 == 0 && dims[1] <= 4096 ? NULL : "offset must be a multiple of 4 and at most 4096";
}

#define PROBE_OPERATOR(NAME, SUMMARY, DERIVE, ...)                                                                     \
    static const struct op NAME = {.name = #NAME,                                                                      \
        .family = "probe",                                                                                             \
        .summary = SUMMARY,                                                                                            \
        .formula = "",                                                                                                 \
        .source = "",                                                                                                  \
        .systems = "",                                                                                                 \
        .bound = "",                                                                                                   \
        .derive = DERIVE,                                                                                              \
        __VA_ARGS__}
PROBE_OPERATOR(allocate, "a buffer asked for and given back", words_each, .dims = {"bytes", "n"});
PROBE_OPERATOR(command, "the transfer commands on their own", words, .dims = {"bytes"});
PROBE_OPERATOR(create, "a tensor of one value, from nothing to device memory", words, .dims = {"bytes"});
PROBE_OPERATOR(download, "from the device to the host", words, .dims = {"bytes"});
PROBE_OPERATOR(memory, "the largest single buffer", few, .dims = {"n"});
PROBE_OPERATOR(offset, "where a binding starts", aligned, .dims = {"n", "offset"}, .zero_ok = {"offset"});
PROBE_OPERATOR(open, "from nothing to a device", few, .dims = {"n"});
PROBE_OPERATOR(overlap, "a copy beside computing", words, .dims = {"bytes"});
PROBE_OPERATOR(pipeline, "a compute pipeline made", few, .dims = {"n"});
PROBE_OPERATOR(shader, "GLSL to SPIR-V", few, .dims = {"n"});
PROBE_OPERATOR(submit, "small dispatches in one submission", few, .dims = {"k"});
PROBE_OPERATOR(upload, "from the host to the device", words, .dims = {"bytes"});

#define PROBE(OPERATOR, VARIANT, SUMMARY)                                                                              \
    &(const struct kernel) {                                                                                           \
        .name = #OPERATOR "." #VARIANT, .summary = SUMMARY, .op = &OPERATOR, .file = "", .folder = "", .probe = true,  \
        .dtypes = {                                                                                                    \
            [DTYPE_CASE] = true                                                                                        \
        }                                                                                                              \
    }
static const struct kernel *const table[] = {
    PROBE(allocate, plain, "n buffers of at most that many bytes, each allocated and freed"),
    PROBE(allocate, pool, "the same requests from a pool of powers of two"),
    PROBE(command, copy, "vkCmdCopyBuffer from one device buffer to another"),
    PROBE(command, fill, "vkCmdFillBuffer of a device buffer"),
    PROBE(create, device, "filled where it is"),
    PROBE(create, upload, "made by the host and uploaded through staging"),
    PROBE(download, mapped, "read where the device wrote it, in device memory that the host sees"),
    PROBE(download, per_call, "by a staging buffer that is made for each call"),
    PROBE(download, staged, "by a staging buffer that stays"),
    PROBE(memory, fragmented,
        "up to n equal buffers until one is refused, every second given back; then the largest that one can have"),
    PROBE(memory, ladder, "buffers of doubling size, up to one that is refused; the device is used afterwards"),
    PROBE(offset, copy, "n floats copied, both bindings that many bytes into their buffers"),
    PROBE(open, device, "n times in a row: instance, device and queue made and destroyed"),
    PROBE(overlap, queues, "a copy on a transfer queue while another queue computes for as long"),
    PROBE(overlap, serial, "the same copy and the same work one after the other on one queue"),
    PROBE(pipeline, cached, "n pipelines that the VkPipelineCache holds"),
    PROBE(pipeline, cold, "n pipelines that no cache holds"),
    PROBE(pipeline, kept, "n pipelines that the process has, found by their key"),
    PROBE(shader, cached, "n shaders that the cache folder holds"),
    PROBE(shader, compile, "n shaders compiled anew"),
    PROBE(submit, barriers, "k dispatches with a barrier after each"),
    PROBE(submit, each, "k dispatches, each submitted and waited for"),
    PROBE(submit, free, "k dispatches without barriers, of disjoint memory"),
    PROBE(submit, queued, "k dispatches, each submitted by itself, and one wait for all"),
    PROBE(upload, mapped, "written where the device reads it, in device memory that the host sees"),
    PROBE(upload, per_call, "by a staging buffer that is made for each call"),
    PROBE(upload, staged, "by a staging buffer that stays"),
};

const struct kernels *probes(void) {
    // Kernels are passed around as a list of pointers to constants. Nobody writes through the cast pointer.
    static const struct kernels all = {
        .items = (const struct kernel **)(uintptr_t)table, .count = sizeof table / sizeof *table};
    return &all;
}
