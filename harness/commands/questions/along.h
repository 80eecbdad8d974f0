// SPDX-License-Identifier: Apache-2.0
// Records apart by one dim. Private to this folder.
#ifndef VKASSAY_COMMANDS_ALONG_H
#define VKASSAY_COMMANDS_ALONG_H

#include "../../record/record.h"

struct along {
    const char *problem; // operator, type and the other dims
    const char *kernel;  // with its shape
    int64_t size;        // of the dim; 0: the record has none
};

// Returns where a record stands along a dim. A product with a vector is the product of matrices with m=1. Texts are in
// the arena.
struct along along_dim(struct arena *arena, const struct record *record, const char *dim);

#endif
