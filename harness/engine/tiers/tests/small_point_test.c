// SPDX-License-Identifier: Apache-2.0
// The small sizes of a point, from sizes that are large together and for a fixed number of workgroups.
#include "../small_point.h"
#include "../../../device/device_info.h"
#include "../../../shader/manifest/dispatches.h"
#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../../plan/legal.h"
#include "../../plan/shapes.h"

static const char manifest[] =
    "{\"common\": {\"shader\": \"k.comp\", \"dtypes\": [\"f32\"]}, \"kernels\": ["
    "{\"operator\": \"permute\", \"name\": \"permute.plain\", \"summary\": \"s\", \"bindings\": [\"x\", \"y\"], "
    "\"push\": [\"y0\", \"y1\", \"y2\", \"y3\"], \"local_size\": [256], \"grid\": [{\"over\": [\"d0\", \"d1\", \"d2\", "
    "\"d3\"], \"by\": [256]}]},"
    "{\"operator\": \"sum\", \"name\": \"sum.shares\", \"summary\": \"s\", \"tunables\": {\"SHARES\": {\"id\": 3, "
    "\"values\": [1024], \"default\": 1024}}, \"local_size\": [256], \"scratch\": {\"partial\": {\"dtype\": \"f32\", "
    "\"over\": [\"SHARES\"]}}, \"passes\": [{\"bindings\": [\"x\", \"partial\"], \"push\": [\"n\"], \"grid\": "
    "[{\"over\": [\"SHARES\"]}]}, {\"bindings\": [\"partial\", \"y\"], \"push\": [\"n\"], \"grid\": [{\"over\": "
    "[]}]}]}]}";

static struct point small_of(struct fixture *f, const char *name, const int64_t *dims) {
    const struct device_info device = fixture_device();
    fixture_write(f, "small.json", manifest);
    if (!fixture_load(f)) fail_msg("%s", f->err.text);
    struct point point = {.kernel = kernel_named(&f->kernels, name), .dtype = DTYPE_F32}, out;
    point.shape = kernel_default_shape(point.kernel, &device);
    memcpy(point.dims, dims, OPERATOR_DIMS * sizeof *dims);
    point_name(&f->arena, &point);
    if (!small_point(&device, 0.5, &point, &f->arena, &out)) fail_msg("%s has none", point.name);
    return out;
}

// No single dim is small beside the others.
static void dims_of_one_grid_become_small_together(void **state) {
    const int64_t dims[OPERATOR_DIMS] = {8, 125, 16, 64, 0, 2, 1, 3};
    const struct point small = small_of(*state, "permute.plain", dims);
    int64_t product = 1, several = 0;
    for (int d = 0; d < 4; d++) {
        product *= small.dims[d];
        several += small.dims[d] > 1;
    }
    assert_true(product > 256 && product < 1 << 14 && product % 256 != 0);
    assert_true(several >= 3);
}

// A thousand workgroups at any size are accepted, with elements for some invocations of each.
static void a_fixed_number_of_workgroups_has_elements(void **state) {
    const int64_t dims[OPERATOR_DIMS] = {524287};
    const struct point small = small_of(*state, "sum.shares", dims);
    assert_true(small.dims[0] > 1024 && small.dims[0] < 1 << 16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(dims_of_one_grid_become_small_together, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_fixed_number_of_workgroups_has_elements, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
