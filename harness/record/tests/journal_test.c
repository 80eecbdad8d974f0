// SPDX-License-Identifier: Apache-2.0
#include "../../base/tests/folder.h"
#include "sample_record.h"

#include "../../base/file.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <cmocka.h>

static struct json_object *numbered(int number) {
    struct record record = sample_record();
    record.repeats = number;
    return record_to_json(&record, false);
}

static struct json_object *context(void) {
    struct json_object *object = json_object_new_object();
    json_put_int(object, "schema_version", RESULT_SCHEMA_VERSION);
    json_put_string(object, "note", "made up");
    return object;
}

static bool append(struct journal *journal, int number, struct error *err) {
    struct json_object *record = numbered(number);
    bool ok = journal_append(journal, record, err);
    json_object_put(record);
    return ok;
}

// A journal of `count` records, closed.
static void write_journal(const char *path, int count) {
    struct error err;
    struct json_object *about = context();
    struct journal *journal = journal_create(path, about, &err);
    assert_non_null(journal);
    for (int i = 0; i < count; i++) assert_true(append(journal, i, &err));
    journal_close(journal);
    json_object_put(about);
}

// Resumes, checks that the records are 0 .. count-1, appends one and closes.
static void resume_and_go_on(const char *path, size_t count) {
    struct arena arena = {0};
    struct error err = {0};
    struct json_object *about, **records;
    size_t found;
    struct journal *journal = journal_resume(path, &arena, &about, &records, &found, &err);
    if (!journal) print_error("%s\n", err.text);
    assert_non_null(journal);
    assert_int_equal(found, count);
    assert_string_equal(json_get_string(about, "note", ""), "made up");
    for (size_t i = 0; i < found; i++) {
        assert_int_equal(json_get_int(records[i], "repeats", -1), i);
        json_object_put(records[i]);
    }
    assert_true(append(journal, (int)count, &err));
    json_object_put(about);
    journal_close(journal);
    arena_free(&arena);
}

static void refused(const char *path, const char *why) {
    struct arena arena = {0};
    struct error err = {0};
    struct json_object *about, **records;
    size_t found;
    assert_null(journal_resume(path, &arena, &about, &records, &found, &err));
    if (!strstr(err.text, why)) print_error("%s\n", err.text);
    assert_non_null(strstr(err.text, why));
    arena_free(&arena);
}

static void add_bytes(const char *path, const char *bytes) {
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs(bytes, file);
    fclose(file);
}

static off_t size_of(const char *path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_size;
}

static void test_resume(void **state) {
    (void)state;
    const char *path = in_folder("whole");
    write_journal(path, 0);
    resume_and_go_on(path, 0);
    resume_and_go_on(path, 1);
    resume_and_go_on(path, 2);
}

// A crash may leave any part of the last line.
static void test_torn_at_every_byte(void **state) {
    (void)state;
    const char *path = in_folder("torn");
    write_journal(path, 2);
    off_t two = size_of(path);
    write_journal(path, 3);
    off_t three = size_of(path);
    for (off_t length = two; length < three; length += 13) {
        write_journal(path, 3);
        assert_int_equal(truncate(path, length), 0);
        resume_and_go_on(path, 2); // and what it appends follows the second record
        assert_int_equal(size_of(path), three);
        resume_and_go_on(path, 3);
    }
    write_journal(path, 3);
    assert_int_equal(truncate(path, three - 1), 0); // the newline alone is missing
    resume_and_go_on(path, 2);
    write_journal(path, 2);
    add_bytes(path, "{\"name\": \"\n"); // blocks of one line may reach the disk in any order
    resume_and_go_on(path, 2);
}

static void test_refused(void **state) {
    (void)state;
    const char *path = in_folder("bad");
    refused(in_folder("missing"), "cannot be opened");
    add_bytes(path, "");
    refused(path, "holds no context");
    add_bytes(path, "{\"schema_version\": 1");
    refused(path, "holds no context");
    assert_int_equal(truncate(path, 0), 0);
    add_bytes(path, "{\"schema_version\": 3}\n");
    refused(path, "bad:1: expected the context");
    write_journal(path, 1);
    add_bytes(path, "not json\n{}\n");
    refused(path, "bad:3: expected one JSON value");
    write_journal(path, 1);
    add_bytes(path, "{\"name\": 3}\n");
    refused(path, "bad:3: $.name: expected string, found int");
}

static void test_one_writer(void **state) {
    (void)state;
    const char *path = in_folder("locked");
    struct error err;
    struct json_object *about = context();
    struct journal *journal = journal_create(path, about, &err);
    assert_non_null(journal);
    off_t size = size_of(path);
    assert_null(journal_create(path, about, &err));
    assert_int_equal(size_of(path), size); // the second did not empty it
    refused(path, "another vkassay");
    journal_close(journal);
    journal = journal_create(path, about, &err);
    assert_non_null(journal);
    journal_close(journal);
    json_object_put(about);
}

static void test_full_from_the_start(void **state) {
    (void)state;
    struct error err;
    struct json_object *about = context();
    assert_null(journal_create("/dev/full", about, &err));
    assert_int_equal(err.status, STATUS_FAULT);
    assert_non_null(strstr(err.text, "No space left"));
    json_object_put(about);
}

// The file may grow by half a record: the append fails, what stood there stays, and resuming works
// once there is room.
static void test_full_half_way(void **state) {
    (void)state;
    const char *path = in_folder("full");
    struct error err;
    struct json_object *about = context();
    struct journal *journal = journal_create(path, about, &err);
    assert_non_null(journal);
    assert_true(append(journal, 0, &err));
    off_t before = size_of(path);
    struct rlimit old, limit;
    getrlimit(RLIMIT_FSIZE, &old);
    limit = (struct rlimit){(rlim_t)before + 300, old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    bool ok = append(journal, 1, &err);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    assert_false(ok);
    assert_non_null(strstr(err.text, "File too large"));
    assert_int_equal(size_of(path), before);
    assert_true(append(journal, 1, &err)); // room again
    journal_close(journal);
    json_object_put(about);
    resume_and_go_on(path, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_torn_at_every_byte),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_one_writer),
        cmocka_unit_test(test_full_from_the_start),
        cmocka_unit_test(test_full_half_way),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
