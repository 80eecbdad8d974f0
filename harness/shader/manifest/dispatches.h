// SPDX-License-Identifier: Apache-2.0
// The dispatches of a kernel's passes. A repeated pass gives one dispatch for each turn.
#ifndef VKASSAY_MANIFEST_DISPATCHES_H
#define VKASSAY_MANIFEST_DISPATCHES_H

#include "kernel.h"

struct dispatch {
    int pass;
    int64_t turn;       // in the innermost loop around the pass
    bool last;          // the last turn of this loop
    struct shape shape; // with the current values of the variables
};

// Calls `visit` for each dispatch in order, until it returns false. Returns the number of calls; -1: there are more
// than KERNEL_DISPATCHES, or a variable's first value overflows.
int dispatches_visit(const struct kernel *kernel, const int64_t *dims, const struct shape *shape,
    bool (*visit)(void *context, const struct dispatch *dispatch), void *context);

// Returns the invocations of all dispatches together. On a CPU's driver an idle invocation takes as long as a busy
// one.
double kernel_invocations(
    const struct kernel *kernel, const int64_t *dims, const struct shape *shape, const struct device_info *device);

// `binding_name` returns the operand or scratch buffer at a binding in one dispatch. `binding_names` lists every
// buffer taken by the binding in any turn, and returns their count. `binding_has` returns whether one of them has the
// name.
const char *binding_name(const struct pass *pass, int binding, const struct dispatch *dispatch);
enum { BINDING_NAMES = TURN_NAMES + 2 };
int binding_names(const struct pass *pass, int binding, const char *names[BINDING_NAMES]);
bool binding_has(const struct pass *pass, int binding, const char *name);

// Spreads the groups of a folded grid over x and one or two other axes, as evenly as rounding up allows, so few lie
// past the end. Returns false if they do not fit.
bool grid_fold(int64_t count, int axes, const uint32_t max[3], uint32_t groups[3]);
// Folds a grid of one axis before a limit demands it, with at least one group past the end. A larger problem or a
// smaller limit folds it, too. Keeps a grid on several axes, and one with its number of groups among the parameters.
void grid_fold_early(const struct pass *pass, const uint32_t groups[3], uint32_t folded[3]);

#endif
