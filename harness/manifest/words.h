// SPDX-License-Identifier: Apache-2.0
// Words of parameters: what a shader is given in each.
#ifndef VKASSAY_PLAN_WORDS_H
#define VKASSAY_PLAN_WORDS_H

#include "kernel.h"

// What the values of words follow from.
struct word_source {
    const struct kernel *kernel;
    const int64_t *dims; // given, then derived
    const double *params;
    const struct shape *shape;
    const uint32_t *groups; // of the pass, on three axes
};

// The word's 32 bits; false: its value does not fit them, or there is none.
bool word_value(const struct word_source *source, const struct word *word, uint32_t *out);

// Whether it is a float: a pad is not, and fits anything.
bool word_is_float(const struct kernel *kernel, const struct word *word);

// Whether a constant of the shader, by its name and number, is meant.
bool constant_is(const struct constant *constant, const char *name, uint32_t id);

// The value of a constant; false: its product overflows.
bool constant_value(
    const struct kernel *kernel, const struct constant *constant, const struct shape *shape, double *out);

// The pass's push constants; NULL: it has none.
const struct block *pass_push(const struct pass *pass);
uint32_t pass_push_bytes(const struct pass *pass);

// How many storage buffers its shader binds, parameters among them.
uint32_t pass_storage_buffers(const struct pass *pass);

// "push constants", "uniform parameters", "storage parameters".
const char *block_kind_name(enum block_kind kind);

#endif
