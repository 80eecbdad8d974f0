// SPDX-License-Identifier: Apache-2.0
// Tests `list`: it names everything a manifest may use, and finds operators, families and kernels by name.
#include "vkassay_program.h"

static int set_up(void **state) {
    if (program_open(state) != 0) return -1;
    write_kernel_folder("mine", "relu", UNARY_KERNEL("relu.mine", "relu", "relu"), "    if (i < n) y[i] = x[i];\n");
    return 0;
}

static void an_operator_is_told_with_all_that_a_manifest_names(void **state) {
    static const char *const said[] = {"layernorm (normalisation): ", "formula ", "bound ", "conventions ",
        "layernorm.workgroup", "rows  rows\n", "cols  columns: length of a row\n", "  gamma  in    its type  [cols]",
        "  y      out   its type  [rows, cols]  output\n",
        "eps   float  default 1e-05, from 0 to 1; tried: 0, 1, 0.01"};
    assert_int_equal(run("list operators layernorm"), STATUS_OK);
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) assert_says(said[i]);
    assert_int_equal(run("list operators conv2d kv_append topk"), STATUS_OK);
    assert_says("cin_group  channels of the input in a group\n");
    assert_says("pad       elements added on either side; may be 0\n");
    assert_says("cache  inout");
    assert_says("indices  out   i32");
}

static void operators_are_found_by_name_family_and_pattern(void **state) {
    static const struct {
        const char *words, *says, *never;
    } rows[] = {{"softmax", "softmax (normalisation)", "softmax_masked ("},
        {"'softmax*'", "softmax_masked (normalisation)", "relu ("}, {"matrix", "matmul (matrix)", "conv2d ("},
        {"attention", "attention (attention)", "rope_half ("}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(run("list operators %s", rows[i].words), STATUS_OK);
        assert_says(rows[i].says);
        if (strstr(content("output"), rows[i].never)) fail_msg("%s lists %s", rows[i].words, rows[i].never);
    }
    assert_int_equal(run("list operators sofmax"), STATUS_USAGE);
    assert_says("no operator matches \"sofmax\"; did you mean \"softmax\"?");
    assert_int_equal(run("list operators relu sofmax"), STATUS_USAGE);
    assert_int_equal(run("list suites quick"), STATUS_USAGE);
}

static void kernels_of_an_operator_are_listed_the_user_s_too(void **state) {
    assert_int_equal(run("list kernels relu --kernels %s/mine", folder), STATUS_OK);
    assert_says("relu.mine");
    assert_says("relu.scalar");
    assert_null(strstr(content("output"), "leaky_relu"));
    assert_int_equal(run("list kernels zzzzzz --kernels %s/mine", folder), STATUS_USAGE);
    assert_says("expected one of relu.mine, ");
    assert_int_equal(run("check zzzzzz --kernels %s/mine --quiet --out %s/out", folder, folder), STATUS_USAGE);
    assert_says("expected one of relu.mine, ");
    assert_int_equal(run("list points activation --only %s/mine --suite smoke", folder), STATUS_OK);
    assert_says("relu.mine/f32/n=");
}

static void what_it_prints_as_json_is_valid(void **state) {
    const char *python = needs_python("jsonschema");
    assert_int_equal(run("list operators --json"), STATUS_OK);
    assert_int_equal(python_run(python, "harness/record/tests/schema_check.py", in_folder("output")), 0);
    write_text("less", "[{\"name\": \"relu\"}]");
    assert_int_not_equal(python_run(python, "harness/record/tests/schema_check.py", in_folder("less 2>/dev/null")), 0);
}

// Makes a result of two kernels. Then changes the shader of one, first in a comment, then in a number.
static void kernels_whose_sources_changed_since_a_result_are_named(void **state) {
    write_kernel_folder(
        "old", "relu", UNARY_KERNEL("relu.old", "relu", "relu"), "    if (i < n) y[i] = max(x[i], 0.0);\n");
    run("check 'relu.old*' 'add.vec4/f32*' --kernels %s/old --suite smoke --quiet --out %s/made", folder, folder);
    assert_int_equal(shell("cp $(ls %s/made/*/*/result.json) %s/result.json", folder, folder), 0);
    assert_int_equal(run("list sources %s/result.json --kernels %s/old --json", folder, folder), STATUS_OK);
    assert_null(strstr(content("output"), "\"relu.old\""));
    assert_says("\"historical\":false");
    assert_int_equal(shell("sed -i 's,max(,/* the larger */ max(,' %s/old/*.comp", folder), 0);
    assert_int_equal(run("list sources %s/result.json --kernels %s/old --json", folder, folder), STATUS_OK);
    assert_null(strstr(content("output"), "\"relu.old\""));
    assert_int_equal(shell("sed -i 's,0.0),1.0),' %s/old/*.comp", folder), 0);
    assert_int_equal(run("list sources %s/result.json --kernels %s/old --json", folder, folder), STATUS_OK);
    assert_says("\"relu.old\"");
    assert_int_equal(run("list sources %s/result.json", folder), STATUS_OK); // its kernel is gone
    assert_says("relu.old");
    assert_int_equal(run("list sources"), STATUS_USAGE);
}

static void a_historical_result_is_called_so(void **state) {
    assert_int_equal(
        shell("sed 's,\"run\": *{,&\"historical\": true\\,,' %s/result.json >%s/marked.json", folder, folder), 0);
    assert_int_equal(run("list sources %s/marked.json --json", folder), STATUS_OK);
    assert_says("\"historical\":true");
    assert_int_equal(run("report %s/marked.json --out %s/page", folder, folder), STATUS_OK);
    assert_holds("page/report.html", ", historical (");
    assert_int_equal(run("coverage %s/marked.json", folder), STATUS_OK);
    assert_says(", historical (");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_operator_is_told_with_all_that_a_manifest_names),
        cmocka_unit_test(operators_are_found_by_name_family_and_pattern),
        cmocka_unit_test(kernels_of_an_operator_are_listed_the_user_s_too),
        cmocka_unit_test(kernels_whose_sources_changed_since_a_result_are_named),
        cmocka_unit_test(a_historical_result_is_called_so),
        cmocka_unit_test(what_it_prints_as_json_is_valid),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}
