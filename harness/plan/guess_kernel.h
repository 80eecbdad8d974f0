// SPDX-License-Identifier: Apache-2.0
// A guess on its way; the parts of it are in several files. Private to guess_*.c.
#ifndef VKASSAY_PLAN_GUESS_KERNEL_H
#define VKASSAY_PLAN_GUESS_KERNEL_H

#include "guess.h"

struct guess {
    struct arena *arena;
    const struct told *told;
    const struct op *op;
    struct json_object *kernel, *notes;
    const struct shader_binding *of_operand[OPERATOR_OPERANDS]; // what it is bound to; NULL: nothing
    const char *why;                                            // it cannot be told
};

void guess_note(struct guess *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool guess_fail(struct guess *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

// "bindings", "in_place", "fixed" (guess_bindings.c).
bool guess_bindings(struct guess *g);
// "push", "uniform" or "parameters" (guess_parameters.c).
void guess_parameters(struct guess *g);

#endif
