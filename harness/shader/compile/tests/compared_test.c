// SPDX-License-Identifier: Apache-2.0
// Numbers at which the code of a shader may change its way.
#include "../../../base/file.h"
#include "../../../base/tests/folder.h"
#include "../../spirv/analyses.h"
#include "../shader.h"
#include "../../../../reference/tests/unit.h"

#include <stdio.h>
#include <string.h>

#define MAIN "void main() { uint i = gl_GlobalInvocationID.x;\n"
#define HEAD                                                                                                           \
    "#version 450\nlayout(local_size_x_id = 0) in;\nlayout(constant_id = 3) const uint TILE = 16;\n"                   \
    "layout(binding = 0) buffer X { float x[]; };\nlayout(push_constant) uniform P { uint n; };\n" MAIN

static const struct {
    const char *body;
    uint32_t numbers[4]; // at a TILE of 24 and 64 invocations; ends with 0
} shaders[] = {
    {"if (i < n) x[i] = 1000.0;", {0}}, {"if (i < 1000) x[i] = 3000.0;", {1000}},
    {"if (n == 4097 || i >= 300) x[i] = 1.0;", {300, 4097}}, {"x[i / 96] = float(i % 80);", {80, 96}},
    {"x[i >> 7] = float(n & 511);", {128, 512}}, {"x[min(i, 777)] = 1.0;", {777}},
    {"for (uint k = 0; k < n; k += TILE) x[k] = 1.0; if (n > 2 * TILE) x[i] = 2.0;", {48}},
    {"for (uint k = 0; k < n / TILE; k++) x[k] = 1.0;", {24}}, {"if (i >= gl_WorkGroupSize.x * 2) x[i] = 1.0;", {128}},
    {"if (i < 3 || i > 70000) x[i] = 1.0;", {0}}, // out of the range asked for
};

static const struct numbers_wanted wanted = {.least = 6, .most = 65536};

static void numbers_of_comparisons_and_divisions_are_found(void **state) {
    for (size_t i = 0; i < sizeof shaders / sizeof *shaders; i++) {
        struct arena arena = {0};
        struct error err;
        struct spirv spirv;
        char text[1000];
        uint32_t numbers[COMPARED_NUMBERS];
        const struct barrier_constant constants[] = {{0, 64}, {3, 24}};
        const struct barrier_setting setting = {
            .entry = "main", .size = {64, 1, 1}, .constants = constants, .constant_count = 2};
        snprintf(text, sizeof text, HEAD "%s }\n", shaders[i].body);
        assert_true(file_write(in_folder("s.comp"), text, strlen(text), &err));
        if (!shader_make(&arena, &(struct shader_request){.path = in_folder("s.comp")}, &spirv, &err))
            fail_msg("%s", err.text);
        const int count = numbers_compared(spirv.words, spirv.count, &setting, &wanted, numbers);
        for (int k = 0; k < 4; k++) {
            const uint32_t found = k < count ? numbers[k] : 0;
            if (found != shaders[i].numbers[k]) fail_msg("number %d is %u: %s", k, found, shaders[i].body);
        }
        assert_int_equal(numbers_compared(spirv.words, 3, &setting, &wanted, numbers), 0);
        arena_free(&arena);
    }
}

static const struct {
    const char *before, *body;
    uint32_t numbers[4]; // declared ones from 300, at a TILE of 24; ends with 0
} declaring[] = {
    {"shared float s[3000];", "s[i] = 1.0; x[i] = s[n];", {3000}},
    {"shared float s[TILE * 100];", "s[i] = 1.0; x[i] = s[n];", {2400}},
    {"layout(constant_id = 4) const uint MOST = 5000;", "x[MOST] = 1.0;", {5000}},
    {"const uint most = 65535 * 8;", "x[n + most] = 4096.0;", {4096, 524280}},
    {"", "if (i >> 12 == n) x[i] = 0.5;", {4096}}, // those of the code, too
};

static void declared_numbers_are_found(void **state) {
    for (size_t i = 0; i < sizeof declaring / sizeof *declaring; i++) {
        struct arena arena = {0};
        struct error err;
        struct spirv spirv;
        char text[1000], *at;
        uint32_t numbers[COMPARED_NUMBERS];
        const struct barrier_constant constants[] = {{0, 64}, {3, 24}};
        const struct barrier_setting setting = {
            .entry = "main", .size = {64, 1, 1}, .constants = constants, .constant_count = 2};
        const struct numbers_wanted all = {.least = 300, .most = 1 << 25, .declared = true};
        const size_t head = sizeof HEAD - sizeof MAIN;
        at = text + snprintf(text, sizeof text, "%.*s%s\n", (int)head, HEAD, declaring[i].before);
        snprintf(at, sizeof text - (size_t)(at - text), MAIN "%s }\n", declaring[i].body);
        assert_true(file_write(in_folder("s.comp"), text, strlen(text), &err));
        if (!shader_make(&arena, &(struct shader_request){.path = in_folder("s.comp")}, &spirv, &err))
            fail_msg("%s", err.text);
        const int count = numbers_compared(spirv.words, spirv.count, &setting, &all, numbers);
        for (int k = 0; k < 4; k++) {
            const uint32_t found = k < count ? numbers[k] : 0;
            if (found != declaring[i].numbers[k]) fail_msg("number %d is %u: %s", k, found, declaring[i].body);
        }
        arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declared_numbers_are_found),
        cmocka_unit_test(numbers_of_comparisons_and_divisions_are_found),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
