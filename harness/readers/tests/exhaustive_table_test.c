// SPDX-License-Identifier: Apache-2.0
// Tests the table of exhaustive checks, on a terminal and as markdown, against texts written by hand.
#include "../../base/file.h"
#include "../render/render.h"
#include "../terminal/exhaustive_table.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../device/device_info.h"
#include "expect.h"

#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct record swept(const char *kernel, const char *dtype, int bits) {
    return (struct record){.kernel = kernel,
        .dtype = dtype,
        .status = RECORD_PASS,
        .check = {.max_ulp = 3.5,
            .bound_ulp = 8,
            .worst_ratio = 0.25,
            .worst_index = 5,
            .got = 2.25,
            .want = 2,
            .inputs = {{"x", 1.5}},
            .input_count = 1,
            .checked = 100},
        .exhaustive = {.bits = bits, .last = 99, .inputs = 100, .argument = 0xbeef, .ulp = 2, .inputs_per_s = 72.5e6}};
}

static struct record records[5];

static struct result made_result(void) {
    records[0] = swept("exp.a", "f32", 32);
    records[0].exhaustive.inputs = (int64_t)1 << 32;
    records[0].check.excluded = (int64_t)1 << 30;
    records[1] = swept("log.a", "f16", 16);
    records[1].status = RECORD_FAIL;
    records[1].exhaustive.ulp = NAN; // NaN instead of a number
    records[2] = (struct record){.kernel = "relu.a", .dtype = "f32", .status = RECORD_PASS};
    records[3] = swept("a|b\x1b[31m", "f16", 32);
    records[3].exhaustive.argument = 0x40003c00;
    records[3].check.inputs[1] = (struct named_number){"b", 2};
    records[3].check.inputs[0].value = 1;
    records[3].check.input_count = 2;
    records[4] = swept("sin.none", "f32", 32); // all inputs were excluded
    records[4].check.worst_index = -1;
    records[4].check.input_count = 0;
    static struct device_info device = {.name = "A Device", .driver_name = "d"};
    struct result result = {.records = records, .count = 5, .device = &device};
    return result;
}

enum form { PLAIN, MARKDOWN, HTML };

static char *table(const struct result *result, enum form form) {
    struct arena arena = {0};
    struct table table;
    struct text text = {0};
    char *printed = NULL;
    size_t length;
    FILE *out = open_memstream(&printed, &length);
    exhaustive_table(result, &arena, form == PLAIN ? ON_TERMINAL : ON_PAGE, &table);
    if (form == PLAIN) table_print(&table, out, TABLE_ANY_WIDTH);
    if (form == MARKDOWN) put_table_markdown(&text, &table, SIZE_MAX);
    if (form == HTML) put_table_html(&text, &table, "every input");
    fputs(text_str(&text), out);
    fclose(out);
    text_free(&text);
    arena_free(&arena);
    return printed;
}

static void markdown_says_everything(void **state) {
    struct result result = made_result();
    char *text = table(&result, MARKDOWN);
    assert_int_equal(inputs_count(&result), 4);
    has(text, "| kernel | type | inputs | left out | worst ULP | bound | argument | its value | got | want |");
    has(text, "| exp.a | f32 | 2^32 | 25% | 2 | 8 | 0x0000beef | 1.5 | 2.25 | 2 | 3.5 | 72.5 M/s | pass |\n");
    has(text, "| log.a | f16 | 100 | 0 | another class | 8 | 0xbeef | 1.5 | 2.25 | 2 | 3.5 | 72.5 M/s | fail |\n");
    has(text, "| a\\|b \\[31m | f16 | 100 | 0 | 2 | 8 | 0x3c00 0x4000 | 1, 2 |");
    has(text, "| sin.none | f32 | 100 | 0 | - | - | - | - | - | - |");
    assert_null(strstr(text, "relu"));
    free(text);
}

static void a_terminal_gets_aligned_columns(void **state) {
    struct result result = made_result();
    char *text = table(&result, PLAIN), *rest = text;
    has(text, "0x0000beef");
    has(text, "0x3c00 0x4000");
    assert_null(strchr(text, '\x1b'));
    for (const char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        assert_true(strlen(line) >= 80 && line[strlen(line) - 1] != ' ');
    free(text);
}

static void the_page_escapes_what_a_file_holds(void **state) {
    struct result result = made_result();
    records[3].kernel = "a<b>&";
    char *text = table(&result, HTML);
    has(text, "<tr><td>a&lt;b&gt;&amp;</td><td>f16</td><td class=right>100</td>");
    has(text, "<td>0x0000beef</td>");
    free(text);
}

static void without_sweeps_there_is_nothing(void **state) {
    struct result result = made_result();
    struct error err;
    bool written = true;
    result.records = &records[2];
    result.count = 1;
    assert_int_equal(inputs_count(&result), 0);
    assert_true(render_exhaustive(&result, "/no/such/folder", &written, &err));
    assert_false(written);
}

static void the_file_names_the_device(void **state) {
    struct result result = made_result();
    struct error err;
    struct arena arena = {0};
    char folder[] = "/tmp/vkassay-sweeps-XXXXXX", path[80];
    bool written = false;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/exhaustive.md", folder);
    if (!render_exhaustive(&result, folder, &written, &err)) fail_msg("%s", err.text);
    assert_true(written);
    char *text = file_read(&arena, path, NULL, &err);
    assert_non_null(text);
    has(text, "A Device");
    has(text, "| exp.a | f32 |");
    arena_free(&arena);
    unlink(path);
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markdown_says_everything),
        cmocka_unit_test(a_terminal_gets_aligned_columns),
        cmocka_unit_test(the_page_escapes_what_a_file_holds),
        cmocka_unit_test(without_sweeps_there_is_nothing),
        cmocka_unit_test(the_file_names_the_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
