// SPDX-License-Identifier: Apache-2.0
// Values that differ between invocations, and barriers out of reach of some, in unoptimized code.
#include "../barriers.h"

#include "assemble.h"

#include <stdlib.h>

static struct arena arena;

static const char head[] =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %local %group\n"
    "OpExecutionMode %main LocalSize 64 1 1\nOpDecorate %local BuiltIn LocalInvocationIndex\n"
    "OpDecorate %group BuiltIn WorkgroupId\nOpName %v \"v\"\n"
    "%void = OpTypeVoid\n%proc = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%bool = OpTypeBool\n"
    "%uint3 = OpTypeVector %uint 3\n%array = OpTypeArray %uint %c4\n%in = OpTypePointer Input %uint\n"
    "%in3 = OpTypePointer Input %uint3\n%own = OpTypePointer Private %uint\n%owns = OpTypePointer Private %array\n"
    "%shared_uint = OpTypePointer Workgroup %uint\n%c0 = OpConstant %uint 0\n%c2 = OpConstant %uint 2\n"
    "%c4 = OpConstant %uint 4\n%c264 = OpConstant %uint 264\n%takes = OpTypeFunction %uint %uint\n"
    "%local = OpVariable %in Input\n%group = OpVariable %in3 Input\n%mine = OpVariable %own Private\n"
    "%list = OpVariable %owns Private\n%common = OpVariable %shared_uint Workgroup\n"
    "%main = OpFunction %void None %proc\n%m0 = OpLabel\n%l = OpLoad %uint %local\n%g3 = OpLoad %uint3 %group\n"
    "%g = OpCompositeExtract %uint %g3 0\n%differs = OpULessThan %bool %l %c4\n%equal = OpULessThan %bool %g %c4\n";
static const char tail[] = "OpReturn\nOpFunctionEnd\n"
                           "%twice = OpFunction %uint None %takes\n%number = OpFunctionParameter %uint\n%t0 = OpLabel\n"
                           "%sum = OpIAdd %uint %number %number\nOpReturnValue %sum\nOpFunctionEnd\n"
                           "%waits = OpFunction %void None %proc\n%w0 = OpLabel\nOpControlBarrier %c2 %c2 %c264\n"
                           "OpReturn\nOpFunctionEnd\n";

#define BARRIER "OpControlBarrier %c2 %c2 %c264\n"
#define IF(CONDITION, THEN)                                                                                            \
    "OpSelectionMerge %e None\nOpBranchConditional " CONDITION " %t %e\n%t = OpLabel\n" THEN "OpBranch %e\n%e = "      \
    "OpLabel\n"

// Code of a function that defines %v.
static const struct {
    const char *code;
    bool differs, parts;
} cases[] = {
    {"%v = OpIAdd %uint %l %c4\n", true, false},
    {"%v = OpIAdd %uint %c4 %l\n", true, false},
    {"%v = OpIAdd %uint %g %c4\n", false, false},
    {"%v = OpCopyObject %uint %l\n", true, false},
    {"%v = OpLoad %uint %common\n", false, false},
    // memory of the invocation's own
    {"OpStore %mine %l\n%v = OpLoad %uint %mine\n", true, false},
    {"OpStore %mine %g\n%v = OpLoad %uint %mine\n", false, false},
    {"OpStore %common %l\n%v = OpLoad %uint %common\n", false, false},
    {"%p = OpAccessChain %own %list %c2\nOpStore %p %l\n%q = OpAccessChain %own %list %c2\n%v = OpLoad %uint %q\n",
        true, false},
    {"%p = OpInBoundsAccessChain %own %list %c2\nOpStore %p %l\n%q = OpAccessChain %own %list %c0\n"
     "%v = OpLoad %uint %q\n",
        true, false},
    {"%q = OpAccessChain %own %list %l\n%v = OpLoad %uint %q\n", true, false},
    {IF("%differs", "OpStore %mine %c4\n") "%v = OpLoad %uint %mine\n", true, false},
    {IF("%equal", "OpStore %mine %c4\n") "%v = OpLoad %uint %mine\n", false, false},
    {IF("%differs", "OpStore %common %c4\n") "%v = OpLoad %uint %common\n", false, false},
    // calls
    {"%v = OpFunctionCall %uint %twice %l\n", true, false},
    {"%v = OpFunctionCall %uint %twice %g\n", false, false},
    // barriers
    {BARRIER "%v = OpCopyObject %uint %g\n", false, false},
    {IF("%differs", BARRIER) "%v = OpCopyObject %uint %g\n", false, true},
    {IF("%equal", BARRIER) "%v = OpCopyObject %uint %g\n", false, false},
    {IF("%differs", "%x = OpFunctionCall %void %waits\n") "%v = OpCopyObject %uint %g\n", false, true},
    {IF("%equal", "%x = OpFunctionCall %void %waits\n") "%v = OpCopyObject %uint %g\n", false, false},
    {IF("%differs", "OpStore %common %c4\n") BARRIER "%v = OpCopyObject %uint %g\n", false, false},
    {"OpSelectionMerge %e None\nOpBranchConditional %differs %t %e\n%t = OpLabel\nOpReturn\n%e = OpLabel\n" BARRIER
     "%v = OpCopyObject %uint %g\n",
        false, true},
    {"OpSelectionMerge %e None\nOpBranchConditional %equal %t %e\n%t = OpLabel\nOpReturn\n%e = OpLabel\n" BARRIER
     "%v = OpCopyObject %uint %g\n",
        false, false},
    {"OpSelectionMerge %e None\nOpSwitch %l %e 1 %t\n%t = OpLabel\n" BARRIER
     "OpBranch %e\n%e = OpLabel\n%v = OpCopyObject %uint %g\n",
        false, true},
    // a loop that some invocations leave earlier
    {"OpBranch %h\n%h = OpLabel\nOpLoopMerge %e %a None\nOpBranch %b\n%b = OpLabel\n"
     "OpBranchConditional %differs %c %e\n%c = OpLabel\n" BARRIER
     "OpBranch %a\n%a = OpLabel\nOpBranch %h\n%e = OpLabel\n%v = OpCopyObject %uint %g\n",
        false, true},
    {"OpBranch %h\n%h = OpLabel\nOpLoopMerge %e %a None\nOpBranch %b\n%b = OpLabel\n"
     "OpBranchConditional %equal %c %e\n%c = OpLabel\n" BARRIER
     "OpBranch %a\n%a = OpLabel\nOpBranch %h\n%e = OpLabel\n%v = OpCopyObject %uint %g\n",
        false, false},
};

static void what_differs_and_what_parts(void **state) {
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct error err;
        struct module m;
        struct spirv spirv = assemble(&arena, arena_format(&arena, "%s%s%s", head, cases[c].code, tail));
        uint32_t v = 0;
        if (!module_open(&m, spirv.words, spirv.count, &err)) fail_msg("%s", err.text);
        for (uint32_t id = 1; id < m.bound; id++)
            if (m.ids[id].name) v = id;
        bool *differing = barriers_differing(&m);
        if (differing[v] != cases[c].differs) fail_msg("case %zu: differs %d: %s", c, differing[v], cases[c].code);
        if (barriers_may_part(&m) != cases[c].parts) fail_msg("case %zu: parts: %s", c, cases[c].code);
        free(differing);
        module_close(&m);
    }
}

static int release(void **state) {
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_differs_and_what_parts)};
    return cmocka_run_group_tests(tests, NULL, release);
}
