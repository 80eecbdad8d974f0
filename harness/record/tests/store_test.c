// SPDX-License-Identifier: Apache-2.0
// A store over small results: what its lists keep of each point, which runs are new, which lines are refused, and which
// runs are pruned.
#include "../store.h"

#include "../../base/file.h"
#include "small_result.h"
#include "../../../reference/tests/unit.h"

#include <sys/stat.h>
#include <unistd.h>

static const struct small_point points[] = {{"fast", RECORD_PASS, 80, NULL}, {"untimed", RECORD_PASS, 0, NULL},
    {"wrong", RECORD_FAIL, 0, NULL}, {"left-out", RECORD_SKIP, 0, NULL}, {"hung", RECORD_TIMEOUT, 0, NULL},
    {"slow", RECORD_PASS, 800, NULL}, {0}};
static const char device[] = "made-up-device";

static void add(const char *store, const char *path, bool expected) {
    struct error err = {0};
    bool added = !expected;
    if (!store_add(store, path, &added, &err)) fail_msg("%s", err.text);
    if (added != expected) fail_msg("%s: %s", path, added ? "added" : "not added");
}

static struct store_series series_of(const char *store) {
    struct store_series series;
    struct error err = {0};
    if (!store_read(store, device, true, &series, &err)) fail_msg("%s", err.text);
    return series;
}

// A failed point is part of the history, with a time of 0. Skipped ones and those that were only checked are not.
static void a_store_keeps_times_and_failures(void **state) {
    static const struct {
        const char *name;
        double ns;
    } expected[] = {
        {"x.y/f32/n=1/fast", 80}, {"x.y/f32/n=1/wrong", 0}, {"x.y/f32/n=1/hung", 0}, {"x.y/f32/n=1/slow", 800}};
    char store[200];
    snprintf(store, sizeof store, "%s/kept", folder);
    add(store, small_result("run.json", NULL, points), true);
    struct store_series s = series_of(store);
    assert_int_equal(s.run_count, 1);
    assert_int_equal(s.runs[0].points, 4);
    assert_int_equal(s.time_count, 4);
    assert_int_equal(s.point_count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct store_time *t = &s.times[i];
        assert_string_equal(s.points[t->point], expected[i].name);
        assert_true(t->run == 0 && t->median == expected[i].ns);
        assert_true(t->lo == expected[i].ns * 0.75 && t->hi == expected[i].ns * 1.5);
    }
    assert_string_equal(s.runs[0].started, "2026-01-02T03:04:05Z");
    assert_string_equal(s.runs[0].suite, "quick");
    assert_string_equal(s.runs[0].seed, "7");
    assert_string_equal(s.runs[0].driver, "1.2.3");
    char copy[400];
    struct result result;
    struct error err = {0};
    snprintf(copy, sizeof copy, "%s/%s", s.folder, s.runs[0].file);
    if (!result_read(copy, &result, &err)) fail_msg("%s", err.text);
    assert_int_equal(result.count, 6);
    result_free(&result);
    store_series_free(&s);
}

// The parts of a file's name are in this order: driver, start, suite, program, seed, number.
static void a_file_is_named_after_its_run(void **state) {
    const struct small_fact other_git = {"tool", "git", false};
    char store[200];
    snprintf(store, sizeof store, "%s/names", folder);
    add(store, small_result("run.json", &other_git, points), true);
    struct store_series s = series_of(store);
    assert_string_equal(s.runs[0].git, "other");
    assert_string_equal(s.runs[0].file, "1-2-3/2026-01-02t03-04-05z-quick-other-7-0.json");
    store_series_free(&s);
}

// A run is known by start, suite, seed, driver and program. All other facts are equal here.
static void a_run_is_new_if_a_fact_differs(void **state) {
    static const struct {
        struct small_fact fact;
        bool added;
    } rows[] = {{{"run", "started", false}, true}, {{"run", "suite", false}, true}, {{"run", "seed", false}, true},
        {{"device", "driver_info", false}, true}, {{"tool", "git", false}, true}, {{"host", "cpu", false}, false},
        {{"tool", "version", false}, false}};
    char store[200];
    size_t count = 1;
    snprintf(store, sizeof store, "%s/new", folder);
    add(store, small_result("run.json", NULL, points), true);
    add(store, small_result("run.json", NULL, points), false);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        add(store, small_result("other.json", &rows[i].fact, points), rows[i].added);
        count += rows[i].added;
    }
    struct store_series s = series_of(store);
    assert_int_equal(s.run_count, count);
    assert_int_equal(s.point_count, 4); // each name once
    assert_int_equal(s.time_count, 4 * count);
    for (size_t i = 0; i < s.time_count; i++) assert_int_equal(s.times[i].run, i / 4);
    store_series_free(&s);
}

// Neither names of a result nor lines of a list lead out of the store.
static void no_name_leads_out_of_the_store(void **state) {
    static const struct {
        const char *section, *key;
    } names[] = {{"run", "started"}, {"run", "suite"}, {"run", "seed"}, {"device", "driver_info"}, {"tool", "git"}};
    char store[200], path[200];
    snprintf(store, sizeof store, "%s/inside", folder);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s", small_result("run.json", NULL, points));
        struct json_object *result = json_object_from_file(path);
        json_put_string(json_get(result, names[i].section), names[i].key, "../../../out\tof\nit");
        assert_int_equal(json_object_to_file(path, result), 0);
        json_object_put(result);
        add(store, path, true);
    }
    struct store_series s = series_of(store);
    assert_int_equal(s.run_count, sizeof names / sizeof *names);
    for (size_t i = 0; i < s.run_count; i++) {
        char file[400];
        assert_null(strstr(s.runs[i].file, ".."));
        snprintf(file, sizeof file, "%s/%s", s.folder, s.runs[i].file);
        assert_int_equal(access(file, R_OK), 0);
    }
    store_series_free(&s);
}

static const struct {
    const char *line;
    bool read;
} lines[] = {
    {"a.json\t1\t2\t3\t4\t5", true}, {"a.json\t1\t2\t3\t4\t5\t0:", true},
    {"a.json\t1\t2\t3\t4\t5\t1:3.5:3.4:3.6", true}, {"a.json\t1\t2\t3\t4", false}, // five fields
    {"a.json\t1\t2\t3\t4\t5\t2:", false},                                          // there are points 0 and 1
    {"a.json\t1\t2\t3\t4\t5\t1:0:0:0", false},                                     // no time
    {"a.json\t1\t2\t3\t4\t5\t1:-1:1:1", false},                                    // a negative one
    {"a.json\t1\t2\t3\t4\t5\t1:1:nan:1", false},                                   //
    {"a.json\t1\t2\t3\t4\t5\t1:1:1:inf", false},                                   //
    {"a.json\t1\t2\t3\t4\t5\t1:inf:1:1", false},                                   //
    {"a.json\t1\t2\t3\t4\t5\t1:3.5:3.4", false},                                   // no end of the interval
    {"a.json\t1\t2\t3\t4\t5\t1:3.5:3.4:3.6x", false},                              //
    {"a.json\t1\t2\t3\t4\t5\t1", false},                                           //
    {"a.json\t1\t2\t3\t4\t5\t:3:3:3", false},                                      //
    {"../a.json\t1\t2\t3\t4\t5", false},                                           // outside
    {"b/../../a.json\t1\t2\t3\t4\t5", false},                                      //
    {"/a.json\t1\t2\t3\t4\t5", false},                                             //
};

static void damaged_lines_are_refused_by_number(void **state) {
    char runs[200], begin[300];
    snprintf(begin, sizeof begin, "mkdir -p %s/lines/%s && printf 'a\\nb\\n' >%s/lines/%s/points", folder, device,
        folder, device);
    assert_int_equal(system(begin), 0);
    snprintf(runs, sizeof runs, "%s/lines/%s/runs", folder, device);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct store_series s;
        struct error err = {0};
        FILE *file = fopen(runs, "w");
        assert_non_null(file);
        fprintf(file, "f.json\t1\t2\t3\t4\t5\t0:1:1:1\n%s\ncut short", lines[i].line);
        fclose(file);
        char store[200];
        snprintf(store, sizeof store, "%s/lines", folder);
        if (store_read(store, device, true, &s, &err) != lines[i].read) fail_msg("%s: %s", lines[i].line, err.text);
        if (lines[i].read) {
            assert_int_equal(s.run_count, 2); // the last line has no end
            store_series_free(&s);
        } else {
            assert_int_equal(err.status, STATUS_BAD_INPUT);
            assert_non_null(strstr(err.text, "/runs:2: expected "));
        }
    }
}

// Six runs: minutes 1 to 4 of one driver and suite, one of another driver, one of another suite.
static const struct {
    const char *started, *suite, *driver;
} runs[] = {{"03", "a", "x"}, {"01", "a", "x"}, {"04", "a", "x"}, {"02", "a", "x"}, {"01", "a", "y"}, {"02", "b", "x"}};
enum { RUNS = sizeof runs / sizeof *runs };

static const struct {
    size_t keep;
    const char *before, *left;
} prunings[] = {{9, NULL, "111111"}, {4, NULL, "111111"}, {3, NULL, "101111"}, {1, NULL, "001011"}, {0, "01", "111111"},
    {0, "02", "101101"}, {0, "05", "000000"}, {2, "04", "001000"}};

static void the_oldest_of_each_driver_and_suite_are_pruned(void **state) {
    struct error err = {0};
    for (size_t p = 0; p < sizeof prunings / sizeof *prunings; p++) {
        char store[200], base[300], list[400], left[RUNS + 1] = "000000";
        size_t removed = 99, gone = 0;
        snprintf(store, sizeof store, "%s/prune%zu", folder, p);
        snprintf(base, sizeof base, "%s/%s", store, device);
        assert_true(mkdir(store, 0777) == 0 && mkdir(base, 0777) == 0);
        snprintf(list, sizeof list, "%s/runs", base);
        FILE *file = fopen(list, "w");
        for (size_t i = 0; i < RUNS; i++) {
            char data[400];
            fprintf(file, "%zu.json\t%s\t%s\t7\t%s\tgit\n", i, runs[i].started, runs[i].suite, runs[i].driver);
            snprintf(data, sizeof data, "%s/%zu.json", base, i);
            fclose(fopen(data, "w"));
        }
        fclose(file);
        if (!store_prune(store, device, prunings[p].keep, prunings[p].before, &removed, &err)) fail_msg("%s", err.text);
        struct store_series s = series_of(store);
        for (size_t i = 0; i < s.run_count; i++) left[atoi(s.runs[i].file)] = '1';
        assert_string_equal(left, prunings[p].left);
        for (size_t i = 0; i < RUNS; i++) {
            char data[400];
            snprintf(data, sizeof data, "%s/%zu.json", base, i);
            assert_int_equal(access(data, F_OK) == 0, prunings[p].left[i] == '1');
            gone += prunings[p].left[i] == '0';
        }
        assert_int_equal(removed, gone);
        store_series_free(&s);
    }
}

static void only_a_marked_folder_is_a_store(void **state) {
    struct arena arena = {0};
    struct error err = {0};
    bool added;
    char **devices, store[200], result[200], command[900];
    size_t count = 9;
    snprintf(store, sizeof store, "%s/marked", folder);
    snprintf(result, sizeof result, "%s", small_result("run.json", NULL, points));
    assert_false(store_is(store) || store_devices(&arena, store, &devices, &count, &err));
    snprintf(command, sizeof command, "mkdir %s && touch %s/.hidden %s/store.part-3", store, store, store);
    assert_int_equal(system(command), 0);
    add(store, result, true); // such files do not count
    assert_true(store_is(store));
    snprintf(command, sizeof command, "cd %s && cp -r made-up-device b && cp -r b a && cp -r b .c && mkdir d", store);
    assert_int_equal(system(command), 0);
    assert_true(store_devices(&arena, store, &devices, &count, &err));
    assert_int_equal(count, 3); // those with a list of runs, by name
    assert_string_equal(devices[0], "a");
    assert_string_equal(devices[1], "b");
    assert_string_equal(devices[2], device);
    snprintf(command, sizeof command, "echo 'vkassay store 2' >%s/store", store);
    assert_int_equal(system(command), 0);
    assert_false(store_is(store) || store_add(store, result, &added, &err));
    assert_non_null(strstr(err.text, "not a store, and it holds other files"));
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_keeps_times_and_failures),
        cmocka_unit_test(a_file_is_named_after_its_run),
        cmocka_unit_test(a_run_is_new_if_a_fact_differs),
        cmocka_unit_test(no_name_leads_out_of_the_store),
        cmocka_unit_test(damaged_lines_are_refused_by_number),
        cmocka_unit_test(the_oldest_of_each_driver_and_suite_are_pruned),
        cmocka_unit_test(only_a_marked_folder_is_a_store),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
