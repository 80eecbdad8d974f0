// SPDX-License-Identifier: Apache-2.0
// Moving dims to the nearest ones allowed by a manifest's rules.
#include "../../../../reference/philox.h"
#include "../../../../reference/table.h"
#include "../shape.h"
#include "plan_fixture.h"

static struct product number(int64_t value) {
    return (struct product){.factors = {{.number = value}}, .count = 1};
}

static struct product named(const char *name, int64_t times) {
    return (struct product){.factors = {{.name = name}, {.number = times}}, .count = 2};
}

static bool all_hold(const struct kernel *kernel, const int64_t *dims, const struct shape *shape) {
    for (int i = 0; i < kernel->rule_count; i++)
        if (!rule_holds(kernel, &kernel->rules[i], dims, shape)) return false;
    return true;
}

static void a_size_is_rounded_to_the_multiple(void **state) {
    const struct shape shape = {0};
    struct kernel kernel = {.op = operator_named("relu"), .rule_count = 1};
    kernel.rules[0] = (struct rule){RULE_MULTIPLE, named("n", 1), number(4), "whole vectors"};
    static const int64_t expected[][3] = {{1001, 1004, 1000}, {1004, 1004, 1004}, {1, 4, 4}, {66601, 66604, 66600}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        int64_t up[OPERATOR_DIMS * 2] = {expected[i][0]}, down[OPERATOR_DIMS * 2] = {expected[i][0]};
        assert_true(rules_meet(&kernel, &shape, RULES_UP, 0, up));
        assert_int_equal(up[0], expected[i][1]);
        if (rules_meet(&kernel, &shape, RULES_DOWN, 0, down)) assert_int_equal(down[0], expected[i][2]);
    }
}

static void several_multiples_meet_in_a_common_one(void **state) {
    const struct shape shape = {0};
    struct kernel kernel = {.op = operator_named("relu"), .rule_count = 3};
    kernel.rules[0] = (struct rule){RULE_MULTIPLE, named("n", 1), number(4), "vectors"};
    kernel.rules[1] = (struct rule){RULE_MULTIPLE, named("n", 1), number(6), "parts"};
    kernel.rules[2] = (struct rule){RULE_AT_MOST, named("n", 1), number(5000), "room"};
    int64_t dims[OPERATOR_DIMS * 2] = {1001};
    assert_true(rules_meet(&kernel, &shape, RULES_UP, 0, dims));
    assert_int_equal(dims[0] % 12, 0);
    assert_true(dims[0] >= 1001 && dims[0] <= 1024);
    dims[0] = 70000;
    assert_true(rules_meet(&kernel, &shape, RULES_DOWN, 0, dims));
    assert_true(dims[0] % 12 == 0 && dims[0] <= 5000);
}

// The chosen dim stays, and the dim depending on it follows.
static void an_equal_dim_is_computed(void **state) {
    const struct shape shape = {0};
    struct kernel kernel = {.op = operator_named("matmul"), .rule_count = 1};
    kernel.rules[0] = (struct rule){RULE_EQUAL, named("k", 1), named("m", 3), "three to one"};
    int64_t dims[OPERATOR_DIMS * 2] = {1021, 7, 5};
    assert_true(rules_meet(&kernel, &shape, RULES_UP, 0, dims));
    assert_int_equal(dims[0], 1021);
    assert_int_equal(dims[2], 3063);
    int64_t other[OPERATOR_DIMS * 2] = {4, 7, 999};
    assert_true(rules_meet(&kernel, &shape, RULES_UP, 2, other));
    assert_int_equal(other[0], 333);
    assert_int_equal(other[2], 999);
}

static void what_no_dims_meet_leaves_them(void **state) {
    const struct shape shape = {0};
    struct kernel kernel = {.op = operator_named("relu"), .rule_count = 2};
    kernel.rules[0] = (struct rule){RULE_MULTIPLE, named("n", 1), number(8), "vectors"};
    kernel.rules[1] = (struct rule){RULE_AT_MOST, named("n", 1), number(7), "room"};
    int64_t dims[OPERATOR_DIMS * 2] = {5};
    assert_false(rules_meet(&kernel, &shape, RULES_UP, 0, dims));
    assert_int_equal(dims[0], 5);
}

// ---- random rules, compared with a search of all dims

static uint32_t below(uint64_t seed, uint64_t *turn, uint32_t limit) {
    return philox(seed, (*turn)++, 0).v[0] % limit;
}

static struct product made_up(uint64_t seed, uint64_t *turn) {
    static const char *const names[] = {"m", "n", "k"};
    const int64_t times = 1 + below(seed, turn, 6);
    return below(seed, turn, 3) ? named(names[below(seed, turn, 3)], times) : number(times * 4);
}

static struct rule made_up_rule(uint64_t seed, uint64_t *turn) {
    const enum rule_kind kind = (enum rule_kind)below(seed, turn, 3);
    return (struct rule){kind, named(below(seed, turn, 2) ? "m" : "k", 1), made_up(seed, turn), "made up"};
}

static bool brute(const struct kernel *kernel, const struct shape *shape) {
    for (int64_t m = 1; m <= 24; m++)
        for (int64_t n = 1; n <= 24; n++)
            for (int64_t k = 1; k <= 24; k++)
                if (all_hold(kernel, (int64_t[OPERATOR_DIMS * 2]){m, n, k}, shape)) return true;
    return false;
}

static void what_is_found_holds_and_what_there_is_is_mostly_found(void **state) {
    const struct shape shape = {0};
    int possible = 0, found = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t turn = 0;
        struct kernel kernel = {.op = operator_named("matmul"), .rule_count = 1 + (int)(seed % 3)};
        for (int i = 0; i < kernel.rule_count; i++) kernel.rules[i] = made_up_rule(seed, &turn);
        int64_t dims[OPERATOR_DIMS * 2] = {
            1 + below(seed, &turn, 24), 1 + below(seed, &turn, 24), 1 + below(seed, &turn, 24)};
        const bool met = rules_meet(&kernel, &shape, seed & 1 ? RULES_UP : RULES_DOWN, (int)(seed % 4) - 1, dims);
        if (met) assert_true(all_hold(&kernel, dims, &shape));
        if (!brute(&kernel, &shape)) continue;
        possible++;
        found += met;
    }
    assert_true(possible > 100);
    if (found < possible * 95 / 100) fail_msg("%d of %d", found, possible);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_size_is_rounded_to_the_multiple),
        cmocka_unit_test(several_multiples_meet_in_a_common_one),
        cmocka_unit_test(an_equal_dim_is_computed),
        cmocka_unit_test(what_no_dims_meet_leaves_them),
        cmocka_unit_test(what_is_found_holds_and_what_there_is_is_mostly_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
