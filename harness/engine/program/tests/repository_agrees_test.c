// SPDX-License-Identifier: Apache-2.0
// Every kernel of the repository agrees with its shaders, and says which buffers it reads back. Run from the top of the
// repository.
#include "agreeing.h"

#include <stdlib.h>

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
            struct reads_back back;
            if (!kernel->dtypes[d]) continue;
            const bool agrees = try(kernel, (enum dtype)d, &device, &back, &err);
            const uint32_t unsaid = (back.mixed & ~back.meant) | back.stale;
            if (agrees && !unsaid) continue;
            print_error("%s/%s: %s\n", kernel->name, dtype_info((enum dtype)d)->name,
                agrees ? reads_back_names(&arena, kernel, unsaid) : err.text);
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
