// SPDX-License-Identifier: Apache-2.0
// Chains: kernels over named buffers, each of which takes what others gave, as one submission. A file of a kernel
// folder lists them (kernels/README.md):
//
//     {"chains": [{"name": "chain.mnist", "summary": "...", "dims": ["batch"], "buffers": {...}, "links": [...],
//                  "check": [...]}]}
//
// A chain has the form of a probe, so that it is planned, named, run, recorded and shown as they are; its first dim is
// always `steps`, how often all links are run: chain.mnist/chain/steps=20,batch=32/wg=1x1x1.
#ifndef VKASSAY_PLAN_CHAIN_H
#define VKASSAY_PLAN_CHAIN_H

#include "../kernel.h"
#include "../slips.h"

enum { CHAIN_LINKS = 48, CHAIN_BUFFERS = 64, CHAIN_STEPS = 64 };

struct chain_buffer {
    const char *name;
    bool given; // it holds numbers before the first link: from `low` to `high`, one value where they are equal
    double low, high;
    int64_t below; // above 0: whole numbers from 0 to below it
    bool checked;  // held against the reference chain
};

struct chain_param {
    bool given, is_step; // is_step: the number of the step, from 1
    double number;
};

struct chain_link {
    const struct kernel *kernel;
    enum dtype dtype;
    struct product dims[OPERATOR_DIMS]; // of the chain's dims; of the operator's given ones
    struct chain_param params[OPERATOR_PARAMS];
    struct shape shape;
    int buffers[OPERATOR_OPERANDS]; // of each operand, by its place in the chain
};

struct chain {
    struct chain_buffer buffers[CHAIN_BUFFERS];
    int buffer_count;
    struct chain_link links[CHAIN_LINKS];
    int link_count;
    int64_t epoch;    // steps of one; 0: not said
    double tolerance; // least error that is allowed, as a share of a buffer's length
};

// Reads the chains of these files over the kernels, which are sorted: into kernels->chains; what is wrong is a slip.
void chains_read(struct arena *arena, const char *const *files, size_t count, struct kernels *kernels);

#endif
