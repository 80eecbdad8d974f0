// SPDX-License-Identifier: Apache-2.0
// Which dispatches are expected to take too long, by the peaks measured so far.
#include "../estimate.h"

#include "../../../../reference/tests/unit.h"

#include <math.h>
#include <string.h>

static struct json_object *record(const char *peak, const char *figures) {
    struct arena arena = {0};
    const char *text =
        peak ? arena_format(&arena, "{\"peak\": \"%s\", %s}", peak, figures) : arena_format(&arena, "{%s}", figures);
    struct json_object *value = json_parse(text, strlen(text));
    assert_non_null(value);
    arena_free(&arena);
    return value;
}

// The time is that of the slower of both peaks, at a tenth of it. Without a peak, nothing is refused.
static void the_slower_peak_decides(void **state) {
    static const struct {
        double bytes_per_s, flops_per_s, flops, bytes, longest_s;
        const char *text; // NULL: it may run
    } cases[] = {
        {0, 0, 1e18, 1e18, 1, NULL},
        {1e10, 1e12, 1e11, 0, 1, NULL}, // exactly as long
        {1e10, 1e12, 1.5e11, 0, 1,
            "estimated 1.5 s per dispatch at a tenth of the measured 1 TFLOP/s; the suite allows 1 s"},
        {1e10, 1e12, 0, 3e9, 1, "estimated 3 s per dispatch at a tenth of the measured 10 GB/s; the suite allows 1 s"},
        {1e10, 1e12, 4e11, 3e9, 2,
            "estimated 4 s per dispatch at a tenth of the measured 1 TFLOP/s; the suite allows 2 s"},
        {1e10, 1e12, 2e11, 3e9, 2,
            "estimated 3 s per dispatch at a tenth of the measured 10 GB/s; the suite allows 2 s"},
        {1e10, 0, 1e18, 3e9, 2, "estimated 3 s per dispatch at a tenth of the measured 10 GB/s; the suite allows 2 s"},
        {0, 2.5e6, 1e6, 1e18, 2,
            "estimated 4 s per dispatch at a tenth of the measured 2.5 MFLOP/s; the suite allows 2 s"},
        {999.4, 0, 0, 999.4, 2, "estimated 10 s per dispatch at a tenth of the measured 999 B/s; the suite allows 2 s"},
        {999.6, 0, 0, 999.6, 2, "estimated 10 s per dispatch at a tenth of the measured 1 kB/s; the suite allows 2 s"},
        {5e18, 0, 0, 5e18, 2,
            "estimated 10 s per dispatch at a tenth of the measured 5e+03 PB/s; the suite allows 2 s"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct arena arena = {0};
        const struct estimate estimate = {.bytes_per_s = cases[c].bytes_per_s, .flops_per_s = cases[c].flops_per_s};
        const struct refusal *why =
            estimate_too_long(&arena, &estimate, cases[c].flops, cases[c].bytes, cases[c].longest_s);
        const char *text = why ? refusal_text(&arena, why) : "it may run";
        if (strcmp(text, cases[c].text ? cases[c].text : "it may run") != 0) fail_msg("case %zu: %s", c, text);
        arena_free(&arena);
    }
}

static void peaks_come_from_records(void **state) {
#define TIME "\"time\": {\"compute\": {\"median_ns\": 1000}}, "
#define TIMED "\"status\": \"pass\", " TIME
    struct json_object *records[] = {record(NULL, TIMED "\"cost\": {\"bytes\": 9}"), NULL,
        record("copy_bytes_per_s", TIMED "\"cost\": {\"bytes\": 3000, \"flops\": 7}"),
        record("fma_f32_flops_per_s", TIMED "\"cost\": {\"bytes\": 5, \"flops\": 8000}"),
        record("fma_f16_flops_per_s", TIMED "\"cost\": {\"bytes\": 5, \"flops\": 9000}")};
    static const struct {
        double bytes_per_s, flops_per_s;
    } known[] = {{0, 0}, {0, 0}, {0, 0}, {3e9, 0}, {3e9, 8e9}, {3e9, 8e9}};
    for (size_t count = 0; count <= 5; count++) {
        struct estimate estimate = {.bytes_per_s = 1, .flops_per_s = 1};
        estimate_learn(&estimate, records, count);
        assert_true(fabs(estimate.bytes_per_s - known[count].bytes_per_s) <= 1e-12 * known[count].bytes_per_s);
        assert_true(fabs(estimate.flops_per_s - known[count].flops_per_s) <= 1e-12 * known[count].flops_per_s);
    }
    for (size_t i = 0; i < 5; i++) json_object_put(records[i]);
}

// A copy at 1 GB/s, a cache at 2 GB/s, f32 at 1 GFLOP/s and a matrix unit at 10 GFLOP/s. Each time is 1 us, or as its
// row says.
static void a_time_below_the_floor_fails(void **state) {
    static const struct {
        const char *members, *cost;
        bool cpu, fails;
    } cases[] = {
        {"", "\"bytes\": 7900", false, false}, // 1000 bytes at 4 times 2 GB/s take 0.125 us
        {"", "\"bytes\": 8100", false, true},
        {"\"cache\": \"cold\", ", "\"bytes\": 4100", false, true}, // only memory counts
        {"\"cache\": \"cold\", ", "\"bytes\": 3900", false, false},
        {"", "\"bytes\": 31000", true, false}, // a CPU's peaks may be from a busy host
        {"", "\"bytes\": 33000", true, true},
        {"", "\"flops\": 79000, \"arithmetic\": \"fma_f32\"", false, false}, // the best peak of any type
        {"", "\"flops\": 81000, \"arithmetic\": \"fma_f32\"", false, true},
        {"", "\"flops\": 81000, \"arithmetic\": \"matrix_i8_i32\"", false, false}, // not measured
        {"", "\"flops\": 81000", false, false},
        {"\"operator\": \"any\", ", "\"bytes\": 90000", false, false}, // may stop early
        {"\"peak\": \"copy_bytes_per_s\", ", "\"bytes\": 90000", false, false},
        {"\"status\": \"skip\", ", "\"bytes\": 90000", false, false},
    };
    struct json_object *peaks[] = {record("copy_bytes_per_s", TIMED "\"cost\": {\"bytes\": 1000}"),
        record("cache_bytes_per_s", TIMED "\"cost\": {\"bytes\": 2000}"),
        record("fma_f32_flops_per_s", TIMED "\"cost\": {\"flops\": 1000}"),
        record("matrix_f16_f32_flops_per_s", TIMED "\"cost\": {\"flops\": 10000}")};
    struct estimate estimate = {0};
    estimate_learn(&estimate, peaks, 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        const char *passed = strstr(cases[i].members, "status") ? "" : "\"status\": \"pass\", ";
        struct json_object *one =
            record(NULL, arena_format(&arena, "%s" TIME "%s \"cost\": {%s}", passed, cases[i].members, cases[i].cost));
        estimate_judge(&estimate, cases[i].cpu, one);
        const char *status = json_get_string(one, "status", "");
        if ((strcmp(status, "fail") == 0) != cases[i].fails) fail_msg("case %zu: %s", i, status);
        if (cases[i].fails)
            assert_non_null(strstr(json_get_string(one, "reason", ""), "its time is not possible: 1 us for "));
        json_object_put(one);
        arena_free(&arena);
    }
    for (size_t i = 0; i < 4; i++) json_object_put(peaks[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_slower_peak_decides),
        cmocka_unit_test(peaks_come_from_records),
        cmocka_unit_test(a_time_below_the_floor_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
