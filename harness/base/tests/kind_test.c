// SPDX-License-Identifier: Apache-2.0
// The kind of a file, and the error from a reader of another kind.
#include "../file.h"
#include "../kind.h"
#include "folder.h"
#include "../../../reference/tests/unit.h"

#include <string.h>

static const struct {
    const char *text;
    enum file_kind kind;
} files[] = {
    {"{\"schema_version\": 1, \"device\": {}, \"records\": []}", KIND_RESULT},
    {"{\"schema_version\": 1, \"device\": {}, \"tuned\": []}", KIND_TUNED},
    {"{\"device\": \"d\", \"spaces\": []}", KIND_SPACES},
    {"{\"entries\": [], \"claims\": []}", KIND_SUITE},
    {"{\"common\": {}, \"kernels\": []}", KIND_MANIFEST},
    {"{\"expectations\": []}", KIND_EXPECTATIONS},
    {"{\"peers\": [], \"times\": []}", KIND_PEERS},
    {"{\"compared\": []}", KIND_COMPARISON},
    {"{\"context\": {}, \"benchmarks\": []}", KIND_GBENCH},
    {"{\"results\": []}", KIND_T4},
    {"{\"tune_params\": {}, \"cache\": {}}", KIND_CACHE},
    {"{\"ConfigurationSpace\": {}}", KIND_T1},
    {"{\"tool\": {}, \"device\": {}, \"run\": {\"argv\": []}}\n{\"name\": \"a\"}\n", KIND_RESULT},
    {"{\"tool\": {}, \"device\": {}, \"run\": {\"argv\": []}}\n", KIND_RESULT}, // no record yet
    {"{\"name\": \"package\"}", KIND_UNKNOWN},
    {"[{\"records\": []}]", KIND_UNKNOWN},
    {"null\n", KIND_UNKNOWN},
    {"{\"records\": [", KIND_UNKNOWN},
    {"<html>", KIND_UNKNOWN},
};

// How an error names each kind.
static const char *const named[KIND_COUNT] = {[KIND_RESULT] = "a result",
    [KIND_TUNED] = "a tuned table",
    [KIND_SPACES] = "a file of recorded spaces",
    [KIND_SUITE] = "a suite",
    [KIND_MANIFEST] = "a manifest of kernels",
    [KIND_EXPECTATIONS] = "a file of expectations",
    [KIND_PROFILE] = "a profile of limits",
    [KIND_PEERS] = "a file of other programs' times",
    [KIND_COMPARISON] = "a comparison",
    [KIND_MUTANTS] = "a file of mutants",
    [KIND_GBENCH] = "a file of google-benchmark's form",
    [KIND_T4] = "a file of T4 results",
    [KIND_CACHE] = "a cache file of Kernel Tuner",
    [KIND_T1] = "a T1 input file"};

static const char *written(const char *text) {
    struct error err;
    assert_true(file_write(in_folder("file.json"), text, strlen(text), &err));
    return in_folder("file.json");
}

static void each_file_is_what_its_members_say(void **state) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (kind_of_file(written(files[i].text)) != files[i].kind) fail_msg("%s", files[i].text);
    assert_int_equal(kind_of_file("/nonexistent"), KIND_UNKNOWN);
}

// Reads each file as each kind. The right kind is read; the error for another kind names both kinds.
static void another_kind_is_named(void **state) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (int wanted = KIND_RESULT; wanted < KIND_COUNT; wanted++) {
            struct error err = {0};
            const char *path = written(files[i].text);
            if (wanted == KIND_RESULT && files[i].kind == KIND_RESULT) continue; // its reader takes lines too
            struct json_object *root = kind_read(path, (enum file_kind)wanted, &err);
            bool reader = (int)files[i].kind == wanted || files[i].text[0] == '['; // the reader refuses non-objects
            assert_int_equal(root != NULL, reader);
            json_object_put(root);
            if (reader) continue;
            assert_int_equal(err.status, STATUS_BAD_INPUT);
            assert_non_null(strstr(err.text, path));
            if (files[i].kind == KIND_UNKNOWN) continue;
            assert_non_null(strstr(err.text, named[files[i].kind]));
            assert_non_null(strstr(err.text, named[wanted]));
        }
}

static void touch(const char *name) {
    struct error err;
    assert_true(file_write(in_folder(name), "{\"records\": []}", strlen("{\"records\": []}"), &err));
}

static void a_folder_of_a_run_stands_for_its_result(void **state) {
    struct arena arena = {0};
    struct error err;
    char run[500], **paths;
    size_t count;
    snprintf(run, sizeof run, "%s", in_folder("run"));
    assert_true(file_make_folder(run, &err));
    assert_string_equal(kind_run_result(&arena, run), run); // nothing is in it
    assert_string_equal(kind_run_result(&arena, "/nonexistent"), "/nonexistent");
    static const char *const names[] = {// the last counts
        "run/journal.jsonl", "run/result.json.gz", "run/result.json", "run/result.jsonl.gz", "run/result.jsonl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        touch(names[i]);
        assert_string_equal(kind_run_result(&arena, run), in_folder(names[i]));
        assert_string_equal(kind_run_result(&arena, in_folder(names[i])), in_folder(names[i]));
    }
    snprintf(run, sizeof run, "%s", in_folder("run/"));
    assert_string_equal(kind_run_result(&arena, run), in_folder("run/result.jsonl"));
    assert_true(kind_list_results(&arena, run, &paths, &count, &err));
    assert_int_equal(count, 4); // without the journal
    for (size_t i = 0; i < count; i++)
        assert_string_equal(strrchr(paths[i], '/') + 1, strrchr(names[i < 1 ? 2 : i < 2 ? 1 : i < 3 ? 4 : 3], '/') + 1);
    arena_free(&arena);
}

static void what_is_no_kind_says_what_it_has(void **state) {
    struct error err = {0};
    assert_null(
        kind_read(written("{\"name\": 1, \"b\": 2, \"c\": 3, \"d\": 4, \"e\": 5, \"f\": 6}"), KIND_SUITE, &err));
    assert_non_null(
        strstr(err.text, "$: expected a member \"entries\", as a suite has; found name, b, c, d, e and 1 more"));
    err = (struct error){0};
    assert_null(kind_read(written("null\n"), KIND_RESULT, &err));
    assert_int_equal(err.status, STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "$: expected object, found null"));
    err = (struct error){0};
    assert_null(kind_read(written("{\"records\": ["), KIND_RESULT, &err));
    assert_non_null(strstr(err.text, "expected more JSON"));
}

// The reader itself reports "kernel" written for "kernels".
static void a_mistake_is_left_to_the_reader(void **state) {
    static const char *const mistakes[] = {"{\"kernel\": [], \"common\": {}}", "{}", "{\"schema_version\": 1}"};
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct error err = {0};
        struct json_object *root = kind_read(written(mistakes[i]), KIND_MANIFEST, &err);
        assert_non_null(root);
        json_object_put(root);
    }
}

// The error names the commands for shaders.
static void a_shader_in_place_of_a_file_is_named(void **state) {
    static const struct {
        const char *name;
        bool exists, shader;
    } rows[] = {{"a.comp", true, true}, {"a.glsl", true, true}, {"a.hlsl", true, true}, {"a.wgsl", true, true},
        {"a.b.spv", true, true}, {"gone.comp", false, false}, {"comp", true, false}, {"a.comp.txt", true, false},
        {"a.com", true, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {0};
        char path[500], words[1100];
        snprintf(path, sizeof path, "%s", in_folder(rows[i].name));
        snprintf(words, sizeof words, "%s is a shader, for `vkassay try %s --operator NAME`", path, path);
        if (rows[i].exists) assert_true(file_write(path, "void", 4, &err));
        kind_not_read(path, KIND_SUITE, &err);
        assert_int_equal(err.status, STATUS_BAD_INPUT);
        if (!strstr(err.text, words) == rows[i].shader) fail_msg("%s: %s", rows[i].name, err.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_file_is_what_its_members_say),
        cmocka_unit_test(another_kind_is_named),
        cmocka_unit_test(a_folder_of_a_run_stands_for_its_result),
        cmocka_unit_test(what_is_no_kind_says_what_it_has),
        cmocka_unit_test(a_mistake_is_left_to_the_reader),
        cmocka_unit_test(a_shader_in_place_of_a_file_is_named),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
