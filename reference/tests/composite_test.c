// SPDX-License-Identifier: Apache-2.0
// Operators made of others agree with their parts for any inputs.
#include "evaluated.h"
#include "unit.h"

// ---- evaluating one operator after another ----

enum { MOST_RESULTS = 32, MOST_DIMS = 12 };
static double *results[MOST_RESULTS];
static int result_count;

static double *keep(int64_t count) {
    assert_true(result_count < MOST_RESULTS);
    return results[result_count++] = calloc((size_t)count, sizeof(double));
}

static int forget(void **state) {
    while (result_count > 0) free(results[--result_count]);
    return 0;
}

static double *random_values(int64_t count, uint64_t seed) {
    double *values = keep(count);
    for (int64_t i = 0; i < count; i++) values[i] = random_uniform(&seed) - 0.25;
    return values;
}

static double *whole_values(int64_t count, int most, uint64_t seed) {
    double *values = keep(count);
    for (int64_t i = 0; i < count; i++) values[i] = floor(most * random_uniform(&seed));
    return values;
}

// An operator at some dims, and its inputs in the order of its operands.
struct use {
    const char *op;
    int64_t dims[MOST_DIMS];
    const double *in[5];
};

// Returns the operator's first result. A parameter may differ from its default.
static double *apply(struct use use, const char *param, double value) {
    struct problem p = problem_open(operator_named(use.op), use.dims, 1);
    for (int i = 0, next = 0; i < operator_operands(p.op); i++)
        if (p.in[i] || p.ints[i]) problem_set(&p, i, use.in[next++]);
    if (param) p.params[operator_param_index(p.op, param)] = value;
    problem_truth(&p, 0, p.elements);
    double *out = keep(p.elements);
    for (int64_t i = 0; i < p.elements; i++) out[i] = p.out[i];
    problem_close(&p);
    return out;
}
#define APPLY(...) apply((struct use){__VA_ARGS__}, NULL, 0)

static void assert_close(const double *got, const double *want, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(got[i] - want[i]) <= 1e-14 * fmax(1, fabs(want[i]))))
            fail_msg("element %lld is %.17g, not %.17g", (long long)i, got[i], want[i]);
}

static void assert_same(const double *got, const double *want, int64_t count) {
    assert_memory_equal(got, want, (size_t)count * sizeof *got);
}

// ---- products ----

// Sums of small whole numbers are exact.
static void products_of_whole_matrices_are_associative(void **state) {
    const double *a = whole_values(7 * 9, 10, 1), *b = whole_values(9 * 5, 10, 2);
    const double *c = whole_values(5 * 11, 10, 3);
    const double *ab = APPLY("matmul", {7, 5, 9}, {a, b});
    const double *bc = APPLY("matmul", {9, 11, 5}, {b, c});
    assert_same(APPLY("matmul", {7, 11, 5}, {ab, c}), APPLY("matmul", {7, 11, 9}, {a, bc}), 7 * 11);
}

static void products_with_transposes_are_products(void **state) {
    const double *a = random_values(7 * 9, 1), *b = random_values(9 * 5, 2);
    const double *want = APPLY("matmul", {7, 5, 9}, {a, b});
    const double *at = APPLY("transpose", {7, 9}, {a}), *bt = APPLY("transpose", {9, 5}, {b});
    assert_same(APPLY("matmul_nt", {7, 5, 9}, {a, bt}), want, 35);
    assert_same(APPLY("matmul_tn", {7, 5, 9}, {at, b}), want, 35);
    assert_same(APPLY("bmm", {1, 1, 7, 5, 9}, {a, b}), want, 35);
    assert_same(APPLY("matvec", {7, 9}, {a, b}), APPLY("matmul", {7, 1, 9}, {a, b}), 7);
    assert_same(APPLY("dot", {9}, {a, b}), APPLY("matmul", {1, 1, 9}, {a, b}), 1);
    assert_same(APPLY("outer", {7, 9}, {a, b}), APPLY("matmul", {7, 9, 1}, {a, b}), 63);
}

static void linear_layers_are_products_biases_and_activations(void **state) {
    const double *x = random_values(7 * 9, 1), *w = random_values(5 * 9, 2);
    const double *bias = random_values(5, 3), *xw = APPLY("matmul_nt", {7, 5, 9}, {x, w});
    const double *sum = APPLY("broadcast_add", {1, 1, 7, 5, 1, 1, 1, 5}, {xw, bias});
    assert_close(APPLY("linear", {7, 5, 9}, {x, w, bias}), sum, 35);
    assert_close(APPLY("linear_relu", {7, 5, 9}, {x, w, bias}), APPLY("relu", {35}, {sum}), 35);
    assert_close(APPLY("linear_gelu", {7, 5, 9}, {x, w, bias}), APPLY("gelu_tanh", {35}, {sum}), 35);
}

static void a_gated_block_is_three_products_and_a_gate(void **state) {
    const double *x = random_values(3 * 5, 1), *gate = random_values(8 * 5, 2);
    const double *up = random_values(8 * 5, 3), *down = random_values(5 * 8, 4);
    const double *g = APPLY("matmul_nt", {3, 8, 5}, {x, gate});
    const double *u = APPLY("matmul_nt", {3, 8, 5}, {x, up});
    const double *hidden = APPLY("swiglu", {24}, {g, u});
    assert_close(APPLY("mlp", {3, 5, 8}, {x, gate, up, down}), APPLY("matmul_nt", {3, 5, 8}, {hidden, down}), 15);
}

// ---- attention ----

static void attention_is_its_three_parts(void **state) {
    const double *q = random_values(8, 1), *k = random_values(33 * 8, 2);
    const double *v = random_values(33 * 8, 3), *s = APPLY("attention_scores", {33, 8}, {q, k});
    const double *w = APPLY("softmax", {1, 33}, {s});
    assert_close(APPLY("attention", {1, 1, 1, 1, 33, 8, 0}, {q, k, v}), APPLY("weighted_sum", {33, 8}, {w, v}), 8);
}

// Heads wider than the columns that are computed at a time, with fewer keys than columns.
static void attention_of_wide_heads_is_its_three_parts(void **state) {
    const double *q = random_values(600, 1), *k = random_values(3 * 600, 2);
    const double *v = random_values(3 * 600, 3), *s = APPLY("attention_scores", {3, 600}, {q, k});
    const double *w = APPLY("softmax", {1, 3}, {s});
    assert_close(APPLY("attention", {1, 1, 1, 1, 3, 600, 0}, {q, k, v}), APPLY("weighted_sum", {3, 600}, {w, v}), 600);
}

static void attention_of_shared_heads_is_that_of_repeated_ones(void **state) {
    const double *q = random_values(2 * 6 * 5 * 4, 1);
    const double *k = random_values(2 * 2 * 7 * 4, 2), *v = random_values(2 * 2 * 7 * 4, 3);
    const double *each_k = APPLY("repeat_kv", {2, 2, 3, 7, 4}, {k});
    const double *each_v = APPLY("repeat_kv", {2, 2, 3, 7, 4}, {v});
    assert_same(APPLY("attention", {2, 6, 2, 5, 7, 4, 0}, {q, k, v}),
        APPLY("attention", {2, 6, 6, 5, 7, 4, 0}, {q, each_k, each_v}), 2 * 6 * 5 * 4);
}

// Query i of five sees the keys up to 2 + i of seven; the last sees all.
static void causal_attention_is_attention_with_a_mask(void **state) {
    double *mask = keep(5 * 7);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 7; j++) mask[i * 7 + j] = j > i + 2 ? -INFINITY : 0;
    const double *q = random_values(3 * 5 * 4, 1);
    const double *k = random_values(3 * 7 * 4, 2), *v = random_values(3 * 7 * 4, 3);
    assert_same(APPLY("attention", {1, 3, 3, 5, 7, 4, 1}, {q, k, v}),
        APPLY("attention_masked", {1, 3, 3, 5, 7, 4}, {q, k, v, mask}), 60);
}

static void attention_that_sees_nothing_is_zero(void **state) {
    double *mask = keep(7), *zero = keep(4);
    for (int j = 0; j < 7; j++) mask[j] = -INFINITY;
    const double *q = random_values(4, 1), *k = random_values(28, 2), *v = random_values(28, 3);
    assert_same(APPLY("attention_masked", {1, 1, 1, 1, 7, 4}, {q, k, v, mask}), zero, 4);
}

// A cache filled in two parts equals one filled at once.
static void a_cache_takes_what_is_appended(void **state) {
    const double *x = random_values(2 * 7 * 4, 1), *empty = keep(2 * 7 * 4);
    const double *first = APPLY("slice", {2, 7, 4, 0, 1, 5}, {x});
    const double *second = APPLY("slice", {2, 7, 4, 5, 1, 2}, {x});
    const double *half = APPLY("kv_append", {1, 2, 7, 4, 0, 5}, {first, empty});
    assert_same(APPLY("kv_append", {1, 2, 7, 4, 5, 2}, {second, half}), x, 56);
}

// ---- norms and softmax ----

static void fused_norms_are_their_parts(void **state) {
    const double *x = random_values(33, 1), *res = random_values(33, 2);
    const double *w = random_values(11, 3), *sum = APPLY("add", {33}, {x, res});
    struct problem p = problem_open_output(operator_named("add_rmsnorm"), (int64_t[]){3, 11}, 4, 1);
    problem_set(&p, 0, x);
    problem_set(&p, 1, res);
    problem_set(&p, 2, w);
    problem_truth(&p, 0, 33);
    assert_close(p.out, APPLY("rmsnorm", {3, 11}, {sum, w}), 33);
    problem_close(&p);
}

static void batchnorm_in_training_is_inference_with_the_batch(void **state) {
    const int64_t dims[] = {4, 3, 2, 5};
    const double *x = random_values(120, 1), *gamma = random_values(3, 2);
    const double *beta = random_values(3, 3);
    const double *rows = APPLY("permute", {4, 3, 10, 1, 1, 0, 2, 3}, {x});
    const double *mean = APPLY("mean_rows", {3, 40}, {rows});
    const double *var = apply((struct use){"variance_rows", {3, 40}, {rows}}, "correction", 0);
    const int y = operator_operand_index(operator_named("batchnorm_training"), "y");
    struct problem p = problem_open_output(operator_named("batchnorm_training"), dims, y, 1);
    problem_set(&p, 0, x);
    problem_set(&p, 1, gamma);
    problem_set(&p, 2, beta);
    problem_truth(&p, 0, 120);
    assert_close(p.out, APPLY("batchnorm_inference", {4, 3, 2, 5}, {x, gamma, beta, mean, var}), 120);
    problem_close(&p);
}

static void logarithms_of_softmax_are_one(void **state) {
    const double *x = random_values(77, 1), *soft = APPLY("softmax", {7, 11}, {x});
    const double *logs = APPLY("log_softmax", {7, 11}, {x}), *lse = APPLY("logsumexp", {7, 11}, {x});
    assert_close(APPLY("log", {77}, {soft}), logs, 77);
    for (int i = 0; i < 77; i++) assert_true(fabs(x[i] - lse[i / 11] - logs[i]) < 1e-14);
}

// ---- element by element ----

static void fused_arithmetic_is_its_parts(void **state) {
    const double *a = random_values(40, 1), *b = random_values(40, 2), *c = whole_values(40, 9, 3);
    const double *sum = APPLY("add", {40}, {APPLY("mul", {40}, {a, b}), c});
    assert_close(APPLY("fma", {40}, {a, b, c}), sum, 40);
    const double *positive = APPLY("abs", {40}, {sum}), *ones = APPLY("exp", {40}, {keep(40)});
    assert_close(APPLY("mul_add_sqrt", {40}, {positive, ones, keep(40)}), APPLY("sqrt", {40}, {positive}), 40);
}

static void gates_are_activations_and_a_product(void **state) {
    static const char *const pairs[][2] = {{"swiglu", "silu"}, {"geglu", "gelu_tanh"}, {"reglu", "relu"}};
    const double *gate = random_values(40, 1), *up = random_values(40, 2);
    for (int i = 0; i < 3; i++)
        assert_close(
            APPLY(pairs[i][0], {40}, {gate, up}), APPLY("mul", {40}, {APPLY(pairs[i][1], {40}, {gate}), up}), 40);
}

// ---- order and place ----

static void sorting_takes_every_element_along(void **state) {
    const double *x = whole_values(77, 20, 1), *order = APPLY("argsort", {7, 11}, {x});
    const double *sorted = APPLY("gather", {7, 11, 1, 11}, {order, x});
    for (int i = 0; i < 77; i++) assert_true(i % 11 == 0 || sorted[i - 1] <= sorted[i]);
    assert_same(APPLY("flip", {7, 11, 1}, {sorted}), APPLY("topk", {7, 11, 11}, {x}), 77);
    const double *highest = APPLY("topk", {7, 11, 1}, {x});
    const double *place = APPLY("argmax_rows", {7, 11}, {x});
    assert_same(APPLY("gather", {7, 11, 1, 1}, {place, x}), highest, 7);
    assert_same(APPLY("max_rows", {7, 11}, {x}), highest, 7);
}

// <gather(x), y> = <x, scatter_add(y)>: each is the gradient of the other.
static void scatter_add_is_the_adjoint_of_gather(void **state) {
    const double *x = random_values(2 * 5 * 3, 1), *y = random_values(2 * 8 * 3, 2);
    const double *index = whole_values(2 * 8 * 3, 5, 3), *empty = keep(30);
    const double *taken = APPLY("gather", {2, 5, 3, 8}, {index, x});
    const double *given = APPLY("scatter_add", {2, 5, 3, 8}, {index, y, empty});
    assert_close(APPLY("dot", {48}, {taken, y}), APPLY("dot", {30}, {given, x}), 1);
}

static void embedding_selects_rows(void **state) {
    const double *table = random_values(9 * 4, 1), *index = whole_values(13, 9, 2);
    assert_same(
        APPLY("embedding", {9, 4, 13}, {index, table}), APPLY("index_select", {1, 9, 4, 13}, {index, table}), 52);
}

static void what_is_cut_is_put_together_again(void **state) {
    const double *x = random_values(3 * 8 * 5, 1);
    const double *head = APPLY("slice", {3, 8, 5, 0, 1, 3}, {x});
    const double *tail = APPLY("slice", {3, 8, 5, 3, 1, 5}, {x});
    assert_same(APPLY("concat", {3, 3, 5, 5}, {head, tail}), x, 120);
    assert_same(APPLY("flip", {3, 8, 5}, {APPLY("flip", {3, 8, 5}, {x})}), x, 120);
    const double *framed = APPLY("pad", {3, 8, 5, 2, 0, 0, 0}, {x});
    assert_same(APPLY("slice", {3, 10, 5, 2, 1, 8}, {framed}), x, 120);
    const double *rotated = APPLY("permute", {1, 1, 3, 40, 0, 1, 3, 2}, {x});
    assert_same(rotated, APPLY("transpose", {3, 40}, {x}), 120);
}

static void running_sums_end_in_the_sum(void **state) {
    const double *x = random_values(77, 1), *running = APPLY("cumsum", {7, 11}, {x});
    const double *last = APPLY("slice", {7, 11, 1, 10, 1, 1}, {running});
    assert_close(last, APPLY("sum_rows", {7, 11}, {x}), 7);
}

int main(void) {
#define PARTS(test) cmocka_unit_test_teardown(test, forget)
    const struct CMUnitTest tests[] = {
        PARTS(products_of_whole_matrices_are_associative),
        PARTS(products_with_transposes_are_products),
        PARTS(linear_layers_are_products_biases_and_activations),
        PARTS(a_gated_block_is_three_products_and_a_gate),
        PARTS(attention_is_its_three_parts),
        PARTS(attention_of_wide_heads_is_its_three_parts),
        PARTS(attention_of_shared_heads_is_that_of_repeated_ones),
        PARTS(causal_attention_is_attention_with_a_mask),
        PARTS(attention_that_sees_nothing_is_zero),
        PARTS(a_cache_takes_what_is_appended),
        PARTS(fused_norms_are_their_parts),
        PARTS(batchnorm_in_training_is_inference_with_the_batch),
        PARTS(logarithms_of_softmax_are_one),
        PARTS(fused_arithmetic_is_its_parts),
        PARTS(gates_are_activations_and_a_product),
        PARTS(sorting_takes_every_element_along),
        PARTS(scatter_add_is_the_adjoint_of_gather),
        PARTS(embedding_selects_rows),
        PARTS(what_is_cut_is_put_together_again),
        PARTS(running_sums_end_in_the_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
