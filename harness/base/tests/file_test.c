// SPDX-License-Identifier: Apache-2.0
#include "folder.h"

#include "../file.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

static void test_write_and_read(void **state) {
    (void)state;
    struct arena arena = {0};
    struct error err;
    size_t length;
    const char *path = in_folder("bytes");
    assert_true(file_write(path, "a\0b", 3, &err));
    char *bytes = file_read(&arena, path, &length, &err);
    assert_non_null(bytes);
    assert_int_equal(length, 3);
    assert_memory_equal(bytes, "a\0b", 4);      // and a NUL after the last
    assert_true(file_write(path, "", 0, &err)); // overwrites
    assert_string_equal(file_read(&arena, path, &length, &err), "");
    assert_int_equal(length, 0);
    assert_true(file_exists(path));
    arena_free(&arena);
}

static void assert_unreadable(const char *path, const char *why) {
    struct arena arena = {0};
    struct error err;
    assert_null(file_read(&arena, path, NULL, &err));
    assert_int_equal(err.status, STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, path));
    assert_non_null(strstr(err.text, why));
    arena_free(&arena);
}

static void test_unreadable(void **state) {
    (void)state;
    assert_unreadable(in_folder("missing"), "No such file");
    assert_unreadable(folder, "regular file");
    assert_unreadable("/dev/zero", "regular file");
    FILE *sparse = fopen(in_folder("huge"), "w");
    assert_non_null(sparse);
    assert_int_equal(ftruncate(fileno(sparse), (off_t)INT_MAX + 1), 0);
    fclose(sparse);
    assert_unreadable(in_folder("huge"), "not read");
    assert_int_equal(unlink(in_folder("huge")), 0);
}

// A failed write leaves the old file, and no temporary file.
static void test_failed_write(void **state) {
    (void)state;
    struct arena arena = {0};
    struct error err;
    char **paths;
    size_t count;
    assert_true(file_make_folder(in_folder("taken/inner"), &err));
    assert_false(file_write(in_folder("taken"), "x", 1, &err)); // a folder is in the way
    assert_int_equal(err.status, STATUS_FAULT);
    assert_true(file_list(&arena, folder, "", &paths, &count, &err));
    for (size_t i = 0; i < count; i++) assert_null(strstr(paths[i], ".part-"));
    assert_false(file_write(in_folder("missing/file"), "x", 1, &err));
    arena_free(&arena);
}

static void test_folders(void **state) {
    (void)state;
    struct error err;
    struct stat info;
    assert_true(file_make_folder(in_folder("a/b/c"), &err));
    assert_true(file_make_folder(in_folder("a/b/c"), &err)); // twice is not an error
    assert_int_equal(stat(in_folder("a/b/c"), &info), 0);
    assert_true(S_ISDIR(info.st_mode));
    assert_true(file_write(in_folder("a/file"), "", 0, &err));
    assert_false(file_make_folder(in_folder("a/file/below"), &err));
}

static void test_list(void **state) {
    (void)state;
    struct arena arena = {0};
    struct error err;
    char **paths;
    size_t count;
    assert_true(file_make_folder(in_folder("list/b"), &err));
    assert_true(file_write(in_folder("list/z.json"), "", 0, &err));
    assert_true(file_write(in_folder("list/b/a.json"), "", 0, &err));
    assert_true(file_write(in_folder("list/a.comp"), "", 0, &err));
    assert_true(file_write(in_folder("list/.hidden.json"), "", 0, &err));
    assert_int_equal(symlink("nowhere", in_folder("list/dangling.json")), 0);
    assert_int_equal(symlink(".", in_folder("list/loop")), 0); // followed to a limited depth
    assert_true(file_list(&arena, in_folder("list"), ".json", &paths, &count, &err));
    assert_string_equal(paths[0], in_folder("list/b/a.json"));
    assert_string_equal(paths[count - 1], in_folder("list/z.json"));
    for (size_t i = 1; i < count; i++) assert_true(strcmp(paths[i - 1], paths[i]) < 0);
    assert_false(file_list(&arena, in_folder("absent"), ".json", &paths, &count, &err));
    assert_int_equal(err.status, STATUS_BAD_INPUT);
    assert_int_equal(unlink(in_folder("list/loop")), 0);
    arena_free(&arena);
}

static void test_folder_of(void **state) {
    (void)state;
    struct arena arena = {0};
    assert_string_equal(file_folder(&arena, "a/b/c.json"), "a/b");
    assert_string_equal(file_folder(&arena, "c.json"), ".");
    assert_string_equal(file_folder(&arena, "/c.json"), "/");
    arena_free(&arena);
}

// Any name becomes a single name within its folder.
static void names_become_those_of_files(void **state) {
    (void)state;
    static const char *const names[][2] = {{"NVIDIA H200", "nvidia-h200"},
        {"llvmpipe (LLVM 15.0.6, 256 bits)", "llvmpipe-llvm-15-0-6-256-bits"}, {"../../x", "x"}, {"..", "unnamed"},
        {".", "unnamed"}, {"", "unnamed"}, {"/", "unnamed"}, {"a/../b", "a-b"}, {"\n;$(x)\xff", "x"}, {"-a-", "a"},
        {"kernel-gate", "kernel-gate"}};
    struct arena arena = {0};
    char longest[5000];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(file_slug(&arena, names[i][0]), names[i][1]);
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(strlen(file_slug(&arena, longest)), 100);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_become_those_of_files),
        cmocka_unit_test(test_write_and_read),
        cmocka_unit_test(test_unreadable),
        cmocka_unit_test(test_failed_write),
        cmocka_unit_test(test_folders),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_folder_of),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
