// SPDX-License-Identifier: Apache-2.0
#include "table.h"

#include <string.h>

// By family, in the order of operator_families.
// clang-format off
#define OPERATORS(X)                                                                               \
    X(add) X(mul) X(div)                                                                           \
    X(relu) X(silu) X(tanh) X(exp) X(gelu_tanh)                                                    \
    X(copy) X(fill) X(cast) X(transpose)                                                           \
    X(sum) X(sum_rows) X(max_rows)                                                                 \
    X(softmax) X(rmsnorm) X(layernorm)                                                             \
    X(matvec) X(matmul)                                                                            \
    X(attention_scores) X(weighted_sum) X(rope_half)                                               \
    X(conv2d)                                                                                      \
    X(fma_chain) X(nothing)
// clang-format on

#define DECLARE(name) extern const struct operator operator_##name;
OPERATORS(DECLARE)

#define ENTRY(name) &operator_##name,
const struct operator *const operators[] = {OPERATORS(ENTRY) NULL};

const char *const operator_families[] = {"elementwise", "activation", "movement", "reduction",
    "normalisation", "matrix", "attention", "convolution", "peak", NULL};

const struct operator *operator_named(const char *name) {
    for (size_t i = 0; operators[i]; i++)
        if (strcmp(operators[i]->name, name) == 0) return operators[i];
    return NULL;
}
