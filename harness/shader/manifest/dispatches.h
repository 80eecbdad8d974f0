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

// ---- words of parameters: the 32-bit values given to a shader

// The inputs of a word's value.
struct word_source {
    const struct kernel *kernel;
    enum dtype dtype;    // of the case
    const int64_t *dims; // given, then derived
    const double *params;
    const struct shape *shape;
    const uint32_t *groups; // workgroups of the pass on three axes
};

// Computes the word's 32 bits. ERROR_SKIP: it has no value at these dims, or one beyond 32 bits. STATUS_BAD_INPUT: an
// expression is no finite float, or not whole.
bool word_value(const struct word_source *source, const struct word *word, uint32_t *out, struct error *err);

// Returns a tunable or a variable named by the word. NULL: it names none.
const char *word_choice(const struct kernel *kernel, const struct word *word);

// Returns whether the word is a float. A pad is not, but it fits any type.
bool word_is_float(const struct kernel *kernel, const struct word *word);

// Returns whether the constant means the shader's constant with this name or number.
bool constant_is(const struct constant *constant, const char *name, uint32_t id);

// Computes the value of a constant at these dims (given, then derived). Returns false if its product overflows.
bool constant_value(const struct kernel *kernel, const struct constant *constant, const int64_t *dims,
    const struct shape *shape, double *out);

// Returns the pass's push constants; NULL: it has none.
const struct block *pass_push(const struct pass *pass);
uint32_t pass_push_bytes(const struct pass *pass);

// Returns how many storage buffers the shader binds, including those for parameters.
uint32_t pass_storage_buffers(const struct pass *pass);

// Returns "push constants", "uniform parameters" or "storage parameters".
const char *block_kind_name(enum block_kind kind);

#endif
