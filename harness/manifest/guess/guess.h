// SPDX-License-Identifier: Apache-2.0
// Manifests guessed from shaders: what a shader says of itself is taken as it is, and what it does not say, which
// operator, operand, dim or parameter is meant, follows from names, or by elimination, and is marked as a guess.
#ifndef VKASSAY_PLAN_GUESS_H
#define VKASSAY_PLAN_GUESS_H

#include "../../../reference/operator.h"
#include "../../base/json.h"
#include "../../spirv/interface.h"
#include "../../shaders/shader.h"

// ---- what a shader says (guess_shader.c)

// A block of parameters with the names of its words.
struct told_block {
    bool push, storage; // else uniform
    uint32_t set, binding;
    const struct shader_block *block;
    const char *names[INTERFACE_WORDS]; // "" where there is none
};

enum { TOLD_BLOCKS = 8, TOLD_CONSTANTS = 12 };

struct told_constant { // a specialization constant, or an override of WGSL
    const char *name;
    uint32_t id;
    uint32_t standard;
};

// One entry point.
struct told {
    const char *path, *entry;
    enum language language;
    bool alone; // the module has no other
    struct shader_interface shader;
    struct told_block blocks[TOLD_BLOCKS];
    int block_count;
    struct told_constant constants[TOLD_CONSTANTS];
    int constant_count;
    const char *size_names[3]; // of WGSL: what it calls the workgroup's sizes; NULL: numbers
    uint32_t global, group;    // which components of these built-in variables the code uses, as bits
    bool shares;               // shared memory
    bool counts_groups;        // asks how many workgroups there are
};

// Every compute entry point of the shader, in the arena. An error is the compiler's, or of what it made.
bool told_read(
    struct arena *arena, const struct shader_request *request, struct told **out, int *count, struct error *err);

// What WGSL calls its variables, members and overrides, which compilers may leave out of the SPIR-V (guess_wgsl.c).
void told_name_wgsl(struct arena *arena, const char *text, struct told *out);

// ---- what is meant by names (guess_names.c)

// The operator that a file or an entry point is called by; NULL: none. *also receives another one that the name holds,
// or NULL.
const struct op *guess_operator(const char *name, const struct op **also);

// The same of each row or column, where the name says so and there is such an operator; else the operator itself.
const struct op *guess_rows(const struct op *op, const char *name);

// Which of several passes something of that name is, from 1 on (GUESS_LAST: the last), and what all of them are called;
// 0: its name does not say that it is one.
enum { GUESS_LAST = 1000 };
int guess_pass(struct arena *arena, const char *name, const char **stem);

// How well a name fits that of an operand, dim or parameter of the operator: 3 it is the same, 2 another word for it,
// 1 any word for an only input or output; 0 not at all.
int guess_fits(const struct op *op, const char *wanted, const char *name);

// Whether a member of a block is called as what is never read.
bool guess_is_pad(const char *name);

// ---- a kernel (guess_kernel.c)

// How a shader's file is called, without its ending.
const char *guess_stem(struct arena *arena, const char *path);

// The kernel as a member of a manifest in this folder, its guesses in "notes"; NULL: *why says what could not be told.
struct json_object *guess_kernel(
    struct arena *arena, const struct told *told, const struct op *op, const char *folder, const char **why);

// The same of several entry points that are passes of one kernel, in their order (guess_passes.c).
struct json_object *guess_passes(struct arena *arena, const struct told *const *told, int count, const struct op *op,
    const char *stem, const char *folder, const char **why);

#endif
