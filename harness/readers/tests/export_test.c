// SPDX-License-Identifier: Apache-2.0
// Tests the exports of a made-up result against texts written by hand, the schemas, and independent readers of each
// format. The readers are in export_check.py; they share no code with the program.
#include "../../base/file.h"
#include "../../base/tests/needs.h"
#include "../exports/export.h"

#include "render_fixture.h"
#include "../../record/record.h"
#include "../../record/wall.h"
#include "../../record/terms.h"
#include "../../device/device_info.h"
#include "../../../reference/tests/unit.h"

#include <stdlib.h>
#include <unistd.h>

// Characters special to any of the formats: delimiters, line ends, control characters, characters forbidden in XML.
#define HOSTILE "a\"b,c;|d`<e>&'\r\nf\x01\x1b[31m\tg\xef\xbf\xbe]]>\xc3\xa9 -->"

static const struct export_format *const result_formats[] = {RESULT_FORMATS(ADDRESS_OF_FORMAT) NULL};
static double samples[][3] = {{30, 10, 20}, {5, 5, 8}};

// Each combination of status and expectation, with its form in JUnit and in a report.
static const struct {
    enum record_status status;
    const char *expected;
    bool flaky;
    const char *junit, *markdown;
} outcomes[] = {
    {RECORD_FAIL, "fail", false, "<skipped message=\"fail, as expected: 4 of 9 elements are wrong\">",
        "**fail, as expected** "},
    {RECORD_FAIL, "flake", false, "<skipped message=\"fail, a known flake: 4 of 9 ", "**fail, a known flake** "},
    {RECORD_PASS, "crash", false,
        "<failure type=\"unexpected-pass\" message=\"pass where crash is expected: see &lt;issue&gt; 12\">",
        "**pass where crash is expected** "},
    {RECORD_FAIL, NULL, true, "<failure type=\"fail\" message=\"flaky fail (fail, pass): 4 of 9 ",
        "**flaky fail (fail, pass)** "},
    {RECORD_FAIL, "fail", true,
        "<failure type=\"unexpected-pass\" message=\"flaky fail (fail, pass) where fail is expected: 4 of 9 ",
        "**flaky fail (fail, pass) where fail is expected** "},
    {RECORD_CRASH, "fail", false, "<error type=\"crash\" message=\"crash where fail is expected: 4 of 9 ",
        "**crash where fail is expected** "},
    {RECORD_PASS, "flake", false, NULL, NULL},
};
enum { OUTCOMES = sizeof outcomes / sizeof *outcomes };

static void take_samples(struct record *r, double *values, size_t count) {
    r->time[FIGURE_COMPUTE] = summarize(values, count);
    r->samples[FIGURE_COMPUTE] = values;
}

static struct result made_result(void) {
    struct result result = fixture_result(1);
    take_samples(&result.records[0], samples[0], 3);
    take_samples(&result.records[1], samples[1], 3);
    take_samples(&result.records[2], samples[0], 1);
    for (size_t i = 0; i < result.count; i++) result.records[i].wall.ns[WALL_COMPUTE] = (int64_t)i * 1234567;
    struct record *wrong = &result.records[3];
    fixture_becomes(wrong, RECORD_FAIL, "1 of 1025 elements is wrong: " HOSTILE);
    wrong->name = "add.scalar/f32/" HOSTILE;
    wrong->case_length = strlen("add.scalar/f32");
    wrong->check.failures = 1;
    wrong->check.worst_index = 7;
    wrong->check.worst_operand = "y";
    wrong->check.max_ulp = 31;
    wrong->check.worst_ulp = 2;
    wrong->check.worst_ratio = 4;
    wrong->check.bound_ulp = 0.5;
    wrong->check.got = NAN;
    wrong->check.want = 0.25;
    wrong->check.inputs[0] = (struct named_number){"a", -INFINITY};
    wrong->check.inputs[1] = (struct named_number){"b", 0.1};
    wrong->check.input_count = 2;
    result.records[2].memory_used = 4100;
    result.records[2].memory_peak = 8200;
    for (size_t i = 0; i < OUTCOMES; i++) {
        struct record *r = &result.records[10 + i];
        if (outcomes[i].status != RECORD_PASS) fixture_becomes(r, outcomes[i].status, "4 of 9 elements are wrong");
        r->expected.status = outcomes[i].expected;
        r->expected.reason = outcomes[i].expected ? "see <issue> 12" : NULL;
        if (outcomes[i].flaky)
            memcpy(&r->attempts, &(struct record){.attempts = {{RECORD_FAIL, RECORD_PASS}, 2, true}}.attempts,
                sizeof r->attempts);
    }
    return result;
}

static char *exported(const char *name, const struct result *results, size_t count) {
    struct text text = {0};
    struct error err = {0};
    const struct export_format *format = export_named(result_formats, name, &err);
    assert_non_null(format);
    if (!export_put(&text, format, results, count, NULL, &err)) fail_msg("%s", err.text);
    char *copy = strdup(text_str(&text));
    text_free(&text);
    return copy;
}

static void has(const char *text, const char *fragment) {
    if (!strstr(text, fragment)) fail_msg("\"%s\" is not in:\n%.3000s", fragment, text);
}

// Returns how many schemas refuse FOLDER/out.junit: our own, Jenkins' and Ant's.
static int junit_faults(const char *folder) {
    static const char *const schemas[] = {
        "reports/schema/junit.xsd", "harness/readers/tests/junit_jenkins.xsd", "harness/readers/tests/junit_ant.xsd"};
    char command[300];
    int faults = 0;
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        snprintf(command, sizeof command, "xmllint --noout --schema %s %s/out.junit 2>&1", schemas[i], folder);
        faults += system(command) != 0;
    }
    return faults;
}

static void assert_read(bool distinct) {
    const char *python = needs_python("csv json");
    needs_program("xmllint");
    char folder[] = "/tmp/vkassay-export-XXXXXX", path[100], command[300];
    struct error err = {0};
    assert_non_null(mkdtemp(folder));
    struct result made = made_result(), result;
    if (distinct) fixture_distinct(&made);
    snprintf(path, sizeof path, "%s/result.json", folder);
    fixture_write(path, &made);
    if (!result_read(path, &result, &err)) fail_msg("%s", err.text); // read as the command reads it
    struct json_object *context = fixture_context();
    json_put(result.context, "peaks", json_object_get(json_get(context, "peaks"))); // no record measured them
    json_object_put(context);
    for (size_t i = 0; result_formats[i]; i++) {
        snprintf(path, sizeof path, "%s/out.%s", folder, result_formats[i]->name);
        if (!export_write(path, result_formats[i], &result, 1, &err)) fail_msg("%s", err.text);
    }
    int read = python_run(python, "harness/readers/tests/export_check.py", folder), valid = junit_faults(folder);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    result_free(&result);
    result_free(&made);
    assert_int_equal(read, 0);
    assert_int_equal(valid, 0);
}

static void readers_of_each_form_find_the_same_figures(void **state) {
    assert_read(false);
}

// No figure can stand for another one, because no two are equal.
static void readers_of_each_form_find_distinct_figures(void **state) {
    assert_read(true);
}

static void junit_says_what_is_wrong_and_how_to_see_it(void **state) {
    struct result results[2] = {made_result(), made_result()};
    char *text = exported("junit", results, 2);
    has(text, "<testsuite name=\"quick on Test &lt;GPU&gt; 3000\" id=\"0\" package=\"vkassay\" hostname=\"localhost\" "
              "timestamp=\"2026-01-02T03:04:05\" tests=\"");
    has(text, "<testsuite name=\"quick on Test &lt;GPU&gt; 3000\" id=\"1\"");
    has(text, "<testcase name=\"add.scalar/f32/n=1025/wg=64x1x1\" classname=\"add.scalar\" time=\"0.001\"/>");
    has(text, "name=\"add.scalar/f32/a&quot;b,c;|d`&lt;e&gt;&amp;'&#10;f[31m&#9;g]]&gt;\xc3\xa9 --&gt;\"");
    has(text, "worst element: y[7]\ninputs: a = -inf, b = 0.1\ngot: nan\nwant: 0.25\nerror: 2 ULP\nbound: 0.5 ULP\n"
              "replay: vkassay check 'add.scalar/f32/n=1025/wg=256x1x1' --seed 42\n</failure>");
    has(text, "<skipped message=\"1024 invocations; the device allows 512\"></skipped>");
    has(text, "<error type=\"timeout\" message=\"no answer within 60 s\">no answer within 60 s\nreplay: ");
    free(text);
    result_free(&results[0]);
    result_free(&results[1]);
}

// Useless values in the context still give a valid file.
static void junit_of_a_bare_context(void **state) {
    static const char *const started[] = {"yesterday", "2026-01-02T03:04:05Z\" x=\"", "9999-99-99T99:99:99Z"};
    for (size_t i = 0; i < 3; i++) {
        struct result result = {.context = json_object_new_object(), .device = &(struct device_info){0}};
        struct json_object *run = json_object_new_object();
        json_put_string(run, "started", started[i]);
        json_put_double(run, "wall_s", -3);
        json_put(result.context, "run", run);
        char *text = exported("junit", &result, 1);
        has(text, i == 1 ? "timestamp=\"2026-01-02T03:04:05\"" : "timestamp=\"1970-01-01T00:00:00\"");
        has(text, "tests=\"0\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0.000\">");
        free(text);
        result_free(&result);
    }
}

static void csv_has_a_cell_for_every_figure(void **state) {
    struct result result = made_result();
    result.count = 4;
    result.records[0].check.excluded = 7;
    result.records[0].check.worst_ratio = 0.25;
    char *text = exported("csv", &result, 1);
    has(text, ",0.5,0.5,0.5,0.25,0.4,0.1,1e-15,1025,1025,7,0,true,");
    has(text, "device,driver,suite,seed,name,operator,kernel,dtype,status,reason,expected,flaky,replay,default,systems,"
              "peak,dims.n,"
              "shape.wg_x,shape.wg_y,shape.wg_z,max_ulp,");
    has(text,
        "\r\nTest <GPU> 3000,testdrv 1.2.3,quick,42,add.scalar/f32/n=1025/wg=32x1x1,add,add.scalar,f32,pass,,,false,"
        "vkassay check 'add.scalar/f32/n=1025/wg=32x1x1' --seed 42,false,,,1025,32,1,1,0.5,0.5,0.5,0.25,");
    has(text, ",\"add.scalar/f32/a\"\"b,c;|d`<e>&'  f  [31m g\xef\xbf\xbe]]>\xc3\xa9 -->\",add,");
    has(text, ",y,7,nan,0.25,,,,,,,"); // a point without times has empty cells
    has(text, ",a=-inf b=0.1,false,,,,,");
    free(text);
    result_free(&result);
}

// The README must explain each fixed column, and the pattern of each other column.
static void csv_columns_are_documented(void **state) {
    struct arena arena = {0};
    struct error err = {0};
    struct result none = {.context = json_object_new_object(), .device = &(struct device_info){0}};
    char *text = exported("csv", &none, 1), *rest = NULL, name[80];
    char *readme = file_read(&arena, "reports/README.md", NULL, &err);
    assert_non_null(readme);
    text[strcspn(text, "\r")] = '\0';
    for (char *column = strtok_r(text, ",", &rest); column; column = strtok_r(NULL, ",", &rest)) {
        snprintf(name, sizeof name, "`%s`", column);
        for (int f = 0; !strstr(readme, name) && f < FIGURE_COUNT; f++) {
            const char *figure = figure_name((enum figure)f);
            size_t length = strlen(figure);
            if (strncmp(column, figure, length) == 0 && column[length] == '_')
                snprintf(name, sizeof name, "`*%s`", column + length);
        }
        if (!strstr(readme, name)) fail_msg("reports/README.md does not explain %s", name);
    }
    free(text);
    arena_free(&arena);
    result_free(&none);
}

static void markdown_is_escaped_and_replayable(void **state) {
    struct result result = made_result();
    char *text = exported("markdown", &result, 1);
    has(text, "## Test \\<GPU\\> 3000\n\ntestdrv 1.2.3, suite quick, seed 42, started 2026-01-02T03:04:05Z\n");
    has(text, "\n### add: n\n\n| kernel | type | size | best shape |");
    has(text, "\n### Not right\n\n**fail** add.scalar/f32/a\"b,c;\\|d\\`\\<e\\>\\&'");
    has(text, "\n\n    vkassay check 'add.scalar/f32/n=1025/wg=256x1x1' --seed 42\n");
    has(text, "| points | reason | kernels |\n|---:|---|---|\n");
    has(text, " | right | errors |\n"); // points that could not run do not count as wrong
    has(text, " us† | ±");
    has(text, "\n† shorter than three empty dispatches (as little as ");
    assert_null(strchr(text, '\x1b'));
    free(text);
    result_free(&result);
}

static void forms_tell_what_was_expected(void **state) {
    struct result result = made_result();
    char *junit = exported("junit", &result, 1), *markdown = exported("markdown", &result, 1);
    for (size_t i = 0; i < OUTCOMES; i++) {
        if (outcomes[i].junit) has(junit, outcomes[i].junit);
        if (outcomes[i].markdown) has(markdown, outcomes[i].markdown);
    }
    has(markdown, "; 2 expected failures; 1 passed unexpectedly; 2 flaky\n");
    free(junit);
    free(markdown);
    result_free(&result);
}

static void formats_are_named(void **state) {
    struct error err = {0};
    struct result results[2] = {made_result(), made_result()};
    struct text text = {0};
    assert_null(export_named(result_formats, "jnit", &err));
    assert_int_equal(err.status, STATUS_USAGE);
    has(err.text, "did you mean 'junit'");
    assert_null(export_named(result_formats, "parquet-files", &err));
    has(err.text, "there are junit, csv, markdown, summary, annotations");
    assert_null(export_named(result_formats, "prometheus", &err));
    assert_int_equal(err.status, STATUS_USAGE);
    has(err.text, "a script writes the format openmetrics: `exports.py openmetrics RESULT`");
    text_free(&text);
    result_free(&results[0]);
    result_free(&results[1]);
}

// More records than one batch of lines; the lines must keep their order.
static void csv_lines_stand_in_the_order_of_the_records(void **state) {
    enum { MANY = 2500 };
    static struct record records[MANY];
    static char names[MANY][20];
    struct result result = fixture_result(1), many = result;
    for (size_t i = 0; i < MANY; i++) {
        records[i] = result.records[i * 7 % result.count];
        snprintf(names[i], sizeof names[i], i ? "point-%zu" : "=point-%zu", i);
        records[i].name = names[i];
    }
    many.records = records;
    many.count = MANY;
    char *text = exported("csv", &many, 1), *line = strstr(text, "\r\n");
    for (size_t i = 0; i < MANY; i++) {
        char cell[30], *end = strstr(line + 2, "\r\n");
        snprintf(cell, sizeof cell, i ? ",point-%zu," : ",'=point-%zu,", i); // no formula for a spreadsheet
        assert_non_null(end);
        *end = '\0';
        if (!strstr(line + 2, cell)) fail_msg("line %zu: %s", i, line + 2);
        line = end;
    }
    assert_string_equal(line + 2, "");
    result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_of_each_form_find_the_same_figures),
        cmocka_unit_test(readers_of_each_form_find_distinct_figures),
        cmocka_unit_test(junit_says_what_is_wrong_and_how_to_see_it),
        cmocka_unit_test(junit_of_a_bare_context),
        cmocka_unit_test(csv_has_a_cell_for_every_figure),
        cmocka_unit_test(csv_columns_are_documented),
        cmocka_unit_test(csv_lines_stand_in_the_order_of_the_records),
        cmocka_unit_test(markdown_is_escaped_and_replayable),
        cmocka_unit_test(forms_tell_what_was_expected),
        cmocka_unit_test(formats_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
