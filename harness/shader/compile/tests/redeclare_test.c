// SPDX-License-Identifier: Apache-2.0
// Declarations of constants with replaced values.
#include "../compile.h"
#include "../redeclare.h"
#include "../../../../reference/tests/unit.h"

#include <string.h>

static const struct define defines[] = {
    {.name = "TILE", .value = "32"}, {.name = "EPS", .value = "0.5"}, {.name = "OTHER", .value = "9", .id = 7}};
enum { COUNT = sizeof defines / sizeof *defines };

static const struct row {
    enum language language;
    const char *text, *becomes;
    int found; // of the three, as bits
} rows[] = {
    {LANGUAGE_WGSL, "override TILE: u32 = 16u;", "const TILE: u32 = 32u;", 1},
    {LANGUAGE_WGSL, "override TILE : i32=16 ;", "const TILE: i32 = 32;", 1},
    {LANGUAGE_WGSL, "override TILE: f32;", "const TILE: f32 = 32.0;", 1},
    {LANGUAGE_WGSL, "override TILE: f16 = 2h;", "const TILE: f16 = 32h;", 1},
    {LANGUAGE_WGSL, "override TILE: bool = false;", "const TILE: bool = true;", 1},
    {LANGUAGE_WGSL, "override TILE = 16u;", "const TILE = 32u;", 1},
    {LANGUAGE_WGSL, "override TILE = 1.0;", "const TILE = 32.0;", 1},
    {LANGUAGE_WGSL, "override TILE = 1;", "const TILE = 32;", 1},
    {LANGUAGE_WGSL, "@id(3) override TILE: u32;", " const TILE: u32 = 32u;", 1},
    {LANGUAGE_WGSL, "@id(7) override x: u32 = 1;", " const x: u32 = 9u;", 4},
    {LANGUAGE_WGSL, "@ id ( 8 ) override x: u32 = a + b(1, 2);", " const x: u32 = a + b(1, 2);", 0},
    {LANGUAGE_WGSL, "override EPS: f32 = 1e-5; const TILE = 4u;", "const EPS: f32 = 0.5; const TILE = 32u;", 3},
    {LANGUAGE_WGSL, "const KEPT = 4u; /* override TILE = 1; /* */ */ let y = TILE; // const TILE = 2;",
        "const KEPT = 4u; /* override TILE = 1; /* */ */ let y = TILE; // const TILE = 2;", 0},
    {LANGUAGE_WGSL, "override TILES: u32 = TILE; @group(0) @binding(1) var<uniform> TILE: u32;",
        "const TILES: u32 = TILE; @group(0) @binding(1) var<uniform> TILE: u32;", 0},
    {LANGUAGE_GLSL, "const uint TILE = 16;", "const uint TILE = 32u;", 1},
    {LANGUAGE_GLSL, "const highp int TILE=16,OTHER = (1, 2);", "const highp int TILE=32,OTHER = 9;", 5},
    {LANGUAGE_GLSL, "const float EPS = 1e-5, TILE = 2;", "const float EPS = 0.5, TILE = 32.0;", 3},
    {LANGUAGE_GLSL, "layout(constant_id = 3) const uint TILE = 16;", "layout(constant_id = 3) const uint TILE = 32u;",
        1},
    {LANGUAGE_HLSL, "static const uint TILE = 16;\n[[vk::constant_id(3)]] const int OTHER = 1;",
        "static const uint TILE = 32u;\n[[vk::constant_id(3)]] const int OTHER = 9;", 5},
    {LANGUAGE_GLSL, "#define TILE 16 // wide\n# define EPS (1 \\\n + 2)\nint x = TILE;",
        "#define TILE 32\n# define EPS 0.5\nint x = TILE;", 3},
    {LANGUAGE_GLSL, "#define TILE 16 \\\\\n + 1\nint x;", "#define TILE 32\n + 1\nint x;", 1},
    {LANGUAGE_GLSL, "#define TILE 1\\\n2\\\n\nint x;", "#define TILE 32\nint x;", 1},
    {LANGUAGE_GLSL, "#define TILE 1\\", "#define TILE 32", 1},
    {LANGUAGE_GLSL, "#define TILE 1\\\n", "#define TILE 32", 1},
    {LANGUAGE_GLSL, "#define TILE(x) x\n#define OTHER\n#if TILE == 3\n#endif",
        "#define TILE(x) x\n#define OTHER\n#if TILE == 3\n#endif", 0},
    {LANGUAGE_GLSL, "void f(const uint TILE) { const uint x[2] = uint[](1, 2); }",
        "void f(const uint TILE) { const uint x[2] = uint[](1, 2); }", 0},
    {LANGUAGE_WGSL, "override", "override", 0},
    {LANGUAGE_WGSL, "override TILE", "override TILE", 0},
    {LANGUAGE_WGSL, "@id(", "@id(", 0},
    {LANGUAGE_GLSL, "const uint TILE = ", "const uint TILE = 32u", 1},
    {LANGUAGE_GLSL, "const uint TILE = 1, ", "const uint TILE = 32u, ", 1},
    {LANGUAGE_GLSL, "const", "const", 0},
    {LANGUAGE_GLSL, "#define", "#define", 0},
    {LANGUAGE_GLSL, "/* const", "/* const", 0},
};

static void each_declaration_has_its_new_value(void **state) {
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool found[COUNT];
        const char *unset;
        int bits = 0;
        const char *text = redeclare(&arena, rows[i].language, rows[i].text, defines, COUNT, found, &unset);
        for (int d = 0; d < COUNT; d++) bits |= found[d] << d;
        if (strcmp(text, rows[i].becomes) != 0 || bits != rows[i].found)
            fail_msg("%s\n    expected: %s (%d)\n    found:    %s (%d)", rows[i].text, rows[i].becomes, rows[i].found,
                text, bits);
    }
    arena_free(&arena);
}

static void an_override_without_a_value_is_named(void **state) {
    struct arena arena = {0};
    bool found[COUNT];
    const char *unset;
    redeclare(&arena, LANGUAGE_WGSL, "override TILE: u32;", defines, COUNT, found, &unset);
    assert_null(unset);
    redeclare(
        &arena, LANGUAGE_WGSL, "override TILE: u32; override a = 2; override b : f32 ;", defines, COUNT, found, &unset);
    assert_string_equal(unset, "b");
    arena_free(&arena);
}

static void what_could_be_chosen_is_listed(void **state) {
    struct arena arena = {0};
    assert_string_equal(
        redeclare_names(&arena, LANGUAGE_WGSL, "override A: u32; const B = 1; fn f() { let c = 2; }"), "A, B");
    assert_string_equal(
        redeclare_names(&arena, LANGUAGE_GLSL, "#define A 1\nconst uint B = 1, C = 2;\nuniform uint d;"), "A, B, C");
    assert_string_equal(redeclare_names(&arena, LANGUAGE_GLSL, "void main() {}"), "");
    arena_free(&arena);
}

// A bit for each constant that the text declares. If one is not there, the constants of the text are listed.
static void declared_constants_are_marked(void **state) {
    static const struct define all[] = {{.name = "A", .value = "1", .declared = true},
        {.name = "B", .value = "2", .declared = true}, {.name = "C", .value = "3", .declared = true},
        {.name = "D", .value = "4"}};
    static const struct {
        const char *text, *becomes;
        uint32_t marked;
        const char *constants;
    } cases[] = {
        {"const int A = 9, B = 9, C = 9, D = 9;", "const int A = 1, B = 2, C = 3, D = 9;", 7, NULL},
        {"const int B = 9, E = 9;", "const int B = 2, E = 9;", 2, "B, E"},
        {"const int C = 9, A = 9;", "const int C = 3, A = 1;", 5, "C, A"},
        {"void main() {}", "void main() {}", 0, ""},
    };
    struct arena arena = {0};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct shader_request request = {.path = "a.comp", .defines = all, .define_count = 4};
        struct spirv out = {0};
        char *text = shader_redeclare(&arena, &request, arena_copy(&arena, cases[c].text), &out);
        assert_string_equal(text, cases[c].becomes);
        assert_int_equal(out.redeclared, cases[c].marked);
        assert_true(!out.constants == !cases[c].constants);
        if (out.constants) assert_string_equal(out.constants, cases[c].constants);
    }
    arena_free(&arena);
}

// Constants of included files are only in the preprocessed text. Marks of the source's own stay.
static void included_constants_are_marked_too(void **state) {
    static const struct define all[] = {
        {.name = "A", .value = "1", .declared = true}, {.name = "B", .value = "2", .declared = true}};
    const struct shader_request request = {.path = "a.comp", .defines = all, .define_count = 2};
    struct arena arena = {0};
    struct spirv out = {.redeclared = 1, .constants = "A"};
    const char *text = shader_redeclare_included(&arena, &request, arena_copy(&arena, "const int B = 7;"), &out);
    assert_string_equal(text, "const int B = 2;");
    assert_int_equal(out.redeclared, 3);
    out = (struct spirv){.redeclared = 3};
    text = shader_redeclare_included(&arena, &request, arena_copy(&arena, "const int B = 7;"), &out);
    assert_string_equal(text, "const int B = 7;"); // all were found before
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_declaration_has_its_new_value),
        cmocka_unit_test(an_override_without_a_value_is_named),
        cmocka_unit_test(declared_constants_are_marked),
        cmocka_unit_test(included_constants_are_marked_too),
        cmocka_unit_test(what_could_be_chosen_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
