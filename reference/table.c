// SPDX-License-Identifier: Apache-2.0
#include "table.h"
#include "operator.h"

#include <string.h>

// By family, in the order of operator_families.
// clang-format off
#define OPERATORS(X)                                                                               \
    X(add) X(sub) X(mul) X(div) X(minimum) X(maximum) X(pow) X(fma) X(mul_add_sqrt)                \
    X(scale) X(affine) X(add_scalar) X(broadcast_add) X(broadcast_sub) X(broadcast_mul)           \
    X(broadcast_div)                                                                               \
    X(eq) X(ne) X(lt) X(le) X(gt) X(ge) X(where)                                                   \
    X(logical_and) X(logical_or) X(logical_xor) X(logical_not)                                     \
    X(neg) X(abs) X(sign) X(square) X(reciprocal) X(sqrt) X(rsqrt) X(exp) X(log) X(sin) X(cos)     \
    X(floor) X(ceil) X(round) X(erf) X(clamp)                                                      \
    X(relu) X(leaky_relu) X(elu) X(sigmoid) X(tanh) X(silu) X(softplus) X(hardswish) X(hardsigmoid)\
    X(softsign) X(gelu_tanh) X(gelu_erf) X(gelu_quick) X(swiglu) X(geglu) X(reglu)                             \
    X(copy) X(fill) X(cast) X(cast_f32) X(transpose) X(permute) X(copy2d) X(slice) X(flip)         \
    X(tile) X(concat) X(pad) X(gather_stride) X(gather_random) X(scatter_random)                   \
    X(sum) X(sum_rows) X(sum_cols) X(mean) X(mean_rows) X(prod) X(prod_rows)                       \
    X(l2_norm) X(l2_norm_rows)                                                                     \
    X(max) X(max_rows) X(min) X(min_rows) X(argmax) X(argmax_rows) X(argmin) X(argmin_rows)        \
    X(sum_axis) X(mean_axis) X(prod_axis) X(l2_norm_axis) X(max_axis) X(min_axis) X(argmax_axis)   \
    X(argmin_axis) X(variance_axis)                                                                \
    X(any) X(all) X(variance) X(variance_rows) X(logsumexp) X(cumsum) X(topk) X(argsort)           \
    X(softmax) X(softmax_masked) X(log_softmax)                                                    \
    X(rmsnorm) X(add_rmsnorm) X(layernorm) X(groupnorm) X(instancenorm)                            \
    X(batchnorm_inference) X(batchnorm_training)                                                   \
    X(matvec) X(matmul) X(matmul_nt) X(matmul_tn) X(matmul_i8) X(bmm) X(outer) X(dot)                           \
    X(q8_matvec) X(q8_matmul_nt)                                                                   \
    X(linear) X(linear_relu) X(linear_gelu) X(mlp)                                                 \
    X(attention_scores) X(weighted_sum) X(rope_half) X(rope_interleaved)                           \
    X(attention) X(attention_masked) X(kv_append) X(repeat_kv)                                     \
    X(embedding) X(index_select) X(gather) X(scatter) X(scatter_add) X(index_add)                  \
    X(rand_uniform) X(rand_normal) X(bernoulli) X(dropout)                                         \
    X(conv1d) X(conv2d) X(conv_transpose1d) X(conv_transpose2d) X(im2col)                          \
    X(max_pool1d) X(max_pool2d) X(avg_pool1d) X(avg_pool2d) X(global_avg_pool)                     \
    X(upsample_nearest) X(upsample_bilinear)                                                       \
    X(conv2d_backward_input) X(conv2d_backward_weight) X(conv2d_backward_bias)                     \
    X(max_pool2d_backward) X(avg_pool2d_backward)                                                  \
    X(add_backward) X(sub_backward) X(mul_backward) X(div_backward) X(broadcast_add_backward)      \
    X(broadcast_sub_backward) X(broadcast_mul_backward) X(broadcast_div_backward)                  \
    X(softmax_backward) X(log_softmax_backward) X(rmsnorm_backward)      \
    X(layernorm_backward) X(batchnorm_backward) X(embedding_backward) X(rope_half_backward)        \
    X(rope_interleaved_backward) X(attention_backward)                                             \
    X(relu_backward) X(sigmoid_backward) X(tanh_backward) X(exp_backward) X(log_backward)          \
    X(sqrt_backward) X(silu_backward) X(gelu_tanh_backward) X(gelu_erf_backward) X(elu_backward)   \
    X(mse) X(mse_backward) X(l1) X(l1_backward) X(bce) X(bce_backward)                             \
    X(bce_with_logits) X(bce_with_logits_backward) X(nll) X(nll_backward)                          \
    X(cross_entropy) X(cross_entropy_backward)                                                     \
    X(sgd) X(adam) X(adamw) X(rmsprop) X(adagrad)                                                  \
    X(grad_accumulate) X(zero_grad) X(grad_clip_norm) X(unscale_and_check) X(crop) X(normalise)    \
    X(fma_chain) X(mad_chain) X(dot_chain) X(matrix_chain) X(turning_sum) X(nothing)
// clang-format on

#define DECLARE(name) extern const struct op operator_##name;
OPERATORS(DECLARE)

#define ENTRY(name) &operator_##name,
const struct op *const operators[] = {OPERATORS(ENTRY) NULL};

const char *const operator_families[] = {"elementwise", "activation", "movement", "reduction", "normalisation",
    "matrix", "attention", "convolution", "indexing", "random", "backward", "training", "peak", NULL};

enum { OPERATORS_ADDED = 256 };
static const struct op *added[OPERATORS_ADDED];
static const char *added_files[OPERATORS_ADDED];
static size_t added_count;

const struct op *operator_at(size_t index) {
    static const size_t count = sizeof operators / sizeof *operators - 1;
    if (index < count) return operators[index];
    return index - count < added_count ? added[index - count] : NULL;
}

const char *operator_name(const struct op *op) {
    return op->name;
}

double operator_flops(const struct op *op, const int64_t *dims) {
    return op->flops ? op->flops(dims) : 0;
}

double operator_mean_terms(const struct op *op, const int64_t *dims) {
    double terms = 1;
    for (int i = 0; i < 4 && op->mean_over[i]; i++) terms *= (double)dims[operator_dim_index(op, op->mean_over[i])];
    return terms;
}

const struct op *operator_named(const char *name) {
    const struct op *op;
    for (size_t i = 0; (op = operator_at(i)); i++)
        if (*op->name == *name && strcmp(op->name, name) == 0) return op; // most differ in their first letter
    return NULL;
}

const char *operator_family(const char *name) {
    const struct op *op = operator_named(name);
    return op ? op->family : "other";
}

const char *operators_add(const struct op *op, const char *file) {
    if (operator_named(op->name)) return "there is an operator of that name";
    if (added_count == OPERATORS_ADDED) return "there is room for 256";
    added_files[added_count] = file;
    added[added_count++] = op;
    return NULL;
}

const char *operators_added_from(const struct op *op) {
    for (size_t i = 0; i < added_count; i++)
        if (added[i] == op) return added_files[i];
    return NULL;
}
