// SPDX-License-Identifier: Apache-2.0
// Tests a gallery of three results from two devices. The second device takes twice as long, and workgroups of 64 and
// of 256 invocations exchange their times.
#include "../pages/gallery.h"

#include "../../base/file.h"
#include "../pages/html.h"
#include "render_fixture.h"
#include "../../record/record.h"
#include "../../device/device_info.h"
#include "expect.h"

#include <stdlib.h>

enum { RESULTS = 3 }; // two of the first device, the older one first
static struct result results[RESULTS];
static struct gallery_item items[RESULTS];
static const struct result_set set = {.results = results, .count = RESULTS};
static struct arena arena;
static struct gallery gallery;

static int setup(void **state) {
    static const char *const days[] = {"2026-03-01", "2026-03-02", "2026-03-03"};
    for (size_t i = 0; i < RESULTS; i++) {
        results[i] = fixture_result(1);
        json_put_string(json_get(results[i].context, "run"), "started", days[i]);
        items[i] = (struct gallery_item){arena_format(&arena, "%zu/<r>.json", i), NULL};
    }
    fixture_keep(&results[0], "add", "softmax");
    fixture_keep(&results[1], "add", "matmul");
    fixture_keep(&results[2], "add", "matmul");
    items[1].page = "a b/report#1.html";
    strcpy(results[2].device->name, "Other <GPU>");
    for (size_t i = 0; i < results[2].count; i++) {
        struct record *r = &results[2].records[i];
        bool flat = strcmp(r->operator, "matmul") == 0;
        double loss = flat ? 1.31 : 1.21;
        fixture_scale(r, 2);
        if (r->wg[0] * r->wg[1] == 64) fixture_scale(r, 1 / loss);
        if (flat ? r->wg[0] == 16 && r->wg[1] == 16 : r->wg[0] == 256) fixture_scale(r, loss);
    }
    return 0;
}

static int teardown(void **state) {
    if (gallery.each) gallery_free(&gallery);
    gallery = (struct gallery){0};
    for (size_t i = 0; i < RESULTS; i++) result_free(&results[i]);
    arena_free(&arena);
    return 0;
}

static size_t family(const char *name) {
    for (size_t f = 0; f < gallery.devices.families.count; f++)
        if (strcmp(gallery.devices.families.names[f], name) == 0) return f;
    fail_msg("no family %s", name);
    return 0;
}

static void the_results_of_a_device_are_one(void **state) {
    json_put_string(json_get(results[1].context, "run"), "suite", "newer");
    for (size_t i = 0; i < results[1].count; i++)
        if (strcmp(results[1].records[i].operator, "add") == 0) fixture_scale(&results[1].records[i], 3);
    gallery_make(&set, items, DEVICE_UNIT_AND_DRIVER, &arena, &gallery);
    assert_int_equal(gallery.devices.count, 2);
    assert_int_equal(gallery.each[0].group->count, 2);
    assert_int_equal(gallery.each[0].group->places[0], 1); // the newer one
    const struct result *joined = &gallery.devices.results[0];
    size_t adds = 0, softmaxes = 0;
    for (size_t i = 0; i < results[0].count; i++) adds += strcmp(results[0].records[i].operator, "add") == 0;
    for (size_t i = 0; i < results[0].count; i++) softmaxes += strcmp(results[0].records[i].operator, "add") != 0;
    assert_int_equal(joined->count, results[1].count + softmaxes);
    for (size_t i = 0; i < joined->count; i++) {
        const struct record *r = &joined->records[i];
        for (size_t k = 0; k < results[1].count; k++)
            if (strcmp(results[1].records[k].name, r->name) == 0 && record_is_timed(r))
                near(r->time[FIGURE_COMPUTE].median, results[1].records[k].time[FIGURE_COMPUTE].median);
    }
    assert_true(adds > 0);
}

// A point skipped or not timed in the newer result is taken from the older one; a failed point is not.
static void an_older_time_does_not_hide_a_failure(void **state) {
    struct record *first = NULL, *second = NULL;
    for (size_t i = 0; i < results[1].count; i++) {
        struct record *r = &results[1].records[i];
        if (strcmp(r->operator, "add") != 0 || !record_is_timed(r)) continue;
        if (!first)
            first = r;
        else if (!second)
            second = r;
    }
    fixture_becomes(first, RECORD_FAIL, "made up");
    fixture_becomes(second, RECORD_SKIP, "made up");
    gallery_make(&set, items, DEVICE_UNIT_AND_DRIVER, &arena, &gallery);
    for (size_t i = 0; i < gallery.devices.results[0].count; i++) {
        const struct record *r = &gallery.devices.results[0].records[i];
        if (strcmp(r->name, first->name) == 0) assert_int_equal(r->status, RECORD_FAIL);
        if (strcmp(r->name, second->name) == 0) assert_true(record_is_timed(r));
    }
}

// Each point of the second device takes twice as long, so its best time is doubled, at 256 or, exchanged, at 64.
static void families_stand_beside_each_other(void **state) {
    gallery_make(&set, items, DEVICE_UNIT_AND_DRIVER, &arena, &gallery);
    const struct families *f = &gallery.devices.families;
    size_t matrix = family("matrix"), elementwise = family("elementwise");
    near(family_at(f, 0, matrix)->speed, 1);
    near(family_at(f, 0, elementwise)->speed, 1);
    near(family_at(f, 1, matrix)->speed, 0.5);
    near(family_at(f, 1, elementwise)->speed, 0.5);
    assert_int_equal(family_at(f, 1, matrix)->shared, 3); // sizes; add has two types at three sizes each
    assert_int_equal(family_at(f, 1, elementwise)->shared, 6);
    near(family_at(f, 1, f->count)->speed, 0.5);
    // add.vec4 reaches 0.91 of the roof in f32 and 0.88 in f16, including the time of a launch (render_fixture.h).
    assert_int_equal(family_at(f, 0, elementwise)->rated, 2);
    assert_true(fabs(family_at(f, 0, elementwise)->roof - sqrt(0.91 * 0.88)) < 1e-3);
    assert_true(fabs(family_at(f, 0, elementwise)->roof_least - 0.88) < 1e-3);
    near(family_at(f, 1, elementwise)->roof, family_at(f, 0, elementwise)->roof / 2);
}

static void best_shapes_know_their_cost_elsewhere(void **state) {
    gallery_make(&set, items, DEVICE_UNIT_AND_DRIVER, &arena, &gallery);
    const struct gallery_shape *worst = gallery.each[0].shapes;
    assert_true(gallery.each[0].shape_count > 15);
    assert_string_equal(worst->c->kernel->op->name, "matmul");
    near(worst->cost, 1.31);
    assert_int_equal(worst->count, 1);
    assert_int_equal(worst->devices[0], 1);
    size_t ties = 0;
    for (size_t i = 1; i < gallery.each[0].shape_count; i++) {
        const struct gallery_shape *shape = &worst[i], *before = &worst[i - 1];
        if (shape->count) assert_true(shape->cost <= before->cost);
        if (shape->cost != before->cost) continue;
        assert_true(shape->c->kernel->number >= before->c->kernel->number);
        ties += shape->c->kernel != before->c->kernel;
    }
    assert_true(ties > 0);
    assert_true(isnan(gallery.each[0].shapes[gallery.each[0].shape_count - 1].cost)); // softmax: not on the second
}

static void the_page_has_a_card_for_each_device(void **state) {
    char folder[] = "/tmp/vkassay-gallery-XXXXXX", command[100];
    struct error err = {0};
    assert_non_null(mkdtemp(folder));
    if (!render_gallery(&set, items, DEVICE_UNIT_AND_DRIVER, "gallery", folder, "reports", NULL, &err))
        fail_msg("%s", err.text);
    char *page = file_read(&arena, arena_format(&arena, "%s/gallery.html", folder), NULL, &err);
    assert_non_null(page);
    assert_null(strstr(page, "{{"));
    assert_null(strstr(page, "<GPU>"));
    assert_null(strstr(page, "<r>"));
    assert_non_null(strstr(page, "<h2>Other &lt;GPU&gt;</h2>"));
    assert_non_null(strstr(page, "href=\"a%20b/report%231.html\"")); // special characters of addresses are escaped
    assert_non_null(
        strstr(page, "45%</strong><i class=bar style=\"--part:45%\"></i>elementwise <span>50% of the fastest"));
    assert_non_null(
        strstr(page, "<li>matmul.naive_row_y f32 m=64 n=64 k=64: 16x16 <span>1.31x on Other &lt;GPU&gt;</span></li>"));
    assert_non_null(strstr(page, "<meta property=\"og:title\" content=\"Gallery: 2 devices\">"));
    assert_non_null(strstr(page, "<meta property=\"og:description\" content=\""));
    assert_null(strstr(page, "og:image")); // needs an absolute address
    assert_true(file_exists(arena_format(&arena, "%s/card-gallery.png", folder)));
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
}

// Three units of one model, a CPU with the most points among them: one of its additions is wrong.
static void operators_are_wrong_or_near_the_roof(void **state) {
    struct text text = {0};
    results[0].device->kind = DEVICE_CPU;
    strcpy(results[0].device->name, "Some CPU");
    strcpy(results[2].device->name, results[1].device->name);
    strcpy(results[1].device->device_uuid, "01");
    strcpy(results[2].device->device_uuid, "02");
    for (size_t i = 0; i < results[0].count; i++)
        if (strcmp(results[0].records[i].operator, "add") == 0) {
            fixture_becomes(&results[0].records[i], RECORD_FAIL, "made up");
            break;
        }
    gallery_make(&set, items, DEVICE_UNIT_AND_DRIVER, &arena, &gallery);
    assert_int_equal(gallery.devices.count, 3);
    gallery_free(&gallery);
    gallery_make(&set, items, DEVICE_MODEL_AND_DRIVER, &arena, &gallery);
    assert_int_equal(gallery.devices.count, 2);
    assert_string_equal(gallery.devices.results[1].device->name, "Some CPU");
    put_heats(&text, &gallery.devices, &arena);
    const char *add = strstr(text_str(&text), "<tr><td>add</td>"),
               *matmul = strstr(text_str(&text), "<tr><td>matmul</td>"),
               *softmax = strstr(text_str(&text), "<tr><td>softmax</td>");
    assert_true(add && add < softmax && softmax < matmul); // in the order of the families
    // Of the newest result, at half the speed of families_stand_beside_each_other.
    assert_non_null(strstr(add, "<span class=heat style=\"--part:45%\">45%</span></td><td class=bad>1 of "));
    assert_true(strstr(add, "wrong") < softmax);
    assert_memory_equal(softmax, "<tr><td>softmax</td><td>-</td>", 30);
    text_free(&text);
}

static void paths_lose_what_they_have_in_common(void **state) {
    static const struct {
        const char *paths[2], *shown[2];
    } cases[] = {
        {{"/home/someone/a/result.json", "/home/someone/b/result.json"}, {"a/result.json", "b/result.json"}},
        {{"a/result.json", "b/result.json"}, {"a/result.json", "b/result.json"}},
        {{"/home/someone/a/result.json", "b.json"}, {"a/result.json", "b.json"}},
        {{"/a.json", "/b.json"}, {"a.json", "b.json"}},
        {{"/x/day-1.json", "/x/day-2.json"}, {"day-1.json", "day-2.json"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char **shown = shown_paths(&arena, cases[i].paths, 2);
        assert_string_equal(shown[0], cases[i].shown[0]);
        assert_string_equal(shown[1], cases[i].shown[1]);
    }
    assert_string_equal(shown_paths(&arena, (const char *const[]){"/home/someone/result.json"}, 1)[0], "result.json");
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_results_of_a_device_are_one, setup, teardown),
        cmocka_unit_test_setup_teardown(an_older_time_does_not_hide_a_failure, setup, teardown),
        cmocka_unit_test_setup_teardown(families_stand_beside_each_other, setup, teardown),
        cmocka_unit_test_setup_teardown(best_shapes_know_their_cost_elsewhere, setup, teardown),
        cmocka_unit_test_setup_teardown(the_page_has_a_card_for_each_device, setup, teardown),
        cmocka_unit_test_setup_teardown(operators_are_wrong_or_near_the_roof, setup, teardown),
        cmocka_unit_test(paths_lose_what_they_have_in_common),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
