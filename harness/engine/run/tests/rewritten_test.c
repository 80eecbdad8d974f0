// SPDX-License-Identifier: Apache-2.0
// Kernels rewritten by small programs, on the best device. Some programs change a constant of the module. Run from the
// top of the repository.
#include "own_kernels.h"
#include "../../../record/terms.h"
#include "../../../record/record.h"

#include <sys/stat.h>

#define MAIN(EXPRESSION)                                                                                               \
    "#version 450\n"                                                                                                   \
    "layout(local_size_x = 64) in;\n"                                                                                  \
    "layout(push_constant) uniform P { uint n; };\n"                                                                   \
    "layout(binding = 0) readonly buffer X { float x[]; };\n"                                                          \
    "layout(binding = 1) writeonly buffer Y { float y[]; };\n"                                                         \
    "void main() { uint i = gl_GlobalInvocationID.x; if (i < n) y[i] = " EXPRESSION "; }\n"

static const struct own_shader shaders[] = {{"relu.comp", MAIN("!(x[i] <= -3.25) ? max(x[i], 0.0) : 0.0")},
    {"exp.comp", MAIN("exp2(x[i] * 1.44269504)")},
    {"nan.comp", MAIN("isnan(x[i]) ? uintBitsToFloat(0x7fc12345u) : max(x[i], 0.0)")}};

#define K(SHADER)                                                                                                      \
    "\"shader\": \"" SHADER ".comp\", \"local_size\": [64], \"push\": [\"n\"], \"grid\": [{\"over\": \"n\", \"by\": "  \
    "\"WG_X\"}], \"bindings\": [\"x\", \"y\"]"
#define VARIES ", \"nondeterministic\": \"a test\""
#define P "f32/n=1000/wg=64x1x1"

// -3.25 becomes 3.25; 1.44269504 becomes the next float, and a NaN another NaN.
#define OTHER_SIGN "LC_ALL=C sed 's/\\x00\\x00\\x50\\xc0/\\x00\\x00\\x50\\x40/' \"$1\" >\"$2\""
#define NEXT_FLOAT "LC_ALL=C sed 's/\\x3b\\xaa\\xb8\\x3f/\\x3c\\xaa\\xb8\\x3f/' \"$1\" >\"$2\""
#define OTHER_NAN "LC_ALL=C sed 's/\\x45\\x23\\xc1\\x7f/\\x46\\x23\\xc1\\x7f/' \"$1\" >\"$2\"; ! cmp -s \"$1\" \"$2\""

static const struct rewriting {
    const char *code; // of the program, in the shell
    struct own_kernel kernel;
    enum record_status status;
} rewritings[] = {
    {"cp \"$1\" \"$2\"", {"relu", K("relu"), P, NULL}, RECORD_PASS},
    {"cp \"$1\" \"$2\"", {"relu", K("relu") VARIES, P, NULL}, RECORD_PASS},
    {OTHER_SIGN, {"relu", K("relu"), P, " elements of y have other bits; first at index "}, RECORD_FAIL},
    {OTHER_SIGN, {"relu", K("relu"), P, " checked elements of y are wrong; worst at index "}, RECORD_FAIL},
    {OTHER_SIGN, {"relu", K("relu") VARIES, P, " checked elements of y are wrong; worst at index "}, RECORD_FAIL},
    {NEXT_FLOAT, {"exp", K("exp"), P, "; each checked output is within its bound"}, RECORD_FAIL},
    {NEXT_FLOAT, {"exp", K("exp") VARIES, P, NULL}, RECORD_PASS},
    {OTHER_NAN, {"relu", K("nan"), P, NULL}, RECORD_PASS},
    {"echo garbage >\"$2\"", {"relu", K("relu"), P, "left no SPIR-V"}, RECORD_ERROR},
    {"head -c 400 \"$1\" >\"$2\"", {"relu", K("relu"), P, "left a module that is not valid: "}, RECORD_ERROR},
    {"true", {"relu", K("relu"), P, "left no SPIR-V"}, RECORD_ERROR},
    {"echo no such pass >&2; exit 1", {"relu", K("relu"), P, ": no such pass"}, RECORD_ERROR},
    {"kill -9 $$", {"relu", K("relu"), P, "gives no reason"}, RECORD_ERROR},
};

static void put_program(struct arena *arena, const char *code) {
    own_write("rewrite", arena_format(arena, "#!/bin/sh\n%s\n", code));
    assert_int_equal(chmod(in_folder("rewrite"), 0700), 0);
    own_rewritten = arena_format(arena, "%s %%i %%o", in_folder("rewrite"));
}

static void each_rewriting_has_its_outcome(void **state) {
    const struct own_device *device = *state;
    needs_hardware(device->info, "Vulkan device");
    for (size_t i = 0; i < sizeof rewritings / sizeof *rewritings; i++) {
        const struct rewriting *r = &rewritings[i];
        struct arena arena = {0};
        struct error err;
        put_program(&arena, r->code);
        const struct record record = own_run(&arena, device, &r->kernel, false, &err);
        const char *reason = record.reason ? record.reason : err.text;
        if (record.status != r->status || (r->kernel.says && !strstr(reason, r->kernel.says)))
            fail_msg("%s: %s: %s", r->code, record_status_name(record.status), reason);
        assert_int_equal(record.failed, r->status == RECORD_FAIL ? CHECK_REWRITTEN : 0);
        if (record.reason) assert_non_null(strstr(reason, arena_format(&arena, "rewritten by \"%s\"", own_rewritten)));
        assert_non_null(strstr(record.replay, arena_format(&arena, " --rewritten '%s'", own_rewritten)));
        arena_free(&arena);
    }
}

// A command without %i and %o gets "%i -o %o".
static void names_of_files_are_appended(void **state) {
    const struct own_device *device = *state;
    struct arena arena = {0};
    struct error err;
    needs_hardware(device->info, "Vulkan device");
    put_program(&arena, "[ \"$2 $4\" = '-o ' ] && cp \"$1\" \"$3\"");
    own_rewritten = in_folder("rewrite");
    const struct record record = own_run(&arena, device, &rewritings[0].kernel, false, &err);
    assert_int_equal(record.status, RECORD_PASS);
    arena_free(&arena);
}

static int open_device(void **state) {
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rewriting_has_its_outcome),
        cmocka_unit_test(names_of_files_are_appended),
    };
    return cmocka_run_group_tests(tests, open_device, own_close);
}
