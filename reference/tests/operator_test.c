// SPDX-License-Identifier: Apache-2.0
#include "../bounds.h"
#include "../table.h"
#include "../operator.h"
#include "unit.h"

#include <string.h>

static const char *derive(const char *name, int64_t *dims) {
    return operator_derive(operator_named(name), dims);
}

static void names_lead_to_places(void **state) {
    const struct op *op = operator_named("conv2d");
    assert_int_equal(operator_dims(op), 11);
    assert_int_equal(operator_derived(op), 3);
    assert_int_equal(operator_operands(op), 4);
    assert_int_equal(operator_dim_index(op, "stride"), 7);
    assert_int_equal(operator_dim_index(op, "oh"), 11);
    assert_int_equal(operator_dim_index(op, "rows"), -1);
    assert_int_equal(operator_operand_index(op, "bias"), 2);
    assert_int_equal(operator_operand_index(op, "z"), -1);
    assert_int_equal(operator_param_index(operator_named("rmsnorm"), "eps"), 0);
    assert_int_equal(operator_param_index(op, "eps"), -1);
    assert_null(operator_named("no such operator"));
}

static void a_rank_counts_names_up_to_the_most(void **state) {
    const char *axes[OPERATOR_RANK + 2] = {0};
    for (int rank = 0; rank < OPERATOR_RANK + 2; rank++) {
        assert_int_equal(operand_rank(axes), rank < OPERATOR_RANK ? rank : OPERATOR_RANK);
        axes[rank] = "n";
    }
}

static void sizes_follow_from_dims(void **state) {
    int64_t dims[14] = {2, 4, 9, 7, 6, 3, 3, 2, 1, 1, 2};
    const struct op *op = operator_named("conv2d");
    assert_null(operator_derive(op, dims));
    assert_int_equal(dims[11], 5); // (9 + 2 - 3) / 2 + 1
    assert_int_equal(dims[12], 4); // (7 + 2 - 3) / 2 + 1
    assert_int_equal(dims[13], 2); // input channels of a group
    assert_int_equal(operand_elements(op, &op->operands[0], dims), 2 * 4 * 9 * 7);
    assert_int_equal(operand_elements(op, &op->operands[1], dims), 6 * 2 * 3 * 3);
    assert_int_equal(operand_elements(op, &op->operands[3], dims), 2 * 6 * 5 * 4);
    int64_t softmax[2] = {7, 33}, n[1] = {5};
    op = operator_named("softmax");
    assert_int_equal(operand_granule(op, &op->operands[1], softmax), 33);
    op = operator_named("sum");
    assert_int_equal(operand_elements(op, &op->operands[1], n), 1);
    assert_int_equal(operand_granule(op, &op->operands[1], n), 1);
}

static void illegal_dims_are_refused(void **state) {
    assert_non_null(derive("add", (int64_t[]){0}));
    assert_non_null(derive("add", (int64_t[]){-1}));
    assert_non_null(derive("matmul", (int64_t[]){4, 0, 4}));
    assert_non_null(derive("rope_half", (int64_t[]){4, 2, 7, 0}));
    //                                      n  cin h  w  cout kh kw st pad dil groups
    assert_null(derive("conv2d", (int64_t[14]){1, 4, 5, 5, 4, 3, 3, 1, 0, 1, 4}));
    assert_non_null(derive("conv2d", (int64_t[14]){1, 4, 5, 5, 4, 3, 3, 1, -1, 1, 4}));
    assert_non_null(derive("conv2d", (int64_t[14]){1, 4, 5, 5, 4, 3, 3, 0, 0, 1, 4}));
    assert_non_null(derive("conv2d", (int64_t[14]){1, 4, 5, 5, 4, 3, 3, 1, 0, 1, 3}));
    assert_non_null(derive("conv2d", (int64_t[14]){1, 4, 5, 5, 3, 3, 3, 1, 0, 1, 4}));
    assert_non_null(derive("conv2d", (int64_t[14]){1, 4, 5, 5, 4, 6, 3, 1, 0, 1, 1}));
    assert_non_null(derive("conv2d", (int64_t[14]){1, 4, 5, 5, 4, 3, 3, 1, 0, 3, 1}));
}

static void windows_are_refused_where_pytorch_refuses_them(void **state) {
    //                                              n  c  h  w  k  k  st pad dil ceil
    assert_null(derive("max_pool2d", (int64_t[12]){1, 1, 5, 5, 3, 3, 2, 1, 1, 1}));
    assert_non_null(derive("max_pool2d", (int64_t[12]){1, 1, 5, 5, 3, 3, 2, 2, 1, 0}));
    assert_non_null(derive("max_pool2d", (int64_t[12]){1, 1, 5, 5, 3, 3, 2, 1, 1, 2}));
    assert_non_null(derive("max_pool2d", (int64_t[12]){1, 1, 5, 5, 6, 3, 2, 0, 1, 0}));
    assert_non_null(derive("avg_pool2d", (int64_t[11]){1, 1, 5, 5, 3, 6, 2, 0, 0}));
    //                                             n  i  w  o  k  st pad out dil groups
    assert_null(derive("conv_transpose1d", (int64_t[12]){1, 2, 5, 4, 3, 2, 1, 1, 1, 2}));
    assert_non_null(derive("conv_transpose1d", (int64_t[12]){1, 2, 5, 4, 3, 2, 1, 2, 1, 2}));
    assert_non_null(derive("conv_transpose1d", (int64_t[12]){1, 2, 1, 4, 2, 1, 1, 0, 1, 2}));
    assert_non_null(derive("conv_transpose1d", (int64_t[12]){1, 2, 5, 3, 3, 2, 1, 1, 1, 2}));
}

// PyTorch's ceil_mode rounds up, unless the window would begin after the end of the picture and its padding.
static void windows_round_up_where_they_are_to(void **state) {
    static const int64_t rows[][9] = {
        // n, c, w, kw, stride, pad, dilation, ceil, ow
        {1, 1, 6, 3, 2, 0, 1, 0, 2},
        {1, 1, 6, 3, 2, 0, 1, 1, 3},
        {1, 1, 7, 3, 2, 0, 1, 1, 3},
        {1, 1, 5, 2, 4, 1, 1, 1, 2},
        {1, 1, 4, 2, 3, 1, 1, 1, 2},
        {1, 1, 3, 2, 3, 1, 1, 1, 2},
        {1, 1, 2, 2, 3, 1, 1, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t dims[14] = {0};
        memcpy(dims, rows[i], 8 * sizeof *dims);
        assert_null(derive("max_pool1d", dims));
        assert_int_equal(dims[8], rows[i][8]);
    }
}

static void overflow_is_refused(void **state) {
    const int64_t big = INT64_MAX;
    assert_non_null(derive("add", (int64_t[]){big}));
    assert_non_null(derive("matmul", (int64_t[]){(int64_t)1 << 32, (int64_t)1 << 32, 1}));
    assert_non_null(derive("conv2d", (int64_t[14]){1, 1, 5, 5, 1, 3, 3, 1, big, 1, 1}));
    assert_non_null(derive("conv2d", (int64_t[14]){1, 1, 5, 5, 1, big, 3, 1, 0, big, 1}));
    const struct op *op = operator_named("transpose");
    assert_int_equal(operand_elements(op, &op->operands[0], (int64_t[]){big, 2}), -1);
}

static void bytes_are_those_of_the_operands(void **state) {
    const int64_t n[1] = {100}, wv[2] = {8, 64};
    assert_true(operator_bytes(operator_named("add"), n, DTYPE_F32) == 1200);
    assert_true(operator_bytes(operator_named("add"), n, DTYPE_F16) == 600);
    assert_true(operator_bytes(operator_named("cast"), n, DTYPE_F16) == 600);
    assert_true(operator_bytes(operator_named("fill"), n, DTYPE_F32) == 400);
    assert_true(operator_bytes(operator_named("nothing"), n, DTYPE_F32) == 0);
    // Weights are quantised, the vectors stay f32.
    assert_true(operator_bytes(operator_named("matvec"), wv, DTYPE_Q8_0) == 16 * 34 + 64 * 4 + 8 * 4);
    assert_true(operator_bytes(operator_named("grad_accumulate"), n, DTYPE_F32) == 1200); // the sum is read and written
    const struct op *op = operator_named("matvec");
    assert_int_equal(operand_dtype(&op->operands[0], DTYPE_Q4_0), DTYPE_Q4_0);
    assert_int_equal(operand_dtype(&op->operands[1], DTYPE_Q4_0), DTYPE_F32);
    assert_int_equal(operand_dtype(&op->operands[1], DTYPE_F16), DTYPE_F16);
}

static void flops_count_useful_operations(void **state) {
    assert_true(operator_named("matmul")->flops((int64_t[]){3, 5, 7}) == 210);
    assert_true(operator_named("sum")->flops((int64_t[]){10}) == 9);
    assert_true(operator_named("copy")->flops((int64_t[]){10}) == 0);
    int64_t conv[14] = {1, 2, 4, 4, 3, 3, 3, 1, 1, 1, 1};
    assert_null(derive("conv2d", conv));
    assert_true(operator_named("conv2d")->flops(conv) == 48 * (2 * 18 + 1));
}

// Running sums over tiles of numbers between 200 and 201. Each addition rounds a total with a spread of less than a
// unit of the sum, mostly in the same direction.
static void sums_of_terms_that_lie_close_together_err_to_one_side(void **state) {
    enum { TILE = 2048, TILES = 8192 };
    double truth = 0, worst = 0;
    float sum = 0;
    for (int tile = 0; tile < TILES; tile++) {
        const float total = (float)(TILE * 200.6 + tile % 7);
        truth += (double)total;
        sum += total;
        worst = fmax(worst, fabs((double)sum - truth) / dtype_ulp(DTYPE_F32, truth));
    }
    assert_true(worst > bound_sum(TILES, true));
    assert_true(worst < bound_close_sum(TILES, (int64_t)TILE * TILES, 1.0 / 201, true));
}

static void bounds_have_the_documented_values(void **state) {
    assert_true(bound_basic(true) == 0.5 && bound_basic(false) == 1);
    assert_true(bound_exp(-4) == 11);
    assert_true(bound_sum(0, true) == 0);
    assert_true(bound_sum(16, true) == 8);                         // the worst case is smaller
    assert_true(fabs(bound_sum(10000, true) - 300 - 5.96) < 0.01); // 3 sqrt(d) + d^2 / 2^24
    assert_true(bound_sum(1 << 24, true) == 1 << 23);              // stagnation: the worst case again
    assert_true(bound_sum(10000, false) == 10000);
    assert_true(bound_close_sum(10000, 10000, 0, true) == bound_sum(10000, true)); // not known
    assert_true(bound_close_sum(10000, 10000, 1, true) == bound_sum(10000, true));
    assert_true(bound_close_sum(10000, 10000, 0.004, true) == 5000); // 3.4 units
    assert_true(bound_close_sum(10000, 10000, 0.004, false) == 10000);
    assert_true(ulps_at(3, 1) == 3 && ulps_at(3, -1.5) == 4.5 && ulps_at(3, 0) == 3);
    assert_true(isfinite(bound_exp(INFINITY)) && isfinite(bound_tanh(INFINITY, true)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lead_to_places),
        cmocka_unit_test(a_rank_counts_names_up_to_the_most),
        cmocka_unit_test(sizes_follow_from_dims),
        cmocka_unit_test(illegal_dims_are_refused),
        cmocka_unit_test(windows_are_refused_where_pytorch_refuses_them),
        cmocka_unit_test(windows_round_up_where_they_are_to),
        cmocka_unit_test(overflow_is_refused),
        cmocka_unit_test(bytes_are_those_of_the_operands),
        cmocka_unit_test(flops_count_useful_operations),
        cmocka_unit_test(bounds_have_the_documented_values),
        cmocka_unit_test(sums_of_terms_that_lie_close_together_err_to_one_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
