// SPDX-License-Identifier: Apache-2.0
// Compares the fixture with a changed copy.
#include "../../base/file.h"
#include "../../base/tests/needs.h"
#include "../render/format.h"
#include "../terminal/comparison.h"

#include "render_fixture.h"
#include "../../record/record.h"
#include "expect.h"

#include <unistd.h>

static struct result base, new;
static struct comparison comparison;
static const struct compare_interleaved interleaved = {.points.count = 3, .left = 1, .why = "a test"};
static const struct comparison_view view = {&comparison, "compare", "base.json", "new.json", false, &interleaved};

static struct record *passed(struct result *result, size_t nth) {
    for (size_t i = 0; i < result->count; i++)
        if (result->records[i].status == RECORD_PASS && !nth--) return &result->records[i];
    return NULL;
}

static int setup(void **state) {
    const struct compare_rules rules = COMPARE_RULES;
    struct error err;
    base = fixture_result(1);
    new = fixture_result(1);
    scale(passed(&new, 0), 1.25);
    scale(passed(&new, 3), 0.5);
    struct record *broken = passed(&new, 5);
    fixture_becomes(broken, RECORD_CRASH, "killed | by <b>signal</b>\x1b[2J\n2");
    return compare_results(&base, &new, &rules, &comparison, &err) ? 0 : -1;
}

static int teardown(void **state) {
    comparison_free(&comparison);
    result_free(&base);
    result_free(&new);
    return 0;
}

static char *text_of(void (*render)(FILE *out)) {
    static char text[200000];
    FILE *file = tmpfile();
    assert_non_null(file);
    render(file);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void plain(FILE *out) {
    render_comparison(&view, out);
}

static void markdown(FILE *out) {
    render_comparison_markdown(&view, out);
}

static void on_a_terminal(void **state) {
    char *text = text_of(plain);
    has(text, "Test <GPU> 3000, testdrv 1.2.3\nbase base.json: suite quick, seed 42");
    has(text, "\n3 points measured again, interleaved with the baseline's kernels\n");
    has(text, "\nRatios of interleaved times are medians of pairs; those of the medians may differ\n");
    has(text, "\n1 slower, faster, undecided or changed point not measured again: a test\n");
    has(text, "\nThis run could not see a slow-down of less than 4 % (median of ");
    has(text, "1.250x");
    has(text, "0.500x");
    has(text, "crash: killed | by <b>signal</b> [2J");
    assert_null(strchr(text, '\x1b'));
    const char *wrong = strstr(text, "\n  wrong "), *slower = strstr(text, "\n  slower "),
               *faster = strstr(text, "\n  faster ");
    assert_true(wrong && wrong < slower && slower < faster);
    has(text, "\nvkassay check 'softmax.online/f32/rows=512,cols=33/wg=128x1x1' --seed 42\n");
    char *last = strrchr(text, '\n');
    assert_string_equal(last, "\n");
    *last = '\0';
    // 4 points of the fixture fail in both: one wrong, one with an error, one timed out, and one broken by the test.
    char line[200];
    snprintf(line, sizeof line,
        "\ncompare: a result is wrong: %zu wrong, 1 slower, 0 ambiguous, 1 faster, %zu same of %zu points "
        "against base.json",
        comparison.verdicts[VERDICT_WRONG], comparison.verdicts[VERDICT_SAME], comparison.count);
    assert_string_equal(strrchr(text, '\n'), line);
    assert_int_equal(comparison.verdicts[VERDICT_WRONG], 4);
}

static void as_markdown(void **state) {
    char *text = text_of(markdown);
    has(text, "### vkassay: a result is wrong\n");
    has(text, "\n| verdict | ratio |");
    has(text, "\n| slower | 1.250x | 1.243 to 1.257 |  | 5.68 us† | 7.11 us | add.scalar/f32/n=1025/wg=32x1x1 |");
    has(text, "killed \\| by \\<b\\>signal\\</b\\> \\[2J 2 |");
    has(text, "\n† shorter than three empty dispatches (as little as ");
    assert_null(strstr(text, "ambiguous: neither"));
    has(text, "| activation |");
    has(text, "    vkassay check 'softmax.online/f32/rows=512,cols=33/wg=128x1x1' --seed 42\n");
    assert_null(strstr(text, "<b>"));
    assert_null(strchr(text, '\x1b'));
}

static void ambiguous(FILE *out) {
    struct result noisy = fixture_result(1);
    struct comparison of;
    const struct comparison_view shown = {&of, "compare", "base.json", "new.json", false, 0};
    const struct compare_rules rules = COMPARE_RULES;
    struct error err;
    struct summary *time = &passed(&noisy, 2)->time[FIGURE_COMPUTE];
    time->lo *= 0.9;
    time->hi *= 1.1;
    assert_true(compare_results(&base, &noisy, &rules, &of, &err));
    assert_int_equal(of.verdicts[VERDICT_AMBIGUOUS], 1);
    render_comparison(&shown, out);
    render_comparison_markdown(&shown, out);
    comparison_free(&of);
    result_free(&noisy);
}

// An ambiguous verdict has its footnote beside the ratio.
static void an_ambiguous_ratio_is_marked(void **state) {
    char *text = text_of(ambiguous);
    has(text, "  ambiguous  1.000x?  ");
    has(text, "\n? ambiguous: neither shown to be the same nor shown to differ\n");
    has(text, "| ambiguous | 1.000x? |");
    has(text, "\n? ambiguous: neither shown to be the same nor shown to differ  \n");
}

static struct compare_rules undecided_rules;

// Point 2 may be up to 1.5 times slower.
static void undecided(FILE *out) {
    struct result noisy = fixture_result(1);
    struct comparison of;
    const struct comparison_view shown = {&of, "gate", "base.json", "new.json", false, 0};
    struct error err;
    struct record *record = passed(&noisy, 2);
    record->time[FIGURE_COMPUTE].hi *= 1.5;
    record->samples[FIGURE_COMPUTE] = NULL;
    assert_true(compare_results(&base, &noisy, &undecided_rules, &of, &err));
    assert_int_equal(of.undecided, 1);
    render_comparison(&shown, out);
    comparison_free(&of);
    result_free(&noisy);
}

// Interleaving is no advice for an interleaved point.
static void the_advice_names_interleaving_only_for_points_without(void **state) {
    struct names some = {0}, other = {0};
    const char *name = passed(&base, 2)->name;
    const struct {
        bool paired, interleaved;
        const struct names *names;
    } cases[] = {{false, true, NULL}, {false, true, &other}, {false, false, &some}, {true, false, NULL}};
    names_put(&some, name, strlen(name), 0);
    names_put(&other, "relu", 4, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        undecided_rules = (struct compare_rules)COMPARE_RULES;
        undecided_rules.paired = cases[i].paired;
        undecided_rules.interleaved = cases[i].names;
        char *text = text_of(undecided);
        has(text, cases[i].interleaved
                      ? "Measure them longer (--timing seconds=), interleaved (vkassay ab) or on a quieter host;"
                      : "Measure them longer (--timing seconds=) or on a quieter host;");
    }
    names_free(&some);
    names_free(&other);
}

static void keep_passed(struct result *result) {
    size_t kept = 0;
    for (size_t i = 0; i < result->count; i++)
        if (result->records[i].status == RECORD_PASS) result->records[kept++] = result->records[i];
    result->count = kept;
}

static void flaky(FILE *out) {
    struct result steady = fixture_result(1), shaky = fixture_result(1);
    struct comparison of;
    const struct comparison_view shown = {&of, "ab", "base.json", "new.json", false, 0};
    const struct compare_rules rules = COMPARE_RULES;
    struct error err;
    keep_passed(&steady);
    keep_passed(&shaky);
    struct record *broken = passed(&shaky, 5);
    fixture_becomes(broken, RECORD_CRASH, "killed by SIGSEGV");
    broken->replay = "vkassay check shaky --seed 42";
    broken->attempts.count = 2;
    broken->attempts.statuses[0] = RECORD_CRASH;
    broken->attempts.statuses[1] = RECORD_PASS;
    broken->attempts.flaky = true;
    assert_true(compare_results(&steady, &shaky, &rules, &of, &err));
    render_comparison(&shown, out);
    render_comparison_markdown(&shown, out);
    comparison_free(&of);
    result_free(&steady);
    result_free(&shaky);
}

// A flaky point has a count, a line with both attempts, and a replay line.
static void a_flaky_point_is_reported(void **state) {
    char *text = text_of(flaky);
    has(text, "\n  flaky ");
    has(text, "flaky crash (crash, pass): killed by SIGSEGV");
    has(text, "\nvkassay check shaky --seed 42\n");
    has(text, "\nab: a point is flaky: 0 wrong, 1 flaky, 0 slower, ");
    has(text, "### vkassay: a point is flaky\n");
    has(text, "\n| flaky |");
    has(text, "    vkassay check shaky --seed 42\n");
    assert_null(strstr(text, "a result is wrong"));
}

static void coloured(FILE *out) {
    colour_use(true);
    plain(out);
    ambiguous(out);
    flaky(out);
    colour_use(false);
}

static void every_verdict_has_its_colour(void **state) {
    static const char *const rows[] = {
        "\x1b[31mwrong", "\x1b[31mslower", "\x1b[32mfaster", "\x1b[33mambiguous", "\x1b[31mflaky"};
    char *text = text_of(coloured);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) has(text, rows[i]);
    assert_null(strstr(text, "msame"));
}

static void json(FILE *out) {
    render_comparison_json(&view, out);
}

static void as_json(void **state) {
    char *text = text_of(json);
    struct json_object *object = json_parse(text, strlen(text));
    assert_int_equal(json_get_int(object, "exit_status", -1), STATUS_WRONG);
    assert_int_equal(json_get_int(json_get(object, "counts"), "slower", -1), 1);
    struct json_object *points = json_get(object, "compared");
    assert_int_equal(json_object_array_length(points), comparison.count);
    struct json_object *first = json_object_array_get_idx(points, 0), *slower = json_object_array_get_idx(points, 4);
    assert_string_equal(json_get_string(first, "verdict", ""), "wrong");
    assert_null(json_get(first, "ratio"));
    assert_string_equal(json_get_string(slower, "verdict", ""), "slower");
    assert_true(fabs(json_get_double(slower, "ratio", 0) - 1.25) < 1e-12);
    assert_true(fabs(json_get_double(slower, "new_ns", 0) / json_get_double(slower, "base_ns", 0) - 1.25) < 1e-12);
    assert_true(json_get_double(slower, "lo", 0) < 1.25 && json_get_double(slower, "hi", 0) > 1.25);
    json_object_put(object);
}

// Uses an independent validator.
static void the_json_follows_its_schema(void **state) {
    char path[60];
    struct error err;
    const char *python = needs_python("jsonschema");
    char *text = text_of(json);
    snprintf(path, sizeof path, "/tmp/vkassay-comparison-%ld.json", (long)getpid());
    assert_true(file_write(path, text, strlen(text), &err));
    assert_int_equal(python_run(python, "harness/record/tests/schema_check.py", path), 0);
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_ambiguous_ratio_is_marked, setup, teardown),
        cmocka_unit_test_setup_teardown(the_advice_names_interleaving_only_for_points_without, setup, teardown),
        cmocka_unit_test_setup_teardown(a_flaky_point_is_reported, setup, teardown),
        cmocka_unit_test_setup_teardown(every_verdict_has_its_colour, setup, teardown),
        cmocka_unit_test_setup_teardown(on_a_terminal, setup, teardown),
        cmocka_unit_test_setup_teardown(as_markdown, setup, teardown),
        cmocka_unit_test_setup_teardown(as_json, setup, teardown),
        cmocka_unit_test_setup_teardown(the_json_follows_its_schema, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
