// SPDX-License-Identifier: Apache-2.0
// Names of capabilities and results of instructions, compared with Khronos' grammar of the installed headers.
#include "../interface.h"
#include "../spirv.h"

#include "../../../base/json.h"
#include "../../../base/tests/needs.h"

static const char grammar_file[] = "/usr/include/spirv/unified1/spirv.core.grammar.json";

// Opens the grammar, or ends the test as not run.
static struct json_object *grammar(void) {
    struct error err = {0};
    struct json_object *whole = json_read(grammar_file, &err);
    if (!whole) not_run("missing: %s" INSTALL, grammar_file);
    return whole;
}

static uint32_t result_of(struct json_object *operands) {
    for (size_t word = 0; operands && word < json_object_array_length(operands); word++)
        if (strcmp(json_get_string(json_object_array_get_idx(operands, word), "kind", ""), "IdResult") == 0)
            return (uint32_t)word + 1;
    return 0;
}

static void results_are_those_of_the_grammar(void **state) {
    struct json_object *whole = grammar(), *list = json_get(whole, "instructions");
    assert_true(json_object_array_length(list) > 500);
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        struct json_object *one = json_object_array_get_idx(list, i);
        const uint32_t op = (uint32_t)json_get_int(one, "opcode", 0), expected = result_of(json_get(one, "operands"));
        if (spirv_result(op) != expected)
            fail_msg("%s: expected %u, found %u", json_get_string(one, "opname", ""), expected, spirv_result(op));
    }
    json_object_put(whole);
}

static void newer_instructions_have_results_too(void **state) {
    assert_int_equal(spirv_result(OP_COOPERATIVE_MATRIX_STORE_KHR), 0);
    assert_int_equal(spirv_result(OP_COOPERATIVE_MATRIX_STORE_TENSOR_NV), 0);
    assert_int_equal(spirv_result(OP_COOPERATIVE_MATRIX_LOAD_KHR), 2);
    assert_int_equal(spirv_result(UINT16_MAX), 2);
}

static bool is_named(struct json_object *list, uint32_t number, const char *name) {
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        struct json_object *one = json_object_array_get_idx(list, i);
        if (json_get_int(one, "value", 0) == number && strcmp(json_get_string(one, "enumerant", ""), name) == 0)
            return true;
    }
    return false;
}

static void capabilities_have_names_of_the_grammar(void **state) {
    struct json_object *whole = grammar(), *kinds = json_get(whole, "operand_kinds"), *list = NULL;
    for (size_t i = 0; i < json_object_array_length(kinds); i++) {
        struct json_object *kind = json_object_array_get_idx(kinds, i);
        if (strcmp(json_get_string(kind, "kind", ""), "Capability") == 0) list = json_get(kind, "enumerants");
    }
    assert_non_null(list);
    size_t renamed = 0;
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        const uint32_t number = (uint32_t)json_get_int(json_object_array_get_idx(list, i), "value", 0);
        if (!capability_name(number)) fail_msg("capability %u has no name", number);
        renamed += !is_named(list, number, capability_name(number));
    }
    assert_true(renamed <= 3); // names of vendors that became common later
    json_object_put(whole);
}

static void newer_capabilities_have_names_too(void **state) {
    assert_string_equal(capability_name(CAPABILITY_COOPERATIVE_MATRIX_KHR), "CooperativeMatrixKHR");
    assert_string_equal(capability_name(CAPABILITY_BFLOAT16_TYPE_KHR), "BFloat16TypeKHR");
    assert_string_equal(
        capability_name(SpvCapabilityUniformAndStorageBuffer16BitAccess), "UniformAndStorageBuffer16BitAccess");
    assert_string_equal(capability_name(5288), "ComputeDerivativeGroupQuadsKHR");
    assert_null(capability_name(UINT32_MAX));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_those_of_the_grammar),
        cmocka_unit_test(newer_instructions_have_results_too), cmocka_unit_test(capabilities_have_names_of_the_grammar),
        cmocka_unit_test(newer_capabilities_have_names_too)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
