// SPDX-License-Identifier: Apache-2.0
// Wrong manifests: each row of members.txt replaces members of a good kernel, with the expected error. The schema must
// refuse them, too, and accept all right ones.
#include "../../../base/file.h"
#include "../../../base/json.h"
#include "../../../base/tests/needs.h"
#include "../../../base/text.h"
#include "../known_names.h"
#include "plan_fixture.h"

// Members of members.txt.
struct row {
    const char *members, *path, *says; // says: NULL, they are accepted
    bool schema_takes;                 // only the reader refuses them
};
enum { MOST_ROWS = 500 };
static struct row rows[MOST_ROWS];
static size_t row_count;
static struct arena rows_arena;

static int read_rows(void **state) {
    struct error err;
    char *text = file_read(&rows_arena, "harness/shader/manifest/tests/members.txt", NULL, &err), *line, *says;
    if (!text) fail_msg("%s", err.text);
    while ((line = strsep(&text, "\n"))) {
        if (*line == '"') {
            assert_true(row_count < MOST_ROWS);
            rows[row_count++] = (struct row){.members = line};
        } else if ((says = strstr(line, ": ")) && *line != '#') {
            struct row *last = &rows[row_count - 1];
            *says = '\0';
            *last = (struct row){last->members, line + 4, says + 2, .schema_takes = *line == '?'};
        }
    }
    assert_true(row_count > 250);
    return 0;
}

static int free_rows(void **state) {
    arena_free(&rows_arena);
    return 0;
}

// Builds a manifest: "common" has the good kernel, and the kernel itself has the row's members.
static const char *manifest_of(struct fixture *f, const char *members) {
    const char *name = strstr(members, "\"name\":") == members ? "" : "\"name\": \"relu.a\", ";
    return arena_format(&f->arena,
        "{\"common\": {\"operator\": \"relu\", \"summary\": \"s\", \"shader\": \"k.comp\", "
        "\"dtypes\": [\"f32\"],"
        " \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], \"grid\": [{\"over\": [\"n\"], \"by\": "
        "[\"WG_X\"]}],"
        " \"tunables\": {\"WG_X\": {\"values\": [64, 128], \"default\": 64}}}, \"kernels\": "
        "[{%s%s}]}",
        name, members);
}

static void the_good_kernel_loads(void **state) {
    struct fixture *f = *state;
    fixture_write(f, "m.json", manifest_of(f, "\"fold\": true"));
    if (!fixture_load(f)) fail_msg("%s", f->err.text);
}

static void each_row_says_where_and_what(void **state) {
    struct fixture *f = *state;
    for (size_t i = 0; i < row_count; i++) {
        if (!rows[i].says) continue;
        const char *path = fixture_write(f, "m.json", manifest_of(f, rows[i].members));
        if (fixture_load(f)) fail_msg("accepted: %s", rows[i].members);
        assert_int_equal(f->err.status, STATUS_BAD_INPUT);
        assert_says(f->err.text, arena_format(&f->arena, "%s: %s: ", path, rows[i].path));
        assert_says(f->err.text, rows[i].says);
    }
}

static void add_case(struct json_object *cases, bool accepted_by_reader, const char *manifest, const char *what) {
    struct json_object *one = json_object_new_object(), *parsed = json_tokener_parse(manifest);
    assert_non_null(parsed);
    json_put_bool(one, "accepted", accepted_by_reader);
    json_put(one, "manifest", parsed);
    json_put_string(one, "what", what);
    json_object_array_add(cases, one);
}

// Lists every name known to the reader, so the schema must have each new feature, dtype or type of matrix elements.
static const char *every_name(struct fixture *f) {
    struct known_names names = {0};
    struct text list = {0};
    for (int i = 0; i < FEATURE_COUNT; i++) names_add(&names, feature_name((enum feature)i));
    text_append(&list, "\"features\": [");
    for (size_t i = 0; i < names.count; i++) text_format(&list, "%s\"%s\"", i ? ", " : "", names.items[i]);
    names = (struct known_names){0};
    names_of_dtypes(&names, NULL);
    text_append(&list, "], \"dtypes\": [");
    for (size_t i = 0; i < names.count; i++) text_format(&list, "%s\"%s\"", i ? ", " : "", names.items[i]);
    text_append(&list, "]");
    const char *members = arena_copy(&f->arena, text_str(&list));
    text_free(&list);
    return members;
}

static const char *component_members(struct fixture *f, int component) {
    const char *name = component_name((enum component)component);
    return arena_format(&f->arena,
        "\"cooperative\": {\"m\": 8, \"n\": 8, \"k\": 8, \"a\": \"%s\", \"b\": \"%s\", \"c\": \"%s\", \"result\": "
        "\"%s\"}",
        name, name, name, name);
}

static void add_accepted(struct fixture *f, struct json_object *cases, const char *members) {
    fixture_write(f, "m.json", manifest_of(f, members));
    if (!fixture_load(f)) fail_msg("%s", f->err.text);
    add_case(cases, true, manifest_of(f, members), members);
}

// A member may come from the kernel, from "common" or from each pass, but one of them must have it.
static void add_layers(struct fixture *f, struct json_object *cases) {
    static const struct {
        bool accepted;
        const char *manifest;
    } layered[] = {
        {true, "{\"common\": null, \"kernels\": [{\"local_size\": [64, 1, 2], \"name\": \"relu.a\", \"operator\": "
               "\"relu\", \"summary\": \"\", \"dtypes\": [\"f32\"], "
               "\"passes\": [{\"shader\": \"k.comp\", \"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": 1}]}]}]}"},
        {true, "{\"common\": {\"name\": \"relu.a\", \"operator\": \"relu\", \"summary\": \"\", \"dtypes\": [\"f32\"], "
               "\"shader\": \"k.comp\", \"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": 1}]}, \"kernels\": [{}]}"},
        {false,
            "{\"kernels\": [{\"name\": \"relu.a\", \"operator\": \"relu\", \"summary\": \"\", \"dtypes\": [\"f32\"], "
            "\"shader\": \"k.comp\", \"bindings\": [\"x\", \"y\"]}]}"},
        {false,
            "{\"kernels\": [{\"name\": \"relu.a\", \"operator\": \"relu\", \"summary\": \"\", \"dtypes\": [\"f32\"], "
            "\"shader\": \"k.comp\", \"passes\": [{\"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": 1}]}, "
            "{\"grid\": [{\"over\": 1}]}]}]}"},
        {false, "{\"kernels\": [{\"name\": \"relu.a\", \"operator\": \"relu\", \"dtypes\": [\"f32\"], "
                "\"shader\": \"k.comp\", \"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": 1}]}]}"},
        {false, "{\"kernels\": []}"},
        {false, "[]"},
    };
    for (size_t i = 0; i < sizeof layered / sizeof *layered; i++) {
        fixture_write(f, "m.json", layered[i].manifest);
        assert_int_equal(fixture_load(f), layered[i].accepted);
        add_case(cases, layered[i].accepted, layered[i].manifest, layered[i].manifest);
    }
}

static void the_schema_takes_what_the_reader_takes(void **state) {
    struct fixture *f = *state;
    const char *python = needs_python("json jsonschema");
    struct json_object *cases = json_object_new_array();
    for (size_t i = 0; i < row_count; i++)
        if (!rows[i].says)
            add_accepted(f, cases, rows[i].members);
        else if (!rows[i].schema_takes)
            add_case(cases, false, manifest_of(f, rows[i].members), rows[i].members);
    for (int i = 0; i < COMPONENT_COUNT; i++) add_accepted(f, cases, component_members(f, i));
    add_accepted(f, cases, every_name(f));
    add_layers(f, cases);
    const char *path = fixture_write(f, "cases.list", json_object_to_json_string_ext(cases, 0));
    json_object_put(cases);
    assert_int_equal(python_run(python, "harness/shader/manifest/tests/manifest_schema_check.py", path), 0);
}

static void an_error_in_common_is_shown_in_common(void **state) {
    struct fixture *f = *state;
    fixture_write(f, "m.json", "{\"common\": {\"operator\": \"reluu\"}, \"kernels\": [{\"name\": \"relu.a\"}]}");
    assert_false(fixture_load(f));
    assert_says(f->err.text, "$.common.operator: ");
}

// A mistake hides no other: not in its kernel, in its file or in another file. Kernels without a mistake are loaded.
static void all_mistakes_are_reported_at_once(void **state) {
    struct fixture *f = *state;
    static const char *const said[] = {"a.json:1: ", "b.json: $.kernels[0].bindings[1]: \"z\" is no operand",
        "b.json: $.kernels[0].push[1]: \"m\" is no dim",
        "b.json: $.kernels[0].tunables.T: expected a member \"values\"",
        "b.json: $.kernels[0].tunables.U.default: the default 3", "b.json: $.kernels[0].grid[0].over[0]: \"mm\" is no",
        "b.json: $.kernels[0].rules[0]: expected a member \"why\"", "b.json: $.kernels[1].operator: \"reluu\" is no",
        "b.json: $.kernels[3].dtypes[0]: \"f33\" is no", "b.json: $.kernels[3].dtypes[2]: \"f34\" is no",
        "b.json: $.kernels[3].shader: there is no shader file",
        "b.json: $.kernels[5].shader: ", "b.json: $.kernels[4]: unknown member \"tunable\"",
        "c.json: the kernel \"relu.good\" is in "};
#define GOOD_BUT(name, members)                                                                                        \
    "{\"name\": \"" name                                                                                               \
    "\", \"operator\": \"relu\", \"summary\": \"\", \"shader\": \"k.comp\", \"dtypes\": [\"f32\"], "                   \
    "\"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], \"grid\": [{\"over\": [\"n\"]}]" members "}"
    fixture_write(f, "a.json", "{");
    fixture_write(f, "b.json",
        "{\"kernels\": [{\"name\": \"relu.a\", \"operator\": \"relu\", \"summary\": \"\", \"shader\": \"k.comp\", "
        "\"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"z\"], \"push\": [\"n\", \"m\", \"T\"], \"tunables\": {\"T\": "
        "{\"id\": 3, \"default\": 1}, \"U\": {\"id\": 4, \"values\": [1], \"default\": 3}}, \"grid\": "
        "[{\"over\": "
        "[\"mm\"], \"by\": [\"T\", \"U\"]}], \"rules\": [{\"equal\": [1, 1]}]}, {\"name\": \"reluu.a\", \"operator\": "
        "\"reluu\"}, " GOOD_BUT("relu.good",
            "") ", {\"name\": \"relu.b\", \"operator\": \"relu\", \"summary\": \"\", "
                "\"shader\": \"none.comp\", \"dtypes\": [\"f33\", \"f32\", \"f34\"], "
                "\"bindings\": [\"x\", \"y\"], \"grid\": "
                "[{\"over\": [\"n\"]}]}, " GOOD_BUT("relu.c",
                    ", \"tunable\": {}") ", {\"name\": \"relu.d\", \"operator\": \"relu\", \"summary\": \"\", "
                                         "\"shader\": \"../..\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], "
                                         "\"grid\": [{\"over\": [\"n\"]}]}]}");
    fixture_write(f, "c.json", "{\"kernels\": [" GOOD_BUT("relu.good", "") ", " GOOD_BUT("relu.other", "") "]}");
    assert_false(fixture_load(f));
    assert_int_equal(f->kernels.count, 2);
    assert_non_null(kernel_named(&f->kernels, "relu.good"));
    assert_non_null(kernel_named(&f->kernels, "relu.other"));
    const struct mistakes *mistakes = &f->kernels.mistakes;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        bool met = false;
        for (size_t s = 0; s < mistakes->count; s++) met |= strstr(mistakes->items[s], said[i]) != NULL;
        if (!met) fail_msg("not said: %s", said[i]);
    }
    for (size_t s = 0; mistakes->count != sizeof said / sizeof *said && s < mistakes->count; s++)
        print_message("%s\n", mistakes->items[s]);
    assert_int_equal(mistakes->count, sizeof said / sizeof *said);
}

// A mistake in "common" appears in every kernel and counts once.
static void a_mistake_in_common_is_reported_once(void **state) {
    struct fixture *f = *state;
    fixture_write(f, "m.json",
        "{\"common\": {\"dtypes\": [\"f33\"], \"summery\": \"\"}, \"kernels\": [" GOOD_BUT(
            "relu.a", "") ", {\"name\": "
                          "\"relu.b\", \"operator\": \"relu\", \"summary\": \"\", \"shader\": \"k.comp\", "
                          "\"bindings\": [\"x\", \"y\"], "
                          "\"grid\": [{\"over\": [\"n\"]}]}, {\"name\": \"relu.c\", \"operator\": \"relu\", "
                          "\"summary\": \"\", \"shader\": "
                          "\"k.comp\", \"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": [\"n\"]}]}]}");
    assert_false(fixture_load(f));
    assert_int_equal(f->kernels.count, 0);
    assert_int_equal(f->kernels.mistakes.count, 2);
}

static void frames(void **state) {
    struct fixture *f = *state;
    static const char *const bad[][2] = {{"[]", "$: expected object, found array"}, {"{", ":1: "}, {"", ":1: "},
        {"{\"kernels\": []}", "$.kernels: expected at least one kernel"}, {"{}", "$: expected a member \"kernels\""},
        {"{\"kernels\": [7]}", "$.kernels[0]: expected object, found int"},
        {"{\"kernel\": []}", "did you mean \"kernels\"?"},
        {"{\"common\": 4, \"kernels\": [{}]}", "$.common: expected object"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fixture_write(f, "m.json", bad[i][0]);
        if (fixture_load(f)) fail_msg("accepted: %s", bad[i][0]);
        assert_says(f->err.text, bad[i][1]);
    }
}

static void shapes_beyond_count(void **state) {
    struct fixture *f = *state;
    char list[400] = "";
    for (int i = 0; i < KERNEL_VALUES; i++) sprintf(list + strlen(list), "%s%d", i ? "," : "", i + 1);
    fixture_write(f, "m.json",
        manifest_of(f, arena_format(&f->arena,
                           "\"tunables\": {\"A\": {\"id\": 3, \"values\": [%s], \"default\": 1}, \"B\": "
                           "{\"id\": 4, \"values\": [%s],"
                           " \"default\": 1}, \"C\": {\"id\": 5, \"values\": [%s], \"default\": 1}, \"D\": "
                           "{\"id\": 6, \"values\": [%s], \"default\": 1}}",
                           list, list, list, list)));
    assert_false(fixture_load(f));
    assert_says(f->err.text, "expected at most 100000 shapes; the tunables up to this one give 663552");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_good_kernel_loads, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(each_row_says_where_and_what, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_schema_takes_what_the_reader_takes, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(an_error_in_common_is_shown_in_common, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(all_mistakes_are_reported_at_once, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_mistake_in_common_is_reported_once, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(frames, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(shapes_beyond_count, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, read_rows, free_rows);
}
