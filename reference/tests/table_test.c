// SPDX-License-Identifier: Apache-2.0
// Requirements for every operator in the table, including future ones.
#include "../bounds.h"
#include "../table.h"
#include "evaluated.h"
#include "../operator.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static bool filled(const char *text) {
    return text && text[0];
}

static bool is_family(const char *name) {
    for (int i = 0; operator_families[i]; i++)
        if (strcmp(operator_families[i], name) == 0) return true;
    return false;
}

static void descriptions_are_complete(void **state) {
    for (int i = 0; operators[i]; i++) {
        const struct op *op = operators[i];
        print_message("%s\n", op->name);
        assert_ptr_equal(operator_named(op->name), op);
        assert_true(is_family(op->family));
        assert_true(filled(op->summary) && filled(op->formula) && filled(op->source));
        assert_true(filled(op->bound));
        assert_non_null(op->systems);
        assert_non_null(op->flops);
        assert_non_null(op->f64);
        assert_non_null(op->f32);
        assert_true(operator_dims(op) > 0);
    }
}

static void operands_name_dims(void **state) {
    for (int i = 0; operators[i]; i++) {
        const struct op *op = operators[i];
        int outputs = 0;
        for (int j = 0; j < operator_operands(op); j++) {
            const struct operand *operand = &op->operands[j];
            outputs += operand->role != ROLE_IN;
            for (int k = 0; k < OPERATOR_RANK && operand->shape[k]; k++)
                assert_true(operator_dim_index(op, operand->shape[k]) >= 0);
            for (int k = 0; k < OPERATOR_RANK && operand->granule[k]; k++)
                assert_true(operator_dim_index(op, operand->granule[k]) >= 0);
            if (operand->fill == FILL_INDEX || operand->fill == FILL_OUT_OF_RANGE || operand->fill == FILL_STEPS)
                assert_true(operator_dim_index(op, operand->below) >= 0);
        }
        assert_true(outputs > 0);
        for (size_t j = 0; j < sizeof op->zero_ok / sizeof op->zero_ok[0] && op->zero_ok[j]; j++)
            assert_true(operator_dim_index(op, op->zero_ok[j]) >= 0);
    }
}

static void says_what_it_is(const struct op *op, const char *name) {
    if (!filled(operator_meaning(op, name))) fail_msg("what %s of %s is does not stand in glossary.c", name, op->name);
}

static bool has_name(const struct op *op, const char *name) {
    return operator_operand_index(op, name) >= 0 || operator_dim_index(op, name) >= 0 ||
           operator_param_index(op, name) >= 0;
}

static void every_name_has_a_meaning_and_every_meaning_a_name(void **state) {
    for (int i = 0; operators[i]; i++) {
        const struct op *op = operators[i];
        for (int j = 0; j < operator_operands(op); j++) says_what_it_is(op, op->operands[j].name);
        for (int j = 0; j < operator_dims(op); j++) says_what_it_is(op, op->dims[j]);
        for (int j = 0; j < operator_derived(op); j++) says_what_it_is(op, op->derived[j]);
        for (int j = 0; j < operator_params(op); j++) says_what_it_is(op, op->params[j].name);
    }
    for (const struct meaning *m = meanings; m->name; m++) {
        bool met = false;
        for (int i = 0; operators[i]; i++) {
            const char *text = has_name(operators[i], m->name) ? operator_meaning(operators[i], m->name) : NULL;
            met |= text && strcmp(text, m->text) == 0;
        }
        if (!met) fail_msg("%s, %s: no operator takes it", m->name, m->text);
    }
    assert_null(operator_meaning(operator_named("relu"), "alpha"));
    assert_string_equal(operator_meaning(operator_named("linear"), "n"), "columns of the product");
    assert_string_equal(operator_meaning(operator_named("max_pool2d"), "n"), "images");
}

// A row's list of operators has only operators that exist and use the name.
static void meanings_name_operators(void **state) {
    for (const struct meaning *m = meanings; m->name; m++) {
        char list[2000];
        snprintf(list, sizeof list, "%s", m->of ? m->of : "");
        bool one = !m->of;
        for (char *word = strtok(list, " "); word; word = strtok(NULL, " ")) {
            if (!operator_named(word)) fail_msg("%s: %s is no operator", m->name, word);
            one |= has_name(operator_named(word), m->name);
        }
        if (!one) fail_msg("%s: none of its operators has it", m->name);
    }
}

static void seeds_are_known(void **state) {
    for (int i = 0; operators[i]; i++)
        for (const char *seed = operators[i]->systems; *seed; seed += seed[2] ? 3 : 2)
            assert_true(strncmp(seed, "TL", 2) == 0 || strncmp(seed, "TS", 2) == 0 || strncmp(seed, "CF", 2) == 0 ||
                        strncmp(seed, "TF", 2) == 0 || strncmp(seed, "LT", 2) == 0);
}

// Draws small legal dims, different for each seed, until the operator accepts them. Zeros are as common as other
// numbers if they are legal.
static void draw_dims(const struct op *op, uint64_t seed, int64_t *dims) {
    do
        for (int i = 0; i < operator_dims(op); i++) dims[i] = (int64_t)(12 * random_uniform(&seed));
    while (operator_derive(op, dims));
}

static void for_small_problems(void (*check)(struct problem *p)) {
    for (int i = 0; operators[i]; i++)
        for (uint64_t seed = 1; seed <= 40; seed++) {
            int64_t dims[2 * OPERATOR_DIMS];
            draw_dims(operators[i], seed, dims);
            for (int output = 0; output < operator_operands(operators[i]); output++) {
                if (operators[i]->operands[output].role == ROLE_IN) continue;
                struct problem p = problem_open_output(operators[i], dims, output, seed);
                problem_round_params(&p);
                problem_truth(&p, 0, p.elements);
                problem_float(&p, 0, p.elements);
                check(&p);
                problem_close(&p);
            }
        }
}

static void check_within_bound(struct problem *p) {
    for (int64_t i = 0; i < p->elements; i++) {
        double share = problem_share(p, i);
        if (!(share <= 1))
            fail_msg("%s: element %lld is %g, not %g: %g of its bound, %g ULP", p->op->name, (long long)i,
                (double)p->out32[i], p->out[i], share, p->bound[i]);
        assert_true(p->bound[i] >= 0);
        assert_true(p->magnitude[i] >= fabs(p->out[i]) || !isfinite(p->out[i]));
    }
}

static void float_is_within_bound_of_double(void **state) {
    for_small_problems(check_within_bound);
}

// Each granule requested separately gives the same bits as the whole, in both passes.
static void check_ranges(struct problem *p) {
    size_t count = (size_t)p->elements;
    double *whole = malloc(count * sizeof *whole), *bound = malloc(count * sizeof *bound);
    float *whole32 = malloc(count * sizeof *whole32);
    memcpy(whole, p->out, count * sizeof *whole);
    memcpy(bound, p->bound, count * sizeof *bound);
    memcpy(whole32, p->out32, count * sizeof *whole32);
    assert_int_equal(p->elements % p->granule, 0);
    for (int64_t first = 0; first < p->elements;) {
        int64_t left = p->elements - first, part = first % 3 ? p->granule : 5 * p->granule;
        if (part > left) part = left;
        problem_truth(p, first, part);
        problem_float(p, first, part);
        first += part;
    }
    assert_memory_equal(whole, p->out, count * sizeof *whole);
    assert_memory_equal(bound, p->bound, count * sizeof *bound);
    assert_memory_equal(whole32, p->out32, count * sizeof *whole32);
    free(whole);
    free(bound);
    free(whole32);
}

static void ranges_make_the_whole(void **state) {
    for_small_problems(check_ranges);
}

// Returns the CPU seconds for the output in calls of `count` elements: the minimum of three.
static double cpu_seconds(struct problem *p, int64_t count) {
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        struct timespec from, to;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
        for (int64_t first = 0; first < p->elements; first += count) problem_truth(p, first, count);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
        least = fmin(least, (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec));
    }
    return least;
}

// Parts of an output must be cheap. At 2^24 elements, parts that each cost as much as the whole would take days. Here
// 8192 calls cost some times as much as one. If each ran through all elements, they would cost thousands of times as
// much.
static void a_part_of_an_output_costs_its_share(void **state) {
    int met = 0;
    for (int i = 0; operators[i]; i++) {
        const int64_t n = 8192;
        int64_t dims[2 * OPERATOR_DIMS] = {n, 1};
        const int output = operator_first_output(operators[i]);
        if (operator_dims(operators[i]) > 2 || operator_derive(operators[i], dims)) continue;
        struct problem p = problem_open_output(operators[i], dims, output, 1);
        if (p.elements == n && p.granule < n) {
            const double whole = cpu_seconds(&p, n), parts = cpu_seconds(&p, p.granule);
            if (parts > 200 * fmax(whole, 1e-5) && !p.op->call_flops)
                fail_msg("%s: %g s in one call, %g s in parts", operators[i]->name, whole, parts);
            met++;
        }
        problem_close(&p);
    }
    assert_true(met > 50);
}

// The outputs made infinite or NaN by an infinite input, and the judged ones among them.
struct special_outputs {
    int infinite, infinite_judged, all, judged;
};

static void count_specials(const struct problem *p, struct special_outputs *count) {
    for (int64_t k = 0; k < p->elements; k++) {
        if (isfinite(p->out[k])) continue;
        const bool judged = isfinite(p->bound[k]);
        count->all++;
        count->judged += judged;
        count->infinite += !isnan(p->out[k]);
        count->infinite_judged += !isnan(p->out[k]) && judged;
    }
}

static struct special_outputs specials_of(const struct op *op, int input, int output) {
    struct special_outputs count = {0};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        int64_t dims[2 * OPERATOR_DIMS];
        draw_dims(op, seed, dims);
        struct problem p = problem_open_output(op, dims, output, seed);
        const int64_t inputs = operand_elements(op, &op->operands[input], p.dims);
        if (inputs && p.in[input]) {
            p.in[input][(int64_t)seed % inputs] = INFINITY;
            problem_truth(&p, 0, p.elements);
            count_specials(&p, &count);
        }
        problem_close(&p);
    }
    return count;
}

// If an infinity in an input makes an output infinite, some output must be judged. If every such bound were infinite,
// a kernel that reads infinities as large numbers would pass. NaN outputs may all come from zeros times infinities,
// and a device may have other values for the zeros.
static void an_infinite_input_is_judged(void **state) {
    for (int i = 0; operators[i]; i++) {
        const struct op *op = operators[i];
        for (int input = 0; input < operator_operands(op); input++)
            for (int output = 0; output < operator_operands(op); output++) {
                if (op->operands[input].role == ROLE_OUT || !op->operands[input].lines) continue;
                if (op->operands[output].role == ROLE_IN) continue;
                const struct special_outputs count = specials_of(op, input, output);
                if ((count.infinite && !count.infinite_judged) || (input == 0 && count.all && !count.judged))
                    fail_msg("%s: of %d elements of %s that an infinity in %s made, %d infinite, %d and %d are judged",
                        op->name, count.all, op->operands[output].name, op->operands[input].name, count.infinite,
                        count.judged, count.infinite_judged);
            }
    }
}

static void check_costs(struct problem *p) {
    assert_true(p->op->flops(p->dims) >= 0);
    assert_true(operator_bytes(p->op, p->dims, DTYPE_F32) >= 0);
    assert_true(operator_bytes(p->op, p->dims, DTYPE_F16) <= operator_bytes(p->op, p->dims, DTYPE_F32));
}

static void costs_are_not_negative(void **state) {
    for_small_problems(check_costs);
}

// Returns the worst share of the bound. It is 1 for a single operation: there is no accumulation, and it is often
// exact.
static double worst_share(const struct op *op, const int64_t *dims, int output) {
    struct problem p = problem_open_output(op, dims, output, 7);
    problem_round_params(&p);
    problem_truth(&p, 0, p.elements);
    problem_float(&p, 0, p.elements);
    double worst = p.bound[p.elements - 1] <= bound_basic(true) ? 1 : 0;
    for (int64_t j = 0; j < p.elements; j++) worst = fmax(worst, problem_share(&p, j));
    problem_close(&p);
    return worst;
}

// At sizes with accumulated rounding errors, a serial float sum uses at least a hundredth of its bound. A bound far
// above right kernels would pass wrong ones.
static void accumulations_come_near_their_bound(void **state) {
    static const struct {
        const char *name;
        int64_t dims[12];
    } cases[] = {
        {"sum", {4096}},
        {"sum_rows", {16, 1000}},
        {"mean_rows", {16, 1000}},
        {"prod_rows", {16, 1000}},
        {"l2_norm_rows", {16, 1000}},
        {"variance_rows", {16, 1000}},
        {"logsumexp", {16, 1000}},
        {"cumsum", {16, 1000}},
        {"softmax", {16, 1000}},
        {"softmax_masked", {16, 1000, 8}},
        {"log_softmax", {16, 1000}},
        {"rmsnorm", {16, 1000}},
        {"add_rmsnorm", {16, 1000}},
        {"layernorm", {16, 1000}},
        {"groupnorm", {2, 8, 16, 16, 2}},
        {"instancenorm", {2, 8, 16, 16}},
        {"batchnorm_inference", {2, 8, 16, 16}},
        {"batchnorm_training", {4, 8, 16, 16}},
        {"matvec", {32, 1000}},
        {"matmul", {16, 16, 512}},
        {"matmul_nt", {16, 16, 512}},
        {"matmul_tn", {16, 16, 512}},
        {"bmm", {3, 1, 8, 8, 512}},
        {"dot", {10000}},
        {"linear", {16, 16, 512}},
        {"linear_relu", {16, 16, 512}},
        {"linear_gelu", {16, 16, 512}},
        {"mlp", {4, 64, 172}},
        {"attention_scores", {100, 128}},
        {"weighted_sum", {1000, 64}},
        {"rope_half", {64, 2, 64}},
        {"rope_interleaved", {64, 2, 64}},
        {"attention", {1, 4, 2, 16, 500, 64, 0}},
        {"attention", {1, 2, 2, 16, 500, 128, 1}},
        {"attention_masked", {1, 4, 2, 16, 500, 80}},
        {"scatter_add", {1, 16, 64, 4096}},
        {"index_add", {1, 16, 64, 4096}},
        {"sum_cols", {1000, 16}},
        {"sum_axis", {2, 1000, 8}},
        {"mean_axis", {2, 1000, 8}},
        {"prod_axis", {2, 1000, 8}},
        {"l2_norm_axis", {2, 1000, 8}},
        {"variance_axis", {2, 1000, 8}},
        {"broadcast_sub_backward", {16, 16, 16, 16, 1, 16, 1, 1}},
        {"broadcast_div_backward", {16, 1, 16, 1, 1, 16, 1, 16}},
        {"broadcast_add_backward", {16, 16, 16, 16, 1, 16, 1, 1}},
        {"broadcast_mul_backward", {16, 16, 16, 16, 1, 16, 1, 1}},
        {"softmax_backward", {16, 1000}},
        {"log_softmax_backward", {16, 1000}},
        {"rmsnorm_backward", {64, 256}},
        {"layernorm_backward", {64, 256}},
        {"batchnorm_backward", {4, 8, 16, 16}},
        {"embedding_backward", {8, 5, 2000}},
        {"attention_backward", {1, 4, 2, 64, 64, 64, 1}},
        {"conv1d", {2, 32, 33, 8, 9, 1, 4, 1, 1}},
        {"conv2d", {1, 32, 9, 9, 8, 3, 3, 1, 1, 1, 1}},
        {"conv_transpose1d", {2, 32, 33, 8, 9, 2, 4, 1, 1, 1}},
        {"conv_transpose2d", {1, 32, 9, 9, 8, 3, 3, 2, 1, 1, 1, 1}},
        {"avg_pool1d", {2, 8, 65, 9, 2, 4, 1}},
        {"avg_pool2d", {2, 8, 33, 33, 3, 3, 2, 1, 1}},
        {"global_avg_pool", {2, 8, 33, 33}},
        {"upsample_bilinear", {2, 8, 33, 17, 65, 100}},
        {"conv2d_backward_input", {1, 32, 9, 9, 8, 3, 3, 1, 1, 1, 1}},
        {"conv2d_backward_weight", {4, 4, 33, 33, 8, 3, 3, 1, 1, 1, 1}},
        {"conv2d_backward_bias", {4, 8, 33, 33}},
        {"avg_pool2d_backward", {1, 8, 33, 33, 5, 5, 1, 2, 0}},
        {"mse", {10000}},
        {"l1", {4096}},
        {"bce", {10000}},
        {"bce_with_logits", {10000}},
        {"nll", {4096, 4}},
        {"cross_entropy", {64, 100}},
        {"cross_entropy_backward", {16, 1000}},
        {"grad_clip_norm", {4096}},
        {"fma_chain", {64, 10000}},
        {"gelu_tanh", {10000}},
        {"silu", {10000}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct op *op = operator_named(cases[i].name);
        for (int output = 0; output < operator_operands(op); output++) {
            const char *name = op->operands[output].name;
            if (op->operands[output].role == ROLE_IN) continue;
            double worst = worst_share(op, cases[i].dims, output);
            print_message("%-18s %-12s %.3f of its bound\n", op->name, name, worst);
            assert_true(worst <= 1);
            assert_true(worst >= 0.01);
        }
    }
}

static float exp_by_exp2(float x) {
    return exp2f(x * 1.44269504f);
}
static float tanh_by_exp(float x) {
    float up = expf(x), down = expf(-x);
    return (up - down) / (up + down);
}

// The reference of a C library function is as exact as the library, sometimes correctly rounded. Shaders use the form
// in the specification, and that comes near the bound.
static void functions_by_their_forms_come_near_their_bound(void **state) {
    static const struct {
        const char *name;
        float (*form)(float);
    } cases[] = {{"exp", exp_by_exp2}, {"tanh", tanh_by_exp}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct problem p = problem_open(operator_named(cases[i].name), (const int64_t[]){10000}, 7);
        double worst = 0;
        problem_truth(&p, 0, p.elements);
        for (int64_t j = 0; j < p.elements; j++) {
            p.out32[j] = cases[i].form(p.in32[0][j]);
            worst = fmax(worst, problem_share(&p, j));
        }
        problem_close(&p);
        print_message("%-18s %.3f of its bound\n", cases[i].name, worst);
        assert_true(worst <= 1);
        assert_true(worst >= 0.05);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_are_complete),
        cmocka_unit_test(operands_name_dims),
        cmocka_unit_test(every_name_has_a_meaning_and_every_meaning_a_name),
        cmocka_unit_test(meanings_name_operators),
        cmocka_unit_test(seeds_are_known),
        cmocka_unit_test(float_is_within_bound_of_double),
        cmocka_unit_test(ranges_make_the_whole),
        cmocka_unit_test(a_part_of_an_output_costs_its_share),
        cmocka_unit_test(an_infinite_input_is_judged),
        cmocka_unit_test(costs_are_not_negative),
        cmocka_unit_test(accumulations_come_near_their_bound),
        cmocka_unit_test(functions_by_their_forms_come_near_their_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
