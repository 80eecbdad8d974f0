// SPDX-License-Identifier: Apache-2.0
// What the files that read chains share: what is being read, and its buffers.
#ifndef VKASSAY_PLAN_CHAIN_READING_H
#define VKASSAY_PLAN_CHAIN_READING_H

#include "../../base/json.h"
#include "chain.h"

struct chain_reading {
    struct arena *arena;
    struct kernels *kernels;
    struct kernel *kernel; // the chain in the form of one
    struct op *op;
    struct chain *chain;
    struct error *err;
};

int chain_buffer_named(const struct chain *chain, const char *name); // -1: there is none
// A buffer more; NULL, with the error, for a bad name or one too many.
struct chain_buffer *chain_add_buffer(struct chain_reading *r, const struct json_at *at, const char *name);
// The end of an error that rejects a buffer's name (names_hint).
const char *chain_buffers_hint(struct chain_reading *r, const char *wanted);

// The member "links", which make the buffers that none has given.
bool chain_read_links(struct chain_reading *r, const struct json_at *at);

#endif
