// SPDX-License-Identifier: Apache-2.0
#include "plan_fixture.h"

#define NAME(n)                                                                                                        \
    { .name = n }
#define NUMBER(n)                                                                                                      \
    { .number = n }
#define PRODUCT(...)                                                                                                   \
    { .factors = {__VA_ARGS__}, .count = sizeof((struct factor[]){__VA_ARGS__}) / sizeof(struct factor) }

static void values(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    const struct kernel *k = kernel_named(&f->kernels, "matmul.tiled");
    int64_t dims[] = {100, 200, 33};
    struct shape shape = kernel_default_shape(k, NULL); // WG_X 16, ITEMS 1, WG_Y 16, TILE_K 16
    const struct {
        struct quotient q;
        int64_t want;
    } rows[] = {
        {{.over = {.count = 0}}, 1},
        {{.over = PRODUCT(NAME("k"))}, 33},
        {{.over = PRODUCT(NAME("m"), NAME("n"), NUMBER(3))}, 60000},
        {{.over = PRODUCT(NAME("k")), .by = PRODUCT(NAME("TILE_K"))}, 3},
        {{.over = PRODUCT(NAME("m")), .by = PRODUCT(NAME("WG_Z"))}, 100}, // WG_Z is not tuned, so it is 1
        {{.over = PRODUCT(NUMBER(INT64_MAX)), .by = PRODUCT(NUMBER(2))}, INT64_MAX / 2 + 1},
        {{.over = PRODUCT(NUMBER(INT64_MAX)), .by = PRODUCT(NUMBER(1))}, INT64_MAX},
        {{.over = PRODUCT(NUMBER(INT64_MAX), NUMBER(2))}, -1},
        {{.over = PRODUCT(NUMBER(1)), .by = PRODUCT(NUMBER(1ll << 32), NUMBER(1ll << 31))}, -1},
        {{.over = PRODUCT(NUMBER(1)), .by = PRODUCT(NUMBER(0))}, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(quotient_value(k, &rows[i].q, dims, &shape), rows[i].want);
}

static void largest_dims_overflow_only_beyond_64_bits(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    const struct kernel *k = kernel_named(&f->kernels, "matmul.tiled");
    int64_t dims[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    struct product one = PRODUCT(NAME("m"), NUMBER(1ll << 31)), two = PRODUCT(NAME("m"), NAME("n"));
    assert_int_equal(product_value(k, &one, dims, NULL), (int64_t)UINT32_MAX << 31);
    assert_int_equal(product_value(k, &two, dims, NULL), -1); // (2^32-1)^2 is above 2^63
}

static void names_of_a_missing_kind_have_no_value(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    const struct kernel *k = kernel_named(&f->kernels, "matmul.tiled");
    struct product dim = PRODUCT(NAME("k")), tunable = PRODUCT(NAME("TILE_K"));
    int64_t dims[] = {1, 2, 3};
    struct shape shape = kernel_default_shape(k, NULL);
    assert_int_equal(product_value(k, &dim, NULL, &shape), -1);
    assert_int_equal(product_value(k, &tunable, dims, NULL), -1);
}

static void text(void **state) {
    struct fixture *f = *state;
    struct product empty = {0}, some = PRODUCT(NAME("cols"), NUMBER(4));
    assert_string_equal(product_text(&f->arena, &empty), "1");
    assert_string_equal(product_text(&f->arena, &some), "cols * 4");
}

static void depth(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    const struct kernel *k = kernel_named(&f->kernels, "matmul.tiled");
    int64_t dims[] = {1, 1, 33};
    struct shape shape = kernel_default_shape(k, NULL);
    assert_int_equal(kernel_depth(k, dims, &shape), 3 + 4); // ceil(33 / 16) serial, a tree of 16
    assert_int_equal(kernel_depth(kernel_named(&f->kernels, "relu.scalar"), dims, &shape), 0);
}

static void the_last_chain_is_behind_others(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    struct kernel k = *kernel_named(&f->kernels, "matmul.tiled");
    int64_t dims[] = {1, 1, 33};
    const struct shape shape = kernel_default_shape(&k, NULL);
    assert_int_equal(kernel_last_chain(&k, dims, &shape), 0); // only a first stretch, and a tree
    k.depth[k.depth_count++] = k.depth[0];
    assert_int_equal(kernel_last_chain(&k, dims, &shape), 3);
    dims[2] = 65;
    assert_int_equal(kernel_last_chain(&k, dims, &shape), 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(largest_dims_overflow_only_beyond_64_bits, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(names_of_a_missing_kind_have_no_value, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(text, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(depth, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_last_chain_is_behind_others, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
