// SPDX-License-Identifier: Apache-2.0
// Tests the screen of peaks.
#include "../render/render.h"

#include "render_fixture.h"
#include "../../record/record.h"
#include "../../device/device_info.h"
#include "../../../reference/tests/unit.h"

#include <stdio.h>
#include <stdlib.h>

static char *peaks(const struct result *result, int width) {
    static char *text; // owned by the caller
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    render_peaks(result, out, width);
    fclose(out);
    return text;
}

// Finds the fragment in the text with each run of blanks replaced by one.
static bool says(const char *text, const char *fragment) {
    char plain[20000];
    size_t length = 0;
    for (; *text && length + 1 < sizeof plain; text++) {
        const char here = *text == '\n' ? ' ' : *text;
        if (here != ' ' || (length && plain[length - 1] != ' ')) plain[length++] = here;
    }
    plain[length] = '\0';
    if (!strstr(plain, fragment)) print_error("\"%s\" is not in:\n%s\n", fragment, plain);
    return strstr(plain, fragment) != NULL;
}

static struct record *serves(struct result *result, const char *kernel, const char *peak) {
    struct record *first = NULL;
    for (size_t i = 0; i < result->count; i++) {
        struct record *record = &result->records[i];
        if (strcmp(record->kernel, kernel) != 0) continue;
        record->peak = peak;
        if (!first) first = record;
    }
    assert_non_null(first);
    return first;
}

static void the_best_point_of_each_peak_is_shown(void **state) {
    struct result result = fixture_result(1);
    serves(&result, "nothing.empty", "empty_dispatch_ns");
    // The best copy over all sizes and shapes reaches 20 GB/s minus the launch time; its interval is 0.4 % either
    // way.
    serves(&result, "copy.vec4", "copy_bytes_per_s");
    struct record *chain = serves(&result, "matmul.blocked", "matrix_f16_f32_flops_per_s");
    for (size_t i = 0; i < result.count; i++)
        if (result.records[i].peak == chain->peak) {
            result.records[i].tunables[0] = (struct named_number){"COOP_M", 16};
            result.records[i].tunables[1] = (struct named_number){"COOP_N", 8};
            result.records[i].tunables[2] = (struct named_number){"COOP_K", 32};
            result.records[i].tunable_count = 3;
        }
    char *text = peaks(&result, 80);
    assert_true(says(text, "Test <GPU> 3000, testdrv 1.2.3"));
    assert_true(says(text, "memory copy 20.0 GB/s 19.9 to 20.1 copy.vec4"));
    assert_true(says(text, " 16x8x32 host empty dispatch"));
    assert_true(says(text, "host empty dispatch 2.00 us 1.99 to 2.01 nothing.empty"));
    assert_true(says(text, "write")); // listed as missing
    free(text);
    result_free(&result);
}

static void what_there_is_not_is_named_with_its_reason(void **state) {
    struct result result = fixture_result(1);
    serves(&result, "transpose.padded", "read_bytes_per_s"); // its bytes count, but not the bytes of failed points
    for (size_t i = 0; i < result.count; i++) {
        struct record *record = &result.records[i];
        if (strcmp(record->kernel, "add.vec4") == 0 && strcmp(record->dtype, "f16") == 0) {
            record->peak = "fma_f16_flops_per_s";
            fixture_becomes(record, RECORD_SKIP, "the device lacks the feature float16");
        }
        if (strcmp(record->kernel, "add.scalar") == 0) {
            record->peak = "fma_f64_flops_per_s";
            fixture_becomes(record, RECORD_SKIP, "too long; by an estimate");
            if (record->wg[0] == 64) fixture_becomes(record, RECORD_FAIL, "1 of 4 is wrong; worst at index 3");
        }
    }
    for (size_t i = 0; i < result.count; i++)
        if (strcmp(result.records[i].kernel, "softmax.online") == 0) {
            result.records[i].peak = "matrix_f32_f32_flops_per_s";
            fixture_becomes(&result.records[i], RECORD_SKIP, "SUBGROUP is 32; the device allows 8");
        }
    result.device->cooperative[0] = (struct cooperative){
        .m = 64, .n = 32, .k = 16, .a = COMPONENT_U8, .b = COMPONENT_I8, .c = COMPONENT_I32, .result = COMPONENT_I32};
    result.device->cooperative[1] = result.device->cooperative[0];
    result.device->cooperative[1].saturating = true;
    result.device->cooperative_count = 2;
    char *text = peaks(&result, 80);
    assert_true(says(text, "Not here: multiply-add f16: the device lacks the feature float16"));
    assert_true(says(text, "Not here: multiply-add f64: 1 of 4 is wrong")); // and not the reason of the skipped ones
    assert_true(says(text, "memory copy, write, L2 cache, read, shared, read, multiply-add f32, i8"));
    assert_true(says(text, "bf16: Vulkan has none"));
    assert_true(says(text, "matrix units f32 into f32: the device lists no such matrices"));
    assert_true(says(text, "Matrices listed, and not measured: 64x32x16 u8 x i8 + i32 to i32 ")); // once
    free(text);
    result_free(&result);
}

static void every_line_fits_80_columns(void **state) {
    struct result result = fixture_result(1);
    static const char *const keys[] = {"copy_bytes_per_s", "fma_f32_flops_per_s", "mad_i8_ops_per_s", "submit_ns",
        "matrix_bf16_f32_flops_per_s", "host_to_device_bytes_per_s"};
    for (size_t i = 0; i < result.count; i++) {
        result.records[i].peak = keys[i % (sizeof keys / sizeof *keys)];
        result.records[i].kernel = "matrix_chain.bf16_f32";
        record_timed_by(&result.records[i], "no timestamps");
        for (int f = 0; f < FIGURE_COUNT; f++) result.records[i].time[f].lo /= 1000; // gives it another unit
    }
    for (int width = 80; width <= 200; width += 120) {
        char *text = peaks(&result, width);
        int here = 0;
        for (const char *c = text; *c; c++) {
            here = *c == '\n' ? 0 : here + 1;
            if (here > width) fail_msg("a line is wider than %d:\n%s", width, text);
        }
        free(text);
    }
    result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_point_of_each_peak_is_shown),
        cmocka_unit_test(what_there_is_not_is_named_with_its_reason),
        cmocka_unit_test(every_line_fits_80_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
