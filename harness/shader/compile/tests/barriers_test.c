// SPDX-License-Identifier: Apache-2.0
// Shaders with barriers that not all invocations of a group reach: suspected and proved.
#include "../../spirv/analyses.h"
#include "../../spirv/interface.h"

#include "../../../base/file.h"
#include "../../../base/tests/folder.h"
#include "../shader.h"
#include "../../../../reference/tests/unit.h"

#include <stdio.h>
#include <string.h>

#define HEAD                                                                                                           \
    "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) buffer X { float x[]; };\n"                      \
    "layout(push_constant) uniform P { uint n; };\nshared float t[64];\nvoid wait() { barrier(); }\n"                  \
    "void main() { uint l = gl_LocalInvocationID.x, i = gl_GlobalInvocationID.x, g = gl_WorkGroupID.x;\n"

static const struct {
    const char *body;
    bool parts;
} shaders[] = {
    {"if (i >= n) return; t[l] = x[i]; barrier(); x[i] = t[0];", true},
    {"if (i >= n) return; wait(); x[i] = t[0];", true},
    {"if (g >= n) return; t[l] = x[i]; barrier(); x[i] = t[0];", false},
    {"if (i < n) t[l] = x[i]; barrier(); if (i < n) x[i] = t[0];", false},
    {"if (i < n) { t[l] = x[i]; barrier(); x[i] = t[0]; }", true},
    {"if (n > 7) { t[l] = x[i]; barrier(); x[i] = t[0]; }", false},
    {"for (uint s = 32; s > 0; s /= 2) { if (l < s) t[l] += t[l + s]; barrier(); } x[i] = t[0];", false},
    {"for (uint s = l; s < n; s += 64) { t[l] += x[s]; barrier(); } x[i] = t[0];", true},
    {"for (uint s = l; s < n; s += 64) t[l] += x[s]; barrier(); x[i] = t[0];", false},
    {"bool go = true; if (i >= n) go = false; if (go) { barrier(); x[i] = t[0]; }", true},
    {"for (uint s = 0; s < n; s++) { if (x[i] > 1.0) break; barrier(); } x[i] = t[0];", true},
    {"for (uint s = 0; s < n; s++) { if (s == 9) break; barrier(); } x[i] = t[0];", false},
    {"uint a[2]; a[1] = l; if (a[1] > 3) return; barrier(); x[i] = t[0];", true},
    {"t[l] = x[i]; barrier(); if (l == 0) return; x[i] = t[0];", false},
    {"if (i < n) x[i] = 1.0;", false},
};

static void barriers_that_some_may_not_reach(void **state) {
    for (size_t i = 0; i < sizeof shaders / sizeof *shaders; i++) {
        struct arena arena = {0};
        struct error err;
        struct spirv spirv;
        struct shader_interface shader;
        char text[2000];
        snprintf(text, sizeof text, HEAD "%s }\n", shaders[i].body);
        assert_true(file_write(in_folder("s.comp"), text, strlen(text), &err));
        if (!shader_make(&arena, &(struct shader_request){.path = in_folder("s.comp")}, &spirv, &err) ||
            !interface_read(&arena, spirv.words, spirv.count, "main", &shader, &err))
            fail_msg("%s", err.text);
        if (shader.parts != shaders[i].parts) fail_msg("said %d: %s", shader.parts, shaders[i].body);
        arena_free(&arena);
    }
}

// `reach` of 64 invocations provably reach a barrier; 0: nothing is proved.
static const struct {
    const char *body;
    uint32_t reach;
} skipped[] = {
    {"t[l] = x[i]; if (l != 0) barrier(); x[i] = t[0];", 63},
    {"if (l >= 48) return; t[l] = x[i]; barrier(); x[i] = t[0];", 48},
    {"if (l < 16 || l == 20) { t[l] = x[i]; barrier(); x[i] = t[0]; }", 17},
    {"for (uint s = 32; s > 0; s /= 2) if (l < s) { t[l] += t[l + s]; barrier(); } x[i] = t[0];", 32},
    {"for (uint s = 0; s < n; s++) { if (l % 2 == 1) break; barrier(); } x[i] = t[0];", 32},
    {"for (uint s = 0; s < n; s++) { if (l == 7) continue; barrier(); } x[i] = t[0];", 63},
    {"if (n > 7) { if (l > 3) { t[l] = x[i]; barrier(); x[i] = t[0]; } }", 60},
    {"if (l / 32 == 0) x[i] = 1.0; else { barrier(); x[i] = t[0]; }", 32},
    // all of them reach it, or none, or it is unknown
    {"if (l < 64) { t[l] = x[i]; barrier(); x[i] = t[0]; }", 0},
    {"if (l > 99) return; barrier(); x[i] = t[0];", 0},
    {"if (i < n) { t[l] = x[i]; barrier(); x[i] = t[0]; }", 0},
    {"if (l < n) { t[l] = x[i]; barrier(); x[i] = t[0]; }", 0},
    {"if (g == 0 || l >= 64) { t[l] = x[i]; barrier(); x[i] = t[0]; }", 0},
    {"for (uint s = 32; s > 0; s /= 2) { if (l < s) t[l] += t[l + s]; barrier(); } x[i] = t[0];", 0},
    {"for (uint s = l; s < 640; s += 64) { t[l] += x[s]; barrier(); } x[i] = t[0];", 0},
    {"if (l < 4) t[l] = x[i]; barrier(); if (l == 0) return; x[i] = t[0];", 0},
    {"if (gl_LocalInvocationID.y == 0) barrier(); x[i] = t[0];", 0},
    {"if (x[l] > 1.0) barrier(); x[i] = t[0];", 0},
    {"switch (l) { case 0: break; default: barrier(); } x[i] = t[0];", 0},
};

static void barriers_that_some_skip_are_shown(void **state) {
    for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++) {
        struct arena arena = {0};
        struct error err;
        struct spirv spirv;
        char text[2000];
        const struct barrier_setting setting = {.entry = "main", .size = {64, 1, 1}};
        snprintf(text, sizeof text, HEAD "%s }\n", skipped[i].body);
        assert_true(file_write(in_folder("s.comp"), text, strlen(text), &err));
        if (!shader_make(&arena, &(struct shader_request){.path = in_folder("s.comp")}, &spirv, &err))
            fail_msg("%s", err.text);
        const struct barrier_share share = barriers_skipped(spirv.words, spirv.count, &setting);
        if (share.reach != skipped[i].reach || share.of != (skipped[i].reach ? 64 : 0))
            fail_msg("said %u of %u: %s", share.reach, share.of, skipped[i].body);
        arena_free(&arena);
    }
}

// The size and another specialized constant are given from outside.
static void barriers_are_judged_at_the_size_that_is_run(void **state) {
    struct arena arena = {0};
    struct error err;
    struct spirv spirv;
    const char *text = "#version 450\nlayout(local_size_x_id = 0) in;\nlayout(constant_id = 5) const uint HALF = 32;\n"
                       "layout(binding = 0) buffer X { float x[]; };\nshared float t[64];\nvoid main() {\n"
                       "uint l = gl_LocalInvocationIndex; t[l % 64] = x[l]; if (l < HALF) barrier(); x[l] = t[0]; }\n";
    assert_true(file_write(in_folder("s.comp"), text, strlen(text), &err));
    assert_true(shader_make(&arena, &(struct shader_request){.path = in_folder("s.comp")}, &spirv, &err));
    const struct barrier_constant half = {5, 16};
    struct barrier_setting setting = {.entry = "main", .size = {64, 1, 1}};
    assert_int_equal(barriers_skipped(spirv.words, spirv.count, &setting).reach, 32);
    setting.size[0] = 32;
    assert_int_equal(barriers_skipped(spirv.words, spirv.count, &setting).of, 0);
    setting.constants = &half;
    setting.constant_count = 1;
    assert_int_equal(barriers_skipped(spirv.words, spirv.count, &setting).reach, 16);
    arena_free(&arena);
}

// A tree over a group with a specialized size. Invocations left in the tree go on, and the others skip the barrier.
static void barriers_are_judged_by_a_size_that_the_code_asks_for(void **state) {
    struct arena arena = {0};
    struct error err;
    struct spirv spirv;
    const char *text =
        "#version 450\nlayout(local_size_x_id = 0, local_size_y_id = 1) in;\n#define ALL (gl_WorkGroupSize.x * "
        "gl_WorkGroupSize.y)\nlayout(binding = 0) buffer X { float x[]; };\nshared float t[ALL];\nvoid main() {\n"
        "const uint l = gl_LocalInvocationIndex; t[l] = x[l]; for (uint count = ALL; count > 1; count = (count + 3) / "
        "4) {\n const uint kept = (count + 3) / 4; if (l >= kept) continue; barrier(); t[l] += t[l + kept];\n}\n"
        "x[l] = t[0]; }\n";
    assert_true(file_write(in_folder("s.comp"), text, strlen(text), &err));
    assert_true(shader_make(&arena, &(struct shader_request){.path = in_folder("s.comp")}, &spirv, &err));
    const struct barrier_setting setting = {.entry = "main", .size = {64, 2, 1}};
    const struct barrier_share share = barriers_skipped(spirv.words, spirv.count, &setting);
    assert_int_equal(share.reach, 32);
    assert_int_equal(share.of, 128);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_that_some_may_not_reach),
        cmocka_unit_test(barriers_that_some_skip_are_shown),
        cmocka_unit_test(barriers_are_judged_at_the_size_that_is_run),
        cmocka_unit_test(barriers_are_judged_by_a_size_that_the_code_asks_for),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
