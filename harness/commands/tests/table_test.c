// SPDX-License-Identifier: Apache-2.0
// Tests joining tuned tables of many devices, from made-up results.
#include "vkassay_program.h"

// Makes devices 0 to 6 in FOLDER/made, from three vendors and two families of one vendor.
static int make_devices(void **state) {
    if (program_open(state) != 0) return -1;
    const char *python = python_with("json");
    // A part of a real result is enough.
    return shell("%s -c \"import gzip, json; r = json.load(gzip.open('reports/examples/nvidia-h200/shapes.json.gz')); "
                 "r['records'] = "
                 "[x for x in r['records'] if x['kernel'] in ('softmax.cached', 'transpose.plain')]; "
                 "json.dump(r, open('%s/part.json', 'w'))\" && "
                 "%s scripts/made_up.py devices %s/part.json --count 7 --out %s/made",
        python, folder, python, folder, folder);
}

static void check_table(const char *table, const char *results) {
    assert_int_equal(shell("cd %s && for f in %s; do echo $PWD/$f; done >list", folder, results), 0);
    const char *python = needs_python("json");
    assert_int_equal(
        shell("%s harness/tune/tests/joined_check.py %s/%s $(cat %s/list) >%s/output 2>&1 || { cat %s/output; false; }",
            python, folder, table, folder, folder, folder),
        0);
    assert_of_schema(table);
}

static void rows_and_fallbacks_are_what_another_program_finds(void **state) {
    assert_int_equal(run("table %s/made --out %s/tuned.json", folder, folder), STATUS_OK);
    assert_says("7 devices, ");
    assert_says("one shape is within 5 %");
    check_table("tuned.json", "made/*.json");
}

static void a_shape_that_is_wrong_somewhere_serves_no_group(void **state) {
    assert_int_equal(shell("mkdir %s/bad && cp %s/made/device000[01].json %s/bad && "
                           "%s -c \"import json; p = '%s/bad/device0001.json'; r = json.load(open(p))\n"
                           "for x in r['records'][::3]: x.update(status='fail', reason='r'); x.pop('time')\n"
                           "json.dump(r, open(p, 'w'))\"",
                         folder, folder, folder, python_with("json"), folder),
        0);
    assert_int_equal(run("table %s/bad --out %s/bad.json", folder, folder), STATUS_OK);
    check_table("bad.json", "bad/*.json");
}

static void conflicts_are_told_and_the_newer_counts(void **state) {
    assert_int_equal(shell("mkdir %s/two && cp %s/made/device000[03].json %s/two && "
                           "%s -c \"import json; p = '%s/two/device0000.json'; r = json.load(open(p)); "
                           "r['device'].update(driver_info='new', driver_version=9); r['run']['started'] = "
                           "'2099-01-01T00:00:00Z'; r['records'] = r['records'][::2]; "
                           "json.dump(r, open('%s/two/newer.json', 'w'))\"",
                         folder, folder, folder, python_with("json"), folder, folder),
        0);
    assert_int_equal(run("table %s/two --out %s/two.json", folder, folder), STATUS_OK);
    assert_says("Conflict: Made A0-0 with NVIDIA new (");
    assert_says("the newer driver is taken");
    assert_holds("two.json", "\"left_file\": ");
    check_table("two.json", "two/newer.json two/device0003.json");
}

static void a_device_without_a_row_is_told(void **state) {
    assert_int_equal(shell("%s -c \"import json; r = json.load(open('%s/made/device0001.json')); r['records'] = []; "
                           "json.dump(r, open('%s/empty.json', 'w'))\"",
                         python_with("json"), folder, folder),
        0);
    assert_int_equal(
        run("table %s/made/device0000.json %s/empty.json --out %s/half.json", folder, folder, folder), STATUS_OK);
    assert_says("No row for Made B0-1: ");
    assert_null(strstr(content("output"), "Loss of a fallback"));
}

// Devices 0 and 1 measured the current kernels, device 3 another version of softmax. Rows joining both are marked.
static void rows_carry_the_source_that_was_measured(void **state) {
    assert_int_equal(shell("mkdir %s/sources && cp %s/made/device000[013].json %s/sources && "
                           "%s -c \"import json; p = '%s/sources/device0003.json'; r = json.load(open(p))\n"
                           "for x in r['records']:\n"
                           "  if x['kernel'] == 'softmax.cached': x['source_hash'] = 'tokens:00000000000000aa'\n"
                           "json.dump(r, open(p, 'w'))\"",
                         folder, folder, folder, python_with("json"), folder),
        0);
    assert_int_equal(run("table %s/sources --out %s/sources.json", folder, folder), STATUS_OK);
    assert_says("of these cases the devices measured different sources of the kernel");
    assert_says(" of another source");
    check_table("sources.json", "sources/*.json");
    assert_holds("sources.json", "tokens:00000000000000aa");
    assert_int_equal(run("table %s/made/device000[01].json --out %s/alike.json", folder, folder), STATUS_OK);
    assert_null(strstr(content("output"), "sources of the kernel"));
}

// A tuned table has only the times of its best shapes, ties, runners-up and defaults.
static void tuned_tables_are_joined_too(void **state) {
    assert_int_equal(
        run("export %s/made/device0001.json --format tuned --out %s/one.tuned", folder, folder), STATUS_OK);
    assert_int_equal(
        run("table %s/one.tuned %s/made/device0000.json --out %s/mixed.json", folder, folder, folder), STATUS_OK);
    assert_says("2 devices, ");
}

static void what_cannot_be_joined_is_said(void **state) {
    assert_int_equal(run("table %s/made", folder), STATUS_USAGE);
    assert_int_equal(shell("mkdir %s/none", folder), 0);
    assert_int_equal(run("table %s/none --out %s/x.json", folder, folder), STATUS_BAD_INPUT);
    assert_says("expected results in this folder, found none");
    assert_int_equal(run("table suites/quick.json --out %s/x.json", folder), STATUS_BAD_INPUT);
    assert_says("is a suite");
    assert_int_equal(run("export %s/tuned.json --format header", folder), STATUS_BAD_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_fallbacks_are_what_another_program_finds),
        cmocka_unit_test(a_shape_that_is_wrong_somewhere_serves_no_group),
        cmocka_unit_test(conflicts_are_told_and_the_newer_counts),
        cmocka_unit_test(a_device_without_a_row_is_told),
        cmocka_unit_test(rows_carry_the_source_that_was_measured),
        cmocka_unit_test(tuned_tables_are_joined_too),
        cmocka_unit_test(what_cannot_be_joined_is_said),
    };
    return run_group_with_python(tests, make_devices, folder_remove);
}
