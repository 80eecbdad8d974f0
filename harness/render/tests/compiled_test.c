// SPDX-License-Identifier: Apache-2.0
// The table of machine code: figures under common names, pipelines of several devices side by side.
#include "../../base/file.h"
#include "../../record/machine_code.h"
#include "../render.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct named_number radv[] = {{"VGPRs", 36}, {"SGPRs", 108}, {"Spilled SGPRs", 2}, {"Spilled VGPRs", 5},
    {"Scratch size", 64}, {"LDS size", 2048}, {"Code size", 5792}, {"Subgroups per SIMD", 32},
    {"Inverse Throughput", 918}};
static struct named_number anv[] = {{"Max live registers", 196}, {"Spill Count", 820}, {"Scratch Memory Size", 8192},
    {"Workgroup Memory Size", 1028}, {"Cycle Count", 73032}};
static struct named_number turnip[] = {
    {"Registers used", 12}, {"STP Count", 3}, {"Max Waves Per Core", 8}, {"Code size", 2016}};
static struct named_number nvk[] = {{"Number of GPRs", 48}, {"Spills to memory", 0}, {"Spills to reg", 23},
    {"SLM size", 16}, {"Max warps/SM", 40}, {"Static cycle count", 24283}, {"Code size", 19104}};
static struct named_number nvidia[] = {{"Register Count", 64}, {"Binary Size", 768}, {"Stack Size", 8},
    {"Shared Memory Size", 512}, {"Local Memory Size", 68719476736.0 + 24}};

static struct record record(const char *kernel, const char *name, struct named_number *code, int count) {
    return (struct record){.name = name,
        .kernel = kernel,
        .operator= "relu",
        .dtype = "f32",
        .status = RECORD_COMPILED,
        .code = code,
        .code_count = count};
}
#define RECORD(kernel, name, code) record(kernel, name, code, sizeof code / sizeof *code)

static void figures_have_one_name_for_all_drivers(void **state) {
    (void)state;
    const struct {
        struct record record;
        double figures[CODE_FIGURES]; // -1: not reported
    } cases[] = {
        {RECORD("a", "a", radv), {36, 7, 64, 2048, 5792, 32, 918}},
        {RECORD("a", "a", anv), {196, 820, 8192, 1028, -1, -1, 73032}},
        {RECORD("a", "a", turnip), {12, 3, -1, -1, 2016, 8, -1}},
        {RECORD("a", "a", nvk), {48, 0, 16, -1, 19104, 40, 24283}},
        {RECORD("a", "a", nvidia), {64, 24, 8, 512, 768, -1, -1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int f = 0; f < CODE_FIGURES; f++) {
            const double got = code_figure(&cases[i].record, (enum code_figure)f);
            if (cases[i].figures[f] < 0 ? !isnan(got) : got != cases[i].figures[f])
                fail_msg("case %zu, %s: got %g, want %g", i, code_figure_titles[f], got, cases[i].figures[f]);
        }
}

// Returns what is printed, until the next call.
static const char *print(const struct result *results, size_t count, size_t most, size_t *failed) {
    static char text[1 << 14];
    memset(text, 0, sizeof text);
    FILE *out = fmemopen(text, sizeof text, "w");
    *failed = render_compiled(results, count, most, out, 200);
    fclose(out);
    return text;
}

static void has(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("\"%s\" is not in:\n%s", part, text);
}

static struct result result_of(const char *name, struct record *records, size_t count) {
    struct result result = {.records = records, .count = count};
    snprintf(result.device.name, sizeof result.device.name, "%s", name);
    return result;
}

static void one_device_has_a_row_for_each_pipeline_that_spills(void **state) {
    (void)state;
    struct record records[] = {RECORD("calm.one", "calm.one/f32/n=1/wg=64x1x1", nvk),
        RECORD("few.one", "few.one/f32/n=1/wg=64x1x1", turnip), RECORD("many.one", "many.one/f32/n=1/wg=8x8x1", anv)};
    struct result result = result_of("card", records, 3);
    size_t failed;
    const char *text = print(&result, 1, 0, &failed);
    assert_int_equal(failed, 0);
    assert_null(strstr(text, "calm.one"));
    has(text, "registers");
    has(text, "3 pipelines compiled, 2 spill registers, 0 skipped, 0 failed");
    assert_true(strstr(text, "many.one") < strstr(text, "few.one"));
    text = print(&result, 1, 1, &failed);
    has(text, "1 more pipelines spill");
}

// Equal pipelines of two devices are one row, whatever sizes their points have.
static void devices_stand_side_by_side(void **state) {
    (void)state;
    struct record first[] = {RECORD("k.one", "k.one/f32/n=1/wg=64x1x1", turnip)};
    struct record second[] = {RECORD("k.one", "k.one/f32/n=9/wg=64x1x1", anv),
        {.name = "l.one/f32/n=1/wg=64x1x1", .kernel = "l.one", .dtype = "f32", .status = RECORD_SKIP, .reason = "no"},
        {.name = "m.one/f32/n=1/wg=64x1x1", .kernel = "m.one", .dtype = "f32", .status = RECORD_ERROR, .reason = "no"}};
    first[0].case_length = strlen("k.one/f32/n=1"), second[0].case_length = strlen("k.one/f32/n=9");
    const struct result results[] = {result_of("one", first, 1), result_of("two", second, 3)};
    size_t failed;
    const char *text = print(results, 2, 0, &failed);
    assert_int_equal(failed, 1);
    const char *row = strstr(text, "k.one");
    assert_non_null(row);
    assert_null(strstr(row + 1, "k.one"));
    has(text, "2. two (");
    assert_non_null(strstr(row, "820"));
    assert_true(strchr(row, '3') && strchr(row, '3') < strstr(row, "820"));
    char path[] = "/tmp/vkassay-compiled-XXXXXX";
    struct error err;
    close(mkstemp(path));
    assert_true(render_compiled_markdown(results, 2, path, &err));
    struct text page = {0};
    FILE *in = fopen(path, "r");
    for (int c; (c = getc(in)) != EOF;) text_append_n(&page, (char[]){(char)c}, 1);
    fclose(in);
    unlink(path);
    has(text_str(&page), "| l.one");
    has(text_str(&page), "skip");
    has(text_str(&page), "error");
    text_free(&page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_have_one_name_for_all_drivers),
        cmocka_unit_test(one_device_has_a_row_for_each_pipeline_that_spills),
        cmocka_unit_test(devices_stand_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
