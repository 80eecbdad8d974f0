// SPDX-License-Identifier: Apache-2.0
// Checks which parts of a module are kept for an entry point. Hostile words must cause nothing but an error. Run it
// from the top of the repository.
#include "../changes.h"

#include "../../../base/file.h"
#include "../analyses.h"
#include "../interface.h"
#include "../spirv.h"
#include "assemble.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static struct arena arena;

static struct spirv many(void) {
    struct error err;
    const char *text = file_read(&arena, "harness/shader/spirv/tests/many.spvasm", NULL, &err);
    if (!text) fail_msg("%s", err.text);
    return assemble(&arena, text);
}

static struct shader_interface read_entry(struct spirv spirv, const char *entry) {
    struct error err;
    struct shader_interface shader = {0};
    if (!entry_isolate(&arena, &spirv, entry, &err) ||
        !interface_read(&arena, spirv.words, spirv.count, entry, &shader, &err))
        fail_msg("%s", err.text);
    return shader;
}

static struct shader_binding binding(const struct shader_interface *shader, uint32_t number) {
    for (int i = 0; i < shader->binding_count; i++)
        if (shader->bindings[i].binding == number) return shader->bindings[i];
    fail_msg("no binding %u", number);
    return (struct shader_binding){0};
}

static bool has(const uint32_t *list, int count, uint32_t wanted) {
    for (int i = 0; i < count; i++)
        if (list[i] == wanted) return true;
    return false;
}

static void resources_are_those_of_the_entry_point(void **state) {
    struct spirv spirv = many();
    struct shader_interface relu = read_entry(spirv, "relu"), halve = read_entry(spirv, "halve"),
                            total = read_entry(spirv, "total");
    struct shader_binding x = binding(&relu, 0), y = binding(&relu, 1), spare = binding(&relu, 3);
    assert_int_equal(relu.binding_count, 3);
    assert_true(x.used && x.read && !x.written && !x.measured); // in a function called by it
    assert_true(y.kind == SLOT_STORAGE && y.used && !y.read && y.written);
    assert_true(!spare.used); // declared, and used by no entry point
    assert_int_equal(relu.push.bytes, 4);
    assert_int_equal(relu.size[0], 64);
    assert_false(relu.zeroed);

    x = binding(&halve, 0);
    assert_int_equal(halve.binding_count, 4);
    assert_true(!x.read && x.written && x.measured);
    assert_true(binding(&halve, 1).kind == SLOT_UNIFORM && binding(&halve, 2).bits == 64);
    assert_int_equal(halve.push.bytes, 12);
    assert_int_equal(halve.size[1], 2);
    assert_int_equal(total.push.bytes, 0);
    assert_true(total.zeroed);
}

static void capabilities_are_those_of_the_entry_point(void **state) {
    struct spirv spirv = many();
    struct shader_interface relu = read_entry(spirv, "relu"), halve = read_entry(spirv, "halve"),
                            total = read_entry(spirv, "total");
    assert_int_equal(relu.capability_count, 1);
    assert_true(has(relu.capabilities, relu.capability_count, 1));
    assert_int_equal(halve.capability_count, 3);
    assert_true(has(halve.capabilities, 3, 10) && has(halve.capabilities, 3, 4466));
    assert_int_equal(total.capability_count, 3);
    assert_true(has(total.capabilities, 3, 61) && has(total.capabilities, 3, 63));
}

// The places of halves, and the capabilities left for them. Compilers of WGSL declare all of these, needed or not.
static void storage_capabilities_are_those_of_the_variables(void **state) {
    static const struct {
        const char *capabilities, *decorations, *storage_class, *type;
        uint32_t left; // 0: none
    } cases[] = {
        {"4433 4434 4435 4436", "Block", "StorageBuffer", "%half", 4433},
        {"4434", "Block", "StorageBuffer", "%half", 4433}, // replaced by the narrower one
        {"4433 4434", "Block", "Uniform", "%half", 4434},
        {"4433 4434", "BufferBlock", "Uniform", "%half", 4433},
        {"4433 4434 4435 4436", "Block", "PushConstant", "%half", 4435},
        {"4433 4434 4435 4436", "Block", "StorageBuffer", "%inner", 4433},
        {"4433 4434 4435 4436 4448 4449", "Block", "StorageBuffer", "%word", 0},
        {"4448 4449 4450", "Block", "StorageBuffer", "%byte", 4448},
        {"4449 4450", "Block", "StorageBuffer", "%byte", 4448},
        {"4448 4449", "Block", "Uniform", "%byte", 4449},
        {"4448 4449 4450", "Block", "PushConstant", "%byte", 4450},
        {"4433 4434 4435 4436", "Block", "Input", "%half", 4436},
        {"4433 4434 4435 4436", "Block", "Output", "%half", 4436},
        {"4433 4435 4436", "Block", "Workgroup", "%half", 0},
        {"4433 4435", "Block", "StorageBuffer", "%pair", 4433},
        {"4433 4435", "Block", "StorageBuffer", "%many", 4433},
        {"4433 4435", "Block", "StorageBuffer", "%open", 4433},
        {"4448 4433", "Block", "StorageBuffer", "%pair", 4433},
    };
    static const char *const names[] = {[0] = "StorageBuffer16BitAccess",
        [1] = "UniformAndStorageBuffer16BitAccess",
        [2] = "StoragePushConstant16",
        [3] = "StorageInputOutput16",
        [15] = "StorageBuffer8BitAccess",
        [16] = "UniformAndStorageBuffer8BitAccess",
        [17] = "StoragePushConstant8"};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char *declared = arena_copy(&arena, ""), *rest = arena_copy(&arena, cases[c].capabilities), *end;
        for (long number; (number = strtol(rest, &end, 10)) > 0; rest = end) {
            assert_string_equal(capability_name((uint32_t)number), names[number - 4433]);
            declared = arena_format(&arena, "%sOpCapability %s\n", declared, names[number - 4433]);
        }
        const struct shader_interface shader = read_entry(
            assemble(&arena,
                arena_format(&arena,
                    "OpCapability Shader\nOpCapability Float16\nOpCapability Int8\n%sOpMemoryModel Logical GLSL450\n"
                    "OpEntryPoint GLCompute %%main \"main\"\nOpExecutionMode %%main LocalSize 1 1 1\n"
                    "OpDecorate %%block %s\nOpMemberDecorate %%block 0 Offset 0\nOpMemberDecorate %%block 1 Offset 8\n"
                    "OpMemberDecorate %%inner 0 Offset 0\nOpDecorate %%a Binding 0\n"
                    "%%void = OpTypeVoid\n%%proc = OpTypeFunction %%void\n%%half = OpTypeFloat 16\n"
                    "%%byte = OpTypeInt 8 0\n%%word = OpTypeInt 32 0\n%%inner = OpTypeStruct %%half\n"
                    "%%zero = OpConstant %%word 0\n%%two = OpConstant %%word 2\n%%pair = OpTypeVector %%half 2\n"
                    "%%many = OpTypeArray %%half %%two\n%%open = OpTypeRuntimeArray %%half\n"
                    "%%block = OpTypeStruct %%word %s\n%%to = OpTypePointer %s %%block\n"
                    "%%first = OpTypePointer %s %%word\n%%a = OpVariable %%to %s\n"
                    "%%main = OpFunction %%void None %%proc\n%%m0 = OpLabel\n"
                    "%%at = OpAccessChain %%first %%a %%zero\n%%m1 = OpLoad %%word %%at\nOpReturn\nOpFunctionEnd\n",
                    declared, cases[c].decorations, cases[c].type, cases[c].storage_class, cases[c].storage_class,
                    cases[c].storage_class)),
            "main");
        int left = 0;
        for (int i = 0; i < shader.capability_count; i++) left += shader.capabilities[i] >= 4433;
        assert_int_equal(left, cases[c].left != 0);
        assert_true(!left || has(shader.capabilities, shader.capability_count, cases[c].left));
    }
}

static void constants_are_those_of_the_entry_point(void **state) {
    struct spirv spirv = many();
    struct shader_interface relu = read_entry(spirv, "relu"), total = read_entry(spirv, "total");
    assert_true(relu.constant_count == 1 && relu.constants[0].id == 7);
    assert_true(total.constant_count == 1 && total.constants[0].id == 8);
}

// Nothing in it belongs to other entry points, so no word changes.
static void a_module_of_one_kernel_stays(void **state) {
    struct error err;
    struct spirv once = many(), again;
    assert_true(entry_isolate(&arena, &once, "relu", &err));
    again = once;
    assert_true(entry_isolate(&arena, &again, "relu", &err));
    assert_ptr_equal(again.words, once.words);
    assert_int_equal(again.count, once.count);
}

static void an_entry_point_that_is_not_there_changes_nothing(void **state) {
    struct error err;
    struct shader_interface shader = {0};
    struct spirv spirv = many(), same = spirv;
    assert_true(entry_isolate(&arena, &same, "rleu", &err));
    assert_ptr_equal(same.words, spirv.words);
    assert_false(interface_read(&arena, same.words, same.count, "rleu", &shader, &err));
    assert_non_null(strstr(err.text, "no compute entry point \"rleu\"; it has relu, halve, total"));
}

// ---- pointers through calls, copies, choices and loops

#define HEAD                                                                                                           \
    "OpCapability Shader\nOpCapability VariablePointers\nOpMemoryModel Logical GLSL450\n"                              \
    "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"                                   \
    "OpDecorate %a Binding 0\nOpDecorate %b Binding 1\nOpDecorate %c Binding 2\n"                                      \
    "%void = OpTypeVoid\n%proc = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%bool = OpTypeBool\n"                   \
    "%yes = OpConstantTrue %bool\n%zero = OpConstant %uint 0\n%array = OpTypeRuntimeArray %uint\n"                     \
    "%block = OpTypeStruct %array\n%pointer = OpTypePointer StorageBuffer %block\n"                                    \
    "%place = OpTypePointer StorageBuffer %uint\n%a = OpVariable %pointer StorageBuffer\n"                             \
    "%b = OpVariable %pointer StorageBuffer\n%c = OpVariable %pointer StorageBuffer\n"                                 \
    "%two = OpTypeFunction %void %pointer %place\n"

static const char calls[] =
    HEAD "%main = OpFunction %void None %proc\n%m0 = OpLabel\n"
         "%m1 = OpAccessChain %place %b %zero %zero\n"
         "%m2 = OpFunctionCall %void %outer %a %m1\n"
         "OpReturn\nOpFunctionEnd\n"
         "%outer = OpFunction %void None %two\n%o1 = OpFunctionParameter %pointer\n%o2 = OpFunctionParameter %place\n"
         "%o3 = OpLabel\n%o4 = OpCopyObject %pointer %o1\n%o5 = OpFunctionCall %void %inner %o4 %o2\n"
         "OpReturn\nOpFunctionEnd\n"
         "%inner = OpFunction %void None %two\n%i1 = OpFunctionParameter %pointer\n%i2 = OpFunctionParameter %place\n"
         "%i3 = OpLabel\n%i4 = OpArrayLength %uint %i1 0\nOpStore %i2 %i4\nOpReturn\nOpFunctionEnd\n";

static const char choices[] =
    HEAD "%main = OpFunction %void None %proc\n%m0 = OpLabel\n%m1 = OpAccessChain %place %a %zero %zero\n"
         "%m2 = OpAccessChain %place %b %zero %zero\nOpBranch %m3\n"
         "%m3 = OpLabel\n%m4 = OpPhi %place %m1 %m0 %m6 %m3\n%m5 = OpLoad %uint %m4\n"
         "%m6 = OpSelect %place %yes %m4 %m2\nOpLoopMerge %m7 %m3 None\nOpBranchConditional %yes %m3 %m7\n"
         "%m7 = OpLabel\nOpReturn\nOpFunctionEnd\n";

static void pointers_are_followed(void **state) {
    struct shader_interface shader = read_entry(assemble(&arena, calls), "main");
    struct shader_binding a = binding(&shader, 0), b = binding(&shader, 1), c = binding(&shader, 2);
    assert_true(a.used && a.measured && !a.read && !a.written);
    assert_true(b.used && b.written && !b.read && !b.measured);
    assert_true(!c.used && !c.read && !c.written);
    shader = read_entry(assemble(&arena, choices), "main");
    a = binding(&shader, 0), b = binding(&shader, 1);
    assert_true(a.read && !a.written && b.read && !b.written && !b.measured);
}

// ---- what decorations and modes with ids hold on to

static const char sized[] =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
    "OpEntryPoint GLCompute %other \"other\"\nOpExecutionModeId %main LocalSizeId %c1 %c2 %c3\n"
    "OpExecutionModeId %other LocalSizeId %c4 %c5 %c6\nOpDecorateId %x UniformId %c7\nOpDecorate %x Binding 0\n"
    "%void = OpTypeVoid\n%proc = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%c1 = OpConstant %uint 1\n"
    "%c2 = OpConstant %uint 2\n%c3 = OpConstant %uint 3\n%c4 = OpConstant %uint 4\n%c5 = OpConstant %uint 5\n"
    "%c6 = OpConstant %uint 6\n%c7 = OpConstant %uint 7\n%c8 = OpConstant %uint 8\n"
    "%to = OpTypePointer StorageBuffer %uint\n%x = OpVariable %to StorageBuffer\n"
    "%main = OpFunction %void None %proc\n%m0 = OpLabel\nOpReturn\nOpFunctionEnd\n"
    "%other = OpFunction %void None %proc\n%o0 = OpLabel\nOpReturn\nOpFunctionEnd\n";

static void constants_of_decorations_and_modes_are_kept(void **state) {
    static const bool kept[] = {false, true, true, true, false, false, false, true, false}; // by number, for main
    struct error err;
    struct spirv spirv = assemble(&arena, sized);
    bool found[9] = {0};
    assert_true(entry_isolate(&arena, &spirv, "main", &err));
    for (size_t at = 0; spirv_next(spirv.words, spirv.count, &at);)
        if (spirv_op(&spirv.words[at]) == SpvOpConstant) found[spirv.words[at + 3]] = true;
    assert_memory_equal(found, kept, sizeof kept);
    const struct shader_interface shader = read_entry(assemble(&arena, sized), "other");
    assert_true(shader.size[0] == 4 && shader.size[1] == 5 && shader.size[2] == 6);
}

// A constant for the workgroup size, which no code names, is of every entry point.
static void the_size_of_all_entry_points_is_kept(void **state) {
    static const char *const entries[] = {"main", "other"};
    static const char text[] =
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
        "OpEntryPoint GLCompute %other \"other\"\nOpExecutionMode %main LocalSize 9 9 9\n"
        "OpExecutionMode %other LocalSize 9 9 9\nOpDecorate %size BuiltIn WorkgroupSize\n"
        "%void = OpTypeVoid\n%proc = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%uint3 = OpTypeVector %uint 3\n"
        "%c1 = OpConstant %uint 1\n%c2 = OpConstant %uint 2\n%c3 = OpConstant %uint 3\n"
        "%size = OpConstantComposite %uint3 %c1 %c2 %c3\n"
        "%main = OpFunction %void None %proc\n%m0 = OpLabel\nOpReturn\nOpFunctionEnd\n"
        "%other = OpFunction %void None %proc\n%o0 = OpLabel\nOpReturn\nOpFunctionEnd\n";
    for (int e = 0; e < 2; e++) {
        const struct shader_interface shader = read_entry(assemble(&arena, text), entries[e]);
        assert_true(shader.size[0] == 1 && shader.size[1] == 2 && shader.size[2] == 3);
    }
}

// ---- capabilities, their extensions, and the instruction that needs them

// The code of `main`, after types of all kinds of numbers.
static const struct {
    const char *extension, *capability;
    const char *annotation, *type, *code; // needs the capability
} needs[] = {
    {NULL, "Geometry", NULL, NULL, NULL}, // only for other stages
    {NULL, "SampleRateShading", NULL, NULL, NULL},
    {NULL, "Float16", "", "%h = OpTypeFloat 16\n", ""},
    {NULL, "Float64", "", "%h = OpTypeFloat 64\n", ""},
    {NULL, "Int64", "", "%h = OpTypeInt 64 0\n", ""},
    {NULL, "Int64Atomics", "", "%h = OpTypeInt 64 0\n", ""},
    {NULL, "Int16", "", "%h = OpTypeInt 16 1\n", ""},
    {NULL, "Int8", "", "%h = OpTypeInt 8 0\n", ""},
    {NULL, "ImageBuffer", "", "%h = OpTypeImage %float Buffer 0 0 0 2 R32f\n", ""},
    {NULL, "StorageImageWriteWithoutFormat", "", "%h = OpTypeImage %float 2D 0 0 0 2 Unknown\n", ""},
    {NULL, "GroupNonUniform", "", "", "%v = OpGroupNonUniformElect %bool %c3\n"},
    {NULL, "GroupNonUniform", "", "", "%v = OpGroupNonUniformQuadSwap %uint %c3 %c0 %c0\n"},
    {NULL, "GroupNonUniform", "OpDecorate %in BuiltIn SubgroupSize\n", "", ""},
    {NULL, "GroupNonUniform", "OpDecorate %in BuiltIn SubgroupLocalInvocationId\n", "", ""},
    {NULL, "GroupNonUniformVote", "", "", "%v = OpGroupNonUniformAll %bool %c3 %yes\n"},
    {NULL, "GroupNonUniformVote", "", "", "%v = OpGroupNonUniformAllEqual %bool %c3 %c0\n"},
    {NULL, "GroupNonUniformArithmetic", "", "", "%v = OpGroupNonUniformIAdd %uint %c3 Reduce %c0\n"},
    {NULL, "GroupNonUniformClustered", "", "", "%v = OpGroupNonUniformLogicalXor %bool %c3 Reduce %yes\n"},
    {NULL, "GroupNonUniformBallot", "", "", "%v = OpGroupNonUniformBroadcast %uint %c3 %c0 %c0\n"},
    {NULL, "GroupNonUniformBallot", "", "", "%v = OpGroupNonUniformBallotFindMSB %uint %c3 %c0\n"},
    {NULL, "GroupNonUniformBallot", "OpDecorate %in BuiltIn SubgroupEqMask\n", "", ""},
    {NULL, "GroupNonUniformBallot", "OpDecorate %in BuiltIn SubgroupLtMask\n", "", ""},
    {NULL, "GroupNonUniformShuffle", "", "", "%v = OpGroupNonUniformShuffle %uint %c3 %c0 %c0\n"},
    {NULL, "GroupNonUniformShuffle", "", "", "%v = OpGroupNonUniformShuffleXor %uint %c3 %c0 %c0\n"},
    {NULL, "GroupNonUniformShuffleRelative", "", "", "%v = OpGroupNonUniformShuffleUp %uint %c3 %c0 %c0\n"},
    {NULL, "GroupNonUniformShuffleRelative", "", "", "%v = OpGroupNonUniformShuffleDown %uint %c3 %c0 %c0\n"},
    {NULL, "GroupNonUniformQuad", "", "", "%v = OpGroupNonUniformQuadBroadcast %uint %c3 %c0 %c0\n"},
    {NULL, "GroupNonUniformQuad", "", "", "%v = OpGroupNonUniformQuadSwap %uint %c3 %c0 %c0\n"},
    {"SPV_KHR_float_controls", "DenormPreserve", "OpExecutionMode %main DenormPreserve 32\n", "", ""},
    {"SPV_KHR_float_controls", "DenormFlushToZero", "OpExecutionMode %main DenormFlushToZero 32\n", "", ""},
    {"SPV_KHR_float_controls", "SignedZeroInfNanPreserve", "OpExecutionMode %main SignedZeroInfNanPreserve 32\n", "",
        ""},
    {"SPV_KHR_float_controls", "RoundingModeRTE", "OpExecutionMode %main RoundingModeRTE 32\n", "", ""},
    {"SPV_KHR_float_controls", "RoundingModeRTZ", "OpExecutionMode %main RoundingModeRTZ 32\n", "", ""},
    {"SPV_KHR_shader_clock", "ShaderClockKHR", "", "", "%v = OpReadClockKHR %uint %c3\n"},
    {"SPV_NV_cooperative_matrix", "CooperativeMatrixNV", "", "%h = OpTypeCooperativeMatrixNV %float %c3 %c3 %c3\n", ""},
    {"SPV_EXT_shader_atomic_float_add", "AtomicFloat32AddEXT", "", "",
        "%v = OpAtomicFAddEXT %float %x %c0 %c0 %half\n"},
    {"SPV_EXT_shader_atomic_float_min_max", "AtomicFloat32MinMaxEXT", "", "",
        "%v = OpAtomicFMinEXT %float %x %c0 %c0 %half\n"},
    {"SPV_EXT_shader_atomic_float_min_max", "AtomicFloat64MinMaxEXT", "", "",
        "%v = OpAtomicFMaxEXT %float %x %c0 %c0 %half\n"},
    {"SPV_KHR_integer_dot_product", "DotProduct", "", "", "%v = OpSDot %uint %c0 %c0 PackedVectorFormat4x8Bit\n"},
    {"SPV_KHR_integer_dot_product", "DotProductInput4x8BitPacked", "", "",
        "%v = OpSUDotAccSat %uint %c0 %c0 %c0 PackedVectorFormat4x8Bit\n"},
    {"SPV_KHR_expect_assume", "ExpectAssumeKHR", "", "", "OpAssumeTrueKHR %yes\n"},
    {"SPV_KHR_expect_assume", "ExpectAssumeKHR", "", "", "%v = OpExpectKHR %uint %c0 %c0\n"},
};

static struct spirv needing(size_t n, bool with) {
    const char *extension = needs[n].extension;
    struct spirv spirv = assemble(&arena,
        arena_format(&arena,
            "OpCapability Shader\nOpCapability %s\n%s%s%sOpMemoryModel Logical GLSL450\n"
            "OpEntryPoint GLCompute %%main \"main\"\nOpExecutionMode %%main LocalSize 1 1 1\n%s"
            "OpDecorate %%x Binding 0\nOpMemberDecorate %%block 0 BuiltIn NumWorkgroups\n"
            "%%void = OpTypeVoid\n%%proc = OpTypeFunction %%void\n%%uint = OpTypeInt 32 0\n%%float = OpTypeFloat 32\n"
            "%%bool = OpTypeBool\n%%yes = OpConstantTrue %%bool\n%%c0 = OpConstant %%uint 0\n"
            "%%c3 = OpConstant %%uint 3\n%%half = OpConstant %%float 0.5\n%%block = OpTypeStruct %%uint\n%s"
            "%%to = OpTypePointer StorageBuffer %%float\n%%x = OpVariable %%to StorageBuffer\n"
            "%%of = OpTypePointer Input %%uint\n%%in = OpVariable %%of Input\n"
            "%%main = OpFunction %%void None %%proc\n%%m0 = OpLabel\n%%used = OpLoad %%uint %%in\n%sOpReturn\n"
            "OpFunctionEnd\n",
            needs[n].capability, extension ? "OpExtension \"" : "", extension ? extension : "", extension ? "\"\n" : "",
            with ? needs[n].annotation : "", with ? needs[n].type : "", with ? needs[n].code : ""));
    spirv.count = entry_narrow(spirv.words, spirv.count);
    return spirv;
}

static int count_of(struct spirv spirv, uint32_t op) {
    int count = 0;
    for (size_t at = 0; spirv_next(spirv.words, spirv.count, &at);) count += spirv_op(&spirv.words[at]) == op;
    return count;
}

static void capabilities_go_with_their_extensions(void **state) {
    for (size_t n = 0; n < sizeof needs / sizeof *needs; n++) {
        const bool ever = needs[n].code != NULL;
        for (int with = 0; with <= ever; with++) {
            struct spirv left = needing(n, with);
            if (count_of(left, SpvOpCapability) != 1 + with ||
                count_of(left, SpvOpExtension) != (with && needs[n].extension))
                fail_msg("%s, %s", needs[n].capability, with ? "needed" : "not needed");
            assert_int_equal(count_of(left, SpvOpFunctionEnd), 1);
        }
    }
}

// An extension stays for one of its capabilities, and if it brings none of them.
static void extensions_stay_for_others(void **state) {
    struct spirv spirv = assemble(&arena,
        "OpCapability Shader\nOpCapability RoundingModeRTE\nOpCapability RoundingModeRTZ\n"
        "OpExtension \"SPV_KHR_float_controls\"\nOpExtension \"SPV_KHR_expect_assume\"\nOpExtension \"SPV_KHR_other\"\n"
        "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
        "OpExecutionMode %main RoundingModeRTZ 32\n%void = OpTypeVoid\n%proc = OpTypeFunction %void\n"
        "%main = OpFunction %void None %proc\n%m0 = OpLabel\nOpReturn\nOpFunctionEnd\n");
    spirv.count = entry_narrow(spirv.words, spirv.count);
    assert_int_equal(count_of(spirv, SpvOpCapability), 2);
    assert_int_equal(count_of(spirv, SpvOpExtension), 3);
}

// ---- damaged or forbidden modules

static void refused(struct spirv spirv, const char *entry, const char *says) {
    struct error err = {0};
    assert_false(entry_isolate(&arena, &spirv, entry, &err));
    if (!strstr(err.text, says)) fail_msg("expected '%s' in: %s", says, err.text);
    assert_int_equal(err.status, STATUS_BAD_INPUT);
}

static uint32_t *instruction(struct spirv spirv, uint32_t op, int which) {
    for (size_t at = 0; spirv_next(spirv.words, spirv.count, &at);)
        if (spirv_op(&spirv.words[at]) == op && which-- == 0) return &spirv.words[at];
    fail_msg("no such instruction");
    return NULL;
}

static void calls_in_a_circle_are_refused(void **state) {
    struct spirv spirv = assemble(&arena, calls);
    uint32_t *outer = instruction(spirv, SpvOpFunctionCall, 0), *inner = instruction(spirv, SpvOpFunctionCall, 1);
    uint32_t last = inner[3];
    inner[3] = outer[3];
    refused(spirv, "main", "entry point \"main\" are recursive; Vulkan allows no recursion");
    inner[3] = instruction(spirv, SpvOpEntryPoint, 0)[2];
    refused(spirv, "main", "no recursion");
    inner[3] = last; // an unreached cycle is allowed
    outer[3] = last;
    inner[3] = instruction(spirv, SpvOpFunction, 1)[2];
    read_entry(spirv, "main");
}

static void calls_of_what_is_no_function_are_refused(void **state) {
    struct spirv spirv = assemble(&arena, calls);
    uint32_t *call = instruction(spirv, SpvOpFunctionCall, 0);
    for (uint32_t id = 0; id < 2; id++) {
        call[3] = id ? instruction(spirv, SpvOpVariable, 0)[2] : 0xfffffff0;
        refused(spirv, "main", "which is no function");
    }
    spirv = assemble(&arena, calls);
    instruction(spirv, SpvOpEntryPoint, 0)[2] = 0x7fffffff;
    refused(spirv, "main", "entry point \"main\" is id 2147483647, which is no function");
}

static void ids_beyond_the_bound_are_refused(void **state) {
    static const struct {
        uint32_t op, word;
    } places[] = {
        {SpvOpDecorate, 1}, {SpvOpVariable, 2}, {SpvOpTypeStruct, 1}, {SpvOpFunction, 2}, {SpvOpAccessChain, 2}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct spirv spirv = assemble(&arena, calls);
        instruction(spirv, places[i].op, 0)[places[i].word] = spirv.words[SPIRV_BOUND];
        refused(spirv, "main", "ids end below");
    }
}

static void functions_that_do_not_end_are_refused(void **state) {
    struct spirv spirv = assemble(&arena, calls);
    spirv.count -= 1; // the last OpFunctionEnd
    refused(spirv, "main", "does not end");
    spirv = assemble(&arena, calls);
    instruction(spirv, SpvOpFunctionEnd, 0)[0] = 1u << 16 | SpvOpNoLine;
    refused(spirv, "main", "not whole");
}

// Returns a copy of the words that ends where readable memory does. The next call overwrites it.
static uint32_t *at_the_edge(const uint32_t *words, size_t count) {
    static char *edge; // the first byte that cannot be read
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = 4 * page;
    assert_true(count * sizeof *words <= room);
    if (!edge) {
        char *memory = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(memory != MAP_FAILED && mprotect(memory + room, page, PROT_NONE) == 0);
        edge = memory + room;
    }
    uint32_t *copy = (uint32_t *)(void *)(edge - count * sizeof *words);
    memcpy(copy, words, count * sizeof *words);
    return copy;
}

// Reading must end, and stay within the words. Each word in turn is replaced, and the end is cut off.
static void survive(const uint32_t *words, size_t count) {
    static const struct barrier_setting setting = {.entry = "main", .size = {4, 2, 1}};
    struct error err;
    struct arena scratch = {0};
    struct shader_interface shader = {0};
    struct shader_declarations declared;
    struct spirv spirv = {.words = at_the_edge(words, count), .count = count}, out;
    uint32_t numbers[COMPARED_NUMBERS], loops;
    numbers_compared(spirv.words, count, &setting, &(struct numbers_wanted){0, UINT32_MAX, true}, numbers);
    barriers_skipped(spirv.words, count, &setting);
    interface_declarations(&scratch, spirv.words, count, &declared, &err);
    lengths_shorten(&scratch, &spirv, 64, &out, &err);
    loop_ends_watch(&scratch, &spirv, "main", (const uint32_t[]){0, 9}, &out, &loops, &err);
    if (entry_isolate(&scratch, &spirv, "main", &err))
        interface_read(&scratch, spirv.words, spirv.count, "main", &shader, &err);
    arena_free(&scratch);
}

// A barrier behind a condition, in a function that a loop calls.
static const char waits[] =
    HEAD "%takes = OpTypeFunction %void %uint\n%c2 = OpConstant %uint 2\n%c264 = OpConstant %uint 264\n"
         "%in = OpTypePointer Input %uint\n%index = OpVariable %in Input\n"
         "%main = OpFunction %void None %proc\n%m0 = OpLabel\n%m1 = OpLoad %uint %index\nOpBranch %m2\n"
         "%m2 = OpLabel\n%m3 = OpPhi %uint %zero %m0 %m7 %m6\nOpLoopMerge %m8 %m6 None\nOpBranch %m4\n"
         "%m4 = OpLabel\n%m5 = OpFunctionCall %void %wait %m1\nOpBranch %m6\n"
         "%m6 = OpLabel\n%m7 = OpIAdd %uint %m3 %c2\n%m9 = OpULessThan %bool %m7 %c264\n"
         "OpBranchConditional %m9 %m2 %m8\n%m8 = OpLabel\nOpReturn\nOpFunctionEnd\n"
         "%wait = OpFunction %void None %takes\n%w1 = OpFunctionParameter %uint\n%w2 = OpLabel\n"
         "%w3 = OpULessThan %bool %w1 %c2\nOpSelectionMerge %w5 None\nOpBranchConditional %w3 %w4 %w5\n"
         "%w4 = OpLabel\nOpControlBarrier %c2 %c2 %c264\nOpBranch %w5\n%w5 = OpLabel\nOpReturn\nOpFunctionEnd\n";

static void hostile_words_are_survived(void **state) {
    static const uint32_t evil[] = {
        0, 1, 2, 9, 17, 0xffffffff, 0x0001ffff, 0xffff0000, 0x00040039, 0x00010038, 0x80000000};
    static const char *const modules[] = {calls, choices, sized, waits};
    for (size_t m = 0; m < sizeof modules / sizeof *modules; m++) {
        struct spirv spirv = assemble(&arena, modules[m]);
        for (size_t count = 0; count <= spirv.count; count++) survive(spirv.words, count);
        for (size_t word = 0; word < spirv.count; word++)
            for (size_t e = 0; e < sizeof evil / sizeof *evil; e++) {
                uint32_t kept = spirv.words[word];
                spirv.words[word] = word == SPIRV_BOUND && evil[e] > 1000 ? evil[e] & 0xffff : evil[e];
                survive(spirv.words, spirv.count);
                spirv.words[word] = kept;
            }
    }
}

static int release(void **state) {
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resources_are_those_of_the_entry_point),
        cmocka_unit_test(capabilities_are_those_of_the_entry_point),
        cmocka_unit_test(storage_capabilities_are_those_of_the_variables),
        cmocka_unit_test(constants_are_those_of_the_entry_point),
        cmocka_unit_test(a_module_of_one_kernel_stays),
        cmocka_unit_test(an_entry_point_that_is_not_there_changes_nothing),
        cmocka_unit_test(pointers_are_followed),
        cmocka_unit_test(constants_of_decorations_and_modes_are_kept),
        cmocka_unit_test(the_size_of_all_entry_points_is_kept),
        cmocka_unit_test(capabilities_go_with_their_extensions),
        cmocka_unit_test(extensions_stay_for_others),
        cmocka_unit_test(calls_in_a_circle_are_refused),
        cmocka_unit_test(calls_of_what_is_no_function_are_refused),
        cmocka_unit_test(ids_beyond_the_bound_are_refused),
        cmocka_unit_test(functions_that_do_not_end_are_refused),
        cmocka_unit_test(hostile_words_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
