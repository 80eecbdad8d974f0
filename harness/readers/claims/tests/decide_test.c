// SPDX-License-Identifier: Apache-2.0
// Each way of deciding, on made-up results with known verdicts; good and bad files of claims.
#include "../../../base/file.h"
#include "../claims.h"
#include "../../../record/tests/case_length.h"
#include "../../../device/device_info.h"
#include "../../../record/result.h"
#include "../../../record/record.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fixture {
    struct arena arena;
    struct result result;
    struct error err;
    char path[40];
};

enum { ROOM = 40 };

static int open_fixture(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (!f) return -1;
    strcpy(f->path, "/tmp/vkassay-claims-XXXXXX");
    int file = mkstemp(f->path);
    if (file < 0) return -1;
    close(file);
    f->result.records = arena_alloc(&f->arena, ROOM, sizeof(struct record));
    f->result.device = arena_alloc(&f->arena, 1, sizeof *f->result.device);
    *f->result.device = (struct device_info){.name = "made up", .kind = DEVICE_DISCRETE, .vendor_id = 0x10de};
    return 0;
}

static int close_fixture(void **state) {
    struct fixture *f = *state;
    unlink(f->path);
    arena_free(&f->arena);
    free(f);
    return 0;
}

// Returns a time whose figures all differ from its median.
static struct summary around(double ns) {
    return (struct summary){.median = ns,
        .lo = 0.75 * ns,
        .hi = 1.5 * ns,
        .q1 = 0.875 * ns,
        .q3 = 1.25 * ns,
        .min = 0.5 * ns,
        .max = 2 * ns,
        .samples = 30};
}

// Adds a passing record with one dim n, a compute time and `wg` invocations.
static struct record *add(struct fixture *f, const char *kernel, double n, uint32_t wg, double ns) {
    assert_true(f->result.count < ROOM);
    struct record *r = &f->result.records[f->result.count++];
    *r = (struct record){.name = arena_format(&f->arena, "%s/f32/n=%.0f/wg=%ux1x1", kernel, n, wg),
        .operator= "x",
        .kernel = kernel,
        .dtype = "f32",
        .dims = arena_alloc(&f->arena, 1, sizeof(struct named_number)),
        .dim_count = 1,
        .wg = {wg, 1, 1}};
    r->case_length = case_length(r->name);
    r->dims[0] = (struct named_number){"n", n};
    for (int i = 0; i < FIGURE_COUNT; i++) r->time[i] = summarize(NULL, 0);
    r->time[FIGURE_COMPUTE] = around(ns);
    r->reference.ns = NAN;
    return r;
}

static void set(struct record *r, enum figure figure, double ns) {
    r->time[figure] = around(ns);
}

static bool load(struct fixture *f, const char *parts, struct claims *out) {
    const char *text = arena_format(&f->arena,
        "{\"schema_version\": 1, \"name\": \"c\", \"summary\": \"s\", \"entries\": [], \"claims\": [{\"id\": "
        "\"C\", \"systems\": [\"torsh\"], \"claim\": \"t\", \"check\": \"c\", \"parts\": [%s]}]}",
        parts);
    assert_true(file_write(f->path, text, strlen(text), &f->err));
    return claims_load(&f->arena, f->path, out, &f->err);
}

// Returns the finding of the only part, given its members after "what".
static struct claim_finding decide(struct fixture *f, const char *members) {
    struct claims claims;
    bool applies;
    if (!load(f, arena_format(&f->arena, "{\"what\": \"w\", %s}", members), &claims)) fail_msg("%s", f->err.text);
    return part_decide(&claims.items[0].parts[0], &f->result, &f->arena, &applies);
}

static void assert_verdict(struct claim_finding found, enum verdict_of_claim verdict) {
    if (found.verdict != verdict)
        fail_msg("expected \"%s\", found \"%s\": %g %s %s", claim_verdict_name(verdict),
            claim_verdict_name(found.verdict), found.value, found.detail, found.reason ? found.reason : "");
    assert_non_null(found.detail);
    assert_true((found.verdict == CLAIM_OPEN || found.verdict == CLAIM_ELSEWHERE) == (found.reason != NULL));
}
#define VERDICT(f, verdict, members) assert_verdict(decide(f, members), verdict)

static void a_band(void **state) {
    struct fixture *f = *state;
    add(f, "add.a", 100, 64, 500);
    add(f, "add.a", 100, 128, 300);                       // the best counts
    add(f, "add.a", 100, 256, 100)->status = RECORD_FAIL; // and a wrong one does not
    f->result.records[2].reason = "wrong";
    VERDICT(f, CLAIM_HOLDS, "\"decide\": \"band\", \"of\": \"add.a\", \"high\": 300");
    VERDICT(f, CLAIM_FAILS, "\"decide\": \"band\", \"of\": \"add.a\", \"high\": 299");
    VERDICT(f, CLAIM_FAILS, "\"decide\": \"band\", \"of\": \"add.a\", \"low\": 301");
    VERDICT(f, CLAIM_HOLDS,
        "\"decide\": \"band\", \"of\": [\"add.a/f32/n=100/wg=64*\", \"add.a/f32/n=100/wg=128*\"], \"low\": 800, "
        "\"high\": 800");
    struct claim_finding none = decide(f, "\"decide\": \"band\", \"of\": \"add.b\"");
    assert_verdict(none, CLAIM_OPEN);
    assert_non_null(strstr(none.reason, "add.b was not run here"));
    none = decide(f, "\"decide\": \"band\", \"of\": \"add.a/f32/n=100/wg=256x1x1\"");
    assert_string_equal(none.reason, "fail: wrong");
}

static void facts_and_rates(void **state) {
    struct fixture *f = *state;
    struct record *r = add(f, "p.q", 1000, 1, 500);
    r->metrics[r->metric_count++] = (struct named_number){"hit_rate", 0.9};
    r->flops = 1000;
    set(r, FIGURE_UPLOAD, 1000);
    set(r, FIGURE_DOWNLOAD, 500);
    VERDICT(f, CLAIM_HOLDS,
        "\"decide\": \"band\", \"of\": {\"points\": \"p.q\", \"figure\": \"fact:hit_rate\"}, \"low\": 0.9");
    VERDICT(f, CLAIM_HOLDS,
        "\"decide\": \"band\", \"of\": {\"points\": \"p.q\", \"figure\": \"flops_per_s\"}, \"low\": 2e9, \"high\": "
        "2e9");
    VERDICT(f, CLAIM_HOLDS,
        "\"decide\": \"band\", \"of\": {\"points\": \"p.q\", \"figure\": \"moved_share\"}, \"low\": 0.75, \"high\": "
        "0.75");
    VERDICT(f, CLAIM_HOLDS,
        "\"decide\": \"band\", \"of\": {\"points\": \"p.q\", \"figure\": \"runs_to_half\"}, \"low\": 3, \"high\": 3");
    VERDICT(f, CLAIM_OPEN, "\"decide\": \"band\", \"of\": {\"points\": \"p.q\", \"figure\": \"bytes_per_s\"}");
}

static void figures_have_units(void **state) {
    static const struct {
        const char *figure, *unit;
    } units[] = {{"compute", "ns"}, {"end_to_end", "ns"}, {"submit", "ns"}, {"moved", "ns"}, {"reference", "ns"},
        {"moved_share", "share"}, {"runs_to_half", ""}, {"build_share", "share"}, {"bytes_per_s", "B/s"},
        {"flops_per_s", "FLOP/s"}, {"fact:hit_rate", "share"}, {"fact:bytes_per_s", "B/s"},
        {"fact:link_bytes_per_s", "B/s"}, {"fact:held_bytes", "B"}, {"fact:open_ns", "ns"}, {"fact:waste", ""}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        assert_true(figure_known(units[i].figure));
        assert_string_equal(figure_unit(units[i].figure), units[i].unit);
    }
    assert_false(figure_known("fact:") || figure_known("computes") || figure_known("fact"));
}

// The best of several points has the highest rate, or the shortest time, also of the reference.
static void the_best_of_each_figure_counts(void **state) {
    struct fixture *f = *state;
    for (int i = 0; i < 3; i++) { // the middle one is the slowest
        struct record *r = add(f, "a.a", 1, 64u << i, i == 1 ? 400 : 100 + i);
        r->reference.ns = i == 1 ? 9000 : 3000 + i;
        r->flops = r->bytes = 1000;
        r->build_ns = 1000;
        set(r, FIGURE_END_TO_END, i == 1 ? 4000 : 1000 + i);
        set(r, FIGURE_SUBMIT, i == 1 ? 40 : 10 + i);
    }
    static const struct {
        const char *figure;
        double value;
    } best[] = {{"compute", 100}, {"reference", 3000}, {"end_to_end", 1000}, {"submit", 10}, {"build_share", 0.5},
        {"flops_per_s", 1e10}, {"bytes_per_s", 1e10}};
    for (size_t i = 0; i < sizeof best / sizeof *best; i++) {
        const struct claim_finding found =
            decide(f, arena_format(&f->arena, "\"decide\": \"band\", \"of\": {\"points\": \"a.a\", \"figure\": \"%s\"}",
                          best[i].figure));
        if (found.value != best[i].value) fail_msg("%s: %g", best[i].figure, found.value);
    }
}

static void a_ratio(void **state) {
    struct fixture *f = *state;
    add(f, "a.a", 1, 64, 200)->reference.ns = 2000;
    add(f, "b.b", 1, 64, 100);
    VERDICT(f, CLAIM_HOLDS, "\"decide\": \"ratio\", \"of\": \"a.a\", \"over\": \"b.b\", \"low\": 2, \"high\": 2");
    VERDICT(f, CLAIM_FAILS, "\"decide\": \"ratio\", \"of\": \"b.b\", \"over\": \"a.a\", \"low\": 1");
    VERDICT(f, CLAIM_HOLDS,
        "\"decide\": \"ratio\", \"of\": {\"points\": \"a.a\", \"figure\": \"reference\"}, \"over\": \"a.a\", \"low\": "
        "10, \"high\": 10");
    VERDICT(f, CLAIM_OPEN, "\"decide\": \"ratio\", \"of\": \"a.a\", \"over\": \"c.c\"");
}

static void each_case(void **state) {
    struct fixture *f = *state;
    add(f, "a.a", 1, 64, 100)->reference.ns = 2000; // 20x, and the best shape counts
    add(f, "a.a", 1, 128, 400)->reference.ns = 2000;
    add(f, "a.a", 2, 64, 100)->reference.ns = 500; // 5x
    const char *part = "\"decide\": \"each\", \"of\": {\"points\": \"a.a\", \"figure\": \"reference\"}, \"over\": "
                       "{\"figure\": \"compute\"}, \"low\": 10, \"high\": 50";
    struct claim_finding found = decide(f, part);
    assert_verdict(found, CLAIM_FAILS);
    assert_non_null(strstr(found.detail, "1 of 2 cases within (1 below, 0 above), from 5x to 20x at a.a/f32/n=1"));
    assert_string_equal(found.unit, "x");
    VERDICT(f, CLAIM_HOLDS, arena_format(&f->arena, "%s, \"share\": 0.5", part));
}

static void best_shapes(void **state) {
    struct fixture *f = *state;
    add(f, "a.a", 1, 64, 104), add(f, "a.a", 1, 256, 100), add(f, "a.a", 1, 1024, 200);
    VERDICT(f, CLAIM_HOLDS, "\"decide\": \"each\", \"of\": \"a.a\", \"sizes\": [64], \"high\": 1.05");
    VERDICT(f, CLAIM_FAILS, "\"decide\": \"each\", \"of\": \"a.a\", \"sizes\": [64], \"high\": 1.03");
    VERDICT(f, CLAIM_FAILS, "\"decide\": \"each\", \"of\": \"a.a\", \"largest\": true, \"high\": 1.05");
    VERDICT(f, CLAIM_OPEN, "\"decide\": \"each\", \"of\": \"a.a\", \"sizes\": [32], \"high\": 1.05");
    VERDICT(f, CLAIM_HOLDS, "\"decide\": \"each\", \"of\": \"a.a\", \"low\": 2");
    VERDICT(f, CLAIM_FAILS, "\"decide\": \"each\", \"of\": \"a.a\", \"low\": 2.1");
    add(f, "a.a", 2, 64, 300), add(f, "a.a", 2, 256, 100);
    VERDICT(f, CLAIM_FAILS, "\"decide\": \"each\", \"of\": \"a.a\", \"sizes\": [64], \"high\": 1.05");
    VERDICT(f, CLAIM_HOLDS, "\"decide\": \"each\", \"of\": \"a.a\", \"sizes\": [64], \"high\": 1.05, \"share\": 0.5");
    // The fastest of several shapes counts, among those of a named size or of the largest, in any order.
    static const double times[][2] = {{104, 300}, {300, 104}};
    for (int i = 0; i < 2; i++) {
        const char *kernel = i ? "c.c" : "b.b";
        add(f, kernel, 1, 64, times[i][0]), add(f, kernel, 1, 32, times[i][1])->wg[1] = 2, add(f, kernel, 1, 16, 100);
        VERDICT(f, CLAIM_HOLDS,
            arena_format(&f->arena, "\"decide\": \"each\", \"of\": \"%s\", \"sizes\": [64], \"high\": 1.05", kernel));
        VERDICT(f, CLAIM_HOLDS,
            arena_format(&f->arena, "\"decide\": \"each\", \"of\": \"%s\", \"largest\": true, \"high\": 1.05", kernel));
    }
    // The fastest of three shapes as large counts: it is 4 % slower than the best one.
    static const double large[] = {104, 300, 200};
    for (uint32_t i = 0; i < 3; i++) add(f, "e.e", 1, 64 >> i, large[i])->wg[1] = 1u << i;
    add(f, "e.e", 1, 8, 100);
    VERDICT(f, CLAIM_HOLDS, "\"decide\": \"each\", \"of\": \"e.e\", \"largest\": true, \"high\": 1.05");
    VERDICT(f, CLAIM_FAILS, "\"decide\": \"each\", \"of\": \"e.e\", \"largest\": true, \"high\": 1.03");
    add(f, "d.d", 1, 64, 100); // a single shape is no choice
    VERDICT(f, CLAIM_OPEN, "\"decide\": \"each\", \"of\": \"d.d\", \"sizes\": [64], \"high\": 1.05");
}

// The GPU takes 100 at every size, the reference n: they meet at 100.
static void a_crossover(void **state) {
    struct fixture *f = *state;
    static const double sizes[] = {10, 1000, 100000};
    for (int i = 0; i < 3; i++) add(f, "a.a", sizes[i], 64, 100)->reference.ns = sizes[i];
    struct claim_finding found =
        decide(f, "\"decide\": \"crossover\", \"of\": \"a.a\", \"dim\": \"n\", \"low\": 99, \"high\": 101");
    assert_verdict(found, CLAIM_HOLDS);
    assert_true(fabs(found.value - 100) < 1e-9);
    VERDICT(f, CLAIM_FAILS, "\"decide\": \"crossover\", \"of\": \"a.a\", \"dim\": \"n\", \"low\": 1000");
    VERDICT(f, CLAIM_FAILS, "\"decide\": \"crossover\", \"of\": \"a.a\", \"dim\": \"n\", \"high\": 50");
    for (int i = 0; i < 3; i++) add(f, "b.b", sizes[i], 64, 50); // always below a.a, and a.a never below it
    VERDICT(
        f, CLAIM_HOLDS, "\"decide\": \"crossover\", \"of\": \"b.b\", \"dim\": \"n\", \"rival\": \"a.a\", \"high\": 10");
    VERDICT(f, CLAIM_FAILS,
        "\"decide\": \"crossover\", \"of\": \"a.a\", \"dim\": \"n\", \"rival\": \"b.b\", \"high\": 1e9");
    VERDICT(f, CLAIM_OPEN, "\"decide\": \"crossover\", \"of\": \"b.b\", \"dim\": \"n\"");
    // "Always" is at the smallest timed size.
    VERDICT(
        f, CLAIM_HOLDS, "\"decide\": \"crossover\", \"of\": \"b.b\", \"dim\": \"n\", \"rival\": \"a.a\", \"low\": 10");
    add(f, "b.b", 1000, 256, 5000); // the faster of two shapes counts, in any order
    add(f, "d.d", 10, 64, 60), add(f, "d.d", 1000, 64, 900), add(f, "d.d", 1000, 128, 40),
        add(f, "d.d", 100000, 64, 30);
    VERDICT(
        f, CLAIM_HOLDS, "\"decide\": \"crossover\", \"of\": \"b.b\", \"dim\": \"n\", \"rival\": \"a.a\", \"low\": 10");
    found = decide(f, "\"decide\": \"crossover\", \"of\": \"d.d\", \"dim\": \"n\", \"rival\": \"b.b\"");
    assert_true(found.value > 10 && found.value < 1000);
    // A rival at other sizes, or at only one size, decides nothing.
    add(f, "c.c", 20, 64, 1), add(f, "c.c", 2000, 64, 1), add(f, "e.e", 10, 64, 1);
    VERDICT(f, CLAIM_OPEN, "\"decide\": \"crossover\", \"of\": \"a.a\", \"dim\": \"n\", \"rival\": \"c.c\"");
    VERDICT(f, CLAIM_OPEN, "\"decide\": \"crossover\", \"of\": \"e.e\", \"dim\": \"n\", \"rival\": \"a.a\"");
}

static void arithmetic_passes_and_what_is_open(void **state) {
    struct fixture *f = *state;
    add(f, "a.a", 1, 64, 1);
    VERDICT(f, CLAIM_HOLDS, "\"decide\": \"ratio\", \"of\": 128, \"over\": 34, \"low\": 3.76, \"high\": 3.77");
    VERDICT(f, CLAIM_FAILS, "\"decide\": \"ratio\", \"of\": 128, \"over\": 18, \"high\": 7.1");
    VERDICT(f, CLAIM_HOLDS, "\"decide\": \"pass\", \"of\": \"a.*\"");
    add(f, "a.a", 2, 64, 1);
    add(f, "a.b", 1, 64, 1)->status = RECORD_FAIL;
    const struct claim_finding one_wrong = decide(f, "\"decide\": \"pass\", \"of\": \"a.*\"");
    assert_verdict(one_wrong, CLAIM_FAILS);
    assert_string_equal(one_wrong.detail, "2 of 3 points right; a.b/f32/n=1/wg=64x1x1");
    assert_true(one_wrong.cases == 3 && one_wrong.inside == 2);
    struct record *skipped = add(f, "c.c", 1, 64, 1);
    skipped->status = RECORD_SKIP;
    skipped->reason = "no f16";
    struct claim_finding found = decide(f, "\"decide\": \"pass\", \"of\": \"c.c\"");
    assert_verdict(found, CLAIM_OPEN);
    assert_string_equal(found.reason, "no f16");
    found = decide(f, "\"decide\": \"open\", \"why\": \"nobody can\"");
    assert_verdict(found, CLAIM_OPEN);
    assert_string_equal(found.reason, "nobody can");
}

// An error is compared with the claim's own figure, not with the bound of its point.
static void errors_of_what_passes(void **state) {
    struct fixture *f = *state;
    struct record *a = add(f, "a.a", 1, 64, 1), *b = add(f, "a.a", 2, 64, 1);
    a->check.checked = b->check.checked = 9;
    a->check.bound_ulp = b->check.bound_ulp = 2.5;
    a->check.max_ulp = a->check.worst_ulp = 2, a->check.worst_ratio = 0.8;
    b->check.max_ulp = b->check.worst_ulp = 0.5, b->check.worst_ratio = 0.2;
    struct claim_finding found = decide(f, "\"decide\": \"pass\", \"of\": \"a.a\"");
    assert_verdict(found, CLAIM_HOLDS);
    assert_string_equal(found.detail, "2 points, all within their bounds, the nearest 2 ULP of 2.5");
    found = decide(f, "\"decide\": \"pass\", \"of\": \"a.a\", \"high\": 0.5");
    assert_verdict(found, CLAIM_FAILS);
    assert_true(found.value == 2 && found.high == 0.5);
    assert_string_equal(found.unit, "ULP");
    VERDICT(f, CLAIM_HOLDS, "\"decide\": \"pass\", \"of\": \"a.a/f32/n=2\", \"high\": 0.5");
    VERDICT(f, CLAIM_FAILS, "\"decide\": \"pass\", \"of\": \"a.a/f32/n=2\", \"high\": 0");
    struct record *exact = add(f, "b.b", 1, 64, 1);
    exact->check.checked = 9;
    found = decide(f, "\"decide\": \"pass\", \"of\": \"b.b\", \"high\": 0");
    assert_verdict(found, CLAIM_HOLDS);
    assert_string_equal(decide(f, "\"decide\": \"pass\", \"of\": \"b.b\"").detail, "1 points, all right and exact");
    exact->check.excluded = 3;
    assert_string_equal(decide(f, "\"decide\": \"pass\", \"of\": \"b.b\"").detail,
        "1 points, all right and exact; 3 of 12 outputs are left out, because the device does not promise them");
    exact->check.excluded = 0;
    add(f, "c.c", 1, 64, 1); // no output was compared
    VERDICT(f, CLAIM_HOLDS, "\"decide\": \"pass\", \"of\": \"c.c\"");
    VERDICT(f, CLAIM_OPEN, "\"decide\": \"pass\", \"of\": \"c.c\", \"high\": 1");
    add(f, "b.b", 2, 64, 1)->status = RECORD_FAIL;
    VERDICT(f, CLAIM_FAILS, "\"decide\": \"pass\", \"of\": \"b.b\", \"high\": 9");
}

// The curve takes the fastest of several shapes of one size, and the shortest of their references, in any order. Here
// it is 100 at every size against n.
static void a_curve_is_of_the_fastest(void **state) {
    struct fixture *f = *state;
    static const double sizes[] = {10, 1000}, slower[] = {900, 100, 300}, faster[] = {100, 900, 100};
    for (int i = 0; i < 2; i++) {
        add(f, "a.a", sizes[i], 64, slower[i])->reference.ns = sizes[i] * 3;
        add(f, "a.a", sizes[i], 128, faster[i])->reference.ns = sizes[i];
        add(f, "a.a", sizes[i], 256, slower[2])->reference.ns = sizes[i] * 2;
    }
    struct claim_finding found = decide(f, "\"decide\": \"crossover\", \"of\": \"a.a\", \"dim\": \"n\"");
    assert_true(fabs(found.value - 100) < 1e-9);
}

// A part based on a scaled reference time is marked as an estimate; others are not.
static void what_rests_on_a_scaled_time_is_an_estimate(void **state) {
    struct fixture *f = *state;
    for (int i = 1; i <= 2; i++) {
        struct record *r = add(f, "a.a", i, 64, 100);
        r->reference.ns = 300 * i;
        r->reference.extrapolated = i == 2;
        r->reference.scale = i == 2 ? 12.5 : 1;
    }
    static const struct {
        const char *part;
        bool estimate;
    } cases[] = {
        {"\"ratio\", \"of\": {\"points\": \"a.a/f32/n=2\", \"figure\": \"reference\"}, \"over\": \"a.a\"", true},
        {"\"ratio\", \"over\": {\"points\": \"a.a/f32/n=2\", \"figure\": \"reference\"}, \"of\": \"a.a\"", true},
        {"\"ratio\", \"of\": {\"points\": \"a.a/f32/n=1\", \"figure\": \"reference\"}, \"over\": \"a.a\"", false},
        {"\"band\", \"of\": \"a.a/f32/n=2\"", false}, {"\"crossover\", \"of\": \"a.a\", \"dim\": \"n\"", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct claim_finding found = decide(f, arena_format(&f->arena, "\"decide\": %s", cases[i].part));
        assert_int_equal(
            strstr(found.detail,
                "~ an estimate: the reference's time is scaled from a part of its outputs (by up to 12.5)") != NULL,
            cases[i].estimate);
    }
}

// A part without a band can neither hold nor fail, in any way of deciding.
static void a_part_without_a_band_is_measured(void **state) {
    struct fixture *f = *state;
    add(f, "a.a", 1, 64, 200)->reference.ns = 100, add(f, "a.a", 2, 64, 50)->reference.ns = 2000;
    add(f, "a.a", 2, 32, 80), add(f, "b.b", 1, 64, 100);
    static const char *const parts[] = {"\"decide\": \"band\", \"of\": \"a.a\"",
        "\"decide\": \"ratio\", \"of\": \"a.a\", \"over\": \"b.b\"",
        ("\"decide\": \"each\", \"of\": {\"points\": \"a.a\", \"figure\": \"reference\"}, \"over\": {\"figure\": "
         "\"compute\"}"),
        "\"decide\": \"each\", \"of\": \"a.a\"", "\"decide\": \"crossover\", \"of\": \"a.a\", \"dim\": \"n\"",
        "\"decide\": \"ratio\", \"of\": 1, \"over\": 1"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        VERDICT(f, CLAIM_INFORMATIONAL, parts[i]);
        struct claim_finding bound = decide(f, arena_format(&f->arena, "%s, \"low\": 0", parts[i]));
        assert_true(bound.verdict == CLAIM_HOLDS || bound.verdict == CLAIM_FAILS);
    }
}

// A claim holds if all its parts about this device hold.
static void parts_together(void **state) {
    struct fixture *f = *state;
    static const char yes[] = "{\"what\": \"w\", \"decide\": \"ratio\", \"of\": 1, \"over\": 1, \"low\": 1}";
    static const char no[] = "{\"what\": \"w\", \"decide\": \"ratio\", \"of\": 1, \"over\": 1, \"low\": 2}";
    static const char other[] = "{\"what\": \"w\", \"decide\": \"ratio\", \"of\": 1, \"over\": 1, "
                                "\"low\": 2, \"about\": {\"vendors\": [1]}}";
    static const char informational[] = "{\"what\": \"w\", \"decide\": \"ratio\", \"of\": 1, \"over\": 1}";
    static const char open[] = "{\"what\": \"w\", \"decide\": \"open\", \"why\": \"none\"}";
    static const struct {
        const char *a, *b;
        enum verdict_of_claim verdict;
    } cases[] = {{yes, yes, CLAIM_HOLDS}, {yes, no, CLAIM_FAILS}, {yes, other, CLAIM_HOLDS}, {yes, open, CLAIM_OPEN},
        {no, open, CLAIM_FAILS}, {other, other, CLAIM_ELSEWHERE}, {informational, yes, CLAIM_HOLDS},
        {informational, no, CLAIM_FAILS}, {informational, open, CLAIM_OPEN}, {informational, informational, CLAIM_OPEN},
        {informational, other, CLAIM_OPEN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct claims claims;
        struct claim_finding parts[2];
        bool applies[2];
        if (!load(f, arena_format(&f->arena, "%s, %s", cases[i].a, cases[i].b), &claims)) fail_msg("%s", f->err.text);
        assert_verdict(claim_decide(&claims.items[0], &f->result, &f->arena, parts, applies), cases[i].verdict);
    }
}

static void devices_are_told_apart(void **state) {
    struct fixture *f = *state;
    VERDICT(f, CLAIM_HOLDS,
        "\"decide\": \"ratio\", \"of\": 1, \"over\": 1, \"low\": 1, \"about\": {\"vendors\": [1, 4318]}");
    VERDICT(f, CLAIM_HOLDS,
        "\"decide\": \"ratio\", \"of\": 1, \"over\": 1, \"low\": 1, \"about\": {\"devices\": \"*up\", "
        "\"kind\": "
        "\"discrete\"}");
    VERDICT(f, CLAIM_ELSEWHERE,
        "\"decide\": \"ratio\", \"of\": 1, \"over\": 1, \"low\": 1, \"about\": {\"kind\": \"cpu\"}");
}

static void bad_files_say_where(void **state) {
    struct fixture *f = *state;
    static const struct {
        const char *part, *says;
    } bad[] = {
        {"{\"what\": \"w\", \"decide\": \"guess\"}", "$.claims[0].parts[0].decide: \"guess\" is no way to decide"},
        {"{\"what\": \"w\", \"decide\": \"band\"}", "expected \"of\""},
        {"{\"what\": \"w\", \"decide\": \"band\", \"of\": \"a\", \"dim\": \"n\"}", "\"dim\" does not go with"},
        {"{\"what\": \"w\", \"decide\": \"band\", \"of\": {\"points\": \"a\", \"figure\": \"colour\"}}",
            "is no figure"},
        {"{\"what\": \"w\", \"decide\": \"band\", \"of\": {\"figure\": \"compute\"}}", "expected \"points\""},
        {"{\"what\": \"w\", \"decide\": \"band\", \"of\": \"a\", \"low\": 2, \"high\": 1}",
            "low (2) is above high (1)"},
        {"{\"what\": \"w\", \"decide\": \"band\", \"of\": \"a\", \"hihg\": 1}", "hihg"},
        {"{\"what\": \"w\", \"decide\": \"band\", \"of\": []}", "expected 1 to 16 items, found 0"},
        {"", "$.claims[0].parts: expected 1 or more items"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct claims claims;
        assert_false(load(f, bad[i].part, &claims));
        assert_int_equal(f->err.status, STATUS_BAD_INPUT);
        if (!strstr(f->err.text, bad[i].says)) fail_msg("expected \"%s\" in \"%s\"", bad[i].says, f->err.text);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)
    const struct CMUnitTest tests[] = {TEST(a_band), TEST(facts_and_rates), TEST(figures_have_units),
        TEST(the_best_of_each_figure_counts), TEST(a_ratio), TEST(each_case), TEST(best_shapes), TEST(a_crossover),
        TEST(arithmetic_passes_and_what_is_open), TEST(errors_of_what_passes), TEST(a_curve_is_of_the_fastest),
        TEST(what_rests_on_a_scaled_time_is_an_estimate), TEST(a_part_without_a_band_is_measured), TEST(parts_together),
        TEST(devices_are_told_apart), TEST(bad_files_say_where)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
