// SPDX-License-Identifier: Apache-2.0
// The index of a module: results and sections of instructions, decorations, entry points, remarks of compilers.
#include "../module.h"

#include "assemble.h"

static struct arena arena;

// ---- instructions by themselves. Section 2.4 of the specification orders the sections of a module

static const struct {
    uint32_t op;
    bool before_types;
    uint32_t result; // the word of the result, if word 1 is the id of a type; 0: there is none
} kinds[] = {
    {SpvOpNop, false, 0},
    {SpvOpUndef, false, 2},
    {SpvOpSourceContinued, true, 0},
    {SpvOpSource, true, 0},
    {SpvOpSourceExtension, true, 0},
    {SpvOpName, true, 0},
    {SpvOpMemberName, true, 0},
    {SpvOpString, true, 2},
    {SpvOpLine, false, 0},
    {9, false, 2},
    {SpvOpExtension, true, 0},
    {SpvOpExtInstImport, true, 2},
    {SpvOpExtInst, false, 2},
    {13, false, 2},
    {SpvOpMemoryModel, true, 0},
    {SpvOpEntryPoint, true, 0},
    {SpvOpExecutionMode, true, 0},
    {SpvOpCapability, true, 0},
    {18, false, 2},
    {SpvOpTypeVoid, false, 2},
    {SpvOpTypeStruct, false, 2},
    {SpvOpTypePipe, false, 2},
    {SpvOpTypeForwardPointer, false, 0},
    {SpvOpConstantTrue, false, 2},
    {SpvOpVariable, false, 2},
    {SpvOpInBoundsPtrAccessChain, false, 2},
    {SpvOpDecorate, true, 0},
    {SpvOpMemberDecorate, true, 0},
    {SpvOpDecorationGroup, true, 2},
    {SpvOpGroupDecorate, true, 0},
    {SpvOpGroupMemberDecorate, true, 0},
    {SpvOpVectorExtractDynamic, false, 2},
    {316, false, 2},
    {SpvOpNoLine, false, 0},
    {SpvOpModuleProcessed, true, 0},
    {SpvOpExecutionModeId, true, 0},
    {SpvOpDecorateId, true, 0},
    {SpvOpGroupNonUniformElect, false, 2},
    {SpvOpDecorateString, true, 0},
    {SpvOpMemberDecorateString, true, 0},
};

static void sections_and_results_of_instructions(void **state) {
    enum { TYPE = 3, RESULT = 4, BOUND = 5 };
    static const uint32_t words[] = {SpvMagicNumber, 0x10500, 0, BOUND, 0, 2u << 16 | SpvOpTypeVoid, TYPE};
    struct error err;
    struct module m;
    assert_true(module_open(&m, words, sizeof words / sizeof *words, &err));
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const uint32_t i[] = {3u << 16 | kinds[k].op, TYPE, RESULT}, new_type[] = {3u << 16 | kinds[k].op, RESULT, 0},
                       cut[] = {2u << 16 | kinds[k].op, TYPE}, bare[] = {1u << 16 | kinds[k].op};
        if (module_is_before_types(i) != kinds[k].before_types) fail_msg("section of instruction %u", kinds[k].op);
        if (module_result(&m, i) != (kinds[k].result ? RESULT : 0)) fail_msg("result of instruction %u", kinds[k].op);
        if (module_result(&m, new_type) != (kinds[k].result ? RESULT : 0)) fail_msg("type by %u", kinds[k].op);
        assert_int_equal(module_result(&m, cut), 0);
        assert_int_equal(module_result(&m, bare), 0);
    }
    assert_int_equal(module_result(&m, &words[5]), TYPE);
    module_close(&m);
}

// ---- a whole module

static const char whole[] =
    "OpCapability Shader\nOpExtension \"SPV_KHR_non_semantic_info\"\n%glsl = OpExtInstImport \"GLSL.std.450\"\n"
    "%printed = OpExtInstImport \"NonSemantic.DebugPrintf\"\n%debug = OpExtInstImport \"OpenCL.DebugInfo.100\"\n"
    "%one_set = OpExtInstImport \"NonSemantic.X\"\n"
    "OpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %vertex \"first\"\nOpEntryPoint GLCompute %one \"first\"\n"
    "OpEntryPoint GLCompute %two \"second\"\nOpExecutionMode %one LocalSize 1 1 1\n"
    "OpExecutionMode %two LocalSize 1 1 1\nOpName %a \"apple\"\nOpName %number \"pear\"\n"
    "OpDecorate %number SpecId 9\nOpDecorate %a DescriptorSet 2\nOpDecorate %a Binding 5\n"
    "OpDecorate %block BufferBlock\nOpDecorate %array ArrayStride 12\nOpDecorate %size BuiltIn WorkgroupSize\n"
    "OpDecorate %place BuiltIn LocalInvocationId\n"
    "%void = OpTypeVoid\n%proc = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32\n"
    "%uint3 = OpTypeVector %uint 3\n%array = OpTypeRuntimeArray %uint\n%block = OpTypeStruct %array\n"
    "%to = OpTypePointer Uniform %block\n%of = OpTypePointer Uniform %uint\n%in = OpTypePointer Input %uint3\n"
    "%zero = OpConstant %uint 0\n%half = OpConstant %float 0.5\n%number = OpSpecConstant %uint 3\n"
    "%size = OpConstantComposite %uint3 %zero %zero %zero\n%a = OpVariable %to Uniform\n%place = OpVariable %in Input\n"
    "%vertex = OpFunction %void None %proc\n%v0 = OpLabel\nOpReturn\nOpFunctionEnd\n"
    "%one = OpFunction %void None %proc\n%o0 = OpLabel\n%chain = OpAccessChain %of %a %zero %zero\n"
    "%root = OpExtInst %float %glsl Sqrt %half\nOpReturn\nOpFunctionEnd\n"
    "%two = OpFunction %void None %proc\n%t0 = OpLabel\nOpReturn\nOpFunctionEnd\n";

static struct module whole_module(void) {
    struct error err;
    struct module m;
    struct spirv spirv = assemble(&arena, whole);
    if (!module_open(&m, spirv.words, spirv.count, &err)) fail_msg("%s", err.text);
    return m;
}

// Returns result number `which` of an instruction.
static uint32_t result_of(const struct module *m, uint32_t op, int which) {
    for (size_t at = 0; spirv_next(m->words, m->count, &at);)
        if (spirv_op(&m->words[at]) == op && which-- == 0)
            return op == SpvOpTypeStruct || op == SpvOpTypeRuntimeArray ? m->words[at + 1] : m->words[at + 2];
    fail_msg("no instruction %u", op);
    return 0;
}

static void decorations_belong_to_their_ids(void **state) {
    struct module m = whole_module();
    const uint32_t a = result_of(&m, SpvOpVariable, 0), place = result_of(&m, SpvOpVariable, 1),
                   number = result_of(&m, SpvOpSpecConstant, 0), block = result_of(&m, SpvOpTypeStruct, 0),
                   array = result_of(&m, SpvOpTypeRuntimeArray, 0), size = result_of(&m, SpvOpConstantComposite, 0);
    for (uint32_t id = 1; id < m.bound; id++) {
        const struct id *of = &m.ids[id];
        assert_true(of->has_spec == (id == number) && of->spec == (id == number ? 9 : 0));
        assert_true(of->has_binding == (id == a) && of->binding == (id == a ? 5 : 0) && of->set == (id == a ? 2 : 0));
        assert_true(of->buffer_block == (id == block) && of->stride == (id == array ? 12 : 0));
        assert_true(of->workgroup_size == (id == size) && of->sources == 0);
        assert_true((of->name != 0) == (id == a || id == number));
    }
    assert_true(place && !m.ids[place].workgroup_size);
    assert_string_equal(module_text(&m.words[m.ids[a].name], 2), "apple");
    assert_string_equal(module_text(&m.words[m.ids[number].name], 2), "pear");
    module_close(&m);
}

static void definitions_are_found(void **state) {
    struct module m = whole_module();
    const uint32_t number = result_of(&m, SpvOpSpecConstant, 0), chain = result_of(&m, SpvOpAccessChain, 0);
    assert_int_equal(module_defined(&m, number, SpvOpSpecConstant, 4)[3], 3);
    assert_null(module_defined(&m, number, SpvOpSpecConstant, 5));
    assert_null(module_defined(&m, number, SpvOpConstant, 4));
    assert_null(module_defined(&m, m.bound, SpvOpSpecConstant, 1));
    assert_null(module_defined(&m, UINT32_MAX, SpvOpSpecConstant, 1));
    assert_int_equal(module_defined(&m, chain, SpvOpAccessChain, 6)[2], chain);
    assert_int_equal(spirv_op(&m.words[m.declarations]), SpvOpFunction);
    assert_int_equal(m.words[m.declarations + 2], result_of(&m, SpvOpFunction, 0));
    module_close(&m);
}

static void entry_points_are_those_of_compute(void **state) {
    struct module m = whole_module();
    assert_int_equal(module_entry(&m, "first")[2], result_of(&m, SpvOpFunction, 1));
    assert_int_equal(module_entry(&m, "second")[2], result_of(&m, SpvOpFunction, 2));
    assert_null(module_entry(&m, "sec"));
    assert_null(module_entry(&m, ""));
    module_close(&m);
}

static void remarks_are_those_of_debuggers(void **state) {
    static const bool remark[] = {false, true, true, true}; // as imported
    struct module m = whole_module();
    for (int set = 0; set < 4; set++) {
        uint32_t i[] = {5u << 16 | SpvOpExtInst, 1, 2, 0, 1};
        int which = set;
        for (size_t at = 0; spirv_next(m.words, m.declarations, &at);)
            if (spirv_op(&m.words[at]) == SpvOpExtInstImport && which-- == 0) i[3] = m.words[at + 1];
        assert_true(module_is_remark(&m, i) == remark[set]);
        i[0] = 4u << 16 | SpvOpExtInst;
        assert_false(module_is_remark(&m, i));
        i[0] = 5u << 16 | SpvOpAccessChain;
        assert_false(module_is_remark(&m, i));
    }
    module_close(&m);
}

static void strings_end_within_their_instruction(void **state) {
    const uint32_t i[] = {3u << 16 | SpvOpName, 7, 0x64636261, 0x00006665};
    assert_string_equal(module_text(i, 2), ""); // its end belongs to the next instruction
    const uint32_t longer[] = {4u << 16 | SpvOpName, 7, 0x64636261, 0x00006665};
    assert_string_equal(module_text(longer, 2), "abcdef");
    assert_string_equal(module_text(longer, 3), "ef");
    assert_string_equal(module_text(longer, 4), "");
}

static void scopes_follow_the_memory_model(void **state) {
    static const struct {
        const char *text;
        uint32_t scope;
    } models[] = {
        {"OpCapability Shader\nOpMemoryModel Logical GLSL450\n", SpvScopeDevice},
        {"OpCapability Shader\nOpCapability VulkanMemoryModel\nOpMemoryModel Logical Vulkan\n", SpvScopeQueueFamily},
        {"OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpMemoryModel Physical64 OpenCL\n",
            SpvScopeDevice},
    };
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        struct error err;
        struct module m;
        struct spirv spirv = assemble(&arena, models[k].text);
        assert_true(module_open(&m, spirv.words, spirv.count, &err));
        assert_int_equal(m.declarations, spirv.count);
        assert_int_equal(module_widest_scope(&m), models[k].scope);
        module_close(&m);
    }
}

// ---- what is no module

static void other_words_are_refused(void **state) {
    static const struct {
        size_t count;
        uint32_t words[8];
        const char *says; // NULL: it is a module
    } cases[] = {
        {5, {SpvMagicNumber, 0x10500, 0, 1, 0}, NULL},
        {4, {SpvMagicNumber, 0x10500, 0, 1}, "no SPIR-V"},
        {5, {SpvMagicNumber + 1, 0x10500, 0, 1, 0}, "no SPIR-V"},
        {5, {SpvMagicNumber, 0x10500, 0, 0, 0}, "0 ids, expected 1 to 4194303"},
        {5, {SpvMagicNumber, 0x10500, 0, SPIRV_MOST_IDS, 0}, NULL},
        {5, {SpvMagicNumber, 0x10500, 0, SPIRV_MOST_IDS + 1, 0}, "4194304 ids"},
        {7, {SpvMagicNumber, 0x10500, 0, 3, 0, 2u << 16 | SpvOpTypeVoid, 2}, NULL},
        {7, {SpvMagicNumber, 0x10500, 0, 3, 0, 2u << 16 | SpvOpTypeVoid, 3}, "at word 5 names id 3; ids end below 3"},
        {7, {SpvMagicNumber, 0x10500, 0, 3, 0, 3u << 16 | SpvOpTypeVoid, 2}, "at word 5 of 7 does not end"},
        {8, {SpvMagicNumber, 0x10500, 0, 3, 0, 2u << 16 | SpvOpTypeVoid, 2, SpvOpNop}, "at word 7 of 8 does not end"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct error err = {0};
        struct module m;
        const bool ok = module_open(&m, cases[c].words, cases[c].count, &err);
        if (ok != !cases[c].says || (!ok && !strstr(err.text, cases[c].says))) fail_msg("case %zu: %s", c, err.text);
        if (!ok) assert_int_equal(err.status, STATUS_BAD_INPUT);
        module_close(&m);
    }
}

static int release(void **state) {
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_and_results_of_instructions),
        cmocka_unit_test(decorations_belong_to_their_ids),
        cmocka_unit_test(definitions_are_found),
        cmocka_unit_test(entry_points_are_those_of_compute),
        cmocka_unit_test(remarks_are_those_of_debuggers),
        cmocka_unit_test(strings_end_within_their_instruction),
        cmocka_unit_test(scopes_follow_the_memory_model),
        cmocka_unit_test(other_words_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
