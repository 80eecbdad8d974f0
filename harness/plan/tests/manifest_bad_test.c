// SPDX-License-Identifier: Apache-2.0
// Manifests that are wrong: each row is a good kernel
// with some members replaced, and what the error says.
#include "fixture.h"

static const struct {
    const char *members; // JSON members put over those of the good kernel
    const char *path, *says;
} rows[] = {
    {"\"operator\": \"rmsnrom\"", "$.kernels[0].operator",
        "\"rmsnrom\" is no operator; did you mean \"rmsnorm\"?"},
    {"\"operator\": 3", "$.kernels[0].operator", "expected string, found int"},
    {"\"name\": \"relu\"", "$.kernels[0].name", "expected \"relu.VARIANT\""},
    {"\"name\": \"silu.scalar\"", "$.kernels[0].name", "expected \"relu.VARIANT\""},
    {"\"name\": \"relu.a/b\"", "$.kernels[0].name", "expected \"relu.VARIANT\""},
    {"\"nam\": \"relu.a\"", "$.kernels[0]", "unknown member \"nam\"; did you mean \"name\"?"},
    {"\"dtypes\": []", "$.kernels[0].dtypes", "at least one"},
    {"\"dtypes\": null", "$.kernels[0].dtypes", "expected array, found null"},
    {"\"dtypes\": [\"f32\", \"f64\"]", "$.kernels[0].dtypes[1]",
        "\"f64\" is no dtype; did you mean"},
    {"\"arithmetic\": \"i32\"", "$.kernels[0].arithmetic",
        "\"i32\" is no type that kernels compute in"},
    {"\"cooperative\": {\"m\": 16}", "$.kernels[0].cooperative", "expected a member \"n\""},
    {"\"cooperative\": {\"m\": \"M\"}", "$.kernels[0].cooperative.m", "\"M\" is no dim or tunable"},
    {"\"cooperative\": {\"m\": 8, \"n\": 8, \"k\": 8, \"a\": \"f61\"}",
        "$.kernels[0].cooperative.a", "\"f61\" is no type of matrix elements; did you mean"},
    {"\"features\": [\"storge16\"]", "$.kernels[0].features[0]", "did you mean \"storage16\"?"},
    {"\"shader\": \"none.comp\"", "$.kernels[0].shader", "there is no shader file"},
    {"\"bindings\": [\"x\", \"z\"]", "$.kernels[0].bindings[1]",
        "\"z\" is no operand or scratch buffer"},
    {"\"bindings\": [\"x\"]", "$.kernels[0]", "operand \"y\" of relu is in no \"bindings\""},
    {"\"bindings\": [\"x\", {\"name\": \"y\"}]", "$.kernels[0].bindings[1]",
        "expected a member \"binding\""},
    {"\"bindings\": [\"x\", {\"name\": \"y\", \"binding\": 1, \"group\": 1}]",
        "$.kernels[0].bindings[1]", "unknown member \"group\""},
    {"\"bindings\": [\"x\", {\"name\": \"y\", \"binding\": 1, \"set\": 4}]",
        "$.kernels[0].bindings[1].set", "from 0 to 3, found 4"},
    {"\"bindings\": [\"x\", {\"name\": \"y\", \"binding\": 0}]", "$.kernels[0].bindings[1]",
        "binding 0 of set 0 is that of \"x\" too"},
    {"\"uniform\": {\"binding\": 2, \"members\": [\"n\"]}", "$.kernels[0].uniform", "here are both"},
    {"\"push\": null, \"uniform\": {\"binding\": 1, \"members\": [\"n\"]}", "$.kernels[0].uniform",
        "binding 1 of set 0 is that of \"y\" too"},
    {"\"push\": null, \"uniform\": {\"binding\": 2, \"members\": []}", "$.kernels[0].uniform.members",
        "at least one member"},
    {"\"entry\": \"a b\"", "$.kernels[0].entry", "the name of an entry point, found \"a b\""},
    {"\"local_size\": []", "$.kernels[0].local_size", "one to three sizes"},
    {"\"local_size\": [0]", "$.kernels[0].local_size[0]", "found 0"},
    {"\"local_size\": [64]", "$.kernels[0].local_size[0]", "WG_X is among the tunables too"},
    {"\"push\": [\"m\"]", "$.kernels[0].push[0]", "\"m\" is no dim, parameter or tunable"},
    {"\"push\": \"n\"", "$.kernels[0].push", "expected array, found string"},
    {"\"grid\": []", "$.kernels[0].grid", "one to three axes"},
    {"\"grid\": [{}, {}, {}, {}]", "$.kernels[0].grid", "at most 3 items, found 4"},
    {"\"grid\": [{\"by\": [\"n\"]}]", "$.kernels[0].grid[0]", "expected a member \"over\""},
    {"\"grid\": [{\"over\": [\"m\"]}]", "$.kernels[0].grid[0].over[0]",
        "\"m\" is no dim or tunable"},
    {"\"grid\": [{\"over\": [0]}]", "$.kernels[0].grid[0].over[0]",
        "from 1 to 2147483647, found 0"},
    {"\"grid\": [{\"over\": [1.5]}]", "$.kernels[0].grid[0].over[0]",
        "a dim, a tunable or an integer, found double"},
    {"\"grid\": [{\"over\": [\"n\"]}, {\"over\": [\"n\"]}], \"fold\": true", "$.kernels[0].fold",
        "only a grid of one axis folds; this one has 2"},
    {"\"tunables\": {\"WG_X\": {\"id\": 1, \"values\": [1], \"default\": 1}}",
        "$.kernels[0].tunables.WG_X.id", "WG_X is constant 0, or a #define (-1)"},
    {"\"tunables\": {\"T\": {\"values\": [1], \"default\": 1}}", "$.kernels[0].tunables.T",
        "expected a member \"id\""},
    {"\"tunables\": {\"T\": {\"id\": 2, \"values\": [1], \"default\": 1}}",
        "$.kernels[0].tunables.T.id", "from 3 on"},
    {"\"tunables\": {\"T\": {\"id\": 3, \"values\": [1], \"default\": 2}}",
        "$.kernels[0].tunables.T.default", "the default 2 is not among the values"},
    {"\"tunables\": {\"T\": {\"id\": 3, \"values\": [], \"default\": 2}}",
        "$.kernels[0].tunables.T.values", "at least one"},
    {"\"tunables\": {\"T\": {\"id\": 3, \"values\": [4, 4], \"default\": 4}}",
        "$.kernels[0].tunables.T.values[1]", "4 is listed twice"},
    {"\"tunables\": {\"WG_X\": {\"values\": [0], \"default\": 0}}",
        "$.kernels[0].tunables.WG_X.values[0]", "from 1 to 4294967295, found 0"},
    {"\"tunables\": {\"WG_X\": {\"values\": [4294967296], \"default\": 1}}",
        "$.kernels[0].tunables.WG_X.values[0]", "found 4294967296"},
    {"\"tunables\": {\"SUBGROUP\": {\"values\": [12], \"default\": 12}}",
        "$.kernels[0].tunables.SUBGROUP.values[0]", "0 or a power of two, found 12"},
    {"\"tunables\": {\"T\": {\"id\": 3, \"values\": [1], \"default\": 1}, \"U\": {\"id\": 3, "
     "\"values\": [1], \"default\": 1}}",
        "$.kernels[0].tunables.U", "the id 3 is that of T too"},
    {"\"tunables\": {\"n\": {\"id\": 3, \"values\": [1], \"default\": 1}}",
        "$.kernels[0].tunables.n", "\"n\" is a dim or parameter of relu"},
    {"\"tunables\": {\"A B\": {\"id\": 3, \"values\": [1], \"default\": 1}}",
        "$.kernels[0].tunables.A B", "an identifier"},
    {"\"tunables\": {\"T\": 7}", "$.kernels[0].tunables.T", "expected object, found int"},
    {"\"defines\": {\"F\": 7}", "$.kernels[0].defines.F", "expected string, found int"},
    {"\"defines\": {\"1F\": \"\"}", "$.kernels[0].defines.1F", "expected a macro"},
    {"\"defines\": {\"F(x\": \"\"}", "$.kernels[0].defines.F(x", "expected a macro"},
    {"\"defines\": {\"F\": \"1\\n#include\"}", "$.kernels[0].defines.F", "on one line"},
    {"\"shared\": [[\"WG_Q\"]]", "$.kernels[0].shared[0][0]", "did you mean \"WG_"},
    {"\"shared\": [\"WG_X\", 4]", "$.kernels[0].shared[0]", "expected array, found string"},
    {"\"rules\": [{\"multiple\": [[\"n\"], [4]]}]", "$.kernels[0].rules[0]",
        "expected a member \"why\""},
    {"\"rules\": [{\"why\": \"w\"}]", "$.kernels[0].rules[0]",
        "one of multiple, at_most and equal, found 0"},
    {"\"rules\": [{\"equal\": [1, 1], \"at_most\": [1, 1], \"why\": \"w\"}]",
        "$.kernels[0].rules[0]", "found 2"},
    {"\"rules\": [{\"equal\": [1], \"why\": \"w\"}]", "$.kernels[0].rules[0].equal",
        "two products, [of, by], found 1"},
    {"\"seeds\": [{\"system\": \"s\", \"shape\": {\"WG_Y\": 4}}]",
        "$.kernels[0].seeds[0].shape.WG_Y",
        "kernel relu.a has no tunable \"WG_Y\"; did you mean \"WG_X\"?"},
    {"\"seeds\": [{\"system\": \"s\", \"shape\": {\"WG_X\": 4}}]",
        "$.kernels[0].seeds[0].shape.WG_X", "cannot be 4; its manifest lists 64, 128"},
    {"\"seeds\": [{\"shape\": {}}]", "$.kernels[0].seeds[0]", "expected a member \"system\""},
    {"\"scratch\": {\"x\": {\"dtype\": \"f32\", \"over\": [1]}}", "$.kernels[0].scratch.x",
        "is an operand of relu"},
    {"\"scratch\": {\"s\": {\"dtype\": \"f3\", \"over\": [1]}}", "$.kernels[0].scratch.s.dtype",
        "did you mean \"f32\"?"},
    {"\"scratch\": {\"s\": {\"dtype\": \"f32\"}}", "$.kernels[0].scratch.s",
        "expected a member \"over\""},
    {"\"passes\": []", "$.kernels[0].passes", "at least one pass"},
    {"\"passes\": [{\"name\": \"first\"}]", "$.kernels[0].passes[0]", "unknown member \"name\""},
    {"\"passes\": [{}, {\"grid\": [{\"over\": [\"q\"]}]}]",
        "$.kernels[0].passes[1].grid[0].over[0]", "\"q\" is no dim"},
    {"\"depth\": [{\"log2\": [\"q\"]}]", "$.kernels[0].depth[0].log2[0]",
        "\"q\" is no dim or tunable"},
    {"\"depth\": [{\"log2\": [\"n\"], \"over\": [\"n\"]}]", "$.kernels[0].depth[0]",
        "unknown member \"over\""},
    {"\"nondeterministic\": true", "$.kernels[0].nondeterministic",
        "expected string, found boolean"},
};

// The good kernel, through the same lens: "common" holds it, the row stands in the kernel itself.
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
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *path = fixture_write(f, "m.json", manifest_of(f, rows[i].members));
        if (fixture_load(f)) fail_msg("accepted: %s", rows[i].members);
        assert_int_equal(f->err.status, STATUS_BAD_INPUT);
        assert_says(f->err.text, arena_format(&f->arena, "%s: %s: ", path, rows[i].path));
        assert_says(f->err.text, rows[i].says);
    }
}

static void an_error_in_common_is_shown_in_common(void **state) {
    struct fixture *f = *state;
    fixture_write(f, "m.json",
        "{\"common\": {\"operator\": \"reluu\"}, \"kernels\": [{\"name\": \"relu.a\"}]}");
    assert_false(fixture_load(f));
    assert_says(f->err.text, "$.common.operator: ");
}

static void frames(void **state) {
    struct fixture *f = *state;
    static const char *const bad[][2] = {{"[]", "$: expected object, found array"}, {"{", ":1: "},
        {"", ":1: "}, {"{\"kernels\": []}", "$.kernels: expected at least one kernel"},
        {"{}", "$: expected a member \"kernels\""},
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
    for (int i = 0; i < KERNEL_VALUES; i++)
        sprintf(list + strlen(list), "%s%d", i ? "," : "", i + 1);
    fixture_write(f, "m.json",
        manifest_of(
            f, arena_format(&f->arena,
                   "\"tunables\": {\"A\": {\"id\": 3, \"values\": [%s], \"default\": 1}, \"B\": "
                   "{\"id\": 4, \"values\": [%s],"
                   " \"default\": 1}, \"C\": {\"id\": 5, \"values\": [%s], \"default\": 1}}",
                   list, list, list)));
    assert_false(fixture_load(f));
    assert_says(
        f->err.text, "expected at most 20000 shapes; the tunables up to this one give 27648");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_good_kernel_loads, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(each_row_says_where_and_what, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(
            an_error_in_common_is_shown_in_common, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(frames, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(shapes_beyond_count, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
