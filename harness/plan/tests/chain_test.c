// SPDX-License-Identifier: Apache-2.0
// Files of chains: reading them, and refusing errors at their places.
#include "../../manifest/chains/chain.h"
#include "../suite.h"
#include "../../manifest/tests/plan_fixture.h"
#include "../../device/device_info.h"

#define HEAD                                                                                                           \
    "{\"name\": \"chain.two\", \"summary\": \"s\", \"dims\": [\"rows\"], \"buffers\": {\"x\": {\"low\": 0, \"high\": " \
    "1}}, "
#define LINK(operands)                                                                                                 \
    "\"links\": [{\"kernel\": \"relu.scalar\", \"dims\": {\"n\": [\"rows\", 4]}, \"operands\": " operands "}], "
#define GOOD HEAD LINK("{\"x\": \"x\", \"y\": \"h\"}") "\"check\": [\"h\"]}"

static void load(struct fixture *f, const char *chain) {
    fixture_write(f, "fixture.json", fixture_manifest);
    fixture_write(f, "chains.json", arena_format(&f->arena, "{\"chains\": [%s]}", chain));
    const char *folders[] = {f->folder};
    if (!kernels_load(&f->arena, folders, 1, &f->kernels, &f->err)) fail_msg("%s", f->err.text);
}

static void a_chain_has_the_form_of_a_probe(void **state) {
    struct fixture *f = *state;
    struct point point;
    load(f, GOOD);
    assert_int_equal(f->kernels.mistakes.count, 0);
    assert_int_equal(f->kernels.chain_count, 1);
    const struct chain *chain = f->kernels.chains[0]->chain;
    assert_int_equal(chain->buffer_count, 2);
    assert_true(chain->buffers[0].given && !chain->buffers[1].given && chain->buffers[1].checked);
    assert_int_equal(chain->links[0].buffers[1], 1);
    const char *name = "chain.two/chain/steps=3,rows=5/wg=1x1x1";
    if (!point_parse(&f->arena, &f->kernels, name, &point, &f->err)) fail_msg("%s", f->err.text);
    assert_string_equal(point.name, name);
    assert_int_equal(product_value(point.kernel, &chain->links[0].dims[0], point.dims, NULL), 20);
    assert_false(point_parse(&f->arena, &f->kernels, "chain.two/chain/steps=65,rows=5/wg=1x1x1", &point, &f->err));
    assert_says(f->err.text, "at most 64 steps");
    assert_false(point_parse(&f->arena, &f->kernels, "chain.two/f32/steps=1,rows=5/wg=1x1x1", &point, &f->err));
    assert_says(f->err.text, "chain.two is a chain: expected chain.two/chain/");
}

static void a_suite_names_chains(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    struct suite suite;
    struct plan plan;
    load(f, GOOD);
    const char *path = fixture_write(f, "suite.txt",
        "{\"schema_version\": 1, \"name\": \"a\", \"summary\": \"b\", \"entries\": [{\"chain\": \"chain.*\", \"dims\": "
        "{\"steps\": [1, 20], \"rows\": 3}}]}");
    if (!suite_load(&f->arena, path, &suite, &f->err) ||
        !plan_build(&f->arena, &suite, &f->kernels, &device, NULL, 0, &plan, &f->err))
        fail_msg("%s", f->err.text);
    assert_int_equal(plan.count, 2);
    assert_string_equal(plan.points[1].name, "chain.two/chain/steps=20,rows=3/wg=1x1x1");
}

static void mistakes_in_chains_are_named(void **state) {
    static const struct {
        const char *chain, *says;
    } bad[] = {
        {"{\"name\": \"two\", \"summary\": \"s\"}", "expected \"chain.NAME\""},
        {HEAD "\"links\": [], \"check\": [\"x\"]}", "expected 1 to 48 links"},
        {HEAD LINK("{\"x\": \"z\", \"y\": \"h\"}") "\"check\": [\"h\"]}", "write it first; did you mean \"x\"?"},
        {HEAD LINK("{\"x\": \"x\", \"y\": \"x\"}") "\"check\": [\"x\"]}",
            "may not have operands x and y in one buffer"},
        {HEAD LINK("{\"x\": \"x\"}") "\"check\": [\"x\"]}", "$.chains[0].links[0].operands"},
        {HEAD LINK("{\"x\": \"x\", \"y\": \"h\", \"w\": \"x\"}") "\"check\": [\"x\"]}",
            "$.chains[0].links[0].operands.w: operator relu has no operand \"w\"; did you mean \"y\"?"},
        {HEAD LINK("{\"x\": \"x\", \"y\": \"h\"}") "\"check\": [\"q\"]}", "there is no buffer \"q\"; did you mean"},
        {HEAD "\"links\": [{\"kernel\": \"relu.scala\", \"dims\": {}, \"operands\": {}}], \"check\": [\"x\"]}",
            "there is no kernel \"relu.scala\"; did you mean \"relu.scalar\"?"},
        {HEAD "\"links\": [{\"kernel\": \"relu.scalar\", \"dims\": {\"n\": \"cols\"}, \"operands\": {}}], \"check\": "
              "[\"x\"]}",
            "\"cols\" is no dim of the chain; did you mean \"rows\"?"},
        {HEAD "\"links\": [{\"kernel\": \"relu.scalar\", \"dims\": {\"n\": \"row\"}, \"operands\": {}}], \"check\": "
              "[\"x\"]}",
            "$.chains[0].links[0].dims.n: \"row\" is no dim of the chain; did you mean \"rows\"?"},
        {HEAD "\"links\": [{\"kernel\": \"relu.scalar\", \"dims\": {\"m\": 4}, \"operands\": {}}], \"check\": [\"x\"]}",
            "$.chains[0].links[0].dims.m: operator relu has no dim \"m\"; did you mean \"n\"?"},
        {HEAD "\"links\": [{\"kernel\": \"relu.scalar\", \"dtype\": \"f61\", \"dims\": {\"n\": 4}, \"operands\": {}}], "
              "\"check\": [\"x\"]}",
            "$.chains[0].links[0].dtype: kernel relu.scalar has no dtype \"f61\"; did you mean \"f16\"?"},
        {HEAD "\"links\": [{\"kernel\": \"relu.scalar\", \"dims\": {\"n\": 4}, \"shape\": {\"WG_X\": 48}, "
              "\"operands\": {}}], "
              "\"check\": [\"x\"]}",
            "WG_X"},
        {"{\"name\": \"chain.a\", \"summary\": \"s\", \"buffers\": {\"x\": {\"low\": 0}}}", "expected \"value\""},
        {GOOD ", " GOOD, "is in"},
    };
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        load(f, bad[i].chain);
        if (f->kernels.mistakes.count != 1) fail_msg("%s: %zu mistakes", bad[i].says, f->kernels.mistakes.count);
        assert_says(f->kernels.mistakes.items[0], bad[i].says);
        assert_says(f->kernels.mistakes.items[0], "chains.json");
    }
}

// Errors name the chain in question: one without sizes in the suite, one with a mistake, or a chain in place of a
// kernel.
static void errors_name_the_chain_that_is_meant(void **state) {
    struct fixture *f = *state;
    static const char mistaken[] = GOOD ", {\"name\": \"chain.bad\", \"summary\": \"s\", \"dims\": [\"rows\"]}";
    static const struct {
        const char *entry, *glob, *says;
    } rows[] = {
        {"\"kernel\": \"relu.*\", \"dims\": {\"n\": 5}", "chain.*",
            "no point of the suite matches \"chain.*\"; no size of chain.two is in it: name a suite that has one by "
            "--suite, or a whole point, as chain.two/chain/steps=1,rows=1/wg=1x1x1"},
        {"\"kernel\": \"relu.*\", \"dims\": {\"n\": 5}", "chain.two/chain/steps=1", "no size of chain.two is in it"},
        {"\"kernel\": \"relu.*\", \"dims\": {\"n\": 5}", "chain.bad*", "; chain.bad has an error and is ignored"},
        {"\"kernel\": \"relu.plain\", \"dims\": {\"n\": 5}", "relu.scalar",
            "; no size of relu.scalar is in it: name a suite that has one by --suite, or a whole point"},
        {"\"kernel\": \"chain.*\", \"dims\": {\"steps\": 1, \"rows\": 1}", NULL,
            "$.entries[0].kernel: no kernel matches \"chain.*\"; chain.two is a chain: name it under \"chain\""},
        {"\"kernel\": \"submit.*\", \"dims\": {\"k\": 1}", NULL, " is a probe: name it under \"probe\""},
        {"\"chain\": \"chain.t*\", \"dims\": {\"steps\": 1, \"row\": 1}", NULL,
            "chain.two takes no dim or parameter \"row\"; did you mean \"rows\"?"},
        {"\"chain\": \"chain.*\", \"dims\": {\"rows\": 1}", NULL, "dim steps is missing; chain.two takes steps, rows"},
        {"\"chain\": \"chain.*\", \"dims\": {\"rows\": 1, \"steps\": 65}", NULL, "chain.two refuses steps=65,rows=1"},
    };
    struct device_info device = fixture_device();
    load(f, mistaken);
    assert_int_equal(f->kernels.mistakes.count, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct suite suite;
        struct plan plan;
        const char *path = fixture_write(f, "suite.txt",
            arena_format(&f->arena, "{\"schema_version\": 1, \"name\": \"a\", \"summary\": \"b\", \"entries\": [{%s}]}",
                rows[i].entry));
        if (!suite_load(&f->arena, path, &suite, &f->err)) fail_msg("%s", f->err.text);
        if (plan_build(&f->arena, &suite, &f->kernels, &device, &rows[i].glob, rows[i].glob ? 1 : 0, &plan, &f->err))
            fail_msg("%zu points, not: %s", plan.count, rows[i].says);
        assert_says(f->err.text, rows[i].says);
    }
}

// A suite's entry for a chain with a mistake is no second mistake.
static void a_chain_with_a_mistake_costs_itself_alone(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    struct suite suite;
    struct plan plan;
    load(f, GOOD ", {\"name\": \"chain.bad\", \"summary\": \"s\", \"dims\": [\"rows\"]}");
    const char *path = fixture_write(f, "suite.txt",
        "{\"schema_version\": 1, \"name\": \"a\", \"summary\": \"b\", \"entries\": [{\"chain\": \"chain.bad\", "
        "\"dims\": "
        "{\"steps\": 1, \"rows\": 3}}, {\"chain\": \"chain.two\", \"dims\": {\"steps\": 1, \"rows\": 3}}]}");
    if (!suite_load(&f->arena, path, &suite, &f->err) ||
        !plan_build(&f->arena, &suite, &f->kernels, &device, NULL, 0, &plan, &f->err))
        fail_msg("%s", f->err.text);
    assert_int_equal(plan.count, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_chain_has_the_form_of_a_probe, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_suite_names_chains, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(mistakes_in_chains_are_named, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(errors_name_the_chain_that_is_meant, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_chain_with_a_mistake_costs_itself_alone, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
