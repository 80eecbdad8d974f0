// SPDX-License-Identifier: Apache-2.0
// Gradients against central differences of the forward references, in double. The table below lists each operator
// NAME_backward with its forward operator; nothing else is needed.
#include "evaluated.h"
#include "../operator.h"
#include "unit.h"

#include <string.h>

enum { RENAMED = 8 };

// An operand of the backward operator takes the forward operand of the same name, an input or a result. A `d` before
// the name of a result means the incoming gradient. It is 1 if the operator has none and the result is one number. A
// `d` before the name of an input means a requested gradient. Dims and parameters are matched by name. `names` has
// the backward names with another meaning.
static const struct gradient {
    const char *forward, *backward;
    int64_t dims[12]; // of the forward operator
    const char *names[RENAMED][2];
} gradients[] = {
    {"add", "add_backward", {100}, {{0}}},
    {"sub", "sub_backward", {100}, {{0}}},
    {"mul", "mul_backward", {100}, {{0}}},
    {"div", "div_backward", {100}, {{0}}},
    {"broadcast_add", "broadcast_add_backward", {2, 1, 3, 4, 1, 5, 3, 1}, {{0}}},
    {"broadcast_sub", "broadcast_sub_backward", {2, 1, 3, 4, 1, 5, 3, 1}, {{0}}},
    {"broadcast_div", "broadcast_div_backward", {2, 1, 3, 4, 1, 5, 3, 1}, {{0}}},
    {"broadcast_mul", "broadcast_mul_backward", {2, 1, 3, 4, 1, 5, 3, 1}, {{0}}},
    {"softmax", "softmax_backward", {5, 33}, {{0}}},
    {"log_softmax", "log_softmax_backward", {5, 33}, {{0}}},
    {"rmsnorm", "rmsnorm_backward", {7, 33}, {{0}}},
    {"layernorm", "layernorm_backward", {7, 33}, {{0}}},
    {"batchnorm_training", "batchnorm_backward", {3, 4, 5, 2}, {{0}}},
    {"embedding", "embedding_backward", {6, 5, 20}, {{0}}},
    {"rope_half", "rope_half_backward", {7, 2, 6}, {{0}}},
    {"rope_interleaved", "rope_interleaved_backward", {7, 2, 6}, {{0}}},
    {"attention", "attention_backward", {2, 4, 2, 5, 7, 6, 1}, {{0}}},
    {"attention", "attention_backward", {1, 3, 3, 7, 5, 8, 0}, {{0}}},
    {"conv2d", "conv2d_backward_input", {2, 4, 7, 8, 6, 3, 2, 2, 1, 2, 2}, {{0}}},
    {"conv2d", "conv2d_backward_weight", {2, 4, 7, 8, 6, 3, 2, 2, 1, 2, 2}, {{0}}},
    {"conv2d", "conv2d_backward_bias", {2, 4, 7, 8, 6, 3, 2, 2, 1, 2, 2}, {{0}}},
    {"max_pool2d", "max_pool2d_backward", {2, 3, 9, 8, 3, 4, 2, 1, 2, 1}, {{0}}},
    {"avg_pool2d", "avg_pool2d_backward", {2, 3, 9, 8, 3, 4, 2, 1, 1}, {{0}}},
    // Gradients that are other operators.
    {"matmul", "matmul_nt", {5, 7, 3}, {{"m", "m"}, {"n", "k"}, {"k", "n"}, {"a", "dc"}, {"b", "b"}, {"c", "da"}}},
    {"matmul", "matmul_tn", {5, 7, 3}, {{"m", "k"}, {"n", "n"}, {"k", "m"}, {"a", "a"}, {"b", "dc"}, {"c", "db"}}},
    {"linear", "matmul", {5, 7, 3}, {{"m", "m"}, {"n", "k"}, {"k", "n"}, {"a", "dy"}, {"b", "w"}, {"c", "dx"}}},
    {"linear", "matmul_tn", {5, 7, 3}, {{"m", "n"}, {"n", "k"}, {"k", "m"}, {"a", "dy"}, {"b", "x"}, {"c", "dw"}}},
    {"linear", "sum_cols", {5, 7, 3}, {{"rows", "m"}, {"cols", "n"}, {"x", "dy"}, {"y", "dbias"}}},
    {"relu", "relu_backward", {100}, {{0}}},
    {"sigmoid", "sigmoid_backward", {100}, {{0}}},
    {"tanh", "tanh_backward", {100}, {{0}}},
    {"exp", "exp_backward", {100}, {{0}}},
    {"log", "log_backward", {100}, {{0}}},
    {"sqrt", "sqrt_backward", {100}, {{0}}},
    {"silu", "silu_backward", {100}, {{0}}},
    {"gelu_tanh", "gelu_tanh_backward", {100}, {{0}}},
    {"gelu_erf", "gelu_erf_backward", {100}, {{0}}},
    {"elu", "elu_backward", {100}, {{0}}},
    {"mse", "mse_backward", {100}, {{0}}},
    {"l1", "l1_backward", {100}, {{0}}},
    {"bce", "bce_backward", {20}, {{0}}},
    {"bce_with_logits", "bce_with_logits_backward", {100}, {{0}}},
    {"cross_entropy", "cross_entropy_backward", {9, 7}, {{0}}},
    {"nll", "nll_backward", {20, 5}, {{0}}},
};

static const char *forward_name(const struct gradient *g, const char *name) {
    for (int i = 0; i < RENAMED && g->names[i][0]; i++)
        if (strcmp(g->names[i][0], name) == 0) return g->names[i][1];
    return name;
}

// Returns the forward operand with this name, or with `gradient` the one whose gradient it names.
static int operand_of(const struct op *op, const char *name, bool gradient) {
    if (!gradient) return operator_operand_index(op, name);
    return name[0] == 'd' ? operator_operand_index(op, name + 1) : -1;
}

// ---- the forward operator, once for each result ----

struct forward {
    struct problem results[OPERATOR_OPERANDS]; // by operand; all have the same inputs
    double *cotangent[OPERATOR_OPERANDS];      // incoming gradients; NULL without one
};

static double *random_vector(int64_t count, uint64_t seed) {
    double *v = malloc((size_t)count * sizeof *v);
    for (int64_t i = 0; i < count; i++) v[i] = random_uniform(&seed) - 0.3;
    return v;
}

static bool is_result(const struct op *op, int operand) {
    return op->operands[operand].role != ROLE_IN;
}

// Draws parameters: the first seed keeps the defaults, the others draw near them within the legal range.
static void draw_parameters(struct problem *p, uint64_t seed) {
    uint64_t state = seed + 3000;
    for (int i = 0; i < operator_params(p->op) && seed > 1; i++) {
        const struct parameter *of = &p->op->params[i];
        const bool bounded = of->low != of->high;
        const double draw = random_uniform(&state) + random_uniform(&state) / 8;
        double value = of->integer ? (double)(seed - 2) : of->standard * (0.5 + 1.5 * draw) + 0.05 * draw;
        if (bounded) value = fmin(fmax(value, of->low), of->high);
        p->params[i] = value;
    }
}

static struct forward open_forward(const struct gradient *g, uint64_t seed) {
    const struct op *op = operator_named(g->forward), *back = operator_named(g->backward);
    struct forward f = {0};
    int known = 0, last = 0;
    for (int i = 0; i < operator_operands(op); i++) {
        if (!is_result(op, i)) continue;
        f.results[i] = problem_open_output(op, g->dims, i, seed);
        draw_parameters(&f.results[i], seed);
        problem_truth(&f.results[i], 0, f.results[i].elements);
        last = i;
    }
    for (int i = 0; i < operator_operands(back); i++) {
        const int of = operand_of(op, forward_name(g, back->operands[i].name), true);
        if (is_result(back, i) || of < 0 || !is_result(op, of) || f.cotangent[of]) continue;
        f.cotangent[of] = random_vector(f.results[of].elements, seed + 1000 + (uint64_t)of);
        known++;
    }
    if (known > 0) return f;
    assert_int_equal(f.results[last].elements, 1);
    f.cotangent[last] = malloc(sizeof(double));
    f.cotangent[last][0] = 1;
    return f;
}

static void close_forward(struct forward *f) {
    for (int i = 0; i < OPERATOR_OPERANDS; i++) {
        if (f->results[i].op) problem_close(&f->results[i]);
        free(f->cotangent[i]);
    }
}

// Returns the sum of all results times their cotangents, with input `operand` at x + step * direction.
static double functional(struct forward *f, int operand, const double *x, const double *direction, double step) {
    double sum = 0;
    for (int i = 0; i < OPERATOR_OPERANDS; i++) {
        struct problem *p = &f->results[i];
        if (!f->cotangent[i]) continue;
        const int64_t count = operand_elements(p->op, &p->op->operands[operand], p->dims);
        for (int64_t j = 0; j < count; j++) p->in[operand][j] = x[j] + step * direction[j];
        problem_truth(p, 0, p->elements);
        for (int64_t j = 0; j < p->elements; j++) sum += f->cotangent[i][j] * p->out[j];
    }
    return sum;
}

static double central(struct forward *f, int operand, const double *x, const double *direction, double step) {
    return (functional(f, operand, x, direction, step) - functional(f, operand, x, direction, -step)) / (2 * step);
}

// Combines two steps, so the error is of the fourth order.
static double derivative(struct forward *f, int operand, const double *direction, int64_t count) {
    const double step = 1e-4;
    struct problem *any = NULL;
    for (int i = 0; i < OPERATOR_OPERANDS; i++)
        if (f->cotangent[i]) any = &f->results[i];
    double *x = malloc((size_t)count * sizeof *x);
    memcpy(x, any->in[operand], (size_t)count * sizeof *x);
    const double whole = central(f, operand, x, direction, step);
    const double half = central(f, operand, x, direction, step / 2);
    functional(f, operand, x, direction, 0);
    free(x);
    return (4 * half - whole) / 3;
}

// ---- the backward operator ----

static int64_t named_dim(const struct problem *p, const char *name) {
    const int dim = operator_dim_index(p->op, name);
    if (dim < 0) fail_msg("%s has no dim named %s", p->op->name, name);
    return p->dims[dim];
}

static void copy_operand(struct problem *to, int operand, const char *name, struct forward *f) {
    struct problem *any = NULL;
    for (int i = 0; i < OPERATOR_OPERANDS; i++)
        if (f->results[i].op) any = &f->results[i];
    const int same = operand_of(any->op, name, false), of = operand_of(any->op, name, true);
    const double *values = same >= 0 && is_result(any->op, same) ? f->results[same].out
                           : same >= 0                           ? any->in[same]
                           : of >= 0                             ? f->cotangent[of]
                                                                 : NULL;
    const int32_t *whole = same >= 0 ? any->ints[same] : NULL;
    if (!values && !whole) fail_msg("%s: what is its operand %s?", to->op->name, name);
    const struct operand *from = &any->op->operands[same >= 0 ? same : of];
    const int64_t count = operand_elements(to->op, &to->op->operands[operand], to->dims);
    assert_int_equal(count, operand_elements(any->op, from, any->dims));
    for (int64_t i = 0; i < count; i++) problem_set_at(to, operand, i, whole ? (double)whole[i] : values[i]);
}

static struct problem open_backward(const struct gradient *g, int output, struct forward *f) {
    const struct op *op = operator_named(g->backward);
    const struct problem *any = &f->results[operator_first_output(operator_named(g->forward))];
    int64_t dims[2 * OPERATOR_DIMS];
    for (int i = 0; i < operator_dims(op); i++) dims[i] = named_dim(any, forward_name(g, op->dims[i]));
    struct problem p = problem_open_output(op, dims, output, 1);
    for (int i = 0; i < operator_params(op); i++) {
        const int same = operator_param_index(any->op, forward_name(g, op->params[i].name));
        if (same >= 0) p.params[i] = any->params[same];
    }
    for (int i = 0; i < operator_operands(op); i++)
        if (!is_result(op, i)) copy_operand(&p, i, forward_name(g, op->operands[i].name), f);
    problem_truth(&p, 0, p.elements);
    return p;
}

// ---- the comparison ----

static void check_output(const struct gradient *g, int output, uint64_t seed) {
    const struct op *op = operator_named(g->forward), *back = operator_named(g->backward);
    const char *name = forward_name(g, back->operands[output].name);
    const int operand = operand_of(op, name, true);
    if (operand < 0) fail_msg("%s: %s is the gradient of what?", back->name, name);
    struct forward f = open_forward(g, seed);
    struct problem p = open_backward(g, output, &f);
    double *direction = random_vector(p.elements, seed + 2000), got = 0, size = 0;
    for (int64_t i = 0; i < p.elements; i++) {
        got += p.out[i] * direction[i];
        size += fabs(p.out[i] * direction[i]);
    }
    const double want = derivative(&f, operand, direction, p.elements);
    print_message("%-24s %-8s %.1e\n", back->name, name, fabs(got - want) / size);
    if (!(fabs(got - want) <= 1e-8 * size))
        fail_msg(
            "%s, %s: along a direction %.12g, by differences %.12g, terms of %g", back->name, name, got, want, size);
    free(direction);
    problem_close(&p);
    close_forward(&f);
}

static void gradients_are_those_of_differences(void **state) {
    for (size_t i = 0; i < sizeof gradients / sizeof gradients[0]; i++) {
        const struct op *back = operator_named(gradients[i].backward);
        if (!back || !operator_named(gradients[i].forward))
            fail_msg("no operator %s or %s", gradients[i].backward, gradients[i].forward);
        for (int output = 0; output < operator_operands(back); output++)
            for (uint64_t seed = 1; seed <= 3 && is_result(back, output); seed++)
                check_output(&gradients[i], output, seed);
    }
}

static void every_backward_operator_is_checked(void **state) {
    for (int i = 0; operators[i]; i++) {
        const char *name = operators[i]->name, *end = strstr(name, "_backward");
        bool found = !end;
        for (size_t j = 0; j < sizeof gradients / sizeof gradients[0]; j++)
            found |= strcmp(gradients[j].backward, name) == 0;
        if (!found) fail_msg("%s is not in the table of gradients", name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_are_those_of_differences),
        cmocka_unit_test(every_backward_operator_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
