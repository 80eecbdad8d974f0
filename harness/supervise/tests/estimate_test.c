// SPDX-License-Identifier: Apache-2.0
// Which dispatches are expected to take too long, by the peaks measured so far.
#include "../estimate.h"

#include "../../../reference/tests/unit.h"

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
        const struct estimate estimate = {cases[c].bytes_per_s, cases[c].flops_per_s};
        const struct refusal *why =
            estimate_too_long(&arena, &estimate, cases[c].flops, cases[c].bytes, cases[c].longest_s);
        const char *text = why ? refusal_text(&arena, why) : "it may run";
        if (strcmp(text, cases[c].text ? cases[c].text : "it may run") != 0) fail_msg("case %zu: %s", c, text);
        arena_free(&arena);
    }
}

static void peaks_come_from_records(void **state) {
#define TIMED "\"status\": \"pass\", \"time\": {\"compute\": {\"median_ns\": 1000}}, "
    struct json_object *records[] = {record(NULL, TIMED "\"cost\": {\"bytes\": 9}"), NULL,
        record("copy_bytes_per_s", TIMED "\"cost\": {\"bytes\": 3000, \"flops\": 7}"),
        record("fma_f32_flops_per_s", TIMED "\"cost\": {\"bytes\": 5, \"flops\": 8000}"),
        record("fma_f16_flops_per_s", TIMED "\"cost\": {\"bytes\": 5, \"flops\": 9000}")};
    static const struct estimate known[] = {{0, 0}, {0, 0}, {0, 0}, {3e9, 0}, {3e9, 8e9}, {3e9, 8e9}};
    for (size_t count = 0; count <= 5; count++) {
        struct estimate estimate = {1, 1};
        estimate_learn(&estimate, records, count);
        assert_true(fabs(estimate.bytes_per_s - known[count].bytes_per_s) <= 1e-12 * known[count].bytes_per_s);
        assert_true(fabs(estimate.flops_per_s - known[count].flops_per_s) <= 1e-12 * known[count].flops_per_s);
    }
    for (size_t i = 0; i < 5; i++) json_object_put(records[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_slower_peak_decides),
        cmocka_unit_test(peaks_come_from_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
