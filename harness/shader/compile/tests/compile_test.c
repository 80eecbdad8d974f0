// SPDX-License-Identifier: Apache-2.0
// The shader compiler: macros, includes, messages, and the cache on disk.
#include "../compile.h"
#include "../compiler_command.h"

#include "../../../base/file.h"
#include "../../../../reference/tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct fixture {
    struct arena arena;
    char folder[64];
    char shader[128], cache[128], library[128];
    const char *includes[1];
    size_t include_count;
};

static int set_up(void **state) {
    struct error err;
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (!f) return -1;
    strcpy(f->folder, "/tmp/vkassay-compile-test-XXXXXX");
    if (!mkdtemp(f->folder)) return -1;
    snprintf(f->shader, sizeof f->shader, "%s/kernels/test.comp", f->folder);
    snprintf(f->cache, sizeof f->cache, "%s/cache", f->folder);
    snprintf(f->library, sizeof f->library, "%s/library", f->folder);
    f->includes[0] = f->library;
    f->include_count = 1;
    char kernels[128];
    snprintf(kernels, sizeof kernels, "%s/kernels", f->folder);
    return file_make_folder(kernels, &err) && file_make_folder(f->library, &err) ? 0 : -1;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", f->folder);
    int rc = system(command);
    arena_free(&f->arena);
    free(f);
    return rc;
}

static void put(struct fixture *f, const char *name, const char *content) {
    struct error err;
    char path[256];
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    assert_true(file_write(path, content, strlen(content), &err));
}

static bool compile(
    struct fixture *f, const struct define *defines, size_t count, struct spirv *out, struct error *err) {
    const struct shader_request request = {.path = f->shader,
        .defines = defines,
        .define_count = count,
        .includes = f->includes,
        .include_count = f->include_count,
        .cache_folder = f->cache};
    return shader_make(&f->arena, &request, out, err);
}

static struct spirv compiled(struct fixture *f, const struct define *defines, size_t count) {
    struct error err;
    struct spirv spirv;
    if (!compile(f, defines, count, &spirv, &err)) fail_msg("%s", err.text);
    assert_true(spirv.count > 5 && spirv.words[0] == 0x07230203);
    assert_true(spirv.words[1] == 0x00010300); // SPIR-V 1.3, accepted by every Vulkan 1.1 device
    return spirv;
}

static bool same(const struct spirv *a, const struct spirv *b) {
    return a->count == b->count && memcmp(a->words, b->words, a->count * sizeof *a->words) == 0;
}

#define HEAD                                                                                                           \
    "#version 450\n"                                                                                                   \
    "layout(local_size_x = 64) in;\n"                                                                                  \
    "layout(binding = 0) buffer X { float x[]; };\n"
#define I "gl_GlobalInvocationID.x"

static const char with_macro[] = HEAD "void main() { x[" I "] = F(x[" I "]); }\n";
static const char by_hand[] = HEAD "void main() { x[" I "] = (x[" I "] > 0.0 ? x[" I "] : 0.0); }\n";

static void a_macro_may_take_an_argument(void **state) {
    struct fixture *f = *state;
    put(f, "kernels/test.comp", by_hand);
    struct spirv expected = compiled(f, NULL, 0);
    put(f, "kernels/test.comp", with_macro);
    struct spirv got = compiled(f, &(struct define){.name = "F(x)", .value = "(x > 0.0 ? x : 0.0)"}, 1);
    assert_true(same(&expected, &got));
}

static void a_second_compile_comes_from_the_cache(void **state) {
    struct fixture *f = *state;
    const struct define twice = {.name = "F(x)", .value = "((x) * 2.0)"},
                        thrice = {.name = "F(x)", .value = "((x) * 3.0)"};
    put(f, "kernels/test.comp", with_macro);
    struct spirv first = compiled(f, &twice, 1), second = compiled(f, &twice, 1), other = compiled(f, &thrice, 1);
    assert_false(first.cached);
    assert_true(second.cached);
    assert_true(same(&first, &second));
    assert_true(first.source_hash == second.source_hash);
    assert_false(other.cached);
    assert_false(same(&first, &other));
    assert_true(first.source_hash != other.source_hash);
    assert_true(first.ns > 0 && second.ns > 0);
}

// A module with lines is another file in the cache, but has the same source.
static void a_module_with_lines_is_of_the_same_source(void **state) {
    struct fixture *f = *state;
    struct error err;
    put(f, "kernels/test.comp", by_hand);
    struct spirv plain = compiled(f, NULL, 0), lines[2];
    for (int i = 0; i < 2; i++) {
        const struct shader_request request = {.path = f->shader, .cache_folder = f->cache, .lines = true};
        if (!shader_make(&f->arena, &request, &lines[i], &err)) fail_msg("%s", err.text);
        assert_int_equal(lines[i].cached, i);
        assert_true(lines[i].source_hash == plain.source_hash);
        assert_true(lines[i].count > plain.count && same(&lines[i], &lines[0]));
    }
    struct spirv again = compiled(f, NULL, 0);
    assert_true(again.cached && same(&again, &plain));
}

static const char including[] = HEAD "#include \"part.glsl\"\nvoid main() { x[" I "] = part(x[" I "]); }\n";

static void includes_are_found_beside_and_then_in_the_folders(void **state) {
    struct fixture *f = *state;
    put(f, "kernels/test.comp", including);
    put(f, "library/part.glsl", "#include \"deep.glsl\"\nfloat part(float v) { return v * DEEP; }\n");
    put(f, "library/deep.glsl", "#define DEEP 2.0\n"); // beside the file that includes it
    struct spirv far = compiled(f, NULL, 0);
    put(f, "kernels/part.glsl", "#include \"deep.glsl\"\nfloat part(float v) { return v * DEEP; }\n");
    struct spirv moved = compiled(f, NULL, 0); // the same code from another folder is the same source
    assert_true(moved.cached && moved.source_hash == far.source_hash);
    put(f, "kernels/part.glsl", "float part(float v) { return v * 3.0; }\n");
    struct spirv near = compiled(f, NULL, 0);
    assert_false(near.cached);
    assert_false(same(&far, &near));
}

static void an_edited_include_is_another_source(void **state) {
    struct fixture *f = *state;
    put(f, "kernels/test.comp", including);
    put(f, "library/part.glsl", "float part(float v) { return v * 2.0; }\n");
    struct spirv before = compiled(f, NULL, 0);
    put(f, "library/part.glsl", "// a remark alone changes no code\n\nfloat part(float v) { return v * 2.0; }\n");
    struct spirv remarked = compiled(f, NULL, 0);
    put(f, "library/part.glsl", "float part(float v) { return v * 4.0; }\n");
    struct spirv after = compiled(f, NULL, 0);
    assert_true(remarked.source_hash == before.source_hash && remarked.cached);
    assert_true(after.source_hash != before.source_hash);
    assert_false(after.cached);
    assert_false(same(&before, &after));
}

// The same tokens, as two versions of a preprocessor print them.
static void a_source_is_its_tokens(void **state) {
    static const char plain[] = "#version 450\n#extension GL_A : require\n#pragma use_x\n"
                                "float f(vec2 v){return v.x+1.5e-3f- -.5*a[0x1Eu+2];}\nuint u=b>>1;";
    static const char *const same[] = {
        "#version 450\n#extension GL_GOOGLE_include_directive : enable\n#line 1 \"/a/b.comp\"\n\n# extension  "
        "GL_A:require\n"
        "#pragma use_x\n\nfloat f ( vec2 v ) {\n    return v . x + 1.5e-3f - - .5 * a [ 0x1Eu + 2 ] ;\r\n }\n"
        " #line 7\n#extension GL_GOOGLE_include_directive : require\n\tuint u = b >> 1;\n\n",
        "#version 450\n#extension GL_GOOGLE_cpp_style_line_directive : enable\n#extension GL_A : require\n#pragma "
        "use_x\n"
        "float f(vec2 v) { return v.x + 1.5e-3f - -.5 * a[0x1Eu+ 2]; } uint u = b >> 1;\n",
    };
    static const char *const others[] = {
        "#version 450\n#extension GL_A : enable\n#pragma use_x\nfloat f(vec2 v){return v.x+1.5e-3f- "
        "-.5*a[0x1Eu+2];}\nuint u=b>>1;",
        "#version 450\n#extension GL_A : require use_x\nfloat f(vec2 v){return v.x+1.5e-3f- -.5*a[0x1Eu+2];}\nuint "
        "u=b>>1;",
        "#version 450\n#extension GL_A : require\n#pragma use_x\nfloat f(vec2 v){return "
        "v.x+1.5e-3f--.5*a[0x1Eu+2];}\nuint u=b>>1;",
        "#version 450\n#extension GL_A : require\n#pragma use_x\nfloat f(vec2 v){return v.x+1.5e-3 f- "
        "-.5*a[0x1Eu+2];}\nuint u=b>>1;",
        "#version 450\n#extension GL_A : require\n#pragma use_x\nfloat f(vec2 v){return v.x+1.5e-3f- "
        "-.5*a[0x1Eu+2];}\nuint u=b> >1;",
        "#version 450\n#extension GL_A : require\n#pragma use_x\nfloatf(vec2 v){return v.x+1.5e-3f- "
        "-.5*a[0x1Eu+2];}\nuint u=b>>1;",
        "#version 450\n#pragma use_x\nfloat f(vec2 v){return v.x+1.5e-3f- -.5*a[0x1Eu+2];}\nuint u=b>>1;",
        "",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) assert_true(source_hash(plain) == source_hash(same[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_true(source_hash(plain) != source_hash(others[i]));
    assert_true(source_hash("x = 1.0.xx;") == source_hash("x = 1.0 . xx;"));
    assert_true(source_hash("a+ ++b") != source_hash("a++ +b"));
}

// The known hash of a source's tokens. A version of the compiler with another hash would break the tables of the
// others.
static void the_hash_is_the_same_under_every_compiler(void **state) {
    struct fixture *f = *state;
    put(f, "kernels/test.comp",
        "#version 450\n#extension GL_GOOGLE_include_directive : require\n#pragma use_vulkan_memory_model\n"
        "layout(local_size_x = 64) in; // a remark\n#define TWICE(x) ((x) * 2.0 - -(x))\n"
        "layout(binding = 0) buffer X { float x[]; };\n#include \"part.glsl\"\n"
        "void main() {\n    uint i = gl_GlobalInvocationID.x, n = 1u << 3;\n    n++;\n    n += +1;\n"
        "    if (i < n && i >= 0x1Eu + 2) x[i] = part(TWICE(x[i])) + 1.5e-3f - .5; /* two */ else x[i] = -1.;\n}\n");
    put(f, "library/part.glsl", "\n// another\n\nfloat part(float v) { return v * /* three */ 2.0; }\n\n");
    assert_int_equal(compiled(f, NULL, 0).source_hash, 0xe85ff552e92d3f15u);
}

static void fails_saying(
    struct fixture *f, const struct define *defines, size_t count, enum error_kind kind, const char *expected) {
    struct error err;
    struct spirv spirv;
    assert_false(compile(f, defines, count, &spirv, &err));
    assert_int_equal(err.kind, kind);
    if (!strstr(err.text, expected)) fail_msg("expected \"%s\" in: %s", expected, err.text);
}

static void an_error_has_file_and_line(void **state) {
    struct fixture *f = *state;
    const struct define one = {.name = "A", .value = "1"};
    put(f, "kernels/test.comp", HEAD "\nvoid main() {\n    x[0] = A;\n    y = 1;\n}\n");
    fails_saying(f, &one, 1, ERROR_COMPILE, "kernels/test.comp:7: error: 'y' : undeclared identifier");
    put(f, "library/part.glsl", "float part(float v) {\n    return w;\n}\n");
    put(f, "kernels/test.comp", including);
    fails_saying(f, &one, 1, ERROR_COMPILE, "library/part.glsl:2: error: 'w' : undeclared identifier");
    put(f, "library/part.glsl", "float part(float v) { return v; }\n");
    put(f, "kernels/test.comp", HEAD "#include \"part.glsl\"\nvoid main() { y = 1; }\n");
    fails_saying(f, &one, 1, ERROR_COMPILE, "kernels/test.comp:5: error: 'y' : undeclared identifier");
    put(f, "kernels/test.comp", "#version 450\n#error the device lacks it\n");
    fails_saying(f, NULL, 0, ERROR_COMPILE, "the device lacks it");
}

// The path stands between quotes in #line. An include beside the file is still found.
static void a_path_may_have_a_quote(void **state) {
    struct fixture *f = *state;
    snprintf(f->shader, sizeof f->shader, "%s/library/a\"\n\\.comp", f->folder);
    put(f, "library/a\"\n\\.comp", including);
    put(f, "library/part.glsl", "float part(float v) { return v; }\n");
    f->include_count = 0;
    compiled(f, NULL, 0);
    put(f, "library/a\"\n\\.comp", HEAD "#include \"part.glsl\"\nvoid main() { y = 1; }\n");
    fails_saying(f, NULL, 0, ERROR_COMPILE, "library/a???.comp:5: error: 'y' : undeclared identifier");
}

static void hostile_sources_end_in_an_error(void **state) {
    struct fixture *f = *state;
    struct error err;
    struct spirv spirv;
    put(f, "kernels/test.comp", HEAD "#include \"loop.glsl\"\nvoid main() {}\n");
    put(f, "library/loop.glsl", "#include \"loop.glsl\"\n");
    fails_saying(f, NULL, 0, ERROR_COMPILE, "nested more than");
    put(f, "library/loop.glsl", "#include \"a.glsl\"\n#include \"a.glsl\"\n#include \"a.glsl\"\n#include \"a.glsl\"\n");
    put(f, "library/a.glsl", "#if 1\n#include \"loop.glsl\"\n#endif\n");
    fails_saying(f, NULL, 0, ERROR_COMPILE, "nested more than");
    put(f, "kernels/test.comp", HEAD "#include \"absent.glsl\"\nvoid main() {}\n");
    fails_saying(f, NULL, 0, ERROR_COMPILE, "absent.glsl");
    put(f, "kernels/test.comp", HEAD "#include \"../library\"\nvoid main() {}\n"); // a folder
    fails_saying(f, NULL, 0, ERROR_COMPILE, "expected a regular file");
    put(f, "kernels/test.comp", "#version 140\nvoid main() {}\n");
    fails_saying(f, NULL, 0, ERROR_COMPILE, "expected \"#version 450\"");
    put(f, "kernels/test.comp", "");
    assert_false(compile(f, NULL, 0, &spirv, &err));
    put(f, "kernels/test.comp", "\xff\xfe\x01");
    assert_false(compile(f, NULL, 0, &spirv, &err));
    put(f, "kernels/test.comp", with_macro);
    fails_saying(f, &(struct define){.name = "F(x)", .value = "x\n#error"}, 1, ERROR_PLAIN, "one line");
    unlink(f->shader);
    fails_saying(f, NULL, 0, ERROR_PLAIN, "cannot be opened");
}

static void damage(const char *path, long at, const char *bytes, size_t length) {
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, at, at < 0 ? SEEK_END : SEEK_SET);
    fwrite(bytes, 1, length, file);
    fclose(file);
}

// Compiles the shader, and returns the number of warnings on stderr about its cache.
static int warnings(struct fixture *f, struct spirv *out) {
    char path[256], line[512];
    int lines = 0;
    snprintf(path, sizeof path, "%s/stderr", f->folder);
    fflush(stderr);
    int saved = dup(STDERR_FILENO);
    FILE *capture = freopen(path, "w+", stderr);
    assert_non_null(capture);
    *out = compiled(f, NULL, 0);
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    FILE *read = fopen(path, "r");
    while (read && fgets(line, sizeof line, read)) lines += strstr(line, "warning: cache ignored") != NULL;
    if (read) fclose(read);
    return lines;
}

static void a_damaged_cache_file_is_made_anew(void **state) {
    struct fixture *f = *state;
    struct error err;
    char **files;
    size_t count;
    put(f, "kernels/test.comp", by_hand);
    struct spirv good = compiled(f, NULL, 0), again;
    assert_true(file_list(&f->arena, f->cache, ".spv", &files, &count, &err));
    assert_int_equal(count, 1);
    struct stat info;
    assert_int_equal(stat(files[0], &info), 0);
    for (int way = 0; way < 5; way++) {
        switch (way) {
        case 0:
            damage(files[0], 0, "X", 1);
            break; // its magic number
        case 1:
            damage(files[0], -1, "\xa5", 1);
            break; // its last byte
        case 2:
            assert_int_equal(truncate(files[0], info.st_size - 4), 0);
            break;
        case 3:
            assert_int_equal(truncate(files[0], 3), 0);
            break;
        case 4:
            assert_int_equal(truncate(files[0], 0), 0);
            break;
        }
        assert_int_equal(warnings(f, &again), 1);
        assert_false(again.cached);
        assert_true(same(&good, &again));
        assert_int_equal(warnings(f, &again), 0); // written again
        assert_true(again.cached);
    }
}

static void an_unwritable_cache_stops_nothing(void **state) {
    struct fixture *f = *state;
    put(f, "kernels/test.comp", by_hand);
    put(f, "cache", "a file where the folder should be\n");
    struct spirv spirv = compiled(f, NULL, 0);
    assert_false(spirv.cached);
}

// Writes a program for VKASSAY_GLSL with this shell code.
static void put_program(struct fixture *f, const char *code) {
    char path[200], text[400];
    snprintf(text, sizeof text, "#!/bin/sh\n%s\n", code);
    put(f, "expand", text);
    snprintf(path, sizeof path, "%s/expand", f->folder);
    assert_int_equal(chmod(path, 0700), 0);
    snprintf(text, sizeof text, "%s %%i %%o", path);
    assert_int_equal(setenv("VKASSAY_GLSL", text, 1), 0);
}

static void a_program_writes_glsl_from_a_template(void **state) {
    struct fixture *f = *state;
    const struct define half = {.name = "HALF", .value = "0.5"};
    put(f, "kernels/test.comp",
        "#version 450\nlayout(binding = 0) buffer X { $T x[]; };\nvoid main() { x[0] = $T(HALF); }\n");
    put_program(f, "sed 's/[$]T/float/' \"$1\" >\"$2\"");
    compiled(f, &half, 1);
    unsetenv("VKASSAY_GLSL");
}

static void a_hostile_program_is_an_error(void **state) {
    static const struct {
        const char *code, *says;
    } bad[] = {{"exit 3", "gives no reason"}, {"kill -9 $$", "gives no reason"},
        {"echo nonsense >&2; exit 1", "nonsense"}, {"true", "left no text"}, {"mkdir \"$2\"", "left no text"},
        {"echo '}{' >\"$2\"", "#version"}, {"head -c 40000000 /dev/zero >\"$2\"", "left 40000000 bytes"},
        {"printf 'a\\0b' >\"$2\"", "no text"}};
    struct fixture *f = *state;
    struct spirv spirv;
    struct error err;
    put(f, "kernels/test.comp", "#version 450\nvoid main() {}\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put_program(f, bad[i].code);
        assert_false(compile(f, NULL, 0, &spirv, &err));
        assert_int_equal(err.kind, ERROR_COMPILE);
        if (!strstr(err.text, bad[i].says)) fail_msg("expected '%s' in: %s", bad[i].says, err.text);
    }
    setenv("VKASSAY_GLSL", "/no/such/program", 1);
    assert_false(compile(f, NULL, 0, &spirv, &err));
    assert_int_equal(err.kind, ERROR_SKIP);
    unsetenv("VKASSAY_GLSL");
}

// The program ends at once, but a process that it has started holds its output.
static void a_compiler_that_hangs_is_ended(void **state) {
    static const char *const scripts[] = {"sleep 98762", "sleep 98762 & exit 0"};
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        struct error err = {0};
        char shell[] = "/bin/sh", option[] = "-c", script[40];
        snprintf(script, sizeof script, "%s", scripts[i]);
        struct compiler_command command = {.words = {shell, option, script}, .count = 3, .path = shell, .seconds = 1};
        assert_null(text_by_command(&f->arena, f->shader, &command, &err));
        if (!strstr(err.text, "no end within 1 s")) fail_msg("%s", err.text);
        assert_int_not_equal(system("pgrep -f 'sleep 9876[2]' >/dev/null"), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_compiler_that_hangs_is_ended, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_macro_may_take_an_argument, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_second_compile_comes_from_the_cache, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_module_with_lines_is_of_the_same_source, set_up, tear_down),
        cmocka_unit_test_setup_teardown(includes_are_found_beside_and_then_in_the_folders, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_edited_include_is_another_source, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_source_is_its_tokens, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_hash_is_the_same_under_every_compiler, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_error_has_file_and_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_path_may_have_a_quote, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hostile_sources_end_in_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_damaged_cache_file_is_made_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_unwritable_cache_stops_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_program_writes_glsl_from_a_template, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_hostile_program_is_an_error, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
