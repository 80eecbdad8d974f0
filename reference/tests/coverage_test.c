// SPDX-License-Identifier: Apache-2.0
// The operations of tensor backends, row by row, and the operators for them: none may be missing. Every operator must
// also be described.
#include "../table.h"
#include "../operator.h"
#include "unit.h"

#include <string.h>

static const struct row {
    const char *what, *operators; // names with a space between them
} rows[] = {
    {"arithmetic", "add sub mul div"},
    {"fused arithmetic", "fma mul_add_sqrt"},
    {"scalar arithmetic", "scale affine add_scalar"},
    {"power and extremes", "pow minimum maximum"},
    {"broadcasting", "broadcast_add broadcast_sub broadcast_mul broadcast_div"},
    {"comparisons", "eq ne lt le gt ge"},
    {"selection and logic", "where logical_and logical_or logical_xor logical_not"},
    {"copies", "copy permute copy2d"},
    {"fill", "fill"},
    {"casts, from f32 and to it", "cast cast_f32"},
    {"copies through an index", "gather_stride gather_random scatter_random"},
    {"rearrangements", "concat slice pad tile flip"},
    {"sigmoids", "relu sigmoid tanh"},
    {"unary mathematics", "exp log sqrt rsqrt sin cos neg abs square reciprocal"},
    {"the three gelus", "gelu_tanh gelu_erf gelu_quick"},
    {"silu", "silu"},
    {"other activations", "elu leaky_relu softplus hardswish hardsigmoid"},
    {"other functions", "erf clamp sign floor ceil round"},
    {"gated products", "swiglu geglu reglu"},
    {"reductions of all elements", "sum mean max min prod"},
    {"reductions of rows", "sum_rows mean_rows max_rows min_rows prod_rows"},
    {"reductions of a middle axis",
        "sum_axis mean_axis max_axis min_axis prod_axis l2_norm_axis argmax_axis argmin_axis"},
    {"variance", "variance variance_rows variance_axis"},
    {"places of extremes", "argmax argmin argmax_rows argmin_rows"},
    {"other reductions", "l2_norm l2_norm_rows logsumexp any all"},
    {"running sum", "cumsum"},
    {"orders", "topk argsort"},
    {"softmax", "softmax softmax_masked log_softmax"},
    {"root mean square norms", "rmsnorm add_rmsnorm"},
    {"layer norm", "layernorm"},
    {"batch norm", "batchnorm_inference batchnorm_training"},
    {"other norms of images", "groupnorm instancenorm"},
    {"product of a matrix and a vector", "matvec"},
    {"products of matrices", "matmul matmul_nt matmul_tn"},
    {"linear layers", "linear linear_relu linear_gelu"},
    {"batches of products", "bmm"},
    {"transpose", "transpose"},
    {"products of vectors", "outer dot"},
    {"gated block", "mlp"},
    {"attention of one query", "attention_scores weighted_sum"},
    {"the two ropes", "rope_half rope_interleaved"},
    {"attention, by three kernels and flash", "attention attention_masked"},
    {"cache of keys and values", "kv_append repeat_kv"},
    {"convolutions", "conv2d conv1d conv_transpose1d conv_transpose2d"},
    {"windows as a matrix", "im2col"},
    {"pooling", "max_pool2d avg_pool2d max_pool1d avg_pool1d global_avg_pool"},
    {"resampling", "upsample_nearest upsample_bilinear"},
    {"indexing", "embedding index_select gather scatter scatter_add index_add"},
    {"random numbers", "rand_uniform rand_normal bernoulli dropout"},
    {"gradients of arithmetic", "add_backward sub_backward mul_backward div_backward"},
    {"gradients of broadcasting",
        "broadcast_add_backward broadcast_sub_backward broadcast_mul_backward broadcast_div_backward"},
    {"gradients of sigmoids", "relu_backward sigmoid_backward tanh_backward"},
    {"gradients of unary mathematics", "exp_backward log_backward sqrt_backward"},
    {"gradients of other activations", "silu_backward gelu_tanh_backward gelu_erf_backward elu_backward"},
    {"gradients of softmax", "softmax_backward log_softmax_backward"},
    {"gradients of norms", "rmsnorm_backward layernorm_backward batchnorm_backward"},
    {"gradients of products: of a, of b, of a bias", "matmul_nt matmul_tn sum_cols"},
    {"gradients of conv2d", "conv2d_backward_input conv2d_backward_weight conv2d_backward_bias"},
    {"gradients of pooling", "max_pool2d_backward avg_pool2d_backward"},
    {"gradients of embedding, rope and attention",
        "embedding_backward rope_half_backward rope_interleaved_backward attention_backward"},
    {"gradients before the step", "grad_accumulate zero_grad grad_clip_norm unscale_and_check"},
    {"optimizers", "sgd adam adamw rmsprop adagrad"},
    {"losses", "mse l1 cross_entropy bce bce_with_logits nll"},
    {"gradients of losses", "mse_backward l1_backward cross_entropy_backward bce_backward "
                            "bce_with_logits_backward nll_backward"},
    {"augmentation", "crop flip normalise"},
    {"what a device can do at most", "fma_chain mad_chain dot_chain matrix_chain turning_sum nothing"},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

// Copies the name at *at and moves *at to the next one. Returns false at the end.
static bool next_name(const char **at, char name[64]) {
    const size_t length = strcspn(*at, " ");
    if (length == 0 || length >= 64) return false;
    memcpy(name, *at, length);
    name[length] = 0;
    *at += length + ((*at)[length] == ' ');
    return true;
}

static bool written(const char *text) {
    return text && text[0];
}

// Finds dims of one element, or the smallest legal dims.
static const char *legal_dims(const struct op *op, int64_t *dims) {
    const char *why = NULL;
    for (int64_t size = 1; size <= 8; size++) {
        for (int i = 0; i < operator_dims(op); i++) dims[i] = size;
        why = operator_derive(op, dims);
        if (!why) break;
    }
    return why;
}

static void no_row_is_without_its_operators(void **state) {
    for (int i = 0; i < ROWS; i++) {
        const char *at = rows[i].operators;
        char name[64];
        while (next_name(&at, name)) {
            if (!operator_named(name)) fail_msg("%s: there is no operator %s", rows[i].what, name);
        }
        assert_int_equal(*at, 0);
    }
}

static void every_operator_is_described(void **state) {
    for (int i = 0; operators[i]; i++) {
        const struct op *op = operators[i];
        if (!written(op->bound)) fail_msg("%s has no bound", op->name);
        if (!written(op->source)) fail_msg("%s has no source", op->name);
        if (!op->flops) fail_msg("%s has no cost", op->name);
    }
}

// No operator that computes or moves something is free.
static void every_operator_costs_something(void **state) {
    for (int i = 0; operators[i]; i++) {
        int64_t dims[2 * OPERATOR_DIMS];
        const struct op *op = operators[i];
        if (legal_dims(op, dims)) continue; // sizes that depend on each other
        const double cost = op->flops(dims) + operator_bytes(op, dims, DTYPE_F32);
        if (!(cost > 0) && strcmp(op->name, "nothing") != 0) fail_msg("%s is free", op->name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_row_is_without_its_operators),
        cmocka_unit_test(every_operator_is_described),
        cmocka_unit_test(every_operator_costs_something),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
