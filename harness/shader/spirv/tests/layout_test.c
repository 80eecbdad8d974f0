// SPDX-License-Identifier: Apache-2.0
// How types lie in memory: the words, names and elements of blocks.
#include "../module.h"

#include "assemble.h"

#include <string.h>

static struct arena arena;

static const char head[] =
    "OpCapability Shader\nOpCapability Matrix\nOpCapability Float64\nOpCapability Int16\nOpCapability Int64\n"
    "OpMemoryModel Logical GLSL450\n";
static const char standard_types[] =
    "%u = OpTypeInt 32 0\n%i = OpTypeInt 32 1\n%f = OpTypeFloat 32\n%u16 = OpTypeInt 16 0\n%d = OpTypeFloat 64\n"
    "%two = OpConstant %u 2\n%three = OpConstant %u 3\n%f2 = OpTypeVector %f 2\n%i3 = OpTypeVector %i 3\n"
    "%u4 = OpTypeVector %u 4\n%m = OpTypeMatrix %f2 3\n";

// Assembles annotations and types. The type wanted is the last definition.
static struct module module_of(const char *annotations, const char *types, uint32_t *last) {
    struct error err;
    struct module m;
    struct spirv spirv = assemble(&arena, arena_format(&arena, "%s%s%s%s\n", head, annotations, standard_types, types));
    if (!module_open(&m, spirv.words, spirv.count, &err)) fail_msg("%s", err.text);
    for (size_t at = 0; spirv_next(m.words, m.count, &at);)
        if (module_result(&m, &m.words[at])) *last = module_result(&m, &m.words[at]);
    return m;
}

static const struct {
    const char *annotations, *types;
    uint32_t bytes;
    const char *words; // without the '.' at the end
} blocks[] = {
    {"", "%t = OpTypeStruct %u", 4, "i"},
    {"", "%t = OpTypeStruct %i3", 12, "iii"},
    {"", "%t = OpTypeStruct %u4", 16, "iiii"},
    {"", "%t = OpTypeStruct %f2", 8, "ff"},
    {"", "%t = OpTypeStruct %m", 24, "ffffff"},
    {"", "%t = OpTypeStruct %d", 8, "??"},
    {"", "%t = OpTypeStruct %u16", 2, "?"},
    {"OpMemberDecorate %t 1 Offset 8\n", "%t = OpTypeStruct %u %f", 12, "i.f"},
    {"OpMemberDecorate %t 1 Offset 6\n", "%t = OpTypeStruct %u %u16", 8, "i?"},
    {"OpMemberDecorate %t 0 Offset 4\nOpMemberDecorate %t 1 Offset 0\n", "%t = OpTypeStruct %u %f", 8, "fi"},
    {"OpMemberDecorate %t 1 Offset 4\nOpMemberDecorate %s 1 Offset 4\n",
        "%s = OpTypeStruct %f %i\n%t = OpTypeStruct %u %s", 12, "ifi"},
    {"OpDecorate %a ArrayStride 4\n", "%a = OpTypeArray %f %three\n%t = OpTypeStruct %a", 12, "fff"},
    {"OpDecorate %a ArrayStride 8\n", "%a = OpTypeArray %f %three\n%t = OpTypeStruct %a", 24, "f.f.f"},
    {"OpDecorate %a ArrayStride 12\nOpMemberDecorate %s 1 Offset 8\n",
        "%s = OpTypeStruct %u %f\n%a = OpTypeArray %s %two\n%t = OpTypeStruct %a", 24, "i.fi.f"},
    {"OpMemberDecorate %t 0 Offset 252\n", "%t = OpTypeStruct %f2", 260,
        "..............................................................."
        "f"},
    {"OpDecorate %a ArrayStride 4\n", "%a = OpTypeRuntimeArray %f\n%t = OpTypeStruct %u %a", 4, "i"},
    {"", "%t = OpTypeBool", 0, ""},
};

static void words_of_blocks(void **state) {
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
        uint32_t type = 0;
        struct shader_block block = {0};
        struct module m = module_of(blocks[b].annotations, blocks[b].types, &type);
        char expected[INTERFACE_WORDS + 1];
        type_block(&m, type, &block);
        memset(expected, '.', INTERFACE_WORDS);
        memcpy(expected, blocks[b].words, strlen(blocks[b].words));
        expected[INTERFACE_WORDS] = '\0';
        assert_string_equal(block.words, expected);
        assert_int_equal(block.bytes, blocks[b].bytes);
        module_close(&m);
    }
}

// Nests a type in `depth` structures, and returns the bytes found in it.
static uint32_t bytes_within(const char *type, int depth) {
    uint32_t last = 0;
    struct shader_block block = {0};
    const char *types = arena_format(&arena, "%%s0 = OpTypeStruct %s\n", type);
    for (int i = 1; i < depth; i++) types = arena_format(&arena, "%s%%s%d = OpTypeStruct %%s%d\n", types, i, i - 1);
    struct module m = module_of("", types, &last);
    type_block(&m, last, &block);
    module_close(&m);
    return block.bytes;
}

// Numbers lie up to 16 levels within a block. A vector's and a matrix's parts are a level of their own.
static void nesting_ends(void **state) {
    assert_int_equal(bytes_within("%u", 16), 4);
    assert_int_equal(bytes_within("%u", 17), 0);
    assert_int_equal(bytes_within("%f2", 15), 8);
    assert_int_equal(bytes_within("%f2", 16), 0);
    assert_int_equal(bytes_within("%m", 14), 24);
    assert_int_equal(bytes_within("%m", 15), 0);
}

// A structure doubled at each level has more parts than are looked at. Reading ends all the same.
static void reading_ends_in_wide_types(void **state) {
    uint32_t last = 0;
    struct shader_block block = {0};
    const char *types = "%s0 = OpTypeStruct %u %u\n", *many = "%t = OpTypeStruct";
    for (int i = 1; i < 15; i++)
        types = arena_format(&arena, "%s%%s%d = OpTypeStruct %%s%d %%s%d\n", types, i, i - 1, i - 1);
    struct module m = module_of("", types, &last);
    type_block(&m, last, &block);
    assert_int_equal(block.bytes, 4);
    module_close(&m);
    for (int i = 0; i < 257; i++) many = arena_format(&arena, "%s %%u", many);
    m = module_of("OpMemberDecorate %t 255 Offset 400\nOpMemberDecorate %t 256 Offset 800\n", many, &last);
    type_block(&m, last, &block);
    assert_int_equal(block.bytes, 404); // 256 members
    module_close(&m);
}

static void words_have_the_names_of_members(void **state) {
    uint32_t type = 0;
    const char *names[INTERFACE_WORDS] = {0};
    struct module m = module_of("OpMemberName %t 0 \"n\"\nOpMemberName %t 1 \"scale\"\nOpMemberName %s 1 \"inner\"\n"
                                "OpMemberDecorate %t 1 Offset 4\nOpMemberDecorate %t 2 Offset 16\n"
                                "OpMemberDecorate %s 1 Offset 4\n",
        "%s = OpTypeStruct %u %i\n%t = OpTypeStruct %u %f2 %s", &type);
    type_names(&m, type, names);
    static const char *const expected[] = {"n", "scale", "scale", NULL, NULL, "inner", NULL};
    for (int i = 0; i < 7; i++) {
        if (!expected[i]) assert_null(names[i]);
        if (expected[i]) assert_string_equal(names[i], expected[i]);
    }
    assert_string_equal(type_member_name(&m, type, 1), "scale");
    assert_null(type_member_name(&m, type, 2));
    module_close(&m);
}

static const struct {
    const char *annotations, *types;
    enum element_kind element;
    uint32_t bits, element_bytes, stride, offset, fixed;
} storages[] = {
    {"OpDecorate %a ArrayStride 4\n", "%a = OpTypeRuntimeArray %f\n%t = OpTypeStruct %a", ELEMENT_FLOAT, 32, 4, 4, 0,
        0},
    {"OpDecorate %a ArrayStride 2\nOpMemberDecorate %t 1 Offset 12\n",
        "%a = OpTypeRuntimeArray %u16\n%t = OpTypeStruct %u %a", ELEMENT_INT, 16, 2, 2, 12, 12},
    {"OpDecorate %a ArrayStride 16\nOpMemberDecorate %t 2 Offset 16\nOpMemberDecorate %t 1 Offset 4\n",
        "%a = OpTypeRuntimeArray %i3\n%t = OpTypeStruct %u %f %a", ELEMENT_INT, 32, 12, 16, 16, 16},
    {"OpDecorate %a ArrayStride 8\n", "%a = OpTypeRuntimeArray %f2\n%t = OpTypeStruct %a", ELEMENT_FLOAT, 32, 8, 8, 0,
        0},
    {"OpDecorate %a ArrayStride 24\n", "%a = OpTypeRuntimeArray %m\n%t = OpTypeStruct %a", ELEMENT_OTHER, 0, 24, 24, 0,
        0},
    {"OpDecorate %a ArrayStride 8\n", "%a = OpTypeRuntimeArray %d\n%t = OpTypeStruct %a", ELEMENT_FLOAT, 64, 8, 8, 0,
        0},
    {"", "%t = OpTypeStruct %u %f", ELEMENT_NONE, 0, 0, 0, 0, 4},
    {"OpDecorate %t ArrayStride 4\n", "%t = OpTypeRuntimeArray %f", ELEMENT_NONE, 0, 0, 0, 0, 0},
};

static void elements_of_storage(void **state) {
    for (size_t s = 0; s < sizeof storages / sizeof *storages; s++) {
        uint32_t type = 0;
        struct shader_binding b = {0};
        struct module m = module_of(storages[s].annotations, storages[s].types, &type);
        type_storage(&m, type, &b);
        assert_int_equal(b.element, storages[s].element);
        assert_int_equal(b.bits, storages[s].bits);
        assert_int_equal(b.element_bytes, storages[s].element_bytes);
        assert_int_equal(b.stride, storages[s].stride);
        assert_int_equal(b.offset, storages[s].offset);
        assert_int_equal(b.block.bytes, storages[s].fixed);
        module_close(&m);
    }
}

// ---- declarations of modules with many variables

static void declarations_have_room_for_themselves(void **state) {
    enum { VARIABLES = 40 };
    struct error err;
    struct shader_declarations all;
    const char *decorations = "",
               *variables = "%block = OpTypeStruct %u\n%to = OpTypePointer StorageBuffer %block\n"
                            "%param = OpTypePointer PushConstant %block\n%p = OpVariable %param PushConstant\n";
    for (int i = 0; i < VARIABLES; i++) {
        decorations = arena_format(
            &arena, "%sOpDecorate %%v%d DescriptorSet 1\nOpDecorate %%v%d Binding %d\n", decorations, i, i, 3 * i);
        variables = arena_format(&arena, "%s%%v%d = OpVariable %%to StorageBuffer\n", variables, i);
    }
    struct spirv spirv = assemble(
        &arena, arena_format(&arena, "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%s%%u = OpTypeInt 32 0\n%s",
                    decorations, variables));
    assert_true(interface_declarations(&arena, spirv.words, spirv.count, &all, &err));
    memset(arena_alloc(&arena, 1, 16), 0xff, 16); // must lie behind them
    assert_int_equal(all.count, VARIABLES + 1);
    int push = 0, next = 0;
    for (int i = 0; i < all.count; i++) {
        push += all.items[i].push;
        if (all.items[i].push) continue;
        assert_true(all.items[i].storage && all.items[i].set == 1);
        assert_int_equal(all.items[i].binding, 3 * next++);
    }
    assert_int_equal(push, 1);
}

static int release(void **state) {
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_blocks),
        cmocka_unit_test(nesting_ends),
        cmocka_unit_test(reading_ends_in_wide_types),
        cmocka_unit_test(words_have_the_names_of_members),
        cmocka_unit_test(elements_of_storage),
        cmocka_unit_test(declarations_have_room_for_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
