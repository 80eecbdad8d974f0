// SPDX-License-Identifier: Apache-2.0
// Tests the tables of the pages of several results, of a history and of mutants. The cells were computed by hand from
// figures of which no two are equal.
#include "../render/render.h"

#include "../../base/file.h"
#include "../../device/device_info.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../record/result_set.h"
#include "history_fixture.h"
#include "../../record/tests/case_length.h"
#include "page_reader.h"

#include <math.h>

static struct arena arena;
static char folder[64];

static int setup(void **state) {
    strcpy(folder, "/tmp/vkassay-tables-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state) {
    const int left = system(arena_format(&arena, "rm -r '%s'", folder));
    arena_free(&arena);
    return left;
}

static const char *content(const char *name) {
    struct error err = {0};
    const char *text = file_read(&arena, arena_format(&arena, "%s/%s", folder, name), NULL, &err);
    if (!text) fail_msg("%s", err.text);
    return text;
}

static void set_time(struct record *r, double us) {
    r->time[FIGURE_COMPUTE] = (struct summary){.median = us * 1e3,
        .lo = us * 995,
        .hi = us * 1005,
        .q1 = us * 998,
        .q3 = us * 1002,
        .min = us * 990,
        .max = us * 1100,
        .samples = 60};
}

// Makes a point of add.scalar; 0 us: it failed.
static void make_point(struct record *r, double n, uint32_t x, double us) {
    struct named_number *dims = arena_alloc(&arena, 1, sizeof *dims);
    *dims = (struct named_number){"n", n};
    *r = (struct record){.operator= "add",
        .kernel = "add.scalar",
        .dtype = "f32",
        .name = arena_format(&arena, "add.scalar/f32/n=%.0f/wg=%ux1x1", n, x),
        .systems = "",
        .dims = dims,
        .dim_count = 1,
        .wg = {x, 1, 1},
        .clock = CLOCK_GPU,
        .reference.ns = NAN,
        .status = us > 0 ? RECORD_PASS : RECORD_FAIL,
        .reason = us > 0 ? NULL : "made up",
        .bytes = 1200 * n};
    r->case_length = case_length(r->name);
    if (us > 0) set_time(r, us);
}

static struct json_object *context_of(const char *suite, const char *started, const char *git, double copy) {
    return json_tokener_parse(arena_format(&arena,
        "{\"schema_version\":2,\"tool\":{\"git\":\"%s\"},\"host\":{},"
        "\"run\":{\"suite\":\"%s\",\"seed\":\"%s-seed\",\"started\":\"%s\"},"
        "\"peaks\":{\"copy_bytes_per_s\":%g}}",
        git, suite, suite, started, copy));
}

// ---- two cards: the first one's best shapes are 64 at both sizes, the second one's are 128

enum { POINTS = 6 };

static void make_cards(struct result results[2]) {
    static const struct {
        double n;
        uint32_t x;
        double us[2];
    } points[POINTS] = {{1000, 64, {100, 300}}, {1000, 128, {125, 200}}, {1000, 256, {500, 600}}, {3000, 64, {300, 0}},
        {3000, 128, {400, 700}}, {3000, 256, {550, 800}}};
    static const char *const texts[2][5] = {{"Card A", "one", "1.0", "quick", "2026-01-01T00:00:00Z"},
        {"Card B", "two", "2.0", "full", "2026-02-02T00:00:00Z"}};
    for (size_t d = 0; d < 2; d++) {
        results[d] = (struct result){.records = arena_alloc(&arena, POINTS, sizeof(struct record)),
            .count = POINTS - d,
            .device = arena_alloc(&arena, 1, sizeof(struct device_info)),
            .context = context_of(texts[d][3], texts[d][4], "v1", d ? 1e10 : 2e10)};
        snprintf(results[d].device->name, sizeof results[d].device->name, "%s", texts[d][0]);
        snprintf(results[d].device->driver_name, sizeof results[d].device->driver_name, "%s", texts[d][1]);
        snprintf(results[d].device->driver_info, sizeof results[d].device->driver_info, "%s", texts[d][2]);
        for (size_t i = 0; i < POINTS; i++)
            make_point(&results[d].records[i], points[i].n, points[i].x, points[i].us[d]);
    }
    results[1].records[2] = results[1].records[5]; // the second lacks 256 at the smaller size
}

static void release(struct result *results, size_t count) {
    for (size_t i = 0; i < count; i++) json_object_put(results[i].context);
}

// 64 on the second card: 300 / 200, and a failure. 128 on the first: 125 / 100 and 400 / 300.
static void a_page_of_devices_has_each_figure_in_its_place(void **state) {
    struct result results[2];
    struct error err = {0};
    make_cards(results);
    const struct gallery_item items[] = {{"a.json", "a.html"}, {"b.json", "b.html"}};
    const struct result_set set = {.results = results, .count = 2};
    if (!render_gallery(&set, items, DEVICE_UNIT_AND_DRIVER, "devices", folder, "reports", NULL, &err))
        fail_msg("%s", err.text);
    const char *page = content("devices.html"), *costs = "slowdown of one device&#39;s best shapes on another";
    static const struct seen_cell shapes[][7] = {
        {{"device", "Card A"}, {"kernel", "add.scalar f32"}, {"size", "n=3000"}, {"best shape", "64"},
            {"time", "300 us"}, {"cost elsewhere", "fail on Card B"}},
        {{"device", "Card A"}, {"kernel", "add.scalar f32"}, {"size", "n=1000"}, {"best shape", "64"},
            {"time", "100 us"}, {"cost elsewhere", "1.50x on Card B"}},
        {{"device", "Card B"}, {"kernel", "add.scalar f32"}, {"size", "n=3000"}, {"best shape", "128"},
            {"time", "700 us"}, {"cost elsewhere", "1.33x on Card A"}},
        {{"device", "Card B"}, {"kernel", "add.scalar f32"}, {"size", "n=1000"}, {"best shape", "128"},
            {"time", "200 us"}, {"cost elsewhere", "1.25x on Card A"}}};
    for (size_t i = 0; i < 4; i++) assert_row(&arena, page, "best shapes", i, shapes[i]);
    assert_row(&arena, page, "results", 0,
        (const struct seen_cell[]){{"device", "Card A"}, {"driver", "one 1.0"}, {"suite", "quick"},
            {"started", "2026-01-01T00:00:00Z"}, {"points", "6"}, {"file", "a.json"}, {"page", "a.html"}, {0}});
    assert_row(&arena, page, "results", 1,
        (const struct seen_cell[]){{"device", "Card B"}, {"driver", "two 2.0"}, {"suite", "full"},
            {"started", "2026-02-02T00:00:00Z"}, {"points", "5"}, {"file", "b.json"}, {"page", "b.html"}, {0}});
    assert_row(&arena, page, costs, 0,
        (const struct seen_cell[]){{"best shapes of", "Card A"}, {"on Card A", "1.00x, worst 1.00x (2)"},
            {"on Card B", "1.50x (1), 1 wrong"}, {0}});
    assert_row(&arena, page, costs, 1,
        (const struct seen_cell[]){{"best shapes of", "Card B"}, {"on Card A", "1.29x, worst 1.33x (2)"},
            {"on Card B", "1.00x, worst 1.00x (2)"}, {0}});
    // At the larger size 3.6 MB in 300 us of 20 GB/s, and in 700 us of 10 GB/s; speeds: 100 / 200 and 300 / 700.
    assert_row(&arena, page, "share of the roof", 0,
        (const struct seen_cell[]){{"family", "elementwise"}, {"Card A", "60% (1)"}, {"Card B", "51% (1)"}, {0}});
    assert_row(&arena, page, "speed against the fastest device", 0,
        (const struct seen_cell[]){
            {"family", "elementwise"}, {"Card A", "100% worst 100% (2)"}, {"Card B", "46% worst 43% (2)"}, {0}});
    release(results, 2);
}

// ---- a history of twelve runs

enum { RUNS = 12, SERIES = 6, CHANGE = 7 };

// Two points become slower at the eighth run and one becomes faster; three stay. A point of the third run failed.
static void make_runs(struct result results[RUNS], const char *paths[RUNS]) {
    static const double after[SERIES] = {1.5, 1.25, 0.8, 1, 1, 1};
    for (size_t r = 0; r < RUNS; r++) {
        results[r] = (struct result){.records = arena_alloc(&arena, SERIES, sizeof(struct record)),
            .count = SERIES,
            .device = arena_alloc(&arena, 1, sizeof(struct device_info)),
            .context = context_of(arena_format(&arena, "suite%zu", r + 1),
                arena_format(&arena, "2026-03-%02zuT00:00:00Z", r + 1), r < CHANGE ? "aaaaaaa" : "bbbbbbb", 2e10)};
        strcpy(results[r].device->name, "Card");
        snprintf(results[r].device->driver_info, sizeof results[r].device->driver_info, "driver%zu", r + 1);
        paths[r] = arena_format(&arena, "%s/day-%zu.json", folder, r + 1);
        for (size_t i = 0; i < SERIES; i++)
            make_point(&results[r].records[i], 1000 + (double)i, 64,
                r == 2 && i == 0 ? 0 : 100 * (double)(i + 1) * (r < CHANGE ? 1 : after[i]));
    }
}

static void a_history_has_each_figure_in_its_place(void **state) {
    struct result results[RUNS];
    const char *paths[RUNS];
    struct error err = {0};
    size_t charts;
    make_runs(results, paths);
    struct histories histories = {0};
    histories_of(results, paths, RUNS, &(const struct history_rules){DEVICE_UNIT, 0.03, NULL}, &histories);
    assert_int_equal(histories.count, 1);
    if (!history_page(&histories.items[0], folder, "reports", NULL, &charts, &err)) fail_msg("%s", err.text);
    histories_free(&histories);
    const char *page = content("history.html");
    assert_row(&arena, page, "runs", 2,
        (const struct seen_cell[]){{"run", "3"}, {"started", "2026-03-03T00:00:00Z"}, {"suite", "suite3"},
            {"seed", "suite3-seed"}, {"driver", "driver3"}, {"vkassay", "aaaaaaa"}, {"not right", "1"},
            {"file", "day-3.json"}, {0}});
    assert_row(&arena, page, "points", 0,
        (const struct seen_cell[]){{"point", "add.scalar/f32/n=1000/wg=64x1x1"}, {"runs", "11"}, {"not right", "1"},
            {"first", "100 us"}, {"last", "150 us"}, {"last / first", "1.500x"}, {"counts from", "3.0 %"},
            {"changes", "run 8: 1.500x"}, {0}});
    assert_row(&arena, page, "points", 2,
        (const struct seen_cell[]){{"point", "add.scalar/f32/n=1002/wg=64x1x1"}, {"runs", "12"}, {"not right", "0"},
            {"first", "300 us"}, {"last", "240 us"}, {"last / first", "0.800x"}, {"counts from", "3.0 %"},
            {"changes", "run 8: 0.800x"}, {0}});
    assert_row(&arena, page, "changes", 1,
        (const struct seen_cell[]){{"point", "add.scalar/f32/n=1001/wg=64x1x1"},
            {"since run", "8, 2026-03-08T00:00:00Z"}, {"change", "1.250x"}, {"counts from", "3.0 %"},
            {"between revisions", "aaaaaaa..bbbbbbb"},
            {"to find it", "git bisect start bbbbbbb aaaaaaa &amp;&amp; git bisect run scripts/ab.sh aaaaaaa "
                           "add.scalar/f32/n=1001/wg=64x1x1"},
            {0}});
    assert_string_equal(content("data/card-history.dat"),
        "0 0.333333 1 \"slower since\" \"2 of 6\"\n1 0.166667 0 \"faster since\" \"1 of 6\"\n"
        "2 0.5 0 \"level\" \"3 of 6\"\n");
    // The second point: a run, its median and its interval, in microseconds.
    const char *data = content("data/history-002-add.scalar_f32_n_1001_wg_64x1x1.dat");
    assert_int_equal(strncmp(data, "1 200 199 201\n2 200 199 201\n", 28), 0);
    assert_non_null(strstr(data, "\n8 250 248.75 251.25\n"));
    release(results, RUNS);
}

// ---- mutants

#define MUTANT(verdict, operation, seconds)                                                                            \
    "{\"verdict\":\"" verdict "\",\"operation\":\"" operation "\",\"seconds\":" seconds "}"
#define KILLED MUTANT("killed", "op.one", "1")
#define UNSEEN MUTANT("unseen", "op.one", "2")
#define EQUIVALENT MUTANT("equivalent", "op.two", "4,\"name\":\"m2\",\"rule\":\"r1\"")
#define INVALID MUTANT("invalid", "op.two", "8")
#define NOT_RUN MUTANT("not-run", "op.two", "16")
#define SURVIVED                                                                                                       \
    "{\"verdict\":\"survived\",\"operation\":\"op.two\",\"seconds\":32,\"name\":\"m1\",\"change\":\"a to "             \
    "b\",\"file\":"                                                                                                    \
    "\"x.comp\",\"line\":2,\"text\":\"y = b;\",\"instruction\":\"OpIAdd\",\"replay\":\"vkassay mutate "                \
    "m1\",\"points\":9}"

// One kernel has 6 killed, 1 survived, 5 unseen, 2 equivalent, 3 invalid and 4 not run. The other has one killed.
static const char mutants[] =
    "{\"device\":{\"name\":\"Card\",\"driver_info\":\"1.0\"},\"run\":{\"seed\":\"7\"},\"jobs\":2,"
    "\"rules\":[{\"name\":\"r1\",\"why\":\"allowed\",\"source\":\"chapter 3\"}],\"mutated\":["
    "{\"name\":\"k.one\",\"family\":\"matrix\",\"seconds\":100,\"caveat\":\"only "
    "f32\",\"sources\":{\"x.comp\":\"first;\\n"
    "second;\\nthird;\\n\"},\"mutants\":[" KILLED "," KILLED "," KILLED "," KILLED "," KILLED "," KILLED "," SURVIVED
    "," UNSEEN "," UNSEEN "," UNSEEN "," UNSEEN "," UNSEEN "," EQUIVALENT "," EQUIVALENT "," INVALID "," INVALID
    "," INVALID "," NOT_RUN "," NOT_RUN "," NOT_RUN "," NOT_RUN "]},"
    "{\"name\":\"k.two\",\"family\":\"reduction\",\"seconds\":20,\"mutants\":[" KILLED "]}]}";

static void a_page_of_mutants_has_each_figure_in_its_place(void **state) {
    struct error err = {0};
    struct json_object *result = json_tokener_parse(mutants);
    assert_non_null(result);
    if (!render_mutants_page(result, folder, "reports", &err) || !render_mutants_markdown(result, folder, &err))
        fail_msg("%s", err.text);
    const char *page = content("mutants.html"), *markdown = content("mutants.md");
    // 6 + 32 + 10 + 8 + 24 + 64 seconds
    assert_row(&arena, page, "kernels", 0,
        (const struct seen_cell[]){{"kernel", "k.one"}, {"score", "0.857"}, {"killed", "6"}, {"survived", "1"},
            {"unseen", "5"}, {"equivalent", "2"}, {"invalid", "3"}, {"not run", "4"}, {"s", "144.0"},
            {"note", "only f32"}, {0}});
    assert_row(&arena, page, "families", 1,
        (const struct seen_cell[]){{"family", "reduction"}, {"score", "1.000"}, {"killed", "1"}, {"survived", "-"},
            {"unseen", "-"}, {"equivalent", "-"}, {"invalid", "-"}, {"not run", "-"}, {"s", "1.0"}, {0}});
    assert_row(&arena, page, "mutations", 1,
        (const struct seen_cell[]){{"mutation", "op.two"}, {"score", "0.000"}, {"killed", "-"}, {"survived", "1"},
            {"unseen", "-"}, {"equivalent", "2"}, {"invalid", "3"}, {"not run", "4"}, {"s", "128.0"}, {0}});
    // 15 mutants were tried in 120 seconds of two workers.
    static const char told[] = "2 kernels, 19 mutants: 7 killed, 1 survived (score 0.875), 5 unseen, 2 equivalent, 4 "
                               "not run; 3 more were not ";
    static const char rate[] = "; 15 mutants a minute";
    assert_non_null(strstr(page, told));
    assert_non_null(strstr(markdown, told));
    assert_non_null(strstr(markdown, rate));
    assert_non_null(strstr(page, "<i>   2</i> second;\n<span class=mutant><b>a to b</b> op.two\nOpIAdd\nvkassay mutate "
                                 "m1\n</span><i>   3</i> third;\n"));
    assert_non_null(strstr(markdown, "| k.one | x.comp:2 | y = b; | a to b | op.two |\n"));
    assert_non_null(strstr(markdown, "\nCard, 1.0; seed 7.\n"));
    assert_non_null(strstr(markdown, "\n| r1 | 2 | m2 | allowed | chapter 3 |\n"));
    assert_string_equal(content("data/card-mutants.dat"),
        "0 0.857143 0 \"matrix\" \"6 of 7 killed\"\n1 1 0 \"reduction\" \"1 of 1 killed\"\n");
    json_object_put(result);
}

// Survivors stand below the line of their source, and those of other files behind it.
static void survivors_are_shown_once(void **state) {
    static const char other[] =
        "{\"verdict\":\"survived\",\"operation\":\"op.three\",\"seconds\":1,\"change\":\"c to d\","
        "\"file\":\"other.comp\",\"line\":1,\"instruction\":\"OpISub\",\"replay\":\"again\"}";
    static const char other_span[] = "<pre class=source><span class=mutant><b>c to d</b> op.three\nOpISub\nagain\n"
                                     "</span></pre>\n";
    struct error err = {0};
    const char *text = arena_format(&arena,
        "{\"mutated\":[{\"name\":\"k.one\",\"sources\":{\"x.comp\":\"first;\\nsecond;\\n\"},\"mutants\":[%s,%s]},"
        "{\"name\":\"k.two\",\"mutants\":[%s]},{\"name\":\"k.three\",\"mutants\":[%s,%s]}]}",
        other, SURVIVED, KILLED, UNSEEN, other);
    struct json_object *result = json_tokener_parse(text);
    assert_non_null(result);
    if (!render_mutants_page(result, folder, "reports", &err)) fail_msg("%s", err.text);
    const char *page = content("mutants.html");
    assert_non_null(strstr(page,
        arena_format(&arena,
            "<section class=operator><h3>k.one</h3>\n<details open><summary>x.comp</summary><pre class=source>"
            "<i>   1</i> first;\n<i>   2</i> second;\n<span class=mutant><b>a to b</b> op.two\nOpIAdd\nvkassay mutate "
            "m1\n</span></pre></details>\n%s</section>\n<section class=operator><h3>k.three</h3>\n%s</section>\n",
            other_span, other_span)));
    json_object_put(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_page_of_devices_has_each_figure_in_its_place, setup, teardown),
        cmocka_unit_test_setup_teardown(a_history_has_each_figure_in_its_place, setup, teardown),
        cmocka_unit_test_setup_teardown(a_page_of_mutants_has_each_figure_in_its_place, setup, teardown),
        cmocka_unit_test_setup_teardown(survivors_are_shown_once, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
