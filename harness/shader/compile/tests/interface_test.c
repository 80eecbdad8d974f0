// SPDX-License-Identifier: Apache-2.0
// Checks the interface read from a compute shader. Damaged or hostile words cause nothing but an error.
#include "../../spirv/interface.h"

#include "../../../base/file.h"
#include "../../../base/tests/folder.h"
#include "../shader.h"
#include "../../spirv/spirv.h"
#include "../../../../reference/tests/unit.h"

#include <string.h>

static const char source[] =
    "#version 450\n"
    "#extension GL_EXT_shader_16bit_storage : require\n"
    "layout(local_size_x_id = 0, local_size_y = 4, local_size_z_id = 2) in;\n"
    "layout(constant_id = 7) const uint TILE = 8;\n"
    "struct Block { float scale; uint quants[8]; };\n"
    "layout(set = 2, binding = 9) readonly buffer A { uint head[3]; float16_t a[]; };\n"
    "layout(binding = 1) buffer B { vec4 b[]; };\n"
    "layout(binding = 2) readonly buffer C { Block c[]; };\n"
    "layout(binding = 3) buffer D { int counts[]; };\n"
    "layout(binding = 4) readonly buffer E { float e; };\n"
    "layout(binding = 5, std140) uniform U { uvec2 u; float v; float w[2]; };\n"
    "layout(push_constant) uniform P { uint n; float f; layout(offset = 16) mat2 m; };\n"
    "void main() {\n"
    "    uint i = gl_GlobalInvocationID.x;\n"
    "    if (i >= n + u.x || i >= b.length()) return;\n"
    "    b[i] = vec4(float(a[i]) + c[i].scale + e + f + m[1][0] + v + w[1], float(c[i].quants[TILE & 7]), 0, 0);\n"
    "    atomicAdd(counts[i & 3], 1);\n"
    "}\n";

static struct arena arena;
static struct spirv spirv;

static int compile_source(void **state) {
    struct error err;
    if (folder_make(state) != 0 || !file_write(in_folder("s.comp"), source, strlen(source), &err)) return -1;
    return shader_make(&arena, &(struct shader_request){.path = in_folder("s.comp")}, &spirv, &err) ? 0 : -1;
}

static int release(void **state) {
    arena_free(&arena);
    return folder_remove(state);
}

static const struct shader_binding *binding(const struct shader_interface *shader, uint32_t set, uint32_t number) {
    for (int i = 0; i < shader->binding_count; i++)
        if (shader->bindings[i].set == set && shader->bindings[i].binding == number) return &shader->bindings[i];
    fail_msg("no binding %u of set %u", number, set);
    return NULL;
}

static bool has_constant(const struct shader_interface *shader, uint32_t id) {
    for (int i = 0; i < shader->constant_count; i++)
        if (shader->constants[i].id == id) return true;
    return false;
}

static void everything_is_read(void **state) {
    struct error err;
    struct shader_interface shader;
    if (!interface_read(&arena, spirv.words, spirv.count, "main", &shader, &err)) fail_msg("%s", err.text);
    assert_int_equal(shader.size_id[0], 0);
    assert_int_equal(shader.size_id[1], -1);
    assert_int_equal(shader.size[1], 4);
    assert_int_equal(shader.size_id[2], 2);
    assert_true(has_constant(&shader, 7) && has_constant(&shader, 2) && !has_constant(&shader, 1));
    assert_int_equal(shader.binding_count, 6);

    const struct shader_binding *a = binding(&shader, 2, 9), *b = binding(&shader, 0, 1), *c = binding(&shader, 0, 2);
    assert_true(a->kind == SLOT_STORAGE && a->read && !a->written && a->element == ELEMENT_FLOAT && a->bits == 16);
    assert_true(a->stride == 2 && a->element_bytes == 2 && a->offset == 12);
    assert_true(!b->read && b->written && b->measured && b->bits == 32 && b->stride == 16 && b->element_bytes == 16);
    assert_true(c->element == ELEMENT_OTHER && c->stride == 36 && c->element_bytes == 36);

    const struct shader_binding *d = binding(&shader, 0, 3), *e = binding(&shader, 0, 4), *u = binding(&shader, 0, 5);
    assert_true(d->read && d->written && d->element == ELEMENT_INT);
    assert_true(e->element == ELEMENT_NONE && e->block.bytes == 4 && e->block.words[0] == 'f');
    assert_true(u->kind == SLOT_UNIFORM && u->block.bytes == 48);
    assert_memory_equal(u->block.words, "iif.f...f...", 12); // std140 spaces an array's elements by 16 bytes
    assert_int_equal(shader.push.bytes, 32);
    assert_memory_equal(shader.push.words, "if..ffff....", 12);
}

static void an_entry_point_is_asked_for_by_name(void **state) {
    struct error err;
    struct shader_interface shader;
    assert_false(interface_read(&arena, spirv.words, spirv.count, "mian", &shader, &err));
    assert_non_null(strstr(err.text, "no compute entry point \"mian\"; it has main"));
}

// Reads every prefix, and every word replaced by other meaningful ones. Reading must end, and stay within the words.
// The copy has exactly the module's length, so that sanitizers see any step beyond it.
static void hostile_words_are_survived(void **state) {
    struct error err;
    static const uint32_t evil[] = {0, 1, 0xffffffff, 0x0001ffff, 0xffff0000, 0x00040047, 4194302, 0x80000000};
    struct shader_interface shader;
    for (size_t count = 0; count < spirv.count; count++) {
        struct arena scratch = {0};
        uint32_t *copy = malloc(count * sizeof *copy + !count);
        memcpy(copy, spirv.words, count * sizeof *copy);
        interface_read(&scratch, copy, count, "main", &shader, &err);
        free(copy);
        arena_free(&scratch);
    }
    uint32_t *copy = malloc(spirv.count * sizeof *copy);
    memcpy(copy, spirv.words, spirv.count * sizeof *copy);
    for (size_t word = 0; word < spirv.count; word++)
        for (size_t e = 0; e < sizeof evil / sizeof *evil; e++) {
            struct arena scratch = {0};
            copy[word] = word == SPIRV_BOUND && evil[e] > 1000 ? evil[e] & 0xffff : evil[e];
            interface_read(&scratch, copy, spirv.count, "main", &shader, &err);
            copy[word] = spirv.words[word];
            arena_free(&scratch);
        }
    free(copy);
}

static void damage_is_named(void **state) {
    struct error err;
    struct shader_interface shader;
    uint32_t words[] = {SpvMagicNumber, 0x10300, 0, 9, 0, 9u << 16 | SpvOpCapability, 1};
    assert_false(interface_read(&arena, words, 7, "main", &shader, &err));
    assert_non_null(strstr(err.text, "damaged: the instruction at word 5 of 7"));
    assert_false(interface_read(&arena, words, 5, "main", &shader, &err));
    assert_non_null(strstr(err.text, "no compute entry point"));
    words[SPIRV_BOUND] = 0xffffffff;
    assert_false(interface_read(&arena, words, 5, "main", &shader, &err));
    assert_non_null(strstr(err.text, "4294967295 ids"));
    words[0]++;
    assert_false(interface_read(&arena, words, 5, "main", &shader, &err));
    assert_non_null(strstr(err.text, "this is no SPIR-V"));
}

// Ten structures, each with 200 members of the next one, in a cycle.
static void types_without_end_are_given_up_on(void **state) {
    struct error err;
    struct shader_interface shader;
    enum { DEPTH = 10, WIDE = 200, FIRST = 10 };
    static uint32_t words[DEPTH * (WIDE + 2) + 64];
    uint32_t *w = words;
    const uint32_t head[] = {SpvMagicNumber, 0x10300, 0, 64, 0, 5u << 16 | SpvOpEntryPoint, SpvExecutionModelGLCompute,
        1, 0x6e69616d, 0, 6u << 16 | SpvOpExecutionMode, 1, SpvExecutionModeLocalSize, 1, 1, 1};
    memcpy(w, head, sizeof head);
    w += sizeof head / sizeof *head;
    for (uint32_t depth = 0; depth < DEPTH; depth++) {
        *w++ = (WIDE + 2) << 16 | SpvOpTypeStruct;
        *w++ = FIRST + depth;
        for (int i = 0; i < WIDE; i++) *w++ = FIRST + (depth + 1) % DEPTH;
    }
    const uint32_t tail[] = {4u << 16 | SpvOpTypePointer, 2, SpvStorageClassPushConstant, FIRST,
        4u << 16 | SpvOpVariable, 2, 3, SpvStorageClassPushConstant};
    memcpy(w, tail, sizeof tail);
    w += sizeof tail / sizeof *tail;
    assert_true(interface_read(&arena, words, (size_t)(w - words), "main", &shader, &err));
    assert_int_equal(shader.push.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_read),
        cmocka_unit_test(an_entry_point_is_asked_for_by_name),
        cmocka_unit_test(hostile_words_are_survived),
        cmocka_unit_test(damage_is_named),
        cmocka_unit_test(types_without_end_are_given_up_on),
    };
    return cmocka_run_group_tests(tests, compile_source, release);
}
