// SPDX-License-Identifier: Apache-2.0
// Tests results of two equal GPUs of one host, begun in one second: nothing of either is lost or taken for the other's.
// They have one name, ids and driver, but other UUIDs and PCI addresses, and the second takes three times as long.
#include "vkassay_program.h"

#include "../bench/bench.h"
#include "../bench/known_peaks.h"
#include "../../device/device_info.h"

#define UNIT_0 "00000000000000000000000000000001"
#define UNIT_1 "00000000000000000000000000000002"
#define BOTH "%s/made/unit0.json %s/made/unit1.json"

// Makes FOLDER/made/unit0.json and unit1.json.
static int make_units(void **state) {
    if (program_open(state) != 0) return -1;
    const char *python = python_with("json");
    return shell("%s -c \"import gzip, json; r = json.load(gzip.open('reports/examples/fleet/nvidia-h100.json.gz')); "
                 "r['records'] = [x for x in r['records'] if x['case'] == r['records'][9]['case'] or "
                 "x['operator'] in ('softmax', 'transpose')]; json.dump(r, open('%s/part.json', 'w'))\" && "
                 "%s scripts/made_up.py units %s/part.json --count 2 --out %s/made",
        python, folder, python, folder, folder);
}

static int python(const char *program_text) {
    return shell("cd %s && %s -c \"%s\"", folder, needs_python("json"), program_text);
}

static void a_store_keeps_both(void **state) {
    assert_int_equal(run("store add %s/store " BOTH, folder, folder, folder), STATUS_OK);
    assert_says("2 added to ");
    assert_int_equal(run("store add %s/store " BOTH, folder, folder, folder), STATUS_OK);
    assert_says("0 added to ");
    assert_int_equal(run("store list %s/store", folder), STATUS_OK);
    assert_says("unit " UNIT_0);
    assert_says("unit " UNIT_1);
    assert_int_equal(run("store prune %s/store --keep 1", folder), STATUS_OK);
    assert_says("0 runs removed");
}

// Runs with one unit's text on two hosts differ in their times.
static void a_store_keeps_runs_that_only_their_times_tell_apart(void **state) {
    assert_int_equal(python("import json; a, b = (json.load(open(f'made/unit{i}.json')) for i in (0, 1))\n"
                            "b['device'] = a['device']; json.dump(b, open('host.json', 'w'))"),
        0);
    assert_int_equal(run("store add %s/hosts %s/made/unit0.json %s/host.json", folder, folder, folder), STATUS_OK);
    assert_says("2 added to ");
}

// A line of an older store has no unit.
static void a_store_of_an_older_version_goes_on(void **state) {
    assert_int_equal(run("store add %s/old %s/made/unit0.json", folder, folder), STATUS_OK);
    assert_int_equal(
        shell("sed -i 's/\\tunit=[^\\t]*//' %s/old/*/runs && ! grep unit= %s/old/*/runs", folder, folder), 0);
    assert_int_equal(run("store add %s/old %s/made/unit0.json", folder, folder), STATUS_OK);
    assert_says("0 added to ");
    assert_int_equal(run("store add %s/old %s/made/unit1.json", folder, folder), STATUS_OK);
    assert_says("1 added to ");
    assert_int_equal(run("store list %s/old", folder), STATUS_OK);
    assert_says("2 runs of 1 devices");
}

static void a_history_is_of_one_of_them(void **state) {
    assert_int_equal(run("report --history " BOTH, folder, folder), STATUS_BAD_INPUT);
    assert_says("a history is of one device (--alike takes all devices of a model)");
    assert_int_equal(
        run("report --history --alike %s/made/unit0.json %s/made/unit1.json --out %s/alike", folder, folder, folder),
        STATUS_OK);
    assert_int_equal(run("store add %s/series " BOTH, folder, folder, folder), STATUS_OK);
    assert_int_equal(run("report --history %s/series --out %s/history", folder, folder), STATUS_OK);
    assert_holds("history-" UNIT_0 "/history.html", UNIT_0);
    assert_holds("history-" UNIT_1 "/history.html", UNIT_1);
    assert_int_equal(run("report --history --alike %s/series --out %s/history", folder, folder), STATUS_OK);
    assert_holds("history/history.html", "2 runs");
}

static void a_database_has_all_points_of_both(void **state) {
    assert_int_equal(shell("%s export --format sql " BOTH " >%s/both.sql", program, folder, folder, folder), 0);
    assert_int_equal(python("import json, sqlite3; d = sqlite3.connect(':memory:')\n"
                            "for _ in range(2): d.executescript(open('both.sql').read())\n"
                            "n = len(json.load(open('made/unit0.json'))['records'])\n"
                            "assert d.execute('select count(*) from vkassay_results').fetchone()[0] == 2\n"
                            "assert d.execute('select count(*) from vkassay_points').fetchone()[0] == 2 * n"),
        0);
}

// Only results of two units need a column or a label for them.
static void exports_tell_them_apart(void **state) {
    assert_int_equal(shell("%s export --format csv " BOTH " >%s/both.csv && %s export --format csv %s/made/unit0.json "
                           ">%s/one.csv",
                         program, folder, folder, folder, program, folder, folder),
        0);
    assert_int_equal(
        python("import csv, json\n"
               "rows = list(csv.DictReader(open('both.csv', newline='')))\n"
               "n = len(json.load(open('made/unit0.json'))['records'])\n"
               "assert [r['unit'] for r in rows] == n * ['" UNIT_0 "'] + n * ['" UNIT_1 "'], rows[0]['unit']\n"
               "assert 'unit' not in next(csv.reader(open('one.csv', newline='')))"),
        0);
    assert_int_equal(run("export --format openmetrics " BOTH, folder, folder), STATUS_OK);
    assert_says("vkassay_device_info{device=\"0\",name=\"NVIDIA H100");
    assert_says(",unit=\"" UNIT_0 "\"} 1");
    assert_says(",unit=\"" UNIT_1 "\"} 1");
    assert_int_equal(run("export --format openmetrics %s/made/unit0.json", folder), STATUS_OK);
    assert_null(strstr(content("output"), "unit=\""));
}

static void a_gallery_has_a_card_for_each(void **state) {
    assert_int_equal(run("report --gallery %s/made --out %s/gallery", folder, folder), STATUS_OK);
    assert_holds("gallery/gallery.html", "(0000:01:00.0)");
    assert_holds("gallery/gallery.html", "(0000:02:00.0)");
    assert_int_equal(run("report " BOTH, folder, folder), STATUS_OK); // and so does the page of devices side by side
    assert_says("(0000:02:00.0)");
}

// The table's row for the model is chosen from the times of both, and no row for a family is made of one model.
static void a_table_has_the_losses_on_both(void **state) {
    assert_int_equal(run("table " BOTH " --out %s/table.json", folder, folder, folder), STATUS_OK);
    assert_says("2 devices, ");
    assert_of_schema("table.json");
    assert_int_equal(
        python("import json; t = json.load(open('table.json'))\n"
               "assert len(t['devices']) == 2 and t['tuned']\n"
               "for e in t['tuned']: assert (e['scope'], e['members'], len(e['losses'])) == ('device', 2, 2)"),
        0);
}

static void a_comparison_says_that_the_unit_differs(void **state) {
    run("compare " BOTH, folder, folder);
    assert_says("Compared although they differ in unit of the model: " UNIT_0 ", then " UNIT_1);
}

// Their UUIDs are zeros, as some drivers have it.
static void shards_of_both_are_not_merged(void **state) {
    assert_int_equal(python("import json\n"
                            "for i in (0, 1):\n"
                            "  r = json.load(open(f'made/unit{i}.json')); r['device']['device_uuid'] = '0' * 32\n"
                            "  r['records'] = r['records'][i::2]; json.dump(r, open(f'half{i}.json', 'w'))"),
        0);
    assert_int_equal(
        run("merge %s/half0.json %s/half1.json --out %s/merged.json", folder, folder, folder), STATUS_BAD_INPUT);
    assert_says("$.device.pci: expected '0000:01:00.0' as in the first result, found '0000:02:00.0'");
}

static const char *baseline_of(struct arena *arena, const char *name) {
    struct options options = {.baselines = arena_format(arena, "%s/baselines", folder)};
    struct result result;
    struct error err;
    if (!result_read(arena_format(arena, "%s/made/%s", folder, name), &result, &err)) fail_msg("%s", err.text);
    const char *path = baseline_path(arena, &options, device_key(result.device, result.context), "tuning");
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
        assert_int_equal(run("baseline %s/made/%s --baselines %s/baselines", folder, orders[i], folder), STATUS_OK);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_store_keeps_both),
        cmocka_unit_test(a_store_keeps_runs_that_only_their_times_tell_apart),
        cmocka_unit_test(a_store_of_an_older_version_goes_on), cmocka_unit_test(a_history_is_of_one_of_them),
        cmocka_unit_test(a_database_has_all_points_of_both), cmocka_unit_test(exports_tell_them_apart),
        cmocka_unit_test(a_gallery_has_a_card_for_each), cmocka_unit_test(a_table_has_the_losses_on_both),
        cmocka_unit_test(a_comparison_says_that_the_unit_differs), cmocka_unit_test(shards_of_both_are_not_merged),
        cmocka_unit_test(each_has_its_baseline), cmocka_unit_test(each_has_its_peaks)};
    return cmocka_run_group_tests(tests, make_units, folder_remove);
}
