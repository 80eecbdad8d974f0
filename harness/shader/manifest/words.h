// SPDX-License-Identifier: Apache-2.0
// Words of parameters: the 32-bit values given to a shader.
#ifndef VKASSAY_MANIFEST_WORDS_H
#define VKASSAY_MANIFEST_WORDS_H

#include "kernel.h"

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
