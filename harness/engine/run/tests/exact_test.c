// SPDX-License-Identifier: Apache-2.0
// Whole numbers find one wrong output, outside every sample, of a large product of quantised weights. Run from the
// top of the repository.
#include "own_kernels.h"
#include "../../../record/terms.h"
#include "../../../record/record.h"

static const char *const includes[] = {"kernels/include", "kernels/matrix"};

// Writes the repository's plain product with `end` in place of its last statement.
static void write_kernel(struct arena *arena, const char *end) {
    static const char last[] = "put(row, col, sum);";
    struct error err;
    const char *text = file_read(arena, "kernels/matrix/matmul_naive.comp", NULL, &err);
    if (!text) fail_msg("%s", err.text);
    const char *at = strstr(text, last);
    assert_non_null(at);
    own_write("m.comp", arena_format(arena, "%.*s%s%s", (int)(at - text), text, end, at + sizeof last - 1));
    own_write("m.json",
        "{\"kernels\": [{\"operator\": \"matmul_nt\", \"name\": \"matmul_nt.own\", \"summary\": \"s\", \"dtypes\": "
        "[\"q8_0\", \"q4_0\"], \"shader\": \"m.comp\", \"bindings\": [\"a\", \"b\", \"c\"], \"push\": [\"m\", \"n\", "
        "\"k\"], \"defines\": {\"B_TURNED\": \"1\"}, \"tunables\": {\"WG_X\": {\"values\": [16], \"default\": 16}, "
        "\"WG_Y\": {\"values\": [4], \"default\": 4}}, \"grid\": [{\"over\": [\"n\"], \"by\": [\"WG_X\"]}, {\"over\": "
        "[\"m\"], \"by\": [\"WG_Y\"]}], \"depth\": [{\"over\": [\"k\"]}]}]}");
}

static struct record run_of(struct arena *arena, const struct own_device *device, const char *dtype) {
    struct run_options options = {
        .settings = settings_standard(), .seed = 1, .timeout_s = 20, .include_folders = includes, .include_count = 2};
    struct record record = {0};
    struct kernels kernels;
    struct point point;
    struct error err = {0};
    const char *folders[] = {folder};
    options.settings.check_operations = 1000;
    if (!kernels_load(arena, folders, 1, &kernels, &err) ||
        !point_parse(
            arena, &kernels, arena_format(arena, "matmul_nt.own/%s/m=64,n=96,k=128/wg=16x4x1", dtype), &point, &err))
        fail_msg("%s", err.text);
    struct runner *runner = runner_open(device->info, &options, &err);
    if (!runner) fail_msg("%s", err.text);
    run_alone(runner, &point, arena, &record);
    runner_close(runner);
    return record;
}

static void each_output_of_quantised_weights_is_judged(void **state) {
    static const char *const dtypes[] = {"q8_0", "q4_0"};
    const struct own_device *device = *state;
    needs_hardware(device->info, "Vulkan device");
    for (int i = 0; i < 2; i++) {
        struct arena arena = {0};
        write_kernel(&arena, "put(row, col, sum);");
        const struct record sound = run_of(&arena, device, dtypes[i]);
        if (sound.status != RECORD_PASS) fail_msg("%s", sound.reason);
        assert_int_equal(sound.check.exact, 64 * 96);
        assert_true(sound.check.checked < 64 * 96);
        write_kernel(&arena, "put(row, col, row == 37 && col == 41 ? sum + 1.0 : sum);");
        const struct record wrong = run_of(&arena, device, dtypes[i]);
        assert_int_equal(wrong.status, RECORD_FAIL);
        assert_non_null(strstr(wrong.reason, "with whole numbers"));
        arena_free(&arena);
    }
}

static int open_device(void **state) {
    return own_open(state, NULL, 0);
}

// Of a variance of so many terms only some rows are computed again, and no whole numbers tell the others.
static void a_long_sum_without_known_outputs_is_sampled(void **state) {
    const struct own_device *device = *state;
    needs_hardware(device->info, "Vulkan device");
    struct run_options options = {.settings = settings_standard(), .seed = 1, .timeout_s = 20};
    struct arena arena = {0};
    struct record record = {0};
    struct kernels kernels;
    struct point point;
    struct error err = {0};
    const char *folders[] = {"kernels"};
    options.include_folders = includes, options.include_count = 1;
    options.settings.check_operations = 1000;
    if (!kernels_load(&arena, folders, 1, &kernels, &err) ||
        !point_parse(
            &arena, &kernels, "variance_rows.cached/f32/rows=2048,cols=4096/wg=256x1x1,ITEMS=16", &point, &err))
        fail_msg("%s", err.text);
    struct runner *runner = runner_open(device->info, &options, &err);
    if (!runner) fail_msg("%s", err.text);
    run_alone(runner, &point, &arena, &record);
    runner_close(runner);
    if (record.status != RECORD_PASS) fail_msg("%s", record.reason);
    assert_true(record.check.checked < 2048);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_output_of_quantised_weights_is_judged),
        cmocka_unit_test(a_long_sum_without_known_outputs_is_sampled)};
    return cmocka_run_group_tests(tests, open_device, own_close);
}
