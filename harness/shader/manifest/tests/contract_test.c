// SPDX-License-Identifier: Apache-2.0
// Conditions on parameters: they hold, and other values become the nearest default that holds.
#include "../contract/contract.h"
#include "plan_fixture.h"

#define ELU(MEMBERS)                                                                                                   \
    "{\"kernels\": [{\"name\": \"elu.own\", \"operator\": \"elu\", \"summary\": \"\", \"shader\": \"k.comp\", "        \
    "\"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": \"n\"}], " MEMBERS "}]}"

static const struct kernel *load(struct fixture *f, const char *manifest) {
    fixture_write(f, "m.json", manifest);
    if (!fixture_load(f)) fail_msg("%s", f->err.text);
    return kernel_named(&f->kernels, "elu.own");
}

static double conformed(const struct kernel *k, double value) {
    double params[OPERATOR_PARAMS] = {value};
    kernel_params_conform(k, params);
    return params[0];
}

static void a_fixed_parameter_has_one_value(void **state) {
    struct fixture *f = *state;
    const struct kernel *k = load(f, ELU("\"fixed\": {\"alpha\": 0.3}"));
    assert_true(kernel_param_standard(k, 0) == 0.3);
    assert_true(conformed(k, 1) == 0.3);
    assert_true(conformed(k, 0.3) == 0.3);
    assert_null(param_rule_broken(k, (double[]){(double)0.3f})); // as a kernel gets it
    assert_string_equal(param_rule_broken(k, (double[]){1})->why, "compiled into the shader");
}

static void a_rule_limits_a_parameter_from_either_side(void **state) {
    struct fixture *f = *state;
    const struct kernel *k =
        load(f, ELU("\"rules\": [{\"at_most\": [\"alpha\", 2.5], \"why\": \"w\"}, {\"at_most\": [-1, \"alpha\"], "
                    "\"why\": \"v\"}, {\"at_most\": [\"n\", 64], \"why\": \"u\"}]"));
    assert_int_equal(k->rule_count, 1);
    assert_int_equal(k->param_rule_count, 2);
    assert_true(kernel_param_standard(k, 0) == 1);
    assert_true(conformed(k, 2.5) == 2.5);
    assert_true(conformed(k, -1) == -1);
    assert_true(conformed(k, 70001) == 1);
    assert_true(conformed(k, -2.7) == 1);
}

static void rules_that_a_parameter_cannot_have_are_mistakes(void **state) {
    struct fixture *f = *state;
    static const char *const bad[][2] = {
        {ELU("\"rules\": [{\"equal\": [\"alpha\", \"alpha\"], \"why\": \"w\"}]"),
            "expected a number beside a parameter"},
        {ELU("\"rules\": [{\"multiple\": [4, \"alpha\"], \"why\": \"w\"}]"), "expected a multiple of a number from 1"},
        {ELU("\"rules\": [{\"at_most\": [\"alpha\", [2]], \"why\": \"w\"}]"), "expected double, found array"},
        {ELU("\"fixed\": {\"beta\": 2}"), "\"beta\" is no input of elu"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fixture_write(f, "m.json", bad[i][0]);
        if (fixture_load(f)) fail_msg("accepted: %s", bad[i][0]);
        assert_says(f->err.text, bad[i][1]);
    }
}

static void conventions_left_open_are_named(void **state) {
    struct fixture *f = *state;
    const struct kernel *plain = load(f, ELU("\"notes\": []"));
    assert_null(kernel_leaves_text(&f->arena, plain));
    assert_int_equal(plain->arrangement, 0);
    const struct kernel *k = load(f, ELU("\"leaves\": [\"subnormals\", \"nan\"]"));
    assert_string_equal(kernel_leaves_text(&f->arena, k), "nan, subnormals");
    assert_int_not_equal(k->arrangement, 0); // other inputs, so another problem
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_fixed_parameter_has_one_value, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_rule_limits_a_parameter_from_either_side, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(rules_that_a_parameter_cannot_have_are_mistakes, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(conventions_left_open_are_named, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
