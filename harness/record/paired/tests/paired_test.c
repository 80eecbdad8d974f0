// SPDX-License-Identifier: Apache-2.0
// Dispatches of two captures, paired by their work.
#include "../../tests/compared.h"

static void add_dispatch(struct made *m, int number, const char *name, const char *signature, const char *module,
    const char *given, const char *sizes) {
    struct record *r = add(m, name, 1000, 0.01);
    r->recorded.count = 1;
    r->recorded.number = number;
    r->recorded.signature = signature;
    r->recorded.module = module;
    r->recorded.name = given;
    r->recorded.sizes = sizes;
}

// The new program has another order, so that its numbers differ.
static void dispatches_of_two_captures_are_paired_by_their_work(void **state) {
    begin();
    add(&base, "own", 1000, 0.01), add(&new, "own", 1000, 0.01);
    add_dispatch(&base, 1, "a/call=1", "s1", "m1/main", "a", "400 400");
    add_dispatch(&base, 2, "a/call=2", "s2", "m1/main", "a", "800 800");
    add_dispatch(&base, 3, "b/call=1", "s3", "m2/main", "b", "400 400");
    add_dispatch(&base, 4, "b/call=2", "s4", "m2/main", "b", "400 400");
    add_dispatch(&base, 5, "c/call=1", "s5", "m3/main", "c", "400 400");
    add_dispatch(&base, 6, "d/call=1", "s6", "m4/main", "d", "400 400");
    add_dispatch(&new, 1, "a/call=1", "s2", "m1/main", "a", "800 800");
    add_dispatch(&new, 2, "a/call=2", "s1", "m1/main", "a", "400 400");
    add_dispatch(&new, 3, "other/call=1", "t3", "m2/main", "other", "400 400");
    add_dispatch(&new, 4, "other/call=2", "t4", "m2/main", "other", "400 400");
    add_dispatch(&new, 5, "c_1a/call=1", "t5", "n3/main", "c", "400 400");
    add_dispatch(&new, 6, "d/call=1", "t6", "m4/main", "d", "16 400");
    add_dispatch(&new, 7, "e/call=1", "t7", "m5/main", "e", "16 400");
    static const struct {
        const char *new, *base, *note; // base: NULL, it has no partner
    } pairs[] = {
        {"own", "own", NULL},
        {"a/call=1", "a/call=2", NULL},
        {"a/call=2", "a/call=1", NULL},
        {"other/call=1", "b/call=1", "other parameters, paired by module and sizes with b/call=1 of the base"},
        {"other/call=2", "b/call=2", "other parameters, paired by module and sizes with b/call=2 of the base"},
        {"c_1a/call=1", "c/call=1", "another module, paired by name and sizes with c/call=1 of the base"},
        {"e/call=1", NULL, "the base has neither its module nor its name"},
    };
    for (size_t i = 1; i <= 2; i++) { // both dispatches of b read the same as their partners; one writes otherwise
        base.records[2 + i].recorded.inputs = new.records[2 + i].recorded.inputs = "same";
        new.records[2 + i].check.output_hash = i;
        base.records[2 + i].check.output_hash = 1;
    }
    base.records[5].recorded.inputs = "one", new.records[5].recorded.inputs = "other",
    new.records[5].check.output_hash = 9;
    compare();
    for (size_t i = 0; i < c.count; i++)
        assert_int_equal(c.points[i].other_outputs, strcmp(c.points[i].name, "other/call=2") == 0);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct compared_point *p = point(pairs[i].new);
        assert_verdict(pairs[i].new, pairs[i].base ? VERDICT_SAME : VERDICT_NEW, pairs[i].note);
        if (pairs[i].base) assert_string_equal(p->base->name, pairs[i].base);
    }
    assert_int_equal(c.both, 6);
    assert_int_equal(c.verdicts[VERDICT_REMOVED], 1); // d is new as well, with other sizes
    for (size_t i = 0; i < c.count; i++)
        if (c.points[i].verdict == VERDICT_REMOVED)
            assert_string_equal(c.points[i].note,
                "not in the new result; the new result has it, but not with operands of 400 400 bytes");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(dispatches_of_two_captures_are_paired_by_their_work)};
    return cmocka_run_group_tests(tests, NULL, end);
}
