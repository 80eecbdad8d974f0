// SPDX-License-Identifier: Apache-2.0
// The dispatches that a kernel's passes come to, repeated ones in each of their turns.
#ifndef VKASSAY_PLAN_DISPATCHES_H
#define VKASSAY_PLAN_DISPATCHES_H

#include "kernel.h"

struct dispatch {
    int pass;
    int64_t turn;       // of the innermost loop that the pass stands in
    bool last;          // of its turns
    struct shape shape; // with what the variables are now
};

// Calls `visit` for each in its order, until it returns false. How many were visited; -1: there are more than
// KERNEL_DISPATCHES, or a variable overflows.
int dispatches_visit(const struct kernel *kernel, const int64_t *dims, const struct shape *shape,
    bool (*visit)(void *context, const struct dispatch *dispatch), void *context);

// Of a CPU's driver, which takes as long for those that do nothing: all invocations of all dispatches.
double kernel_invocations(
    const struct kernel *kernel, const int64_t *dims, const struct shape *shape, const struct device_info *device);

int kernel_variable(const struct kernel *kernel, const char *name); // -1: there is none of that name

// What a dispatch has at a binding; and all that the pass ever has there.
const char *binding_name(const struct pass *pass, int binding, const struct dispatch *dispatch);
enum { BINDING_NAMES = TURN_NAMES + 2 };
int binding_names(const struct pass *pass, int binding, const char *names[BINDING_NAMES]);
bool binding_has(const struct pass *pass, int binding, const char *name);

#endif
