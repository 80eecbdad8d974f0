// SPDX-License-Identifier: Apache-2.0
#include "folder.h"

#include "../file.h"
#include "../json.h"
#include "../json_parse.h"
#include "../../../reference/tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct json_passed passed = {"time", "raw", "kept", "raw_count"};

// The items received, one by one.
struct collected {
    struct json_object *items;
    const char *file; // the whole file's bytes, or NULL
    size_t count, stop;
};

static bool collect(void *user, const struct json_met *item, struct error *err) {
    struct collected *collected = user;
    char path[40];
    snprintf(path, sizeof path, "$.list[%zu]", collected->count);
    assert_string_equal(item->at.path, path);
    if (collected->file) assert_memory_equal(item->bytes, collected->file + item->offset, item->length);
    if (collected->stop && collected->count == collected->stop) return json_fail(&item->at, err, "enough");
    collected->count++;
    json_object_array_add(collected->items, json_object_get(item->at.value));
    return true;
}

static struct json_object *read_bytes(
    const char *bytes, size_t length, struct collected *collected, bool pass, struct error *err) {
    const struct json_list list = {"list", pass ? &passed : NULL, collect, collected, false};
    assert_true(file_write(in_folder("list.json"), bytes, length, err));
    collected->items = json_object_new_array();
    collected->file = bytes;
    collected->count = 0;
    return json_read_list(in_folder("list.json"), &list, err);
}

// Asserts that the object equals the one from json_read.
static void assert_same(const char *text) {
    struct collected collected = {0};
    struct error err;
    struct json_object *got = read_bytes(text, strlen(text), &collected, false, &err);
    if (!got) fail_msg("%s", err.text);
    struct json_object *want = json_read(in_folder("list.json"), &err);
    assert_non_null(want);
    json_put(got, "list", collected.items);
    assert_true(json_object_equal(got, want));
    json_object_put(got);
    json_object_put(want);
}

static void items_come_one_by_one(void **state) {
    assert_same("{\"list\": []}");
    assert_same(
        " {\"a\": 1 , \"list\" : [ 1, \"x]\\\"\", null, true, -2.5e3, {\"l\": [[1], {}]} , [ ] ] , \"b\":{}}\n\n");
    assert_same("{\"list\":[{\"a\":\"\\u00e9\xc3\xa9\"}],\"list2\":[1],\"c\":\"{\"}");
}

static void an_item_may_be_larger_than_any_buffer(void **state) {
    const size_t length = 5000000;
    char *text = malloc(2 * length + 100), *at = text;
    struct collected collected = {0};
    struct error err;
    at += sprintf(at, "{\"list\": [{\"text\": \"");
    memset(at, 'a', length);
    at += length;
    at += sprintf(at, "\"}, [");
    for (size_t i = 0; i < length / 2; i++) at += sprintf(at, "7,");
    at += sprintf(at, "8]], \"after\": 1}");
    struct json_object *got = read_bytes(text, (size_t)(at - text), &collected, false, &err);
    assert_non_null(got);
    assert_int_equal(collected.count, 2);
    assert_int_equal(
        json_object_get_string_len(json_get(json_object_array_get_idx(collected.items, 0), "text")), (int)length);
    assert_int_equal(json_object_array_length(json_object_array_get_idx(collected.items, 1)), length / 2 + 1);
    assert_int_equal(json_get_int(got, "after", 0), 1);
    json_object_put(got);
    json_object_put(collected.items);
    free(text);
}

// A string without an end, longer than what is read of a value.
static void a_value_of_any_length_is_not_read(void **state) {
    struct collected collected = {0};
    struct json_list list = {"list", NULL, collect, &collected, NULL, false};
    struct error err;
    (void)state;
    char *piece = malloc(FILE_IN_WHOLE / 64);
    assert_non_null(piece);
    memset(piece, 'a', FILE_IN_WHOLE / 64);
    struct file_out *out = file_begin(in_folder("list.json"), &err);
    file_put(out, "{\n\"x\": \"", 8);
    for (int i = 0; i < 64; i++) file_put(out, piece, FILE_IN_WHOLE / 64);
    free(piece);
    assert_true(file_finish(out, true, &err));
    assert_null(json_read_list(in_folder("list.json"), &list, &err));
    assert_non_null(strstr(err.text, "list.json:2: a value above 256 MiB is not read"));
}

static void arrays_of_numbers_are_counted(void **state) {
    static const char text[] =
        "{\"list\": [{\"time\": {\"a\": {\"n\": 3, \"raw\": [1, -2.5,\n 3e2 ]}, \"kept\": {\"raw\": [4, 5]},"
        " \"b\": {\"raw\": []}}, \"raw\": [6], \"other\": {\"a\": {\"raw\": [7]}}, \"note\": \"a\\\"raw\\\": [8]\"}]}";
    struct collected collected = {0};
    struct error err;
    struct json_object
        *got = read_bytes(text, strlen(text), &collected, true, &err),
        *want = json_tokener_parse(
            "{\"time\": {\"a\": {\"n\": 3, \"raw_count\": 3}, \"kept\": {\"raw\": [4, 5]}, \"b\": {\"raw_count\": 0}},"
            " \"raw\": [6], \"other\": {\"a\": {\"raw\": [7]}}, \"note\": \"a\\\"raw\\\": [8]\"}");
    assert_non_null(got);
    assert_true(json_object_equal(json_object_array_get_idx(collected.items, 0), want));
    json_object_put(want);
    json_object_put(got);
    json_object_put(collected.items);
}

// The first 16 arrays of an item are counted, and the others are read.
static void arrays_beyond_the_most_are_read(void **state) {
    char text[2000], key[10];
    int length = snprintf(text, sizeof text, "{\"list\": [{\"time\": {");
    for (int i = 0; i < JSON_PASSED + 2; i++)
        length += sprintf(text + length, "%s\"k%d\": {\"raw\": [%d, 2]}", i ? ", " : "", i, i);
    length += sprintf(text + length, "}}]}");
    struct collected collected = {0};
    struct error err;
    struct json_object *got = read_bytes(text, (size_t)length, &collected, true, &err);
    struct json_object *item = json_object_array_get_idx(collected.items, 0);
    for (int i = 0; i < JSON_PASSED + 2; i++) {
        snprintf(key, sizeof key, "k%d", i);
        struct json_object *at = json_get(json_get(item, "time"), key);
        assert_int_equal(json_get_int(at, "raw_count", -1), i < JSON_PASSED ? 2 : -1);
        assert_int_equal(json_get(at, "raw") != NULL, i >= JSON_PASSED);
    }
    json_object_put(got);
    json_object_put(collected.items);
}

// The parser checks anything but a plain number: nothing bad is skipped.
static void what_is_no_number_is_not_passed_over(void **state) {
    static const char *const arrays[] = {"[1e999]", "[null]", "[\"1\"]", "[1, [2]]"};
    static const char *const broken[] = {"[1 2]", "[01]", "[+1]", "[1,]", "[-]", "[1e]", "[nan]", "[,1]",
        "[12345678901234567890123456789012345678901234567890]"};
    struct collected collected = {0};
    struct error err;
    char text[200];
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        snprintf(text, sizeof text, "{\"list\": [{\"time\": {\"a\": {\"raw\": %s}}}]}", arrays[i]);
        struct json_object *got = read_bytes(text, strlen(text), &collected, true, &err);
        assert_non_null(got);
        struct json_object *a = json_get(json_get(json_object_array_get_idx(collected.items, 0), "time"), "a");
        assert_true(json_object_is_type(json_get(a, "raw"), json_type_array));
        json_object_put(got);
        json_object_put(collected.items);
    }
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        snprintf(text, sizeof text, "{\n\"list\": [{\"time\": {\"a\": {\"raw\":\n%s}}}]}", broken[i]);
        if (read_bytes(text, strlen(text), &collected, true, &err)) fail_msg("%s is taken", broken[i]);
        if (!strstr(err.text, "list.json:3: not JSON")) fail_msg("%s: %s", broken[i], err.text);
        json_object_put(collected.items);
    }
}

static void refusals_name_the_place(void **state) {
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "list.json:1: not JSON: expected more JSON, found the end"},
        {"{\n\"list\": [1,\n", "list.json:3: not JSON: expected more JSON, found the end"},
        {"{\n\"list\": [1,\n{\"a\": [1", "list.json:3: not JSON: expected more JSON, found the end"},
        {"{\"list\": [1]\n", "list.json:2: not JSON: expected more JSON, found the end"},
        {"{\"list\": [1]}\n\n{}", "list.json:3: not JSON: expected the end of the file"},
        {"{\n\"list\": [1,\n{\"a\":\nb}]}", "list.json:4: not JSON"},
        {"{\n\"list\": [1 2]}", "list.json:2: not JSON: expected ',' or ']'"},
        {"{\"list\": [1,]}", "list.json:1: not JSON"},
        {"{\"list\": [,1]}", "list.json:1: not JSON"},
        {"{\"list\": [1}}", "list.json:1: not JSON"},
        {"{\"list\": [1],}", "list.json:1: not JSON: expected the quoted name"},
        {"{\"list\" [1]}", "list.json:1: not JSON: expected a colon"},
        {"{\n\n\"a\": \"\xff\"}", "list.json:3: not JSON"},
        {"{\"list\": [1], \"list\": [2]}", "list.json: $: the member \"list\" occurs twice"},
        {"[1]", "list.json: $: expected object, found array"},
        {"null", "list.json: $: expected object, found null"},
        {"7", "list.json: $: expected object, found int"},
        {"x", "list.json:1: not JSON"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct collected collected = {0};
        struct error err = {0};
        assert_null(read_bytes(cases[i].text, strlen(cases[i].text), &collected, true, &err));
        assert_int_equal(err.status, STATUS_BAD_INPUT);
        if (!strstr(err.text, cases[i].why)) fail_msg("%s: %s", cases[i].text, err.text);
        json_object_put(collected.items);
    }
}

static void depth_and_bytes_of_zero_are_refused(void **state) {
    struct collected collected = {0};
    struct error err = {0};
    const size_t length = 3000000;
    char *deep = malloc(length);
    memset(deep, '[', length);
    memcpy(deep, "{\"list\": ", 9);
    assert_null(read_bytes(deep, length, &collected, true, &err));
    assert_non_null(strstr(err.text, "list.json:1: not JSON: nesting too deep"));
    json_object_put(collected.items);
    assert_null(read_bytes("{\"list\": [1\0]}", 14, &collected, true, &err));
    assert_non_null(strstr(err.text, "list.json:1: not JSON"));
    json_object_put(collected.items);
    assert_null(read_bytes("{\"list\": [{\"a\": \"\0\"}]}", 22, &collected, true, &err));
    assert_non_null(strstr(err.text, "list.json:1: not JSON"));
    json_object_put(collected.items);
    free(deep);
}

// If one byte of a file changes, or the file is cut, it is accepted if and only if json_read accepts it.
static void what_is_taken_is_what_the_whole_file_is_taken_for(void **state) {
    static const char text[] =
        "{\"a\": [1, {}], \"list\": [{\"time\": {\"x\": {\"raw\": [1, 2.5]}}}, \"s\\n\", -1], \"z\": 0}";
    static const char bytes[] = "{}[],:\"\\ 0-.eax\n\x01\xc3";
    char changed[sizeof text];
    for (size_t i = 0; i < sizeof text - 1; i++)
        for (size_t k = 0; k <= sizeof bytes - 1; k++) {
            struct collected collected = {0};
            struct error err;
            size_t length = k < sizeof bytes - 1 ? sizeof text - 1 : i;
            memcpy(changed, text, sizeof text);
            if (k < sizeof bytes - 1) changed[i] = bytes[k];
            struct json_object *got = read_bytes(changed, length, &collected, true, &err);
            struct json_object *want = json_read(in_folder("list.json"), &err);
            bool object = json_object_is_type(want, json_type_object);
            if ((got != NULL) != object) fail_msg("%.*s: %s", (int)length, changed, got ? "taken" : err.text);
            json_object_put(got);
            json_object_put(want);
            json_object_put(collected.items);
        }
}

static void who_takes_may_stop(void **state) {
    struct collected collected = {.stop = 1};
    struct error err;
    const char *text = "{\"list\": [1, 2, broken";
    assert_null(read_bytes(text, strlen(text), &collected, false, &err));
    assert_non_null(strstr(err.text, "list.json: $.list[1]: enough"));
    json_object_put(collected.items);
    const struct json_list list = {"list", NULL, collect, &collected, false};
    assert_null(json_read_list(in_folder("none.json"), &list, &err));
    assert_non_null(strstr(err.text, "none.json: cannot be opened"));
    assert_null(json_read_list(folder, &list, &err));
    assert_non_null(strstr(err.text, "expected a regular file"));
}

struct lines {
    struct text said; // "line 3: $=2 line 5: $=[] "
    size_t length;    // of the file
};

static bool hear_line(void *user, const struct json_met *item, struct error *err) {
    struct lines *lines = user;
    (void)err;
    assert_true(item->line);
    assert_int_equal(json_get_int(item->before, "a", 0), 1);
    assert_true(item->offset + item->length <= lines->length);
    text_format(&lines->said, "%s=%.*s ", item->at.path, (int)item->length, item->bytes);
    return true;
}

static struct json_object *read_lines(const char *text, struct lines *lines, struct error *err) {
    const struct json_list list = {.key = "list", .take = hear_line, .user = lines, .lines = true};
    lines->said.length = 0;
    lines->length = strlen(text);
    assert_true(file_write(in_folder("lines"), text, lines->length, err));
    return json_read_list(in_folder("lines"), &list, err);
}

static void items_may_be_lines_and_a_torn_one_is_none(void **state) {
    static const struct {
        const char *text, *said;
    } good[] = {{"{\"a\": 1}", ""}, {"{\"a\": 1}\n", ""},
        {"{\"a\": 1}\n\n2\n {}\t\r\n[7]\n", "line 3: $=2 line 4: $={} line 5: $=[7] "},
        {"{\"a\": 1}\n2\n3", "line 2: $=2 "}, {"{\"a\": 1}\n2\n{\"b\": \"", "line 2: $=2 "},
        {"{\n\"a\":\n1}\n2\n", "line 4: $=2 "}};
    struct lines lines = {0};
    struct error err;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct json_object *root = read_lines(good[i].text, &lines, &err);
        if (!root) fail_msg("%s", err.text);
        assert_string_equal(text_str(&lines.said), good[i].said);
        assert_int_equal(json_object_object_length(root), 1);
        json_object_put(root);
    }
    static const char *const wrong[][2] = {{"{\"a\": 1} 2\n", "lines:1: not JSON: expected the end of the line"},
        {"{\"a\": 1}\n2 3\n", "lines:2: not JSON: expected the end of the line"},
        {"{\"a\": 1}\n\n{b}\n2\n", "lines:3: not JSON"},
        {"{\"list\": []}\n2\n", "lines:2: not JSON: expected the end of the file"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(read_lines(wrong[i][0], &lines, &err));
        if (!strstr(err.text, wrong[i][1])) fail_msg("%s", err.text);
    }
    text_free(&lines.said);
}

// Writes a list of 2000 items. Each has a name of its own, more than are shared. `broken` comes before an item.
static char *long_list(int broken) {
    enum { ITEMS = 2000, ROOM = 64 };
    char *text = malloc(ITEMS * ROOM), *at = text + sprintf(text, "{\"list\": [");
    for (int i = 0; i < ITEMS; i++)
        at += sprintf(at, "%s%s{\"item\": %d, \"name%d\": \"%d\"}", i ? "," : "", i == broken ? "}" : "", i, i, i);
    sprintf(at, "], \"after\": 1}");
    return text;
}

static void a_long_list_is_taken_in_order(void **state) {
    enum { STOP = 700, BROKEN = 900 };
    char *whole = long_list(-1), *broken = long_list(BROKEN);
    struct collected collected = {0};
    struct error err = {0};
    assert_same(whole);
    assert_null(read_bytes(broken, strlen(broken), &collected, false, &err));
    assert_int_equal(collected.count, BROKEN);
    if (!strstr(err.text, "not JSON")) fail_msg("%s", err.text);
    json_object_put(collected.items);
    collected.stop = STOP; // before the broken text is met, or after it
    assert_null(read_bytes(broken, strlen(broken), &collected, false, &err));
    assert_int_equal(collected.count, STOP);
    if (!strstr(err.text, "$.list[700]: enough")) fail_msg("%s", err.text);
    json_object_put(collected.items);
    free(whole);
    free(broken);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_list_is_taken_in_order),
        cmocka_unit_test(items_come_one_by_one),
        cmocka_unit_test(an_item_may_be_larger_than_any_buffer),
        cmocka_unit_test(a_value_of_any_length_is_not_read),
        cmocka_unit_test(arrays_of_numbers_are_counted),
        cmocka_unit_test(arrays_beyond_the_most_are_read),
        cmocka_unit_test(what_is_no_number_is_not_passed_over),
        cmocka_unit_test(refusals_name_the_place),
        cmocka_unit_test(depth_and_bytes_of_zero_are_refused),
        cmocka_unit_test(what_is_taken_is_what_the_whole_file_is_taken_for),
        cmocka_unit_test(who_takes_may_stop),
        cmocka_unit_test(items_may_be_lines_and_a_torn_one_is_none),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
