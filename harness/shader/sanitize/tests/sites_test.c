// SPDX-License-Identifier: Apache-2.0
// The places that a module with a log tells of: memory, element, size, order. The module stays one of Vulkan.
#include "../sanitize.h"

#include "../../../base/file.h"
#include "../../spirv/spirv_tools.h"
#include "../../spirv/tests/assemble.h"

#include <string.h>

static struct arena arena;

static const char head[] =
    "OpCapability Shader\nOpCapability Float16\nOpCapability StorageBuffer16BitAccess\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %a %b %c %plain %tile %pairs %unit %odds\nOpExecutionMode %main LocalSize 4 "
    "1 1\n"
    "%file = OpString \"kernels/own/a.comp\"\nOpName %tile \"tile\"\nOpName %pairs \"pairs\"\nOpName %c \"counts\"\n"
    "OpMemberName %block 1 \"data\"\n"
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpMemberDecorate %block 1 Offset 16\n"
    "OpDecorate %rows ArrayStride 32\nOpDecorate %row ArrayStride 4\nOpDecorate %a DescriptorSet 0\n"
    "OpDecorate %a Binding 0\nOpDecorate %b DescriptorSet 0\nOpDecorate %b Binding 1\nOpDecorate %c DescriptorSet 1\n"
    "OpDecorate %c Binding 0\nOpDecorate %whole Block\nOpMemberDecorate %whole 0 Offset 8\n"
    "OpMemberDecorate %whole 1 Offset 48\nOpMemberDecorate %whole 1 MatrixStride 16\nOpMemberDecorate %whole 1 "
    "ColMajor\n"
    "OpDecorate %words ArrayStride 4\nOpDecorate %numbers Block\nOpMemberDecorate %numbers 0 Offset 0\n"
    "%void = OpTypeVoid\n%proc = OpTypeFunction %void\n%bool = OpTypeBool\n%yes = OpConstantTrue %bool\n"
    "%uint = OpTypeInt 32 0\n%int = OpTypeInt 32 1\n"
    "%float = OpTypeFloat 32\n%half = OpTypeFloat 16\n%v3 = OpTypeVector %float 3\n%v4 = OpTypeVector %float 4\n"
    "%m2 = OpTypeMatrix %v3 2\n%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n%c2 = OpConstant %uint 2\n"
    "%c3 = OpConstant %uint 3\n%c5 = OpConstant %uint 5\n%c8 = OpConstant %uint 8\n%c64 = OpConstant %uint 64\n"
    "%c72 = OpConstant %uint 72\n%c256 = OpConstant %uint 256\n%c264 = OpConstant %uint 264\n%f1 = OpConstant %float "
    "1\n"
    "%row = OpTypeArray %float %c8\n%rows = OpTypeRuntimeArray %row\n%block = OpTypeStruct %v4 %rows\n"
    "%whole = OpTypeStruct %v4 %m2\n%words = OpTypeRuntimeArray %uint\n%numbers = OpTypeStruct %words\n"
    "%to_block = OpTypePointer StorageBuffer %block\n%to_whole = OpTypePointer StorageBuffer %whole\n"
    "%to_numbers = OpTypePointer StorageBuffer %numbers\n%to_float = OpTypePointer StorageBuffer %float\n"
    "%to_v4 = OpTypePointer StorageBuffer %v4\n%to_v3 = OpTypePointer StorageBuffer %v3\n"
    "%to_m2 = OpTypePointer StorageBuffer %m2\n%to_uint = OpTypePointer StorageBuffer %uint\n"
    "%line = OpTypeArray %float %c5\n%lines = OpTypeArray %line %c3\n%pair = OpTypeStruct %half %v3\n"
    "%pair_list = OpTypeArray %pair %c2\n%sh_lines = OpTypePointer Workgroup %lines\n"
    "%sh_line = OpTypePointer Workgroup %line\n%sh_float = OpTypePointer Workgroup %float\n"
    "%sh_pairs = OpTypePointer Workgroup %pair_list\n%sh_v3 = OpTypePointer Workgroup %v3\n"
    "%sh_half = OpTypePointer Workgroup %half\n%sh_uint = OpTypePointer Workgroup %uint\n"
    "%own_uint = OpTypePointer Private %uint\n%odd = OpTypeStruct %float %half\n"
    "%odd_list = OpTypeArray %odd %c2\n%sh_odds = OpTypePointer Workgroup %odd_list\n%sh_odd = OpTypePointer Workgroup "
    "%odd\n"
    "%a = OpVariable %to_block StorageBuffer\n%b = OpVariable %to_whole StorageBuffer\n"
    "%c = OpVariable %to_numbers StorageBuffer\n%plain = OpVariable %own_uint Private\n"
    "%tile = OpVariable %sh_lines Workgroup\n%pairs = OpVariable %sh_pairs Workgroup\n"
    "%unit = OpVariable %sh_uint Workgroup\n%odds = OpVariable %sh_odds Workgroup\n%main = OpFunction %void None "
    "%proc\n%m0 = OpLabel\n";

// The places of the shared variables: 3 * 5 * 4 bytes, then 2 pairs of 16 bytes, then a word; each from a multiple
// of 16.
enum { TILE = 0, TILE_END = 60, PAIRS = 64, PAIRS_END = 96, UNIT = 96, ODDS = 112, ODDS_END = 126, SHARED = 128 };

#define DIM1(STRIDE, COUNT) .dims = {{STRIDE, COUNT}}, .dim_count = 1
#define DIM2(S0, C0, S1, C1) .dims = {{S0, C0}, {S1, C1}}, .dim_count = 2
// Fields of sites of the two arrays.
#define IN_PAIRS .name = "pairs", .origin = PAIRS, .first = PAIRS, .end = PAIRS_END, DIM1(16, 2)
#define IN_TILE .name = "tile", .first = TILE, .end = TILE_END

static const struct {
    const char *code;
    struct site sites[2]; // behind the first two; a kind of SITE_TIME ends them
} cases[] = {
    {"%p = OpAccessChain %to_float %a %c1 %c2 %c3\nOpStore %p %f1\n",
        {{.kind = SITE_WRITE, .space = 1, .bytes = 4, .name = "data", .origin = 16, DIM2(32, 0, 4, 8)},
            {.kind = SITE_TIME}}},
    {"%p = OpAccessChain %to_v4 %a %c0\n%v = OpLoad %v4 %p\n",
        {{.kind = SITE_READ, .space = 1, .bytes = 16, .name = ""}, {.kind = SITE_TIME}}},
    {"OpLine %file 7 1\n%p = OpAccessChain %to_float %a %c1 %c2 %c3\n%v = OpLoad %float %p\nOpNoLine\nOpStore %p %v\n",
        {{.kind = SITE_READ,
             .space = 1,
             .bytes = 4,
             .name = "data",
             .origin = 16,
             DIM2(32, 0, 4, 8),
             .file = "kernels/own/a.comp",
             .line = 7},
            {.kind = SITE_WRITE, .space = 1, .bytes = 4, .name = "data", .origin = 16, DIM2(32, 0, 4, 8)}}},
    {"%p = OpAccessChain %to_m2 %b %c1\n%v = OpLoad %m2 %p\n",
        {{.kind = SITE_READ, .space = 2, .bytes = 16 + 12, .name = ""}, {.kind = SITE_TIME}}},
    {"%p = OpAccessChain %to_v3 %b %c1 %c1\n%q = OpCopyObject %to_v3 %p\n%v = OpLoad %v3 %q\n",
        {{.kind = SITE_READ, .space = 2, .bytes = 12, .name = ""}, {.kind = SITE_TIME}}},
    {"%p = OpAccessChain %to_uint %c %c0 %c5\n%q = OpAccessChain %to_uint %c %c0 %c0\nOpCopyMemory %p %q\n",
        {{.kind = SITE_READ, .space = 3, .bytes = 4, .name = "counts", DIM1(4, 0)},
            {.kind = SITE_WRITE, .space = 3, .bytes = 4, .name = "counts", DIM1(4, 0)}}},
    {"%p = OpAccessChain %to_v4 %a %c0\n%v = OpLoad %v4 %p Aligned 16\nOpStore %p %v Aligned 16\n",
        {{.kind = SITE_READ, .space = 1, .bytes = 16, .name = ""},
            {.kind = SITE_WRITE, .space = 1, .bytes = 16, .name = ""}}},
    {"%v = OpLoad %whole %b\n",
        {{.kind = SITE_READ, .space = 2, .bytes = 48 + 2 * 16, .name = ""}, {.kind = SITE_TIME}}},
    // atomic operations
    {"%p = OpAccessChain %to_uint %c %c0 %c5\n%v = OpAtomicIAdd %uint %p %c1 %c0 %c1\n",
        {{.kind = SITE_UPDATE, .space = 3, .bytes = 4, .name = "counts", DIM1(4, 0)}, {.kind = SITE_TIME}}},
    {"%p = OpAccessChain %to_uint %c %c0 %c5\nOpAtomicStore %p %c1 %c0 %c1\n",
        {{.kind = SITE_STORE, .space = 3, .bytes = 4, .name = "counts", DIM1(4, 0)}, {.kind = SITE_TIME}}},
    {"%p = OpAccessChain %to_uint %c %c0 %c5\n%v = OpAtomicLoad %uint %p %c1 %c0\n",
        {{.kind = SITE_LOAD, .space = 3, .bytes = 4, .name = "counts", DIM1(4, 0)}, {.kind = SITE_TIME}}},
    {"%v = OpAtomicIAdd %uint %unit %c2 %c264 %c1\n", {{.kind = SITE_UPDATE,
                                                           .bytes = 4,
                                                           .name = "",
                                                           .origin = UNIT,
                                                           .first = UNIT,
                                                           .end = UNIT + 4,
                                                           .orders = {true, false}},
                                                          {.kind = SITE_TIME}}},
    {"%v = OpAtomicIAdd %uint %unit %c2 %c72 %c1\n", {{.kind = SITE_UPDATE,
                                                          .bytes = 4,
                                                          .name = "",
                                                          .origin = UNIT,
                                                          .first = UNIT,
                                                          .end = UNIT + 4,
                                                          .orders = {false, true}},
                                                         {.kind = SITE_TIME}}},
    {"%v = OpAtomicIAdd %uint %unit %c2 %c256 %c1\n", // of the workgroup's memory, but relaxed
        {{.kind = SITE_UPDATE, .bytes = 4, .name = "", .origin = UNIT, .first = UNIT, .end = UNIT + 4},
            {.kind = SITE_TIME}}},
    // shared memory
    {"%p = OpAccessChain %sh_float %tile %c2 %c3\n%v = OpLoad %float %p\n",
        {{.kind = SITE_READ, .bytes = 4, IN_TILE, DIM2(20, 3, 4, 5)}, {.kind = SITE_TIME}}},
    {"%p = OpAccessChain %sh_line %tile %c2\n%v = OpLoad %line %p\n",
        {{.kind = SITE_READ, .bytes = 20, IN_TILE, DIM1(20, 3)}, {.kind = SITE_TIME}}},
    {"%p = OpAccessChain %sh_line %tile %c1\n%q = OpInBoundsAccessChain %sh_float %p %c3\nOpStore %q %f1\n",
        {{.kind = SITE_WRITE, .bytes = 4, IN_TILE, DIM2(20, 3, 4, 5)}, {.kind = SITE_TIME}}},
    {"%p = OpAccessChain %sh_v3 %pairs %c1 %c1\n%v = OpLoad %v3 %p\n",
        {{.kind = SITE_READ, .bytes = 12, IN_PAIRS}, {.kind = SITE_TIME}}},
    {"%p = OpAccessChain %sh_half %pairs %c1 %c0\n%v = OpLoad %half %p\n",
        {{.kind = SITE_READ, .bytes = 2, IN_PAIRS}, {.kind = SITE_TIME}}},
    {"%p = OpAccessChain %sh_odd %odds %c1\n%v = OpLoad %odd %p\n",
        {{.kind = SITE_READ, .bytes = 6, .name = "", .origin = ODDS, .first = ODDS, .end = ODDS_END, DIM1(8, 2)},
            {.kind = SITE_TIME}}},
    // barriers, and memory that no other invocation sees
    {"OpControlBarrier %c2 %c2 %c264\nOpMemoryBarrier %c1 %c72\n",
        {{.kind = SITE_BARRIER, .name = "", .is_workgroup = true, .orders = {true, false}},
            {.kind = SITE_FENCE, .name = "", .is_workgroup = true, .orders = {false, true}}}},
    {"OpControlBarrier %c2 %c2 %c0\n", {{.kind = SITE_BARRIER, .name = "", .is_workgroup = true}, {.kind = SITE_TIME}}},
    {"%v = OpLoad %uint %plain\nOpStore %plain %v\n", {{.kind = SITE_TIME}}},
    {"%t = OpAccessChain %to_uint %c %c0 %c5\n", {{.kind = SITE_TIME}}},
};

static struct sanitized sanitized_spirv(const struct spirv *spirv, int slot_count, struct error *err) {
    static const struct sanitize_slot slots[] = {{0, 0, false}, {0, 1, false}, {1, 0, false}, {0, 2, false}};
    const struct sanitize_request request = {.setting = {.entry = "main", .size = {4, 1, 1}},
        .slots = slots,
        .slot_count = slot_count,
        .log_set = 2,
        .log_binding = 4,
        .longest = 1 << 16};
    struct sanitized out;
    if (!sanitize_module(&arena, spirv, &request, &out, err)) out.site_count = 0;
    return out;
}

static struct sanitized sanitized(const char *code, struct error *err) {
    const struct spirv spirv = assemble(&arena, arena_format(&arena, "%s%sOpReturn\nOpFunctionEnd\n", head, code));
    return sanitized_spirv(&spirv, 3, err);
}

static void check_site(const char *code, const struct site *found, const struct site *expected) {
    if (found->kind != expected->kind || found->space != expected->space || found->bytes != expected->bytes ||
        found->lines || found->unit || found->set != expected->set || found->is_workgroup != expected->is_workgroup)
        fail_msg("kind %d, space %u, %u bytes: %s", found->kind, found->space, found->bytes, code);
    if (found->origin != expected->origin || found->first != expected->first || found->end != expected->end)
        fail_msg("origin %u, from %u to %u: %s", found->origin, found->first, found->end, code);
    assert_int_equal(found->dim_count, expected->dim_count);
    assert_memory_equal(found->dims, expected->dims, sizeof found->dims[0] * (size_t)found->dim_count);
    assert_memory_equal(found->orders, expected->orders, sizeof found->orders);
    assert_string_equal(found->name, expected->name ? expected->name : "");
    assert_string_equal(found->file, expected->file ? expected->file : "");
    assert_int_equal(found->line, expected->line);
}

static void each_access_has_its_site(void **state) {
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct error err = {0};
        const char *why;
        const struct sanitized out = sanitized(cases[c].code, &err);
        uint32_t count = 0;
        while (count < 2 && cases[c].sites[count].kind != SITE_TIME) count++;
        if (out.site_count < 2) fail_msg("%s: %s", err.text, cases[c].code);
        if (!spirv_tools_valid(&arena, out.spirv.words, out.spirv.count, &why)) fail_msg("%s: %s", why, cases[c].code);
        assert_true(out.sites[0].kind == SITE_TIME && out.sites[1].kind == SITE_LOOKED);
        uint32_t found = 0;
        for (uint32_t s = 2; s < out.site_count; s++)
            if (out.sites[s].kind != SITE_UPDATED && found < count)
                check_site(cases[c].code, &out.sites[s], &cases[c].sites[found++]);
            else if (out.sites[s].kind != SITE_UPDATED)
                fail_msg("a site more: %s", cases[c].code);
        assert_int_equal(found, count);
        assert_int_equal(out.shared_bytes, SHARED);
    }
}

// Only fences of storage, and atomic operations that release it, need a clock.
static void fences_of_storage_are_noted(void **state) {
    static const struct {
        const char *code;
        bool fences;
    } rows[] = {
        {"", false},
        {"OpMemoryBarrier %c1 %c72\n", true},
        {"OpControlBarrier %c2 %c2 %c264\n", false},
        {"OpControlBarrier %c2 %c2 %c72\n", true},
        {"%v = OpAtomicIAdd %uint %unit %c2 %c0 %c1\n", false},
        {"%v = OpAtomicIAdd %uint %unit %c2 %c72 %c1\n", true},
        {"%v = OpAtomicLoad %uint %unit %c2 %c0\n", false},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct error err;
        const struct sanitized out = sanitized(rows[r].code, &err);
        if (out.has_fences != rows[r].fences) fail_msg("%s", rows[r].code);
        assert_false(out.uses_addresses);
        assert_true(out.coding.site_bits >= 3 && !out.coding.wide);
        assert_int_equal(out.coding.shift, 1); // there is a type of 16 bits
    }
}

// The assembler here may not know the instructions, so modules of the repository are read.
static void loads_and_stores_of_matrices_are_lines(void **state) {
    char **files;
    size_t count, bytes, stored = 0;
    struct error err = {0};
    assert_true(file_list(&arena, "kernels/matrix/spirv", ".spv", &files, &count, &err));
    for (size_t f = 0; f < count; f++) {
        if (!strstr(files[f], "matmul_coop")) continue;
        uint32_t *words = (uint32_t *)file_read(&arena, files[f], &bytes, &err);
        const struct sanitized out = sanitized_spirv(&(struct spirv){.words = words, .count = bytes / 4}, 4, &err);
        if (!out.site_count && strstr(err.text, "matrix")) fail_msg("%s: %s", files[f], err.text);
        for (uint32_t s = 0; s < out.site_count; s++) stored += out.sites[s].kind == SITE_WRITE && out.sites[s].lines;
    }
    assert_true(stored > 0);
}

// The buffer of %c has no slot.
static void a_buffer_may_be_unbound_unless_it_is_accessed(void **state) {
    static const char read_c[] = "%t = OpAccessChain %to_uint %c %c0 %c5\n%v = OpLoad %uint %t\n";
    struct error err = {0};
    for (int reads = 0; reads < 2; reads++) {
        const struct spirv spirv =
            assemble(&arena, arena_format(&arena, "%s%sOpReturn\nOpFunctionEnd\n", head, reads ? read_c : ""));
        assert_int_equal(sanitized_spirv(&spirv, 2, &err).site_count > 0, !reads);
    }
    assert_non_null(strstr(err.text, "a buffer that nothing is bound to"));
}

static void other_modules_are_skipped(void **state) {
    static const struct {
        const char *code, *says;
    } rows[] = {
        {"OpCopyMemorySized %a %a %c64\n", "a copy of memory by size"},
        {"%v = OpLoad %uint %plain\n%q = OpSelect %sh_uint %yes %unit %unit\n%t = OpLoad %uint %q\n",
            "a pointer chosen at run time"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct error err = {0};
        sanitized(rows[r].code, &err);
        assert_int_equal(err.kind, ERROR_SKIP);
        if (!strstr(err.text, rows[r].says)) fail_msg("%s", err.text);
    }
}

static int release(void **state) {
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_access_has_its_site),
        cmocka_unit_test(fences_of_storage_are_noted),
        cmocka_unit_test(loads_and_stores_of_matrices_are_lines),
        cmocka_unit_test(a_buffer_may_be_unbound_unless_it_is_accessed),
        cmocka_unit_test(other_modules_are_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
