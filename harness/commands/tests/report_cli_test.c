// SPDX-License-Identifier: Apache-2.0
// Tests `report`: galleries with their links, no paths of this machine on pages, and the comparison with the run
// before.
#include "vkassay_program.h"

// Makes a run with its page, a folder of two results with a page, and files that are no results.
static int set_up(void **state) {
    if (program_open(state) != 0) return -1;
    return shell(
        "mkdir -p '%s/all/a run' %s/all/many && cd reports/examples/fleet && "
        "zcat swiftshader-subzero.json.gz >'%s/all/a run/result.json' && touch '%s/all/a run/report.html' && "
        "cp swiftshader-subzero.json.gz %s/all/many/one.json && cp lavapipe-22.3.6.json.gz %s/all/many/two.json && "
        "touch %s/all/many/report.html && cp tuned.json %s/all && echo '[1' >%s/all/no.json && "
        "echo '{\"schema_version\": 2, \"records\": [{\"name\": 3}]}' >%s/all/broken.json",
        folder, folder, folder, folder, folder, folder, folder, folder, folder, folder);
}

static void every_result_of_a_folder_is_shown(void **state) {
    assert_int_equal(run("report --gallery %s/all", folder), STATUS_OK);
    assert_says("2 devices of 3 results: 810 points");
    assert_says("gallery.html (1 pages linked)");
    assert_says("report: skipped:");
    assert_says("broken.json: $.records[0].name"); // unreadable results are reported, other files are not
    assert_null(strstr(content("output"), "tuned.json"));
    assert_null(strstr(content("output"), "no.json"));
    assert_holds("all/gallery.html", "<a href=\"a%20run/report.html\">tuning");
    assert_null(strstr(content("all/gallery.html"), "many/report.html"));
    assert_holds("all/gallery.html", "many/two.json</td>");
}

static void links_lead_through_no_other_folder(void **state) {
    assert_int_equal(run("report --gallery %s/all --quiet --out %s/all/shared/page", folder, folder), STATUS_OK);
    assert_holds("all/shared/page/gallery.html", "<a href=\"../../a%20run/report.html\">");
    assert_int_equal(run("report --gallery %s/all --out %s/away", folder, folder), STATUS_OK);
    assert_says("(0 pages linked)");
    assert_null(strstr(content("away/gallery.html"), "report.html"));
    assert_int_equal(run("report --gallery %s/all --quiet --out %s", folder, folder), STATUS_OK);
    assert_holds("gallery.html", "<a href=\"all/a%20run/report.html\">");
}

static void no_path_of_this_machine_is_told(void **state) {
    assert_int_equal(run("report --gallery %s/all --quiet", folder), STATUS_OK);
    assert_null(strstr(content("all/gallery.html"), folder));
    assert_int_equal(
        run("report '%s/all/a run/result.json' %s/all/many/two.json --quiet --out %s/two", folder, folder, folder),
        STATUS_OK);
    assert_null(strstr(content("two/devices.html"), folder));
    assert_holds("two/devices.html", "a run/result.json</td>");
    assert_int_equal(run("report --history %s/all/many/one.json '%s/all/a run/result.json' --quiet --out %s/history",
                         folder, folder, folder),
        STATUS_OK);
    assert_null(strstr(content("history/history.html"), folder));
    assert_holds("history/history.html", "many/one.json</td>");
}

// Runs are named by their start. A run of another suite is in between, and a later run does not count.
static void a_page_knows_the_run_before(void **state) {
    assert_int_equal(
        shell("cd %s && mkdir -p runs/20260101T000000Z-a runs/20260102T000000Z-b runs/20260103T000000Z-a "
              "runs/20260104T000000Z-a && cp 'all/a run/result.json' runs/20260101T000000Z-a && "
              "sed 's/\"suite\": *\"tuning\"/\"suite\": \"other\"/' 'all/a run/result.json' "
              ">runs/20260102T000000Z-b/result.json && cp 'all/a run/result.json' runs/20260103T000000Z-a && "
              "sed 's/\"started\": *\"/&later /' 'all/a run/result.json' >runs/20260104T000000Z-a/result.json",
            folder),
        0);
    assert_int_equal(run("report %s/runs/20260103T000000Z-a/result.json --quiet", folder), STATUS_OK);
    assert_holds("runs/20260103T000000Z-a/report.html", "<h2>Against last time</h2>");
    assert_holds("runs/20260103T000000Z-a/report.html", "Compared with the run of 2026-");
    assert_int_equal(run("report %s/runs/20260101T000000Z-a/result.json --quiet", folder), STATUS_OK);
    assert_null(strstr(content("runs/20260101T000000Z-a/report.html"), "Against last time"));
    assert_int_equal(run("report %s/runs/20260102T000000Z-b/result.json --quiet", folder), STATUS_OK);
    assert_null(strstr(content("runs/20260102T000000Z-b/report.html"), "Against last time"));
}

static void what_makes_no_gallery_is_said(void **state) {
    assert_int_equal(shell("mkdir %s/empty", folder), 0);
    assert_int_equal(run("report --gallery %s/empty", folder), STATUS_BAD_INPUT);
    assert_says("empty: found no results in this folder");
    assert_int_equal(run("report --gallery %s/nowhere", folder), STATUS_BAD_INPUT);
    assert_int_equal(run("report --gallery %s/all result.json", folder), STATUS_USAGE);
    assert_says("--gallery expects a folder");
}

// Returns the number of charts drawn by the script of FOLDER/NAME, without the card.
static size_t charts_of(const char *name) {
    size_t count = 0;
    char script[100];
    snprintf(script, sizeof script, "%s/charts.gp", name);
    for (const char *at = content(script); (at = strstr(at, "\nname='")); at++) count++;
    return count - 1;
}

static void all_charts_are_drawn_on_demand(void **state) {
    assert_int_equal(run("report reports/examples/nvidia-h200/shapes.json.gz --quiet --out %s/few", folder), STATUS_OK);
    assert_int_equal(
        run("report reports/examples/nvidia-h200/shapes.json.gz --chart all --quiet --out %s/many", folder), STATUS_OK);
    assert_within(charts_of("few"), 1, 60);
    assert_within(charts_of("many"), 80, 10000);
    assert_int_equal(
        run("report reports/examples/nvidia-h200/shapes.json.gz --chart none --out %s/none", folder), STATUS_USAGE);
    assert_says("--chart expects page|all, found 'none'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_result_of_a_folder_is_shown),
        cmocka_unit_test(links_lead_through_no_other_folder),
        cmocka_unit_test(no_path_of_this_machine_is_told),
        cmocka_unit_test(a_page_knows_the_run_before),
        cmocka_unit_test(all_charts_are_drawn_on_demand),
        cmocka_unit_test(what_makes_no_gallery_is_said),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}
