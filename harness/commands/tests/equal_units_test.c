// SPDX-License-Identifier: Apache-2.0
// Tests what is kept for each of two equal GPUs of one host: their baselines and their peaks.
#include "vkassay_program.h"

#include "../baseline.h"
#include "../bench/bench.h"
#include "../bench/known_peaks.h"
#include "../../device/device_info.h"

#define UNIT_0 "00000000000000000000000000000001"
#define UNIT_1 "00000000000000000000000000000002"

// Makes FOLDER/made/unit0.json and unit1.json.
static int make_units(void **state) {
    if (program_open(state) != 0) return -1;
    return shell("%s scripts/made_up.py units reports/examples/nvidia-h200/quick.json --count 2 --out %s/made",
        python_with("json"), folder);
}

static const char *baseline_of(struct arena *arena, const char *name) {
    struct options options = {.baselines = arena_format(arena, "%s/baselines", folder)};
    struct result result;
    struct error err;
    if (!result_read(arena_format(arena, "%s/made/%s", folder, name), &result, &err)) fail_msg("%s", err.text);
    const char *path = baseline_path(arena, &options, device_key(result.device, result.context), "quick");
    struct result baseline;
    if (!result_read(path, &baseline, &err)) fail_msg("%s", err.text);
    path = arena_copy(arena, baseline.device->pci);
    result_free(&baseline);
    result_free(&result);
    return path;
}

// The newest is at the model's place, where other units of the model find it too.
static void each_has_its_baseline(void **state) {
    static const char *const orders[] = {"unit0.json", "unit1.json", "unit1.json", "unit0.json"};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        assert_int_equal(
            run("gate --save-baseline %s/made/%s --baselines %s/baselines", folder, orders[i], folder), STATUS_OK);
        assert_string_equal(baseline_of(&arena, orders[i]), orders[i][4] == '0' ? "0000:01:00.0" : "0000:02:00.0");
        if (i) assert_string_equal(baseline_of(&arena, "unit0.json"), "0000:01:00.0");
        if (i) assert_string_equal(baseline_of(&arena, "unit1.json"), "0000:02:00.0");
        assert_int_equal(shell("test $(ls %s/baselines/*/*.json | wc -l) = %d", folder, i ? 2 : 1), 0);
    }
    arena_free(&arena);
}

static void each_has_its_peaks(void **state) {
    const struct device_info gpus[] = {{.kind = DEVICE_DISCRETE, .device_uuid = UNIT_0, .pci = "1"},
        {.kind = DEVICE_DISCRETE, .device_uuid = UNIT_1, .pci = "2"}, {.kind = DEVICE_DISCRETE, .pci = "1"},
        {.kind = DEVICE_DISCRETE, .pci = "2"}, {.kind = DEVICE_DISCRETE, .device_uuid = UNIT_0, .driver_version = 2},
        {.kind = DEVICE_CPU, .device_uuid = UNIT_0}, {.kind = DEVICE_CPU, .device_uuid = UNIT_0}};
    enum { COUNT = sizeof gpus / sizeof *gpus };
    struct arena arena = {0};
    const char *paths[COUNT];
    for (size_t i = 0; i < COUNT; i++) { // the last two are CPUs of two hosts
        paths[i] = known_peaks_path(&arena, "c", (struct device_key){&gpus[i], i == 6 ? "Y" : "X", 4});
        for (size_t k = 0; k < i; k++) assert_string_not_equal(paths[i], paths[k]);
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_has_its_baseline), cmocka_unit_test(each_has_its_peaks)};
    return run_group_with_python(tests, make_units, folder_remove);
}
