// SPDX-License-Identifier: Apache-2.0
// Every operator has a kernel in the required types. Runs from the top of the repository.
#include "../../../../reference/table.h"
#include "../suite.h"
#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../../../../reference/operator.h"

// Returns whether the operator has a kernel in this dtype; DTYPE_CASE: in any dtype.
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

// Counts the missing kernels, so one run names them all.
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

// Returns whether an operand of this role (0: any) has the dtype of the case.
static bool has_case_operand(const struct op *op, enum role role) {
    for (int i = 0; i < operator_operands(op); i++)
        if (op->operands[i].dtype == DTYPE_CASE && (!role || op->operands[i].role == role)) return true;
    return false;
}

// Returns whether the operator should have a kernel in f16. Truth values and integers have no fractions to store, the
// two peaks are 32-bit, and products of bytes have weights in blocks.
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

// Returns whether the operator's weights have a row for each output. A quantised block is a stretch of a row.
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

// ---- roofs

// Returns whether the entry measures a peak of this arithmetic: its name and an ending.
static bool serves(const struct suite_entry *entry, const char *arithmetic) {
    const size_t length = strlen(arithmetic);
    return entry->peak && strncmp(entry->peak, arithmetic, length) == 0 &&
           (strcmp(entry->peak + length, "_flops_per_s") == 0 || strcmp(entry->peak + length, "_ops_per_s") == 0);
}

static bool declares(const struct suite *suite, const char *arithmetic) {
    for (size_t i = 0; i < suite->entry_count; i++)
        if (serves(&suite->entries[i], arithmetic)) return true;
    return false;
}

static bool entry_times(const struct suite_entry *entry, const struct kernel *kernel, enum dtype dtype) {
    const struct kernels one = {.items = &kernel, .count = 1};
    bool any = false;
    for (int d = 0; d < DTYPE_COUNT; d++) any |= entry->dtypes[d];
    return !entry->probe && kernel->dtypes[dtype] && (!any || entry->dtypes[dtype]) && entry_has_kernel(entry, &one);
}

// Returns how many kernels and types of the suite have no roof in it, and prints them.
static int without_roof(struct fixture *f, const struct suite *suite) {
    int count = 0;
    for (size_t k = 0; k < f->kernels.count; k++)
        for (int d = 0; d < DTYPE_COUNT; d++) {
            bool timed = false;
            for (size_t e = 0; e < suite->entry_count; e++)
                timed |= entry_times(&suite->entries[e], f->kernels.items[k], (enum dtype)d);
            if (!timed) continue;
            const char *arithmetic = kernel_arithmetic(&f->arena, f->kernels.items[k], (enum dtype)d);
            if (strncmp(arithmetic, "mad_", 4) == 0 || declares(suite, arithmetic)) continue;
            print_error("%s times %s %s and has no peak %s\n", suite->name, f->kernels.items[k]->name,
                dtype_info((enum dtype)d)->name, arithmetic);
            count++;
        }
    return count;
}

// Integers on plain units are limited by memory, except in their own peaks. The suite smoke is excluded: its sizes
// measure no roof.
static void a_suite_with_peaks_measures_each_unit_that_it_times(void **state) {
    static const char *const suites[] = {"quick", "peers", "peers-wide", "peaks", "full", "gate", "claims", "candle",
        "libtorch-rust", "tensor-frame", "torchless", "torsh"};
    struct fixture *f = *state;
    load_kernels(f);
    int count = 0;
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++) {
        struct suite suite;
        const char *path = arena_format(&f->arena, "suites/%s.json", suites[i]);
        if (!suite_load(&f->arena, path, &suite, &f->err)) fail_msg("%s", f->err.text);
        count += without_roof(f, &suite);
    }
    assert_int_equal(count, 0);
}

static bool has_size(const struct suite_entry *entry, double size) {
    for (size_t d = 0; d < entry->dims_count; d++)
        for (size_t i = 0; i < entry->dims[d].count; i++)
            for (size_t v = 0; v < entry->dims[d].items[i].count; v++)
                if (entry->dims[d].items[i].values[v] == size) return true;
    return false;
}

// The matrices of a workgroup are the fastest units for a large product.
static void quick_times_a_large_product_by_matrices_of_a_workgroup(void **state) {
    struct fixture *f = *state;
    struct suite suite;
    bool f16 = false, bf16 = false;
    load_kernels(f);
    if (!suite_load(&f->arena, "suites/quick.json", &suite, &f->err)) fail_msg("%s", f->err.text);
    for (size_t k = 0; k < f->kernels.count; k++)
        for (size_t e = 0; e < suite.entry_count; e++) {
            const struct kernel *kernel = f->kernels.items[k];
            if (strncmp(kernel->name, "matmul.tensor", strlen("matmul.tensor")) != 0 ||
                !has_size(&suite.entries[e], 4096))
                continue;
            f16 |= entry_times(&suite.entries[e], kernel, DTYPE_F16);
            bf16 |= entry_times(&suite.entries[e], kernel, DTYPE_BF16);
        }
    assert_true(f16 && bf16);
}

// The unit follows from the manifest.
static void the_manifest_tells_the_unit(void **state) {
    static const struct {
        const char *kernel;
        enum dtype dtype;
        const char *arithmetic;
    } known[] = {
        {"matmul.blocked", DTYPE_F32, "fma_f32"},
        {"matmul.blocked", DTYPE_BF16, "fma_f32"},
        {"matmul.blocked_half", DTYPE_F16, "fma_f16"},
        {"matmul.tensor", DTYPE_F16, "matrix_f16_f32"},
        {"matmul.tensor", DTYPE_BF16, "matrix_bf16_f32"},
        {"matmul.tensor_half", DTYPE_F16, "matrix_f16_f16"},
        {"matmul_nt.coop_widened", DTYPE_Q8_0, "matrix_f16_f32"},
        {"matmul_i8.coop", DTYPE_I8, "matrix_i8_i32"},
        {"matmul_i8.thread", DTYPE_I8, "mad_i32"},
        {"mad_chain.i8", DTYPE_I8, "mad_i8"},
        {"dot_chain.bytes", DTYPE_I32, "dot_i8"},
        {"fma_chain.double", DTYPE_F32, "fma_f64"},
        {"matrix_chain.bf16_f32", DTYPE_F32, "matrix_bf16_f32"},
    };
    struct fixture *f = *state;
    load_kernels(f);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct kernel *kernel = kernel_named(&f->kernels, known[i].kernel);
        assert_non_null(kernel);
        assert_string_equal(kernel_arithmetic(&f->arena, kernel, known[i].dtype), known[i].arithmetic);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_operator_has_a_kernel, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(all_but_integers_have_one_in_f16, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(networks_have_one_in_bf16, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(weights_may_be_quantised, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_manifest_tells_the_unit, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(
            quick_times_a_large_product_by_matrices_of_a_workgroup, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(
            a_suite_with_peaks_measures_each_unit_that_it_times, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
