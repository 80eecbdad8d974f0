// SPDX-License-Identifier: Apache-2.0
// The state shared by the files that read chains.
#ifndef VKASSAY_MANIFEST_CHAIN_READING_H
#define VKASSAY_MANIFEST_CHAIN_READING_H

#include "../../base/json.h"
#include "chain.h"

struct chain_reading {
    struct arena *arena;
    struct kernels *kernels;
    struct kernel *kernel; // the chain in the form of a kernel
    struct op *op;
    struct chain *chain;
    struct error *err;
};

int chain_buffer_named(const struct chain *chain, const char *name); // -1: no buffer has this name
// Adds a buffer. Returns NULL, with the error, for a bad name or one buffer too many.
struct chain_buffer *chain_add_buffer(struct chain_reading *r, const struct json_at *at, const char *name);
// Returns the end of an error about an unknown buffer (names_hint).
const char *chain_buffers_hint(struct chain_reading *r, const char *wanted);

// Reads the member "links". A link's output creates its buffer if "buffers" does not give one.
bool chain_read_links(struct chain_reading *r, const struct json_at *at);

#endif
