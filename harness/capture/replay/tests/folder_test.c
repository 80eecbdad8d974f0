// SPDX-License-Identifier: Apache-2.0
#include "../folder.h"

#include "../../../base/file.h"
#include "../../../base/hash.h"
#include "../../../base/tests/folder.h"
#include "../../../base/text.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#define DEVICE                                                                                                         \
    "{\"capture\":1,\"program\":[\"a program\",\"-x\"],\"device\":{\"name\":\"GPU\",\"driver_name\":\"D\"}}\n"
#define HASH "07f01a1dba5bb073b3dfff2a465ab064" // of no bytes
#define PIPELINE "{\"pipeline\":1,\"device\":0,\"module\":\"" HASH "\",\"entry\":\"main\",\"push_bytes\":4}\n"
#define OPERANDS(MEMBERS) "\"operands\":[{\"set\":0,\"binding\":1,\"type\":\"storage\"," MEMBERS "}]"
#define SMALL OPERANDS("\"offset\":0,\"bytes\":8,\"memory\":1")
#define DISPATCH(MEMBERS) "{\"dispatch\":1,\"pipeline\":1,\"signature\":\"" HASH "\"," MEMBERS "}\n"
#define GRID "\"grid\":[1,2,3],\"push\":\"01020304\","
#define END "{\"end\":true,\"signatures\":[{\"signature\":\"" HASH "\",\"count\":7,\"ns\":70}],\"not_recorded\":[]}\n"

static struct arena arena;

static const char *hash_of(const void *bytes, size_t length) {
    static char text[CONTENT_HASH_DIGITS + 1];
    content_hash_text(content_hash(bytes, length), text);
    return text;
}

static bool read_text(const char *text, struct capture *out, struct error *err) {
    assert_true(file_write(in_folder("capture-1.jsonl"), text, strlen(text), err));
    return capture_read(&arena, folder, out, err);
}

static void refused(const char *text, const char *line, const char *why) {
    struct capture capture;
    struct error err = {0};
    char begin[500];
    snprintf(begin, sizeof begin, "%s:%s: ", in_folder("capture-1.jsonl"), line);
    if (read_text(text, &capture, &err)) fail_msg("not refused: %s", why);
    assert_int_equal(err.status, STATUS_BAD_INPUT);
    if (strncmp(err.text, begin, strlen(begin)) != 0 || !strstr(err.text, why)) fail_msg("%s", err.text);
}

static void a_folder_is_read(void **state) {
    struct capture capture;
    struct error err;
    if (!read_text(DEVICE PIPELINE DISPATCH(GRID SMALL) DISPATCH(GRID SMALL) END, &capture, &err))
        fail_msg("%s", err.text);
    assert_null(capture.incomplete);
    assert_string_equal(capture.program, "'a program' -x");
    assert_int_equal(capture.dispatch_count, 1); // both have one signature
    const struct captured_dispatch *d = &capture.dispatches[0];
    assert_int_equal(d->count, 7);
    assert_true(d->ns == 70);
    assert_int_equal(d->grid[2], 3);
    assert_int_equal(d->operands[0].bytes, 8);
    assert_null(d->operands[0].before);
    assert_string_equal(d->pipeline->device->name, "GPU");
    assert_string_equal(d->pipeline->device->driver_info, "");
}

static void without_an_end_it_is_incomplete(void **state) {
    struct capture capture;
    struct error err;
    const char *torn = DEVICE PIPELINE DISPATCH(GRID SMALL) DISPATCH(GRID SMALL) "{\"dispatch\":2,\"pip";
    if (!read_text(torn, &capture, &err)) fail_msg("%s", err.text);
    assert_non_null(capture.incomplete);
    assert_int_equal(capture.dispatches[0].count, 2);
    assert_true(isnan(capture.dispatches[0].ns));
}

static void damaged_lines_are_refused_by_their_place(void **state) {
    refused("{\n", "1", "no JSON");
    refused("[1]\n", "1", "expected an object");
    refused("{\"device\":{}}\n", "1", "expected an object with");
    refused("{\"capture\":1,\"device\":[]}\n", "1", "expected object");
    refused(DEVICE DEVICE "{\"capture\":1,\"at\":1,\"device\":{}}\n", "3", "a second device 1");
    refused(PIPELINE, "1", "expected a line about device 0");
    refused(DEVICE PIPELINE PIPELINE, "3", "a second pipeline 1");
    refused(DEVICE DISPATCH(GRID SMALL), "2", "expected a line about pipeline 1");
    refused(DEVICE END DEVICE, "3", "a line behind the end");
    refused(DEVICE "{\"pipeline\":1,\"module\":\"../../etc/passwd\",\"entry\":\"main\"}\n", "2", "expected a hash");
    refused(DEVICE "{\"pipeline\":-1,\"module\":\"" HASH "\",\"entry\":\"main\"}\n", "2", "$.pipeline");
    refused(DEVICE "{\"pipeline\":1,\"module\":\"" HASH "\",\"entry\":\"main\",\"push_bytes\":65536}\n", "2", "4096");
    refused(DEVICE "{\"pipeline\":1,\"module\":\"" HASH
                   "\",\"entry\":\"main\",\"constants\":[{\"id\":1,\"bytes\":\"0\"}]}\n",
        "2", "hexadecimal digits");
}

static void damaged_dispatches_are_refused(void **state) {
    refused(DEVICE PIPELINE DISPATCH("\"grid\":[1,2],\"push\":\"01020304\"," SMALL), "3", "$.grid");
    refused(DEVICE PIPELINE DISPATCH("\"grid\":[1,0,1],\"push\":\"01020304\"," SMALL), "3", "not empty");
    refused(DEVICE PIPELINE DISPATCH("\"grid\":[1,-1,1],\"push\":\"01020304\"," SMALL), "3", "$.grid[1]");
    refused(DEVICE PIPELINE DISPATCH("\"grid\":[1,4294967296,1],\"push\":\"01020304\"," SMALL), "3", "$.grid[1]");
    refused(
        DEVICE PIPELINE DISPATCH("\"grid\":[1,1,1],\"push\":\"0102\"," SMALL), "3", "expected 4 push bytes, found 2");
    refused(DEVICE PIPELINE DISPATCH("\"grid\":[1,1,1],\"push\":\"0102030x\"," SMALL), "3", "hexadecimal digits");
    refused(DEVICE PIPELINE DISPATCH(GRID "\"operands\":{}"), "3", "$.operands");
    refused(DEVICE PIPELINE DISPATCH(GRID OPERANDS("\"offset\":0,\"bytes\":-8,\"memory\":1")), "3", "bytes");
    refused(DEVICE PIPELINE DISPATCH(GRID OPERANDS("\"offset\":9223372036854775807,\"bytes\":8,\"memory\":1")), "3",
        "offset");
    refused(DEVICE PIPELINE DISPATCH(GRID OPERANDS("\"offset\":0,\"bytes\":8,\"memory\":1,\"before\":\"" HASH "\"")),
        "3", ".bin is not there");
}

static void contents_are_held_to_their_name(void **state) {
    static const char bytes[] = "eight by";
    unsigned char got[9];
    struct capture capture;
    struct error err;
    const char *hash = hash_of(bytes, 8), *path = arena_format(&arena, "%s/operands/%s.bin", folder, hash);
    assert_true(file_make_folder(in_folder("operands"), &err) && file_write(path, bytes, 8, &err));
    const char *text = arena_format(&arena,
        DEVICE PIPELINE DISPATCH(GRID OPERANDS("\"offset\":0,\"bytes\":%d,\"memory\":1,"
                                               "\"before\":\"%s\"")),
        8, hash);
    if (!read_text(text, &capture, &err)) fail_msg("%s", err.text);
    assert_true(capture_operand(folder, hash, got, 8, &err));
    assert_memory_equal(got, bytes, 8);
    assert_false(capture_operand(folder, hash, got, 7, &err));
    assert_non_null(strstr(err.text, "expected 7 bytes, found more"));
    assert_false(capture_operand(folder, hash, got, 9, &err));
    assert_true(file_write(path, "eight bY", 8, &err));
    assert_false(capture_operand(folder, hash, got, 8, &err));
    assert_non_null(strstr(err.text, "expected bytes with this hash"));
    assert_true(file_write(path, bytes, 7, &err));
    assert_false(read_text(text, &capture, &err));
    assert_non_null(strstr(err.text, "has 7 bytes, expected 8"));
    assert_false(capture_module_check(folder, hash, &err));
}

// A link to itself, and one to a device that never ends.
static void links_to_nowhere_are_refused(void **state) {
    struct capture capture;
    struct error err;
    char got[8];
    const char *path = arena_format(&arena, "%s/operands/%s.bin", folder, HASH);
    const char *text = arena_format(&arena,
        DEVICE PIPELINE DISPATCH(GRID OPERANDS("\"offset\":0,\"bytes\":8,\"memory\":1,"
                                               "\"before\":\"%s\"")),
        HASH);
    assert_true(file_make_folder(in_folder("operands"), &err));
    for (int i = 0; i < 2; i++) {
        unlink(path);
        assert_int_equal(symlink(i ? "/dev/zero" : path, path), 0);
        assert_false(read_text(text, &capture, &err));
        assert_non_null(strstr(err.text, "is not there"));
        assert_false(capture_operand(folder, HASH, got, 8, &err));
    }
}

static void only_a_folder_of_captures_is_one(void **state) {
    struct error err;
    assert_true(file_write(in_folder("capture-1.jsonl"), "", 0, &err));
    assert_true(capture_is_folder(folder));
    assert_false(capture_is_folder(in_folder("capture-1.jsonl")));
    unlink(in_folder("capture-1.jsonl"));
    assert_true(
        file_write(in_folder("capture-.jsonl"), "", 0, &err) && file_write(in_folder("capture-1"), "", 0, &err));
    assert_false(capture_is_folder(folder));
}

static int release(void **state) {
    arena_free(&arena);
    return folder_remove(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_is_read),
        cmocka_unit_test(without_an_end_it_is_incomplete),
        cmocka_unit_test(damaged_lines_are_refused_by_their_place),
        cmocka_unit_test(damaged_dispatches_are_refused),
        cmocka_unit_test(contents_are_held_to_their_name),
        cmocka_unit_test(links_to_nowhere_are_refused),
        cmocka_unit_test(only_a_folder_of_captures_is_one),
    };
    return cmocka_run_group_tests(tests, folder_make, release);
}
