// SPDX-License-Identifier: Apache-2.0
// The state of a guess, shared by the files guess_*.c and private to them.
#ifndef VKASSAY_MANIFEST_GUESS_KERNEL_H
#define VKASSAY_MANIFEST_GUESS_KERNEL_H

#include "guess.h"

// Spells a name with underscores: "_relu_forward_" for "relu-forward", "_layer_norm_" for "layerNorm", "_dot_pass_1_"
// for "dot_pass1".
enum { GUESS_NAME = 200 };
enum spelling { SPELL_PLAIN, SPELL_CAMEL, SPELL_DIGITS, SPELLINGS };
void guess_spell(const char *name, enum spelling spelling, char out[GUESS_NAME]);

enum { GUESS_ARRAYS = 2 };
struct guess {
    struct arena *arena;
    const struct reflection *reflection;
    const struct op *op;
    const struct guess_turn *turn;       // NULL: the first guess, of passes
    bool turned;                         // the words of the turn are assigned
    const struct dictionary *dictionary; // NULL: none
    struct json_object *kernel, *notes;
    const struct shader_binding *of_operand[OPERATOR_OPERANDS]; // the operand's binding; NULL: none
    const struct shader_binding *arrays[GUESS_ARRAYS];          // arrays of parameters
    int array_count;
    const char *of_constant[REFLECTED_CONSTANTS]; // the constant's dim; NULL: none
    struct json_object *left; // in a later pass: how much the pass before left, as a word; NULL: no such pass
    bool left_given;          // a word has received `left`
    const char *why;          // why the guess failed
};

// Buffers between passes.
enum { GUESS_SCRATCH = 4 };
struct guess_scratch {
    const char *names[GUESS_SCRATCH];
    const char *dtypes[GUESS_SCRATCH];
    int64_t wide[GUESS_SCRATCH]; // numbers in an element
    bool read[GUESS_SCRATCH];    // read by a later pass
    int count;
};

void guess_note(struct guess *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool guess_fail(struct guess *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Puts an object or a list, unless it is empty; takes `value` over.
void guess_put(struct json_object *into, const char *key, struct json_object *value);

// Guesses "bindings", "in_place" and "fixed" (guess_bindings.c).
bool guess_bindings(struct guess *g);
// Guesses the bindings of one pass. Buffers left for later passes, or found from earlier ones, are scratch.
// *reads_scratch_alone: the pass reads scratch and no operand.
bool guess_pass_bindings(struct guess *g, struct guess_scratch *scratch, bool last, bool *reads_scratch_alone);
// Guesses "in_place" and "fixed", once `of_operand` has the bindings of all passes.
bool guess_missing(struct guess *g);
// Adds a rule and takes ownership of both sides.
void guess_rule(struct guess *g, const char *kind, struct json_object *of, struct json_object *by, const char *why);
// Guesses "push", "uniform" or "parameters" (guess_parameters.c).
void guess_parameters(struct guess *g);

// Writes "local_size", "tunables" and "constants" (guess_workgroup.c).
void guess_workgroup(struct guess *g);

// Functions of guess_kernel.c. `guess_shader` puts the file, the entry point, and the macros and include folders of the
// build line. `guess_dtypes` guesses the dtypes of the case.
void guess_shader(struct guess *g, const char *folder, struct json_object *into);
void guess_dtypes(struct guess *g);
// Guesses the grid of the turn (guess_grid.c). Sets `why` if the output has no such grid.
void guess_grid(struct guess *g);
// Adds the rules of a turn with whole tiles only.
void guess_whole(struct guess *g);
// Returns how many numbers an element of the buffer has; 1 if this is unknown or `b` is NULL.
int64_t guess_wide(const struct shader_binding *b);
// Builds an axis of a grid: a product of dims over `by` (NULL: 1) and `wide`.
struct json_object *guess_axis(const char *const *dims, int count, const char *by, int64_t wide);

#endif
