// SPDX-License-Identifier: Apache-2.0
// Every operator has a kernel in the types that are asked of it. Run from the top of the
// repository.
#include "../../../reference/table.h"
#include "plan_fixture.h"

// With dtype DTYPE_CASE: in any type.
static bool has_kernel(const struct kernels *kernels, const struct op *op, enum dtype dtype) {
    for (size_t i = 0; i < kernels->count; i++) {
        const struct kernel *kernel = kernels->items[i];
        if (kernel->op == op && (dtype == DTYPE_CASE || kernel->dtypes[dtype])) return true;
    }
    return false;
}

static bool is_one_of(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(*names, name) == 0) return true;
    return false;
}

// Counts what is missing, so that one run names it all.
static int missing(const struct fixture *f, enum dtype dtype, bool (*asked)(const struct op *op)) {
    int count = 0;
    for (int i = 0; operators[i]; i++) {
        if (!asked(operators[i]) || has_kernel(&f->kernels, operators[i], dtype)) continue;
        const char *type = dtype == DTYPE_CASE ? "any type" : dtype_info(dtype)->name;
        print_error("%s has no kernel in %s\n", operators[i]->name, type);
        count++;
    }
    return count;
}

static void load_kernels(struct fixture *f) {
    const char *folders[] = {"kernels"};
    if (!kernels_load(&f->arena, folders, 1, &f->kernels, &f->err)) fail_msg("%s", f->err.text);
}

static bool always(const struct op *op) {
    (void)op;
    return true;
}

static void every_operator_has_a_kernel(void **state) {
    struct fixture *f = *state;
    load_kernels(f);
    assert_int_equal(missing(f, DTYPE_CASE, always), 0);
}

// What an operator takes or gives in the type of the case.
static bool has_case_operand(const struct op *op, enum role role) {
    for (int i = 0; i < operator_operands(op); i++)
        if (op->operands[i].dtype == DTYPE_CASE && (!role || op->operands[i].role == role)) return true;
    return false;
}

// Truth values and whole numbers have no fractions to store; the two peaks are of 32 bits; what is multiplied as bytes
// has weights in blocks.
static bool in_halves(const struct op *op) {
    static const char *const whole[] = {
        "any", "all", "matmul_i8", "fma_chain", "nothing", "q8_matvec", "q8_matmul_nt", NULL};
    return has_case_operand(op, 0) && !is_one_of(op->name, whole);
}

static void all_but_integers_have_one_in_f16(void **state) {
    struct fixture *f = *state;
    load_kernels(f);
    assert_int_equal(missing(f, DTYPE_F16, in_halves), 0);
}

static bool in_bf16(const struct op *op) {
    static const char *const families[] = {"elementwise", "activation", "normalisation", NULL};
    static const char *const others[] = {"matmul", "matmul_nt", "matmul_tn", "bmm", "linear", NULL};
    return in_halves(op) && (is_one_of(op->family, families) || is_one_of(op->name, others));
}

static void networks_have_one_in_bf16(void **state) {
    struct fixture *f = *state;
    load_kernels(f);
    assert_int_equal(missing(f, DTYPE_BF16, in_bf16), 0);
}

// Weights lie with a row for each output, as a quantised block is a stretch of a row.
static bool with_weights(const struct op *op) {
    static const char *const names[] = {"matvec", "matmul_nt", "q8_matvec", "q8_matmul_nt", NULL};
    return is_one_of(op->name, names);
}

static void weights_may_be_quantised(void **state) {
    struct fixture *f = *state;
    load_kernels(f);
    assert_int_equal(missing(f, DTYPE_Q8_0, with_weights), 0);
    assert_int_equal(missing(f, DTYPE_Q4_0, with_weights), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_operator_has_a_kernel, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(all_but_integers_have_one_in_f16, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(networks_have_one_in_bf16, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(weights_may_be_quantised, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
