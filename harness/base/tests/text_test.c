// SPDX-License-Identifier: Apache-2.0
#include "../text.h"
#include "folder.h"
#include "needs.h"

#include "../../../reference/philox.h"
#include "../../../reference/tests/unit.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void test_append(void **state) {
    struct text text = {0};
    assert_string_equal(text_str(&text), "");
    text_append(&text, "a");
    text_append_n(&text, "bcd", 2);
    text_format(&text, "-%03d", 7);
    assert_string_equal(text_str(&text), "abc-007");
    assert_int_equal(text.length, 7);
    for (int i = 0; i < 10000; i++) text_append(&text, "xy");
    assert_int_equal(text.length, 20007);
    assert_int_equal(strlen(text.data), 20007);
    text_free(&text);
    assert_string_equal(text_str(&text), "");
}

static void test_glob(void **state) {
    static const struct {
        const char *pattern, *string;
        bool matches;
    } table[] = {
        {"", "", true},
        {"", "a", false},
        {"*", "", true},
        {"**", "anything", true},
        {"?", "", false},
        {"?", "a", true},
        {"a?c", "abc", true},
        {"a?c", "ac", false},
        {"softmax.*", "softmax.online", true},
        {"softmax.*", "log_softmax.online", false},
        {"*softmax*", "log_softmax.online", true},
        {"*.vec4", "add.vec4", true},
        {"*.vec4", "add.vec4x", false},
        {"*ab*ab", "abab", true},
        {"*ab*ab", "aab", false},
        {"a*b*c", "aXbXbXc", true},
        {"a*b*c", "aXcXb", false},
        {"*ab", "aab", true},
        {"*aab", "aaab", true},
        {"[a]", "a", false},
        {"[a]", "[a]", true},
        {"Add", "add", false},
        {"matmul.tiled/f32/m=2,n=2,k=2/wg=16x16x1,TILE_K=16", "matmul.tiled/f32/m=2,n=2,k=2/wg=16x16x1,TILE_K=16",
            true},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(text_glob(table[i].pattern, table[i].string), table[i].matches);
}

// A pattern for which a naive matcher tries every split ends at once.
static void test_glob_is_not_exponential(void **state) {
    char string[4001];
    memset(string, 'a', sizeof string - 1);
    string[sizeof string - 1] = '\0';
    assert_false(text_glob("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", string));
}

static void test_shell_words(void **state) {
    static const char *const words[][2] = {{"a/b-c_d.e+f=g,h@i%j:k", "a/b-c_d.e+f=g,h@i%j:k"}, {"", "''"},
        {"two words", "'two words'"}, {"it's", "'it'\\''s'"}, {"$(x)", "'$(x)'"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct text text = {0};
        text_shell_word(&text, words[i][0]);
        assert_string_equal(text_str(&text), words[i][1]);
        text_free(&text);
    }
}

static void test_distance(void **state) {
    assert_int_equal(text_distance("", ""), 0);
    assert_int_equal(text_distance("", "abc"), 3);
    assert_int_equal(text_distance("kitten", "sitting"), 3);
    assert_int_equal(text_distance("flaw", "lawn"), 2);
    assert_int_equal(text_distance("matmul", "matmul"), 0);
    assert_int_equal(text_distance("rmsnrom", "rmsnorm"), 1); // neighbours exchanged
    assert_int_equal(text_distance("rmsnrom", "rmsprop"), 2);
    assert_int_equal(text_distance("ab", "ba"), 1);
    assert_int_equal(text_distance("ca", "abc"), 3);
    char longest[257];
    memset(longest, 'a', 256);
    longest[256] = '\0';
    assert_true(text_distance(longest, "a") == SIZE_MAX);
    longest[255] = '\0';
    assert_int_equal(text_distance(longest, "a"), 254);
}

static void test_nearest(void **state) {
    static const char *const names[] = {"matmul", "softmax", "rmsnorm"};
    assert_string_equal(text_nearest("matmull", names, 3), "matmul");
    assert_string_equal(text_nearest("sotfmax", names, 3), "softmax");
    assert_string_equal(text_nearest("rmsnorm", names, 3), "rmsnorm");
    assert_null(text_nearest("convolution", names, 3));
    assert_string_equal(text_nearest("ad", (const char *const[]){"add", "pad"}, 2), "add");
    assert_null(text_nearest("matmul", names, 0));
}

// Blocks of Unicode with characters of no width or two columns, from one before the first to one after the last.
static void columns_of_blocks(void **state) {
    static const struct {
        uint32_t first, last;
        int before, within, after;
    } blocks[] = {{0x0300, 0x036f, 1, 0, 1}, {0x0483, 0x0489, 1, 0, 1}, {0x0591, 0x05bd, 1, 0, 1},
        {0x0610, 0x061a, 1, 0, 1}, {0x064b, 0x065f, 1, 0, 1}, {0x0e34, 0x0e3a, 1, 0, 1}, {0x0e47, 0x0e4e, 1, 0, 1},
        {0x1100, 0x115f, 1, 2, 1}, {0x1ab0, 0x1aff, 1, 0, 1}, {0x1dc0, 0x1dff, 1, 0, 1}, {0x200b, 0x200f, 1, 0, 1},
        {0x20d0, 0x20ff, 1, 0, 1}, {0x2e80, 0x303e, 1, 2, 1}, {0x3041, 0x3098, 1, 2, 0}, {0x3099, 0x309a, 2, 0, 2},
        {0x309b, 0xa4cf, 0, 2, 1}, {0xa960, 0xa97f, 1, 2, 1}, {0xac00, 0xd7a3, 1, 2, 1}, {0xf900, 0xfaff, 1, 2, 1},
        {0xfe00, 0xfe0f, 1, 0, 1}, {0xfe20, 0xfe2f, 1, 0, 2}, {0xfe30, 0xfe6f, 0, 2, 1}, {0xfeff, 0xfeff, 1, 0, 1},
        {0xff01, 0xff60, 1, 2, 1}, {0xffe0, 0xffe6, 1, 2, 1}, {0x1f300, 0x1f64f, 1, 2, 1}, {0x1f680, 0x1f6ff, 1, 2, 1},
        {0x1f900, 0x1f9ff, 1, 2, 1}, {0x20000, 0x3fffd, 1, 2, 1}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        assert_int_equal(utf8_columns(blocks[i].first - 1), blocks[i].before);
        assert_int_equal(utf8_columns(blocks[i].first), blocks[i].within);
        assert_int_equal(utf8_columns(blocks[i].last), blocks[i].within);
        assert_int_equal(utf8_columns(blocks[i].last + 1), blocks[i].after);
    }
    assert_int_equal(utf8_columns('a'), 1);
    assert_int_equal(utf8_columns(0x10ffff), 1);
}

static size_t encoded(uint32_t code, char *out) {
    if (code < 0x80) return out[0] = (char)code, 1;
    const size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t k = length; k-- > 1; code >>= 6) out[k] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)((0xf00 >> length & 0xff) | code);
    return length;
}

// The first and last codes of each form of UTF-8, and the bytes beside them, which are none.
static void utf8_forms(void **state) {
    static const uint32_t codes[] = {1, 0x7f, 0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xcfff, 0xd000, 0xd7ff, 0xe000, 0xffff,
        0x10000, 0x3ffff, 0x40000, 0xfffff, 0x100000, 0x10ffff, 0x20ac, 0x1f600};
    static const char *const none[] = {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2\x7f", "\xc2\xc0", "\xe0\x9f\xbf",
        "\xed\xa0\x80", "\xed\xbf\xbf", "\xe1\x7f\x80", "\xe1\x80\x7f", "\xe1\x80\xc0", "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf1\x80\x80\x7f", "\xff"};
    uint32_t code;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        char bytes[8] = {0};
        const size_t length = encoded(codes[i], bytes);
        code = 0;
        assert_int_equal(utf8_read(bytes, sizeof bytes, &code), length);
        assert_int_equal(code, codes[i]);
        assert_int_equal(utf8_read(bytes, length - 1, &code), 0);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (utf8_read(none[i], strlen(none[i]), &code)) fail_msg("row %zu is read", i);
}

static void assert_number(double value, const char *expected) {
    struct text text = {0};
    text_number(&text, value);
    if (expected) assert_string_equal(text_str(&text), expected);
    double back = strtod(text_str(&text), NULL);
    assert_true(back == value && signbit(back) == signbit(value));
    text_free(&text);
}

static void test_number(void **state) {
    assert_number(0, "0");
    assert_number(-0.0, "-0");
    assert_number(1, "1");
    assert_number(0.1, "0.1");
    assert_number(-2.5, "-2.5");
    assert_number((double)0.1f, "0.10000000149011612");
    assert_number(1e22, "1e+22");
    assert_number(DBL_MAX, "1.7976931348623157e+308");
    assert_number(DBL_TRUE_MIN, "5e-324");
    for (uint64_t i = 0; i < 2000; i++) { // any finite double reads back the same
        struct philox bits = philox(1, i, 0);
        double value;
        memcpy(&value, bits.v, sizeof value);
        if (isfinite(value)) assert_number(value, NULL);
    }
}

// Numbers have a point even in a locale with a decimal comma.
static void test_number_in_another_locale(void **state) {
    char command[200];
    snprintf(command, sizeof command, "localedef -c -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", folder);
    if (access("/usr/share/i18n/locales/de_DE", F_OK) != 0) not_run("missing: sources of locales" INSTALL);
    assert_int_equal(system(command), 0);
    setenv("LOCPATH", folder, 1);
    assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
    assert_string_equal(localeconv()->decimal_point, ",");
    struct text text = {0};
    text_number(&text, 1234.5);
    setlocale(LC_ALL, "C");
    assert_string_equal(text_str(&text), "1234.5");
    text_free(&text);
}

// Returns the shortest text as printf finds it: with 15 digits or more, and without an exponent for whole numbers.
static const char *printed(double value) {
    static char digits[40];
    if (fabs(value) < 1e15 && value == trunc(value)) {
        snprintf(digits, sizeof digits, "%.0f", value);
        return digits;
    }
    for (int precision = fabs(value) < DBL_MIN ? 1 : 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    return digits;
}

// Steps away from decimals, and numbers of every size, are not mistaken for short decimals.
static void short_decimals_are_those_of_printf(void **state) {
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 400000; i++) {
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17; // xorshift
        const int places = (int)(bits % 9), digits = (int)(bits / 9 % 17);
        double value = trunc((double)(bits >> 11) * 0x1p-53 * pow(10, digits)) / pow(10, places);
        if (bits & 1) value = -value;
        if (i % 4 == 1) value = nextafter(value, i % 8 < 4 ? INFINITY : 0);
        if (i % 4 == 2) value = ldexp(value, (int)(bits >> 8 & 63) - 32);
        struct text text = {0};
        text_number(&text, value);
        assert_string_equal(text_str(&text), printed(value));
        text_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_append),
        cmocka_unit_test(test_glob),
        cmocka_unit_test(test_glob_is_not_exponential),
        cmocka_unit_test(test_shell_words),
        cmocka_unit_test(test_distance),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(columns_of_blocks),
        cmocka_unit_test(utf8_forms),
        cmocka_unit_test(test_number),
        cmocka_unit_test(test_number_in_another_locale),
        cmocka_unit_test(short_decimals_are_those_of_printf),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
