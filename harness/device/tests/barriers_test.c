// SPDX-License-Identifier: Apache-2.0
// Which shaders are said to have barriers that not all invocations of a group reach.
#include "../interface.h"

#include "../../base/file.h"
#include "../../base/tests/folder.h"
#include "../shader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

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
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_that_some_may_not_reach),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
