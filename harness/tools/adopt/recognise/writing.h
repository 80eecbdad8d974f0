// SPDX-License-Identifier: Apache-2.0
// The state of writing a recognised kernel. Private to recognised_kernel.c, recognised_grid.c and
// recognised_rules.c.
#ifndef VKASSAY_RECOGNISE_WRITING_H
#define VKASSAY_RECOGNISE_WRITING_H

#include "recognise.h"

struct writing {
    struct arena *arena;
    const struct recognition *from;
    const struct op *op;
    struct json_object *kernel, *notes;
    bool given[OPERATOR_PARAMS];   // the parameter is in a word
    bool named[2 * OPERATOR_DIMS]; // the dim is in a word
    bool tuned;                    // the workgroup's size is specialized
    const char *why;
};

const struct fit *writing_fit(const struct writing *w, int recording);
// Return the name of a dim, given or derived, and the number of both.
const char *writing_dim(const struct op *op, int dim);
int writing_dims(const struct op *op);
// Returns an object with one member; takes `value` over.
struct json_object *writing_member(const char *key, struct json_object *value);

// Writes "grid" and "fold". Returns false with `why` if an axis does not follow from dims.
bool writing_grid(struct writing *w);

// Writes "rules", after the words. Returns whether they leave a dim free.
bool writing_rules(struct writing *w);

#endif
