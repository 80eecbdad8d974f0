// SPDX-License-Identifier: Apache-2.0
// Every kernel of the repository agrees with its shaders. Run from the top of the repository.
#include "../agree.h"

#include "../../device/device_info.h"
#include "../../manifest/kernel.h"
#include "../../../reference/tests/unit.h"

#include <stdlib.h>

static const char *const includes[] = {"kernels/include"};
static struct run_options options = {.include_folders = includes, .include_count = 1};

// Returns a device with every feature.
static struct device_info rich_device(void) {
    struct device_info device = {.max_invocations = 1024, .push_bytes = 128, .subgroup_size = 32};
    for (int f = 0; f < FEATURE_COUNT; f++) device.features[f] = true;
    return device;
}

static bool try(const struct kernel *kernel, enum dtype dtype, const struct device_info *device, struct error *err) {
    struct point point = {.kernel = kernel, .dtype = dtype, .shape = kernel_default_shape(kernel, NULL)};
    struct loaded loaded[KERNEL_PASSES];
    struct arena arena = {0};
    bool ok = shaders_load(&arena, device, &options, &point, loaded, err) && agree(&arena, &point, loaded, device, err);
    arena_free(&arena);
    return ok;
}

static void the_repository_agrees(void **state) {
    struct arena arena = {0};
    struct error err;
    struct kernels kernels;
    const char *folders[] = {"kernels"};
    struct device_info device = rich_device();
    int wrong = 0;
    if (!kernels_load(&arena, folders, 1, &kernels, &err)) fail_msg("%s", err.text);
    for (size_t k = 0; k < kernels.count; k++)
        for (int d = DTYPE_CASE + 1; d < DTYPE_COUNT; d++) {
            const struct kernel *kernel = kernels.items[k];
            if (!kernel->dtypes[d] || try(kernel, (enum dtype)d, &device, &err)) continue;
            print_error("%s/%s: %s\n", kernel->name, dtype_info((enum dtype)d)->name, err.text);
            wrong++;
        }
    assert_int_equal(wrong, 0);
    arena_free(&arena);
}

int main(void) {
    options.cache_folder = getenv("VKASSAY_CACHE"); // shared with the other tests; NULL without scripts/test.sh
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_repository_agrees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
