// SPDX-License-Identifier: Apache-2.0
// The needs of kernels: one row for each limit of a device. Devices (legal.c) and profiles read the same
// rows.
#ifndef VKASSAY_PLAN_NEEDS_H
#define VKASSAY_PLAN_NEEDS_H

#include "../../device/limits.h"
#include "legal.h"

// The part of a kernel with an amount of its own. Without a shape, only passes and operands have amounts.
enum need_of { NEED_OF_PASS, NEED_OF_WORKGROUP, NEED_OF_SHAPE, NEED_OF_DISPATCH, NEED_OF_BUFFER };

// A buffer of a case: an operand, or scratch.
struct case_buffer {
    const char *kind, *name; // "operand", "x"
    enum dtype dtype;
    int64_t elements; // -1: they overflow
    bool bound;       // bound by a shader; an input with a fixed value is not
    uint64_t bytes;   // if the buffer is sound
};

// One part of a kernel. Members of other parts are NULL.
struct need_part {
    const struct trial *trial;
    const struct shape *shape;
    const struct pass *pass;
    const uint32_t *workgroup; // its three sizes; NULL: one overflows
    const struct case_buffer *buffer;
};

// A row: the needs of kernels for one limit.
struct limit_need {
    enum limit_index limit;
    enum need_of of;
    // Returns the amount of one part of a kernel, on one axis of a limit of three; -1: it overflows. NULL: no kernel
    // needs the limit.
    int64_t (*amount)(const struct need_part *part, int axis);
    enum refusal_kind beyond;          // an amount beyond the limit; REFUSAL_DEVICE_LIMIT names the limit itself
    enum refusal_kind empty, overflow; // an amount of 0, and of -1; 0: it is no mistake
    const char *axes[3];               // the refusal's word for each axis
    bool of_subgroup;                  // only of shapes that require a subgroup size
};
extern const struct limit_need limit_needs[]; // LIMIT_COUNT rows

// One need: an amount of one part of a kernel, or a mistake instead.
struct need {
    const struct need_part *part;
    const struct limit_need *row; // NULL: a mistake without a limit
    int axis;
    int64_t amount;
    const struct refusal *mistake; // why there is no amount; NULL: there is one
    const char *words[2];          // the refusal's first words, NULL after the last
    int pass;                      // counted from 1; 0: the kernel has only one, or the need is of no pass
    int folded;                    // the amount may be spread over so many other axes
    bool unbound;                  // the buffer is not bound by a shader
};

typedef const struct refusal *need_visitor(void *context, const struct need *need);

// Calls `visit` for the needs of each part of one kind, until it returns a refusal. Returns this refusal, or NULL.
const struct refusal *needs_visit(
    const struct trial *trial, const struct shape *shape, enum need_of of, need_visitor *visit, void *context);

// Calls `visit` for each feature needed, until it returns true. Some are needed twice.
void features_visit(const struct trial *trial, bool (*visit)(void *context, enum feature feature), void *context);

// Returns the refusal of the first need of this kind beyond the device; NULL: it allows all of them.
const struct refusal *trial_limits(const struct trial *trial, const struct shape *shape, enum need_of of);

// Returns the invocations of the largest workgroup of all passes; -1: they overflow.
int64_t most_invocations(const struct trial *trial, const struct shape *shape);

// Returns how many buffers the shape of a case has; shape NULL: only operands.
int case_buffers(const struct trial *trial, const struct shape *shape);
// Sets *out to one of them. Returns NULL, or why the buffer is impossible on any device.
const struct refusal *case_buffer(
    const struct trial *trial, const struct shape *shape, int index, struct case_buffer *out);

#endif
