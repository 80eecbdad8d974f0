// SPDX-License-Identifier: Apache-2.0
// Merging as truth tables: which facts of two results may differ, which points may be in both, and the outcome.
#include "../merge.h"

#include "../../base/file.h"
#include "small_result.h"
#include "../../../reference/tests/unit.h"

#include <unistd.h>

// Merges two files. Returns 0, or the exit status of the first step that fails.
static int merged(struct merge *merge, const char *one, const char *two, const char *out, struct error *err) {
    struct json_object *run = NULL;
    bool ok = true;
    const char *const paths[] = {one, two};
    for (int i = 0; ok && i < 2; i++) {
        ok = merge_add(merge, paths[i], &run, err);
        if (ok) json_object_put(run);
    }
    ok = ok && merge_once(merge, err) && merge_write(merge, out, 99.5, false, err);
    return ok ? 0 : (int)err->status;
}

// Flags of a merge: none, alike, any_version, both.
enum { NONE, ALIKE, ANY, BOTH, FLAGS };

static const struct {
    struct small_fact fact;
    const char *peak; // of the second result's only point
    bool timed, may[FLAGS];
} facts[] = {
    {{"host", "cpu", false}, NULL, true, {true, true, true, true}},
    {{"device", "device_uuid", false}, NULL, false, {false, true, false, true}},
    {{"device", "device_uuid", false}, NULL, true, {false, false, false, true}},
    {{"device", "device_uuid", false}, "copy_bytes_per_s", true, {false, true, false, true}},
    {{"device", "name", false}, NULL, false, {false, false, false, false}},
    {{"device", "device_id", true}, NULL, false, {false, false, false, false}},
    {{"device", "driver_version", true}, NULL, false, {false, false, false, false}},
    {{"device", "driver_uuid", false}, NULL, false, {false, false, false, false}},
    {{"run", "suite", false}, NULL, false, {false, false, false, false}},
    {{"run", "seed", false}, NULL, false, {false, false, false, false}},
    {{"tool", "version", false}, NULL, true, {false, false, true, true}},
    {{"tool", "git", false}, NULL, true, {false, false, true, true}},
};

static void results_are_merged_if_their_facts_allow_it(void **state) {
    const struct small_point first[] = {{"a", RECORD_PASS, 100, NULL}, {0}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        for (int flags = NONE; flags < FLAGS; flags++) {
            const struct small_point second[] = {{"b", RECORD_PASS, facts[i].timed ? 50 : 0, facts[i].peak}, {0}};
            struct merge merge = {.alike = flags & ALIKE, .any_version = flags & ANY};
            struct error err = {0};
            char out[400];
            snprintf(out, sizeof out, "%s/out.json", folder);
            const char *one = small_result("one.json", NULL, first),
                       *two = small_result("two.json", &facts[i].fact, second);
            const int status = merged(&merge, one, two, out, &err);
            if ((status == 0) != facts[i].may[flags])
                fail_msg("%s.%s, flags %d: %d %s", facts[i].fact.section, facts[i].fact.key, flags, status, err.text);
            if (status) {
                char named[60];
                snprintf(named, sizeof named, "$.%s.%s: expected '", facts[i].fact.section, facts[i].fact.key);
                assert_int_equal(status, STATUS_BAD_INPUT);
                if (!strstr(err.text, named) || !strstr(err.text, "two.json")) fail_msg("%s", err.text);
            }
            merge_free(&merge);
        }
}

// A profile of limits is compared as a whole: two different ones may have one name.
static void profiles_must_be_equal(void **state) {
    const struct small_point first[] = {{"a", RECORD_PASS, 0, NULL}, {0}},
                             second[] = {{"b", RECORD_PASS, 0, NULL}, {0}};
    char one[400], two[400], out[400];
    snprintf(out, sizeof out, "%s/out.json", folder);
    snprintf(one, sizeof one, "%s", small_result("one.json", NULL, first));
    snprintf(two, sizeof two, "%s", small_result("two.json", NULL, second));
    static const char *const limits_of[] = {NULL, "{\"name\":\"mobile\",\"allows\":{\"max_invocations\":128}}",
        "{\"name\":\"mobile\",\"allows\":{\"max_invocations\":256}}"};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            struct merge merge = {0};
            struct json_object *run = NULL;
            struct error err = {0};
            assert_true(merge_add(&merge, one, &run, &err));
            json_object_put(run);
            if (limits_of[a])
                json_put(json_get(merge.context, "device"), "profile", json_parse(limits_of[a], strlen(limits_of[a])));
            struct json_object *other = json_object_from_file(two);
            if (limits_of[b])
                json_put(json_get(other, "device"), "profile", json_parse(limits_of[b], strlen(limits_of[b])));
            char path[400];
            snprintf(path, sizeof path, "%s/profile.json", folder);
            assert_int_equal(json_object_to_file(path, other), 0);
            json_object_put(other);
            if (merge_add(&merge, path, &run, &err) != (a == b)) fail_msg("%d %d: %s", a, b, err.text);
            if (a == b)
                json_object_put(run);
            else if (!strstr(err.text, "$.device.profile") ||
                     (a && b) != !!strstr(err.text, "found another one named 'mobile'"))
                fail_msg("%s", err.text);
            merge_free(&merge);
        }
}

static struct json_object *file_of(const char *path) {
    struct json_object *object = json_object_from_file(path);
    assert_non_null(object);
    return object;
}

static double peak_of(struct json_object *result, const char *name) {
    return json_get_double(json_get(result, "peaks"), name, NAN);
}

// Records are copied whole, in the order of the results. A peak may be in both: the first one counts, not the better
// one.
static void a_merged_result_has_every_point_once(void **state) {
    const struct small_point first[] = {
        {"p", RECORD_PASS, 1000, "copy_bytes_per_s"}, {"a", RECORD_PASS, 100, NULL}, {"b", RECORD_FAIL, 0, NULL}, {0}};
    const struct small_point second[] = {{"p", RECORD_PASS, 500, "copy_bytes_per_s"}, {"c", RECORD_SKIP, 0, NULL},
        {"d", RECORD_PASS, 70, NULL}, {"q", RECORD_PASS, 10, "read_bytes_per_s"}, {"e", RECORD_CRASH, 0, NULL}, {0}};
    static const struct { int file, at; } expected[] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {1, 3}, {1, 4}};
    enum { EXPECTED = sizeof expected / sizeof *expected };
    struct merge merge = {0};
    struct error err = {0};
    char out[400];
    snprintf(out, sizeof out, "%s/out.json", folder);
    const char *one = small_result("one.json", NULL, first), *two = small_result("two.json", NULL, second);
    if (merged(&merge, one, two, out, &err) != 0) fail_msg("%s", err.text);
    struct json_object *files[] = {file_of(in_folder("one.json")), file_of(in_folder("two.json"))},
                       *whole = file_of(out), *records = json_get(whole, "records"),
                       *counts = json_get(whole, "counts");
    assert_int_equal(json_object_array_length(records), EXPECTED);
    for (size_t i = 0; i < EXPECTED; i++) {
        struct json_object *from = json_get(files[expected[i].file], "records");
        assert_true(json_object_equal(
            json_object_array_get_idx(records, i), json_object_array_get_idx(from, (size_t)expected[i].at)));
    }
    assert_int_equal(json_get_int(counts, "pass", -1), 4);
    assert_int_equal(json_get_int(counts, "fail", -1), 1);
    assert_int_equal(json_get_int(counts, "skip", -1), 1);
    assert_int_equal(json_get_int(counts, "crash", -1), 1);
    assert_int_equal(json_get_int(counts, "timeout", -1), 0);
    assert_true(peak_of(whole, "copy_bytes_per_s") == peak_of(files[0], "copy_bytes_per_s"));
    assert_true(peak_of(whole, "copy_bytes_per_s") != peak_of(files[1], "copy_bytes_per_s"));
    assert_true(peak_of(whole, "read_bytes_per_s") == peak_of(files[1], "read_bytes_per_s"));
    assert_true(json_get_double(json_get(whole, "run"), "wall_s", 0) == 99.5);
    struct result read;
    if (!result_read(out, &read, &err)) fail_msg("%s", err.text);
    assert_int_equal(read.count, EXPECTED);
    result_free(&read);
    json_object_put(whole);
    for (int i = 0; i < 2; i++) json_object_put(files[i]);
    merge_free(&merge);
}

// The first three points are named, with both files, and all are counted.
static void points_in_two_results_are_refused(void **state) {
    static const struct {
        int shared;
        const char *said;
    } rows[] = {{0, NULL}, {1, "; 1 point "}, {2, "; 2 points "}, {4, "; 4 points "}};
    static const char *const names[] = {"a", "b", "c", "d"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct small_point first[6] = {{"x", RECORD_PASS, 0, NULL}}, second[6] = {{"y", RECORD_PASS, 0, NULL}};
        for (int k = 0; k < rows[i].shared; k++) {
            first[k + 1] = (struct small_point){names[k], RECORD_PASS, 0, NULL};
            second[k + 1] = (struct small_point){names[k], RECORD_FAIL, 0, NULL};
        }
        struct merge merge = {0};
        struct error err = {0};
        char out[400], place[600];
        snprintf(out, sizeof out, "%s/out.json", folder);
        const char *one = small_result("one.json", NULL, first), *two = small_result("two.json", NULL, second);
        assert_int_equal(merged(&merge, one, two, out, &err), rows[i].said ? STATUS_BAD_INPUT : 0);
        for (int k = 0; k < rows[i].shared; k++) {
            snprintf(place, sizeof place,
                "%s%s/two.json: $.records[%d]: point x.y/f32/n=1/%s is in two of the "
                "results, "
                "in %s/one.json too",
                k ? "; " : "", folder, k + 1, names[k], folder);
            if (!strstr(err.text, place) != (k == 3)) fail_msg("%s\nin: %s", place, err.text);
        }
        assert_int_equal(merge.twice, rows[i].shared);
        if (rows[i].said && !strstr(err.text, rows[i].said)) fail_msg("%s", err.text);
        if (rows[i].shared) assert_ptr_equal(strstr(err.text, folder), err.text); // begins with the first place
        merge_free(&merge);
    }
}

static void a_file_that_changes_or_is_no_result_is_named(void **state) {
    const struct small_point points[] = {{"a", RECORD_PASS, 0, NULL}, {0}}, more[] = {{"b", RECORD_PASS, 0, NULL}, {0}};
    char one[400], out[400];
    struct merge merge = {0};
    struct json_object *run = NULL;
    struct error err = {0};
    snprintf(one, sizeof one, "%s", small_result("one.json", NULL, points));
    snprintf(out, sizeof out, "%s/out.json", folder);
    assert_true(merge_add(&merge, one, &run, &err));
    json_object_put(run);
    assert_int_equal(truncate(one, 100), 0);
    assert_false(merge_write(&merge, out, 1, false, &err));
    assert_non_null(strstr(err.text, "one.json: changed while it was read"));
    assert_int_equal(unlink(one), 0);
    assert_false(merge_write(&merge, out, 1, false, &err));
    assert_non_null(strstr(err.text, "one.json: cannot be opened"));
    small_result("two.json", NULL, more);
    assert_false(merge_add(&merge, "suites/quick.json", &run, &err));
    assert_non_null(strstr(err.text, "suite"));
    assert_int_equal(merge.path_count, 1);
    merge_free(&merge);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_merged_if_their_facts_allow_it),
        cmocka_unit_test(profiles_must_be_equal),
        cmocka_unit_test(a_merged_result_has_every_point_once),
        cmocka_unit_test(points_in_two_results_are_refused),
        cmocka_unit_test(a_file_that_changes_or_is_no_result_is_named),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
