// SPDX-License-Identifier: Apache-2.0
// A case: the operands of a kernel's problem on host and device. It is kept while points of the same operator,
// dtype and dims follow each other, as making inputs costs more than running most kernels.
#ifndef VKASSAY_RUN_PROBLEM_DATA_H
#define VKASSAY_RUN_PROBLEM_DATA_H

#include "../../device/gpu.h"
#include "../../judge/judge.h"
#include "../../manifest/layout.h"
#include "../../plan/problem.h"
#include "../../plan/suite.h"

enum { GUARD_BYTES = 4096 }; // on both sides of every buffer: 1024 words

// The largest problem that is packed into one buffer too.
enum { PACKED_BYTES = 16 << 20 };

struct operand_data {
    enum dtype dtype;
    enum role role;
    const struct operand_data *from; // of an output: the input whose place it takes; NULL: none
    bool is_fixed;                   // an input: `fixed` everywhere
    double fixed;
    int64_t elements;
    uint64_t bytes;  // of the elements, one behind the other
    uint64_t extent; // of its binding: as many, where they stand so (placed.h)
    struct placing placing;
    uint32_t header[KERNEL_WORDS];
    int header_words;
    void *image;                  // inputs: the bytes given to the device; outputs: NULL
    double *as_double;            // inputs, for the reference; NULL for integers and outputs
    float *as_float;              // of f32: the image itself
    struct guard_form guard_form; // of inputs: what lies round them is an input like others
    struct buffer device;         // guard, data, guard
    uint64_t staging;             // offset of guard, data, guard in the staging buffers
    void *got;                    // outputs: data read back from the first checked run
};

struct problem {
    uint64_t key; // of seed, operator, dtype, dims, parameters
    const struct op *op;
    enum dtype dtype;
    int64_t dims[OPERATOR_DIMS * 2];
    double params[OPERATOR_PARAMS];
    int operand_count;
    struct operand_data operands[OPERATOR_OPERANDS];
    int64_t special_elements; // leading elements of elementwise operands that take special values
    uint64_t guard;           // bytes before the data: GUARD_BYTES, rounded up to the device's offset alignment
    uint64_t staging_bytes;
    struct buffer upload, readback; // staging_bytes, or more
    struct buffer mapped;           // device memory that the host sees, staging_bytes; zeroed: there is none
    bool inputs_placed;             // inputs and their guards are on the device, unharmed
    // Small problems have a second place: every operand in one buffer, each at an odd multiple of the least offset that
    // the device allows, guards between. No bytes: there is none.
    struct buffer packed;
    uint64_t packed_at[OPERATOR_OPERANDS]; // offset of guard, data, guard
    bool packed_placed;                    // as inputs_placed
};

// Makes the operands: fills the inputs, creates the device and staging buffers. What *problem held (it may be zeroed)
// is released, but for staging buffers that are large enough. On failure all of it is.
bool problem_open(
    struct gpu *gpu, const struct point *point, uint64_t seed, struct problem *problem, struct error *err);
// How inputs are drawn anew.
struct redraw {
    double range;  // not 0: numbers that are drawn evenly become whole ones below it, as far as their type holds those
    double spike;  // not 0, of whole numbers: one in each line of `spiked` is that large
    int spiked;    // an operand
    bool positive; // of whole numbers: none is below 0
    bool as_declared; // spikes that operands declare (operator.h)
};
// Fills the inputs anew from that key, all of their lines as they are drawn and without special values in front. The
// problem is then no longer that of a point: its key is the given one.
void problem_redraw(struct problem *problem, uint64_t key, const struct redraw *how);
// Whether an operand is among those that become whole numbers.
bool problem_takes_whole(const struct problem *problem, int operand);
// Gives the inputs the first elements of those of a problem with more lines; its key follows from that one's.
void problem_take_lines(struct problem *problem, const struct problem *from);
void problem_close(struct gpu *gpu, struct problem *problem); // accepts a zeroed one

// Gives the problem its mapped buffer, where the device has such memory and room in it, up to MAPPED_BYTES: windows of
// the device's memory may be that small. False: the device failed. The buffer lives until problem_unmap.
enum { MAPPED_BYTES = 256 << 20 };
bool problem_map(struct gpu *gpu, struct problem *problem, struct error *err);
void problem_unmap(struct gpu *gpu, struct problem *problem);

// Bytes of guard, data, guard of one operand, a multiple of 4.
uint64_t operand_span(const struct problem *problem, const struct operand_data *operand);

// Guards of inputs stand for the whole case; those of outputs, and their poison, change with every run.
enum { GUARD_RUN_INPUTS = 0 };

// What an output holds at its `index`-th word before run `run`.
uint32_t poison_word(uint32_t run, int operand, uint64_t index);

// Writes guards and contents to the upload buffer: of inputs when `inputs`, of outputs always (poisoned, or from
// what they start from when they are read too).
void problem_stage(const struct problem *problem, uint32_t run, bool inputs);

#endif
