// SPDX-License-Identifier: Apache-2.0
// The committed SPIR-V matches the current text of its shader; `make spirv` renews it. Run from the top of the
// repository.
#include "../shaders.h"

#include "../../../base/file.h"
#include "../../../shader/manifest/kernel.h"
#include "../../../../reference/tests/unit.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 1000 };

static bool is_among(char *const *list, size_t count, const char *path) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], path) == 0) return true;
    return false;
}

static void beside_each_shader_stands_what_was_made_of_it(void **state) {
    static const char *const includes[] = {"kernels/include"};
    const struct run_options options = {.include_folders = includes, .include_count = 1};
    const char *folders[] = {"kernels"};
    struct arena arena = {0};
    struct error err;
    struct kernels kernels;
    char *wanted[MOST_FILES], **files;
    size_t wanted_count = 0, count;
    int wrong = 0;
    setenv("VKASSAY_GLSLC", "/nonexistent/glslc", 1); // makes no missing SPIR-V here
    if (!kernels_load(&arena, folders, 1, &kernels, &err)) fail_msg("%s", err.text);
    for (size_t k = 0; k < kernels.count; k++)
        for (int d = DTYPE_CASE + 1; d < DTYPE_COUNT; d++) {
            const char *paths[KERNEL_PASSES];
            int found = 0;
            if (!kernels.items[k]->dtypes[d]) continue;
            if (!shaders_commit(&arena, &options, kernels.items[k], (enum dtype)d, paths, &found, &err)) {
                print_error("%s/%s: %s\n", kernels.items[k]->name, dtype_info((enum dtype)d)->name, err.text);
                wrong++;
            }
            for (int i = 0; i < found && wanted_count < MOST_FILES; i++)
                if (!is_among(wanted, wanted_count, paths[i])) wanted[wanted_count++] = arena_copy(&arena, paths[i]);
        }
    assert_true(file_list(&arena, "kernels", ".spv", &files, &count, &err));
    for (size_t i = 0; i < count; i++)
        if (!is_among(wanted, wanted_count, files[i])) {
            print_error("%s: its shader no longer exists: `make spirv` removes it\n", files[i]);
            wrong++;
        }
    assert_true(wanted_count > 0);
    assert_int_equal(wrong, 0);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(beside_each_shader_stands_what_was_made_of_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
