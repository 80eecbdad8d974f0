// SPDX-License-Identifier: Apache-2.0
// The words used by backends for operators, operands, dims and parameters.
#include "guess.h"

#include "../../../reference/table.h"
#include "../../base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 200 };

// ---- operators

static const struct {
    const char *word, *op;
} operator_words[] = {{"gemm", "matmul"}, {"sgemm", "matmul"}, {"hgemm", "matmul"}, {"mm", "matmul"},
    {"mat_mul", "matmul"}, {"matrix_multiply", "matmul"}, {"matmul_transposed", "matmul_nt"},
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
    {"not_equal", "ne"}, {"less", "lt"}, {"greater", "gt"}, {"abs_diff", ""}, {"fill_value", "fill"}};

static const char *const backward_words[] = {"bwd", "grad", "gradient", "backprop", NULL};

// Spells a name with underscores: "_relu_forward_" for "relu-forward", "_layer_norm_" for "layerNorm", "_dot_pass_1_"
// for "dot_pass1".
enum spelling { SPELL_PLAIN, SPELL_CAMEL, SPELL_DIGITS, SPELLINGS };
static void spell(const char *name, enum spelling spelling, char out[NAME]) {
    size_t length = 0;
    out[length++] = '_';
    for (; *name && length + 3 < NAME; name++) {
        if (!isalnum((unsigned char)*name)) {
            if (out[length - 1] != '_') out[length++] = '_';
            continue;
        }
        const bool capital = isupper((unsigned char)*name), digit = isdigit((unsigned char)*name);
        if (length > 1 && islower((unsigned char)name[-1]) &&
            ((capital && spelling != SPELL_PLAIN) || (digit && spelling == SPELL_DIGITS)))
            out[length++] = '_';
        out[length++] = (char)tolower((unsigned char)*name);
    }
    if (out[length - 1] != '_') out[length++] = '_';
    out[length] = '\0';
}

// Returns whether the spelt name has these words.
static bool holds(const char *spelt, const char *words) {
    char wanted[NAME];
    spell(words, SPELL_PLAIN, wanted);
    return strstr(spelt, wanted) != NULL;
}

struct found {
    const struct op *op;
    size_t length;
};

static void consider(const char *spelt, const char *words, const char *name, struct found *best, struct found *second) {
    const struct op *op = operator_named(name);
    const size_t length = strlen(words);
    if (!op || !holds(spelt, words)) return;
    if (length > best->length) {
        if (best->op && best->op != op && length < strlen(spelt) - 3) *second = *best;
        *best = (struct found){op, length};
    } else if (op != best->op && length > second->length) {
        *second = (struct found){op, length};
    }
}

static bool is_backward(const char *spelt) {
    for (int i = 0; backward_words[i]; i++)
        if (holds(spelt, backward_words[i])) return true;
    return holds(spelt, "backward");
}

static const struct op *backward_of(const struct op *op) {
    char name[NAME];
    if (strlen(op->name) + 10 > NAME) return NULL;
    strcpy(stpcpy(name, op->name), "_backward");
    return operator_named(name);
}

const struct op *guess_operator(const char *name, const struct op **also) {
    struct found best = {0}, second = {0};
    for (int spelling = 0; spelling < SPELLINGS; spelling++) {
        char spelt[NAME];
        // digits are split off only if nothing else matches: "transpose2d"
        if (spelling == SPELL_DIGITS && best.op) break;
        spell(name, (enum spelling)spelling, spelt);
        for (size_t i = 0; operator_at(i); i++)
            consider(spelt, operator_at(i)->name, operator_at(i)->name, &best, &second);
        for (size_t i = 0; i < sizeof operator_words / sizeof *operator_words; i++)
            consider(spelt, operator_words[i].word, operator_words[i].op, &best, &second);
        if (best.op && is_backward(spelt) && !strstr(best.op->name, "_backward")) {
            *also = NULL;
            return backward_of(best.op);
        }
    }
    // "softmax" within "log_softmax" is no second operator
    *also = second.op && best.op && !strstr(best.op->name, second.op->name) && best.length < strlen(name) ? second.op
                                                                                                          : NULL;
    return best.op;
}

const struct op *guess_rows(const struct op *op, const char *name) {
    static const struct {
        const char *word, *ending;
    } ways[] = {{"row", "_rows"}, {"rows", "_rows"}, {"rowwise", "_rows"}, {"last_dim", "_rows"}, {"col", "_cols"},
        {"cols", "_cols"}, {"column", "_cols"}, {"columns", "_cols"}};
    for (int spelling = 0; spelling < SPELLINGS; spelling++)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            char spelt[NAME], longer[NAME];
            spell(name, (enum spelling)spelling, spelt);
            if (!holds(spelt, ways[i].word) || strlen(op->name) + 6 > NAME) continue;
            strcpy(stpcpy(longer, op->name), ways[i].ending);
            const struct op *found = operator_named(longer);
            if (found) return found;
        }
    return op;
}

// ---- passes

// Names of the first and the last of several passes. Other passes have a number after a word such as "pass".
static const char *const firsts[] = {"partial", "partials", "blocks", "block", "first", "local", NULL};
static const char *const lasts[] = {
    "final", "finish", "finalize", "finalise", "last", "second", "combine", "merge", "total", NULL};
static const char *const counted[] = {"pass", "stage", "step", "phase", "part", "p", NULL};

static bool is_one_of(const char *const *words, const char *word, size_t length) {
    for (int i = 0; words[i]; i++)
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0) return true;
    return false;
}

// Returns the pass stated by the word at `at` and a number after it; 0: none. The word ends before an underscore.
static int pass_at(const char *at, size_t length, const char *behind, size_t *taken) {
    char *end;
    *taken = length;
    if (is_one_of(firsts, at, length)) return 1;
    if (is_one_of(lasts, at, length)) return GUESS_LAST;
    if (!is_one_of(counted, at, length) || !isdigit((unsigned char)*behind)) return 0;
    const long number = strtol(behind, &end, 10);
    *taken = (size_t)(end - at);
    return *end == '_' && number < GUESS_LAST - 1 ? 1 + (int)number : 0;
}

int guess_pass(struct arena *arena, const char *name, const char **stem) {
    char spelt[NAME];
    struct text rest = {0};
    int pass = 0;
    spell(name, SPELL_DIGITS, spelt);
    for (const char *at = spelt + 1; *at;) {
        const size_t length = strcspn(at, "_");
        size_t taken = length;
        const int here = pass_at(at, length, at + length + 1, &taken);
        if (!here) text_format(&rest, "%s%.*s", rest.length ? "_" : "", (int)length, at);
        if (!pass) pass = here;
        at += taken + 1;
    }
    *stem = arena_take(arena, &rest);
    return **stem ? pass : 0;
}

// ---- synonyms of operands, dims and parameters, without underscores, each between blanks

static const struct {
    const char *name, *words;
} synonyms[] = {{"a", " lhs left inputa in0 src0 ina mata matrixa "},
    {"b", " rhs right inputb in1 src1 inb matb matrixb weight weights w "}, {"c", " matc matrixc "},
    {"w", " weight weights gamma scale g "}, {"gamma", " weight weights scale w g "}, {"beta", " bias shift b "},
    {"bias", " b "}, {"weight", " kernel filter filters weights w k "}, {"q", " query queries "},
    {"k", " key keys topk "}, {"v", " value values velocity "},
    {"table", " weight weights embeddings embedding wte emb "}, {"index", " indices ids idx tokens tokenids inputids "},
    {"mask", " attnmask attentionmask "}, {"gate", " x a x1 g "}, {"up", " y b x2 u "},
    {"target", " labels targets label "}, {"g", " grad grads gradient gradients "},
    {"dy", " gradoutput gradout dout gradoutputs gy "}, {"dx", " gradinput gradin dinput gx "},
    {"res", " residual skip r "}, {"cond", " condition mask "}, {"cache", " kvcache dst "},
    {"cos", " costable coscache "}, {"sin", " sintable sincache "}, {"mean", " runningmean mu "},
    {"var", " runningvar variance "},
    {"n", " ne ne0 numids idcount size count len length num total elements numelements numel nelements elementcount "
          "totalsize "
          "ncols n0 "},
    {"cols", " dim hidden hiddensize hiddendim ncols numcols width inner d features rowsize rowlen rowlength normsize "
             "normalizedsize vocab axissize n columns embeddim size len length count w c ncolumns numcolumns numcols "
             "ne0 ne00 intermediatesize "},
    {"rows", " batch nrows numrows outer tokens numtokens seq seqlen m batchsize b height h vocab vocabsize "
             "numembeddings ne1 ne01 "},
    {"m", " rows nrows mdim "}, {"eps", " epsilon "}, {"scale", " alpha factor softmaxscale smscale value s scalar "},
    {"heads", " nheads numheads h "}, {"kv_heads", " nkvheads numkvheads "},
    {"head_dim", " d dhead headsize hd dim headdim "}, {"queries", " qlen seqq seqlen seq n "},
    {"keys", " kvlen seqk seqkv kvseqlen seqlen seq "}, {"seq", " seqlen n tokens len length "},
    {"causal", " iscausal "}, {"position", " pos offset start "}, {"h", " height inh inheight ih "},
    {"w", " width inw inwidth iw "}, {"oh", " outh outheight "}, {"ow", " outw outwidth "},
    {"cin", " inchannels ic cin inputchannels "}, {"cout", " outchannels oc outputchannels "},
    {"kh", " kernelh kernelheight "}, {"kw", " kernelw kernelwidth kernelsize "}, {"pad", " padding "},
    {"stride", " strides "}, {"c", " channels numchannels "}, {"slope", " negativeslope alpha "},
    {"low", " min minval lo minvalue "}, {"high", " max maxval hi maxvalue "}, {"batch", " batchsize b n "},
    {"s", " scalar value "}, {"value", " v fillvalue scalar "}, {"lr", " learningrate "},
    {"p", " prob probability rate dropoutp "}};

static const char outputs[] = " output out dst result y dest res o c z ";
static const char inputs[] = " input in src x data inp a in0 src0 ";
static const char *const ends[] = {"buffer", "buf", "tensor", "data", "array", "ptr", NULL};

// Reduces a name to lower-case letters and digits, and removes endings such as "buffer".
static void squeeze(const char *name, char out[NAME]) {
    size_t length = 0;
    for (; *name && length + 1 < NAME; name++)
        if (isalnum((unsigned char)*name)) out[length++] = (char)tolower((unsigned char)*name);
    out[length] = '\0';
    for (int i = 0; ends[i]; i++) {
        const size_t end = strlen(ends[i]);
        if (length > end && strcmp(out + length - end, ends[i]) == 0) out[length - end] = '\0';
    }
}

static bool among(const char *words, const char *word) {
    char wanted[NAME + 2];
    if (!*word) return false;
    stpcpy(stpcpy(stpcpy(wanted, " "), word), " ");
    return strstr(words, wanted) != NULL;
}

static int count_role(const struct op *op, bool out) {
    int count = 0;
    for (int i = 0; i < operator_operands(op); i++) count += (op->operands[i].role != ROLE_IN) == out;
    return count;
}

int guess_fits(const struct op *op, const char *wanted, const char *name) {
    char found[NAME], same[NAME];
    const int operand = operator_operand_index(op, wanted);
    squeeze(name, found);
    squeeze(wanted, same);
    if (strcmp(found, same) == 0) return 3;
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (strcmp(synonyms[i].name, wanted) == 0 && among(synonyms[i].words, found)) return 2;
    if (operand < 0) return 0;
    const bool out = op->operands[operand].role != ROLE_IN;
    if (among(out ? outputs : inputs, found)) return count_role(op, out) == 1 ? 2 : 1;
    return 0;
}

bool guess_is_pad(const char *name) {
    char found[NAME];
    squeeze(name, found);
    return *name == '_' || strncmp(found, "pad", 3) == 0 || among(" unused reserved dummy ", found);
}
