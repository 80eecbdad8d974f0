// SPDX-License-Identifier: Apache-2.0
// The dictionary of a project (`init --names FILE`): the meaning of the names in its shaders. kernels/BACKENDS.md
// describes the file. A row with "when" holds only for the files, variants, entry points and operators it names.
#ifndef VKASSAY_MANIFEST_DICTIONARY_H
#define VKASSAY_MANIFEST_DICTIONARY_H

#include "guess_kernel.h"

struct dictionary;
extern const struct kind kind_dictionary; // the form of the file

// Reads the dictionary into the arena. Its JSON lives until dictionary_free, after a failure, too. STATUS_BAD_INPUT
// names the file, the JSON path, the expected and the found value.
bool dictionary_read(struct arena *arena, const char *path, struct dictionary **out, struct error *err);
void dictionary_free(struct dictionary *dictionary); // NULL: nothing

// The functions below take NULL for a dictionary without rows.

// Returns the operator of an entry point; NULL: the dictionary has none. *reason receives why it is not to be placed,
// or NULL.
const struct op *dictionary_operator(const struct dictionary *dictionary, const struct reflection *reflection,
    const char **reason, const char **unknown);

// Returns whether a row with "keep": true holds for the kernel.
bool dictionary_keeps(const struct dictionary *dictionary, const struct reflection *reflection, const struct op *op);

// Returns the operand of a buffer; -1: the dictionary does not have this buffer.
int dictionary_operand(const struct guess *g, const struct shader_binding *b);

// Returns the word for a member of a block, which the caller owns; NULL: the dictionary has none for this kernel.
// `index` counts the words of this member, and `block` is the name of its block.
struct json_object *dictionary_word(const struct guess *g, const char *block, const char *name, int index);

// Returns the value of a constant: borrowed. NULL with *found: it keeps its default. NULL otherwise: the dictionary
// does not have it.
struct json_object *dictionary_constant(const struct guess *g, const struct reflected_constant *constant, bool *found);

// Returns whether the dictionary gives this member to the kernel, so that it need not be guessed.
bool dictionary_has(const struct guess *g, const char *key);

// Returns whether the "constants" of those members name the constant.
bool dictionary_sets(const struct guess *g, const struct reflected_constant *constant);

// Returns whether the "bindings" of those members have this place.
bool dictionary_binds(const struct guess *g, const struct shader_binding *b);

// Puts the members that the dictionary gives to this kernel in place of guessed ones, later rows over earlier ones.
// Objects of names are merged; null removes a member.
void dictionary_members(struct guess *g);

#endif
