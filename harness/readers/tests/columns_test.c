// SPDX-License-Identifier: Apache-2.0
// Tests every column of the tables of cases. No two figures of the made-up kernel are equal, and the cells were
// computed by hand, so no column can show what belongs to another.
#include "../../device/device_info.h"
#include "../../record/peers.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../render/choice.h"
#include "../table/case_columns.h"
#include "../../../reference/tests/unit.h"

#include <math.h>
#include <string.h>

enum { SIZES = 2, SHAPES = 9, BEST = 3 };

static struct record records[SIZES * SHAPES];
static struct result result;
static struct view view;
static struct choice choice;
static struct arena arena;

// The shapes, with their times by size in microseconds; 0: not timed.
static const struct {
    uint32_t x, y;
    double us[SIZES];
    enum record_status status[SIZES];
} shapes[SHAPES] = {
    {32, 1, {340, 720}, {RECORD_PASS, RECORD_PASS}}, // the default
    {64, 1, {300, 640}, {RECORD_PASS, RECORD_PASS}},
    {96, 1, {0, 0}, {RECORD_FAIL, RECORD_SKIP}},
    {128, 1, {200, 500}, {RECORD_PASS, RECORD_PASS}}, // the best of the first size
    {256, 1, {230, 400}, {RECORD_PASS, RECORD_PASS}}, // the best of the second size
    {16, 16, {210, 600}, {RECORD_PASS, RECORD_PASS}},
    {512, 1, {220, 420}, {RECORD_PASS, RECORD_PASS}}, // the portable pick
    {1024, 1, {500, 0}, {RECORD_PASS, RECORD_CRASH}}, // the systems' shape
    {2048, 1, {0, 0}, {RECORD_SKIP, RECORD_SKIP}},
};

static struct summary around(double us, double half) {
    return (struct summary){.median = us * 1e3,
        .lo = us * 1e3 * (1 - half),
        .hi = us * 1e3 * (1 + half),
        .min = us * 1e3 * (1 - half),
        .max = us * 1e3 * (1 + half),
        .samples = 60};
}

// Sets the figures that only the best shape of the first size has.
static void make_best(struct record *best) {
    static struct named_number code[] = {
        {"Register Count", 40}, {"Local Memory Size", 64}, {"Shared Memory Size", 2048}};
    static const double us[FIGURE_COUNT] = {[FIGURE_UPLOAD] = 30,
        [FIGURE_DOWNLOAD] = 10,
        [FIGURE_HOST_WRITE] = 5,
        [FIGURE_HOST_READ] = 7,
        [FIGURE_MAPPED_WRITE] = 3,
        [FIGURE_MAPPED_READ] = 4.5,
        [FIGURE_SUBMIT] = 21,
        [FIGURE_END_TO_END] = 900};
    for (int f = FIGURE_UPLOAD; f < FIGURE_COUNT; f++) best->time[f] = around(us[f], 0.03);
    best->reference.ns = 1.8e6, best->reference.scale = 1;
    best->energy.joules = 0.0123, best->energy.watts = 61.5, best->energy.source = "nvml";
    best->memory_used = 1 << 20, best->memory_peak = 3 << 20;
    best->code = code, best->code_count = 3;
}

static void make_record(struct record *r, int size, int shape) {
    static struct named_number dims[SIZES] = {{"n", 1000}, {"n", 3000}};
    *r = (struct record){.operator= "add",
        .kernel = "add.scalar",
        .dtype = "f32",
        .name = size ? "b" : "a",
        .case_length = 1,
        .systems = shapes[shape].x == 1024 ? "torchless" : "",
        .dims = &dims[size],
        .dim_count = 1,
        .wg = {shapes[shape].x, shapes[shape].y, 1},
        .is_default = shapes[shape].x == 32,
        .status = shapes[shape].status[size],
        .clock = CLOCK_GPU,
        .reference.ns = NAN,
        .energy.joules = NAN,
        .flops = 1e6,
        .bytes = 2.4e6 * (size + 1)};
    if (shapes[shape].us[size] > 0) r->time[FIGURE_COMPUTE] = around(shapes[shape].us[size], 0.005);
    if (r->status != RECORD_PASS && r->status != RECORD_FAIL) return;
    r->check.checked = 400, r->check.elements = 1000;
    r->check.max_ulp = shape == 1 ? 7.5 : 4, r->check.worst_ulp = 1, r->check.bound_ulp = 2;
    r->check.worst_ratio = 0.5;
    if (r->status == RECORD_FAIL) r->check.worst_ulp = 3, r->check.worst_ratio = 1.5, r->leaves = "nan, ties";
}

static int setup(void **state) {
    static struct peer peer = {.name = "PyTorch"};
    static struct named_number n = {"n", 1000};
    static struct device_info device = {.vendor_id = 0x10de};
    static struct peer_time time = {"PyTorch", "add", "f32", &n, 1, 1e5};
    static const struct peers peers = {.items = &peer, .count = 1, .times = &time, .time_count = 1};
    for (int size = 0; size < SIZES; size++)
        for (int shape = 0; shape < SHAPES; shape++) make_record(&records[size * SHAPES + shape], size, shape);
    make_best(&records[BEST]);
    result = (struct result){.records = records, .count = SIZES * SHAPES, .device = &device, .peers = &peers};
    result.context = json_tokener_parse("{\"peaks\":{\"copy_bytes_per_s\":2e10,\"fma_f32_flops_per_s\":8e10}}");
    view_make(&result, &view);
    choice = choice_of(view.kernels[0]);
    return 0;
}

static int teardown(void **state) {
    view_free(&view);
    arena_free(&arena);
    json_object_put(result.context);
    return 0;
}

// The cells of both sizes, by place. For example, 240 us are 30 up, 200 of compute and 10 down; of 64 warps, 12
// workgroups of 4 fit with 40 registers.
static const struct expected {
    const char *title, *text;
    double sort;
} page[SIZES][40] = {
    {{"kernel", "scalar", NAN}, {"type", "f32", NAN}, {"size", "1000", 1000}, {"best shape", "128", 128},
        {"error", "3/2°", 1.5}, {"time", "200 us", 2e5}, {"±", "±0.5%", 0.01}, {"rate", "12.0 GB/s", 12e9},
        {"peak", "60%", 0.6}, {"system shape", "1024: 2.50x TL", 2.5}, {"roof", "memory", NAN},
        {"others", "PyTorch 0.50x", 0.5}, {"fits", "all", 3}, {"checked", "400/1.00k", 0.4},
        {"leaves open", "nan, ties", NAN}, {"move", "17%", 40.0 / 240}, {"memcpy", "12.0 us", 12e3},
        {"copy", "40.0 us", 40e3}, {"mapped", "7.50 us", 7500}, {"end to end", "900 us", 9e5}, {"speed-up", "9.00x", 9},
        {"with transfer", "2.00x", 2}, {"energy", "12.3 mJ", 0.0123}, {"memory", "3.00 MiB", 3 << 20},
        {"max ULP", "7.5", 7.5}, {"registers", "40, 64 spilled, 2 KiB", 40}, {"occupancy", "75%", 0.75},
        {"right", "7/8", 7}, {"errors", "", 0}},
    {{"kernel", "scalar", NAN}, {"type", "f32", NAN}, {"size", "3000", 3000}, {"best shape", "256", 256},
        {"error", "1/2°", 0.5}, {"time", "400 us", 4e5}, {"±", "±0.5%", 0.01}, {"rate", "12.0 GB/s", 12e9},
        {"peak", "60%", 0.6}, {"system shape", "1024: crash TL", NAN}, {"roof", "memory", NAN}, {"others", "", NAN},
        {"fits", "webgpu, webgpu-max", 2}, {"checked", "400/1.00k", 0.4}, {"leaves open", "", NAN}, {"move", "-", NAN},
        {"memcpy", "-", NAN}, {"copy", "-", NAN}, {"mapped", "-", NAN}, {"end to end", "-", NAN},
        {"speed-up", "-", NAN}, {"with transfer", "-", NAN}, {"energy", "", NAN}, {"memory", "", NAN},
        {"max ULP", "7.5", 7.5}, {"registers", "", NAN}, {"occupancy", "", NAN}, {"right", "6/6", 6},
        {"errors", "1", 1}}};
static const struct expected terminal[SIZES][40] = {
    {{"kernel", "scalar", NAN}, {"type", "f32", NAN}, {"size", "1000", 1000}, {"best shape", "128", 128},
        {"system shape", "1024: 2.50x TL", 2.5}, {"time", "200 us", 2e5}, {"±", "±0.5%", 0.01},
        {"rate", "12.0 GB/s", 12e9}, {"peak", "60%", 0.6}, {"others", "PyTorch 0.50x", 0.5},
        {"move", "17%", 40.0 / 240}, {"error", "3/2°", 1.5}, {"right", "7/8", 7}, {"errors", "", 0}},
    {{"kernel", "scalar", NAN}, {"type", "f32", NAN}, {"size", "3000", 3000}, {"best shape", "256", 256},
        {"system shape", "1024: crash TL", NAN}, {"time", "400 us", 4e5}, {"±", "±0.5%", 0.01},
        {"rate", "12.0 GB/s", 12e9}, {"peak", "60%", 0.6}, {"others", "", NAN}, {"move", "-", NAN},
        {"error", "1/2°", 0.5}, {"right", "", 6}, {"errors", "1", 1}}};
static const struct expected headline[SIZES][40] = {
    {{"kernel", "add.scalar", NAN}, {"type", "f32", NAN}, {"size", "n=1000", 1000}, {"best shape", "128", 128},
        {"system shape", "1024: 2.50x TL", 2.5}, {"over pick", "1.10x", 1.1}, {"over 64", "1.50x", 1.5},
        {"over 256", "1.05x", 1.05}, {"time", "200 us", 2e5}, {"rate", "12.0 GB/s", 12e9}, {"peak", "60%", 0.6},
        {"others", "PyTorch 0.50x", 0.5}, {"over largest", "1024: 2.50x", 2.5}, {"bucket", "2^9", 9},
        {"fits", "all", 3}},
    {{"kernel", "add.scalar", NAN}, {"type", "f32", NAN}, {"size", "n=3000", 3000}, {"best shape", "256", 256},
        {"system shape", "1024: crash TL", NAN}, {"over pick", "1.05x", 1.05}, {"over 64", "1.60x", 1.6},
        {"over 256", "=1.00x", 1}, {"time", "400 us", 4e5}, {"rate", "12.0 GB/s", 12e9}, {"peak", "60%", 0.6},
        {"others", "", NAN}, {"over largest", "1024: crash", NAN}, {"bucket", "2^11", 11},
        {"fits", "webgpu, webgpu-max", 2}}};
static const struct expected of_choice[40] = {{"kernel", "add.scalar", NAN}, {"type", "f32", NAN},
    {"portable pick", "512", 512}, {"regret", "1.10x", 1.1}, {"at size", "n=1000", 9}, {"sizes", "2", 2},
    {"shapes", "6", 6}, {"systems", "2.50x (1/2), wrong", 2.5}, {"default", "1.80x", 1.8},
    {"in webgpu", "256: 1.15x", 1.15}, {"64", "1.60x", 1.6}, {"256", "1.15x", 1.15},
    {"largest", "1024: 2.50x (1/2), wrong", 2.5}, {"fits", "webgpu-max", 1},
    {"in vulkan-1.1-mobile", "128: 1.25x", 1.25}, {"in webgpu-max", "512: 1.10x", 1.1}};

static bool same_key(double a, double b) {
    return isnan(a) ? isnan(b) : fabs(a - b) <= 1e-9 * fabs(b);
}

static void compare(const struct table *table, size_t row, const struct expected *expected) {
    for (int i = 0; i < table->column_count; i++) {
        const struct cell *cell = &table->rows[row][i];
        assert_non_null(expected[i].title);
        assert_string_equal(table->columns[i]->title, expected[i].title);
        if (strcmp(cell->text, expected[i].text) != 0 || !same_key(cell->sort, expected[i].sort))
            fail_msg("%s: \"%s\", sorted by %g; expected \"%s\", by %g", expected[i].title, cell->text, cell->sort,
                expected[i].text, expected[i].sort);
    }
    assert_null(expected[table->column_count].title);
}

static void compare_cases(enum shown_place place, const struct expected expected[SIZES][40]) {
    struct table table;
    const struct case_rows which = {NULL, SIZE_MAX, true, &choice, NULL};
    assert_int_equal(case_table(&table, &arena, &view, &which, place), SIZES);
    for (size_t row = 0; row < SIZES; row++) compare(&table, row, expected[row]);
}

static void a_page_shows_each_figure_in_its_column(void **state) {
    compare_cases(ON_PAGE, page);
    compare_cases(ON_HEADLINE, headline);
}

static void a_terminal_shows_each_figure_in_its_column(void **state) {
    compare_cases(ON_TERMINAL, terminal);
}

static void a_pick_and_the_rules_are_in_their_columns(void **state) {
    struct table table;
    const struct row row = {.result = &result, .kernel = view.kernels[0], .choice = &choice};
    table_make(&table, &arena, case_columns, ON_CHOICE, &row, sizeof row, 1);
    compare(&table, 0, of_choice);
}

// The pick 256 is the best shape of the second size, but loses at the first.
static void a_size_without_news_has_no_row(void **state) {
    struct table table;
    struct choice pick = choice;
    const struct case_rows which = {NULL, SIZE_MAX, true, &pick, NULL};
    for (int i = 0; i < SIZES * SHAPES; i++) records[i].systems = "";
    pick.shape = &records[SHAPES + 4];
    assert_int_equal(case_table(&table, &arena, &view, &which, ON_HEADLINE), 1);
    assert_string_equal(table.rows[0][2].text, "n=1000");
    assert_int_equal(case_table(&table, &arena, &view, &which, ON_PAGE), SIZES);
    for (int i = 0; i < SIZES * SHAPES; i++) records[i].systems = shapes[i % SHAPES].x == 1024 ? "torchless" : "";
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_shows_each_figure_in_its_column),
        cmocka_unit_test(a_terminal_shows_each_figure_in_its_column),
        cmocka_unit_test(a_size_without_news_has_no_row),
        cmocka_unit_test(a_pick_and_the_rules_are_in_their_columns),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
