// SPDX-License-Identifier: Apache-2.0
#include "table.h"

#include <string.h>

// By family, in the order of operator_families.
// clang-format off
#define OPERATORS(X)                                                                               \
    X(add) X(mul) X(div)                                                                           \
    X(relu) X(silu) X(tanh) X(exp) X(gelu_tanh)                                                    \
    X(copy) X(fill) X(cast) X(transpose)                                                           \
    X(sum) X(sum_rows) X(mean) X(mean_rows) X(prod) X(prod_rows) X(l2_norm) X(l2_norm_rows)        \
    X(max) X(max_rows) X(min) X(min_rows) X(argmax) X(argmax_rows) X(argmin) X(argmin_rows)        \
    X(any) X(all) X(variance) X(variance_rows) X(logsumexp) X(cumsum) X(topk) X(argsort)           \
    X(softmax) X(softmax_masked) X(log_softmax)                                                    \
    X(rmsnorm) X(add_rmsnorm) X(layernorm) X(groupnorm) X(instancenorm)                            \
    X(batchnorm_inference) X(batchnorm_training)                                                   \
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
