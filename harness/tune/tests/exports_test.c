// SPDX-License-Identifier: Apache-2.0
// The tuned table of a made-up result and its exports, against answers known by hand. The header is compiled and
// called.
#include "../../base/file.h"
#include "../joined.h"
#include "../../record/cases.h"
#include "../../record/tests/case_length.h"
#include "../tuned_table.h"
#include "../../truth/stats/summary.h"
#include "../../record/record.h"
#include "../../record/terms.h"
#include "../../record/result.h"
#include "../../../reference/tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double fast[] = {10, 10, 10, 10, 10, 10, 10, 10, 10, 11}, tie[] = {10, 11, 10, 11, 10, 11, 10, 11, 10, 11},
              slow[] = {20, 20, 20, 20, 20, 20, 20, 20, 20, 21}, lucky[] = {5};

static struct record made_record(
    const char *name, uint32_t x, enum record_status status, double *samples, size_t count) {
    static struct named_number dims[] = {{"rows", 16}, {"cols", 1000}}, tunables[] = {{"ITEMS", 4}};
    struct record r = {.name = name,
        .case_length = case_length(name),
        .operator= "softmax",
        .kernel = "softmax.k",
        .dtype = "f32",
        .dims = dims,
        .dim_count = 2,
        .wg = {x, 1, 1},
        .tunables = tunables,
        .tunable_count = 1,
        .systems = "",
        .status = status,
        .reason = status == RECORD_PASS ? NULL : "why",
        .drift = NAN,
        .source_hash = 0xabc,
        .repeats = 2,
        .build_ns = 3000000};
    for (int i = 0; i < FIGURE_COUNT; i++) r.time[i] = summarize(NULL, 0);
    r.time[FIGURE_COMPUTE] = summarize(samples, count);
    r.samples[FIGURE_COMPUTE] = samples;
    return r;
}

#define NAME(x) "softmax.k/f32/rows=16,cols=1000/wg=" x "x1x1,ITEMS=4"

struct made {
    struct device_info device;
    struct record records[7];
    struct result result;
};

static void make(struct made *m) {
    const struct record records[] = {made_record(NAME("256"), 256, RECORD_PASS, slow, 10),
        made_record(NAME("64"), 64, RECORD_PASS, fast, 10), made_record(NAME("128"), 128, RECORD_PASS, tie, 10),
        made_record(NAME("32"), 32, RECORD_FAIL, NULL, 0), made_record(NAME("16"), 16, RECORD_PASS, lucky, 1),
        made_record(NAME("2048"), 2048, RECORD_SKIP, NULL, 0), made_record(NAME("8"), 8, RECORD_ERROR, NULL, 0)};
    memcpy(m->records, records, sizeof records);
    m->records[0].is_default = true;
    m->records[4].time[FIGURE_COMPUTE].hi = 25; // few samples: wide
    m->records[4].time[FIGURE_COMPUTE].lo = 4;
    m->device = (struct device_info){.name = "A \"quoted\"\nGPU?"
                                             "?/",
        .vendor_id = 4318,
        .device_id = 9013,
        .driver_version = 77};
    m->result = (struct result){.records = m->records,
        .count = 7,
        .context =
            json_tokener_parse("{\"tool\": {\"version\": \"1\"}, \"run\": {\"started\": \"2026-01-02T03:04:05Z\"}}"),
        .device = &m->device};
}

static void test_table(void **state) {
    struct made m;
    struct arena arena = {0};
    struct tuned tuned;
    make(&m);
    tuned_make(&m.result, &arena, &tuned);
    assert_int_equal(tuned.count, 1);
    const struct tuned_entry *e = &tuned.items[0];
    assert_string_equal(e->case_name, "softmax.k/f32/rows=16,cols=1000");
    assert_ptr_equal(e->best, &m.records[1]); // not the lucky one with a single sample
    assert_int_equal(e->tie_count, 2);
    assert_ptr_equal(e->ties[0], &m.records[2]);
    assert_ptr_equal(e->ties[1], &m.records[4]);
    assert_ptr_equal(e->runner_up, &m.records[0]);
    assert_true(fabs(tuned_loss(e, e->standard) - 1) < 1e-12);
    assert_int_equal(e->bucket, 13); // 16000 lies between 2^13 and 2^14
    assert_int_equal(e->shapes, 6);
    assert_int_equal(e->wrong, 2);
    assert_int_equal(e->samples, 31);
    json_object_put(m.result.context);
    arena_free(&arena);
}

// The runner-up comes after the ties, in any order of records; peaks are no cases to tune.
static void test_what_comes_next(void **state) {
    static double slower[] = {30, 30, 30, 30, 30, 30, 30, 30, 30, 31};
    struct record records[] = {made_record(NAME("64"), 64, RECORD_PASS, fast, 10),
        made_record(NAME("256"), 256, RECORD_PASS, slow, 10), made_record(NAME("512"), 512, RECORD_PASS, slower, 10),
        made_record("copy.k/f32/n=5/wg=64x1x1", 64, RECORD_PASS, fast, 10)};
    struct result result = {.records = records, .count = 4};
    struct arena arena = {0};
    struct tuned tuned;
    records[3].peak = "copy";
    tuned_make(&result, &arena, &tuned);
    assert_int_equal(tuned.count, 1);
    assert_ptr_equal(tuned.items[0].runner_up, &records[1]);
    arena_free(&arena);
}

// The former tie is now the fastest, and the former best a tie: the choice stays.
static void test_a_tie_does_not_change_the_choice(void **state) {
    struct made made;
    struct arena arena = {0};
    struct tuned before, after;
    make(&made);
    tuned_make(&made.result, &arena, &before);
    made.records[2].time[FIGURE_COMPUTE] = summarize(fast, 10);
    made.records[1].time[FIGURE_COMPUTE] = summarize(tie, 10);
    tuned_make(&made.result, &arena, &after);
    assert_ptr_equal(after.items[0].best, before.items[0].best);
    made.records[1].time[FIGURE_COMPUTE] = summarize(tie, 9); // too few samples to be chosen
    tuned_make(&made.result, &arena, &after);
    assert_ptr_not_equal(after.items[0].best, before.items[0].best);
    json_object_put(made.result.context);
    arena_free(&arena);
}

static void test_buckets(void **state) {
    assert_int_equal(size_bucket((const double[]){0, 1, 0}, 3), 0); // a dim of 0 (no padding) does not count
    assert_int_equal(size_bucket((const double[]){1023}, 1), 9);
    assert_int_equal(size_bucket((const double[]){1024}, 1), 10);
    assert_int_equal(size_bucket((const double[]){1e12, 1e12}, 2), 79);
}

typedef bool put_tables(struct text *out, const struct tuned *tables, size_t count, struct error *err);

static struct text put(const struct made *m, put_tables *format) {
    struct text text = {0};
    struct error err;
    struct arena arena = {0};
    struct tuned tuned;
    tuned_make(&m->result, &arena, &tuned);
    assert_true(format(&text, &tuned, 1, &err));
    arena_free(&arena);
    return text;
}

static void test_snippets(void **state) {
    struct made m;
    make(&m);
    struct text glsl = put(&m, tuned_put_glsl), wgsl = put(&m, tuned_put_wgsl);
    assert_string_equal(text_str(&glsl),
        "// softmax.k/f32/rows=16,cols=1000 on A _quoted__GPU__/: 0.01 us, 2 others tie\n"
        "layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;\n"
        "layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;\n"
        "layout(constant_id = 3) const uint ITEMS = 4;\n");
    assert_non_null(strstr(text_str(&wgsl), "@id(0) override WG_X: u32 = 64u;\n"));
    assert_non_null(strstr(text_str(&wgsl), "@id(3) override ITEMS: u32 = 4u;\n"));
    text_free(&glsl);
    text_free(&wgsl);
    json_object_put(m.result.context);
}

// Three noisy shapes that nobody can tell apart: the default is the choice, and every form of the table says so.
static void test_noise(void **state) {
    struct made m;
    struct arena arena = {0};
    struct tuned tuned, again;
    struct result head;
    struct error err;
    struct joined joined = {0};
    char path[] = "/tmp/vkassay-tuned-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0 && close(file) == 0);
    make(&m);
    m.result.count = 3; // 256 (the default, 20 ns), 64 (10 ns) and 128
    for (int i = 0; i < 3; i++) m.records[i].time[FIGURE_COMPUTE].lo = 4;
    for (int i = 0; i < 3; i++) m.records[i].time[FIGURE_COMPUTE].hi = 52;
    tuned_make(&m.result, &arena, &tuned);
    assert_true(tuned_write(path, &tuned, &err) && tuned_read(path, &arena, &head, &again, &err));
    const struct tuned *const both[] = {&tuned, &again};
    for (int i = 0; i < 2; i++) {
        const struct tuned_entry *e = &both[i]->items[0];
        assert_int_equal(e->best->wg[0], 256);
        assert_true(e->undecided && e->tie_count == 2 && !e->runner_up && tuned_is_noise(e));
        assert_true(e->best->time[FIGURE_COMPUTE].lo == 4 && e->best->time[FIGURE_COMPUTE].hi == 52);
        assert_int_equal(tuned_noisy(both[i]), 1);
        assert_true(fabs(tuned_loss(e, e->ties[0]) + 0.5) < 1e-12); // the luckiest was twice as fast
    }
    struct text glsl = put(&m, tuned_put_glsl), header = put(&m, tuned_put_header);
    assert_non_null(strstr(text_str(&glsl), ": 0.02 us +-120 % (noise), no shape told apart, 2 others tie\n"));
    assert_non_null(strstr(text_str(&header), ", VKASSAY_FOR_DEVICE, 3, 0, 0, 4, 52, 1},\n"));
    joined_add(&joined, &m.result, "a");
    joined_finish(&joined);
    const struct joined_time *best = joined_best(&joined.cases[0], 0);
    assert_true(best->undecided && best->standard && best->lo == 4 && best->hi == 52);
    assert_int_equal(joined.cases[0].shapes[best->shape].wg[0], 256);
    joined_free(&joined);
    text_free(&glsl);
    text_free(&header);
    result_free(&head);
    unlink(path);
    json_object_put(m.result.context);
    arena_free(&arena);
}

// Sets $.run of the made-up result: a search of its case, or the run of a suite, stopped or not.
static void set_run(struct made *m, const char *run) {
    json_put(m->result.context, "run", json_tokener_parse(run));
}

static void test_how_much_was_searched(void **state) {
    static const struct {
        const char *run;
        size_t legal;
        bool unfinished;
    } cases[] = {
        {"{\"tuning\": {\"cases\": [{\"case\": \"other\", \"legal\": 7, \"stopped\": false}, {\"case\": "
         "\"softmax.k/f32/rows=16,cols=1000\", \"legal\": 103, \"stopped\": true}]}}",
            103, true},
        {"{\"complete\": false, \"tuning\": {\"cases\": [{\"case\": \"softmax.k/f32/rows=16,cols=1000\", \"legal\": 6, "
         "\"stopped\": false}]}}",
            6, false}, // another case is missing from the run
        {"{\"complete\": false}", 0, true},
        {"{\"complete\": true}", 0, false},
        {"{}", 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m;
        struct arena arena = {0};
        struct tuned tuned, again;
        struct result head;
        struct error err;
        char path[] = "/tmp/vkassay-tuned-XXXXXX";
        const int file = mkstemp(path);
        assert_true(file >= 0 && close(file) == 0);
        make(&m);
        set_run(&m, cases[i].run);
        tuned_make(&m.result, &arena, &tuned);
        assert_int_equal(tuned.items[0].search.legal, cases[i].legal);
        assert_int_equal(tuned.items[0].search.unfinished, cases[i].unfinished);
        assert_int_equal(tuned_unfinished(&tuned), cases[i].unfinished);
        assert_true(tuned_write(path, &tuned, &err) && tuned_read(path, &arena, &head, &again, &err));
        assert_int_equal(again.items[0].search.legal, cases[i].legal);
        assert_int_equal(again.items[0].search.unfinished, cases[i].unfinished);
        result_free(&head);
        unlink(path);
        json_object_put(m.result.context);
        arena_free(&arena);
    }
    struct made m;
    make(&m);
    set_run(&m, cases[0].run);
    static put_tables *const formats[] = {tuned_put_glsl, tuned_put_wgsl};
    for (size_t i = 0; i < 2; i++) {
        struct text text = put(&m, formats[i]);
        assert_non_null(strstr(text_str(&text), ", search unfinished: 6 of 103 shapes tried\n"));
        text_free(&text);
    }
    struct text header = put(&m, tuned_put_header);
    assert_non_null(strstr(text_str(&header), ", VKASSAY_FOR_DEVICE, 6, 103, 1, 10, 10, 0},\n"));
    text_free(&header);
    json_object_put(m.result.context);
}

// The compiled header makes the same choice as the table.
static void test_header(void **state) {
    struct made m;
    struct error err;
    char folder[] = "/tmp/vkassay-header-XXXXXX", path[100], command[600];
    static const char program[] =
        "#define VKASSAY_TUNED_IMPLEMENTATION\n#include \"table.h\"\n"
        "int main(void) {\n"
        "    struct vkassay_tuned t = vkassay_tuned_table;\n    struct vkassay_choice c;\n"
        "    const int64_t dims[] = {16, 1000};\n"
        "    t.device = vkassay_tuned_entries[0].device;\n"
        "    if (strcmp(t.device.name, \"A \\\"quoted\\\"\\nGPU?\" \"?/\") != 0) return 1;\n"
        "    if (optimal_workgroup_size(&t, \"softmax.k\", \"tokens:0000000000000abc\", \"f32\", "
        "dims, 2, &c) != VKASSAY_EXACT) return 2;\n"
        "    return c.wg[0] == 64 && c.wg[1] == 3 && c.wg[2] == 5 && vkassay_tunable(&c, \"ITEMS\", 0) == 4 && "
        "!c.warning[0] "
        "&& c.entry->default_loss == 1 ? 0 : 3;\n"
        "}\n";
    make(&m);
    m.records[1].wg[1] = 3;
    m.records[1].wg[2] = 5;
    struct text header = put(&m, tuned_put_header);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/table.h", folder);
    assert_true(file_write(path, text_str(&header), header.length, &err));
    snprintf(path, sizeof path, "%s/main.c", folder);
    assert_true(file_write(path, program, strlen(program), &err));
    snprintf(command, sizeof command,
        "cc -std=c99 -Wall -Wextra -Werror -trigraphs -I harness/tune/reader %s/main.c -o %s/main && %s/main", folder,
        folder, folder);
    int status = system(command);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
    text_free(&header);
    json_object_put(m.result.context);
    assert_int_equal(status, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_what_comes_next),
        cmocka_unit_test(test_a_tie_does_not_change_the_choice),
        cmocka_unit_test(test_buckets),
        cmocka_unit_test(test_snippets),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_how_much_was_searched),
        cmocka_unit_test(test_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
