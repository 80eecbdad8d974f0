// SPDX-License-Identifier: Apache-2.0
// Shows each rule of equivalence on small modules, both where it holds and where it does not.
#include "../equivalence.h"

#include "../../../../reference/operator.h"
#include "small_module.h"

// Conditions of a case: the operator keeps values only (FREE) or signs too (SIGNED), and the module may declare that
// special values are honoured (HONOURED).
enum promise { FREE, FREE_HONOURED, SIGNED, SIGNED_HONOURED };

// Returns whether the rule covers the mutation. `buffer` is the output. The changed instruction is on line 6.
static bool covers(const char *mutation, const char *rule, enum promise promise, const char *body) {
    struct op op = {.name = "negate", .operands = {{"y", ROLE_OUT, .shape = {"n"}}}};
    struct kernel kernel = {.op = &op, .pass_count = 1};
    struct arena arena = {0};
    const struct module_more more = {.capabilities = "OpCapability SignedZeroInfNanPreserve\nOpCapability Int64\n",
        .modes = promise == FREE_HONOURED || promise == SIGNED_HONOURED
                     ? "OpExecutionMode %main SignedZeroInfNanPreserve 32\n"
                     : NULL,
        .types = "%ulong = OpTypeInt 64 0\n%ul20 = OpConstant %ulong 20\n%ul32 = OpConstant %ulong 32\n"};
    struct spirv spirv = module_with(&arena, &more, body);
    struct code code = read_code(&arena, &spirv);
    uint32_t item = code.first_function;
    op.operands[0].preserves = promise >= SIGNED ? PRESERVES_SIGN : PRESERVES_VALUE;
    kernel.passes[0] = (struct pass){.bindings = {"y"}, .places = {{0, 0}}, .binding_count = 1};
    while (code.items[item].line != BODY_LINE + 1) item++;
    while (code_op(&code, item) == SpvOpLine) item++;
    const struct equivalence_case c = {.code = &code, .item = item, .kernel = &kernel, .pass = &kernel.passes[0]};
    const struct equivalence *found = equivalence_of(mutation, &c);
    bool holds = found && strcmp(found->name, rule) == 0;
    assert_true(!found || holds);
    arena_free(&arena);
    return holds;
}

#define HERE "OpLine %file 6 0\n" // the next instruction is changed
#define PLACES                                                                                                         \
    "%from = OpAccessChain %number_pointer %buffer %i0 %a\n%to = OpAccessChain %number_pointer %buffer %i0 %b\n"
#define LOADED PLACES HERE "%v = OpLoad %float %from\nOpLine %file 7 0\n"
#define LOADED_BEFORE PLACES "%v = OpLoad %float %from\n"
#define KEPT "OpStore %to %r\n"

static const struct expectation {
    const char *mutation, *rule, *body;
    bool holds;
    enum promise promise;
} expectations[] = {
    {"input.subnormal_zero", "denormals-may-be-flushed", LOADED "%r = OpFAdd %float %v %g\n" KEPT, true, FREE},
    {"input.subnormal_zero", "denormals-may-be-flushed", LOADED "%r = OpFNegate %float %v\n" KEPT, true, FREE},
    {"input.subnormal_zero", "denormals-may-be-flushed", LOADED "%r = OpFNegate %float %v\n" KEPT, false,
        SIGNED_HONOURED},
    {"input.subnormal_zero", "denormals-may-be-flushed", LOADED "OpStore %to %v\n", true, FREE},
    {"input.subnormal_zero", "denormals-may-be-flushed", LOADED "OpStore %to %v\n", false, SIGNED_HONOURED},
    {"input.subnormal_zero", "denormals-may-be-flushed",
        LOADED "%n = OpIsNan %bool %v\n%e = OpFMul %float %v %g\n%r = OpSelect %float %n %v %e\n" KEPT, true, FREE},
    {"input.subnormal_zero", "denormals-may-be-flushed",
        LOADED "%n = OpFOrdLessThan %bool %v %g\n%e = OpFMul %float %v %g\n%r = OpSelect %float %n %v %e\n" KEPT, true,
        FREE},
    {"input.subnormal_zero", "denormals-may-be-flushed",
        LOADED "%n = OpFOrdLessThan %bool %v %g\n%e = OpFMul %float %v %g\n%r = OpSelect %float %n %v %e\n" KEPT, false,
        SIGNED_HONOURED},
    {"input.subnormal_zero", "denormals-may-be-flushed",
        LOADED "%m = OpExtInst %float %glsl NMax %v %g\n%r = OpFAdd %float %m %g\n" KEPT, true, FREE},
    {"input.subnormal_zero", "denormals-may-be-flushed",
        LOADED "%u = OpBitcast %uint %v\n%w = OpIAdd %uint %u %u1\n%r = OpBitcast %float %w\n" KEPT, false, FREE},
    // a NaN that is tested for is not promised either, but it shows if selected
    {"input.nan_zero", "specials-are-not-promised", LOADED "%r = OpFAdd %float %v %g\n" KEPT, true, FREE},
    {"input.nan_zero", "specials-are-not-promised", LOADED "%r = OpFAdd %float %v %g\n" KEPT, false, FREE_HONOURED},
    {"input.nan_zero", "specials-are-not-promised",
        LOADED "%n = OpIsNan %bool %v\n%e = OpFMul %float %v %g\n%r = OpSelect %float %n %v %e\n" KEPT, false, FREE},
    {"input.zero_sign", "sign-of-zero-is-not-promised", LOADED "%r = OpFAdd %float %v %g\n" KEPT, true, FREE},
    {"input.zero_sign", "sign-of-zero-is-not-promised", LOADED "%r = OpFAdd %float %v %g\n" KEPT, true, FREE_HONOURED},
    {"input.zero_sign", "sign-of-zero-is-not-promised", LOADED "%r = OpFAdd %float %v %g\n" KEPT, true, SIGNED},
    {"input.zero_sign", "sign-of-zero-is-not-promised", LOADED "%r = OpFAdd %float %v %g\n" KEPT, false,
        SIGNED_HONOURED},
    {"input.zero_sign", "sign-of-zero-is-not-promised", LOADED "%r = OpFDiv %float %v %g\n" KEPT, true, FREE},
    {"input.zero_sign", "sign-of-zero-is-not-promised", LOADED "%r = OpFDiv %float %g %v\n" KEPT, false, FREE},
    {"input.zero_sign", "sign-of-zero-is-not-promised", LOADED "OpStore %to %v\n", true, FREE},
    {"input.zero_sign", "sign-of-zero-is-not-promised", LOADED "OpStore %to %v\n", false, SIGNED_HONOURED},
    {"input.zero_sign", "sign-of-zero-is-not-promised",
        LOADED "%s = OpFMul %float %v %g\n%r = OpExtInst %float %glsl InverseSqrt %s\n" KEPT, false, FREE},
    {"input.zero_sign", "sign-of-zero-is-not-promised", // stored to memory other than an output
        LOADED "%s = OpFMul %float %v %g\n%i = OpBitcast %uint %s\n%q = OpAccessChain %word_pointer %wholes %i0 %a\n"
               "OpStore %q %i\n",
        false, FREE},
    {"comparison.or_equal", "equal-numbers-are-one",
        LOADED_BEFORE HERE "%n = OpFOrdLessThan %bool %v %g\nOpLine %file 7 0\n%r = OpSelect %float %n %v %g\n" KEPT,
        true, FREE},
    {"comparison.or_equal", "equal-numbers-are-one",
        LOADED_BEFORE HERE "%n = OpFOrdLessThan %bool %v %g\nOpLine %file 7 0\n%r = OpSelect %float %n %v %f\n" KEPT,
        false, FREE},
    {"input.zero_skipped", "nan-of-products-is-not-promised", LOADED_BEFORE HERE "%r = OpFMul %float %v %g\n" KEPT,
        true, FREE},
    {"arithmetic.conversion_sign", "widened-bits-are-dropped",
        PLACES HERE "%w = OpUConvert %ulong %a\n%s = OpShiftLeftLogical %ulong %w %ul32\n%c = OpUConvert %uint %s\n"
                    "%r = OpConvertUToF %float %c\n" KEPT,
        true, FREE},
    {"arithmetic.conversion_sign", "widened-bits-are-dropped",
        PLACES HERE "%w = OpUConvert %ulong %a\n%s = OpShiftLeftLogical %ulong %w %ul20\n%c = OpConvertUToF %float %s\n"
                    "%r = OpFAdd %float %c %g\n" KEPT,
        false, FREE},
    {"memory.index_16", "index-fits-16-bits",
        "%s = OpUMod %uint %a %u264\n" HERE "%to = OpAccessChain %number_pointer %buffer %i0 %s\nOpStore %to %f\n",
        true, FREE},
    {"memory.index_16", "index-fits-16-bits",
        HERE "%to = OpAccessChain %number_pointer %buffer %i0 %a\nOpStore %to %f\n", false, FREE},
    {"memory.index_float", "index-fits-a-float",
        "%s = OpShiftRightLogical %uint %a %u7\n" HERE
        "%to = OpAccessChain %number_pointer %buffer %i0 %s\nOpStore %to %f\n",
        false, FREE},
    {"memory.index_float", "index-fits-a-float",
        "%s = OpShiftRightLogical %uint %a %u7\n%h = OpShiftRightLogical %uint %s %u1\n" HERE
        "%to = OpAccessChain %number_pointer %buffer %i0 %h\nOpStore %to %f\n",
        true, FREE},
    {"arithmetic.conversion_sign", "never-negative",
        LOADED_BEFORE "%s = OpUMod %uint %a %u7\n" HERE "%r = OpConvertUToF %float %s\n" KEPT, true, FREE},
    {"arithmetic.conversion_sign", "never-negative", LOADED_BEFORE HERE "%r = OpConvertUToF %float %a\n" KEPT, false,
        FREE},
};

static void rules_hold_where_they_can_be_shown_to(void **state) {
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
        const struct expectation *e = &expectations[i];
        if (covers(e->mutation, e->rule, e->promise, e->body) != e->holds)
            fail_msg("%s by %s: expected %s of\n%s", e->mutation, e->rule, e->holds ? "true" : "false", e->body);
    }
}

static void each_rule_has_an_example(void **state) {
    for (const struct equivalence *rule = equivalences; rule->name; rule++) {
        bool any = false;
        for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++)
            any |= expectations[i].holds && strcmp(expectations[i].rule, rule->name) == 0;
        if (!any && strcmp(rule->name, order_of_sums) != 0) fail_msg("%s has no example", rule->name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_hold_where_they_can_be_shown_to), cmocka_unit_test(each_rule_has_an_example)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
