// SPDX-License-Identifier: Apache-2.0
// A module as a list of instructions: dead instructions, definitions of ids, and special values.
#include "../code.h"

#include "../flow.h"
#include "small_module.h"

static const struct module_more more = {
    .types = "%own = OpTypePointer Function %float\n%v3float = OpTypeVector %float 3\n"
             "%three = OpConstantComposite %v3float %f3 %f3 %f3\n%mixed = OpConstantComposite %v3float %f3 %f1 %f3\n",
    .decorations = "OpName %z \"z\"\nOpName %y \"y\"\n"};

// Returns the item that defines the id with a name.
static uint32_t item_of(const struct code *code, const char *name) {
    for (uint32_t item = 1; item < code->end; item++)
        if (code_op(code, item) == SpvOpName && strcmp((const char *)&code_item(code, item)[2], name) == 0)
            return code_definition(code, code_word(code, item, 1));
    fail_msg("no id %s", name);
    return 0;
}

#define STORE "%p = OpAccessChain %number_pointer %buffer %i0 %a\nOpStore %p "

static const struct {
    const char *body;
    bool z_is_dead;
} bodies[] = {
    {"%z = OpFAdd %float %f %g\n", true},
    {"%z = OpFAdd %float %f %g\n" STORE "%z\n", false},
    {"%z = OpFAdd %float %f %g\n%y = OpFMul %float %z %z\n", true}, // only dead code uses it
    {"%z = OpFAdd %float %f %g\n%y = OpFMul %float %z %f\n" STORE "%y\n", false},
    {"%y = OpVariable %own Function\n%z = OpFAdd %float %f %g\nOpStore %y %z\n", true}, // never read
    {"%y = OpVariable %own Function\n%z = OpFAdd %float %f %g\nOpStore %y %z\nOpStore %y %z\n", true},
    {"%y = OpVariable %own Function\n%z = OpFAdd %float %f %g\nOpStore %y %z\n%w = OpLoad %float %y\n" STORE "%w\n",
        false},
    {"%y = OpVariable %own Function\n%z = OpFAdd %float %f %g\nOpStore %y %z\n%w = OpLoad %float %y\n", true},
    {"%q = OpAccessChain %word_pointer %wholes %i0 %a\n%z = OpAtomicIAdd %uint %q %u1 %u0 %u1\n", false},
    {"%z = OpGroupNonUniformElect %bool %u3\n", false}, // all must come to it
    {"OpBranch %n\n%n = OpLabel\n%z = OpPhi %float %f %entry\n", false},
};

static void code_without_effect_is_dead(void **state) {
    for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++) {
        struct arena arena = {0};
        struct spirv spirv = module_with(&arena, &more, bodies[b].body);
        const struct code code = read_code(&arena, &spirv);
        if (code.items[item_of(&code, "z")].is_dead != bodies[b].z_is_dead) fail_msg("%s", bodies[b].body);
        arena_free(&arena);
    }
}

static void ids_have_definitions_and_types(void **state) {
    struct arena arena = {0};
    struct spirv spirv = module_with(&arena, &more, "%z = OpFAdd %float %f %g\n%y = OpVariable %own Function\n");
    const struct code code = read_code(&arena, &spirv);
    const uint32_t z = code_word(&code, item_of(&code, "z"), 2), y = code_word(&code, item_of(&code, "y"), 2);
    assert_int_equal(code_defined_by(&code, z), SpvOpFAdd);
    assert_int_equal(code_defined_by(&code, code_type(&code, z)), SpvOpTypeFloat);
    assert_int_equal(code_class(&code, y), SpvStorageClassFunction);
    assert_int_equal(code_pointee(&code, y), code_type(&code, z));
    assert_int_equal(code_class(&code, z), SpvStorageClassMax);
    assert_int_equal(code_pointee(&code, z), 0);
    const uint32_t beyond[] = {code.bound, code.bound + 1, UINT32_MAX, 0};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        assert_int_equal(code_definition(&code, beyond[i]), 0);
        assert_int_equal(code_defined_by(&code, beyond[i]), SpvOpNop);
        assert_int_equal(code_type(&code, beyond[i]), 0);
    }
    assert_int_equal(code_word(&code, item_of(&code, "z"), 4), code_word(&code, item_of(&code, "g"), 2));
    assert_int_equal(code_word(&code, item_of(&code, "z"), 5), 0); // beyond its end
    assert_int_equal(code.items[item_of(&code, "z")].line, BODY_LINE);
    assert_int_equal(code.items[item_of(&code, "d")].line, PRELUDE_LINE);
    assert_string_equal(code_file(&code, code.items[item_of(&code, "z")].file), "k.comp");
    assert_string_equal(code_file(&code, 0), "");
    assert_int_equal(
        code.ids[code_word(&code, item_of(&code, "lane"), 2)].built_in, 1 + SpvBuiltInLocalInvocationIndex);
    assert_int_equal(code.ids[code_word(&code, item_of(&code, "tile"), 2)].tunable, 1 + 3);
    arena_free(&arena);
}

static void constants_have_bits(void **state) {
    struct arena arena = {0};
    struct spirv spirv = module_with(
        &arena, &more, "%z = OpFMul %v3float %three %mixed\n%y = OpFAdd %float %f3 %f\n%w = OpIAdd %uint %tile %u7\n");
    const struct code code = read_code(&arena, &spirv);
    const uint32_t z = item_of(&code, "z"), y = item_of(&code, "y");
    uint64_t bits = 0;
    assert_true(code_constant(&code, code_word(&code, z, 3), &bits));
    assert_int_equal(bits, 0x40400000);
    assert_false(code_constant(&code, code_word(&code, z, 4), &bits)); // of different parts
    assert_true(code_constant(&code, code_word(&code, y, 3), &bits));
    assert_int_equal(bits, 0x40400000);
    assert_false(code_constant(&code, code_word(&code, y, 4), &bits));
    assert_false(code_constant(&code, code_word(&code, item_of(&code, "tile"), 2), &bits));
    assert_false(code_constant(&code, code.bound, &bits));
    const struct number_type n = code_number(&code, code_type(&code, code_word(&code, z, 2)));
    assert_true(n.kind == NUMBER_FLOAT && n.width == 32 && n.components == 3);
    assert_int_equal(n.type, code_type(&code, code_word(&code, z, 2)));
    assert_int_equal(n.scalar, code_type(&code, code_word(&code, y, 2)));
    arena_free(&arena);
}

// ---- values taken only if they are NaN or an infinity

// %z takes %d at word 4, or a phi at word 3.
static const struct {
    const char *body;
    uint32_t word;
    bool special;
} choices[] = {
    {"%s = OpIsNan %bool %d\n%z = OpSelect %float %s %d %f\n", 4, true},
    {"%s = OpIsInf %bool %d\n%z = OpSelect %float %s %d %f\n", 4, true},
    {"%s = OpIsNan %bool %f\n%z = OpSelect %float %s %d %f\n", 4, false}, // of another value
    {"%s = OpIsNan %bool %d\n%z = OpSelect %float %s %f %d\n", 5, false}, // if it is not
    {"%s = OpFUnordNotEqual %bool %d %d\n%z = OpSelect %float %s %d %f\n", 4, true},
    {"%s = OpFUnordNotEqual %bool %d %f\n%z = OpSelect %float %s %d %f\n", 4, false},
    {"%s = OpFOrdLessThan %bool %d %d\n%z = OpSelect %float %s %d %f\n", 4, false},
#define BRANCH(TEST, YES, NO, PHI)                                                                                     \
    "%s = " TEST "\nOpSelectionMerge %after None\nOpBranchConditional %s " YES " " NO                                  \
    "\n%then = OpLabel\nOpBranch %after\n%after = OpLabel\n%z = OpPhi %float " PHI "\n"
    {BRANCH("OpIsNan %bool %d", "%then", "%after", "%d %then %f %entry"), 3, true},
    {BRANCH("OpIsNan %bool %d", "%after", "%then", "%d %then %f %entry"), 3, false},
    {BRANCH("OpIsNan %bool %f", "%then", "%after", "%d %then %f %entry"), 3, false},
    {BRANCH("OpIsNan %bool %d", "%after", "%then", "%d %entry %f %then"), 3, true},
    {BRANCH("OpIsNan %bool %d", "%then", "%after", "%d %entry %f %then"), 3, false},
};

static void special_values_are_reported(void **state) {
    for (size_t c = 0; c < sizeof choices / sizeof *choices; c++) {
        struct arena arena = {0};
        struct spirv spirv = module_with(&arena, &more, choices[c].body);
        const struct code code = read_code(&arena, &spirv);
        if (flow_is_special(&code, item_of(&code, "z"), choices[c].word) != choices[c].special)
            fail_msg("%s", choices[c].body);
        arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_without_effect_is_dead),
        cmocka_unit_test(ids_have_definitions_and_types),
        cmocka_unit_test(constants_have_bits),
        cmocka_unit_test(special_values_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
