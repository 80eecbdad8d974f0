// SPDX-License-Identifier: Apache-2.0
// Tests mutate from outside: breaks a user's kernels and checks the reported verdicts.
#include "vkassay_program.h"

#define KERNEL(name, op) UNARY_KERNEL(name, op, "s")

#define MANY_SHAPES                                                                                                    \
    "{\"name\": \"relu.shapes\", \"operator\": \"relu\", \"summary\": \"a test\", \"shader\": \"s.comp\", "            \
    "\"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], \"tunables\": {\"WG_X\": {\"values\": "   \
    "[16, 32, 48, 64, 80, 96, 112, 128], \"default\": 64}}, \"grid\": [{\"over\": [\"n\"], \"by\": [\"WG_X\"]}], "     \
    "\"fold\": true}"

// Writes a kernel folder. `body` is on the shader's twelfth line.
static void write_kernel(const char *name, const char *kernel, const char *body) {
    char text[2000];
    snprintf(text, sizeof text, "    if (i >= n) return;\n\n    float v = 0.0;\n    %s\n    y[i] = v;\n", body);
    write_kernel_folder(name, "s", kernel, text);
}

static int set_up(void **state) {
    if (program_open(state) != 0) return -1;
    write_kernel("mine", KERNEL("relu.mine", "relu"), "v = max(x[i], 0.0);");
    write_kernel(
        "loop", KERNEL("relu.loop", "relu"), "for (uint j = 0u; j < n % 3u + 2u; j += 1u) y[i] = v = max(v, x[i]);");
    write_kernel("wrong", KERNEL("relu.wrong", "relu"), "v = min(x[i], 0.0);");
    write_kernel("path", KERNEL("relu.path", "relu"), "v = max(x[i], 0.0); if (n == 123456789u) v *= 3.0;");
    write_kernel("loose", KERNEL("exp.loose", "exp"), "v = exp(x[i]) * 1.0000001;");
    write_kernel("flush", KERNEL("exp.flush", "exp"), "v = exp(x[i]);");
    write_kernel("shapes", MANY_SHAPES, "v = max(x[i], 0.0);");
    return shell("cc -shared -fPIC -O1 harness/commands/tests/faults/driver.c -o %s/driver.so", folder);
}

static int python_finds(const char *expression) {
    return shell("%s -c 'import glob, json, os; "
                 "d = json.load(open(max(glob.glob(\"%s/out/*/*/mutants.json\"), key=os.path.getmtime)));"
                 "m = [m for k in d[\"mutated\"] for m in k[\"mutants\"]];"
                 "assert %s, [(x[\"name\"], x[\"verdict\"], x.get(\"check\")) for x in m]'",
        needs_python("json"), folder, expression);
}

static void a_users_kernel_is_broken_and_each_mutant_is_told(void **state) {
    assert_int_equal(run("mutate --only %s/mine --all --operators-of-mutation 'extended.*' --operators-of-mutation "
                         "memory.drop_store "
                         "--operators-of-mutation comparison.bound --jobs 1 --out %s/out",
                         folder, folder),
        STATUS_OK);
    assert_says("mutants:");
    assert_int_equal(python_finds("[x for x in m if x[\"name\"] == \"extended.extreme@mine/s.comp:12#1\" and "
                                  "x[\"verdict\"] == \"killed\" and x[\"check\"] == \"ulp\" and "
                                  "x[\"text\"] == \"v = max(x[i], 0.0);\" and x[\"change\"] == \"max became min\"]"),
        0);
    assert_int_equal(
        python_finds("[x for x in m if x[\"operation\"] == \"memory.drop_store\" and x[\"line\"] == 13 and "
                     "x[\"check\"] == \"unwritten\"]"),
        0);
    assert_int_equal(python_finds("{x[\"verdict\"] for x in m} == {\"killed\"}"), 0);
    assert_holds("out/*/*/mutants.md", "| extended.extreme |");
    assert_holds("out/*/*/mutants.html", "relu.mine");
    assert_int_equal(run("report --quiet %s/out/*/*/mutants.json --out %s/told", folder, folder), STATUS_OK);
    assert_int_equal(shell("cmp %s/out/*/*/mutants.md %s/told/mutants.md", folder, folder), 0);
    assert_of_schema("out/*/*/mutants.json");
}

static void one_is_made_again_by_its_name(void **state) {
    assert_int_equal(run("mutate --only %s/mine relu.mine --mutant extended.extreme@mine/s.comp:12#1 --out %s/again",
                         folder, folder),
        STATUS_OK);
    assert_says("1 kernels, 1 mutants: 1 killed");
    assert_int_equal(run("mutate --only %s/mine relu.mine --mutant extended.extreme@mine/s.comp:99#1 --out %s/again",
                         folder, folder),
        STATUS_NOTHING);
    assert_says("relu.mine has no mutant");
}

// Makes the preloaded driver fail for pipelines of modules with the constant 1, which only these mutants have.
// Another worker still runs the others.
static int run_with_fault(const char *code, const char *name) {
    return shell(
        "FAULT_CALL=vkCreateComputePipelines FAULT_CODE='%s' FAULT_WORD=0x3f800000 VKASSAY_CACHE=%s/cache "
        "ASAN_OPTIONS=\"$ASAN_OPTIONS:verify_asan_link_order=0:handle_segv=0\" LD_PRELOAD=%s/driver.so %s mutate "
        "'relu.mine/f32/n=1025/*' --only %s/mine --all --operators-of-mutation 'constant.*' --jobs 1 --timeout 3 --out "
        "%s/%s >%s/output 2>&1",
        code, folder, folder, program, folder, folder, name, folder);
}

static void a_mutant_that_takes_its_worker_along_is_killed_by_that(void **state) {
    static const char *const codes[][2] = {{"signal 11", "crash"}, {"hang", "timeout"}};
    char finds[300];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(run_with_fault(codes[i][0], "out"), STATUS_OK);
        snprintf(finds, sizeof finds,
            "[x for x in m if x[\"change\"] == \"the constant 0 became 1\" and x.get(\"check\") == \"%s\"]",
            codes[i][1]);
        assert_int_equal(python_finds(finds), 0);
        assert_int_equal(python_finds("len(m) > 4 and not [x for x in m if x[\"verdict\"] == \"not-run\"]"), 0);
    }
}

// A kernel failing its check unmodified has no verdicts.
static void a_kernel_that_is_wrong_itself_is_not_mutated(void **state) {
    run("mutate --only %s/wrong --count 2 --jobs 1 --out %s/out", folder, folder);
    assert_says("the unchanged kernel fails at");
    assert_int_equal(python_finds("{x[\"verdict\"] for x in m} == {\"not-run\"}"), 0);
}

// The instruction only runs at a size that is never checked.
static void an_instruction_that_no_point_reaches_is_said_to_be_so(void **state) {
    assert_int_equal(
        run("mutate 'relu.path/f32/n=1025/*' --only %s/path --all --operators-of-mutation arithmetic.exchange --out "
            "%s/out",
            folder, folder),
        STATUS_OK);
    assert_int_equal(python_finds("[x for x in m if x[\"file\"] == \"path/s.comp\" and x[\"line\"] == 12 and "
                                  "x[\"verdict\"] == \"unseen\" and x[\"points\"] == 0]"),
        0);
    assert_says("no point reaches it");
    assert_int_equal(python_finds("all(x[\"points\"] > 0 for x in m if x[\"file\"] == \"include/grid.glsl\")"), 0);
}

// The shader declares no float controls, like most shaders of users.
static void what_a_rule_allows_is_no_survivor(void **state) {
    assert_int_equal(run("mutate --only %s/flush --all --operators-of-mutation 'input.*' --least-score 1 --out %s/out",
                         folder, folder),
        STATUS_OK);
    assert_int_equal(python_finds("{x[\"rule\"] for x in m if x[\"operation\"] == \"input.subnormal_zero\" and "
                                  "x[\"verdict\"] == \"equivalent\"} == {\"denormals-may-be-flushed\"}"),
        0);
    assert_says("equivalent");
}

// Compiling a shape takes longer than running most of its points.
static void what_changes_no_bit_is_not_compiled_for_every_shape(void **state) {
    assert_int_equal(
        run("mutate --only %s/shapes relu.shapes --all --operators-of-mutation constant.minus_one --out %s/out", folder,
            folder),
        STATUS_OK);
    assert_int_equal(python_finds("[x for x in m if x[\"verdict\"] == \"unseen\" and x[\"points\"] >= 16 and "
                                  "\"omitted at\" in x.get(\"reason\", \"\")]"),
        0);
}

// Nothing of the kernel is compiled. The reason must be the missing feature, not an error about the shader.
static void a_kernel_that_the_device_cannot_run_says_what_is_lacking(void **state) {
    assert_int_equal(run("mutate matmul.tensor --count 1 --out %s/lacks", folder), STATUS_NOTHING);
    assert_holds("lacks/*/*/mutants.json", "the device lacks the feature ");
}

static void a_score_below_the_least_one_fails(void **state) {
    const char *words =
        "mutate --only %s/loose exp.loose --all --operators-of-mutation arithmetic.drop_operand --out %s/low "
        "--least-score %s";
    assert_int_equal(run(words, folder, folder, "0"), STATUS_OK);
    assert_says("; the first with other bits: exp.loose/f32/");
    assert_int_equal(run(words, folder, folder, "1"), STATUS_WRONG);
}

// No output exceeds its bound.
static void what_the_statistics_of_errors_alone_show_is_killed(void **state) {
    assert_int_equal(run("mutate 'mean_rows.workgroup/f32/*/draws=*' --all --operators-of-mutation 'precision.sums_*' "
                         "--jobs 1 --out %s/sums",
                         folder),
        STATUS_OK);
    assert_says("1 kernels, 2 mutants: 2 killed");
    assert_holds("sums/*/*/mutants.json", "\"errors\"");
}

// Returns the number of the line containing the words.
static int line_with(const char *path, const char *words) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[400];
    int number = 1;
    while (fgets(line, sizeof line, file) && !strstr(line, words)) number++;
    const bool found = strstr(line, words) != NULL;
    fclose(file);
    if (!found) fail_msg("%s: no line holds \"%s\"", path, words);
    return number;
}

// With whole numbers every sum is exact. Four times coarser rounding stays within all bounds, and rounding a tie away
// from even stays within half an ULP.
static void what_whole_numbers_alone_show_is_killed(void **state) {
    assert_int_equal(run("mutate 'mse.multipass/f32/*/draws=*' --all --operators-of-mutation precision.sums_coarse "
                         "--jobs 1 --out %s/coarse",
                         folder),
        STATUS_OK);
    assert_says("1 kernels, 2 mutants: 2 killed");
    assert_int_equal(run("mutate 'index_add.scan/bf16/*/draws=*' --mutant "
                         "'constant.minus_one@include/types.glsl:%d#3' --jobs 1 --out %s/ties",
                         line_with("kernels/include/types.glsl", "bits + 0x7fffu"), folder),
        STATUS_OK);
    assert_says("1 kernels, 1 mutants: 1 killed");
}

// The mutant adds another element of a row before its first whole vector: the same numbers in another order.
static void another_order_of_a_sum_is_no_survivor(void **state) {
    assert_int_equal(
        run("mutate 'mean_rows.subgroup/f32/*' --mutant 'constant.plus_one@include/walk.glsl:13#1' --jobs 1 --out "
            "%s/order",
            folder),
        STATUS_OK);
    assert_says("1 mutants: 0 killed, 0 survived, 0 unseen, 1 equivalent");
    assert_holds("order/*/*/mutants.json", "order-of-sums-is-free");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_order_of_a_sum_is_no_survivor),
        cmocka_unit_test(what_whole_numbers_alone_show_is_killed),
        cmocka_unit_test(a_users_kernel_is_broken_and_each_mutant_is_told),
        cmocka_unit_test(one_is_made_again_by_its_name),
        cmocka_unit_test(a_mutant_that_takes_its_worker_along_is_killed_by_that),
        cmocka_unit_test(a_kernel_that_is_wrong_itself_is_not_mutated),
        cmocka_unit_test(an_instruction_that_no_point_reaches_is_said_to_be_so),
        cmocka_unit_test(what_a_rule_allows_is_no_survivor),
        cmocka_unit_test(what_the_statistics_of_errors_alone_show_is_killed),
        cmocka_unit_test(what_changes_no_bit_is_not_compiled_for_every_shape),
        cmocka_unit_test(a_kernel_that_the_device_cannot_run_says_what_is_lacking),
        cmocka_unit_test(a_score_below_the_least_one_fails),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}
