// SPDX-License-Identifier: Apache-2.0
// What is wrong in a user's manifests and shaders: all of it is said, each cause once, and the other kernels go on.
#include "vkassay_program.h"

static int set_up(void **state) {
    if (program_open(state) != 0) return -1;
    write_kernel_folder(
        "mine", "good", UNARY_KERNEL("relu.good", "relu", "good"), "    if (i < n) y[i] = max(x[i], 0.0);\n");
    write_kernel_folder(
        "mine", "bad", UNARY_KERNEL("relu.bad", "relu", "none") ", " UNARY_KERNEL("reluu.a", "reluu", "bad"), "");
    write_suite(
        "ours", "{\"kernel\": \"relu.good\", \"dims\": {\"n\": 7}}, {\"kernel\": \"relu.bad\", \"dims\": {\"n\": 7}}");
    return 0;
}

static size_t times(const char *part) {
    size_t count = 0;
    for (const char *at = content("output"); (at = strstr(at, part)); at += strlen(part)) count++;
    return count;
}

static void the_others_go_on_and_the_status_says_so(void **state) {
    (void)state;
    static const char *const commands[] = {"check --suite %s/ours.json --only %s/mine --quiet --out %s/out",
        "bench --suite %s/ours.json --only %s/mine --quiet --out %s/out"};
    for (size_t i = 0; i < 2; i++) {
        char line[1000];
        snprintf(line, sizeof line, commands[i], folder, folder, folder);
        assert_int_equal(run("%s", line), STATUS_BAD_INPUT);
        assert_says("bad.json: $.kernels[0].shader: there is no shader file ");
        assert_says("bad.json: $.kernels[1].operator: \"reluu\" is no operator; did you mean \"relu\"?");
        assert_says("2 slips in manifests; the kernels they are of are left out");
        assert_says("relu");
        assert_int_equal(times("there is no shader file"), 1);
    }
    assert_int_equal(run("list kernels --only %s/mine", folder), STATUS_BAD_INPUT);
    assert_says("relu.good");
    assert_int_equal(run("check relu.bad --only %s/mine --quiet --out %s/out", folder, folder), STATUS_BAD_INPUT);
    assert_says("no point of the suite matches \"relu.bad\"");
    assert_int_equal(run("list kernels --only %s/mine --kernels %s/mine", folder, folder), STATUS_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_others_go_on_and_the_status_says_so),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}
