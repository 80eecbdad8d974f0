// SPDX-License-Identifier: Apache-2.0
// Several small results: which files are read, which belong to one device, and which record of a point counts.
#include "../result_set.h"

#include "../../base/file.h"
#include "small_result.h"
#include "../../../reference/tests/unit.h"

static struct arena arena;
enum { POINTS = 15 };

static const char *in(const char *name) {
    return arena_format(&arena, "%s/%s", folder, name);
}

// Makes FOLDER/all with two results in folders, a table and a file that is cut short, and FOLDER/empty.
static int make_files(void **state) {
    struct small_point points[POINTS + 1] = {0};
    struct error err;
    for (size_t i = 0; i < POINTS; i++)
        points[i] = (struct small_point){arena_format(&arena, "p%zu", i), RECORD_PASS, 80, NULL};
    if (folder_make(state) != 0) return -1;
    for (size_t i = 0; i < 4; i++) {
        static const char *const folders[] = {"all/one", "all/two/deep", "empty", "all"};
        assert_true(file_make_folder(in(folders[i]), &err));
    }
    const char *made = small_result("made.json", NULL, points);
    assert_int_equal(
        system(arena_format(&arena,
            "cd %s && cp %s all/one/x.json && gzip -c %s >all/two/deep/y.json.gz && echo '{\"tuned\": []}' "
            ">all/t.json && head -c -20 %s >all/cut.json",
            folder, made, made, made)),
        0);
    return 0;
}

static int remove_files(void **state) {
    arena_free(&arena);
    return folder_remove(state);
}

static struct result_set read_all(const char *const *words, size_t count, size_t skipped) {
    struct result_files files;
    struct result_set set;
    struct error err;
    if (!result_files_find(&arena, words, count, &files, &err) ||
        !result_set_read(&arena, &files, result_read, &set, &err))
        fail_msg("%s", err.text);
    assert_int_equal(files.skipped_count, skipped);
    for (size_t i = 0; i < skipped; i++) assert_non_null(strstr(files.skipped[i], "cut.json"));
    return set;
}

// What is found and cannot be read is left out.
static void a_folder_is_its_results(void **state) {
    const char *words[] = {in("made.json"), in("all")};
    struct result_set set = read_all(words, 2, 1);
    static const char *const expected[] = {"made.json", "all/one/x.json", "all/two/deep/y.json.gz"};
    assert_int_equal(set.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(set.paths[i], in(expected[i]));
        assert_int_equal(set.results[i].count, POINTS);
    }
    result_set_free(&set);
}

static void what_is_named_must_be_readable(void **state) {
    struct result_files files;
    struct result_set set;
    struct error err;
    const char *words[] = {in("made.json"), in("all/cut.json"), in("made.json")}, *empty = in("empty");
    assert_false(result_set_of(&arena, words, 3, result_read, &set, &err));
    assert_non_null(strstr(err.text, "cut.json"));
    result_set_free(&set);
    assert_false(result_files_find(&arena, &empty, 1, &files, &err));
    assert_non_null(strstr(err.text, "empty: found no results in this folder"));
}

// ---- groups

struct made {
    struct device_info device;
    struct result result;
};

static void make(struct made *out, const char *uuid, const char *started) {
    *out = (struct made){.device = {.kind = DEVICE_DISCRETE, .name = "A GPU"}};
    snprintf(out->device.device_uuid, sizeof out->device.device_uuid, "%s", uuid);
    struct json_object *run = json_object_new_object();
    out->result = (struct result){.context = json_object_new_object(), .device = &out->device};
    json_put_string(run, "started", started);
    json_put(out->result.context, "run", run);
}

// Of results begun in one second the last given is the newest.
static void the_newest_of_each_device_is_first(void **state) {
    static const struct {
        const char *uuid, *started;
    } rows[] = {
        {"01", "2026-01-02"}, {"02", "2026-01-01"}, {"01", "2026-01-03"}, {"01", "2026-01-01"}, {"02", "2026-01-01"}};
    enum { COUNT = sizeof rows / sizeof *rows };
    struct made made[COUNT];
    struct result results[COUNT];
    struct result_group *groups;
    for (size_t i = 0; i < COUNT; i++) {
        make(&made[i], rows[i].uuid, rows[i].started);
        results[i] = made[i].result;
    }
    assert_int_equal(result_groups(results, COUNT, DEVICE_UNIT, &arena, &groups), 2);
    assert_int_equal(groups[0].count, 3);
    assert_int_equal(groups[0].places[0], 2);
    assert_int_equal(groups[0].places[1], 0);
    assert_int_equal(groups[0].places[2], 3);
    assert_int_equal(groups[1].count, 2);
    assert_int_equal(groups[1].places[0], 4);
    assert_int_equal(result_groups(results, COUNT, DEVICE_MODEL, &arena, &groups), 1);
    assert_int_equal(groups[0].count, COUNT);
    for (size_t i = 0; i < COUNT; i++) json_object_put(results[i].context);
}

// ---- joined results

// Expected: the result, newest first, whose record counts.
static const struct {
    const char *what;
    enum record_status newer, older;
    double newer_ns, older_ns;
    int expected;
} joins[] = {
    {"both timed", RECORD_PASS, RECORD_PASS, 5, 7, 0},
    {"a failure is not hidden", RECORD_FAIL, RECORD_PASS, 0, 7, 0},
    {"a skip", RECORD_SKIP, RECORD_PASS, 0, 7, 1},
    {"a skip beside a failure", RECORD_SKIP, RECORD_FAIL, 0, 0, 1},
    {"two skips", RECORD_SKIP, RECORD_SKIP, 0, 0, 0},
    {"a check without a time", RECORD_PASS, RECORD_PASS, 0, 7, 1},
    {"two checks", RECORD_PASS, RECORD_PASS, 0, 0, 0},
    {"a check after a failure", RECORD_PASS, RECORD_FAIL, 0, 0, 0},
};

static void each_point_counts_once(void **state) {
    for (size_t i = 0; i < sizeof joins / sizeof *joins; i++) {
        struct made made[2];
        struct result results[2], joined;
        struct record records[2] = {{.name = "p", .reason = "newer", .status = joins[i].newer},
            {.name = "p", .reason = "older", .status = joins[i].older}};
        const double ns[] = {joins[i].newer_ns, joins[i].older_ns};
        struct result_group group = {(size_t[]){0, 1}, 2};
        for (size_t r = 0; r < 2; r++) {
            make(&made[r], "01", r ? "2026-01-01" : "2026-01-02");
            if (ns[r] > 0) records[r].time[FIGURE_COMPUTE] = summarize((const double[]){ns[r]}, 1);
            results[r] = made[r].result;
            results[r].records = &records[r];
            results[r].count = 1;
        }
        result_join(results, &group, &arena, &joined);
        assert_int_equal(joined.count, 1);
        if (strcmp(joined.records[0].reason, records[joins[i].expected].reason) != 0) fail_msg("%s", joins[i].what);
        for (size_t r = 0; r < 2; r++) json_object_put(results[r].context);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_is_its_results),
        cmocka_unit_test(what_is_named_must_be_readable),
        cmocka_unit_test(the_newest_of_each_device_is_first),
        cmocka_unit_test(each_point_counts_once),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
