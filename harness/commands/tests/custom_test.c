// SPDX-License-Identifier: Apache-2.0
// A user's own shaders and operators from outside, by the examples of reports/examples/custom. WGSL goes through a
// stand-in for its compiler, which keeps what it is given and answers with double.spv, what naga made of double.wgsl at
// a workgroup size of 64. Run from the top of the repository, on whatever device there is.
#include "../../base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXAMPLE "reports/examples/custom"

static char program[4096], folder[] = "/tmp/vkassay-test-XXXXXX";

static int shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int shell(const char *format, ...) {
    char command[9000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// Without a compiler of WGSL but the one that `before` names.
static int run(const char *before, const char *arguments) {
    return shell("env -u VKASSAY_WGSL PATH=%s/bin VKASSAY_CACHE=%s/cache %s %s %s --out %s/out >%s/output 2>&1", folder,
        folder, before, program, arguments, folder, folder);
}

static const char *content(const char *name) {
    static char text[200000];
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("no %s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void assert_says(const char *name, const char *part) {
    if (!strstr(content(name), part)) fail_msg("expected '%s' in %s:\n%s", part, name, content(name));
}

static void write_text(const char *name, const char *text, mode_t mode) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(chmod(path, mode), 0);
}

static void expect(const char *before, const char *what, int status, const char *says) {
    char arguments[2000];
    snprintf(arguments, sizeof arguments, "check --quiet --operators %s/double.so --kernels " EXAMPLE "/kernels %s", folder, what);
    int found = run(before, arguments);
    if (found != status) fail_msg("vkassay %s: status %d, expected %d:\n%s", arguments, found, status, content("output"));
    assert_says("output", says);
}

#define SIZES(kernel, shape) \
    "'" kernel "/f32/n=1/" shape "' '" kernel "/f32/n=65/" shape "' '" kernel "/f32/n=1024/" shape "'"

static void a_users_operator_is_judged(void **state) {
    (void)state;
    expect("", SIZES("double.glsl", "wg=64x1x1"), STATUS_OK, "3 points: 3 passed");
    char arguments[300];
    snprintf(arguments, sizeof arguments, "list operators --operators %s/double.so", folder);
    assert_int_equal(shell("%s %s >%s/output", program, arguments, folder), STATUS_OK);
    assert_says("output", "output = input * 2");
}

static void shaders_come_in_other_languages(void **state) {
    (void)state;
    expect("", SIZES("double.hlsl", "wg=32x1x1") " " SIZES("double.hlsl", "wg=256x1x1"), STATUS_OK, "6 points: 6 passed");
    expect("", SIZES("double.spirv", "wg=64x1x1"), STATUS_OK, "3 points: 3 passed");
}

// Any set and number, in any order; parameters in a uniform buffer of another set; two passes, so that there are two.
static void buffers_stand_anywhere(void **state) {
    (void)state;
    char arguments[900];
    assert_int_equal(shell("mkdir %s/sets", folder), 0);
    write_text("sets/scale.comp",
        "#version 450\nlayout(local_size_x = WG_X) in;\n"
        "layout(set = 3, binding = 41) readonly buffer A { float from[]; };\n"
        "layout(set = 1, binding = 7) writeonly buffer B { float to[]; };\n"
        "layout(set = 2, binding = 900, std140) uniform P { float factor; uint n; };\n"
        "void main() {\n    uint i = gl_GlobalInvocationID.x;\n    if (i < n) to[i] = from[i] * FACTOR;\n}\n", 0666);
    write_text("sets/scale.json",
        "{\"kernels\": [{\"name\": \"scale.anywhere\", \"operator\": \"scale\", \"summary\": \"s\", \"dtypes\": [\"f32\"], "
        "\"shader\": \"scale.comp\", \"grid\": [{\"over\": [\"n\"], \"by\": [\"WG_X\"]}], "
        "\"tunables\": {\"WG_X\": {\"id\": -1, \"values\": [32, 128], \"default\": 32}}, "
        "\"uniform\": {\"set\": 2, \"binding\": 900, \"members\": [\"scale\", \"n\"]}, "
        "\"scratch\": {\"between\": {\"dtype\": \"f32\", \"over\": [\"n\"]}}, \"passes\": ["
        "{\"defines\": {\"FACTOR\": \"1\"}, \"bindings\": [{\"name\": \"between\", \"set\": 1, \"binding\": 7}, "
        "{\"name\": \"x\", \"set\": 3, \"binding\": 41}]}, "
        "{\"defines\": {\"FACTOR\": \"factor\"}, \"bindings\": [{\"name\": \"y\", \"set\": 1, \"binding\": 7}, "
        "{\"name\": \"between\", \"set\": 3, \"binding\": 41}]}]}]}", 0666);
    snprintf(arguments, sizeof arguments, "bench --quiet --kernels %s/sets 'scale.anywhere/f32/n=1/wg=32x1x1' "
        "'scale.anywhere/f32/n=1025/wg=32x1x1' 'scale.anywhere/f32/n=1025,scale=-2.5/wg=128x1x1'", folder);
    int status = run("", arguments);
    if (status != STATUS_OK) fail_msg("status %d:\n%s", status, content("output"));
    assert_says("output", "3 points: 3 passed");
}

static void wgsl_without_a_compiler_is_skipped_with_instructions(void **state) {
    (void)state;
    expect("", SIZES("double.wgsl", "wg=64x1x1"), STATUS_NOTHING, "there is no WGSL compiler, naga or tint, on the PATH: install one");
    expect("VKASSAY_WGSL=/no/such/naga", SIZES("double.wgsl", "wg=64x1x1"), STATUS_NOTHING,
        "the WGSL compiler \"/no/such/naga\" cannot be run");
}

static void wgsl_goes_through_a_compiler(void **state) {
    (void)state;
    char before[500];
    snprintf(before, sizeof before, "VKASSAY_WGSL='%s/stand-in --flag %%o %%i'", folder);
    expect(before, SIZES("double.wgsl", "wg=64x1x1"), STATUS_OK, "3 points: 3 passed");
    assert_says("asked", "--flag /");
    assert_says("asked", "/shader.spv /");
    assert_says("given", "@workgroup_size(64)"); // WG_X was put in
    assert_null(strstr(content("given"), "WG_X)"));

    // Another size is another text; the compiler's SPIR-V is still for 64, which is found out.
    char what[500];
    snprintf(what, sizeof what, "'double.wgsl/f32/n=65/wg=128x1x1' --wgsl-compiler '%s/stand-in'", folder);
    expect("", what, STATUS_WRONG, "workgroup size: the shader's is 64 x 1 x 1, written into it, and the manifest's is 128 x 1 x 1");
    assert_says("given", "@workgroup_size(128)");
    assert_says("asked", "/shader.wgsl /"); // in, then out, where the command does not say
}

static void a_compilers_complaint_is_the_reason(void **state) {
    (void)state;
    char what[500];
    snprintf(what, sizeof what, "'double.wgsl/f32/n=65/wg=32x1x1' --wgsl-compiler '%s/refuses'", folder);
    expect("", what, STATUS_WRONG, "error: expected ';' at 3:7");
    snprintf(what, sizeof what, "--operators %s/double.so --kernels " EXAMPLE "/kernels", folder);
    assert_says("output", what); // in the line that replays it
}

static void objects_that_do_not_fit_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *source, *says;
    } rows[] = {
        {"int nothing;", "it does not end with VKASSAY_OPERATORS"},
        {"#include \"operator.h\"\nconst struct operator_file vkassay_operators = {OPERATOR_VERSION, 8, 8, DTYPE_COUNT, 0};",
            "made with another reference/operator.h (version 1, sizes 8 and 8"},
        {"#include \"operator.h\"\nstatic const struct operator op = {.name = \"Twice\"};\nVKASSAY_OPERATORS(&op)", "found \"Twice\""},
        {"#include \"operator.h\"\nstatic const struct operator op = {.name = \"twice\"};\nVKASSAY_OPERATORS(&op)", "twice has no .family"},
        {"#include \"operator.h\"\n#define T \"t\"\nstatic void f64(const struct call_f64 *c) { (void)c; }\n"
         "static const struct operator op = {.name = \"twice\", .family = T, .summary = T, .formula = T, .source = T, .seeds = T, "
         ".bound = T, .f64 = f64};\nVKASSAY_OPERATORS(&op)", "twice has no .f32"},
        {"#include \"operator.h\"\n#define T \"t\"\nstatic void f64(const struct call_f64 *c) { (void)c; }\n"
         "static void f32(const struct call_f32 *c) { (void)c; }\n"
         "static const struct operator op = {.name = \"relu\", .family = T, .summary = T, .formula = T, .source = T, .seeds = T, "
         ".bound = T, .f64 = f64, .f32 = f32, .dims = {\"n\"}, .operands = {{\"y\", ROLE_OUT, .shape = {\"n\"}}}};\n"
         "VKASSAY_OPERATORS(&op)", "relu: there is an operator of that name"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_text("own.c", rows[i].source, 0666);
        assert_int_equal(shell("cc -shared -fPIC -w -I reference %s/own.c -o %s/own.so", folder, folder), 0);
        int status = shell("%s list operators --operators %s/own.so >%s/output 2>&1", program, folder, folder);
        if (status != STATUS_BAD_INPUT) fail_msg("%s: status %d", rows[i].says, status);
        assert_says("output", rows[i].says);
    }
    assert_int_equal(shell("%s list operators --operators %s/own.c >%s/output 2>&1", program, folder, folder), STATUS_BAD_INPUT);
    assert_int_equal(shell("%s check 'double.glsl/f32/n=1/wg=64x1x1' --kernels " EXAMPLE "/kernels >%s/output 2>&1", program, folder),
        STATUS_BAD_INPUT);
    assert_says("output", "\"double\" is no operator");
    assert_says("output", "--operators");
}

static int set_up(void **state) {
    (void)state;
    char text[600];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 20);
    if (length < 0 || !mkdtemp(folder)) return -1;
    program[length] = '\0';
    *strrchr(program, '/') = '\0'; // BUILD/tests
    strcpy(strrchr(program, '/'), "/vkassay");
    snprintf(text, sizeof text,
        "#!/bin/sh\nPATH=/usr/bin:/bin\necho \"$@\" >%s/asked\nfor f; do case $f in *.wgsl) cp $f %s/given;; "
        "*.spv) cp " EXAMPLE "/kernels/double.spv $f;; esac; done\n", folder, folder);
    write_text("stand-in", text, 0777);
    write_text("refuses", "#!/bin/sh\necho \"error: expected ';' at 3:7\" >&2\nexit 1\n", 0777);
    return shell("mkdir %s/bin && cc -shared -fPIC -O2 -I reference " EXAMPLE "/double.c -o %s/double.so", folder, folder);
}

static int tear_down(void **state) {
    (void)state;
    return shell("rm -rf %s", folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_users_operator_is_judged),
        cmocka_unit_test(shaders_come_in_other_languages),
        cmocka_unit_test(buffers_stand_anywhere),
        cmocka_unit_test(wgsl_without_a_compiler_is_skipped_with_instructions),
        cmocka_unit_test(wgsl_goes_through_a_compiler),
        cmocka_unit_test(a_compilers_complaint_is_the_reason),
        cmocka_unit_test(objects_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
