// SPDX-License-Identifier: Apache-2.0
// The sanitizer at one small point of each kernel and shape, without being asked. Run from the top of the repository.
#include "own_kernels.h"

#include "../../../shader/compile/cache_file.h"

#include <glob.h>

#define HEAD                                                                                                           \
    "#version 450\nlayout(local_size_x = 64) in;\n"                                                                    \
    "layout(push_constant) uniform P { uint n; };\n"                                                                   \
    "layout(binding = 0) READ readonly buffer X { CELL x[]; };\n"                                                      \
    "layout(binding = 1) buffer Y { float y[]; };\n"                                                                   \
    "shared float zero, tile[64];\nvoid main() { const uint i = gl_GlobalInvocationID.x, t = "                         \
    "gl_LocalInvocationID.x;\n"

static const struct own_shader shaders[] = {
    // The last invocation changes what others may still have to read. A driver that runs them in turn gives right
    // values.
    {"race.comp", HEAD "if (t == 0) zero = 0.0; barrier(); if (i < n) y[i] = max(x[i], zero);\n"
                       "if (t == 63) zero = 1.0; }\n"},
    {"sound.comp", HEAD "if (t == 0) zero = 0.0; barrier(); if (i < n) y[i] = max(x[i], zero);\n"
                        "barrier(); if (t == 63) zero = 1.0; }\n"},
    // The guards behind x look like x, and the value is not used there.
    {"bounds.comp", HEAD "const float value = x[i]; if (i < n) y[i] = max(value, 0.0); }\n"},
    // Only the last workgroup has a tail, and its other invocations skip the barrier.
    {"tail.comp", HEAD "if (i >= n) return; tile[t] = x[i]; barrier(); y[i] = max(tile[t], 0.0); }\n"},
    // Only a long operand takes the way with the fault, and its point has no tail.
    {"way.comp", HEAD "const float value = n > 5000 ? x[i] : x[min(i, n - 1)]; if (i < n) y[i] = max(value, 0.0); }\n"},
    {"columns.comp", HEAD "if (i < n) y[i] = max(x[i / 16][i % 4][i / 4 % 4], 0.0); }\n"},
};

#define RELU(FILE, READ, CELL)                                                                                         \
    "\"shader\": \"" FILE ".comp\", \"local_size\": [64], \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], "           \
    "\"grid\": [{\"over\": [\"n\"], \"by\": [64]}], \"defines\": {\"READ\": \"" READ "\", \"CELL\": \"" CELL "\"}"

// The points have no tail, and 8192 elements.
static void faults_that_need_the_sanitizer_are_found_unasked(void **state) {
    static const struct own_kernel kernels[] = {
        {"relu", RELU("race", "", "float"), "f32/n=8192/wg=64x1x1", "race in shared memory"},
        {"relu", RELU("bounds", "", "float"), "f32/n=8192/wg=64x1x1", "but the buffer has"},
        {"relu", RELU("tail", "", "float"), "f32/n=8192/wg=64x1x1", "comes to a barrier"},
        {"relu", RELU("sound", "", "float"), "f32/n=8192/wg=64x1x1", NULL},
    };
    own_check(*state, kernels, sizeof kernels / sizeof *kernels);
}

static void its_small_point_has_a_tail_and_several_workgroups(void **state) {
    const struct own_device *device = *state;
    static const struct own_kernel kernel = {"relu", RELU("sound", "", "float"), "f32/n=8192/wg=64x1x1", NULL};
    struct arena arena = {0};
    struct error err;
    needs_hardware(device->info, "Vulkan device");
    const struct record record = own_run(&arena, device, &kernel, false, &err);
    assert_string_equal(record.check.sanitized.at, "relu.own/f32/n=97/wg=64x1x1");
    assert_true(record.check.sanitized.accesses > 97);
    assert_null(record.check.sanitized.why);
    arena_free(&arena);
}

static void a_kernel_that_cannot_be_sanitized_passes_with_the_reason(void **state) {
    const struct own_device *device = *state;
    static const struct own_kernel kernel = {
        "relu", RELU("columns", "layout(row_major)", "mat4"), "f32/n=8192/wg=64x1x1", NULL};
    struct arena arena = {0};
    struct error err;
    needs_hardware(device->info, "Vulkan device");
    const struct record record = own_run(&arena, device, &kernel, false, &err);
    assert_int_equal(record.status, RECORD_PASS);
    assert_non_null(record.check.sanitized.why);
    assert_non_null(strstr(record.check.sanitized.why, "laid out by rows"));
    arena_free(&arena);
}

static void a_check_of_few_kernels_sanitizes_beyond_their_numbers(void **state) {
    const struct own_kernel wrong = {
        "relu", RELU("way", "", "float"), "f32/n=8192/wg=64x1x1", "at relu.own/f32/n=5625"};
    const struct own_kernel passes = {"relu", RELU("way", "", "float"), "f32/n=8192/wg=64x1x1", NULL};
    own_check(*state, &passes, 1);
    own_large = true;
    own_check(*state, &wrong, 1);
    own_large = false;
}

// Finds the only kept run. NULL: there is none.
static const char *kept_run(struct arena *arena) {
    glob_t found = {0};
    const bool any = glob(in_folder("cache/sanitized/*"), 0, NULL, &found) == 0;
    const char *path = any ? arena_copy(arena, found.gl_pathv[0]) : NULL;
    if (any) assert_int_equal(found.gl_pathc, 1);
    globfree(&found);
    return path;
}

// Gives the kept run another number of accesses.
static void mark_run(struct arena *arena, const char *path, int64_t accesses) {
    enum { KEY_AT = 24 }; // behind magic number, length and checksum
    struct error err;
    size_t length;
    uint8_t key[CACHE_KEY_BYTES];
    const char *bytes = file_read(arena, path, &length, &err);
    if (!bytes) fail_msg("%s", err.text);
    memcpy(key, bytes + KEY_AT, sizeof key);
    int64_t *figures = cache_file_read(arena, path, key, &length);
    assert_non_null(figures);
    figures[0] = accesses;
    cache_file_write(path, key, figures, length);
}

static int64_t accesses_of(const struct own_device *device, const char *members) {
    const struct own_kernel kernel = {"relu", members, "f32/n=8192/wg=64x1x1", NULL};
    struct arena arena = {0};
    struct error err;
    const int64_t accesses = own_run(&arena, device, &kernel, false, &err).check.sanitized.accesses;
    arena_free(&arena);
    return accesses;
}

// Faults are never remembered, and other code is not the same run.
static void a_silent_run_is_remembered_for_the_same_code(void **state) {
    const struct own_device *device = *state;
    const char *sound = RELU("sound", "", "float"), *race = RELU("race", "", "float");
    struct arena arena = {0};
    needs_hardware(device->info, "Vulkan device");
    own_cache = arena_copy(&arena, in_folder("cache"));
    assert_true(accesses_of(device, race) > 0);
    assert_null(kept_run(&arena));
    const int64_t accesses = accesses_of(device, sound);
    const char *path = kept_run(&arena);
    assert_non_null(path);
    mark_run(&arena, path, 123456);
    assert_int_equal(accesses_of(device, sound), 123456);
    own_write("sound.comp", arena_format(&arena, "%s// as before\n", shaders[1].text));
    assert_int_equal(accesses_of(device, sound), 123456);
    own_write("sound.comp", shaders[0].text);
    assert_int_not_equal(accesses_of(device, sound), 123456);
    own_write("sound.comp", shaders[1].text);
    own_cache = NULL;
    assert_int_equal(accesses_of(device, sound), accesses);
    arena_free(&arena);
}

static int open_device(void **state) {
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_that_need_the_sanitizer_are_found_unasked),
        cmocka_unit_test(its_small_point_has_a_tail_and_several_workgroups),
        cmocka_unit_test(a_kernel_that_cannot_be_sanitized_passes_with_the_reason),
        cmocka_unit_test(a_check_of_few_kernels_sanitizes_beyond_their_numbers),
        cmocka_unit_test(a_silent_run_is_remembered_for_the_same_code),
    };
    return cmocka_run_group_tests(tests, open_device, own_close);
}
