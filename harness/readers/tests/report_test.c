// SPDX-License-Identifier: Apache-2.0
// Tests charts and page of the fixture. Run it from the repository's root, because it needs reports/.
#include "../pages/html.h"
#include "../render/render.h"

#include "../../base/file.h"
#include "../../record/compare.h"
#include "render_fixture.h"
#include "../../record/record.h"
#include "../../record/peers.h"
#include "../../device/device_info.h"
#include "../../../reference/tests/unit.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];
static struct arena arena;
static struct result result;
static size_t charts; // of the last page

static int setup(void **state) {
    strcpy(folder, "/tmp/vkassay-report-XXXXXX");
    result = fixture_result(1);
    charts = 0;
    return mkdtemp(folder) ? 0 : -1;
}

// Sets up a test without pictures: a stand-in for gnuplot draws nothing. Drawing takes longer than all else.
static char path_of_all[4000];
static int setup_undrawn(void **state) {
    char command[200];
    if (setup(state) != 0) return -1;
    snprintf(path_of_all, sizeof path_of_all, "%s", getenv("PATH"));
    snprintf(command, sizeof command, "mkdir %s/bin && ln -s /bin/true %s/bin/gnuplot", folder, folder);
    return system(command) || setenv("PATH", arena_format(&arena, "%s/bin:%s", folder, path_of_all), 1);
}

static int teardown(void **state) {
    char command[100];
    result_free(&result);
    arena_free(&arena);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static int teardown_undrawn(void **state) {
    return setenv("PATH", path_of_all, 1) || teardown(state);
}

// Returns the text of a file in the folder.
static char *content(const char *file) {
    struct error err = {0};
    char *text = file_read(&arena, arena_format(&arena, "%s/%s", folder, file), NULL, &err);
    if (!text) fail_msg("%s", err.text);
    return text;
}

static char *page_with(enum charts which) {
    struct error err = {0};
    if (!render_report(&result, which, folder, "reports", &charts, &err)) fail_msg("%s", err.text);
    return content("report.html");
}

static long size_of(const char *file) {
    struct stat found;
    return stat(arena_format(&arena, "%s/%s", folder, file), &found) == 0 ? (long)found.st_size : -1;
}

static void every_chart_is_drawn(void **state) {
    static const char *const files[] = {"roofline", "ulp-softmax", "time-softmax.online", "time-add.vec4-f16",
        "shapes-matmul.blocked", "shapes-add.scalar", "ulp-conv2d", "regret-matmul.blocked",
        "shapes-matmul.blocked-size1"};
    page_with(CHARTS_ALL);
    // One roofline. Histograms exist for 6 of 9 operators; the others have only exact results. Lines of time and of
    // regret exist for 9 of 13 kernels: no line joins sizes of rmsnorm, transpose and conv2d, and one has one size.
    // Shapes are mapped at three sizes for 12, and at one for the other.
    assert_int_equal(charts, 1 + 6 + 9 + 9 + 12 * 3 + 1);
    assert_int_equal(size_of("time-conv2d.direct.svg"), -1);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (size_of(arena_format(&arena, "%s.svg", files[i])) < 4000) fail_msg("%s.svg", files[i]);
        if (size_of(arena_format(&arena, "%s.png", files[i])) < 8000) fail_msg("%s.png", files[i]);
    }
    assert_int_equal(size_of("gnuplot.log"), -1); // no error messages
}

// A page has at most eight charts of each kind. Kernels named on the first screen come first, here the last kernel of
// all. Pictures of the others from an earlier report are removed.
static void a_page_has_some_charts_of_each_kind(void **state) {
    static const char *const kinds[] = {"ulp", "time", "regret", "shapes"};
    page_with(CHARTS_ALL);
    const long before = size_of("shapes-matmul.blocked-size1.svg");
    const char *page = page_with(CHARTS_PAGE);
    assert_int_equal(charts, 1 + 6 + 3 * 8);
    assert_non_null(strstr(page, "<code>vkassay report --chart all</code> draws all"));
    const char *named = strstr(page, "<h2>Recommended changes</h2>");
    assert_non_null(named);
    assert_true(strstr(named, "#op-softmax\">softmax.online f32</a>") < strstr(named, "</div>"));
    assert_true(size_of("time-softmax.online.svg") > 4000);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char *command = arena_format(&arena, "test $(ls '%s'/%s-*.svg | wc -l) = %d", folder, kinds[i], i ? 8 : 6);
        if (system(command) != 0) fail_msg("%s", command);
    }
    assert_true(before > 4000);
    assert_int_equal(
        system(arena_format(&arena, "test $(cat '%s'/*.svg '%s'/*.png | wc -c) -lt 5000000", folder, folder)), 0);
}

// ---- the first screen

// The answers come in this order before everything else; the advice is the one with the greatest gain.
static void the_first_screen_answers_three_questions(void **state) {
    struct record *slow = NULL;
    for (size_t i = 0; i < result.count; i++)
        if (strcmp(result.records[i].name, "softmax.online/f32/rows=4096,cols=4096/wg=256x1x1") == 0)
            slow = &result.records[i];
    assert_non_null(slow);
    fixture_scale(slow, 9);
    const char *page = page_with(CHARTS_PAGE);
    const char *right = strstr(page, "<dt>Is it right?</dt><dd class=\"bad\">No. "),
               *fast = strstr(page, "<dt>How fast is it?</dt><dd class=\"\">Half of "),
               *change = strstr(
                   page, "<dt>What should change?</dt><dd class=\"\">softmax.online f32 rows=4096 cols=4096: use "),
               *noise = strstr(page, "<dt>How noisy are the times?</dt><dd class=\"\">Half of the times are within ±"),
               *cards = strstr(page, "<div class=cards>");
    assert_true(right && fast && change && noise && cards);
    assert_true(right < fast && fast < change && change < noise && noise < cards);
    assert_non_null(strstr(change, " instead of 256: 8.9"));
    assert_true(strstr(change, "x faster") < cards);
    for (size_t i = 0; i < result.count; i++)
        if (result.records[i].status != RECORD_PASS) fixture_becomes(&result.records[i], RECORD_SKIP, "not here");
    page = page_with(CHARTS_PAGE);
    assert_non_null(strstr(page, "<dt>Is it right?</dt><dd class=\"good\">Yes. "));
    assert_non_null(strstr(page, "<span>of memory:</span> <a href=\"#op-"));
}

static void a_share_beyond_a_roof_is_on_the_first_screen(void **state) {
    assert_null(strstr(page_with(CHARTS_PAGE), "a measured peak:"));
    json_put_double(json_get(result.context, "peaks"), "fma_f32_flops_per_s", FIXTURE_FMA / 2);
    const char *page = page_with(CHARTS_PAGE);
    const char *error = strstr(page, "<dd class=\"bad\">Error: points exceed a measured peak: matmul.blocked f32 m=");
    assert_true(error && error < strstr(page, "<div class=cards>"));
}

// Convolutions have eleven dims, many of them 1.
static void sizes_of_many_dims_have_names(void **state) {
    const char *page = page_with(CHARTS_PAGE);
    assert_non_null(strstr(page, ">cin=64 h=56 w=56 cout=64 kh=3 kw=3<"));
    assert_null(strstr(page, "1x64x56x56"));
    assert_non_null(strstr(page, "dims of 1 are omitted"));
    assert_non_null(strstr(page, ">4096x4096<")); // for two dims, the heading has the names
}

// The host writes and reads the memory of this device without a copy: 3 us and 4 us.
static void each_way_of_moving_operands_has_a_column(void **state) {
    assert_null(strstr(page_with(CHARTS_PAGE), ">mapped<"));
    for (size_t i = 0; i < result.count; i++) {
        result.records[i].time[FIGURE_MAPPED_WRITE] = fixture_summary(3000, 0.001, 60);
        result.records[i].time[FIGURE_MAPPED_READ] = fixture_summary(4000, 0.001, 60);
    }
    const char *page = page_with(CHARTS_PAGE);
    assert_non_null(strstr(page, ">memcpy<"));
    assert_non_null(strstr(page, ">copy<"));
    assert_non_null(strstr(page, ">mapped<"));
    assert_non_null(strstr(page, ">7.00 us<"));
}

// Each size of copy has only one shape left, and no system's, so there is nothing to choose.
static void sizes_without_a_choice_have_no_row_among_the_best(void **state) {
    for (size_t i = 0; i < result.count; i++) {
        struct record *r = &result.records[i];
        if (strcmp(r->kernel, "copy.vec4") != 0) continue;
        r->systems = "";
        if (r->wg[0] != 128) fixture_becomes(r, RECORD_SKIP, "not here");
    }
    const char *page = page_with(CHARTS_PAGE), *best = strstr(page, "<section id=\"best\">"),
               *end = strstr(best, "</section>"), *copy = strstr(best, ">copy.vec4<"),
               *add = strstr(best, ">add.vec4<");
    assert_true(add && add < end);
    assert_true(!copy || copy > end);
}

// Sizes are placed by bytes moved: 512 x 1024 and 512 x 33 differ in one dim, 4096 x 4096 in both. Sizes with m = n =
// k share a line.
static void lines_join_related_sizes_only(void **state) {
    page_with(CHARTS_ALL);
    char *data = content("data/time-softmax.three_pass.dat");
    const char *line = strchr(data, '\n') + 1; // after the title
    for (int point = 0; point < 2; point++) {
        assert_true(*line != '\n');
        line = strchr(line, '\n') + 1;
    }
    assert_true(line[0] == '\n' && line[1] != '\n'); // the line ends, but its series continues
    data = content("data/time-matmul.blocked.dat");
    line = strchr(data, '\n') + 1;
    for (int point = 0; point < 3; point++) {
        assert_true(*line != '\n');
        line = strchr(line, '\n') + 1;
    }
}

// Each numbered point furthest from the roof has a name in the key, and no two numbers overlap.
static void assert_labels_apart(void) {
    size_t count = 0;
    double x[8], y[8], x_lo = INFINITY, x_hi = 0, y_lo = INFINITY, y_hi = 0;
    page_with(CHARTS_ALL);
    const char *data = content("data/roofline.dat"), *end;
    for (const char *line = data; *line; line = *end ? end + 1 : end) {
        double at[4];
        unsigned number;
        end = line + strcspn(line, "\n");
        char row[200];
        snprintf(row, sizeof row, "%.*s", (int)(end - line), line);
        const int read = sscanf(row, "%lf %lf %lf %lf %u", &at[0], &at[1], &at[2], &at[3], &number);
        if (read >= 2 && at[0] < 1e4 && at[0] > 1e-4) {
            x_lo = fmin(x_lo, at[0]), x_hi = fmax(x_hi, at[0]);
            y_lo = fmin(y_lo, at[1]), y_hi = fmax(y_hi, at[1]);
        }
        if (read != 5 || count == 8) continue;
        x[count] = at[2], y[count] = at[3];
        assert_int_equal(++count, number);
    }
    assert_true(count >= 4);
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < a; b++)
            assert_true(
                fabs(log(x[a] / x[b])) > 0.01 * log(x_hi / x_lo) || fabs(log(y[a] / y[b])) > 0.02 * log(y_hi / y_lo));
}

// In the second chart, all points of operators with work are at one place.
static void labels_of_the_roofline_keep_apart(void **state) {
    assert_labels_apart();
    for (size_t i = 0; i < result.count; i++) {
        struct record *r = &result.records[i];
        if (!record_is_timed(r) || !(r->flops > 0)) continue;
        r->flops = r->bytes = 1e6;
        r->time[FIGURE_COMPUTE] = fixture_summary(1e6, 0.001, 60);
    }
    assert_labels_apart();
}

static void the_page_stands_alone_and_escapes(void **state) {
    char *page = page_with(CHARTS_ALL);
    assert_null(strstr(page, "{{"));
    assert_non_null(strstr(page, "<title>Suite quick on Test &lt;GPU&gt; 3000</title>"));
    assert_non_null(strstr(page, "<meta property=\"og:title\" content=\"Suite quick on Test &lt;GPU&gt; 3000\">"));
    assert_non_null(strstr(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert_null(strstr(page, "<script>alert"));
    assert_non_null(strstr(page, "Some &lt;CPU&gt; &amp; co"));
    assert_non_null(strstr(page, "vkassay check &#39;softmax.online/f32/rows=512,cols=33/wg=128x1x1&#39; --seed 42"));
    assert_null(strstr(page, " src=")); // nothing is fetched
    assert_null(strstr(page, "<link"));
    assert_non_null(strstr(page, "<svg"));
}

// A peer takes half the best kernel's time at one size and double at another; there is also an earlier run.
static void the_first_screen_knows_others_and_the_run_before(void **state) {
    struct result before = fixture_result(1);
    struct peer peer = {.name = "Torch <b>", .version = "2"};
    struct peer_time times[2];
    const struct compare_rules rules = COMPARE_RULES;
    struct comparison last;
    struct error err = {0};
    size_t found = 0;
    for (size_t i = 0; i < result.count && found < 2; i++) {
        const struct record *r = &result.records[i];
        if (strcmp(r->kernel, "add.vec4") != 0 || strcmp(r->dtype, "f32") != 0 || r->wg[0] != 256) continue;
        times[found] = (struct peer_time){peer.name, r->operator, r->dtype, (struct named_number *)r->dims,
            r->dim_count, r->time[FIGURE_COMPUTE].median * (found ? 2 : 0.5)};
        found++;
    }
    assert_int_equal(found, 2);
    const struct peers peers = {.items = &peer, .count = 1, .times = times, .time_count = 2};
    struct record *slower = &result.records[0];
    while (strcmp(slower->kernel, "rmsnorm.workgroup") != 0 || slower->status != RECORD_PASS) slower++;
    struct summary *time = &slower->time[FIGURE_COMPUTE];
    time->median *= 1.5, time->lo *= 1.5, time->hi *= 1.5;
    struct record *shaky = &result.records[0];
    while (strcmp(shaky->kernel, "softmax.online") != 0 || shaky->status != RECORD_PASS) shaky++;
    fixture_becomes(shaky, RECORD_CRASH, "killed by SIGSEGV");
    shaky->attempts.flaky = true;
    result.device->queue_family = 2;
    result.device->queue_flags = 6;
    assert_true(compare_results(&before, &result, &rules, &last, &err));
    result.peers = &peers;
    result.last = &last;
    const char *page = page_with(CHARTS_ALL);
    const char *others = strstr(page, "<h2>Against others</h2>"), *then = strstr(page, "<h2>Against last time</h2>");
    assert_non_null(others);
    assert_non_null(strstr(others, "Torch &lt;b&gt; 2: faster in 1 of 2 problems"));
    assert_non_null(strstr(others, "best kernel here: 1.00x (geometric mean)"));
    assert_non_null(strstr(others, "<li><strong>0.50x</strong> <a href=\"#op-add\">add.vec4 f32</a>"));
    assert_non_null(then);
    assert_non_null(strstr(then, "1 flaky, 1 slower"));
    assert_non_null(strstr(then, arena_format(&arena, "<span class=status>flaky</span> %s</li>", shaky->name)));
    assert_non_null(strstr(page, "<dt>queue</dt><dd>family 2 (compute, transfer)</dd>"));
    assert_non_null(
        strstr(then, arena_format(&arena, "<span class=status>slower</span> %s 1.500x</li>", slower->name)));
    comparison_free(&last);
    result_free(&before);
}

static void what_is_missing_is_said(void **state) {
    json_object_object_del(result.context, "peaks");
    for (size_t i = 0; i < result.count; i++) {
        result.records[i].reference.ns = NAN;
        for (int f = FIGURE_UPLOAD; f < FIGURE_COUNT; f++) result.records[i].time[f] = summarize(NULL, 0);
    }
    char *page = page_with(CHARTS_ALL);
    assert_int_equal(charts, 6 + 9 + 9 + 12 * 3 + 1);
    assert_non_null(strstr(page, "Roofline: the peak of memory was not measured"));
    assert_int_equal(size_of("roofline.svg"), -1);
}

static void without_gnuplot_there_is_a_page(void **state) {
    char *path = strdup(getenv("PATH"));
    charts = 99;
    mkdir(arena_format(&arena, "%s/bin", folder), 0755);
    assert_int_equal(symlink("/usr/bin/env", arena_format(&arena, "%s/bin/env", folder)), 0);
    setenv("PATH", arena_format(&arena, "%s/bin", folder), 1);
    char *page = page_with(CHARTS_ALL);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(charts, 0);
    assert_non_null(strstr(page, "gnuplot is not installed"));
    assert_non_null(strstr(page, "three_pass"));
    assert_non_null(strstr(page, " points wrong</strong>"));
    assert_non_null(strstr(page, ", <strong class=status>1 error</strong>"));
}

static void hostile_names_stay_names(void **state) {
    const char *owned = arena_format(&arena, "%s/owned", folder);
    const char *operator= arena_format(&arena, "../x'; system('touch %s'); '`id`\n<b>", owned);
    const char *kernel = arena_format(&arena, "../\"y\".\n'`touch %s`", owned);
    for (size_t i = 0; i < result.count; i++) {
        if (strcmp(result.records[i].operator, "add") != 0) continue;
        result.records[i].operator= operator;
        result.records[i].kernel = kernel;
    }
    char *page = page_with(CHARTS_ALL);
    assert_int_equal(access(owned, F_OK), -1);
    assert_null(strstr(page, "<b>"));
    assert_true(charts > 40);
}

static void an_empty_result_has_a_page(void **state) {
    static struct device_info device;
    result_free(&result);
    result = (struct result){.context = fixture_context(), .device = &device};
    charts = 99;
    const char *page = page_with(CHARTS_ALL);
    assert_non_null(strstr(page, "<dd class=\"\">Nothing was judged."));
    assert_null(strstr(page, "What should change?"));
    assert_int_equal(charts, 0);
}

// Keeps the points of one kernel in one shape, with intervals of +-8 % and, at one size, of +-1 %.
static void keep_one_shape(void) {
    size_t kept = 0;
    for (size_t i = 0; i < result.count; i++) {
        struct record *r = &result.records[i];
        if (strcmp(r->kernel, "add.scalar") != 0 || r->wg[0] != 256 || r->status != RECORD_PASS) continue;
        const double half = kept ? 0.08 : 0.01;
        struct summary *time = &r->time[FIGURE_COMPUTE];
        time->lo = time->median * (1 - half), time->hi = time->median * (1 + half);
        result.records[kept++] = *r;
    }
    assert_int_equal(kept, FIXTURE_SIZES);
    result.count = kept;
}

// A page of one kernel has its name as title, and no sections about shapes and skips, as there is only one shape.
static void a_page_of_one_shape_has_no_empty_section(void **state) {
    static const char *const absent[] = {"pick", "best", "skips"};
    assert_non_null(strstr(page_with(CHARTS_PAGE), "id=\"skips\""));
    keep_one_shape();
    const char *page = page_with(CHARTS_PAGE);
    assert_non_null(strstr(page, "<h1>add.scalar on Test &lt;GPU&gt; 3000</h1>"));
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        assert_null(strstr(page, arena_format(&arena, "id=\"%s\"", absent[i])));
        assert_null(strstr(page, arena_format(&arena, "href=\"#%s\"", absent[i])));
    }
    assert_non_null(strstr(page, "<a href=\"#context\">"));
    assert_non_null(strstr(page, "<dd class=\"bad\">Half of the times are within ±8.0 %; 2 of 3 times are not within "
                                 "±5 %"));
}

// A table of more than nine columns has a switch for the rest; style.css hides it.
static void a_wide_table_is_shown_by_its_first_columns(void **state) {
    const char *page = page_with(CHARTS_PAGE), *more = strstr(page, "<label class=more><input type=checkbox> all 1");
    assert_non_null(more);
    assert_non_null(strstr(more, "</label><div class=wide"));
    assert_non_null(strstr(page, "tr > :nth-child(n + 10) { display: none; }"));
    const char *skips = strstr(page, "aria-label=\"skipped\"");
    assert_int_not_equal(strncmp(skips - strlen("</label><div class=wide role=region tabindex=0 "), "</label>", 8), 0);
}

// Six shapes of one width and another tunable: a map of both, with the last field skipped.
static void shapes_are_mapped_by_another_tunable(void **state) {
    size_t seen = 0;
    for (size_t i = 0; i < result.count; i++) {
        struct record *r = &result.records[i];
        if (strcmp(r->kernel, "add.vec4") != 0 || strcmp(r->dtype, "f32") != 0) continue;
        size_t shape = seen++ % 6;
        r->wg[0] = shape < 3 ? 64 : 128;
        r->tunables[r->tunable_count++] = (struct named_number){"IT'EMS", (double)(shape % 3 + 1)};
    }
    page_with(CHARTS_ALL);
    assert_string_equal(content("data/shapes-add.vec4.dat"),
        "0 0 1.9 \"1.90x\" 0\n0 1 1.21 \"1.21x\" 0\n0 2 1.004 \"1.00x\" 0\n"
        "1 0 1 \"1.00x\" 1\n1 1 1.35 \"1.35x\" 0\n1 2 NaN \"skip\" 0\n");
    const char *script = content("charts.gp");
    assert_non_null(strstr(script, "y_title='IT''EMS'"));
    assert_true(size_of("shapes-add.vec4.svg") > 4000);
}

// Keeps only the records of one kernel and dtype.
static void keep_only(const char *kernel, const char *dtype) {
    size_t kept = 0;
    for (size_t i = 0; i < result.count; i++)
        if (strcmp(result.records[i].kernel, kernel) == 0 && strcmp(result.records[i].dtype, dtype) == 0)
            result.records[kept++] = result.records[i];
    result.count = kept;
}

// Two shapes share a field at each size; it shows the faster one, in whatever order they come.
static void a_field_is_its_fastest_shape(void **state) {
    keep_only("add.vec4", "f32");
    for (size_t i = 0; i < result.count; i++) {
        struct record *r = &result.records[i];
        size_t shape = i % 6;
        r->wg[0] = shape < 3 ? 64 : 128;
        r->tunables[r->tunable_count++] = (struct named_number){"ITEMS", shape % 3 ? 2 : 1};
        r->tunables[r->tunable_count++] = (struct named_number){"DEPTH", (double)(shape % 3)};
    }
    page_with(CHARTS_ALL);
    assert_string_equal(content("data/shapes-add.vec4.dat"),
        "0 0 1.9 \"1.90x\" 0\n0 1 1.004 \"1.00x\" 0\n1 0 1 \"1.00x\" 1\n1 1 1.35 \"1.35x\" 0\n");
}

// If there are too many shapes, the slowest are omitted. The histogram of errors is of the worst case.
static void bars_are_of_the_fastest_shapes(void **state) {
    enum { SHAPES = 45, SHOWN = 40 };
    static struct record records[SHAPES + 6];
    size_t lines = 0;
    keep_only("add.scalar", "f32");
    struct record *kept = result.records;
    for (size_t i = 0; i < SHAPES; i++) {
        records[i] = kept[0];
        records[i].wg[0] = (uint32_t)i + 1;
        records[i].check.worst_ratio = i == 7 ? 0.75 : 0.5;
        records[i].time[FIGURE_COMPUTE] = fixture_summary(1000 * (1 + 0.01 * (double)(SHAPES - i)), 0.001, 60);
    }
    records[SHAPES] = kept[6]; // at another size, with an error nearer to its bound
    records[SHAPES].check.worst_ratio = 0.875;
    result.records = records;
    result.count = SHAPES + 1;
    assert_non_null(strstr(page_with(CHARTS_ALL), "<figcaption>n=1048576, shape "));
    const char *data = content("data/shapes-add.scalar-size1.dat");
    for (const char *c = data; *c; c++) lines += *c == '\n';
    assert_int_equal(lines, SHOWN);
    assert_non_null(strstr(data, "\"45\""));
    assert_null(strstr(data, "\"5\""));
    result.records = kept;
}

// Marks appear in the page's tables, and in the chart's legend and caption, but only if they occur.
static void figures_bear_their_footnotes(void **state) {
    keep_only("softmax.online", "f32");
    for (size_t i = 0; i < result.count; i++) {
        struct record *r = &result.records[i];
        r->reference.extrapolated = r->dims[0].value == 4096;
        r->reference.scale = r->reference.extrapolated ? 37 : 1;
        if (r->wg[0] == 256 && r->dims[0].value == 4096) r->time[FIGURE_END_TO_END].samples = 3;
        if (r->wg[0] == 128) r->time[FIGURE_COMPUTE].samples = 4;
        if (r->dims[1].value == 1024) r->check.checked = 65536;
    }
    const char *page = page_with(CHARTS_ALL);
    assert_non_null(strstr(page, "x~</td>"));
    assert_non_null(strstr(page, " ms‡</td>"));
    assert_non_null(
        strstr(page, "~ an estimate: the reference&#39;s time is scaled from a part of its outputs (by up to 37).\n"));
    assert_non_null(strstr(page, "° error found in a part of the outputs (as few as 65536 of 524288 judged).\n"));
    assert_non_null(strstr(page, "‡ five samples or fewer, too few for a 95 % interval (as few as 3).</p>"));
    assert_non_null(strstr(page, "2.3/9.7°</td>"));
    assert_non_null(strstr(page, ">65.5k/524k</td>"));
    assert_null(strstr(page, "†"));
    assert_non_null(strstr(page, " of the median. ‡ five samples or fewer, too few for a 95 % interval (as few as 4)."
                                 "</figcaption>"));
    const char *data = content("data/time-softmax.online.dat");
    assert_non_null(strstr(data, "\"128‡\""));
    assert_non_null(strstr(data, "\"32\""));
    const char *script = content("charts.gp");
    assert_non_null(strstr(script, "title='softmax.online f32: time against size'\n"));
}

// All shapes of 512 x 33 take longer than those of 512 x 1024, on the same line.
static void a_size_slower_than_a_larger_one_is_marked(void **state) {
    keep_only("softmax.online", "f32");
    page_with(CHARTS_ALL);
    assert_null(strstr(content("data/time-softmax.online.dat"), "cliff"));
    for (size_t i = 0; i < result.count; i++) {
        struct record *r = &result.records[i];
        if (strcmp(r->kernel, "softmax.online") == 0 && strstr(r->name, "rows=512,cols=33/")) fixture_scale(r, 1000);
    }
    page_with(CHARTS_ALL);
    const char *cliffs = strstr(content("data/time-softmax.online.dat"), "\ncliff\n");
    assert_non_null(strstr(content("charts.gp"), "\ncliffs=1\n"));
    assert_non_null(cliffs);
    cliffs = strchr(cliffs + 1, '\n') + 1;
    assert_true(*cliffs != '\n');
    assert_true(strchr(cliffs, '\n')[1] == '\n'); // one
}

// A heading has one line, and "…" instead of the middle that does not fit. Its end stays.
static void a_heading_has_one_line(void **state) {
    keep_only("add.scalar", "f32");
    for (size_t i = 0; i < result.count; i++) {
        struct record *r = &result.records[i];
        for (r->dim_count = 1; r->dim_count < 8; r->dim_count++)
            r->dims[r->dim_count] = (struct named_number){"another", 1234567};
    }
    page_with(CHARTS_ALL);
    const char *title = strstr(content("charts.gp"), "title='add.scalar f32 1025x12345");
    if (!title) title = "";
    char *line = arena_format(&arena, "%.*s", (int)strcspn(title, "\n"), title);
    assert_non_null(strstr(line, "…"));
    assert_non_null(strstr(line, "67: slowdown by shape'"));
    assert_int_equal(strlen(line), strlen("title=''") + 52 + strlen("…") - 1);
}

static void markup_is_escaped(void **state) {
    struct text text = {0};
    put_html(&text, "<a href=\"x\">&'\x1b\n");
    assert_string_equal(text_str(&text), "&lt;a href=&quot;x&quot;&gt;&amp;&#39; ");
    text_free(&text);
    put_svg(&text, "<?xml?><!DOCTYPE svg><svg><g id=\"a\"/><use xlink:href='#a'/></svg>", "c1-");
    assert_string_equal(text_str(&text), "<svg><g id=\"c1-a\"/><use xlink:href='#c1-a'/></svg>");
    text_free(&text);
    put_svg(&text,
        "<svg><title>Gnuplot</title>\n<g fill=\"none\">\n</g>\n<filter id='x'><feFlood/></filter><g "
        "fill=\"x\"><path/></g></svg>",
        "");
    assert_string_equal(text_str(&text), "<svg><g fill=\"x\"><path/></g></svg>");
    text_free(&text);
}

// gnuplot leaves out rows of a key that does not fit.
static void the_key_of_a_full_roofline_names_every_line(void **state) {
    enum { ROOFS = 9, FAMILIES = 13, OUTLIERS = 5, LINES = 1 + ROOFS + FAMILIES + OUTLIERS };
    struct text data = {0}, script = {0};
    struct error err = {0};
    for (int i = 0; i < LINES; i++)
        text_format(&data, "\"line_%d_ broadcast_.. f32 0123\"\n1 1 2 2 1\n10 10 20 20 1\n\n\n", i);
    text_format(&script,
        "templates = 'reports/gnuplot/'; load templates.'common.gp'; data = '%s/full.dat'; name = '%s/full'; title = "
        "'t'; "
        "roofs = %d; families = %d; outliers = %d; x_lo = 0.1; x_hi = 100; y_lo = 0.1; y_hi = 100; "
        "load templates.'roofline.gp'; load templates.'output.gp'\n",
        folder, folder, ROOFS, FAMILIES, OUTLIERS);
    assert_true(file_write(arena_format(&arena, "%s/full.dat", folder), data.data, data.length, &err));
    assert_true(file_write(arena_format(&arena, "%s/full.gp", folder), script.data, script.length, &err));
    assert_int_equal(system(arena_format(&arena, "gnuplot %s/full.gp", folder)), 0);
    const char *svg = content("full.svg");
    for (int i = 0; i < LINES; i++) { // a name is first the title of the line's group
        const char *name = arena_format(&arena, "line_%d_", i), *title = strstr(svg, name);
        if (!title || !strstr(title + 1, name)) fail_msg("the key lacks line %d of %d", i, LINES);
    }
    text_free(&data);
    text_free(&script);
}

#define DRAWN(TEST) cmocka_unit_test_setup_teardown(TEST, setup, teardown)
#define UNDRAWN(TEST) cmocka_unit_test_setup_teardown(TEST, setup_undrawn, teardown_undrawn)

int main(void) {
    const struct CMUnitTest tests[] = {
        DRAWN(every_chart_is_drawn),
        DRAWN(the_key_of_a_full_roofline_names_every_line),
        DRAWN(a_page_has_some_charts_of_each_kind),
        UNDRAWN(the_first_screen_answers_three_questions),
        UNDRAWN(a_share_beyond_a_roof_is_on_the_first_screen),
        UNDRAWN(sizes_of_many_dims_have_names),
        UNDRAWN(each_way_of_moving_operands_has_a_column),
        UNDRAWN(sizes_without_a_choice_have_no_row_among_the_best),
        UNDRAWN(lines_join_related_sizes_only),
        UNDRAWN(a_size_slower_than_a_larger_one_is_marked),
        UNDRAWN(labels_of_the_roofline_keep_apart),
        DRAWN(the_page_stands_alone_and_escapes),
        UNDRAWN(the_first_screen_knows_others_and_the_run_before),
        DRAWN(what_is_missing_is_said),
        DRAWN(without_gnuplot_there_is_a_page),
        DRAWN(hostile_names_stay_names),
        UNDRAWN(an_empty_result_has_a_page),
        UNDRAWN(a_page_of_one_shape_has_no_empty_section),
        UNDRAWN(a_wide_table_is_shown_by_its_first_columns),
        DRAWN(shapes_are_mapped_by_another_tunable),
        UNDRAWN(a_field_is_its_fastest_shape),
        DRAWN(bars_are_of_the_fastest_shapes),
        DRAWN(figures_bear_their_footnotes),
        UNDRAWN(a_heading_has_one_line),
        cmocka_unit_test(markup_is_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
