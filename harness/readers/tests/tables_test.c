// SPDX-License-Identifier: Apache-2.0
// Tests the terminal report of the fixture.
#include "../render/format.h"
#include "../render/outcomes.h"
#include "../render/render.h"

#include "render_fixture.h"
#include "../../record/refusal.h"
#include "../../record/record.h"
#include "../../device/device_info.h"
#include "expect.h"

#include <stdio.h>
#include <stdlib.h>

static char *tables(const struct result *result, int width) {
    static char *text; // owned by the caller
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    render_tables(result, out, width);
    fclose(out);
    return text;
}

static char *brief(const struct result *result, int width) {
    static char *text; // owned by the caller
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    render_brief(result, out, width);
    fclose(out);
    return text;
}

// Returns the length of the longest line of the tables. Legend and reasons are not counted, because they have any
// length.
static int widest_row(const char *text) {
    const char *end = strstr(text, "\nbest shape: ");
    int widest = 0, here = 0;
    bool heading = false;
    for (const char *c = text; c < end; c++) {
        if (here == 0) heading = strstr(c, "  size: ") && strstr(c, "  size: ") < strchr(c, '\n');
        here = *c == '\n' ? 0 : here + (((unsigned char)*c & 0xc0) != 0x80);
        if (!heading && here > widest) widest = here;
    }
    return widest;
}

static void rows_say_what_was_measured(void **state) {
    struct result result = fixture_result(1);
    char *text = tables(&result, 120);
    has(text, "Device  Test <GPU> 3000, testdrv 1.2.3");
    has(text, "copy 20.0 GB/s");
    has(text, "softmax  size: rows x cols");
    has(text, "three_pass  f32   4096x4096  256 (=128)  64: 1.21x TF  21.7 ms  ±0.4%  6.20 GB/s   "
              "31%   50%  2.1/9.7");
    has(text, "host clock");
    has(text, "throttled");
    has(text, "  4/5"); // passed shapes, shown unless all passed
    free(text);
    result_free(&result);
}

// The link's rate is 31.5 GB/s, sixteen lanes of PCI Express 4.0.
static void transfers_are_held_against_the_host_s_link(void **state) {
    struct result result = fixture_result(1);
    char *text = tables(&result, 120);
    has(text, "host to device 11.0 GB/s\n");
    assert_null(strstr(text, "host link"));
    free(text);
    result.device->link = (struct host_link){16, 16};
    text = tables(&result, 120);
    has(text, "host to device 11.0 GB/s, 35 % of the host link (PCIe 4.0 x16)\n");
    has(text, "device to host 9.00 GB/s, 29 % of the host link (PCIe 4.0 x16)\n");
    has(text, "copy 20.0 GB/s\n");
    free(text);
    result_free(&result);
}

// All commands list failures alike. Expected failures are listed, but do not make the run bad.
static void what_is_not_right_is_held_against_expectations(void **state) {
    struct result result = fixture_result(1);
    char *text = NULL;
    size_t size = 0, before;
    FILE *out = open_memstream(&text, &size);
    before = render_failures(&result, out);
    fixture_becomes(&result.records[0], RECORD_FAIL, "1 of 9 elements is wrong");
    fixture_becomes(&result.records[1], RECORD_FAIL, "2 of 9 elements are wrong");
    result.records[1].expected.status = "fail";
    assert_int_equal(render_failures(&result, out), before + 1);
    fclose(out);
    has(text, "\nFailures\n");
    has(text, "  fail, as expected  ");
    has(text, "\n    2 of 9 elements are wrong\n");
    free(text);
    result_free(&result);
}

static void failures_can_be_replayed(void **state) {
    struct result result = fixture_result(1);
    char *text = tables(&result, 100);
    has(text, "  fail  softmax.online/f32/rows=512,cols=33/wg=128x1x1\n    3 of 16896 elements: "
              "y[17] is NaN, expected 0.25\n"
              "    vkassay check 'softmax.online/f32/rows=512,cols=33/wg=128x1x1' --seed 42\n");
    has(text, "  timeout  transpose.padded/");
    has(text, "    conv2d.comp:12: 'foo' : undeclared identifier\n    conv2d.comp:13: "
              "<script>alert(1)</script> [31m\n");
    has(text, "     22  1024 invocations; the device allows 512\n         add.scalar f32, add.vec4 "
              "f32, copy.vec4 f32 and 5 more\n");
    has(text, "246 points: 218 passed, 1 failed, 1 error, 1 timeout, 25 skipped (2 reasons)\n");
    assert_null(strchr(text, '\x1b'));
    free(text);
    result_free(&result);
}

// Failures have one line for a kernel and cause, at the smallest of its points. Wrong outputs are grouped by the
// failed checks, all others by their reason.
static void failures_are_reported_once_for_each_cause(void **state) {
    struct result result = fixture_result(1);
    struct arena arena = {0};
    struct failures failures;
    size_t same[4], count = 0, before;
    for (size_t i = 0; i < result.count && count < 4; i++)
        if (strcmp(result.records[i].kernel, "softmax.three_pass") == 0 && result.records[i].status == RECORD_PASS)
            same[count++] = i;
    failures_make(&result, &arena, &failures);
    before = failures.count;
    for (size_t i = 0; i < 4; i++) {
        struct record *record = &result.records[same[i]];
        fixture_becomes(record, i < 3 ? RECORD_FAIL : RECORD_ERROR, i ? "2 of 9 are wrong" : "1 of 9 is wrong");
        record->failed = i < 3 ? CHECK_ULP : 0;
        record->bytes = i == 1 ? 10 : 20;
    }
    failures_make(&result, &arena, &failures);
    assert_int_equal(failures.count, before + 2);
    assert_int_equal(failures.points, before + 4);
    char *text = tables(&result, 100), *line;
    assert_true(asprintf(&line, "  fail  %s, and 2 more points with this cause\n    2 of 9 are wrong\n",
                    result.records[same[1]].name) > 0);
    has(text, line);
    result.records[same[2]].failed = CHECK_GUARD;
    failures_make(&result, &arena, &failures);
    assert_int_equal(failures.count, before + 3);
    free(line);
    free(text);
    arena_free(&arena);
    result_free(&result);
}

// Skips are grouped by the refusal, not by its words; refusals that differ only in figures share a line.
static void skips_are_grouped_by_what_is_refused(void **state) {
    static const struct refusal refusals[] = {{REFUSAL_BUFFER_RANGE, .words = {"operand", "x"}, .figures = {9, 8}},
        {REFUSAL_BUFFER_RANGE, .words = {"operand", "x"}, .figures = {10, 8}},
        {REFUSAL_FEATURE, .words = {"storage16"}}, {REFUSAL_FEATURE, .words = {"storage8"}}};
    struct result result = fixture_result(1);
    for (size_t i = 0; i < 4; i++) {
        fixture_becomes(&result.records[i], RECORD_SKIP, NULL);
        record_refuse(&result.arena, &result.records[i], &refusals[i]);
    }
    char *text = tables(&result, 100);
    has(text, "      2  operand x takes 9 bytes; the device allows 8 (maxStorageBufferRange), and similar cases\n");
    has(text, "      1  the device lacks the feature storage16\n");
    has(text, "      1  the device lacks the feature storage8\n");
    has(text, "29 skipped (5 reasons)\n");
    free(text);
    result_free(&result);
}

static void tables_fit(void **state) {
    struct result result = fixture_result(1);
    char *text = tables(&result, 100);
    if (widest_row(text) > 100) fail_msg("a line of %d columns in:\n%s", widest_row(text), text);
    has(text, "TILE_K=16"); // wrapped, not cut
    free(text);
    result_free(&result);
}

// Checks prose, headings and rows, with and without times. Cells without room are printed below their rows. Names of
// points and replay lines stay whole, so people can copy them.
static void eighty_columns_hold(void **state) {
    for (int timed = 0; timed < 2; timed++) {
        struct result result = fixture_result(1);
        for (size_t i = 0; i < result.count && !timed; i++)
            for (int f = 0; f < FIGURE_COUNT; f++) result.records[i].time[f] = summarize(NULL, 0);
        char *text = tables(&result, 0);
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
            int wide = 0;
            for (const char *c = line; *c != '\n'; c++) wide += ((unsigned char)*c & 0xc0) != 0x80;
            if (wide > 80 && !strstr(line, "wg=") && memcmp(line, "    ", 4) != 0)
                fail_msg("%d columns: %.*s", wide, (int)strcspn(line, "\n"), line);
        }
        if (timed) has(text, "\n    system shape 64: 1.21x TF\n");
        free(text);
        result_free(&result);
    }
}

// The end has what to act on: distance from the roof, gains, and one line for each cause.
static void the_end_says_what_to_act_on(void **state) {
    struct result result = fixture_result(1);
    char *text = tables(&result, 0);
    const char *far = strstr(text, "\nFurthest from the roof"), *gains = strstr(text, "\nRecommended changes\n"),
               *causes = strstr(text, "\nFailures by cause"), *sum = strstr(text, " passed, ");
    assert_true(far && gains && causes && sum && far < gains && gains < causes && causes < sum);
    has(text, "\nHow fast: half of ");
    has(gains, ": use ");
    has(gains, " instead of ");
    has(gains, "x faster");
    assert_null(strstr(text, "points are wider")); // at least half the intervals are narrow
    free(text);
    for (size_t i = 0; i < result.count; i++) {
        result.records[i].host_load = 0.5;
        if (record_is_timed(&result.records[i])) result.records[i].time[FIGURE_COMPUTE] = fixture_summary(9e4, 0.2, 60);
    }
    text = tables(&result, 0);
    has(text, "The host was busy (others took up to 50 % of its cores)");
    free(text);
    result_free(&result);
}

static void colours_are_only_where_they_are_asked_for(void **state) {
    struct result result = fixture_result(1);
    char *plain = tables(&result, 0);
    assert_null(strchr(plain, '\x1b'));
    colour_use(true);
    char *coloured = tables(&result, 0);
    colour_use(false);
    has(coloured, "\x1b[31mfail\x1b[0m  ");
    size_t kept = 0; // without its colours, it is the same text
    for (const char *c = coloured; *c; c++) {
        if (*c == '\x1b')
            c += strcspn(c, "m");
        else
            coloured[kept++] = *c;
    }
    coloured[kept] = '\0';
    assert_string_equal(coloured, plain);
    free(plain);
    free(coloured);
    result_free(&result);
}

static void nothing_measured_is_a_dash(void **state) {
    struct result result = fixture_result(1);
    json_object_object_del(result.context, "peaks");
    for (size_t i = 0; i < result.count; i++) {
        struct record *r = &result.records[i];
        bool first = strcmp(r->kernel, "add.scalar") == 0 && r->dims[0].value == 1025;
        for (int f = FIGURE_COMPUTE; f < FIGURE_COUNT; f++)
            if (first || f != FIGURE_COMPUTE) r->time[f] = summarize(NULL, 0);
    }
    char *text = tables(&result, 120);
    has(text, "none in this result");
    has(text, "  scalar  f32   1025      -           64: - TF            -      -          -  "
              "0.5/0.5    5/5\n");
    has(text, "  scalar  f32   1048576   256 (=128)  64: 1.21x TF  1.02 ms  ±0.4%  12.4 GB/s  0.5/0.5\n");
    assert_null(strstr(text, "peak  move"));
    free(text);
    result_free(&result);
}

static void a_system_shape_that_is_best_says_so(void **state) {
    struct result result = fixture_result(1);
    for (size_t i = 0; i < result.count; i++)
        if (result.records[i].wg[0] == 64) result.records[i].systems = "";
    char *text = tables(&result, 120);
    has(text, "256 (=128)  best TL,CF     1.02 ms");
    free(text);
    result_free(&result);
}

// Only one record of another size gives other bits. Failed or irreproducible records do not count.
static void a_check_tells_whose_bits_follow_the_shape(void **state) {
    struct result result = fixture_result(1);
    size_t changed = 0, unsteady = 0;
    for (size_t i = 0; i < result.count; i++) {
        struct record *r = &result.records[i];
        for (int f = 0; f < FIGURE_COUNT; f++) r->time[f] = summarize(NULL, 0);
        if (r->status != RECORD_PASS) r->check.output_hash += 1 + i;
        if (r->status == RECORD_PASS && !changed && strcmp(r->kernel, "softmax.three_pass") == 0)
            r->check.output_hash += ++changed;
        if (r->status == RECORD_PASS && strcmp(r->kernel, "rmsnorm.workgroup") == 0) {
            r->check.output_hash += ++unsteady;
            r->check.same_bits = false;
        }
    }
    char *text = tables(&result, 100);
    has(text, "2.1/9.7 differ in 1 of 3\n");
    has(text, "inf/9.7 equal\n");
    has(text, "have several shapes at one size, and 1");
    free(text);
    result_free(&result);
}

// The first of two outputs has the larger error, but the other comes nearer to its bound, as in adam.
static void the_error_and_the_bound_are_of_one_element(void **state) {
    struct result result = fixture_result(1);
    for (size_t i = 0; i < result.count; i++) {
        struct record *r = &result.records[i];
        if (strcmp(r->kernel, "rmsnorm.workgroup") != 0) continue;
        r->check.max_ulp = 22.7;
        r->check.worst_ulp = 0.4, r->check.bound_ulp = 0.501, r->check.worst_ratio = 0.4 / 0.501;
    }
    for (int timed = 1; timed >= 0; timed--) {
        for (size_t i = 0; !timed && i < result.count; i++)
            for (int f = 0; f < FIGURE_COUNT; f++) result.records[i].time[f] = summarize(NULL, 0);
        char *text = tables(&result, 120);
        has(text, "  0.4/0.501");
        assert_null(strstr(text, "22.7"));
        free(text);
    }
    result_free(&result);
}

static void the_validation_layer_has_a_line(void **state) {
    struct result result = fixture_result(1);
    for (size_t i = 0; i < result.count; i++)
        for (int f = 0; f < FIGURE_COUNT; f++) result.records[i].time[f] = summarize(NULL, 0);
    for (size_t i = 0; i < 4; i++) result.records[i].validated = true;
    result.records[2].validation_messages = 3;
    result.records[3].bounds_unchecked = "killed by\x1bSIGSEGV";
    char *text = tables(&result, 100);
    has(text, "validation: 3 messages over 4 points\n");
    has(text,
        "validation: 1 point ran without access checks, because the driver failed with them (killed by SIGSEGV)\n");
    free(text);
    result_free(&result);
}

static void a_check_without_times_tells_what_is_right(void **state) {
    struct result result = fixture_result(1);
    for (size_t i = 0; i < result.count; i++)
        for (int f = 0; f < FIGURE_COUNT; f++) result.records[i].time[f] = summarize(NULL, 0);
    char *text = tables(&result, 100);
    has(text, "softmax.three_pass f32      18      6     3    15     0              3 2.1/9.7 equal\n");
    has(text, "softmax.online     f32      18      6     3    14     1              3 inf/9.7 equal\n");
    has(text, "shapes sizes right wrong errors skipped");
    assert_null(strstr(text, "validation:"));
    free(text);
    result_free(&result);
}

// A footnote is beside its figure, and only footnotes in use are explained below the table.
static void figures_bear_their_footnotes(void **state) {
    static const char sampled[] = "° error found in a part of the outputs (as few as 65536 of 16777216 judged)\n";
    struct result result = fixture_result(1);
    char *text = tables(&result, 100);
    has(text, "\n† shorter than three empty dispatches (as little as 1.");
    has(text,
        "\n§ host clock (no timestamps)\n! throttled: the device ran slower than before (the reference kernel took "
        "1.00 of its median)\n");
    assert_null(strstr(text, "°"));
    assert_null(strstr(text, "‡"));
    assert_null(strstr(text, "~"));
    assert_null(strstr(text, "  checked"));
    free(text);
    for (size_t i = 0; i < result.count; i++)
        if (strcmp(result.records[i].kernel, "softmax.three_pass") == 0 && result.records[i].dims[0].value == 4096) {
            result.records[i].check.checked = 65536;
            result.records[i].time[FIGURE_COMPUTE].samples = 4;
        }
    text = tables(&result, 120);
    has(text, "21.7 ms‡ ");
    has(text, "2.1/9.7°\n");
    has(text, sampled);
    has(text, "‡ five samples or fewer, too few for a 95 % interval (as few as 4)\n");
    free(text);
    for (size_t i = 0; i < result.count; i++)
        for (int f = 0; f < FIGURE_COUNT; f++) result.records[i].time[f] = summarize(NULL, 0);
    text = tables(&result, 100); // a check without timing
    has(text, " 2.1/9.7° equal\n");
    has(text, sampled);
    assert_null(strstr(text, "‡"));
    free(text);
    result_free(&result);
}

static void an_empty_result_is_no_fault(void **state) {
    struct result result = {.context = fixture_context(), .device = &(struct device_info){0}};
    char *text = tables(&result, 100);
    has(text, "0 points: 0 passed, 0 failed, 0 skipped\n");
    free(text);
    result_free(&result);
}

static size_t lines(const char *text) {
    size_t count = 0;
    for (; *text; text++) count += *text == '\n';
    return count;
}

// The suite quick has tables of 2000 lines. The families' points add up to the summary's.
// A device without matrix units has no line of dashes for them.
static void only_measured_peaks_are_listed(void **state) {
    struct result result = fixture_result(1);
    json_put(json_get(result.context, "peaks"), "matrix_f16_f32_flops_per_s", NULL);
    char *text = tables(&result, 80);
    has(text, "Measured peaks\n  copy ");
    assert_null(strstr(text, "matrix f16 f32"));
    free(text);
    result_free(&result);
}

static void many_cases_are_a_line_a_family(void **state) {
    struct result result;
    struct error err = {0};
    size_t points = 0;
    if (!result_read("reports/examples/nvidia-h200/quick.json", &result, &err)) fail_msg("%s", err.text);
    char *text = brief(&result, 80);
    assert_true(lines(text) <= 80);
    has(text, "Furthest from the roof");
    has(text, "points: "); // the summary
    const char *at = strstr(text, "  family "), *end = strstr(text, "of the roof: ");
    assert_true(at && at < end);
    for (size_t count; at < end; at = strchr(at, '\n') + 1)
        if (sscanf(at, " %*s %*u %zu", &count) == 1) points += count;
    assert_int_equal(points, result.count);
    free(text);
    result_free(&result);
}

static void few_cases_are_shown_whole(void **state) {
    struct result result = fixture_result(1);
    char *whole = tables(&result, 120), *text = brief(&result, 120);
    assert_string_equal(text, whole);
    free(whole);
    free(text);
    result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_measured_peaks_are_listed),
        cmocka_unit_test(many_cases_are_a_line_a_family),
        cmocka_unit_test(few_cases_are_shown_whole),
        cmocka_unit_test(rows_say_what_was_measured),
        cmocka_unit_test(transfers_are_held_against_the_host_s_link),
        cmocka_unit_test(failures_can_be_replayed),
        cmocka_unit_test(what_is_not_right_is_held_against_expectations),
        cmocka_unit_test(failures_are_reported_once_for_each_cause),
        cmocka_unit_test(skips_are_grouped_by_what_is_refused),
        cmocka_unit_test(tables_fit),
        cmocka_unit_test(eighty_columns_hold),
        cmocka_unit_test(the_end_says_what_to_act_on),
        cmocka_unit_test(colours_are_only_where_they_are_asked_for),
        cmocka_unit_test(nothing_measured_is_a_dash),
        cmocka_unit_test(a_system_shape_that_is_best_says_so),
        cmocka_unit_test(a_check_without_times_tells_what_is_right),
        cmocka_unit_test(a_check_tells_whose_bits_follow_the_shape),
        cmocka_unit_test(the_error_and_the_bound_are_of_one_element),
        cmocka_unit_test(the_validation_layer_has_a_line),
        cmocka_unit_test(figures_bear_their_footnotes),
        cmocka_unit_test(an_empty_result_is_no_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
