// SPDX-License-Identifier: Apache-2.0
// The words used by backends for operators.
#include "operator_words.h"

#include "../../base/text.h"
#include "../../shader/manifest/known_names.h"
#include "../../../reference/table.h"
#include "../../../reference/operator.h"

#include <ctype.h>
#include <string.h>

enum { NEAREST = 3 };

const struct operator_word operator_words[] = {{"gemm", "matmul"}, {"sgemm", "matmul"}, {"hgemm", "matmul"},
    {"mm", "matmul"}, {"mat_mul", "matmul"}, {"matrix_multiply", "matmul"}, {"matmul_transposed", "matmul_nt"},
    {"matmul_bt", "matmul_nt"}, {"matmul_transb", "matmul_nt"}, {"matmul_transposed_b", "matmul_nt"},
    {"matmul_transa", "matmul_tn"}, {"matmul_at", "matmul_tn"}, {"gemv", "matvec"}, {"mat_vec", "matvec"},
    {"mul_mat_vec", "matvec"}, {"batch_matmul", "bmm"}, {"batched_matmul", "bmm"}, {"layer_norm", "layernorm"},
    {"rms_norm", "rmsnorm"}, {"group_norm", "groupnorm"}, {"instance_norm", "instancenorm"},
    {"batch_norm", "batchnorm_inference"}, {"batchnorm", "batchnorm_inference"}, {"sdpa", "attention"},
    {"flash_attention", "attention"}, {"flash_attn", "attention"}, {"attn", "attention"},
    {"scaled_dot_product_attention", "attention"}, {"gelu", "gelu_tanh"}, {"gelu_new", "gelu_tanh"},
    {"gelu_exact", "gelu_erf"}, {"quick_gelu", "gelu_quick"}, {"swish", "silu"}, {"rope", "rope_half"},
    {"rotary", "rope_half"}, {"rope_neox", "rope_half"}, {"rope_gptj", "rope_interleaved"}, {"get_rows", "embedding"},
    {"gather_embedding", "embedding"}, {"gather_embeddings", "embedding"}, {"embedding_lookup", "embedding"},
    {"embeddings", "embedding"}, {"lookup_table", "embedding"}, {"embed", "embedding"}, {"gather_rows", "embedding"},
    {"reduce_sum", "sum"}, {"sum_reduce", "sum"}, {"reduce_max", "max"}, {"max_reduce", "max"}, {"reduce_min", "min"},
    {"reduce_mean", "mean"}, {"row_sum", "sum_rows"}, {"sum_last_dim", "sum_rows"}, {"row_max", "max_rows"},
    {"row_mean", "mean_rows"}, {"column_sum", "sum_cols"}, {"col_sum", "sum_cols"}, {"multiply", "mul"},
    {"subtract", "sub"}, {"divide", "div"}, {"vec_add", "add"}, {"vector_add", "add"}, {"hard_swish", "hardswish"},
    {"hard_sigmoid", "hardsigmoid"}, {"soft_plus", "softplus"}, {"cross_entropy_loss", "cross_entropy"},
    {"max_pool", "max_pool2d"}, {"maxpool", "max_pool2d"}, {"maxpool2d", "max_pool2d"}, {"avg_pool", "avg_pool2d"},
    {"avgpool", "avg_pool2d"}, {"avgpool2d", "avg_pool2d"}, {"global_average_pool", "global_avg_pool"},
    {"conv", "conv2d"}, {"convolution", "conv2d"}, {"depthwise_conv", "conv2d"}, {"dwconv", "conv2d"},
    {"deconv", "conv_transpose2d"}, {"transposed_conv", "conv_transpose2d"}, {"conv_transpose", "conv_transpose2d"},
    {"upsample", "upsample_nearest"}, {"resize_nearest", "upsample_nearest"}, {"resize_bilinear", "upsample_bilinear"},
    {"bilinear", "upsample_bilinear"}, {"prefix_sum", "cumsum"}, {"scan", "cumsum"}, {"top_k", "topk"},
    {"sort", "argsort"}, {"fully_connected", "linear"}, {"dense", "linear"}, {"fc", "linear"}, {"silu_mul", "swiglu"},
    {"gelu_mul", "geglu"}, {"relu_mul", "reglu"}, {"memcpy", "copy"}, {"convert", "cast"}, {"to_f32", "cast_f32"},
    {"negate", "neg"}, {"inverse_sqrt", "rsqrt"}, {"recip", "reciprocal"}, {"sqr", "square"}, {"select", "where"},
    {"masked_softmax", "softmax_masked"}, {"l2norm", "l2_norm"}, {"var", "variance"}, {"mul_scalar", "scale"},
    {"scalar_mul", "scale"}, {"concatenate", "concat"}, {"cat", "concat"}, {"repeat", "tile"}, {"equal", "eq"},
    {"not_equal", "ne"}, {"less", "lt"}, {"greater", "gt"}, {"greater_equal", "ge"}, {"less_equal", "le"},
    {"vmax", "maximum"}, {"vmin", "minimum"}, {"vadd", "add"}, {"vsub", "sub"}, {"vmul", "mul"}, {"vdiv", "div"},
    {"abs_diff", ""}, {"fill_value", "fill"}, {"full", "fill"}, {"soft_max", "softmax"}, {"norm", "layernorm"},
    {"upscale", "upsample_nearest"}, {"upsample_bilinear2d", "upsample_bilinear"},
    {"upsample_nearest2d", "upsample_nearest"}, {"interp", "upsample_bilinear"}, {"innerproduct", "linear"},
    {"inner_product", "linear"}, {"absval", "abs"}, {"clip", "clamp"}, {"relu6", "clamp"}, {"pooling", "max_pool2d"},
    {"pool2d", "max_pool2d"}, {"pool1d", "max_pool1d"}, {"convolutiondepthwise", "conv2d"}, {"convolution1d", "conv1d"},
    {"deconvolution", "conv_transpose2d"}, {"deconvolutiondepthwise", "conv_transpose2d"}, {"eltwise", "add"},
    {"leakyrelu", "leaky_relu"}, {"sigm", "sigmoid"}, {"padding", "pad"}, {"reduction", "sum"}, {"clone", "copy"},
    {"deepcopy", "copy"}, {"cpy", "copy"}, {"rotaryembed", "rope_half"}, {"rotary_embedding", "rope_half"},
    {"rotary_emb", "rope_half"}, {"rope_norm", "rope_interleaved"}, {"mul_mm", "matmul_nt"}, {"mul_mat", "matmul_nt"},
    {"add1", "add_scalar"}, {"mse_loss", "mse"}, {"nll_loss", "nll"}, {NULL, NULL}};

// Compares letters and digits only, without their case.
static bool is_same(const char *a, const char *b, size_t length) {
    const char *end = b + length;
    for (;; a++, b++) {
        while (*a && !isalnum((unsigned char)*a)) a++;
        while (b < end && !isalnum((unsigned char)*b)) b++;
        if (!*a || b == end) return !*a && b == end;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) return false;
    }
}

const struct op *operator_meant(const char *name, size_t length) {
    if (memchr(name, '.', length) || memchr(name, '*', length)) return NULL; // a kernel, or a pattern
    for (size_t i = 0; operator_at(i); i++)
        if (strlen(operator_at(i)->name) == length && memcmp(operator_at(i)->name, name, length) == 0)
            return operator_at(i);
    for (size_t i = 0; operator_at(i); i++)
        if (is_same(operator_at(i)->name, name, length)) return operator_at(i);
    for (const struct operator_word *w = operator_words; w->word; w++)
        if (is_same(w->word, name, length)) return operator_named(w->op);
    return NULL;
}

// Adds the operators meant by the names nearest to this one, which leave `names`.
static void add_near(const char *name, struct known_names *names, struct known_names *near) {
    for (const char *found; near->count < NEAREST && (found = text_nearest(name, names->items, names->count));) {
        const char *op = operator_name(operator_meant(found, strlen(found)));
        size_t at = 0;
        while (names->items[at] != found) at++;
        names->items[at] = names->items[--names->count];
        if (!names_have(near, op)) names_add(near, op);
    }
}

const char *operator_unknown(struct arena *arena, const char *name) {
    struct known_names names = {0}, words = {0}, near = {0};
    for (size_t i = 0; operator_at(i); i++) names_add(&names, operator_at(i)->name);
    for (const struct operator_word *w = operator_words; w->word; w++)
        if (*w->op) names_add(&words, w->word);
    add_near(name, &names, &near);
    if (!near.count) add_near(name, &words, &near);
    return arena_format(arena, "unknown operator '%s'%s%s (see `vkassay list operators`)", name,
        near.count ? "; near it: " : "", near.count ? names_joined(arena, &near) : "");
}
