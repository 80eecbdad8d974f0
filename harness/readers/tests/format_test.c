// SPDX-License-Identifier: Apache-2.0
// Tests the format of figures; unmeasured ones are a dash.
#include "../../device/limits.h"
#include "../../record/record.h"
#include "../../truth/stats/summary.h"
#include "../render/format.h"
#include "../../device/device_info.h"
#include "../../../reference/tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(call, expected)                                                                                         \
    do {                                                                                                               \
        struct text text = {0};                                                                                        \
        call;                                                                                                          \
        assert_string_equal(text_str(&text), expected);                                                                \
        text_free(&text);                                                                                              \
    } while (0)

static void times(void **state) {
    EXPECT(put_time(&text, 1), "1.00 ns");
    EXPECT(put_time(&text, 12345), "12.3 us");
    EXPECT(put_time(&text, 999.4), "999 ns");
    EXPECT(put_time(&text, 999.6), "1.00 us"); // rounds up to the next unit
    EXPECT(put_time(&text, 99960), "100 us");
    EXPECT(put_time(&text, 2.5e9), "2.50 s");
    EXPECT(put_time(&text, 1.234e12), "1234 s");
    EXPECT(put_time(&text, 0), "-");
    EXPECT(put_time(&text, NAN), "-");
    EXPECT(put_time(&text, INFINITY), "-");
}

static void rates_and_shares(void **state) {
    EXPECT(put_rate(&text, 4.117e12, "B/s"), "4.12 TB/s");
    EXPECT(put_rate(&text, 312e9, "FLOP/s"), "312 GFLOP/s");
    EXPECT(put_rate(&text, NAN, "B/s"), "-");
    EXPECT(put_bytes(&text, 128.0 * 1024 * 1024), "128 MiB");
    EXPECT(put_share(&text, 0.853), "85%");
    EXPECT(put_share(&text, 0.032), "3.2%");
    EXPECT(put_share(&text, 0.0994), "9.9%");
    EXPECT(put_share(&text, 0.0996), "10%");
    EXPECT(put_share(&text, 0.0001), "<0.1%");
    EXPECT(put_share(&text, 0), "-");
    EXPECT(put_factor(&text, 1.213), "1.21x");
    EXPECT(put_factor(&text, 12.34), "12.3x");
    EXPECT(put_factor(&text, NAN), "-");
    EXPECT(put_ulp(&text, 0), "0"); // measured, and zero
    EXPECT(put_ulp(&text, 2.53), "2.53");
    EXPECT(put_ulp(&text, 1234), "1234");
    EXPECT(put_ulp(&text, NAN), "-");
    EXPECT(put_ulp(&text, INFINITY), "inf");
}

static void intervals(void **state) {
    struct summary time = {.median = 100, .lo = 99, .hi = 101, .samples = 20};
    EXPECT(put_interval(&text, &time), "±1.0%");
    time.hi = 139;
    EXPECT(put_interval(&text, &time), "±20%");
    time.samples = 1; // the interval of one sample would be a false ±0
    EXPECT(put_interval(&text, &time), "-");
}

static void shapes_and_dims(void **state) {
    struct named_number dims[] = {{"rows", 4096}, {"cols", 1025}, {"eps", 1e-6}},
                        tunables[] = {{"TILE_K", 16}, {"TM", 4}};
    struct record r = {.wg = {256, 1, 1}, .dims = dims, .dim_count = 3, .tunables = tunables};
    EXPECT(put_shape(&text, &r), "256");
    EXPECT(put_dims(&text, &r, 2), "4096x1025,eps=1e-06");
    EXPECT(put_dims_named(&text, &r), "rows=4096,cols=1025,eps=1e-06");
    r.wg[1] = 8;
    r.tunable_count = 2;
    EXPECT(put_shape(&text, &r), "256x8 TILE_K=16,TM=4");
    r.wg[1] = 1;
    r.wg[2] = 4; // an axis of 1 stays before an axis other than 1
    r.tunable_count = 0;
    EXPECT(put_shape(&text, &r), "256x1x4");
}

static void terminals_are_not_steered(void **state) {
    EXPECT(put_plain(&text, "a\x1b[31mb\x07", 0), "a [31mb ");
    EXPECT(put_plain(&text,
               "a\xc2\x9b"
               "31mb",
               0),
        "a 31mb");
    EXPECT(put_plain(&text, "caf\xc3\xa9\r", 0), "caf\xc3\xa9 ");
    EXPECT(put_plain(&text,
               "a\xe2\x80\xae"
               "b\xe2\x81\xa6\xe2\x80\x93",
               0),
        "a b \xe2\x80\x93");
    EXPECT(put_plain(&text, "one\ntwo\n", 4), "one\n    two");
}

static void columns_are_those_of_a_terminal(void **state) {
    static const struct {
        const char *text;
        int columns;
    } cases[] = {{"abc", 3}, {"±1", 2}, {"計算機", 6}, {"한국", 4}, {"e\xcc\x81", 1}, {"\xf0\x9f\x9a\x80", 2}, {"", 0},
        {"\xff\xfe", 2}, {"a\xe8\xa8", 3}}; // the last two are invalid UTF-8
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (columns_of(cases[i].text, strlen(cases[i].text)) != cases[i].columns)
            fail_msg("\"%s\" takes %d", cases[i].text, columns_of(cases[i].text, strlen(cases[i].text)));
    char *shown = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&shown, &size);
    assert_non_null(out);
    print_cut(out, "計算機計算機", 7); // cut between characters
    fclose(out);
    assert_string_equal(shown, "計算..");
    free(shown);
}

static void a_long_name_of_a_device_goes_on_in_another_line(void **state) {
    char *shown = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&shown, &size);
    assert_non_null(out);
    const struct device_info device = {
        .name = "a device of some words", .driver_name = "driver", .driver_info = "1.2 (x)"};
    print_device_name(out, "Device  ", &device, 80);
    print_device_name(out, "Device  ", &device, 33);
    fclose(out);
    assert_string_equal(shown, "Device  a device of some words, driver 1.2 (x)\n"
                               "Device  a device of some words,\n        driver 1.2 (x)\n");
    free(shown);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_those_of_a_terminal),
        cmocka_unit_test(times),
        cmocka_unit_test(rates_and_shares),
        cmocka_unit_test(intervals),
        cmocka_unit_test(shapes_and_dims),
        cmocka_unit_test(terminals_are_not_steered),
        cmocka_unit_test(a_long_name_of_a_device_goes_on_in_another_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
