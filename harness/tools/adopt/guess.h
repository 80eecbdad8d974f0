// SPDX-License-Identifier: Apache-2.0
// Guesses manifests from shaders. Facts stated in a shader are used as they are. Its operator, and the meaning of its
// operands, dims and parameters, are guessed from names or by elimination. Each guess is marked as one.
#ifndef VKASSAY_MANIFEST_GUESS_H
#define VKASSAY_MANIFEST_GUESS_H

#include "../../../reference/signature.h"
#include "../../base/json.h"
#include "../../shader/spirv/interface.h"
#include "../../shader/compile/shader.h"
#include "build_lines.h"

// ---- facts in a shader (guess_shader.c)

// A block of parameters with the names of its words.
struct reflected_block {
    bool push, storage; // neither: uniform
    uint32_t set, binding;
    const struct shader_block *block;
    const char *names[INTERFACE_WORDS]; // "" if a word has no name
};

enum { REFLECTED_BLOCKS = 8, REFLECTED_CONSTANTS = INTERFACE_CONSTANTS };

struct reflected_constant { // a specialization constant, or an override of WGSL
    const char *name;
    uint32_t id;
    char kind; // as in struct shader_constant
    uint32_t standard;
};

// An entry point of a shader.
struct reflection {
    const char *path, *entry;
    const char *stem;              // the file's name without its ending
    const char *variant;           // the name of its build line; "": none
    const struct build_line *line; // NULL: none
    enum language language;
    bool unoptimized; // the compiler's optimizer fails on it
    bool alone;       // the module has no other entry point
    struct shader_interface shader;
    struct reflected_block blocks[REFLECTED_BLOCKS];
    int block_count;
    struct reflected_constant constants[REFLECTED_CONSTANTS];
    int constant_count;
    const char *size_names[3]; // WGSL: the names of the workgroup's sizes; NULL: numbers
    uint32_t global, group;    // components of these built-in variables used by the code, as bits
    bool floats, halves;       // has floats; computes in floats of 16 bits
    bool shares;               // uses shared memory
    bool unpacks;              // reads two floats of 16 bits from an integer
    bool counts_groups;        // reads the number of workgroups
};

// Reads every compute entry point of the shader into the arena. `line` is the build line with the macros of the
// request; NULL: none. An error comes from the compiler, or is about its module.
bool reflection_read(struct arena *arena, const struct shader_request *request, const struct build_line *line,
    struct reflection **out, int *count, struct error *err);

// Returns the compiler's reason in a message of several lines: the first line with an error in the text.
const char *guess_reason(struct arena *arena, const char *message);

// Returns why a file of a build may not compile alone, as the end of a sentence; "" if the reason does not show it.
const char *guess_build_hint(const char *reason);

// Returns whether the text is a part of other shaders: without a function main and without a #version.
bool reflection_is_header(struct arena *arena, const char *path);

// Adds the names of WGSL variables, members and overrides (guess_wgsl.c). Compilers may leave them out of the SPIR-V.
void reflection_name_wgsl(struct arena *arena, const char *text, struct reflection *out);

// ---- meanings of names (guess_names.c)

// Returns the operator named by a file or an entry point; NULL: none. *also receives another operator found in the
// name, or NULL.
const struct op *guess_operator(const char *name, const struct op **also);

// Returns the operator of an entry point: named by its build line, its file or, in a collection, by the entry point.
const struct op *guess_operator_of(const struct reflection *reflection, const struct op **also);

// Returns the type of quantised blocks named by the build line, the file, the entry point or a macro, if no operand can
// have it; NULL: there is none.
const char *guess_block_type(const struct reflection *reflection);

// Returns the pass number stated by a name, from 1; GUESS_LAST means the last pass. *stem receives the common name of
// all passes. 0: the name states no pass.
enum { GUESS_LAST = 1000 };
int guess_pass(struct arena *arena, const char *name, const char **stem);

// Rates how well a name fits an operand, dim or parameter of the operator. Returns 3 for the same name, and 2 for a
// synonym or for a generic word if there is only one input or output. Returns 1 for a generic word otherwise, and 0
// for no match.
int guess_fits(const struct op *op, const char *wanted, const char *name);

// Returns whether a block's member is named like padding.
bool guess_is_pad(const char *name);

// Returns whether the word is one of `words`, which have blanks between them.
bool guess_among(const char *words, const char *word, size_t length);

// ---- building a kernel (guess_kernel.c)

// Returns the file name of a shader without its ending.
const char *guess_stem(struct arena *arena, const char *path);

struct dictionary;

enum { GUESS_WHOLE = 64 }; // a multiple of most tiles

// A guess of a shader among many. All numbers but `whole` count from 0, the first guess.
struct guess_turn {
    const struct op *op;
    int words;    // assignment of dims to words
    int grid;     // form of the grid
    int whole;    // each dim is a multiple of this; 0: no such rule
    uint32_t any; // dims without this rule, as bits
};

// Builds the kernel as a member of a manifest in this folder, with its guesses in "notes". The dictionary (NULL: none)
// counts more than guesses. Returns NULL, with the reason in *why, if something is unknown, or if there is no such
// turn.
struct json_object *guess_kernel(struct arena *arena, const struct reflection *reflection,
    const struct guess_turn *turn, const struct dictionary *dictionary, const char *folder, const char **why);

// Builds up to `most` different kernels, without notes, the likelier first (guess_turns.c). `fixed`: the operator is
// known. Returns how many.
size_t guess_many(struct arena *arena, const struct reflection *reflection, const struct op *op, bool fixed,
    const struct dictionary *dictionary, const char *folder, size_t most, struct json_object **kernels,
    struct guess_turn *turns);

// Returns another operator that backends call like `op`; NULL: there is none. `index` is from 0.
const struct op *guess_relative(const struct op *op, int index);

// Returns the number of forms of grids.
int guess_grids(void);

// Does the same for several entry points that are the passes of one kernel, in their order (guess_passes.c).
struct json_object *guess_passes(struct arena *arena, const struct reflection *const *reflection, int count,
    const struct op *op, const struct dictionary *dictionary, const char *stem, const char *folder, const char **why);

// Reads the kernel as a manifest's reader does. Returns NULL if the reader takes it, otherwise its objection.
const char *guess_refused(struct arena *arena, struct json_object *kernel, const char *folder);

#endif
