// SPDX-License-Identifier: Apache-2.0
// Finds what a kernel reads of its own outputs and scratch. Run from the top of the repository.
#include "agreeing.h"

#include "../../../base/file.h"
#include "../../../base/tests/folder.h"

#include <stdlib.h>
#include <string.h>

static const char shader[] = "#version 450\n"
                             "layout(local_size_x = 64) in;\n"
                             "layout(binding = 0) buffer X { float x[]; };\n"
                             "layout(binding = 1) buffer Y { float y[]; };\n"
                             "layout(binding = 2) buffer S { uint s[]; };\n"
                             "void main() { uint i = gl_GlobalInvocationID.x; BODY; }\n";

#define SCRATCH "\"bindings\": [\"x\", \"y\", \"s\"], \"scratch\": {\"s\": {\"dtype\": \"i32\", \"over\": \"n\"}}, "
#define BODY(CODE) "\"defines\": {\"BODY\": \"" CODE "\"}"
#define PASSES(FIRST, SECOND) "\"passes\": [{" BODY(FIRST) "}, {" BODY(SECOND) "}]"

static const struct {
    const char *members, *mixed, *stale; // the names expected in each set; NULL: none
} rows[] = {
    {BODY("y[i] = x[i]"), NULL, NULL},
    {BODY("y[i] += x[i]"), "y", NULL},
    {BODY("if (y[i] != x[i]) y[i] = x[i]"), "y", NULL},
    {"\"reads_back\": [\"y\"], " BODY("y[i] += x[i]"), NULL, NULL},
    {"\"zeroed\": [\"y\"], " BODY("y[i] += x[i]"), NULL, NULL},
    {"\"in_place\": {\"y\": \"x\"}, " BODY("y[i] += x[i]"), NULL, NULL},
    {PASSES("y[i] = x[i]", "y[i] += x[i]"), NULL, NULL},
    {PASSES("y[i] += x[i]", "y[i] = x[i]"), "y", NULL},
    {SCRATCH BODY("s[i] = 1u; y[i] = x[i]"), NULL, NULL},
    {SCRATCH BODY("y[i] = x[i] + float(s[i])"), NULL, "s"},
    {SCRATCH BODY("y[i] = x[i] + float(s.length())"), NULL, NULL},
    {SCRATCH BODY("y[i] = x[i] + float(atomicAdd(s[0], 1u))"), "s", NULL},
    {SCRATCH "\"zeroed\": [\"s\"], " BODY("y[i] = x[i] + float(atomicAdd(s[0], 1u))"), NULL, NULL},
    {SCRATCH BODY("y[i] += x[i]; s[i] += 1u"), "y, s", NULL},
    {SCRATCH "\"reads_back\": [\"s\"], " BODY("y[i] += x[i]; s[i] += 1u"), "y", NULL},
    {SCRATCH PASSES("y[i] = x[i] + float(s[i])", "s[i] = 1u"), NULL, "s"},
    // A word in the manifest is no excuse for what is never of the same run.
    {SCRATCH "\"reads_back\": [\"s\"], " PASSES("y[i] = x[i] + float(s[i])", "s[i] = 1u"), NULL, "s"},
    {SCRATCH PASSES("s[i] = uint(x[i])", "y[i] = float(s[i])"), NULL, NULL},
};

static void write_text(const char *name, const char *text) {
    struct error err;
    if (!file_write(in_folder(name), text, strlen(text), &err)) fail_msg("%s", err.text);
}

static void assert_names(struct arena *arena, const struct kernel *kernel, uint32_t set, const char *want, size_t row) {
    const char *names = reads_back_names(arena, kernel, set);
    if ((names == NULL) != (want == NULL) || (want && strcmp(names, want) != 0))
        fail_msg("row %zu: %s, expected %s", row, names ? names : "none", want ? want : "none");
}

static void the_first_pass_that_uses_a_buffer_decides(void **state) {
    const struct device_info device = rich_device();
    write_text("m.comp", shader);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena arena = {0};
        struct kernels kernels;
        struct reads_back back;
        struct error err;
        const char *folders[] = {folder};
        write_text("m.json",
            arena_format(&arena,
                "{\"kernels\": [{\"name\": \"relu.own\", \"operator\": \"relu\", \"summary\": \"s\", "
                "\"shader\": \"m.comp\", \"dtypes\": [\"f32\"], "
                "\"local_size\": [64], \"grid\": [{\"over\": \"n\", \"by\": 64}], %s%s}]}",
                strstr(rows[i].members, "bindings") ? "" : "\"bindings\": [\"x\", \"y\"], ", rows[i].members));
        if (!kernels_load(&arena, folders, 1, &kernels, &err) || !kernels_are_sound(&kernels, &err) ||
            !try(kernels.items[0], DTYPE_F32, &device, &back, &err))
            fail_msg("row %zu: %s", i, err.text);
        assert_names(&arena, kernels.items[0], back.mixed & ~back.meant, rows[i].mixed, i);
        assert_names(&arena, kernels.items[0], back.stale, rows[i].stale, i);
        arena_free(&arena);
    }
}

int main(void) {
    options.cache_folder = getenv("VKASSAY_CACHE");
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_pass_that_uses_a_buffer_decides)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
