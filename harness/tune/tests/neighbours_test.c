// SPDX-License-Identifier: Apache-2.0
// Neighbouring sizes of a tuned point: each dim one less and one more, with the point's parameters and shape.
#include "../../shader/manifest/tests/plan_fixture.h"

#include "../../engine/plan/point.h"
#include "../search.h"

static void assert_neighbours(void **state, const char *name, size_t expected_count, const char *const *expected) {
    struct fixture *f = *state;
    const struct device_info device = fixture_device();
    struct point point;
    size_t count;
    if (!point_parse(&f->arena, &f->kernels, name, &point, &f->err)) fail_msg("%s", f->err.text);
    const struct point *found = neighbours_of(&f->arena, &point, &device, 0.5, &count);
    for (size_t i = 0; i < count && i < expected_count; i++) assert_string_equal(found[i].name, expected[i]);
    assert_int_equal(count, expected_count);
}

static void each_dim_moves_by_one(void **state) {
    fixture_kernels(*state);
    static const char *const all[] = {"rmsnorm.workgroup/f16/rows=8,cols=100,eps=0.5/wg=64x1x1,ITEMS=4,SUBGROUP=16",
        "rmsnorm.workgroup/f16/rows=7,cols=100,eps=0.5/wg=64x1x1,ITEMS=4,SUBGROUP=16",
        "rmsnorm.workgroup/f16/rows=9,cols=100,eps=0.5/wg=64x1x1,ITEMS=4,SUBGROUP=16",
        "rmsnorm.workgroup/f16/rows=8,cols=99,eps=0.5/wg=64x1x1,ITEMS=4,SUBGROUP=16",
        "rmsnorm.workgroup/f16/rows=8,cols=101,eps=0.5/wg=64x1x1,ITEMS=4,SUBGROUP=16"};
    assert_neighbours(state, all[0], 4, all + 1);
}

// A dim below 8 stays, and so does one whose neighbours the kernel's rules or the device's memory refuse.
static void small_and_refused_dims_stay(void **state) {
    fixture_kernels(*state);
    static const char *const tiled[] = {"matmul.tiled/f32/m=32,n=7,k=64/wg=16x16x1,ITEMS=1,TILE_K=16",
        "matmul.tiled/f32/m=31,n=7,k=64/wg=16x16x1,ITEMS=1,TILE_K=16",
        "matmul.tiled/f32/m=33,n=7,k=64/wg=16x16x1,ITEMS=1,TILE_K=16"},
                             *const large[] = {"relu.scalar/f32/n=33554432/wg=64x1x1,ITEMS=1",
                                 "relu.scalar/f32/n=33554431/wg=64x1x1,ITEMS=1"};
    assert_neighbours(state, tiled[0], 2, tiled + 1);
    assert_neighbours(state, large[0], 1, large + 1); // the storage range is 128 MiB
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_dim_moves_by_one, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(small_and_refused_dims_stay, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
