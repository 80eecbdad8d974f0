// SPDX-License-Identifier: Apache-2.0
// Tests kernels and types without a size in the suite: if selected, they run at usual sizes or at the sizes of
// --dims.
#include "vkassay_program.h"

static size_t count_named(const char *start) {
    struct json_object *result = parsed("*/*/result.json"), *records = json_get(result, "records");
    size_t count = 0;
    for (size_t i = 0; i < json_object_array_length(records); i++) {
        struct json_object *record = json_object_array_get_idx(records, i);
        const bool named = strncmp(json_get_string(record, "name", ""), start, strlen(start)) == 0;
        count += named && strcmp(json_get_string(record, "status", ""), "pass") == 0;
    }
    json_object_put(result);
    return count;
}

static void forget_results(void) {
    assert_int_equal(shell("rm -rf %s/llvmpipe*", folder), 0);
}

// The suite tuning has neither of these operators.
static void what_the_suite_lacks_is_tuned(void **state) {
    static const struct {
        const char *word, *names;
    } cases[] = {{"relu.scalar", "relu.scalar/f32/n=1048573/"}, {"abs.map/f16", "abs.map/f16/"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        forget_results();
        assert_int_equal(run("tune %s --samples 2 --out %s", cases[i].word, folder), STATUS_OK);
        assert_holds("output", "suite tuning has no sizes for some kernels; using those of suite");
        if (count_named(cases[i].names) < 2) fail_msg("%s: fewer than two shapes passed", cases[i].word);
        assert_holds("*/*/tuned.json", "\"shape\"");
    }
}

static void sizes_may_be_given_to_any_kernel_and_type(void **state) {
    forget_results();
    assert_int_equal(run("tune relu.scalar/bf16 --dims n=4099 --samples 2 --out %s", folder), STATUS_OK);
    assert_true(count_named("relu.scalar/bf16/n=4099/") > 1);
    forget_results();
    assert_int_equal(
        run("bench matmul_nt.naive/f16 --dims m=8,n=40,k=48 --seconds 0.01 --quiet --out %s", folder), STATUS_OK);
    assert_true(count_named("matmul_nt.naive/f16/m=8,n=40,k=48/") == 1);
    forget_results();
    assert_int_equal(run("check matmul_nt.naive/bf16 --dims m=9,n=33,k=40 --quiet --out %s", folder), STATUS_OK);
    assert_true(count_named("matmul_nt.naive/bf16/m=9,n=33,k=40/") > 1);
}

static void references_are_timed_at_given_sizes_too(void **state) {
    assert_int_equal(
        run("bench --reference-only relu.scalar/bf16 --dims n=77 --seconds 0.01 --quiet --out %s", folder), STATUS_OK);
    assert_says("relu/bf16  ");
    assert_says("n=77 ");
}

// Lists the points of a bench without running it.
static void a_list_of_points_has_them_too(void **state) {
    assert_int_equal(run("list points relu.scalar/bf16 --dims n=77,n=5"), STATUS_OK);
    assert_holds("output", "relu.scalar/bf16/n=77/wg=");
    assert_holds("output", "relu.scalar/bf16/n=5/wg=");
    assert_int_equal(run("list points exp/f32 --dims n=77"), STATUS_OK); // the suite has only other kernels of exp
    assert_holds("output", "exp.native/f32/n=77/wg=");
    assert_int_equal(run("list operators --dims n=77"), STATUS_USAGE);
}

static void what_cannot_be_is_refused(void **state) {
    static const struct {
        const char *arguments, *says;
    } cases[] = {{"tune relu --dims m=8", "operator relu takes no dim or parameter \"m\"; did you mean \"n\"?"},
        {"bench reluu --dims n=8", "did you mean \"relu\"?"}, {"tune relu --dims n=0", "--dims expects NAME=SIZE"},
        {"bench relu/f16 --suite gate --dims n=8", "no point of the suite matches"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(run("%s --out %s", cases[i].arguments, folder), STATUS_USAGE);
        assert_says(cases[i].says);
    }
}

#define SMALL                                                                                                          \
    "{\"name\": \"relu.small\", \"operator\": \"relu\", \"summary\": \"a table\", \"shader\": \"small.comp\", "        \
    "\"dtypes\": [\"f32\"], "                                                                                          \
    "\"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], \"tunables\": {\"WG_X\": {\"values\": [64], \"default\": 64}}, " \
    "\"grid\": "                                                                                                       \
    "[{\"over\": [\"n\"], \"by\": [\"WG_X\"]}], \"fold\": true, \"rules\": [{\"at_most\": [\"n\", 400], \"why\": \"a " \
    "table\"}]}"

// A rule of the kernel refuses all large sizes. A check does not call it right, unless sizes were asked for.
static void a_kernel_of_small_sizes_gets_no_whole_verdict(void **state) {
    write_kernel_folder("small", "small", SMALL, "    if (i < n) y[i] = max(x[i], 0.0);\n");
    assert_int_equal(run("check relu.small --quiet --kernels %s/small --out %s/whole", folder, folder), STATUS_PARTIAL);
    assert_says(
        "Larger sizes were not checked, because a rule or a device limit excludes them: relu.small f32: at most "
        "800 elements");
    assert_int_equal(
        run("check relu.small/f32/n=65/wg=64x1x1 --quiet --kernels %s/small --out %s/one", folder, folder), STATUS_OK);
    assert_null(strstr(content("output"), "Larger sizes were not checked"));
}

static int open_without_charts(void **state) {
    return program_open(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_suite_lacks_is_tuned),
        cmocka_unit_test(sizes_may_be_given_to_any_kernel_and_type),
        cmocka_unit_test(references_are_timed_at_given_sizes_too),
        cmocka_unit_test(a_list_of_points_has_them_too),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_kernel_of_small_sizes_gets_no_whole_verdict),
    };
    return cmocka_run_group_tests(tests, open_without_charts, folder_remove);
}
