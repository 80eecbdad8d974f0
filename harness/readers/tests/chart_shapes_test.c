// SPDX-License-Identifier: Apache-2.0
// A case's shapes are a map of two axes, or bars if a map does not suit them.
#include "../charts/chart.h"

#include "../../record/record.h"
#include "../../record/result.h"
#include "../../../reference/tests/unit.h"
#include "../render/view.h"

#include <math.h>
#include <string.h>

enum { SHAPES = 64 };

// A shape: workgroup x and y, and two tunables.
struct made_shape {
    uint32_t x, y;
    double items, tile;
};

// Draws a case with these shapes, and returns whether the chart is a map.
static bool is_map(const struct made_shape *shapes, size_t count) {
    static struct record records[SHAPES];
    static struct named_number dim = {"n", 1025}, tunables[SHAPES][2];
    struct result result = {.records = records, .count = count};
    struct view view;
    for (size_t i = 0; i < count; i++) {
        tunables[i][0] = (struct named_number){"ITEMS", shapes[i].items};
        tunables[i][1] = (struct named_number){"TILE", shapes[i].tile};
        records[i] = (struct record){.operator= "add",
            .kernel = "add.scalar",
            .dtype = "f32",
            .name = "a",
            .case_length = 1,
            .systems = "",
            .dims = &dim,
            .dim_count = 1,
            .tunables = tunables[i],
            .tunable_count = 2,
            .wg = {shapes[i].x, shapes[i].y, 1}};
        for (int f = 0; f < FIGURE_COUNT; f++) records[i].time[f] = (struct summary){.median = NAN};
        const double ns = 100 + (double)i;
        records[i].time[FIGURE_COMPUTE] = (struct summary){ns, ns, ns, ns, ns, ns, ns, .samples = 20};
    }
    view_make(&result, &view);
    struct plot plot = {
        .view = &view, .op = &view.operators[0], .kernel = &view.operators[0].kernels[0], .template = "map"};
    assert_null(plot_shapes(&plot));
    const bool map = strcmp(plot.template, "bars.gp") != 0;
    assert_int_equal(strstr(text_str(&plot.caption), "A field is") != NULL, map);
    text_free(&plot.title), text_free(&plot.data);
    text_free(&plot.settings), text_free(&plot.caption);
    view_free(&view);
    return map;
}

static void a_map_needs_two_axes_and_few_holes(void **state) {
    static const struct {
        struct made_shape shapes[6];
        size_t count;
        bool map;
    } rows[] = {
        {{{8, 8, 1, 1}, {8, 16, 1, 1}, {16, 8, 1, 1}, {16, 16, 1, 1}}, 4, true},
        {{{8, 8, 1, 1}, {16, 16, 1, 1}, {32, 32, 1, 1}, {64, 64, 1, 1}}, 4, true}, // holes between workgroups
        {{{8, 1, 1, 1}, {16, 1, 1, 1}, {32, 1, 1, 1}}, 3, false},                  // one axis
        {{{8, 8, 1, 1}, {8, 16, 1, 1}, {8, 32, 1, 1}}, 3, false},
        {{{8, 1, 1, 1}, {16, 1, 1, 1}, {8, 1, 2, 1}, {16, 1, 2, 1}}, 4, true}, // by a tunable
        {{{8, 1, 1, 1}, {16, 1, 1, 1}, {8, 1, 1, 2}}, 3, true},                // by the second one, three of four
        {{{8, 1, 1, 1}, {16, 1, 2, 1}, {32, 1, 4, 1}, {64, 1, 8, 1}}, 4, false},
        {{{8, 1, 1, 1}, {8, 1, 2, 1}, {16, 1, 1, 1}, {16, 1, 4, 1}, {8, 1, 8, 1}}, 5, true}, // five of eight
        {{{8, 1, 1, 1}, {8, 1, 2, 1}, {16, 1, 4, 1}, {8, 1, 8, 1}}, 4, false},               // four of eight
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is_map(rows[i].shapes, rows[i].count) != rows[i].map) fail_msg("row %zu", i);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_map_needs_two_axes_and_few_holes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
