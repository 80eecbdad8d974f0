// SPDX-License-Identifier: Apache-2.0
// Expectations: good and bad files, matching, and the file left for the next run.
#include "../../../record/terms.h"
#include "../../plan/suite.h"
#include "../expectations.h"

#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../../../device/device_info.h"
#include "../../../base/json.h"

#define FILE_OF(entries) "{\"schema_version\": 1, \"expectations\": [" entries "]}"
#define ENTRY(points, rest) "{\"points\": \"" points "\", " rest "}"

static const struct device_info device = {
    .name = "llvmpipe (LLVM 15.0.6, 256 bits)", .driver_name = "llvmpipe", .driver_info = "Mesa 22.3.6 (LLVM 15.0.6)"};

static void load(struct fixture *f, const char *content, struct expectations *out) {
    if (!expectations_load(&f->arena, fixture_write(f, "e.json", content), out, &f->err)) fail_msg("%s", f->err.text);
}

static void damaged_files_are_refused(void **state) {
    struct fixture *f = *state;
    static const struct {
        const char *content, *says;
    } bad[] = {
        {"", "end of the file"},
        {"null ", "expected object"},
        {"[]", "expected object"},
        {"{\"schema_version\": 1, \"expectations\": [", "end of the file"},
        {"{\"schema_version\": 2, \"expectations\": []}", "$.schema_version"},
        {"{\"schema_version\": 1}", "\"expectations\""},
        {"{\"schema_version\": 1, \"expectation\": []}", "expectations"},
        {FILE_OF("7"), "$.expectations[0]: expected object"},
        {FILE_OF("{\"status\": \"fail\", \"reason\": \"r\"}"), "\"points\""},
        {FILE_OF(ENTRY("*", "\"status\": \"fail\"")), "\"reason\""},
        {FILE_OF(ENTRY("*", "\"status\": \"fail\", \"reason\": \"\"")), "$.expectations[0].reason"},
        {FILE_OF(ENTRY("*", "\"status\": \"pass\", \"reason\": \"r\"")), "found \"pass\""},
        {FILE_OF(ENTRY("*", "\"status\": \"flaky\", \"reason\": \"r\"")), "flake or skip, found \"flaky\""},
        {FILE_OF(ENTRY("*", "\"status\": \"fail\", \"reason\": \"r\", \"devise\": \"x\"")), "device"},
        {FILE_OF(ENTRY("*", "\"status\": \"fail\", \"reason\": \"r\", \"driver\": 3")), "$.expectations[0].driver"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct expectations e;
        f->err = (struct error){0};
        if (expectations_load(&f->arena, fixture_write(f, "e.json", bad[i].content), &e, &f->err))
            fail_msg("taken: %s", bad[i].content);
        assert_int_equal(f->err.status, STATUS_BAD_INPUT);
        if (!strstr(f->err.text, bad[i].says) || !strstr(f->err.text, "e.json")) fail_msg("%s", f->err.text);
    }
    assert_false(expectations_load(&f->arena, "/no/such/file", &(struct expectations){0}, &f->err));
    assert_int_equal(f->err.status, STATUS_BAD_INPUT);
}

// Returns the status that a list of entries expects of a point; "" if there is none.
static const char *expected_of(struct fixture *f, const char *entries, const char *name) {
    struct expectations e;
    struct point point = {.name = name};
    struct plan plan = {.points = &point, .count = 1};
    char content[2000];
    snprintf(content, sizeof content, FILE_OF("%s"), entries);
    load(f, content, &e);
    expectations_apply(&f->arena, &e, &device, &plan);
    return point.expected ? point.expected->status : "";
}

static void entries_match_by_point_device_and_driver(void **state) {
    struct fixture *f = *state;
    static const char fails[] = "\"status\": \"fail\", \"reason\": \"r\"", name[] = "relu.vec4/f16/n=7/wg=64x1x1";
    static const struct {
        const char *points, *rest;
        bool match;
    } cases[] = {
        {"relu.vec4/f16/n=7/wg=64x1x1", "", true},
        {"relu.vec4/f16", "", true}, // leading parts, as on the command line
        {"relu.*/f16/*", "", true},
        {"relu.vec4/f32", "", false},
        {"relu", "", true}, // an operator's name
        {"gelu", "", false},
        {"*", ", \"device\": \"llvmpipe*\"", true},
        {"*", ", \"device\": \"llvmpipe\"", false},
        {"*", ", \"device\": \"NVIDIA*\"", false},
        {"*", ", \"driver\": \"llvmpipe Mesa 22.*\"", true},
        {"*", ", \"driver\": \"*Mesa 23.*\"", false},
        {"*", ", \"device\": \"llvm*\", \"driver\": \"*Mesa 23.*\"", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char entry[300];
        snprintf(entry, sizeof entry, ENTRY("%s", "%s%s"), cases[i].points, fails, cases[i].rest);
        if ((*expected_of(f, entry, name) != '\0') != cases[i].match) fail_msg("%s", entry);
    }
    // The first matching entry counts.
    assert_string_equal(expected_of(f,
                            ENTRY("relu.vec4", "\"status\": \"flake\", \"reason\": \"r\"") "," ENTRY(
                                "*", "\"status\": \"crash\", \"reason\": \"r\""),
                            name),
        "flake");
}

static void what_is_to_be_skipped_is_refused(void **state) {
    struct fixture *f = *state;
    struct expectations e;
    static const struct refusal large = {.kind = REFUSAL_SHARED_BYTES, .figures = {8, 4}};
    struct point points[] = {{.name = "a.b/f32/n=1/wg=1x1x1"}, {.name = "a.c/f32/n=1/wg=1x1x1"},
        {.name = "a.b/f32/n=2/wg=1x1x1", .refused = &large}};
    struct plan plan = {.points = points, .count = 3};
    load(f, FILE_OF(ENTRY("a.b", "\"status\": \"skip\", \"reason\": \"it takes the machine down\"")), &e);
    expectations_apply(&f->arena, &e, &device, &plan);
    assert_string_equal(
        refusal_text(&f->arena, points[0].refused), "skipped by the expectations: it takes the machine down");
    assert_null(points[1].refused);
    assert_null(points[1].expected);
    assert_ptr_equal(points[2].refused, &large);
}

static struct json_object *record(const char *name, const char *status, const char *expected, const char *attempts) {
    struct json_object *record = json_object_new_object(), *noted = json_object_new_object();
    json_put_string(record, "name", name);
    json_put_string(record, "status", status);
    json_put_string(record, "reason", strcmp(status, "pass") ? "as found" : NULL);
    json_put_string(noted, "status", expected);
    if (expected) json_put(record, "expected", json_object_get(noted));
    json_object_put(noted);
    if (attempts) json_put(record, "attempts", json_tokener_parse(attempts));
    return record;
}

#define FLAKY "{\"flaky\": true}"
#define HERE "\"device\":\"llvmpipe (LLVM 15.0.6, 256 bits)\",\"driver\":\"llvmpipe Mesa 22.3.6 (LLVM 15.0.6)\","
#define OTHERS "{\"points\":\"*\",\"device\":\"NVIDIA*\",\"status\":\"fail\",\"reason\":\"elsewhere\"}"

// An entry stays until a record contradicts it. Then entries for the points still failing replace it.
static void a_run_leaves_what_makes_the_next_one_good(void **state) {
    struct fixture *f = *state;
    struct expectations e;
    struct json_object *records[] = {
        record("new.fail/f32", "fail", NULL, NULL),
        record("new.crash/f32", "crash", NULL, NULL),
        record("new.flake/f32", "fail", NULL, FLAKY),
        record("good/f32", "pass", NULL, NULL),
        record("holds/f32", "fail", "fail", NULL),
        record("flake/f32", "pass", "flake", NULL),
        record("skip/f32", "skip", "skip", NULL),
        record("part/still", "fail", "fail", NULL),
        record("part/mended", "pass", "fail", NULL),
        record("part/worse", "crash", "fail", NULL),
        record("part/flaky", "fail", "fail", FLAKY),
        record("sweep/f32/bits=0-f", "fail", NULL, NULL),
    };
    enum { RECORDS = sizeof records / sizeof *records };
    struct json_object *next;
    load(f,
        FILE_OF(OTHERS ",{\"points\":\"holds\",\"status\":\"fail\",\"reason\":\"known\"},"
                       "{\"points\":\"flake\",\"status\":\"flake\",\"reason\":\"now and then\"},"
                       "{\"points\":\"skip\",\"status\":\"skip\",\"reason\":\"never\"},"
                       "{\"points\":\"part\",\"status\":\"fail\",\"reason\":\"some\"},"
                       "{\"points\":\"not.run\",\"status\":\"crash\",\"reason\":\"another day\"}"),
        &e);
    next = expectations_next(&e, &device, records, RECORDS);
    assert_string_equal(json_object_to_json_string_ext(next, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE),
        "{\"schema_version\":1,\"expectations\":["
        "{\"points\":\"new.fail/f32\"," HERE "\"status\":\"fail\",\"reason\":\"as found\"},"
        "{\"points\":\"new.crash/f32\"," HERE "\"status\":\"crash\",\"reason\":\"as found\"},"
        "{\"points\":\"new.flake/f32\"," HERE "\"status\":\"flake\",\"reason\":\"as found\"},"
        "{\"points\":\"part/still\"," HERE "\"status\":\"fail\",\"reason\":\"some\"},"
        "{\"points\":\"part/worse\"," HERE "\"status\":\"crash\",\"reason\":\"as found\"},"
        "{\"points\":\"part/flaky\"," HERE "\"status\":\"flake\",\"reason\":\"as found\"},"
        "{\"points\":\"sweep/f32\"," HERE "\"status\":\"fail\",\"reason\":\"as found\"}," OTHERS
        ",{\"points\":\"holds\",\"status\":\"fail\",\"reason\":\"known\"},"
        "{\"points\":\"flake\",\"status\":\"flake\",\"reason\":\"now and then\"},"
        "{\"points\":\"skip\",\"status\":\"skip\",\"reason\":\"never\"},"
        "{\"points\":\"not.run\",\"status\":\"crash\",\"reason\":\"another day\"}]}");
    // The written file can be read again, and names each point that did not pass.
    load(f, json_object_to_json_string(next), &e);
    for (int i = 0; i < 3; i++) assert_string_equal(e.items[i].points, json_get_string(records[i], "name", ""));
    json_object_put(next);
    for (size_t i = 0; i < RECORDS; i++) json_object_put(records[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(damaged_files_are_refused, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(entries_match_by_point_device_and_driver, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(what_is_to_be_skipped_is_refused, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_run_leaves_what_makes_the_next_one_good, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
