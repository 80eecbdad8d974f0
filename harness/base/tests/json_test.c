// SPDX-License-Identifier: Apache-2.0
#include "folder.h"

#include "../file.h"
#include "../json.h"
#include "../../../reference/tests/unit.h"

#include <math.h>
#include <string.h>

static struct json_object *read_text(const char *text, struct error *err) {
    struct error written;
    assert_true(file_write(in_folder("value.json"), text, strlen(text), &written));
    return json_read(in_folder("value.json"), err);
}

static void assert_refused(const char *text, const char *why) {
    struct error err = {0};
    assert_null(read_text(text, &err));
    assert_int_equal(err.status, STATUS_BAD_INPUT);
    if (!strstr(err.text, why)) print_error("%s\n", err.text);
    assert_non_null(strstr(err.text, why));
}

static void test_lines(void **state) {
    assert_refused("{\n  \"a\": 1,\n  \"b\": oops\n}\n", "value.json:3: not JSON");
    assert_refused("{\n  \"a\": [1,\n 2", "value.json:3: not JSON: expected more JSON");
    assert_refused("", "value.json:1: not JSON: expected more JSON");
    assert_refused("{}\n\n{}", "value.json:3: not JSON: expected the end of the file");
    assert_refused("{\"a\": 1,}", "not JSON");
    assert_refused("{\"a\": nan}", "not JSON");
    assert_refused("null\n", "value.json: $: expected object, found null");
    char deep[401];
    memset(deep, '[', 400);
    deep[400] = '\0';
    assert_refused(deep, "not JSON");
    for (size_t depth = 64; depth <= 65; depth++) {
        memset(deep, '[', depth);
        memset(deep + depth, ']', depth);
        struct json_object *value = json_parse(deep, 2 * depth);
        assert_int_equal(value != NULL, depth <= 64);
        json_object_put(value);
    }
}

// All versions of json-c accept the same strings.
static void test_strings(void **state) {
    struct error err = {0};
    static const char text[] = "{\"\xc3\xa9\": \"a \xe2\x89\xa4 b\", \"\\\"\xf0\x9f\x9a\x80\": "
                               "[\"\\u2264\", \"\x7f\xc2\x80\xef\xbf\xbf\xf4\x8f\xbf\xbf\\\\\", 1]}\n";
    struct json_object *read = read_text(text, &err), *parsed = json_parse(text, strlen(text));
    assert_non_null(read);
    assert_non_null(parsed);
    assert_true(json_object_equal(read, parsed));
    assert_string_equal(json_get_string(read, "\xc3\xa9", ""), "a \xe2\x89\xa4 b");
    struct json_object *list = json_get(read, "\"\xf0\x9f\x9a\x80");
    assert_string_equal(json_object_get_string(json_object_array_get_idx(list, 0)), "\xe2\x89\xa4");
    assert_string_equal(
        json_object_get_string(json_object_array_get_idx(list, 1)), "\x7f\xc2\x80\xef\xbf\xbf\xf4\x8f\xbf\xbf\\");
    json_object_put(read);
    json_object_put(parsed);
    // Lone, cut, overlong, surrogates, beyond Unicode.
    static const char *const ill[] = {"\x80", "\xff", "\xc3", "\xe2\x89", "\xc0\xaf", "\xe0\x9f\xbf", "\xed\xa0\x80",
        "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xe2\x89\xa4\xa4"};
    for (size_t i = 0; i < sizeof ill / sizeof *ill; i++) {
        char where[64];
        snprintf(where, sizeof where, "{\n\"a\": \"%s\"}", ill[i]);
        assert_refused(where, "value.json:2: not JSON: not UTF-8");
        assert_null(json_parse(where, strlen(where)));
    }
    assert_refused("[\"\xe2\x89\xa4\",\n\n\"a\tb\"]", "value.json:3: not JSON: a control character in a string");
    assert_refused("[\"a\nb\"]", "a control character in a string");
    assert_refused("{\"a\": \xc3\xa9}", "value.json:1: not JSON: unexpected character");
    assert_refused("[\"\\\xc3\xa9\"]", "value.json:1: not JSON: unexpected character"); // never read as \\u00e9
    assert_refused("[\"\xc3\xa9\",\n}", "value.json:2: not JSON");
}

// All versions accept the same integers: those beyond 64 bits are refused anywhere, other long numbers are not.
static void test_long_integers(void **state) {
    static const char *const taken[] = {"18446744073709551615", "-9223372036854775808", "9223372036854775808",
        "18446744073709551616.0", "-9223372036854775809e0", "0.12345678901234567890123", "1e-12",
        "\"18446744073709551616\"", "\"\\\"18446744073709551616\"", "true,\"\xc3\xa9\",1234567890123456789"};
    static const char *const beyond[] = {"18446744073709551616", "-9223372036854775809", "123456789012345678901234",
        "-123456789012345678901234567890", "\"\xc3\xa9\", 18446744073709551616", "\"1\",18446744073709551616"};
    for (size_t pad = 0; pad < 40; pad++) {
        char text[200];
        for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
            int length = snprintf(text, sizeof text, "%*s[%s]", (int)pad, "", taken[i]);
            struct json_object *value = json_parse(text, (size_t)length);
            if (!value) fail_msg("refused: %s", text);
            json_object_put(value);
        }
        for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
            int length = snprintf(text, sizeof text, "%*s[%s]", (int)pad, "", beyond[i]);
            if (json_parse(text, (size_t)length)) fail_msg("taken: %s", text);
        }
    }
    assert_refused("[1,\n 18446744073709551616]", "value.json:2: not JSON: an integer beyond 64 bits");
}

// RFC 8259, 6 and 7. Half of a pair of surrogates is no character.
static void test_escapes_and_numbers(void **state) {
    static const struct {
        const char *text, *want;
    } taken[] = {{"\"\\ud83d\\ude00 \\u20AC\\u00e9\\/\\n\"", "\xf0\x9f\x98\x80 \xe2\x82\xac\xc3\xa9/\n"},
        {"\"\\ud83d\"", "\xef\xbf\xbd"}, {"\"\\ude00\\ud83d\"", "\xef\xbf\xbd\xef\xbf\xbd"}, {"1E+3", "1000.0"},
        {"-0", "0"}, {"-0.0", "-0.0"}, {"0.10", "0.1"}, {"2.0", "2.0"}, {"1e999", "1e999"}};
    static const char *const refused[] = {
        "1.", "-.5", "-00", "02.5", "+1", "1e", "1e+", "\"\\u12\"", "\"\\u12g4\"", "\"\\x\"", "[1,]", "{\"a\" 1}"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        struct json_object *value = json_parse(taken[i].text, strlen(taken[i].text));
        if (!value) fail_msg("refused: %s", taken[i].text);
        assert_string_equal(json_object_get_string(value), taken[i].want);
        json_object_put(value);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (json_parse(refused[i], strlen(refused[i]))) fail_msg("taken: %s", refused[i]);
}

static void test_getters(void **state) {
    struct error err = {0};
    struct arena arena = {0};
    struct json_object *value =
        read_text("{\"list\": [1, {\"x\": 2.5}], \"s\": \"t\", \"b\": true, \"n\": null, \"big\": "
                  "1e400, \"nan\": NaN, \"nul\": \"a\\u0000b\"}\n",
            &err);
    assert_non_null(value);
    struct json_at root = json_root(value, "f.json"), list, item, x, at;
    const char *string = "";
    int64_t integer = 0;
    double number;
    bool boolean;
    assert_true(json_member(&root, "list", false, &list, &err));
    assert_int_equal(json_count(&list), 2);
    assert_true(json_item(&list, 0, &item, &err) && json_integer(&item, 1, 1, &integer, &err));
    assert_int_equal(integer, 1);
    assert_true(json_number(&item, &number, &err) && number == 1); // an integer is a number
    assert_false(json_integer(&item, 2, 9, &integer, &err));
    assert_string_equal(err.text, "f.json: $.list[0]: expected an integer from 2 to 9, found 1");
    assert_true(json_item(&list, 1, &item, &err) && json_member(&item, "x", false, &x, &err));
    assert_string_equal(x.path, "$.list[1].x");
    assert_true(json_number(&x, &number, &err) && number == 2.5);
    assert_false(json_integer(&x, 0, 9, &integer, &err));
    assert_string_equal(err.text, "f.json: $.list[1].x: expected int, found double");
    assert_true(json_member(&root, "s", false, &at, &err) && json_string(&at, &arena, &string, &err));
    assert_string_equal(string, "t");
    assert_false(json_boolean(&at, &boolean, &err));
    assert_true(json_member(&root, "b", false, &at, &err) && json_boolean(&at, &boolean, &err) && boolean);
    assert_true(json_member(&root, "n", false, &at, &err));
    assert_null(at.value);
    assert_false(json_string(&at, &arena, &string, &err));
    assert_true(json_member(&root, "big", false, &at, &err));
    assert_false(json_number(&at, &number, &err));
    assert_true(json_member(&root, "nan", false, &at, &err)); // json-c accepts it
    assert_false(json_number(&at, &number, &err));
    assert_string_equal(err.text, "f.json: $.nan: expected a finite number");
    assert_true(json_member(&root, "nul", false, &at, &err));
    assert_false(json_string(&at, &arena, &string, &err));
    assert_true(json_member(&root, "absent", true, &at, &err));
    assert_null(at.value);
    assert_false(json_member(&root, "absent", false, &at, &err));
    assert_string_equal(err.text, "f.json: $: expected a member \"absent\"");
    assert_false(json_item(&root, 0, &at, &err));
    assert_false(json_member(&list, "x", false, &at, &err));
    json_object_put(value);
    arena_free(&arena);
}

static void test_only(void **state) {
    struct error err;
    struct json_object *value = read_text("{\"kernel\": 1, \"dtype\": 2}", &err);
    struct json_at root = json_root(value, "f.json");
    assert_true(json_only(&root, (const char *const[]){"kernel", "dtype", "dims", NULL}, &err));
    assert_false(json_only(&root, (const char *const[]){"kernel", "dtypes", NULL}, &err));
    assert_string_equal(err.text, "f.json: $: unknown member \"dtype\"; did you mean \"dtypes\"?");
    assert_false(json_only(&root, (const char *const[]){"kernel", NULL}, &err));
    assert_string_equal(err.text, "f.json: $: unknown member \"dtype\"");
    json_object_put(value);
}

// A path that is too long is cut and does not overflow.
static void test_long_paths(void **state) {
    struct error err;
    char key[600];
    memset(key, 'k', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    struct json_object *inner = json_object_new_object();
    for (int i = 0; i < 20; i++) {
        struct json_object *outer = json_object_new_object();
        json_put(outer, key, inner);
        inner = outer;
    }
    struct json_at at = json_root(inner, "f.json"), next;
    for (int i = 0; i < 20; i++) {
        assert_true(json_member(&at, key, false, &next, &err));
        assert_true(strlen(next.path) < sizeof next.path);
        at = next;
    }
    json_object_put(inner);
}

static void test_doubles(void **state) {
    static const double values[] = {0, -0.0, 1, 0.1, 1e300, 5e-324, 123456789012345678.0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct error err;
        struct json_object *object = json_object_new_object();
        json_put_double(object, "x", values[i]);
        assert_true(json_write(in_folder("double.json"), object, i % 2, &err));
        json_object_put(object);
        object = json_read(in_folder("double.json"), &err);
        double back = json_get_double(object, "x", NAN);
        assert_true(back == values[i] && signbit(back) == signbit(values[i]));
        json_object_put(object);
    }
    assert_null(json_double(NAN));
    assert_null(json_double(-INFINITY));
}

static void test_lenient_getters(void **state) {
    struct json_object *object = json_object_new_object();
    json_put_int(object, "i", 3);
    json_put_string(object, "s", "text");
    json_put_bool(object, "b", true);
    json_put_string(object, "null", NULL);
    assert_int_equal(json_get_int(object, "i", 0), 3);
    assert_int_equal(json_get_int(object, "s", -1), -1);
    assert_true(json_get_double(object, "i", 0) == 3);
    assert_true(json_get_bool(object, "b", false) && json_get_bool(object, "i", true));
    assert_string_equal(json_get_string(object, "s", ""), "text");
    assert_string_equal(json_get_string(object, "null", "none"), "none");
    assert_null(json_get(NULL, "x"));
    assert_null(json_get(json_get(object, "i"), "x"));
    json_object_put(object);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_long_integers),
        cmocka_unit_test(test_escapes_and_numbers),
        cmocka_unit_test(test_getters),
        cmocka_unit_test(test_only),
        cmocka_unit_test(test_long_paths),
        cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_lenient_getters),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
