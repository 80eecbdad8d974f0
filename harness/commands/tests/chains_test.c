// SPDX-License-Identifier: Apache-2.0
// Tests a user's own chains, checked and timed as one submission. A wrong link is found.
#include "vkassay_program.h"

// Three links over a growing state: t = x + s, y = relu(t), then s = 0.5 y.
#define CHAIN(relu)                                                                                                    \
    "{\"chains\": [{\"name\": \"chain.own\", \"summary\": \"a state\", \"dims\": [\"n\"],"                             \
    " \"buffers\": {\"x\": {\"low\": -1, \"high\": 1}, \"s\": {\"value\": 0}},"                                        \
    " \"links\": [{\"kernel\": \"add.scalar\", \"dims\": {\"n\": \"n\"}, \"operands\": {\"a\": \"x\", \"b\": \"s\", "  \
    "\"y\": \"t\"}},"                                                                                                  \
    " {\"kernel\": \"" relu "\", \"dims\": {\"n\": \"n\"}, \"operands\": {\"x\": \"t\", \"y\": \"h\"}},"               \
    " {\"kernel\": \"scale.map\", \"dims\": {\"n\": \"n\"}, \"params\": {\"scale\": 0.5}, \"operands\": {\"x\": "      \
    "\"h\", \"y\": \"s\"}}],"                                                                                          \
    " \"check\": [\"s\"], \"epoch\": 10}]}"
static const char suite[] =
    "{\"schema_version\": 1, \"name\": \"own\", \"summary\": \"one chain\", \"settings\": {\"least_samples\": 2,"
    " \"most_samples\": 2, \"point_seconds\": 0.01}, \"entries\": [{\"chain\": \"chain.own\", \"dims\": {\"steps\": "
    "[1, 20],"
    " \"n\": 1000}}]}\n";

static int set_up(void **state) {
    if (program_open(state) != 0) return -1;
    write_kernel_folder("mine", "relu", UNARY_KERNEL("relu.wrong", "relu", "relu"),
        "    if (i < n) y[i] = x[i] > -0.05 ? x[i] : 0.0;\n");
    write_text("own.json", suite);
    return 0;
}

static void a_chain_of_the_user_s_is_checked_and_timed(void **state) {
    write_text("mine/chains.json", CHAIN("relu.scalar"));
    assert_of_schema("mine/chains.json own.json");
    assert_int_equal(
        run("bench --kernels %s/mine --suite %s/own.json --quiet --out %s/good", folder, folder, folder), STATUS_OK);
    assert_holds("good/*/*/result.json", "\"name\": \"chain.own/chain/steps=20,n=1000/wg=1x1x1\"");
    assert_holds("good/*/*/result.json", "\"error_last\"");
    assert_holds("good/*/*/result.json", "\"epoch_ns\"");
    assert_of_schema("good/*/*/result.json");
}

// The wrong relu lets values slightly below zero pass.
static void a_wrong_link_is_found_in_the_whole(void **state) {
    write_text("mine/chains.json", CHAIN("relu.wrong"));
    assert_int_equal(
        run("check 'chain.own/chain/steps=20,n=1000/wg=1x1x1' --kernels %s/mine --quiet --out %s/bad", folder, folder),
        STATUS_WRONG);
    assert_says("from the reference chain");
}

static void links_that_do_not_fit_are_an_error(void **state) {
    write_text("mine/chains.json", "{\"chains\": [{\"name\": \"chain.own\", \"summary\": \"s\", \"dims\": [\"n\"], "
                                   "\"buffers\": {\"x\": {\"value\": 1}},"
                                   " \"links\": [{\"kernel\": \"relu.scalar\", \"dims\": {\"n\": \"n\"}, \"operands\": "
                                   "{\"x\": \"x\", \"y\": \"h\"}},"
                                   " {\"kernel\": \"relu.scalar\", \"dims\": {\"n\": 7}, \"operands\": {\"x\": \"h\", "
                                   "\"y\": \"z\"}}], \"check\": [\"z\"]}]}");
    assert_int_equal(
        run("check 'chain.own/chain/steps=1,n=1000/wg=1x1x1' --kernels %s/mine --quiet --out %s/odd", folder, folder),
        STATUS_WRONG);
    assert_says("buffer h: relu.scalar takes 7 of f32 there, another link 1000 of f32");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_of_the_user_s_is_checked_and_timed),
        cmocka_unit_test(a_wrong_link_is_found_in_the_whole),
        cmocka_unit_test(links_that_do_not_fit_are_an_error),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}
