// SPDX-License-Identifier: Apache-2.0
// Sizes for the trial of a guess: none is long to run.
#include "../init/sizes.h"
#include "../../../reference/operator.h"
#include "../../shader/manifest/shape.h"
#include "../../../reference/tests/unit.h"

#include <string.h>

static void load(struct arena *arena, struct operator_sizes *out) {
    struct error err;
    if (!sizes_load(arena, ".", out, &err)) fail_msg("%s", err.text);
}

// Returns a member of "dims" of the first list's element; its value is a list of one.
static int64_t size_of(struct json_object *dims, const char *name) {
    struct json_object *values = json_get(dims, name);
    assert_int_equal(json_object_array_length(values), 1);
    return json_object_get_int64(json_object_array_get_idx(values, 0));
}

static const struct kernel *kernel_of(const struct operator_sizes *sizes, const char *op) {
    for (size_t k = 0; k < sizes->kernels.count; k++)
        if (strcmp(sizes->kernels.items[k]->op->name, op) == 0) return sizes->kernels.items[k];
    fail_msg("no kernel of %s", op);
    return NULL;
}

// 1024 x 1024 x 1024 of the suite quick takes a shader on a CPU many seconds.
static void a_trial_has_no_long_product(void **state) {
    struct arena arena = {0};
    struct operator_sizes sizes;
    load(&arena, &sizes);
    static const char *const products[] = {"linear", "matmul", "matmul_nt", "linear_gelu"};
    for (size_t p = 0; p < sizeof products / sizeof *products; p++) {
        struct json_object *list = json_object_new_array();
        sizes_add_few(&sizes, kernel_of(&sizes, products[p]), 100, 1 << 24, list);
        assert_true(json_object_array_length(list) >= 2);
        for (size_t i = 0; i < json_object_array_length(list); i++) {
            struct json_object *dims = json_object_array_get_idx(list, i);
            const int64_t terms = size_of(dims, "m") * size_of(dims, "n") * size_of(dims, "k");
            if (terms > 256 * 256 * 256) fail_msg("%s has %lld terms", products[p], (long long)terms);
        }
        json_object_put(list);
    }
    arena_free(&arena);
}

// The suites with small sizes lack some operators, and kernels of vectors take few of the sizes they have.
static void every_kernel_has_sizes_that_its_rules_take(void **state) {
    struct arena arena = {0};
    struct operator_sizes sizes;
    load(&arena, &sizes);
    for (size_t k = 0; k < sizes.kernels.count; k++) {
        const struct kernel *kernel = sizes.kernels.items[k];
        const struct shape shape = kernel_default_shape(kernel, NULL);
        struct json_object *list = json_object_new_array();
        sizes_add_few(&sizes, kernel, 1, 1 << 18, list);
        if (!kernel->probe && json_object_array_length(list) != 1) fail_msg("%s has no sizes", kernel->name);
        int64_t dims[OPERATOR_DIMS * 2];
        for (int d = 0; !kernel->probe && d < operator_dims(kernel->op); d++)
            dims[d] = size_of(json_object_array_get_idx(list, 0), kernel->op->dims[d]);
        if (!kernel->probe) assert_null(operator_derive(kernel->op, dims));
        for (int r = 0; !kernel->probe && r < kernel->rule_count; r++)
            if (product_dim(kernel, &kernel->rules[r].of) && !rule_holds(kernel, &kernel->rules[r], dims, &shape))
                fail_msg("%s: %s", kernel->name, kernel->rules[r].why);
        json_object_put(list);
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trial_has_no_long_product),
        cmocka_unit_test(every_kernel_has_sizes_that_its_rules_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
