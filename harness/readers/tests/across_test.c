// SPDX-License-Identifier: Apache-2.0
// Tests with two devices. On the second, workgroups of 64 and of 256 invocations exchange their times.
#include "../pages/across.h"
#include "../render/render.h"

#include "../../base/file.h"
#include "render_fixture.h"
#include "../../record/record.h"
#include "../../device/device_info.h"
#include "expect.h"

#include <stdlib.h>
#include <unistd.h>

static struct result results[2];
static struct view views[2];
static struct arena arena;

// Three kernels of add at three sizes: 64 takes 1.21 times the best on the first device. Two kernels of matmul at three
// sizes: 8x8 takes 1.31 times the best.
static int setup(void **state) {
    for (int d = 0; d < 2; d++) {
        results[d] = fixture_result(1);
        fixture_keep(&results[d], "add", "matmul");
    }
    strcpy(results[1].device->name, "Other <GPU>");
    for (size_t i = 0; i < results[1].count; i++) {
        struct record *r = &results[1].records[i];
        bool flat = strcmp(r->operator, "matmul") == 0;
        double loss = flat ? 1.31 : 1.21;
        if (r->wg[0] * r->wg[1] == 64) fixture_scale(r, 1 / loss);
        if (flat ? r->wg[0] == 16 && r->wg[1] == 16 : r->wg[0] == 256) fixture_scale(r, loss);
    }
    return 0;
}

static int teardown(void **state) {
    for (int d = 0; d < 2; d++) {
        view_free(&views[d]);
        result_free(&results[d]);
    }
    arena_free(&arena);
    return 0;
}

static struct shape_transfers cross(int from, int on) {
    struct shape_transfers transfers;
    for (int d = 0; d < 2; d++) {
        view_free(&views[d]);
        view_make(&results[d], &views[d]);
    }
    transfers_make(&views[from], &views[on], &arena, &transfers);
    return transfers;
}

// Returns the second device's nth record with the first one's best shape: 256, or 16x16.
static struct record *transferred(size_t nth) {
    for (size_t i = 0; i < results[1].count; i++) {
        struct record *r = &results[1].records[i];
        if (strcmp(r->operator, "add") == 0 && r->wg[0] == 256 && nth-- == 0) return r;
    }
    return NULL;
}

static void the_mean_is_geometric(void **state) {
    for (int from = 0; from < 2; from++) {
        struct shape_transfers transfers = cross(from, 1 - from);
        assert_int_equal(transfers.count, 15);
        assert_int_equal(transfers.timed, 15);
        near(transfers.mean, exp((9 * log(1.21) + 6 * log(1.31)) / 15));
        near(transfers.worst, 1.31);
        assert_int_equal(transfers.ties + transfers.wrong + transfers.missing, 0);
    }
}

static void a_device_is_at_its_best_on_itself(void **state) {
    struct shape_transfers transfers = cross(1, 1);
    near(transfers.mean, 1);
    assert_int_equal(transfers.ties, 15);
}

static void what_is_wrong_or_missing_is_in_no_mean(void **state) {
    fixture_becomes(transferred(0), RECORD_FAIL, "wrong");
    fixture_becomes(transferred(1), RECORD_SKIP, "does not fit");
    transferred(2)->wg[0] = 257; // a shape missing from that result
    struct shape_transfers transfers = cross(0, 1);
    assert_int_equal(transfers.count, 15);
    assert_int_equal(transfers.timed, 12);
    assert_int_equal(transfers.wrong, 1);
    assert_int_equal(transfers.missing, 2);
    near(transfers.mean, exp((6 * log(1.21) + 6 * log(1.31)) / 12));
}

static void only_shared_cases_count(void **state) {
    fixture_keep(&results[1], "add", "add");
    assert_int_equal(cross(0, 1).count, 9);
    assert_int_equal(cross(1, 0).count, 9);
    fixture_keep(&results[1], "softmax", "softmax");
    assert_int_equal(cross(0, 1).count, 0);
    assert_true(isnan(cross(0, 1).mean));
}

static void another_source_is_marked(void **state) {
    struct text said = {0};
    transferred(0)->source_hash ^= 1;
    struct shape_transfers transfers = cross(0, 1);
    size_t marked = 0;
    for (size_t i = 0; i < transfers.count; i++) marked += transfers.items[i].other_source;
    assert_int_equal(marked, 1);
    assert_int_equal(transfers.other, 1);
    put_transfers(&said, &transfers);
    assert_string_equal(text_str(&said), "1.25x, worst 1.31x (15), 1* of another source");
    text_free(&said);
}

static void the_page_has_a_field_for_each_pair(void **state) {
    char folder[] = "/tmp/vkassay-across-XXXXXX", *said = NULL;
    const char *paths[] = {"a.json", "<b>.json"};
    const struct result_set set = {results, paths, 2};
    struct error err = {0};
    size_t size = 0;
    assert_non_null(mkdtemp(folder));
    FILE *out = open_memstream(&said, &size);
    if (!render_gallery(
            &set, gallery_items(&arena, &set), DEVICE_UNIT_AND_DRIVER, "devices", folder, "reports", out, &err))
        fail_msg("%s", err.text);
    fclose(out);
    assert_non_null(strstr(said, "Test <GPU> 3000 on Other <GPU>: 1.25x, worst 1.31x (15)"));
    char *page = file_read(&arena, arena_format(&arena, "%s/devices.html", folder), NULL, &err);
    assert_non_null(page);
    assert_null(strstr(page, "{{"));
    assert_null(strstr(page, "<GPU>"));
    assert_null(strstr(page, "<b>"));
    assert_non_null(strstr(page, ">on Other &lt;GPU&gt;<"));
    assert_non_null(strstr(page, ">1.25x, worst 1.31x (15)<"));
    assert_non_null(strstr(page, ">1.00x, worst 1.00x (15)<"));
    assert_non_null(strstr(page, "<h3>Share of the roof</h3>"));
    assert_non_null(strstr(page, "<h3>Speed against the fastest device</h3>"));
    assert_non_null(strstr(page, "--part:100%\"></i>100% <small>worst 100% (6)</small>"));
    assert_null(strstr(page, "og:image")); // needs an absolute address
    assert_non_null(strstr(page, "<meta property=\"og:description\" content=\""));
    assert_int_equal(system(arena_format(&arena, "rm -r '%s'", folder)), 0);
    free(said);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_mean_is_geometric, setup, teardown),
        cmocka_unit_test_setup_teardown(a_device_is_at_its_best_on_itself, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_wrong_or_missing_is_in_no_mean, setup, teardown),
        cmocka_unit_test_setup_teardown(another_source_is_marked, setup, teardown),
        cmocka_unit_test_setup_teardown(only_shared_cases_count, setup, teardown),
        cmocka_unit_test_setup_teardown(the_page_has_a_field_for_each_pair, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
