// SPDX-License-Identifier: Apache-2.0
// Chains: kernels over named buffers, run as one submission. Each kernel uses the results of earlier ones. A file in
// a kernel folder lists chains (kernels/README.md):
//
//     {"chains": [{"name": "chain.mnist", "summary": "...", "dims": ["batch"], "buffers": {...}, "links": [...],
//                  "check": [...]}]}
//
// A chain has the form of a probe, so it is planned, named, run, recorded and shown like one. Its first dim is always
// `steps`, the number of times all links are run: chain.mnist/chain/steps=20,batch=32/wg=1x1x1.
#ifndef VKASSAY_MANIFEST_CHAIN_H
#define VKASSAY_MANIFEST_CHAIN_H

#include "../kernel.h"
#include "../mistakes.h"

enum { CHAIN_LINKS = 48, CHAIN_BUFFERS = 64, CHAIN_STEPS = 64 };

struct chain_buffer {
    const char *name;
    bool given; // has values before the first link: from `low` to `high`, or one value if they are equal
    double low, high;
    int64_t below; // above 0: whole numbers from 0 to below - 1
    bool checked;  // compared with the reference chain
};

struct chain_param {
    bool given, is_step; // is_step: the number of the step, from 1
    double number;
};

struct chain_link {
    const struct kernel *kernel;
    enum dtype dtype;
    struct product dims[OPERATOR_DIMS]; // for each given dim of the operator, a product of the chain's dims
    struct chain_param params[OPERATOR_PARAMS];
    struct shape shape;
    int buffers[OPERATOR_OPERANDS]; // for each operand, its index in the chain's buffers
};

struct chain {
    struct chain_buffer buffers[CHAIN_BUFFERS];
    int buffer_count;
    struct chain_link links[CHAIN_LINKS];
    int link_count;
    int64_t epoch;    // steps of one epoch; 0: not stated
    double tolerance; // least allowed error, as a share of a buffer's length
};

// Reads the chains of these files into kernels->chains. The kernels must be sorted. An error is a mistake.
void chains_read(struct arena *arena, const char *const *files, size_t count, struct kernels *kernels);

#endif
