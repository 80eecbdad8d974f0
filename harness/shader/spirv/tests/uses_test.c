// SPDX-License-Identifier: Apache-2.0
// How each instruction uses the variables behind its pointers.
#include "../module.h"

#include "assemble.h"

static struct arena arena;

enum { R = USE_NAMED | USE_READ, W = USE_NAMED | USE_WRITTEN, RW = R | W, M = USE_NAMED | USE_MEASURED, N = USE_NAMED };

// Code of a function with the pointers %pa and %pb to numbers of the variables %a and %b, and the uses of both.
static const struct {
    const char *code;
    int a, b;
} cases[] = {
    {"", N, N},
    {"%v = OpLoad %uint %pa", R, N},
    {"OpStore %pb %zero", N, W},
    {"%v = OpArrayLength %uint %a 0", M, N},
    {"OpCopyMemory %pa %pb", W, R},
    {"OpCopyMemorySized %pa %pb %four", W, R},
    {"%v = OpAtomicLoad %uint %pa %one %zero", R, N},
    {"OpAtomicStore %pb %one %zero %zero", N, W},
    {"%v = OpAtomicExchange %uint %pa %one %zero %zero", RW, N},
    {"%v = OpAtomicIAdd %uint %pa %one %zero %zero", RW, N},
    {"%v = OpAtomicXor %uint %pb %one %zero %zero", N, RW},
    {"%v = OpAtomicFAddEXT %float %pa %one %zero %half", RW, N},
    {"%v = OpAtomicFMinEXT %float %pa %one %zero %half", RW, N},
    {"%v = OpAtomicFMaxEXT %float %pb %one %zero %half", N, RW},
    {"%v = OpExtInst %float %glsl Modf %half %pa", RW, N},
    {"%v = OpExtInst %float %glsl Sqrt %half", N, N},
    {"%v = OpExtInst %void %remark 1 %pa", N, N},
    {"OpStore %held %pa", RW, N}, // the stored pointer may be used in any way
    {"%p = OpAccessChain %place %b %zero %zero\n%v = OpLoad %uint %p", N, R},
    {"%p = OpInBoundsAccessChain %place %b %zero %zero\nOpStore %p %zero", N, W},
    {"%p = OpPtrAccessChain %place %pb %one\n%v = OpLoad %uint %p", N, R},
    {"%p = OpInBoundsPtrAccessChain %place %pb %one\n%v = OpLoad %uint %p", N, R},
    {"%p = OpImageTexelPointer %place %pa %zero %zero\n%v = OpAtomicIAdd %uint %p %one %zero %zero", RW, N},
    {"%p = OpCopyObject %place %pa\n%q = OpCopyObject %place %p\nOpStore %q %zero", W, N},
    {"%p = OpSelect %place %yes %pa %pb\n%v = OpLoad %uint %p", R, R},
    {"OpBranch %next\n%next = OpLabel\n%p = OpPhi %place %pa %top %pb %other\nOpStore %p %zero", W, W},
    {"%v = OpIAdd %uint %zero %one", N, N},
    {"%v = OpFunctionCall %void %takes %pa %pb", R, W},
    {"%v = OpFunctionCall %void %takes %pb %pa", W, R},
    {"%v = OpFunctionCall %void %takes %pa %pa", RW, N},
    {"%v = OpCooperativeMatrixLoadNV %uint %pa %zero %yes", R, N},
    {"OpCooperativeMatrixStoreNV %pb %zero %zero %yes", N, W},
};

static const char head[] =
    "OpCapability Shader\nOpCapability VariablePointers\nOpExtension \"SPV_KHR_non_semantic_info\"\n"
    "%glsl = OpExtInstImport \"GLSL.std.450\"\n%remark = OpExtInstImport \"NonSemantic.Remark\"\n"
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
    "OpDecorate %a Binding 0\nOpDecorate %b Binding 1\n"
    "%void = OpTypeVoid\n%proc = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32\n"
    "%bool = OpTypeBool\n%yes = OpConstantTrue %bool\n%zero = OpConstant %uint 0\n%one = OpConstant %uint 1\n"
    "%four = OpConstant %uint 4\n%half = OpConstant %float 0.5\n%array = OpTypeRuntimeArray %uint\n"
    "%block = OpTypeStruct %array\n%pointer = OpTypePointer StorageBuffer %block\n"
    "%place = OpTypePointer StorageBuffer %uint\n%holder = OpTypePointer Private %place\n"
    "%a = OpVariable %pointer StorageBuffer\n%b = OpVariable %pointer StorageBuffer\n"
    "%held = OpVariable %holder Private\n%two = OpTypeFunction %void %place %place\n"
    "%main = OpFunction %void None %proc\n%top = OpLabel\n"
    "%pa = OpAccessChain %place %a %zero %zero\n%pb = OpAccessChain %place %b %zero %zero\n";
static const char tail[] = "\nOpReturn\nOpFunctionEnd\n"
                           "%takes = OpFunction %void None %two\n%first = OpFunctionParameter %place\nOpNoLine\n"
                           "%second = OpFunctionParameter %place\n%t0 = OpLabel\n%t1 = OpLoad %uint %first\n"
                           "OpStore %second %t1\nOpReturn\nOpFunctionEnd\n";

static struct module followed(const char *code) {
    struct error err;
    struct module m;
    struct spirv spirv = assemble(&arena, arena_format(&arena, "%s%s%s", head, code, tail));
    if (!module_open(&m, spirv.words, spirv.count, &err)) fail_msg("%s", err.text);
    module_follow(&m);
    return m;
}

static void each_instruction_uses_its_pointers(void **state) {
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int found[2] = {-1, -1};
        struct module m = followed(cases[c].code);
        for (uint32_t id = 1; id < m.bound; id++)
            if (m.ids[id].has_binding) found[m.ids[id].binding] = m.ids[id].use;
        if (found[0] != cases[c].a || found[1] != cases[c].b)
            fail_msg("uses %d and %d, not %d and %d: %s", found[0], found[1], cases[c].a, cases[c].b, cases[c].code);
        module_close(&m);
    }
}

// Ways from pointers to their sources are kept in an array that grows.
static void long_ways_are_followed(void **state) {
    const char *code = "%p0 = OpCopyObject %place %pb\n";
    for (int i = 1; i < 600; i++) code = arena_format(&arena, "%s%%p%d = OpCopyObject %%place %%p%d\n", code, i, i - 1);
    struct module m = followed(arena_format(&arena, "%sOpStore %%p599 %%zero", code));
    for (uint32_t id = 1; id < m.bound; id++)
        if (m.ids[id].has_binding) assert_int_equal(m.ids[id].use, m.ids[id].binding ? W : N);
    module_close(&m);
}

static int release(void **state) {
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_instruction_uses_its_pointers),
        cmocka_unit_test(long_ways_are_followed),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
