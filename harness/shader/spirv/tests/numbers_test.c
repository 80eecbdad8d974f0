// SPDX-License-Identifier: Apache-2.0
// The numbers that a module's code computes for one invocation, as far as they follow from its place and constants.
#include "../invocation_numbers.h"

#include "assemble.h"

static struct arena arena;

// The invocation at 3, 2, 1 in a workgroup of 8 x 4 x 2, with index 3 + 2 * 8 + 1 * 32 = 51. Constant 5 is set to 70.
enum { UNKNOWN = -1 };
static const struct {
    const char *code; // defines %v
    int64_t value;
} cases[] = {
    // constants
    {"%v = OpCopyObject %uint %c12", 12},
    {"%v = OpCopyObject %uint %set", 70},
    {"%v = OpCopyObject %uint %unset", 6},
    {"%v = OpCopyObject %uint %plain", 4},
    {"%v = OpCopyObject %bool %yes", 1},
    {"%v = OpCopyObject %bool %no", 0},
    {"%v = OpCopyObject %bool %maybe", 1},
    {"%v = OpCopyObject %bool %maybe_not", 0},
    {"%v = OpCopyObject %bool %switched", 0},
    {"%v = OpCopyObject %uint %twice", 140},
    {"%v = OpCopyObject %uint %part", 5},
    {"%v = OpCopyObject %uint %taken", 70},
    {"%v = OpCopyObject %uint %chosen", 12},
    {"%v = OpCopyObject %bool %opposite", 1},
    {"%v = OpCopyObject %ulong %long", UNKNOWN},
    {"%v = OpCopyObject %ulong %long_set", UNKNOWN},
    // arithmetic of 32 bits; %minus is -2
    {"%v = OpIAdd %uint %c12 %c5", 17},
    {"%v = OpIAdd %uint %c12 %minus", 10},
    {"%v = OpISub %uint %c12 %c5", 7},
    {"%v = OpISub %uint %c5 %c12", 0xfffffff9},
    {"%v = OpIMul %uint %c12 %c5", 60},
    {"%v = OpUDiv %uint %c12 %c5", 2},
    {"%v = OpUDiv %uint %c12 %c0", UNKNOWN},
    {"%v = OpUMod %uint %c12 %c5", 2},
    {"%v = OpUMod %uint %minus %c5", 4},
    {"%v = OpUMod %uint %c12 %c0", UNKNOWN},
    {"%v = OpShiftRightLogical %uint %minus %c5", 0x07ffffff},
    {"%v = OpShiftRightLogical %uint %minus %c31", 1},
    {"%v = OpShiftRightLogical %uint %minus %c32", UNKNOWN},
    {"%v = OpShiftLeftLogical %uint %c12 %c5", 384},
    {"%v = OpShiftLeftLogical %uint %c5 %c31", 0x80000000},
    {"%v = OpShiftLeftLogical %uint %c5 %c32", UNKNOWN},
    {"%v = OpBitwiseAnd %uint %c12 %c5", 4},
    {"%v = OpBitwiseOr %uint %c12 %c5", 13},
    {"%v = OpBitwiseXor %uint %c12 %c5", 9},
    {"%v = OpSDiv %int %minus %c2", 0xffffffff},
    {"%v = OpSDiv %int %c12 %c0", UNKNOWN},
    {"%v = OpSDiv %int %c12 %minus", UNKNOWN},
    {"%v = OpSRem %int %minus %c5", 0xfffffffe},
    {"%v = OpSRem %int %c12 %c0", UNKNOWN},
    {"%v = OpFDiv %float %one %one", UNKNOWN},
    // conditions
    {"%v = OpIEqual %bool %c5 %c5", 1},
    {"%v = OpIEqual %bool %c5 %c12", 0},
    {"%v = OpINotEqual %bool %c5 %c5", 0},
    {"%v = OpINotEqual %bool %c5 %c12", 1},
    {"%v = OpULessThan %bool %c5 %c12", 1},
    {"%v = OpULessThan %bool %c5 %c5", 0},
    {"%v = OpULessThan %bool %minus %c5", 0},
    {"%v = OpULessThanEqual %bool %c5 %c5", 1},
    {"%v = OpULessThanEqual %bool %minus %c5", 0},
    {"%v = OpUGreaterThan %bool %c5 %c5", 0},
    {"%v = OpUGreaterThan %bool %minus %c5", 1},
    {"%v = OpUGreaterThanEqual %bool %c5 %c5", 1},
    {"%v = OpUGreaterThanEqual %bool %c5 %minus", 0},
    {"%v = OpSLessThan %bool %minus %c5", 1},
    {"%v = OpSLessThan %bool %c5 %c5", 0},
    {"%v = OpSLessThanEqual %bool %c5 %c5", 1},
    {"%v = OpSLessThanEqual %bool %c5 %minus", 0},
    {"%v = OpSGreaterThan %bool %c5 %minus", 1},
    {"%v = OpSGreaterThan %bool %c5 %c5", 0},
    {"%v = OpSGreaterThanEqual %bool %c5 %c5", 1},
    {"%v = OpSGreaterThanEqual %bool %minus %c5", 0},
    {"%v = OpLogicalAnd %bool %yes %no", 0},
    {"%v = OpLogicalAnd %bool %yes %yes", 1},
    {"%v = OpLogicalOr %bool %yes %no", 1},
    {"%v = OpLogicalOr %bool %no %no", 0},
    {"%v = OpLogicalEqual %bool %no %no", 1},
    {"%v = OpLogicalEqual %bool %yes %no", 0},
    {"%v = OpLogicalNotEqual %bool %yes %no", 1},
    {"%v = OpLogicalNotEqual %bool %no %no", 0},
    {"%v = OpLogicalNot %bool %yes", 0},
    {"%v = OpLogicalNot %bool %no", 1},
    {"%v = OpSelect %uint %yes %c5 %c12", 5},
    {"%v = OpSelect %uint %no %c5 %c12", 12},
    {"%v = OpBitcast %int %minus", 0xfffffffe},
    // the place
    {"%l = OpLoad %uint3 %local\n%v = OpCompositeExtract %uint %l 0", 3},
    {"%l = OpLoad %uint3 %local\n%v = OpCompositeExtract %uint %l 1", 2},
    {"%l = OpLoad %uint3 %local\n%v = OpCompositeExtract %uint %l 2", 1},
    {"%l = OpAccessChain %in %local %c0\n%v = OpLoad %uint %l", 3},
    {"%l = OpAccessChain %in %local %c1\n%v = OpLoad %uint %l", 2},
    {"%l = OpAccessChain %in %local %c2\n%v = OpLoad %uint %l", 1},
    {"%v = OpLoad %uint %index", 51},
    {"%v = OpCompositeExtract %uint %size 0", 8},
    {"%v = OpCompositeExtract %uint %size 1", 4},
    {"%v = OpCompositeExtract %uint %size 2", 2},
    {"%l = OpLoad %uint3 %group\n%v = OpCompositeExtract %uint %l 0", UNKNOWN},
    {"%l = OpAccessChain %in %group %c0\n%v = OpLoad %uint %l", UNKNOWN},
    {"%l = OpCompositeConstruct %uint3 %c5 %c12 %set\n%v = OpCompositeExtract %uint %l 0", 5},
    {"%l = OpCompositeConstruct %uint3 %c5 %c12 %set\n%v = OpCompositeExtract %uint %l 2", 70},
    {"%l = OpCompositeConstruct %uint4 %c5 %c12 %set %c5\n%v = OpCompositeExtract %uint %l 3", UNKNOWN},
    {"%v = OpCompositeExtract %uint %triple 1", 12},
    // memory of the invocation's own
    {"OpStore %mine %c12\n%v = OpLoad %uint %mine", 12},
    {"OpStore %mine %c12\nOpStore %mine %c5\n%v = OpLoad %uint %mine", UNKNOWN},
    {"%v = OpLoad %uint %mine", UNKNOWN},
    {"%v = OpLoad %uint %started", UNKNOWN},
    {"%l = OpLoad %uint3 %local\nOpStore %vector %l\n%k = OpLoad %uint3 %vector\n"
     "%v = OpCompositeExtract %uint %k 1",
        2},
    {"%l = OpLoad %uint3 %local\nOpStore %vector %l\n%k = OpAccessChain %own %vector %c0\nOpStore %k %c5\n"
     "%j = OpLoad %uint3 %vector\n%v = OpCompositeExtract %uint %j 1",
        UNKNOWN},
    {"%p = OpAccessChain %storage %data %c0\n%v = OpLoad %uint %p", UNKNOWN},
    // loops: the first iteration counts
    {"OpBranch %h\n%h = OpLabel\n%v = OpPhi %uint %c12 %top %next %again\nOpLoopMerge %end %again None\n"
     "OpBranchConditional %yes %again %end\n%again = OpLabel\n%next = OpIAdd %uint %v %c5\nOpBranch %h\n%end = OpLabel",
        12},
    {"OpSelectionMerge %end None\nOpBranchConditional %yes %side %end\n%side = OpLabel\nOpBranch %end\n"
     "%end = OpLabel\n%v = OpPhi %uint %c12 %top %c5 %side",
        UNKNOWN},
};

static const char head[] =
    "OpCapability Shader\nOpCapability Int64\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" "
    "%local %index %group\n"
    "OpExecutionMode %main LocalSize 8 4 2\nOpName %v \"v\"\nOpName %set \"set\"\nOpName %mine \"mine\"\nOpName %c12 "
    "\"c12\"\nOpName %number \"number\"\nOpName %pointer \"pointer\"\nOpName %wide \"wide\"\nOpName %more "
    "\"more\"\nOpName %middle \"middle\"\nOpName %read \"read\"\nOpName %triple \"triple\"\n"
    "OpDecorate %local BuiltIn LocalInvocationId\n"
    "OpDecorate %index BuiltIn LocalInvocationIndex\nOpDecorate %group BuiltIn WorkgroupId\n"
    "OpDecorate %size BuiltIn WorkgroupSize\nOpDecorate %set SpecId 5\nOpDecorate %unset SpecId 6\n"
    "OpDecorate %maybe SpecId 7\nOpDecorate %maybe_not SpecId 8\nOpDecorate %switched SpecId 9\n"
    "OpDecorate %long_set SpecId 5\n"
    "%void = OpTypeVoid\n%proc = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%int = OpTypeInt 32 1\n"
    "%ulong = OpTypeInt 64 0\n%bool = OpTypeBool\n%uint3 = OpTypeVector %uint 3\n%uint4 = OpTypeVector %uint 4\n"
    "%in3 = OpTypePointer Input %uint3\n%in = OpTypePointer Input %uint\n%own3 = OpTypePointer Private %uint3\n"
    "%own = OpTypePointer Private %uint\n%takes = OpTypeFunction %void %uint %own %uint3\n%array = OpTypeRuntimeArray "
    "%uint\n"
    "%arrays = OpTypePointer StorageBuffer %array\n%storage = OpTypePointer StorageBuffer %uint\n"
    "%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n%c2 = OpConstant %uint 2\n%c5 = OpConstant %uint 5\n"
    "%c12 = OpConstant %uint 12\n%c31 = OpConstant %uint 31\n%c32 = OpConstant %uint 32\n"
    "%minus = OpConstant %uint 4294967294\n%long = OpConstant %ulong 3\n%long_set = OpSpecConstant %ulong 3\n"
    "%yes = OpConstantTrue %bool\n%no = OpConstantFalse %bool\n%set = OpSpecConstant %uint 3\n"
    "%unset = OpSpecConstant %uint 6\n%plain = OpSpecConstant %uint 4\n%maybe = OpSpecConstantTrue %bool\n"
    "%maybe_not = OpSpecConstantFalse %bool\n%switched = OpSpecConstantTrue %bool\n"
    "%triple = OpConstantComposite %uint3 %c5 %c12 %c5\n%size = OpSpecConstantComposite %uint3 %set %unset %set\n"
    "%special = OpSpecConstantComposite %uint3 %c5 %set %c5\n%twice = OpSpecConstantOp %uint IMul %set %c2\n"
    "%part = OpSpecConstantOp %uint CompositeExtract %triple 2\n"
    "%taken = OpSpecConstantOp %uint CompositeExtract %special 1\n"
    "%chosen = OpSpecConstantOp %uint Select %switched %set %c12\n"
    "%opposite = OpSpecConstantOp %bool LogicalNot %switched\n"
    "%float = OpTypeFloat 32\n%one = OpConstant %float 1\n"
    "%local = OpVariable %in3 Input\n%index = OpVariable %in Input\n%group = OpVariable %in3 Input\n"
    "%mine = OpVariable %own Private\n%vector = OpVariable %own3 Private\n%started = OpVariable %own Private %c5\n"
    "%data = OpVariable %arrays StorageBuffer\n%main = OpFunction %void None %proc\n%top = OpLabel\n";

static const struct barrier_constant constants[] = {{4, 11}, {5, 70}, {9, 0}};
static const struct barrier_setting setting = {
    .entry = "main", .size = {8, 4, 2}, .constants = constants, .constant_count = 3};

static struct module module_of(const char *code) {
    struct error err;
    struct module m;
    struct spirv spirv = assemble(&arena, arena_format(&arena, "%s%s\nOpReturn\nOpFunctionEnd\n", head, code));
    if (!module_open(&m, spirv.words, spirv.count, &err)) fail_msg("%s", err.text);
    return m;
}

// Returns the only id with this name.
static uint32_t named(const struct module *m, const char *name) {
    for (uint32_t id = 1; id < m->bound; id++)
        if (m->ids[id].name && strcmp(module_text(&m->words[m->ids[id].name], 2), name) == 0) return id;
    fail_msg("no id %s", name);
    return 0;
}

static struct invocation_numbers numbers_at_place(const struct module *m) {
    struct invocation_numbers n = numbers_open(m, &setting);
    n.place[0] = 3, n.place[1] = 2, n.place[2] = 1, n.index = 51;
    return n;
}

static void code_is_computed(void **state) {
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct module m = module_of(cases[c].code);
        struct invocation_numbers n = numbers_at_place(&m);
        const struct value v = numbers_of(&n, named(&m, "v"));
        const int64_t found = v.known ? (int64_t)v.bits : UNKNOWN;
        if (found != cases[c].value)
            fail_msg("%lld, not %lld: %s", (long long)found, (long long)cases[c].value, cases[c].code);
        assert_false(n.has_barrier);
        numbers_close(&n);
        module_close(&m);
    }
}

// Long sums are given up on: 200 steps, each sum has one and so have both of its operands.
static void steps_end(void **state) {
    for (int sums = 99; sums <= 100; sums++) {
        const char *code = "%v0 = OpCopyObject %uint %c1\n";
        for (int i = 1; i < sums; i++)
            code = arena_format(&arena, "%s%%v%d = OpIAdd %%uint %%v%d %%c1\n", code, i, i - 1);
        struct module m = module_of(arena_format(&arena, "%s%%v = OpIAdd %%uint %%v%d %%c1\n", code, sums - 1));
        struct invocation_numbers n = numbers_at_place(&m);
        const struct value v = numbers_of(&n, named(&m, "v"));
        assert_true(v.known == (sums == 99));
        if (v.known) assert_int_equal(v.bits, 100);
        assert_int_equal(numbers_of(&n, named(&m, "set")).bits, 70); // steps are counted for each number
        numbers_close(&n);
        module_close(&m);
    }
}

// ---- parameters of functions

static const char call[] = "%v = OpIAdd %uint %c1 %c1\nOpReturn\nOpFunctionEnd\n"
                           "%f = OpFunction %void None %takes\n%number = OpFunctionParameter %uint\n"
                           "%pointer = OpFunctionParameter %own\n%wide = OpFunctionParameter %uint3\n%f0 = OpLabel\n"
                           "%more = OpIAdd %uint %number %c1\n%read = OpLoad %uint %pointer\n"
                           "%middle = OpCompositeExtract %uint %wide 1\n";

static void parameters_have_their_arguments(void **state) {
    struct module m = module_of(call);
    struct invocation_numbers n = numbers_at_place(&m);
    const uint32_t number = named(&m, "number"), wide = named(&m, "wide"), more = named(&m, "more");
    assert_false(numbers_of(&n, more).known);
    numbers_give(&n, number, named(&m, "set"));
    assert_int_equal(numbers_of(&n, more).bits, 71);
    numbers_give(&n, number, named(&m, "c12"));
    assert_int_equal(numbers_of(&n, more).bits, 13);
    numbers_give(&n, number, number); // a function that calls itself
    assert_false(numbers_of(&n, more).known);
    assert_false(numbers_of(&n, named(&m, "middle")).known);
    numbers_give(&n, wide, named(&m, "triple"));
    assert_int_equal(numbers_of(&n, named(&m, "middle")).bits, 12);
    numbers_give(&n, m.bound, wide);
    numbers_give(&n, wide, m.bound); // beyond the module: nothing changes
    assert_int_equal(numbers_of(&n, named(&m, "middle")).bits, 12);
    numbers_close(&n);
    module_close(&m);
}

static void pointers_are_given_with_what_is_stored(void **state) {
    struct module m = module_of(arena_format(&arena, "OpStore %%mine %%c12\n%s", call));
    struct invocation_numbers n = numbers_at_place(&m);
    numbers_give(&n, named(&m, "pointer"), named(&m, "mine"));
    assert_int_equal(numbers_of(&n, named(&m, "read")).bits, 12);
    numbers_close(&n);
    module_close(&m);

    m = module_of(arena_format(&arena, "OpStore %%mine %%c12\n%sOpStore %%pointer %%c5\n", call));
    n = numbers_at_place(&m);
    numbers_give(&n, named(&m, "pointer"), named(&m, "mine"));
    assert_false(numbers_of(&n, named(&m, "read")).known); // two numbers are stored there
    numbers_close(&n);
    module_close(&m);
}

static void barriers_are_noted(void **state) {
    struct module m = module_of("%v = OpIAdd %uint %c1 %c1\nOpControlBarrier %c2 %c2 %c0");
    struct invocation_numbers n = numbers_at_place(&m);
    assert_true(n.has_barrier);
    numbers_close(&n);
    module_close(&m);
}

static int release(void **state) {
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_is_computed),
        cmocka_unit_test(steps_end),
        cmocka_unit_test(parameters_have_their_arguments),
        cmocka_unit_test(pointers_are_given_with_what_is_stored),
        cmocka_unit_test(barriers_are_noted),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
