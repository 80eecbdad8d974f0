// SPDX-License-Identifier: Apache-2.0
// The data that gnuplot gets, against the records: charts_check.py computes every number of every chart again. Nothing
// is drawn. Each figure of each record has a value of its own, so no two can be exchanged unseen.
#include "../charts/chart.h"
#include "../render/render.h"
#include "../render/view.h"

#include "../../base/file.h"
#include "../../base/tests/folder.h"
#include "../../base/tests/needs.h"
#include "render_fixture.h"
#include "../../record/peers.h"
#include "../../record/record.h"
#include "../../../reference/tests/unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path_before[4000];

// Puts a stand-in before gnuplot that draws nothing.
static int setup(void **state) {
    char command[300], path[4300];
    if (folder_make(state) != 0) return -1;
    snprintf(path_before, sizeof path_before, "%s", getenv("PATH"));
    snprintf(command, sizeof command, "mkdir %s/bin && ln -s /bin/true %s/bin/gnuplot", folder, folder);
    snprintf(path, sizeof path, "%s/bin:%s", folder, path_before);
    return system(command) || setenv("PATH", path, 1);
}

static int teardown(void **state) {
    return setenv("PATH", path_before, 1) || folder_remove(state);
}

static void every_number_of_every_chart_follows_from_the_records(void **state) {
    const char *python = needs_python("json");
    struct result result = fixture_result(1);
    struct error err = {0};
    size_t charts = 0;
    char path[200];
    fixture_distinct(&result);
    snprintf(path, sizeof path, "%s/result.json", folder);
    fixture_write(path, &result);
    if (!render_report(&result, CHARTS_ALL, folder, "reports", &charts, &err)) fail_msg("%s", err.text);
    assert_int_equal(python_run(python, "harness/readers/tests/charts_check.py", folder), 0);
    result_free(&result);
}

// Each problem of add has a time of one peer or of both: factors 3 and 0.25 of the fastest kernel.
static void peers_are_drawn_by_their_time_over_ours(void **state) {
    struct result result = fixture_result(1);
    struct error err = {0};
    struct arena arena = {0};
    struct view view;
    size_t charts = 0;
    view_make(&result, &view);
    struct peer items[] = {{.name = "Slow", .version = "1"}, {.name = "Fast", .version = "2"}};
    struct peer_time times[4];
    size_t count = 0;
    for (int size = 0; size < 3; size++) {
        const double ours = compute_ns(view.operators[0].kernels[1].cases[size].best); // add.vec4 f32, the fastest
        struct named_number *n = view.operators[0].kernels[1].cases[size].best->dims;
        const struct peer_time of = {.operator= "add", .dtype = "f32", .dims = n, .dim_count = 1};
        times[count] = of, times[count].peer = "Slow", times[count++].ns = ours * 3;
        if (size < 1) times[count] = of, times[count].peer = "Fast", times[count++].ns = ours / 4;
    }
    const struct peers peers = {.items = items, .count = 2, .times = times, .time_count = count};
    result.peers = &peers;
    if (!render_report(&result, CHARTS_ALL, folder, "reports", &charts, &err)) fail_msg("%s", err.text);
    const char *data = file_read(&arena, in_folder("data/peers-elementwise.dat"), NULL, &err);
    assert_non_null(data);
    assert_string_equal(data, "0  \"add f32 16777216\" 3 NaN\n1  \"add f32 1048576\" 3 NaN\n"
                              "2  \"add f32 1025\" 3 0.25\n");
    const char *script = file_read(&arena, in_folder("charts.gp"), NULL, &err);
    assert_non_null(strstr(script, "peer_0='Slow 1'\npeer_1='Fast 2'\n"));
    result.peers = NULL;
    view_free(&view);
    arena_free(&arena);
    result_free(&result);
}

// The stand-in starts a process that holds its output, and ends only after both of them are killed.
static void a_gnuplot_that_hangs_is_ended(void **state) {
    struct arena arena = {0};
    struct error err = {0};
    struct drawings drawings;
    const char *hung = arena_format(&arena, "%s/hung", folder), *path = getenv("PATH");
    const char *stub = "#!/bin/sh\nsleep 98761 &\nsleep 98761\n";
    assert_true(file_make_folder(hung, &err));
    assert_true(file_write(in_folder("hung/gnuplot"), stub, strlen(stub), &err));
    assert_int_equal(chmod(in_folder("hung/gnuplot"), 0755), 0);
    setenv("PATH", arena_format(&arena, "%s:%s", hung, path), 1);
    struct chart_batch batch = {.arena = &arena, .folder = hung, .out = &drawings, .seconds = 0.3, .err = &err};
    assert_true(batch_open(&batch));
    batch_note(&batch, &(struct drawing){.file = "one"});
    assert_true(batch_draw(&batch, "reports/gnuplot", true));
    assert_int_equal(drawings.drawn, 0);
    assert_string_equal(drawings.items[0].missing, "gnuplot was killed, or did not end within 0.3 s");
    assert_int_not_equal(system("pgrep -f 'sleep 9876[1]' >/dev/null"), 0);
    setenv("PATH", path, 1);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_of_every_chart_follows_from_the_records),
        cmocka_unit_test(peers_are_drawn_by_their_time_over_ours),
        cmocka_unit_test(a_gnuplot_that_hangs_is_ended),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
