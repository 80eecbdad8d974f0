// SPDX-License-Identifier: Apache-2.0
// Which problems are drawn of whole numbers, on the best device. Run from the top of the repository.
#include "../inputs/whole_draws.h"
#include "best_device.h"
#include "../../../../reference/tests/unit.h"

static const char *const kernel_folders[] = {"kernels"};
enum { KEYS = 40 };

// Returns for how many keys the point has draws of whole numbers.
static int drawn_whole(const char *name) {
    struct arena arena = {0};
    struct error err = {0};
    struct kernels kernels;
    struct point point;
    struct problem problem = {0};
    struct truth truth = {0};
    const struct device_info *device;
    const struct settings settings = settings_standard();
    int found = 0;
    assert_true(best_device(&arena, &device));
    needs_hardware(device, "Vulkan device");
    struct gpu *gpu = gpu_open(device, &(struct gpu_options){0}, &err);
    if (!gpu || !kernels_load(&arena, kernel_folders, 1, &kernels, &err) ||
        !point_parse(&arena, &kernels, name, &point, &err) || !problem_open(gpu, &point, 1, &problem, &err))
        fail_msg("%s", err.text);
    const struct check_request request = {.problem = &problem, .point = &point, .policy = {.rte = true}};
    for (uint64_t key = 0; key < KEYS; key++) {
        struct whole_drawing drawing = {.key = key, .problem = &problem, .truth = &truth, .settings = &settings};
        found += whole_draws_find(&request, &drawing).count > 0;
    }
    truth_free(&truth);
    problem_close(gpu, &problem);
    gpu_close(gpu);
    arena_free(&arena);
    return found;
}

// A block's scale is no whole number, so an output that is whole by coincidence was not summed exactly.
static void blocks_with_scales_are_not_drawn_whole(void **state) {
    (void)state;
    assert_int_equal(drawn_whole("linear_relu.rowwise/q4_0/m=10,n=72,k=128/wg=128x1x1,ROWS=2,UNROLL=2"), 0);
    assert_int_equal(drawn_whole("linear_relu.rowwise/f32/m=10,n=72,k=128/wg=128x1x1,ROWS=2,UNROLL=2"), KEYS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_with_scales_are_not_drawn_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
