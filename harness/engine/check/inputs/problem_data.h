// SPDX-License-Identifier: Apache-2.0
// A case: the operands of a kernel's problem on host and device. It is kept while consecutive points have the same
// operator, dtype and dims, because making inputs costs more than running most kernels.
#ifndef VKASSAY_CHECK_PROBLEM_DATA_H
#define VKASSAY_CHECK_PROBLEM_DATA_H

#include "../../../base/memory.h"
#include "../../vulkan/gpu.h"
#include "../../../truth/judge/judge.h"
#include "../../../shader/manifest/kernel.h"
#include "../../plan/problem.h"
#include "../../plan/suite.h"
#include "../../program/program.h"
#include "../../../record/terms.h"

// The largest problem that also has a packed buffer.
enum { PACKED_BYTES = 16 << 20 };

struct operand_data {
    enum dtype dtype;
    enum role role;
    const struct operand_data *from; // of an output computed in place: its input; NULL: none
    bool is_fixed;                   // an input with `fixed` everywhere
    double fixed;
    int64_t elements;
    uint64_t bytes;  // of the packed elements
    uint64_t extent; // of its binding; equal to `bytes` if packed (strided.h)
    struct placing placing;
    uint32_t header[KERNEL_WORDS];
    int header_words;
    void *image;                  // inputs: the bytes given to the device; outputs: NULL
    double *as_double;            // inputs, for the reference; NULL for integers and outputs
    float *as_float;              // of f32: the image itself
    struct guard_form guard_form; // of inputs: makes guards look like inputs
    struct buffer device;         // guard, data, guard
    uint64_t turn;                // inputs: staged from this byte on, and then from the start (problem_turn)
    uint64_t staging;             // offset of guard, data, guard in the staging buffers
    void *got;                    // outputs: data read back from the first checked run
    // Of a recorded dispatch: contents before it, and after it. NULL: not an output, or not recorded.
    unsigned char *before, *after;
};

enum { MEMORY_IMAGE, MEMORY_DOUBLE, MEMORY_FLOAT, MEMORY_GOT, MEMORY_AFTER, MEMORY_COUNT };
enum { REUSED_BYTES = 128 << 20 };   // larger memory is released with its problem
enum { REUSED_STAGING = 256 << 20 }; // likewise, for the staging buffers of a cleared problem

struct problem {
    uint64_t key;  // of seed, operator, dtype, dims, parameters
    int placement; // where lines have their patterns (lines_rearrange); follows from the key (placement.h)
    struct special_inputs specials[RECORD_SPECIALS]; // inputs that are not finite
    int special_count;
    const struct op *op;
    const struct kernel *kernel; // its contract decides which inputs are drawn
    enum dtype dtype;
    int64_t dims[OPERATOR_DIMS * 2];
    double params[OPERATOR_PARAMS];
    int operand_count;
    struct operand_data operands[OPERATOR_OPERANDS];
    struct reused_memory memory[OPERATOR_OPERANDS][MEMORY_COUNT]; // owns what `operands` point to
    struct reused_memory packing;                                 // for packed copies of strided elements
    int64_t special_elements; // leading elements of elementwise operands that take special values
    uint64_t guard;           // bytes before the data: GUARD_BYTES, rounded up to the device's offset alignment
    uint64_t staging_bytes;
    struct buffer upload, readback; // of staging_bytes, or larger
    struct buffer mapped;           // device memory visible to the host, staging_bytes; zeroed: none
    bool inputs_placed;             // inputs and their guards are on the device, unharmed
    // Small problems also have every operand in one buffer, with guards between. Each begins at an odd multiple of
    // the device's least offset alignment. Zero bytes: there is no such buffer.
    struct buffer packed;
    uint64_t packed_at[OPERATOR_OPERANDS]; // offset of guard, data, guard
    bool packed_placed;                    // like inputs_placed
    uint32_t last_run, got_run;            // the last checked run, and the one whose outputs are in `got`
};

// Makes the operands: fills the inputs, creates the device and staging buffers. The old contents of *problem (it may
// be zeroed) are released first, except memory that is large enough to reuse. On failure everything is released.
bool problem_open(
    struct gpu *gpu, const struct point *point, uint64_t seed, struct problem *problem, struct error *err);
// Like problem_open, but the elements of inputs are arbitrary, except of fixed ones and of outputs that are also read.
bool problem_open_blank(
    struct gpu *gpu, const struct point *point, uint64_t seed, struct problem *problem, struct error *err);
// Makes only the host's part of a problem that problem_open would make on `gpu`, which is not used otherwise; another
// thread may use it meanwhile. ERROR_SKIP: the operands have more than `most_bytes`. problem_close with NULL releases
// it.
bool problem_fill(const struct gpu *gpu, const struct point *point, uint64_t seed, uint64_t most_bytes,
    struct problem *problem, struct error *err);
// Makes a filled problem the contents of *problem, like problem_open. *filled gets memory for the next one.
bool problem_take_filled(struct gpu *gpu, struct problem *filled, struct problem *problem, struct error *err);
// Fills the inputs of an open problem with the patterns of its lines at other places.
bool problem_rearrange(struct problem *problem, int placement, struct error *err);
// How to draw inputs anew.
struct redraw {
    double range;     // not 0: evenly drawn numbers become whole ones below it, within their type's exact range
    double outlier;   // not 0, for whole numbers: one in each line of `with_outlier` is this large
    int with_outlier; // index of an operand
    bool positive;    // for whole numbers: none is below 0
    bool as_declared; // with the outliers declared by operands (operator.h)
    bool exchanged;   // operands 0 and 1 are drawn as each other
};
// Fills the inputs anew from the key, with all lines as drawn and no special values in front. The problem takes this
// key and no longer belongs to a point.
void problem_redraw(struct problem *problem, uint64_t key, const struct redraw *how);
// Returns the special values among the inputs of element `e`: 1 NaN or Inf, 2 subnormal. Only elementwise operators
// take specials, so element e of every input belongs to output e.
uint8_t problem_touched(const struct problem *problem, int64_t e);
// Returns whether the operand can become whole numbers.
bool problem_takes_whole(const struct problem *problem, int operand);
// Stages each input from another line on, drawn by the key, and then from its start: legal inputs, but others in almost
// every place. Only the device gets them. 0: as they are.
void problem_turn(struct problem *problem, uint64_t key);
// Copies the first elements of the inputs of a problem with more lines. The key is derived from the other problem's
// key.
void problem_take_lines(struct problem *problem, const struct problem *from);
// Releases all but host memory and staging buffers that the next problem opened in its place may reuse.
void problem_clear(struct gpu *gpu, struct problem *problem);
void problem_close(struct gpu *gpu, struct problem *problem); // accepts a zeroed one

// Creates the mapped buffer, up to MAPPED_BYTES, if the device has such memory and room in it. The limit is there
// because host-visible windows of device memory may be this small. Returns false if the device failed. The buffer
// lives until problem_unmap.
enum { MAPPED_BYTES = 256 << 20 };
bool problem_map(struct gpu *gpu, struct problem *problem, struct error *err);
void problem_unmap(struct gpu *gpu, struct problem *problem);

// Returns the bytes of guard, data, guard of one operand, a multiple of 4.
uint64_t operand_span(const struct problem *problem, const struct operand_data *operand);

// Guards of inputs stay the same for the whole case. Guards and poison of outputs change with every run.
enum { GUARD_RUN_INPUTS = 0 };

// Writes guards and contents to the upload buffer: of outputs always, of inputs if `inputs`. Outputs hold poison, or
// their initial values if they are also read. Before a run after the first, stretches of them hold the outputs kept in
// `got`, disturbed; words never written hold poison.
void problem_stage(struct problem *problem, uint32_t run, bool inputs);

#endif
