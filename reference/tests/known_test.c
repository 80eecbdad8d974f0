// SPDX-License-Identifier: Apache-2.0
// Small known answers of every operator, worked out by hand, and properties of results for any inputs.
#include "evaluated.h"
#include "unit.h"

enum { MOST = 64 };

static const struct known {
    const char *op;
    int64_t dims[12];
    double in[5][MOST], want[MOST], tolerance;
} answers[] = {
    {"add", {4}, {{1, 2, 3, 4}, {5, 6, 7, 8}}, {6, 8, 10, 12}, 0},
    {"mul", {4}, {{1, 2, 3, -4}, {5, 6, 7, 8}}, {5, 12, 21, -32}, 0},
    {"div", {4}, {{10, 20, 30, 40}, {2, 4, 5, 8}}, {5, 5, 6, 5}, 0},
    {"div", {4}, {{1, -1, 0, 5}, {0, 0, 0, 2}}, {INFINITY, -INFINITY, NAN, 2.5}, 0},
    {"relu", {6}, {{-2, -1, 0, 1, 2, NAN}}, {0, 0, 0, 1, 2, 0}, 0},
    {"silu", {3}, {{0, 1, -1}}, {0, 0.7310585786300049, -0.2689414213699951}, 1e-15},
    {"tanh", {5}, {{0, 0.5, -0.5, 1000, -1000}}, {0, 0.46211715726000975, -0.46211715726000975, 1, -1}, 1e-15},
    {"exp", {5}, {{0, 1, -1, INFINITY, -INFINITY}}, {1, 2.718281828459045, 0.36787944117144233, INFINITY, 0}, 1e-15},
    {"gelu_tanh", {4}, {{0, 1, -1, 10}}, {0, 0.8411919906082768, -0.15880800939172324, 10}, 1e-15},
    {"copy", {3}, {{1, -0.0, INFINITY}}, {1, -0.0, INFINITY}, 0},
    {"fill", {3}, {{0}}, {1.5, 1.5, 1.5}, 0},
    {"sub", {3}, {{1, 2, 3}, {5, 2, -1}}, {-4, 0, 4}, 0},
    {"minimum", {4}, {{1, 2, NAN, NAN}, {3, -2, 5, NAN}}, {1, -2, 5, NAN}, 0},
    {"maximum", {4}, {{1, 2, NAN, 7}, {3, -2, 5, NAN}}, {3, 2, 5, 7}, 0},
    {"pow", {4}, {{2, 9, 4, 0}, {10, 0.5, -1, 2}}, {1024, 3, 0.25, 0}, 1e-15},
    {"fma", {3}, {{1, 2, 3}, {4, 5, 6}, {7, -10, 0.5}}, {11, 0, 18.5}, 0},
    {"mul_add_sqrt", {3}, {{1, 2, 0}, {3, 6, 5}, {1, 4, 0}}, {2, 4, 0}, 0},
    {"scale", {2}, {{16, -32}}, {5, -10}, 0},
    {"affine", {2}, {{16, -32}}, {4.3125, -10.6875}, 0},
    {"add_scalar", {2}, {{1, -1}}, {1.6875, -0.3125}, 0},
    // A column and a row make a table; then one image and one number for each channel.
    {"broadcast_add", {1, 1, 3, 1, 1, 1, 1, 2}, {{10, 20, 30}, {1, 2}}, {11, 12, 21, 22, 31, 32}, 0},
    {"broadcast_mul", {1, 2, 1, 2, 2, 2, 1, 1}, {{1, 2, 3, 4}, {1, 10, 100, 1000}},
        {1, 2, 30, 40, 100, 200, 3000, 4000}, 0},
    {"broadcast_sub", {1, 1, 3, 1, 1, 1, 1, 2}, {{10, 20, 30}, {1, 2}}, {9, 8, 19, 18, 29, 28}, 0},
    {"broadcast_div", {1, 1, 3, 1, 1, 1, 1, 2}, {{10, -20, 0}, {4, 0}}, {2.5, INFINITY, -5, -INFINITY, 0, NAN}, 0},
    {"eq", {4}, {{1, 2, NAN, 0}, {1, 3, NAN, -0.0}}, {1, 0, 0, 1}, 0},
    {"ne", {4}, {{1, 2, NAN, 0}, {1, 3, NAN, -0.0}}, {0, 1, 1, 0}, 0},
    {"lt", {4}, {{1, 2, 3, NAN}, {1, 3, 2, 1}}, {0, 1, 0, 0}, 0},
    {"le", {4}, {{1, 2, 3, NAN}, {1, 3, 2, 1}}, {1, 1, 0, 0}, 0},
    {"gt", {4}, {{1, 2, 3, NAN}, {1, 3, 2, 1}}, {0, 0, 1, 0}, 0},
    {"ge", {4}, {{1, 2, 3, NAN}, {1, 3, 2, 1}}, {1, 0, 1, 0}, 0},
    {"where", {3}, {{0, 1, 7}, {1, 2, 3}, {4, 5, 6}}, {4, 2, 3}, 0},
    {"logical_and", {4}, {{0, 0, 2, 2}, {0, 9, 0, 9}}, {0, 0, 0, 1}, 0},
    {"logical_or", {4}, {{0, 0, 2, 2}, {0, 9, 0, 9}}, {0, 1, 1, 1}, 0},
    {"logical_xor", {4}, {{0, 0, 2, 2}, {0, 9, 0, 9}}, {0, 1, 1, 0}, 0},
    {"logical_not", {3}, {{0, 1, 255}}, {1, 0, 0}, 0},
    {"neg", {3}, {{1, -2, 0}}, {-1, 2, -0.0}, 0},
    {"abs", {3}, {{1, -2, -INFINITY}}, {1, 2, INFINITY}, 0},
    {"sign", {5}, {{3, -0.5, 0, -INFINITY, NAN}}, {1, -1, 0, -1, 0}, 0},
    {"square", {2}, {{3, -4}}, {9, 16}, 0},
    {"reciprocal", {4}, {{2, -4, 0, -0.0}}, {0.5, -0.25, INFINITY, -INFINITY}, 0},
    {"sqrt", {3}, {{9, 0, INFINITY}}, {3, 0, INFINITY}, 0},
    {"rsqrt", {2}, {{4, INFINITY}}, {0.5, 0}, 0},
    {"log", {3}, {{1, 2.718281828459045, INFINITY}}, {0, 1, INFINITY}, 1e-15},
    {"sin", {3}, {{0, 1.5707963267948966, -1.5707963267948966}}, {0, 1, -1}, 1e-15},
    {"cos", {2}, {{0, 3.141592653589793}}, {1, -1}, 1e-15},
    {"floor", {4}, {{1.5, -1.5, 2, -0.25}}, {1, -2, 2, -1}, 0},
    {"ceil", {4}, {{1.5, -1.5, 2, 0.25}}, {2, -1, 2, 1}, 0},
    {"round", {5}, {{0.5, 1.5, 2.5, -2.5, 2.51}}, {0, 2, 2, -2, 3}, 0},
    {"erf", {4}, {{0, 0.5, -1, INFINITY}}, {0, 0.5204998778130465, -0.8427007929497149, 1}, 1e-15},
    {"sigmoid", {4}, {{0, 1, 100, -1000}}, {0.5, 0.7310585786300049, 1, 0}, 1e-15},
    {"gelu_erf", {3}, {{0, 1, -1}}, {0, 0.8413447460685429, -0.15865525393145707}, 1e-15},
    {"gelu_quick", {3}, {{0, 1, -1}}, {0, 0.8457957659328212, -0.15420423406717877}, 1e-15},
    {"elu", {4}, {{2, 0, -1, -INFINITY}}, {2, 0, -0.6321205588285577, -1}, 1e-15},
    {"leaky_relu", {2}, {{3, -100}}, {3, -1}, 1e-7},
    {"softplus", {4}, {{0, 1, 100, -1000}}, {0.6931471805599453, 1.3132616875182228, 100, 0}, 1e-15},
    {"hardswish", {5}, {{-4, -3, 0, 1, 4}}, {-0.0, -0.0, 0, 0.6666666666666666, 4}, 0},
    {"hardsigmoid", {4}, {{-4, 0, 1.5, 4}}, {0, 0.5, 0.75, 1}, 0},
    {"softsign", {5}, {{0, 1, -3, 0.25, INFINITY}}, {0, 0.5, -0.75, 0.2, NAN}, 0},
    {"clamp", {4}, {{-1, 0.25, 3, NAN}}, {-0.5, 0.25, 0.5, NAN}, 0},
    {"swiglu", {2}, {{1, -1}, {10, 100}}, {7.310585786300049, -26.89414213699951}, 1e-15},
    {"geglu", {2}, {{1, -1}, {10, 100}}, {8.411919906082768, -15.880800939172324}, 1e-15},
    {"reglu", {3}, {{2, -2, NAN}, {10, 10, 1}}, {20, 0, 0}, 0},
    {"cast_f32", {2}, {{1.5, -3}}, {1.5, -3}, 0},
    // Axes 0 1 2 3 to 0 2 1 3, then the innermost to the front.
    {"permute", {1, 2, 3, 1, 0, 2, 1, 3}, {{1, 2, 3, 4, 5, 6}}, {1, 4, 2, 5, 3, 6}, 0},
    {"permute", {1, 1, 3, 2, 3, 0, 1, 2}, {{1, 2, 3, 4, 5, 6}}, {1, 3, 5, 2, 4, 6}, 0},
    {"copy2d", {2, 2, 3, 4}, {{1, 2, 0, 3, 4, 0}, {5, 6, 7, 8, 9, 10, 11, 12}}, {1, 2, 7, 8, 3, 4, 11, 12}, 0},
    {"slice", {2, 4, 1, 1, 2, 2}, {{0, 1, 2, 3, 4, 5, 6, 7}}, {1, 3, 5, 7}, 0},
    {"slice", {1, 3, 2, 0, 1, 2}, {{0, 1, 2, 3, 4, 5}}, {0, 1, 2, 3}, 0},
    {"flip", {2, 3, 1}, {{1, 2, 3, 4, 5, 6}}, {3, 2, 1, 6, 5, 4}, 0},
    {"flip", {1, 2, 2}, {{1, 2, 3, 4}}, {3, 4, 1, 2}, 0},
    {"tile", {2, 2, 2, 2}, {{1, 2, 3, 4}}, {1, 2, 1, 2, 3, 4, 3, 4, 1, 2, 1, 2, 3, 4, 3, 4}, 0},
    {"concat", {2, 1, 2, 1}, {{1, 2}, {3, 4, 5, 6}}, {1, 3, 4, 2, 5, 6}, 0},
    {"pad", {1, 1, 2, 0, 1, 1, 0}, {{8, 9}}, {0.25, 8, 9, 0.25, 0.25, 0.25}, 0},
    {"gather_stride", {3, 2}, {{1, 2, 3, 4, 5, 6}}, {1, 3, 5}, 0},
    {"gather_random", {3}, {{2, 0, 1}, {7, 8, 9}}, {9, 7, 8}, 0},
    {"scatter_random", {3}, {{2, 0, 1}, {7, 8, 9}}, {8, 9, 7}, 0},
    {"transpose", {2, 3}, {{1, 2, 3, 4, 5, 6}}, {1, 4, 2, 5, 3, 6}, 0},
    {"sum", {4}, {{1, 2, 3, 4}}, {10}, 0},
    {"sum_rows", {2, 3}, {{1, 2, 3, 4, 5, 6}}, {6, 15}, 0},
    {"max_rows", {3, 2}, {{1, 2, -3, -4, -INFINITY, NAN}}, {2, -3, -INFINITY}, 0},
    {"mean", {4}, {{1, 2, 3, 6}}, {3}, 0},
    {"mean_rows", {2, 2}, {{1, 2, -3, 7}}, {1.5, 2}, 0},
    {"prod", {4}, {{1, 2, -3, 4}}, {-24}, 0},
    {"prod_rows", {2, 2}, {{0.5, 2, -3, 7}}, {1, -21}, 0},
    {"l2_norm", {2}, {{3, -4}}, {5}, 0},
    {"l2_norm_rows", {2, 2}, {{3, -4, 0, 0}}, {5, 0}, 0},
    {"max", {3}, {{-3, NAN, -4}}, {-3}, 0},
    {"min", {3}, {{-3, NAN, -4}}, {-4}, 0},
    {"min_rows", {3, 2}, {{1, 2, -3, -4, INFINITY, NAN}}, {1, -4, INFINITY}, 0},
    {"argmax", {5}, {{1, 3, 2, 3, 3}}, {1}, 0},
    {"argmin", {5}, {{4, 1, 2, 1, 1}}, {1}, 0},
    {"argmax_rows", {2, 3}, {{1, 2, 3, 5, 5, 5}}, {2, 0}, 0},
    {"argmin_rows", {2, 3}, {{3, 2, 1, 5, 5, 5}}, {2, 0}, 0},
    {"argmax_rows", {2, 3}, {{3, NAN, NAN, INFINITY, 5, 5}}, {1, 0}, 0},
    {"argmin", {4}, {{INFINITY, -INFINITY, NAN, NAN}}, {2}, 0},
    // Two matrices of three rows and two columns; the lines are the columns of each.
    {"sum_axis", {2, 3, 2}, {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}, {9, 12, 27, 30}, 0},
    {"mean_axis", {2, 3, 2}, {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}, {3, 4, 9, 10}, 0},
    {"prod_axis", {2, 2, 2}, {{1, 2, 3, 4, 5, 6, -7, 8}}, {3, 8, -35, 48}, 0},
    {"l2_norm_axis", {1, 2, 2}, {{3, 0, -4, 2}}, {5, 2}, 0},
    {"max_axis", {2, 2, 2}, {{1, 2, -3, 4, NAN, -6, -7, -8}}, {1, 4, -7, -6}, 0},
    {"min_axis", {2, 2, 2}, {{1, 2, -3, 4, NAN, -6, -7, -8}}, {-3, 2, -7, -8}, 0},
    {"argmax_axis", {1, 3, 2}, {{1, 5, 3, 5, 3, NAN}}, {1, 2}, 0},
    {"argmin_axis", {1, 3, 2}, {{NAN, 5, 3, 5, 3, -1}}, {0, 2}, 0},
    {"variance_axis", {1, 3, 2}, {{1, 4, 2, 4, 3, 4}}, {1, 0}, 0},
    {"any", {3}, {{0, 0, 0}}, {0}, 0},
    {"any", {3}, {{0, 0, -5}}, {1}, 0},
    {"all", {3}, {{1, 2, -5}}, {1}, 0},
    {"all", {3}, {{1, 0, -5}}, {0}, 0},
    // Deviations -1.5, -0.5, 0.5, 1.5, whatever the mean; unbiased by default.
    {"variance", {4}, {{100001, 100002, 100003, 100004}}, {5.0 / 3}, 1e-15},
    {"variance_rows", {2, 2}, {{1, 3, 7, 7}}, {2, 0}, 0},
    {"logsumexp", {2, 2}, {{1000, 1000, 0, 0}}, {1000.6931471805599, 0.6931471805599453}, 1e-15},
    {"logsumexp", {1, 2}, {{-INFINITY, -INFINITY}}, {-INFINITY}, 0},
    {"cumsum", {2, 3}, {{1, 2, 3, 4, 5, 6}}, {1, 3, 6, 4, 9, 15}, 0},
    {"topk", {2, 4, 2}, {{1, 4, 2, 3, -1, -1, -2, -3}}, {4, 3, -1, -1}, 0},
    {"argsort", {2, 4}, {{3, 1, 2, 1, 0, 0, 0, -1}}, {1, 3, 2, 0, 3, 0, 1, 2}, 0},
    // NaN is the greatest. Among equals the first wins; all NaNs are equal, and so are zeros of both signs.
    {"topk", {2, 4, 3}, {{1, NAN, INFINITY, 7, NAN, -INFINITY, NAN, 2}}, {NAN, INFINITY, 7, NAN, NAN, 2}, 0},
    {"argsort", {2, 5}, {{NAN, INFINITY, -0.0, -INFINITY, NAN, NAN, 0, -0.0, NAN, 0}}, {3, 2, 1, 0, 4, 1, 2, 4, 0, 3},
        0},
    {"log_softmax", {1, 2}, {{1000, 999}}, {-0.31326168751822286, -1.3132616875182228}, 1e-15},
    // scale 0.125; one mask for both rows
    {"softmax_masked", {2, 3, 1}, {{8, 0, 5, 0, 8, 5}, {0, 0, -INFINITY}},
        {0.7310585786300049, 0.2689414213699951, 0, 0.2689414213699951, 0.7310585786300049, 0}, 1e-15},
    {"softmax_masked", {1, 2, 1}, {{8, 0}, {-INFINITY, -INFINITY}}, {0, 0}, 0},
    {"softmax", {2, 2}, {{0, 0, 1000, 999}}, {0.5, 0.5, 0.7310585786300049, 0.2689414213699951}, 1e-15},
    // 1/sqrt(7.5 + 1e-5)
    {"rmsnorm", {1, 4}, {{1, 2, 3, 4}, {1, 1, 1, 1}},
        {0.3651481282381064, 0.7302962564762128, 1.0954443847143192, 1.4605925129524255}, 1e-14},
    // mean 2.5, variance 1.25
    {"layernorm", {1, 4}, {{1, 2, 3, 4}, {1, 1, 2, 1}, {0, 10, 0, 0}},
        {-1.3416354199689269, 9.552788193343691, 0.894423613312618, 1.3416354199689269}, 1e-14},
    {"add_rmsnorm", {1, 4}, {{1, 1, 1, 1}, {0, 1, 2, 3}, {1, 1, 1, 1}}, {1, 2, 3, 4}, 0},
    // Two channels in one group, then each separately: deviations of 1 and of 3 and 1.
    {"groupnorm", {1, 2, 1, 2, 1}, {{1, 3, 1, 3}, {1, 2}, {0, 10}},
        {-0.9999950000374997, 0.9999950000374997, 8.000009999925, 11.999990000075}, 1e-14},
    {"instancenorm", {1, 2, 1, 2}, {{1, 3, 5, 3}, {1, 2}, {0, 10}},
        {-0.9999950000374997, 0.9999950000374997, 11.999990000075, 8.000009999925}, 1e-14},
    // Images 1 and 3 of one channel: mean 2, population variance 1.
    {"batchnorm_training", {2, 1, 1, 1}, {{1, 3}, {1}, {0}, {10}, {20}}, {9.2}, 1e-15},
    {"batchnorm_inference", {1, 2, 1, 2}, {{1, 3, 1, 3}, {1, 2}, {0, 5}, {1, 2}, {0.99999, 3.99999}}, {0, 2, 4, 6},
        1e-15},
    {"matvec", {2, 3}, {{1, 2, 3, 4, 5, 6}, {1, 2, 3}}, {14, 32}, 0},
    {"matmul", {2, 2, 2}, {{1, 2, 3, 4}, {5, 6, 7, 8}}, {19, 22, 43, 50}, 0},
    {"matmul", {1, 3, 2}, {{2, 3}, {1, 0, 2, 0, 1, 1}}, {2, 3, 7}, 0},
    {"matmul_nt", {2, 2, 2}, {{1, 2, 3, 4}, {5, 7, 6, 8}}, {19, 22, 43, 50}, 0},
    {"matmul_i8", {2, 2, 2}, {{1, -128, 3, 4}, {5, -6, 127, 8}}, {-16251, -1030, 523, 14}, 0},
    // Steps of 1: 63.2 is 63, -1.4 is -1; then of 2 and of 1.
    {"q8_matvec", {2, 32}, {{[0] = 1, [1] = 2, [33] = 4, [34] = 8}, {127, 63.2, -1.4}}, {253, 244}, 0},
    {"q8_matmul_nt", {2, 1, 32}, {{[0] = 254, [1] = 3.2, [32] = -127, [33] = 3.2}, {1, 10}}, {294, -97}, 0},
    {"matmul_tn", {2, 2, 2}, {{1, 3, 2, 4}, {5, 6, 7, 8}}, {19, 22, 43, 50}, 0},
    {"matmul_tn", {1, 3, 2}, {{2, 3}, {1, 0, 2, 0, 1, 1}}, {2, 3, 7}, 0},
    {"bmm", {2, 2, 1, 1, 2}, {{1, 2, 3, 4}, {5, 6, 7, 8}}, {17, 53}, 0},
    // A single matrix of a for two of b, then one of b for two of a.
    {"bmm", {1, 2, 1, 1, 2}, {{1, 2}, {5, 6, 7, 8}}, {17, 23}, 0},
    {"bmm", {2, 1, 1, 1, 2}, {{1, 2, 3, 4}, {5, 6}}, {17, 39}, 0},
    {"outer", {2, 3}, {{2, -3}, {1, 10, 100}}, {2, 20, 200, -3, -30, -300}, 0},
    {"dot", {3}, {{1, 2, 3}, {4, -5, 6}}, {12}, 0},
    {"linear", {1, 2, 2}, {{1, 2}, {3, 4, 5, 6}, {10, -20}}, {21, -3}, 0},
    {"linear_relu", {1, 2, 2}, {{1, 2}, {3, 4, 5, 6}, {10, -20}}, {21, 0}, 0},
    {"linear_gelu", {1, 3, 1}, {{1}, {3, 4, -4}, {-3, -3, 3}}, {0, 0.8411919906082768, -0.15880800939172324}, 1e-15},
    // silu(1) 2 and silu(-1) 4, then their sum and their difference.
    {"mlp", {1, 2, 2}, {{1, 0}, {1, 9, -1, 9}, {2, 9, 4, 9}, {1, 1, 1, -1}}, {0.3863514717800294, 2.53788284273999},
        1e-14},
    {"attention_scores", {2, 3}, {{1, 2, 3}, {1, 1, 1, 0, 0, 4}}, {0.75, 1.5}, 0},
    {"weighted_sum", {2, 3}, {{0.25, 0.75}, {4, 8, 0, 4, 0, 8}}, {4, 2, 6}, 0},
    // Position 0 is the identity; at position 1 a quarter turn maps (a, b) to (-b, a).
    {"rope_half", {2, 1, 4}, {{1, 2, 3, 4, 1, 2, 3, 4}, {1, 1, 0, 0}, {0, 0, 1, 1}}, {1, 2, 3, 4, -3, -4, 1, 2}, 0},
    {"rope_interleaved", {2, 1, 4}, {{1, 2, 3, 4, 1, 2, 3, 4}, {1, 1, 0, 0}, {0, 0, 1, 1}}, {1, 2, 3, 4, -2, 1, -4, 3},
        0},
    // Scores 0 and 8 ln(3) / 8: weights 1/4 and 3/4.
    {"attention", {1, 1, 1, 1, 2, 1, 0}, {{1}, {0, 8.788898309344879}, {4, 8}}, {7}, 1e-7},
    // Two heads of queries on one of keys; scores of 0 give the mean.
    {"attention", {1, 2, 1, 1, 2, 2, 0}, {{0, 0, 0, 0}, {1, 2, 3, 4}, {2, 4, 6, 8}}, {4, 6, 4, 6}, 0},
    // Causal, three queries on two keys: the first sees nothing, the second one key, the last both.
    {"attention", {1, 1, 1, 3, 2, 1, 1}, {{0, 0, 0}, {1, 2}, {3, 5}}, {0, 3, 4}, 0},
    {"attention_masked", {1, 1, 1, 3, 2, 1},
        {{0, 0, 0}, {1, 2}, {3, 5}, {0, -INFINITY, -INFINITY, 0, -INFINITY, -INFINITY}}, {3, 5, 0}, 0},
    {"kv_append", {1, 2, 3, 1, 1, 1}, {{10, 20}, {1, 2, 3, 4, 5, 6}}, {1, 10, 3, 4, 20, 6}, 0},
    {"repeat_kv", {1, 2, 2, 1, 2}, {{1, 2, 3, 4}}, {1, 2, 1, 2, 3, 4, 3, 4}, 0},
    // Out of range: -1 and the size of the axis.
    {"embedding", {2, 2, 4}, {{1, -1, 0, 2}, {1, 2, 3, 4}}, {3, 4, 0, 0, 1, 2, 0, 0}, 0},
    {"index_select", {2, 3, 1, 2}, {{2, 3}, {1, 2, 3, 4, 5, 6}}, {3, 0, 6, 0}, 0},
    {"gather", {1, 3, 2, 2}, {{2, 0, -1, 3}, {1, 2, 3, 4, 5, 6}}, {5, 2, 0, 0}, 0},
    {"scatter", {1, 3, 2, 2}, {{2, 0, 2, 3}, {10, 20, 30, 40}, {1, 2, 3, 4, 5, 6}}, {1, 20, 3, 4, 30, 6},
        0}, // two at one position: the last stays
    {"scatter_add", {1, 3, 2, 2}, {{2, 0, 2, -1}, {10, 20, 30, 40}, {1, 2, 3, 4, 5, 6}}, {1, 22, 3, 4, 45, 6}, 0},
    {"index_add", {1, 3, 2, 3}, {{2, 5, 2}, {1, 2, 3, 4, 5, 6}, {10, 20, 30, 40, 50, 60}}, {10, 20, 30, 40, 56, 68}, 0},
    // A 3 x 3 image, a 2 x 2 window, bias 10.
    {"conv2d", {1, 1, 3, 3, 1, 2, 2, 1, 0, 1, 1}, {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 0, 0, 2}, {10}}, {21, 24, 30, 33},
        0},
    // The same with a border of zeros and stride 2: windows at -1 and 1.
    {"conv2d", {1, 1, 3, 3, 1, 2, 2, 2, 1, 1, 1}, {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 0, 0, 2}, {10}}, {12, 16, 24, 33},
        0},
    // Dilation 2: the corners.
    {"conv2d", {1, 1, 3, 3, 1, 2, 2, 1, 0, 2, 1}, {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 0, 0, 2}, {10}}, {29}, 0},
    // Two groups: each output channel sees one input channel.
    {"conv2d", {1, 2, 1, 2, 2, 1, 1, 1, 0, 1, 2}, {{1, 2, 3, 4}, {10, 100}, {0, 1}}, {10, 20, 301, 401}, 0},
    {"conv1d", {1, 1, 4, 1, 2, 1, 1, 1, 1}, {{1, 2, 3, 4}, {1, 10}, {100}}, {110, 121, 132, 143, 104}, 0},
    {"conv1d", {1, 1, 5, 1, 2, 2, 0, 2, 1}, {{1, 2, 3, 4, 5}, {1, 10}, {0}}, {31, 53}, 0},
    // Stride 2 puts the windows side by side; output_pad adds an output that nothing reaches.
    {"conv_transpose1d", {1, 1, 3, 1, 2, 2, 0, 1, 1, 1}, {{1, 2, 3}, {1, 10}, {100}},
        {101, 110, 102, 120, 103, 130, 100}, 0},
    {"conv_transpose1d", {1, 1, 3, 1, 2, 1, 1, 0, 2, 1}, {{1, 2, 3}, {1, 10}, {0}}, {2, 13, 20}, 0},
    {"conv_transpose2d", {1, 1, 2, 2, 1, 2, 2, 1, 0, 0, 1, 1}, {{1, 2, 3, 4}, {1, 10, 100, 1000}, {0}},
        {1, 12, 20, 103, 1234, 2040, 300, 3400, 4000}, 0},
    {"conv_transpose2d", {1, 2, 1, 1, 2, 1, 1, 1, 0, 0, 1, 2}, {{2, 3}, {5, 7}, {0, 1}}, {10, 22}, 0},
    {"im2col", {1, 1, 2, 3, 1, 2, 1, 0, 1}, {{1, 2, 3, 4, 5, 6}}, {1, 2, 4, 5, 2, 3, 5, 6}, 0},
    {"im2col", {1, 1, 1, 2, 1, 2, 1, 1, 1}, {{1, 2}}, {0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0}, 0},
    {"max_pool1d", {1, 1, 5, 2, 2, 0, 1, 0}, {{-5, -3, -4, -1, -2}}, {-3, -1}, 0},
    {"max_pool1d", {1, 1, 5, 2, 2, 0, 1, 1}, {{-5, -3, -4, -1, -2}}, {-3, -1, -2}, 0},
    // A third window would begin in the padding after the end.
    {"max_pool1d", {1, 1, 3, 2, 2, 1, 1, 1}, {{-5, -3, -4}}, {-5, -3}, 0},
    // A single window with its two taps on either side of the one element.
    {"max_pool1d", {1, 1, 1, 2, 1, 1, 2, 0}, {{5}}, {-INFINITY}, 0},
    {"max_pool2d", {1, 1, 3, 3, 2, 2, 1, 0, 1, 0}, {{1, 2, 3, 4, 5, 6, 7, 8, 9}}, {5, 6, 8, 9}, 0},
    {"max_pool2d", {1, 1, 1, 2, 1, 2, 1, 0, 1, 0}, {{NAN, 1}}, {1}, 0},
    {"avg_pool1d", {1, 1, 3, 2, 2, 1, 0}, {{2, 4, 6}}, {1, 5}, 0},
    // In ceil form the second window has two taps inside and one beyond the padding.
    {"avg_pool1d", {1, 1, 4, 3, 2, 0, 1}, {{3, 6, 9, 12}}, {6, 10.5}, 0},
    {"avg_pool2d", {1, 1, 2, 2, 2, 2, 1, 1, 0}, {{4, 8, 12, 16}}, {1, 3, 2, 4, 10, 6, 3, 7, 4}, 0},
    {"global_avg_pool", {1, 2, 1, 2}, {{1, 3, 5, 8}}, {2, 6.5}, 0},
    {"upsample_nearest", {1, 1, 1, 2, 1, 5}, {{7, 9}}, {7, 7, 7, 9, 9}, 0},
    {"upsample_nearest", {1, 1, 2, 3, 1, 2}, {{1, 2, 3, 4, 5, 6}}, {1, 2}, 0},
    {"upsample_bilinear", {1, 1, 1, 2, 1, 4}, {{0, 8}}, {0, 2, 6, 8}, 0},
    {"upsample_bilinear", {1, 1, 2, 1, 4, 1}, {{0, 8}}, {0, 2, 6, 8}, 0},
    // Two windows of two taps over a row of three: the middle one is in both.
    {"conv2d_backward_input", {1, 1, 1, 3, 1, 1, 2, 1, 0, 1, 1}, {{1, 2}, {10, 100}}, {10, 120, 200}, 0},
    {"conv2d_backward_weight", {1, 1, 1, 3, 1, 1, 2, 1, 0, 1, 1}, {{1, 2, 3}, {10, 100}}, {210, 320}, 0},
    {"conv2d_backward_bias", {2, 2, 1, 2}, {{1, 2, 3, 4, 5, 6, 7, 8}}, {14, 22}, 0},
    {"max_pool2d_backward", {1, 1, 1, 3, 1, 2, 1, 0, 1, 0}, {{1, 3, 2}, {10, 100}}, {0, 110, 0}, 0},
    // The first of equal elements.
    {"max_pool2d_backward", {1, 1, 2, 2, 2, 2, 1, 0, 1, 0}, {{1, 5, 5, 5}, {10}}, {0, 10, 0, 0}, 0},
    // With only -inf, the first too; with NaN and -inf, the latter; with only NaN, none.
    {"max_pool2d_backward", {1, 1, 2, 2, 2, 2, 1, 0, 1, 0}, {{-INFINITY, -INFINITY, -INFINITY, -INFINITY}, {10}},
        {10, 0, 0, 0}, 0},
    {"max_pool2d_backward", {1, 1, 1, 3, 1, 2, 1, 0, 1, 0}, {{NAN, -INFINITY, -INFINITY}, {10, 100}}, {0, 110, 0}, 0},
    {"max_pool2d_backward", {1, 1, 1, 2, 1, 2, 1, 0, 1, 0}, {{NAN, NAN}, {10}}, {0, 0}, 0},
    {"avg_pool2d_backward", {1, 1, 1, 3, 1, 2, 1, 0, 0}, {{10, 100}}, {5, 55, 50}, 0},
    {"mse", {3}, {{1, 2, 4}, {1, 0, 1}}, {13.0 / 3}, 1e-15},
    {"l1", {3}, {{1, 2, -4}, {1, 0, 1}}, {7.0 / 3}, 1e-15},
    // -log(1/2), and 3/4 of the 100 at which a logarithm of zero is cut.
    {"bce", {2}, {{0.5, 1}, {1, 0.25}}, {37.84657359027997}, 1e-15},
    {"bce_with_logits", {3}, {{0, 1000, -1000}, {1, 0.25, 0}}, {250.23104906018665}, 1e-15},
    // The second target is out of range, so two of three rows count.
    {"cross_entropy", {3, 2}, {{0, 0, 5, 6, 1000, 1000}, {1, -100, 0}}, {0.6931471805599453}, 1e-12},
    // log 4 - 0.95 log 3, as label_smoothing is 0.1.
    {"cross_entropy", {1, 2}, {{1.0986122886681098, 0}, {0}}, {0.3426126868851864}, 1e-15},
    {"nll", {3, 2}, {{-1, -2, -3, -4, -5, -6}, {1, 2, 0}}, {3.5}, 0},
    {"mse_backward", {2}, {{1, 4}, {3, 1}, {0.5}}, {-1, 1.5}, 0},
    {"l1_backward", {4}, {{1, 4, 2, 0}, {3, 1, 2, 1}, {2}}, {-0.5, 0.5, 0, -0.5}, 0},
    {"bce_backward", {2}, {{0.5, 0}, {1, 1}, {2}}, {-2, -1e12}, 1e-15},
    {"bce_with_logits_backward", {2}, {{0, 1000}, {1, 0.25}, {2}}, {-0.5, 0.75}, 0},
    {"nll_backward", {3, 2}, {{1, -1, 0}, {3}}, {0, -1.5, 0, 0, -1.5, 0}, 0},
    // Label 0.95 of the first class and 0.05 of the second.
    {"cross_entropy_backward", {2, 2}, {{0, 0, 1, 2}, {0, 2}, {2}}, {-0.9, 0.9, 0, 0}, 1e-15},
    // At the tenth step, with the default parameters: g' = 0.99 + 0.01 w.
    {"sgd", {2}, {{1, 2}, {1, 0}, {0.99, 0.98}}, {0.81, 1.9}, 1e-15},
    {"adam", {1}, {{0}, {0}, {0}, {2}}, {-0.0004844263786954596}, 1e-13},
    {"adamw", {1}, {{1}, {0}, {0}, {2}}, {0.9995055736213045}, 1e-15},
    {"rmsprop", {1}, {{0}, {0}, {2}}, {-0.09999999500000024}, 1e-13},
    {"adagrad", {1}, {{0}, {0}, {2}}, {-0.00991080277452924}, 1e-14},
    {"grad_accumulate", {2}, {{1, 2}, {3, -4}}, {4, -2}, 0},
    {"zero_grad", {2}, {{0}}, {0, 0}, 0},
    {"unscale_and_check", {2}, {{16, -32}}, {4.8, -9.6}, 1e-15},
    // Offsets (1, 0) and (-1, 1) into 2 x 2 images.
    {"crop", {2, 1, 2, 2, 2, 2}, {{1, 2, 3, 4, 5, 6, 7, 8}, {1, -1}, {0, 1}}, {3, 4, 0, 0, 0, 0, 6, 0}, 0},
    {"normalise", {1, 2, 1, 2}, {{1, 2, 3, 4}, {1, 2}, {0.5, 0.25}}, {0, 2, 4, 8}, 0},
    {"nothing", {3}, {{1, 2, 3}}, {1, 2, 3}, 0},
    // 1 * 77 + 55 is 132, or -124 as a byte; the same again twice.
    {"mad_chain", {2, 1}, {{1, 0}}, {-124, 55}, 0},
    {"mad_chain", {2, 2}, {{1, 0}}, {-21, -62}, 0},
    // w is -127, 127, -5, 3. The input 1 meets the first byte. For -1, the bytes' sum of -2 is subtracted. For 2, the
    // result is 2 - 254 = 65536 - 252.
    {"dot_chain", {3, 1}, {{1, -1, 2}}, {65410, 1, 65284}, 0},
    // 256 + 127 is 383, with the bytes 127 and 1: less 127 * 127, plus 127.
    {"dot_chain", {1, 2}, {{256}}, {49917}, 0},
    {"matrix_chain", {1, 2, 2, 5}, {{1, -1}, {1, 0, -1, 1}}, {10, -5}, 0},
    // From 1, 2, 3, 4, two places on each time: 1 + 3 + 1.
    {"turning_sum", {1, 4, 2, 3}, {{1, 2, 3, 4}}, {5, 8, 7, 10}, 0},
    {"turning_sum", {2, 2, 5, 2}, {{1, 2, 3, 4}}, {3, 3, 7, 7}, 0},
};

static bool close_enough(double got, double want, double tolerance) {
    if (isnan(want)) return isnan(got);
    if (tolerance == 0 || isinf(want)) return got == want && !signbit(got) == !signbit(want);
    return fabs(got - want) <= tolerance * fmax(1, fabs(want));
}

static struct problem open_known(const struct known *known) {
    struct problem p = problem_open(operator_named(known->op), known->dims, 1);
    for (int i = 0, next = 0; i < operator_operands(p.op); i++)
        if (p.in[i] || p.ints[i]) problem_set(&p, i, known->in[next++]);
    return p;
}

static void answers_are_the_known_ones(void **state) {
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        struct problem p = open_known(&answers[i]);
        problem_truth(&p, 0, p.elements);
        problem_float(&p, 0, p.elements);
        for (int64_t j = 0; j < p.elements; j++) {
            if (!close_enough(p.out[j], answers[i].want[j], answers[i].tolerance))
                fail_msg("%s (answer %zu): element %lld is %.17g, not %.17g", answers[i].op, i, (long long)j, p.out[j],
                    answers[i].want[j]);
            assert_true(problem_share(&p, j) <= 1);
        }
        problem_close(&p);
    }
}

static void casts_are_those_of_the_dtype(void **state) {
    struct problem p = problem_open(operator_named("cast"), (int64_t[]){4}, 1);
    problem_set(&p, 0, (double[]){0.1, 1e6, 0x1p-25, -3});
    p.dtype = DTYPE_F16;
    problem_truth(&p, 0, 4);
    problem_float(&p, 0, 4);
    const double want[] = {0x1.998p-4, INFINITY, 0, -3};
    for (int i = 0; i < 4; i++) {
        assert_true(p.out[i] == want[i] && p.bound[i] == 0);
        assert_true((double)p.out32[i] == want[i]);
    }
    problem_close(&p);
}

static void casts_to_integers_stay_in_range(void **state) {
    static const double from[] = {2.5, -2.5, 1e20, -1e20, NAN, 300};
    static const double whole[] = {2, -2, INT32_MAX, INT32_MIN, 0, 300}, byte[] = {2, 0, 255, 0, 0, 255};
    struct problem p = problem_open(operator_named("cast"), (int64_t[]){6}, 1);
    problem_set(&p, 0, from);
    p.dtype = DTYPE_I32;
    problem_truth(&p, 0, 6);
    for (int i = 0; i < 6; i++) assert_true(p.out[i] == whole[i]);
    p.dtype = DTYPE_U8;
    problem_truth(&p, 0, 6);
    for (int i = 0; i < 6; i++) assert_true(p.out[i] == byte[i]);
    problem_close(&p);
}

static void division_has_no_bound_beyond_the_specified_divisors(void **state) {
    struct problem p = problem_open(operator_named("div"), (int64_t[]){5}, 1);
    problem_set(&p, 0, (double[]){1, 1, 1, 1, 1});
    problem_set(&p, 1, (double[]){3, 0x1p-127, 0x1.8p126, 0, INFINITY});
    problem_truth(&p, 0, 5);
    assert_true(p.bound[0] == 2.5 && p.bound[3] == 2.5 && p.bound[4] == 2.5);
    assert_true(isinf(p.bound[1]) && isinf(p.bound[2]));
    problem_close(&p);
}

// Results of drivers at whole ULP from the correctly rounded result, but further from the truth.
static void single_instructions_are_counted_from_the_rounded_result(void **state) {
    static const struct {
        const char *op;
        float x, got;
        bool right;
    } cases[] = {
        {"exp", -0.0482818112f, 0.952865422f, true}, // llvmpipe
        {"exp", -0.0482818112f, 0.952865482f, false},
        {"log", 0.388331294f, -0.945896268f, true}, // H200
        {"log", 0.388331294f, -0.945896208f, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct problem p = problem_open(operator_named(cases[i].op), (int64_t[]){1}, 1);
        problem_set_at(&p, 0, 0, cases[i].x);
        problem_truth(&p, 0, 1);
        const double error = fabs(cases[i].got - p.out[0]), ulp = dtype_ulp(DTYPE_F32, p.out[0]);
        if ((error <= p.bound[0] * ulp) != cases[i].right)
            fail_msg("%s(%.9g) = %.9g: %g ULP of %g", cases[i].op, cases[i].x, cases[i].got, error / ulp, p.bound[0]);
        problem_close(&p);
    }
}

// With a divisor above 2^126 a kernel may give 0, but nothing larger than twice the truth.
static void nothing_is_asked_where_the_specification_leaves_it_open(void **state) {
    static const struct {
        const char *op;
        double a, b, c;
        bool open;
    } cases[] = {
        {"log", -1, 0, 0, true},
        {"log", 0, 0, 0, true},
        {"log", 1, 0, 0, false},
        {"rsqrt", 0, 0, 0, true},
        {"sqrt", -1, 0, 0, true},
        {"sqrt", 0, 0, 0, false},
        {"sin", 3.2, 0, 0, true},
        {"cos", -3.1, 0, 0, false},
        {"reciprocal", 0x1p127, 0, 0, true},
        {"pow", -2, 2, 0, true},
        {"pow", 0, 0, 0, true},
        {"pow", 0, 2, 0, false},
        {"pow", 1, INFINITY, 0, true},
        {"pow", 1 + 0x1p-23, 0x1p100, 0, true},
        {"mul_add_sqrt", 1, 1, -1, true},
        {"mul_add_sqrt", 1, 1, -0.25, false},
        {"fma", 0x1p100, 0x1p100, -INFINITY, true},
        {"fma", 1, 1, -INFINITY, false},
        {"swiglu", -100, INFINITY, 0, true},
        {"swiglu", -100, 1, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct problem p = problem_open(operator_named(cases[i].op), (int64_t[]){1}, 1);
        const double inputs[] = {cases[i].a, cases[i].b, cases[i].c};
        for (int j = 0; j < 3; j++)
            if (p.in[j]) problem_set(&p, j, &inputs[j]);
        problem_truth(&p, 0, 1);
        if (isinf(p.bound[0]) != cases[i].open)
            fail_msg("%s(%g, %g, %g): bound %g", cases[i].op, inputs[0], inputs[1], inputs[2], p.bound[0]);
        problem_close(&p);
    }
}

// The weight is a normal number, but its product with the value is not.
static void attention_may_flush_what_a_key_weighs(void **state) {
    struct problem p = problem_open(operator_named("attention"), (int64_t[]){1, 1, 1, 1, 3, 1, 0}, 1);
    static const double keys[] = {0, -86, -86.8}, values[] = {0, 1, 0.5};
    p.params[0] = 1;
    problem_set_at(&p, 0, 0, 1);
    for (int i = 0; i < 3; i++) problem_set_at(&p, 1, i, keys[i]), problem_set_at(&p, 2, i, values[i]);
    problem_truth(&p, 0, 1);
    const double lost = exp(-86.8) * 0.5, error = p.bound[0] * dtype_ulp(DTYPE_F32, p.magnitude[0]);
    assert_true(exp(-86.8) > 0x1p-126 && lost < 0x1p-126);
    assert_true(lost < error && error < 8 * 0x1p-126);
    problem_close(&p);
}

static void silu_may_vanish_where_its_divisor_is_beyond_bounds(void **state) {
    struct problem p = problem_open(operator_named("silu"), (int64_t[]){3}, 1);
    problem_set(&p, 0, (double[]){-80, -87.5, -100});
    problem_truth(&p, 0, 3);
    for (int i = 0; i < 3; i++) {
        double zero_is_off_by = fabs(p.out[i]) / dtype_ulp(DTYPE_F32, p.magnitude[i]);
        assert_true((zero_is_off_by <= p.bound[i]) == (i > 0));
        assert_true(p.bound[i] * dtype_ulp(DTYPE_F32, p.magnitude[i]) < 0x1p-119);
    }
    problem_close(&p);
}

static void magnitudes_are_sums_of_absolute_terms(void **state) {
    struct problem p = problem_open(operator_named("matvec"), (int64_t[]){1, 3}, 1);
    problem_set(&p, 0, (double[]){1, -2, 3});
    problem_set(&p, 1, (double[]){4, 5, 2});
    problem_truth(&p, 0, 1);
    assert_true(p.out[0] == 0 && p.magnitude[0] == 20);
    problem_close(&p);
    p = problem_open(operator_named("conv2d"), (int64_t[]){1, 1, 1, 2, 1, 1, 2, 1, 0, 1, 1}, 1);
    problem_set(&p, 0, (double[]){1, -2});
    problem_set(&p, 1, (double[]){4, 5});
    problem_set(&p, 2, (double[]){-6});
    problem_truth(&p, 0, 1);
    assert_true(p.out[0] == -12 && p.magnitude[0] == 20);
    problem_close(&p);
}

static struct problem open_output(const char *op, const int64_t *dims, const char *output) {
    int operand = operator_operand_index(operator_named(op), output);
    return problem_open_output(operator_named(op), dims, operand, 1);
}

static void variance_divides_by_what_it_is_told(void **state) {
    struct problem p = problem_open(operator_named("variance"), (int64_t[]){4}, 1);
    problem_set(&p, 0, (double[]){1, 2, 3, 4});
    for (int correction = 0; correction < 2; correction++) {
        p.params[0] = correction;
        problem_truth(&p, 0, 1);
        assert_true(p.out[0] == 5.0 / (4 - correction));
    }
    problem_close(&p);
    p = problem_open(operator_named("variance"), (int64_t[]){1}, 1);
    problem_truth(&p, 0, 1);
    assert_true(isnan(p.out[0])); // nothing to divide by
    problem_close(&p);
}

// A kernel that subtracts the squared mean from the mean square fails; a right one passes.
static void variance_of_a_large_mean_tells_good_from_bad(void **state) {
    struct problem p = problem_open(operator_named("variance"), (int64_t[]){10000}, 3);
    problem_truth(&p, 0, 1);
    problem_float(&p, 0, 1);
    assert_true(problem_share(&p, 0) <= 1);
    float sum = 0, squares = 0;
    for (int i = 0; i < 10000; i++) sum += p.in32[0][i], squares += p.in32[0][i] * p.in32[0][i];
    p.out32[0] = (squares - sum * sum / 10000) / 9999;
    assert_true(problem_share(&p, 0) > 1);
    problem_close(&p);
}

static void topk_gives_the_places_too(void **state) {
    struct problem p = open_output("topk", (int64_t[]){2, 4, 2}, "indices");
    problem_set(&p, 0, (double[]){1, 4, 2, 3, -1, -1, -2, -3});
    problem_truth(&p, 0, 4);
    const double want[] = {1, 3, 0, 1};
    assert_memory_equal(p.out, want, sizeof want);
    problem_close(&p);
}

static void topk_gives_the_places_of_nan_first(void **state) {
    struct problem p = open_output("topk", (int64_t[]){2, 4, 3}, "indices");
    problem_set(&p, 0, (double[]){1, NAN, INFINITY, 7, NAN, -INFINITY, NAN, 2});
    problem_truth(&p, 0, 6);
    const double want[] = {1, 2, 3, 0, 2, 3};
    assert_memory_equal(p.out, want, sizeof want);
    problem_close(&p);
}

static void batchnorm_statistics_are_those_of_pytorch(void **state) {
    static const struct {
        const char *output;
        double want;
    } statistics[] = {{"mean", 2}, {"var", 1}, {"running_mean", 9.2}, {"running_var", 18.2}};
    for (int i = 0; i < 4; i++) { // momentum 0.1; the running variance gets the unbiased variance, 2
        struct problem p = open_output("batchnorm_training", (int64_t[]){2, 1, 1, 1}, statistics[i].output);
        problem_set(&p, 0, (double[]){1, 3});
        problem_set(&p, 3, (double[]){10});
        problem_set(&p, 4, (double[]){20});
        problem_truth(&p, 0, 1);
        assert_true(fabs(p.out[0] - statistics[i].want) < 1e-14);
        problem_close(&p);
    }
}

// The mean of two large numbers is half a unit off in f32, which counts twice in the sum of squares.
static void a_running_variance_allows_for_the_error_of_its_mean(void **state) {
    struct problem p = open_output("batchnorm_training", (int64_t[]){2, 1, 1, 1}, "running_var");
    problem_set(&p, 0, (double[]){999985.375, 1000014.6875});
    problem_set(&p, 3, (double[]){0});
    problem_set(&p, 4, (double[]){0.5});
    problem_truth(&p, 0, 1);
    problem_float(&p, 0, 1);
    assert_true(problem_share(&p, 0) > 0.001 && problem_share(&p, 0) <= 1);
    problem_close(&p);
}

// Over one image, a group of all channels is a row, and groups of one channel are instances.
static void groupnorm_of_single_channels_is_instancenorm(void **state) {
    struct problem group = problem_open(operator_named("groupnorm"), (int64_t[]){2, 3, 4, 5, 3}, 4);
    struct problem instance = problem_open(operator_named("instancenorm"), (int64_t[]){2, 3, 4, 5}, 4);
    problem_truth(&group, 0, group.elements);
    problem_truth(&instance, 0, instance.elements);
    assert_memory_equal(group.out, instance.out, 120 * sizeof *group.out);
    problem_close(&group);
    problem_close(&instance);
}

static void softmax_rows_sum_to_one(void **state) {
    struct problem p = problem_open(operator_named("softmax"), (int64_t[]){9, 77}, 5);
    problem_truth(&p, 0, p.elements);
    for (int row = 0; row < 9; row++) {
        double sum = 0;
        for (int j = 0; j < 77; j++) sum += p.out[row * 77 + j];
        assert_true(fabs(sum - 1) < 1e-14);
    }
    problem_close(&p);
}

static void layernorm_rows_have_mean_zero_and_variance_one(void **state) {
    struct problem p = problem_open(operator_named("layernorm"), (int64_t[]){5, 64}, 5);
    for (int j = 0; j < 64; j++) p.in[1][j] = 1, p.in[2][j] = 0;
    p.params[0] = 0;
    problem_truth(&p, 0, p.elements);
    for (int row = 0; row < 5; row++) {
        double mean = 0, square = 0;
        for (int j = 0; j < 64; j++) {
            mean += p.out[row * 64 + j] / 64;
            square += p.out[row * 64 + j] * p.out[row * 64 + j] / 64;
        }
        assert_true(fabs(mean) < 1e-14);
        assert_true(fabs(square - 1) < 1e-13);
    }
    problem_close(&p);
}

static void rope_keeps_the_length_of_pairs(void **state) {
    struct problem p = problem_open(operator_named("rope_half"), (int64_t[]){6, 3, 8}, 5);
    for (int i = 0; i < 6 * 4; i++) p.in[1][i] = cos(0.7 * i), p.in[2][i] = sin(0.7 * i);
    problem_truth(&p, 0, p.elements);
    for (int head = 0; head < 18; head++)
        for (int i = 0; i < 4; i++) {
            const double *x = p.in[0] + head * 8 + i, *y = p.out + head * 8 + i;
            assert_true(fabs(hypot(x[0], x[4]) - hypot(y[0], y[4])) < 1e-14);
        }
    problem_close(&p);
}

// A 1 x 1 window without bias is a product of the weights, cout x cin, and the image, cin x (h w).
static void conv2d_of_one_tap_is_matmul(void **state) {
    struct problem conv = problem_open(operator_named("conv2d"), (int64_t[]){1, 5, 4, 3, 7, 1, 1, 1, 0, 1, 1}, 5);
    struct problem product = problem_open(operator_named("matmul"), (int64_t[]){7, 12, 5}, 6);
    for (int i = 0; i < 7; i++) conv.in[2][i] = 0;
    problem_set(&product, 0, conv.in[1]);
    problem_set(&product, 1, conv.in[0]);
    problem_truth(&conv, 0, conv.elements);
    problem_truth(&product, 0, product.elements);
    for (int i = 0; i < 7 * 12; i++) assert_true(fabs(conv.out[i] - product.out[i]) < 1e-14);
    problem_close(&conv);
    problem_close(&product);
}

static void transpose_twice_is_the_identity(void **state) {
    struct problem once = problem_open(operator_named("transpose"), (int64_t[]){5, 9}, 5);
    struct problem twice = problem_open(operator_named("transpose"), (int64_t[]){9, 5}, 6);
    problem_truth(&once, 0, once.elements);
    problem_set(&twice, 0, once.out);
    problem_truth(&twice, 0, twice.elements);
    for (int i = 0; i < 45; i++) assert_true(twice.out[i] == once.in[0][i]);
    problem_close(&once);
    problem_close(&twice);
}

// The i-th axis of the inverse order is the position of i in the original order.
static void permute_and_its_inverse_are_the_identity(void **state) {
    struct problem there = problem_open(operator_named("permute"), (int64_t[]){2, 3, 4, 5, 2, 0, 3, 1}, 5);
    struct problem back = problem_open(operator_named("permute"), (int64_t[]){4, 2, 5, 3, 1, 3, 0, 2}, 6);
    problem_truth(&there, 0, there.elements);
    problem_set(&back, 0, there.out);
    problem_truth(&back, 0, back.elements);
    for (int i = 0; i < 120; i++) assert_true(back.out[i] == there.in[0][i]);
    problem_close(&there);
    problem_close(&back);
}

static void fma_chain_follows_its_closed_form(void **state) {
    struct problem p = problem_open(operator_named("fma_chain"), (int64_t[]){8, 3000}, 5);
    problem_truth(&p, 0, p.elements);
    for (int i = 0; i < 8; i++) {
        double want = 1 + (p.in[0][i] - 1) * pow(1 - 0x1p-10, 3000);
        assert_true(fabs(p.out[i] - want) < 1e-12);
    }
    problem_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_the_known_ones),
        cmocka_unit_test(casts_are_those_of_the_dtype),
        cmocka_unit_test(casts_to_integers_stay_in_range),
        cmocka_unit_test(division_has_no_bound_beyond_the_specified_divisors),
        cmocka_unit_test(single_instructions_are_counted_from_the_rounded_result),
        cmocka_unit_test(nothing_is_asked_where_the_specification_leaves_it_open),
        cmocka_unit_test(attention_may_flush_what_a_key_weighs),
        cmocka_unit_test(silu_may_vanish_where_its_divisor_is_beyond_bounds),
        cmocka_unit_test(magnitudes_are_sums_of_absolute_terms),
        cmocka_unit_test(variance_divides_by_what_it_is_told),
        cmocka_unit_test(variance_of_a_large_mean_tells_good_from_bad),
        cmocka_unit_test(topk_gives_the_places_too),
        cmocka_unit_test(topk_gives_the_places_of_nan_first),
        cmocka_unit_test(batchnorm_statistics_are_those_of_pytorch),
        cmocka_unit_test(a_running_variance_allows_for_the_error_of_its_mean),
        cmocka_unit_test(groupnorm_of_single_channels_is_instancenorm),
        cmocka_unit_test(softmax_rows_sum_to_one),
        cmocka_unit_test(layernorm_rows_have_mean_zero_and_variance_one),
        cmocka_unit_test(rope_keeps_the_length_of_pairs),
        cmocka_unit_test(conv2d_of_one_tap_is_matmul),
        cmocka_unit_test(transpose_twice_is_the_identity),
        cmocka_unit_test(permute_and_its_inverse_are_the_identity),
        cmocka_unit_test(fma_chain_follows_its_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
