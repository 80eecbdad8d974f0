// SPDX-License-Identifier: Apache-2.0
// A guess on its way; the parts of it are in several files. Private to guess_*.c.
#ifndef VKASSAY_PLAN_GUESS_KERNEL_H
#define VKASSAY_PLAN_GUESS_KERNEL_H

#include "guess.h"

enum { GUESS_ARRAYS = 2 };
struct guess {
    struct arena *arena;
    const struct told *told;
    const struct op *op;
    struct json_object *kernel, *notes;
    const struct shader_binding *of_operand[OPERATOR_OPERANDS]; // what it is bound to; NULL: nothing
    const struct shader_binding *arrays[GUESS_ARRAYS];          // of parameters
    int array_count;
    struct json_object *left; // of a later pass: how much the one before has left, as a word; NULL: it is no such pass
    bool left_given;          // to a word that is called so
    const char *why;          // it cannot be told
};

// A buffer between passes.
enum { GUESS_SCRATCH = 4 };
struct guess_scratch {
    const char *names[GUESS_SCRATCH];
    const char *dtypes[GUESS_SCRATCH];
    int64_t wide[GUESS_SCRATCH]; // numbers in an element
    bool read[GUESS_SCRATCH];    // by a later pass
    int count;
};

void guess_note(struct guess *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool guess_fail(struct guess *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

// "bindings", "in_place", "fixed" (guess_bindings.c).
bool guess_bindings(struct guess *g);
// Those of one pass: what it leaves for later ones, or finds there, is scratch. *reads_scratch_alone: no operand.
bool guess_pass_bindings(struct guess *g, struct guess_scratch *scratch, bool last, bool *reads_scratch_alone);
// "in_place" and "fixed", once `of_operand` has what is bound anywhere.
bool guess_missing(struct guess *g);
// A rule more; takes over both sides.
void guess_rule(struct guess *g, const char *kind, struct json_object *of, struct json_object *by, const char *why);
// "push", "uniform" or "parameters" (guess_parameters.c).
void guess_parameters(struct guess *g);

// Of guess_kernel.c: the way from a folder to a file; the types that a case can have, and the grid of what has an item,
// or a line, for each invocation.
const char *guess_way(struct arena *arena, const char *folder, const char *path);
void guess_dtypes(struct guess *g);
void guess_grid(struct guess *g);
// Numbers in an element of the buffer; 1 where it is not known, or NULL.
int64_t guess_wide(const struct shader_binding *b);
// A product of dims, over a number.
struct json_object *guess_axis(const char *const *dims, int count, const char *by, int64_t wide);

#endif
