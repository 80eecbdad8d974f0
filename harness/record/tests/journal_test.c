// SPDX-License-Identifier: Apache-2.0
#include "../../base/tests/folder.h"
#include "sample_record.h"

#include "../../base/file.h"
#include "../../base/kind.h"
#include "../result.h"
#include "../journal.h"
#include "../record.h"
#include "../../../reference/tests/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static struct json_object *numbered(int number) {
    struct record record = sample_record();
    record.repeats = number;
    return record_to_json(&record, false);
}

static struct json_object *context(void) {
    struct json_object *object = json_object_new_object();
    json_put_int(object, "schema_version", RESULT_SCHEMA_VERSION);
    json_put_string(object, "note", "made up");
    json_put(object, "run", json_object_new_object());
    return object;
}

static bool append(struct journal *journal, int number, struct error *err) {
    struct json_object *record = numbered(number);
    bool ok = journal_append(journal, record, err);
    json_object_put(record);
    return ok;
}

// Writes a journal of `count` records and closes it.
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

// The second of three records is changed: the others stay, and its point is run again.
static void a_changed_line_is_left_out(void **state) {
    struct arena arena = {0};
    struct error err = {0};
    struct json_object *about, **records;
    size_t length, found;
    const char *path = in_folder("changed");
    write_journal(path, 3);
    char *text = file_read(&arena, path, &length, &err), *second = strstr(text, "\"repeats\":1");
    assert_non_null(second);
    second[strlen("\"repeats\":")] = '7';
    assert_true(file_write(path, text, length, &err));
    struct journal *journal = journal_resume(path, &arena, &about, &records, &found, &err);
    if (!journal) fail_msg("%s", err.text);
    assert_int_equal(found, 2);
    for (size_t i = 0; i < 2; i++) {
        struct text line = {0};
        assert_int_equal(json_get_int(records[i], "repeats", -1), 2 * i);
        assert_true(record_line(records[i], &line, &err));
        assert_null(strstr(text_str(&line), "crc32"));
        text_free(&line);
        json_object_put(records[i]);
    }
    struct json_object *bad = json_get(json_get(about, "run"), JOURNAL_BAD_LINES);
    assert_int_equal(json_object_array_length(bad), 1);
    assert_int_equal(json_object_get_int(json_object_array_get_idx(bad, 0)), 3);
    assert_true(append(journal, 1, &err));
    json_object_put(about);
    journal_close(journal);
    arena_free(&arena);
}

static void test_resume(void **state) {
    const char *path = in_folder("whole");
    write_journal(path, 0);
    resume_and_go_on(path, 0);
    resume_and_go_on(path, 1);
    resume_and_go_on(path, 2);
}

// Resuming removes anything after the last whole line, of any length.
static void test_a_torn_line_goes(void **state) {
    static char torn[20000];
    const char *path = in_folder("long");
    write_journal(path, 3);
    off_t whole = size_of(path);
    write_journal(path, 2);
    memset(torn, 'x', sizeof torn - 1);
    add_bytes(path, torn);
    resume_and_go_on(path, 2);
    assert_int_equal(size_of(path), whole);
}

// The end of a finished run stays until more is appended. Nothing may follow it.
static void the_end_goes_when_a_run_goes_on(void **state) {
    const char *path = in_folder("ended");
    write_journal(path, 2);
    off_t two = size_of(path);
    write_journal(path, 3);
    off_t three = size_of(path);
    write_journal(path, 2);
    add_bytes(path, "{\"end\":{\"records\":2}}\n");
    struct arena arena = {0};
    struct error err;
    struct json_object *about, **records;
    size_t count;
    struct journal *journal = journal_resume(path, &arena, &about, &records, &count, &err);
    assert_non_null(journal);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < count; i++) json_object_put(records[i]);
    json_object_put(about);
    journal_close(journal);
    arena_free(&arena);
    assert_true(size_of(path) > two);
    resume_and_go_on(path, 2);
    assert_int_equal(size_of(path), three);
    add_bytes(path, "{\"end\":{\"records\":3}}\n{}\n");
    refused(path, "ended:5: expected nothing after this end");
}

// Parts of an exhaustive check are within lines of their own, and come back as they were.
static void parts_come_back(void **state) {
    const char *path = in_folder("parts");
    struct arena arena = {0};
    struct error err;
    struct json_object *about = context(), **records;
    struct record r = sample_record();
    size_t count;
    r.part = true;
    struct json_object *part = record_to_json(&r, true);
    struct journal *journal = journal_create(path, about, &err);
    assert_true(journal_append(journal, part, &err));
    journal_close(journal);
    json_object_put(about);
    assert_non_null(strstr(file_read(&arena, path, NULL, &err), "\n{\"part\":{\"name\":"));
    journal = journal_resume(path, &arena, &about, &records, &count, &err);
    assert_non_null(journal);
    assert_int_equal(count, 1);
    assert_string_equal(json_object_to_json_string(records[0]), json_object_to_json_string(part));
    journal_close(journal);
    json_object_put(records[0]);
    json_object_put(part);
    json_object_put(about);
    arena_free(&arena);
}

// What follows the last record to keep is replaced by the next one.
static void a_journal_goes_back(void **state) {
    const char *path = in_folder("back");
    for (int kept = 0; kept <= 3; kept++) {
        struct arena arena = {0};
        struct error err;
        struct json_object *about, **records;
        size_t count;
        struct record r = sample_record();
        r.peak = NULL; // a peak is not evicted
        r.part = false;
        struct json_object *record = record_to_json(&r, true);
        write_journal(path, 0);
        struct journal *journal = journal_resume(path, &arena, &about, &records, &count, &err);
        for (int i = 0; i < 4; i++) assert_true(journal_append(journal, record, &err));
        journal_close(journal);
        json_object_put(about);
        journal = journal_resume(path, &arena, &about, &records, &count, &err);
        assert_int_equal(count, 4);
        journal_rewind(journal, kept ? records[kept - 1] : NULL);
        assert_true(journal_append(journal, record, &err));
        for (size_t i = 0; i < count; i++) json_object_put(records[i]);
        json_object_put(about);
        json_object_put(record);
        journal_close(journal);
        journal = journal_resume(path, &arena, &about, &records, &count, &err);
        assert_int_equal(count, kept + 1);
        for (size_t i = 0; i < count; i++) json_object_put(records[i]);
        json_object_put(about);
        journal_close(journal);
        arena_free(&arena);
    }
}

// A crash may leave any part of the last line.
static void test_torn_at_every_byte(void **state) {
    const char *path = in_folder("torn");
    write_journal(path, 2);
    off_t two = size_of(path);
    write_journal(path, 3);
    off_t three = size_of(path);
    for (off_t length = two; length < three; length += 13) {
        write_journal(path, 3);
        assert_int_equal(truncate(path, length), 0);
        resume_and_go_on(path, 2); // its new record follows the second one
        assert_int_equal(size_of(path), three);
        resume_and_go_on(path, 3);
    }
    write_journal(path, 3);
    assert_int_equal(truncate(path, three - 1), 0); // only the newline is missing
    resume_and_go_on(path, 2);
    write_journal(path, 2);
    add_bytes(path, "{\"name\": \"\n"); // blocks of one line may reach the disk in any order
    resume_and_go_on(path, 2);
}

static void test_refused(void **state) {
    const char *path = in_folder("bad");
    refused(in_folder("missing"), "cannot be opened");
    add_bytes(path, "");
    refused(path, "holds no context");
    add_bytes(path, "{\"schema_version\": 1");
    refused(path, "holds no context");
    assert_int_equal(truncate(path, 0), 0);
    for (int version = 1; version <= 3; version += 2) {
        assert_int_equal(truncate(path, 0), 0);
        add_bytes(path, version == 1 ? "{\"schema_version\": 1}\n" : "{\"schema_version\": 3}\n");
        refused(path, "bad:1: expected the context");
    }
    write_journal(path, 1);
    add_bytes(path, "not json\n{}\n");
    refused(path, "bad:4: $: expected a member \"name\""); // line 3 is left out
    write_journal(path, 1);
    add_bytes(path, "{\"name\": 3}\n");
    refused(path, "bad:3: $.name: expected string, found int");
}

static void test_one_writer(void **state) {
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
    struct error err;
    struct json_object *about = context();
    assert_null(journal_create("/dev/full", about, &err));
    assert_int_equal(err.status, STATUS_FAULT);
    assert_non_null(strstr(err.text, "No space left"));
    json_object_put(about);
}

// The file may grow by half a record. The append fails, the old lines stay, and resuming works once there is room.
static void test_full_half_way(void **state) {
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

static size_t open_files(void) {
    size_t count = 0;
    for (int fd = 0; fd < 1024; fd++) count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

// A resumed journal has one file open, and a refused or closed one none.
static void a_resumed_journal_is_one_open_file(void **state) {
    const size_t before = open_files();
    const char *path = in_folder("open");
    struct arena arena = {0};
    struct error err;
    struct json_object *about, **records;
    size_t count;
    write_journal(path, 0);
    assert_int_equal(open_files(), before);
    struct journal *journal = journal_resume(path, &arena, &about, &records, &count, &err);
    assert_non_null(journal);
    assert_int_equal(open_files(), before + 1);
    journal_close(journal);
    json_object_put(about);
    about = kind_head(path, &err);
    assert_non_null(about);
    json_object_put(about);
    add_bytes(path, "not json\n{}\n");
    refused(path, "expected a member \"name\"");
    assert_int_equal(open_files(), before);
    arena_free(&arena);
}

static const char *device_at(struct json_object *context, size_t at) {
    return json_object_get_string(json_object_array_get_idx(json_get(json_get(context, "run"), "devices"), at));
}

// A run that goes on with other devices lists each once, the first one before them, and also when it is read again.
static void a_run_lists_its_devices(void **state) {
    static const char *const order[] = {"aa", "bb", "bb", "aa", "cc"};
    const char *path = in_folder("devices");
    struct arena arena = {0};
    struct error err;
    struct json_object *about = context(), **records, *device = json_object_new_object();
    size_t count;
    json_put_string(device, "device_uuid", "aa");
    json_put(about, "device", device);
    json_put(about, "run", json_object_new_object());
    struct journal *journal = journal_create(path, about, &err);
    assert_non_null(journal);
    assert_true(journal_goes_on_with(journal, about, "aa", &err));
    assert_null(json_get(json_get(about, "run"), "devices"));
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        assert_true(journal_goes_on_with(journal, about, order[i], &err));
    for (int again = 0; again <= 1; again++) {
        assert_int_equal(json_object_array_length(json_get(json_get(about, "run"), "devices")), 3);
        assert_string_equal(device_at(about, 0), "aa");
        assert_string_equal(device_at(about, 1), "bb");
        assert_string_equal(device_at(about, 2), "cc");
        json_object_put(about);
        journal_close(journal);
        if (again) break;
        journal = journal_resume(path, &arena, &about, &records, &count, &err);
        assert_non_null(journal);
        assert_int_equal(count, 0);
    }
    arena_free(&arena);
}

// Returns the record as its line has it; NULL with err.
static struct json_object *whole_of(struct json_object *record, struct error *err) {
    struct text line = {0};
    struct json_object *whole = record_line(record, &line, err) ? json_parse(text_str(&line), line.length) : NULL;
    text_free(&line);
    return whole;
}

// Shed members come back unchanged, from lines of this run and of a resumed one.
static void test_evicted(void **state) {
    const char *path = in_folder("evicted");
    struct arena arena = {0};
    struct error err;
    struct json_object *about = context(), **records;
    struct record r = sample_record();
    r.expected.status = r.expected.reason = r.peak = NULL;
    r.part = false;
    struct json_object *record = record_to_json(&r, true), *before = record_to_json(&r, true), *whole;
    size_t count;
    struct journal *journal = journal_create(path, about, &err);
    assert_true(journal_append(journal, before, &err) && journal_append(journal, record, &err));
    journal_evict(journal, record);
    journal_close(journal);
    assert_null(json_get(record, "check"));
    assert_int_equal(json_object_object_length(json_get(record, "time")), 0);
    assert_string_equal(json_get_string(record, "name", ""), r.name);
    whole = whole_of(record, &err);
    assert_string_equal(json_object_to_json_string(whole), json_object_to_json_string(before));
    json_object_put(whole);
    json_object_put(about);
    journal = journal_resume(path, &arena, &about, &records, &count, &err);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < count; i++) {
        assert_null(json_get(records[i], "check"));
        whole = whole_of(records[i], &err);
        assert_string_equal(json_object_to_json_string(whole), json_object_to_json_string(before));
        json_object_put(whole);
    }
    journal_close(journal);
    assert_int_equal(truncate(path, 10), 0);
    assert_null(whole_of(records[1], &err));
    assert_non_null(strstr(err.text, "cannot be read again"));
    for (size_t i = 0; i < count; i++) json_object_put(records[i]);
    json_object_put(record);
    json_object_put(before);
    json_object_put(about);
    arena_free(&arena);
}

// Peaks stay because all estimates use them, and parts of a sweep because they are summed up. All of their samples
// stay too, also when the run is resumed.
static void test_not_evicted(void **state) {
    struct arena arena = {0};
    struct error err;
    struct json_object *about = context(), *before[2], **records;
    struct record r = sample_record();
    size_t count;
    struct journal *journal = journal_create(in_folder("kept"), about, &err);
    for (int sweep = 0; sweep <= 1; sweep++) {
        r.peak = sweep ? NULL : "copy_bytes_per_s";
        r.part = sweep;
        struct json_object *record = before[sweep] = record_to_json(&r, true);
        assert_true(journal_append(journal, record, &err));
        journal_evict(journal, record);
        assert_non_null(json_get(json_get(json_get(record, "time"), "upload"), "raw_ns"));
    }
    journal_close(journal);
    json_object_put(about);
    journal = journal_resume(in_folder("kept"), &arena, &about, &records, &count, &err);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < 2; i++) {
        struct json_object *whole = whole_of(records[i], &err);
        assert_string_equal(json_object_to_json_string(whole), json_object_to_json_string(before[i]));
        json_object_put(whole);
        json_object_put(records[i]);
        json_object_put(before[i]);
    }
    journal_close(journal);
    json_object_put(about);
    arena_free(&arena);
}

// Returns the most memory of a child that resumes a journal, in KiB.
static long resume_in_child(const char *path, size_t expected) {
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        struct arena arena = {0};
        struct error err;
        struct json_object *about, **records;
        size_t count;
        struct journal *journal = journal_resume(path, &arena, &about, &records, &count, &err);
        _exit(journal && count == expected ? 0 : 1);
    }
    struct rusage usage;
    int status;
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    assert_int_equal(status, 0);
    return usage.ru_maxrss;
}

// 60 MB of samples; as JSON objects they would take half a gigabyte. AddressSanitizer keeps some freed memory.
#ifdef __SANITIZE_ADDRESS__
static const long most_kib = 200000;
#else
static const long most_kib = 40000;
#endif
static void test_resume_holds_little(void **state) {
    enum { RECORDS = 3000, SAMPLES = 300 };
    const char *path = in_folder("large");
    struct error err;
    struct record r = sample_record();
    static double samples[SAMPLES];
    r.peak = NULL;
    r.part = false;
    for (int i = 0; i < SAMPLES; i++) samples[i] = 1000.0 / 3 + i;
    for (int f = 0; f < FIGURE_COUNT; f++) {
        r.time[f] = summarize(samples, SAMPLES);
        r.samples[f] = samples;
    }
    struct json_object *about = context(), *record = record_to_json(&r, true);
    struct journal *journal = journal_create(path, about, &err);
    assert_true(journal_append(journal, record, &err));
    journal_close(journal);
    long least = resume_in_child(path, 1);
    size_t length;
    const char *line = json_object_to_json_string_length(record, JSON_C_TO_STRING_PLAIN, &length);
    FILE *file = fopen(path, "a");
    for (int i = 1; i < RECORDS; i++) fprintf(file, "%s\n", line);
    fclose(file);
    assert_true(size_of(path) > 60000000);
    long more = resume_in_child(path, RECORDS) - least;
    if (more > most_kib) fail_msg("%ld KiB for %d records", more, RECORDS);
    json_object_put(record);
    json_object_put(about);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resume),
        cmocka_unit_test(a_changed_line_is_left_out),
        cmocka_unit_test(test_a_torn_line_goes),
        cmocka_unit_test(test_torn_at_every_byte),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_one_writer),
        cmocka_unit_test(test_full_from_the_start),
        cmocka_unit_test(test_full_half_way),
        cmocka_unit_test(a_resumed_journal_is_one_open_file),
        cmocka_unit_test(a_run_lists_its_devices),
        cmocka_unit_test(the_end_goes_when_a_run_goes_on),
        cmocka_unit_test(parts_come_back),
        cmocka_unit_test(a_journal_goes_back),
        cmocka_unit_test(test_evicted),
        cmocka_unit_test(test_not_evicted),
        cmocka_unit_test(test_resume_holds_little),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
