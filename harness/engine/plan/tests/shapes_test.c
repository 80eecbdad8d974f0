// SPDX-License-Identifier: Apache-2.0
// The shapes of a case: the listed ones, their order, and the ones left out.
#include "../shapes.h"
#include "../suite.h"
#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../../../device/device_info.h"

struct listed {
    struct shape_found *items;
    size_t count;
};

static struct listed shapes_of(
    struct fixture *f, const char *kernel, const int64_t *given, enum shape_choice choice, int some) {
    static struct device_info device;
    static int64_t dims[OPERATOR_DIMS * 2];
    device = fixture_device();
    memset(dims, 0, sizeof dims);
    memcpy(dims, given, 3 * sizeof *given);
    struct shape_request request = {.choice = choice,
        .some = some,
        .trial = {.kernel = kernel_named(&f->kernels, kernel),
            .dtype = DTYPE_F32,
            .dims = dims,
            .device = &device,
            .memory_share = 1,
            .arena = &f->arena}};
    struct listed out;
    out.items = shapes_of_case(&request, &out.count);
    assert_non_null(out.items);
    return out;
}

static int find(struct listed list, int64_t first, int64_t second) {
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].shape.value[0] == first && list.items[i].shape.value[1] == second) return (int)i;
    return -1;
}

static const int64_t small[3] = {1000};

static void the_default_alone(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    struct listed list = shapes_of(f, "relu.scalar", small, SHAPES_DEFAULT, 4);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].shape.value[0], 256);
    assert_null(list.items[0].refused);
}

static void system_shapes_follow_and_refused_ones_end(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    struct listed list = shapes_of(f, "relu.scalar", small, SHAPES_SYSTEMS, 4);
    assert_int_equal(list.count, 3); // two systems share a shape
    assert_int_equal(find(list, 256, 1), 0);
    assert_int_equal(find(list, 64, 1), 1);
    assert_int_equal(find(list, 1024, 1), 2);
    assert_null(list.items[1].refused);
    assert_says(refusal_text(&f->arena, list.items[2].refused), "WG_X is 1024");
}

static void some_are_a_spread_of_legal_ones(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    for (int some = 0; some < 10; some++) {
        struct listed list = shapes_of(f, "relu.scalar", small, SHAPES_SOME, some);
        // There are 4 legal sizes with 2 values of ITEMS each. Without the default and one system's shape, 6 others
        // remain. The other system's shape is refused.
        assert_int_equal(list.count, 3 + (some < 6 ? some : 6));
        assert_int_equal(find(list, 256, 1), 0);
        assert_int_equal(find(list, 64, 1), 1);
        for (size_t i = 0; i < list.count; i++) {
            assert_true((list.items[i].refused != NULL) == (i == list.count - 1));
            for (size_t j = 0; j < i; j++)
                assert_true(memcmp(list.items[i].shape.value, list.items[j].shape.value, 2 * sizeof(int64_t)) != 0);
        }
    }
    struct listed list = shapes_of(f, "relu.scalar", small, SHAPES_SOME, 4);
    bool items[5] = {0};
    for (size_t i = 2; i < list.count; i++) items[list.items[i].shape.value[1]] = true;
    assert_true(items[1] && items[4]); // both values of the last tunable are met
    struct listed again = shapes_of(f, "relu.scalar", small, SHAPES_SOME, 4);
    for (size_t i = 0; i < list.count; i++)
        assert_memory_equal(list.items[i].shape.value, again.items[i].shape.value, 2 * sizeof(int64_t));
}

// A spread in step with the last tunable would meet only one of its values.
static void a_spread_meets_every_value(void **state) {
    struct fixture *f = *state;
    const int64_t square[3] = {64, 64};
    fixture_kernels(f);
    for (int some = 6; some <= 20; some++) {
        struct listed list = shapes_of(f, "rmsnorm.workgroup", square, SHAPES_SOME, some);
        bool subgroup[64] = {0}, items[8] = {0}, wg[512] = {0};
        for (size_t i = 2; i < list.count && !list.items[i].refused; i++) {
            const int64_t *value = list.items[i].shape.value;
            wg[value[0]] = items[value[1]] = subgroup[value[2]] = true;
        }
        assert_true(wg[32] && wg[64] && wg[128] && wg[256]);
        assert_true(items[1] && items[4]);
        assert_true(subgroup[0] && subgroup[16] && subgroup[32]);
    }
}

static void all_are_the_whole_product(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    struct listed list = shapes_of(f, "relu.scalar", small, SHAPES_ALL, 0);
    assert_int_equal(list.count, 12);
    for (size_t i = 0; i < list.count; i++) {
        assert_int_equal(list.items[i].refused != NULL, i >= 8);
        assert_int_equal(list.items[i].refused != NULL, list.items[i].shape.value[0] > 256);
    }
}

// The values of WG_X, ITEMS, WG_Y and TILE_K give 3 * 2 * 3 * 2 = 36 shapes. Equal sides leave 12, and 32 x 32 is too
// large.
static void pruned_for_these_dims_are_not_listed(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    const int64_t whole[3] = {64, 64, 64}, half[3] = {64, 64, 48};
    struct listed list = shapes_of(f, "matmul.tiled", whole, SHAPES_ALL, 0);
    size_t legal = 0;
    for (size_t i = 0; i < list.count; i++) legal += !list.items[i].refused;
    assert_int_equal(list.count, 36);
    assert_int_equal(legal, 8);
    list = shapes_of(f, "matmul.tiled", half, SHAPES_ALL, 0);
    legal = 0;
    for (size_t i = 0; i < list.count; i++) legal += !list.items[i].refused;
    assert_int_equal(list.count, 32); // 4 with TILE_K 32 are pruned
    assert_int_equal(legal, 4);
}

static void the_default_is_listed_though_pruned(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    const int64_t odd[3] = {64, 64, 17};
    struct listed list = shapes_of(f, "matmul.tiled", odd, SHAPES_SOME, 4);
    assert_int_equal(list.count, 2); // the default and the system's
    assert_says(refusal_text(&f->arena, list.items[0].refused), "k = 17 is not a multiple of TILE_K = 16");
    assert_says(refusal_text(&f->arena, list.items[1].refused), "k = 17 is not a multiple of TILE_K = 16");
}

static void a_case_that_nothing_can_run_is_one_refused_shape(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    const int64_t large[3] = {1ll << 31};
    struct listed list = shapes_of(f, "relu.scalar", large, SHAPES_ALL, 0);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].shape.value[0], 256);
    assert_says(refusal_text(&f->arena, list.items[0].refused), "operand x takes 8589934592 bytes");
}

static void values_are_those_of_the_manifest(void **state) {
    struct fixture *f = *state;
    fixture_kernels(f);
    const struct kernel *kernel = kernel_named(&f->kernels, "relu.scalar");
    struct shape shape = kernel_default_shape(kernel, NULL);
    assert_null(shape_set(&f->arena, kernel, &shape, "ITEMS", 4));
    assert_int_equal(shape_value(kernel, &shape, "ITEMS", -1), 4);
    assert_int_equal(shape_value(kernel, &shape, "WG_Y", -1), -1);
    assert_says(shape_set(&f->arena, kernel, &shape, "ITEMS", 3),
        "ITEMS of kernel relu.scalar cannot be 3; its manifest lists 1, 4");
    assert_says(shape_set(&f->arena, kernel, &shape, "ITEM", 4), "did you mean \"ITEMS\"?");
    shape = (struct shape){.value = {64, 1}};
    assert_string_equal(shape_systems(&f->arena, kernel, &shape), "torchless,candle");
    shape.value[1] = 4;
    assert_string_equal(shape_systems(&f->arena, kernel, &shape), "");
    uint32_t wg[3];
    shape_workgroup(kernel, &shape, wg);
    assert_true(wg[0] == 64 && wg[1] == 1 && wg[2] == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_default_alone, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(system_shapes_follow_and_refused_ones_end, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(some_are_a_spread_of_legal_ones, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_spread_meets_every_value, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(all_are_the_whole_product, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(pruned_for_these_dims_are_not_listed, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_default_is_listed_though_pruned, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_case_that_nothing_can_run_is_one_refused_shape, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(values_are_those_of_the_manifest, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
