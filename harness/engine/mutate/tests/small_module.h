// SPDX-License-Identifier: Apache-2.0
// Small modules for tests: a common prelude, and a body from the test.
#ifndef VKASSAY_MUTATE_SMALL_MODULE_H
#define VKASSAY_MUTATE_SMALL_MODULE_H

#include "../../../shader/compile/shader.h"
#include "../mutations/mutations.h"
#include "../../../../reference/tests/unit.h"

#define kDefaultMaxIdBound max_id_bound_of_test // the header defines it in each file including it
#include <spirv-tools/libspirv.h>
#include <string.h>

// The beginning of every module. The test supplies the body of its function.
static const char prelude[] = "OpCapability Shader\n"
                              "OpCapability GroupNonUniform\n"
                              "OpCapability GroupNonUniformArithmetic\n"
                              "OpCapability GroupNonUniformVote\n"
                              "OpCapability GroupNonUniformShuffle\n"
                              "%glsl = OpExtInstImport \"GLSL.std.450\"\n"
                              "OpMemoryModel Logical GLSL450\n"
                              "OpEntryPoint GLCompute %main \"main\" %lane\n"
                              "OpExecutionMode %main LocalSize 64 1 1\n"
                              "%file = OpString \"k.comp\"\n"
                              "OpName %main \"main\"\n"
                              "OpName %a \"a\"\n"
                              "OpName %b \"b\"\n"
                              "OpName %d \"d\"\n"
                              "OpName %f \"f\"\n"
                              "OpName %g \"g\"\n"
                              "OpName %x \"x\"\n"
                              "OpName %t \"t\"\n"
                              "OpName %push \"push\"\n"
                              "OpName %buffer \"buffer\"\n"
                              "OpName %lane \"lane\"\n"
                              "OpName %tile \"tile\"\n"
                              "OpDecorate %lane BuiltIn LocalInvocationIndex\n"
                              "OpDecorate %tile SpecId 3\n"
                              "OpDecorate %numbers ArrayStride 4\n"
                              "OpDecorate %words ArrayStride 4\n"
                              "OpMemberDecorate %block 0 Offset 0\n"
                              "OpDecorate %block Block\n"
                              "OpMemberDecorate %whole_block 0 Offset 0\n"
                              "OpDecorate %whole_block Block\n"
                              "OpMemberDecorate %parameters 0 Offset 0\n"
                              "OpMemberDecorate %parameters 1 Offset 4\n"
                              "OpDecorate %parameters Block\n"
                              "OpDecorate %buffer DescriptorSet 0\n"
                              "OpDecorate %buffer Binding 0\n"
                              "OpDecorate %wholes DescriptorSet 0\n"
                              "OpDecorate %wholes Binding 1\n"
                              "OpDecorate %d NoContraction\n"
                              "%void = OpTypeVoid\n"
                              "%function = OpTypeFunction %void\n"
                              "%bool = OpTypeBool\n"
                              "%uint = OpTypeInt 32 0\n"
                              "%int = OpTypeInt 32 1\n"
                              "%float = OpTypeFloat 32\n"
                              "%v2float = OpTypeVector %float 2\n"
                              "%u0 = OpConstant %uint 0\n"
                              "%u1 = OpConstant %uint 1\n"
                              "%u2 = OpConstant %uint 2\n"
                              "%u3 = OpConstant %uint 3\n"
                              "%u7 = OpConstant %uint 7\n"
                              "%u264 = OpConstant %uint 264\n"
                              "%i0 = OpConstant %int 0\n"
                              "%i1 = OpConstant %int 1\n"
                              "%i5 = OpConstant %int 5\n"
                              "%f0 = OpConstant %float 0\n"
                              "%f1 = OpConstant %float 1\n"
                              "%f3 = OpConstant %float 3\n"
                              "%inf = OpConstant %float 0x1p+128\n"
                              "%true = OpConstantTrue %bool\n"
                              "%tile = OpSpecConstant %uint 4\n"
                              "%numbers = OpTypeRuntimeArray %float\n"
                              "%block = OpTypeStruct %numbers\n"
                              "%block_pointer = OpTypePointer StorageBuffer %block\n"
                              "%buffer = OpVariable %block_pointer StorageBuffer\n"
                              "%number_pointer = OpTypePointer StorageBuffer %float\n"
                              "%words = OpTypeRuntimeArray %uint\n"
                              "%whole_block = OpTypeStruct %words\n"
                              "%whole_pointer = OpTypePointer StorageBuffer %whole_block\n"
                              "%wholes = OpVariable %whole_pointer StorageBuffer\n"
                              "%word_pointer = OpTypePointer StorageBuffer %uint\n"
                              "%parameters = OpTypeStruct %float %uint\n"
                              "%parameters_pointer = OpTypePointer PushConstant %parameters\n"
                              "%push = OpVariable %parameters_pointer PushConstant\n"
                              "%push_float = OpTypePointer PushConstant %float\n"
                              "%push_uint = OpTypePointer PushConstant %uint\n"
                              "%lane_pointer = OpTypePointer Input %uint\n"
                              "%lane = OpVariable %lane_pointer Input\n"
                              "%main = OpFunction %void None %function\n"
                              "%entry = OpLabel\n"
                              "%x = OpLoad %uint %lane\n"
                              "%a = OpIAdd %uint %x %u7\n"
                              "%b = OpBitwiseXor %uint %x %u7\n"
                              "%t = OpULessThan %bool %x %u2\n"
                              "%f = OpConvertUToF %float %x\n"
                              "%g = OpConvertUToF %float %a\n"
                              "OpLine %file 4 0\n"
                              "%d = OpFAdd %float %f %g\n"
                              "OpLine %file 5 0\n"; // the test's own code begins here
static const char ending[] = "OpReturn\n"
                             "OpFunctionEnd\n";

static const int64_t tile_values[] = {4, 8};
static const struct code_interface interface = {
    .parameters = {{"alpha", true, false, 0.5}, {"n", false, true, 0}},
    .parameter_count = 2,
    .tunables = {{3, "TILE", tile_values, 2, 4}},
    .tunable_count = 1,
};

enum { PRELUDE_LINE = 4, BODY_LINE = 5 };

// Lines of a module in addition to the prelude's; NULL: none.
struct module_more {
    const char *capabilities, *modes, *decorations, *types;
};

static inline const char *lines_before(struct arena *arena, const char *text, const char *line, const char *more) {
    size_t at = (size_t)(strstr(text, line) - text);
    return more ? arena_format(arena, "%.*s%s%s", (int)at, text, more, text + at) : text;
}

static inline struct spirv module_with(struct arena *arena, const struct module_more *more, const char *body) {
    const char *text = lines_before(arena, prelude, "OpCapability Shader", more->capabilities);
    text = lines_before(arena, text, "%file = OpString", more->modes);
    text = lines_before(arena, text, "OpDecorate %lane", more->decorations);
    text = arena_format(arena, "%s%s%s", lines_before(arena, text, "%main = OpFunction", more->types), body, ending);
    spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_1);
    spv_binary binary = NULL;
    spv_diagnostic diagnostic = NULL;
    if (spvTextToBinary(context, text, strlen(text), &binary, &diagnostic) != SPV_SUCCESS)
        fail_msg("%s\n%s", diagnostic->error, body);
    struct spirv out = {.words = arena_alloc(arena, binary->wordCount, sizeof *out.words), .count = binary->wordCount};
    memcpy(out.words, binary->code, out.count * sizeof *out.words);
    spvBinaryDestroy(binary);
    spvContextDestroy(context);
    return out;
}

static inline struct spirv module_of(struct arena *arena, const char *body) {
    return module_with(arena, &(struct module_more){.types = NULL}, body);
}

static inline struct code read_code(struct arena *arena, const struct spirv *spirv) {
    struct code code;
    struct error err = {0};
    if (!code_read(arena, spirv->words, spirv->count, &interface, &code, &err)) fail_msg("%s", err.text);
    return code;
}

#endif
