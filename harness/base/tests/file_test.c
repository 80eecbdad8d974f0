// SPDX-License-Identifier: Apache-2.0
#include "folder.h"

#include "../file.h"
#include "../json.h"
#include "../../../reference/tests/unit.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

static void test_write_and_read(void **state) {
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

// A process that is killed while it writes leaves the old file, and nothing else.
static void a_killed_writer_leaves_nothing(void **state) {
    struct arena arena = {0};
    struct error err;
    char **paths;
    size_t count;
    assert_true(file_make_folder(in_folder("killed"), &err));
    assert_true(file_write(in_folder("killed/file"), "old", 3, &err));
    const pid_t pid = fork();
    if (pid == 0) {
        struct file_out *out = file_begin(in_folder("killed/file"), &err);
        file_put(out, "new", 3);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_true(file_list(&arena, in_folder("killed"), "", &paths, &count, &err));
    assert_int_equal(count, 1);
    assert_string_equal(file_read(&arena, paths[0], NULL, &err), "old");
    arena_free(&arena);
}

// Links to a folder above lead to no file a second time.
static void a_folder_within_itself_is_listed_once(void **state) {
    struct arena arena = {0};
    struct error err;
    char **paths;
    size_t count;
    assert_true(file_make_folder(in_folder("round/inner"), &err));
    assert_true(file_write(in_folder("round/inner/one.json"), "1", 1, &err));
    assert_int_equal(symlink("..", in_folder("round/inner/above")), 0);
    assert_int_equal(symlink(".", in_folder("round/itself")), 0);
    assert_true(file_list(&arena, in_folder("round"), ".json", &paths, &count, &err));
    assert_int_equal(count, 1);
    arena_free(&arena);
}

static void test_folders(void **state) {
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
    struct arena arena = {0};
    assert_string_equal(file_folder(&arena, "a/b/c.json"), "a/b");
    assert_string_equal(file_folder(&arena, "c.json"), ".");
    assert_string_equal(file_folder(&arena, "/c.json"), "/");
    arena_free(&arena);
}

static void a_way_leads_from_a_folder_to_a_file(void **state) {
    struct arena arena = {0};
    struct error err;
    assert_true(file_make_folder(in_folder("way/in"), &err));
    assert_true(file_make_folder(in_folder("way/inner"), &err));
    assert_true(file_write(in_folder("way/in/c"), "", 0, &err));
    assert_true(file_write(in_folder("way/inner/c"), "", 0, &err));
    assert_string_equal(file_way(&arena, in_folder("way/in"), in_folder("way/in/c")), "c");
    assert_string_equal(file_way(&arena, in_folder("way"), in_folder("way/in/../in/c")), "in/c");
    assert_string_equal(file_way(&arena, in_folder("way/in"), in_folder("way/inner/c")), "../inner/c");
    assert_string_equal(file_way(&arena, in_folder("way/inner"), in_folder("way/in/c")), "../in/c");
    assert_string_equal(file_way(&arena, in_folder("way/in"), "way/absent"), "way/absent");
    arena_free(&arena);
}

// Any name becomes a single name within its folder.
static void names_become_those_of_files(void **state) {
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

// ---- compressed files

// Writes `count` times the text, compressed.
static const char *pack(const char *name, const char *text, size_t count) {
    gzFile out = gzopen(in_folder(name), "wb9");
    assert_non_null(out);
    for (size_t i = 0; i < count; i++) assert_int_equal(gzputs(out, text), (int)strlen(text));
    assert_int_equal(gzclose(out), Z_OK);
    return in_folder(name);
}

static void a_compressed_file_is_read_as_its_content(void **state) {
    struct arena arena = {0};
    struct error err;
    size_t length, got;
    char bytes[10];
    char *whole = file_in_whole(&arena, pack("packed", "0123456789", 1000000), &length, &err); // of several blocks
    assert_int_equal(length, 10000000);
    assert_string_equal(whole + length - 10, "0123456789");
    for (size_t i = 0; i < length; i++) assert_int_equal(whole[i], '0' + i % 10);
    struct file_in *in = file_in_open(in_folder("packed"), &err);
    assert_true(file_in_skip_to(in, 123457, &err));
    assert_true(file_in_read(in, bytes, 10, &got, &err));
    assert_int_equal(got, 10);
    assert_memory_equal(bytes, "7890123456", 10);
    assert_true(file_in_skip_to(in, 10000000 - 3, &err));
    assert_true(file_in_read(in, bytes, 10, &got, &err));
    assert_int_equal(got, 3);
    file_in_close(in);
    struct json_object *value = json_read(pack("json", "{\"a\": 1}", 1), &err);
    assert_int_equal(json_get_int(value, "a", 0), 1);
    json_object_put(value);
    assert_true(file_write(in_folder("short"), "\x1f", 1, &err));
    assert_string_equal(file_in_whole(&arena, in_folder("short"), &length, &err), "\x1f");
    arena_free(&arena);
}

static void a_compressed_file_has_a_limit(void **state) {
    struct arena arena = {0};
    struct error err = {0};
    size_t length;
    char block[65536];
    memset(block, ' ', sizeof block - 1);
    block[sizeof block - 1] = '\0';
    const size_t within = FILE_IN_FREE / (sizeof block - 1);
    assert_non_null(file_in_whole(&arena, pack("within", block, within), &length, &err));
    assert_int_equal(length, within * (sizeof block - 1));
    assert_null(file_in_whole(&arena, pack("bomb", block, 2 * within), &length, &err));
    assert_int_equal(err.status, STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "bomb: unpacks to more than 200 times its "));
    assert_int_equal(truncate(pack("cut", "a text of some length", 1000), 40), 0);
    assert_null(file_in_whole(&arena, in_folder("cut"), &length, &err));
    assert_non_null(strstr(err.text, "cut: cannot be unpacked: it ends within"));
    FILE *file = fopen(pack("damaged", "0123456789", 1), "r+");
    assert_int_equal(fseek(file, -8, SEEK_END), 0); // its checksum
    assert_int_equal(fputc(1, file), 1);
    fclose(file);
    assert_null(file_in_whole(&arena, in_folder("damaged"), &length, &err));
    assert_non_null(strstr(err.text, "damaged: cannot be unpacked: "));
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_become_those_of_files),
        cmocka_unit_test(a_way_leads_from_a_folder_to_a_file),
        cmocka_unit_test(test_write_and_read),
        cmocka_unit_test(test_unreadable),
        cmocka_unit_test(test_failed_write),
        cmocka_unit_test(a_killed_writer_leaves_nothing),
        cmocka_unit_test(a_folder_within_itself_is_listed_once),
        cmocka_unit_test(test_folders),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_folder_of),
        cmocka_unit_test(a_compressed_file_is_read_as_its_content),
        cmocka_unit_test(a_compressed_file_has_a_limit),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
