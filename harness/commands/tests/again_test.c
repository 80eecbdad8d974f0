// SPDX-License-Identifier: Apache-2.0
// A gate's second measurement as truth tables: when there is one, and which of two records counts.
#include "../bench/again.h"
#include "../../device/device_info.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../../reference/tests/unit.h"

static struct record record(const char *name, enum record_status status, double ns) {
    struct record r = {.name = name, .status = status};
    r.time[FIGURE_COMPUTE].median = ns;
    return r;
}

// The first measurement took 100 ns and passed.
static void faster_and_failed_records_count(void **state) {
    static const struct {
        enum record_status status;
        double ns;
        bool counts;
    } rows[] = {{RECORD_PASS, 90, true}, {RECORD_PASS, 110, false}, {RECORD_PASS, 100, false}, {RECORD_FAIL, 90, true},
        {RECORD_FAIL, 110, true}, {RECORD_CRASH, 0, true}, {RECORD_TIMEOUT, 0, true}, {RECORD_ERROR, 0, true},
        {RECORD_SKIP, 0, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct record old[] = {record("before", RECORD_PASS, 100), record("it", RECORD_PASS, 100),
            record("after", RECORD_PASS, 100)},
                      new[] = {record("other", RECORD_PASS, 1), record("it", rows[i].status, rows[i].ns)};
        struct result first = {.records = old, .count = 3}, second = {.records = new, .count = 2};
        assert_int_equal(again_take(&first, &second), 1);
        assert_int_equal(first.count, 3);
        assert_int_equal(old[1].status, rows[i].counts ? rows[i].status : RECORD_PASS);
        assert_true(old[1].time[FIGURE_COMPUTE].median == (rows[i].counts ? rows[i].ns : 100));
        for (int k = 0; k < 3; k += 2)
            assert_true(old[k].status == RECORD_PASS && old[k].time[FIGURE_COMPUTE].median == 100);
    }
}

static void some_slower_points_and_none_wrong_are_measured_again(void **state) {
    static const struct {
        size_t slower, wrong, ambiguous;
        bool wanted;
    } rows[] = {{0, 0, 0, false}, {1, 0, 0, true}, {1, 0, 9, true}, {0, 0, 9, false}, {1, 1, 0, false},
        {200, 0, 0, true}, {201, 0, 0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct comparison c = {0};
        c.verdicts[VERDICT_SLOWER] = rows[i].slower;
        c.verdicts[VERDICT_WRONG] = rows[i].wrong;
        c.verdicts[VERDICT_AMBIGUOUS] = rows[i].ambiguous;
        assert_int_equal(again_is_wanted(&c), rows[i].wanted);
    }
}

static void only_slower_points_are_named(void **state) {
    struct arena arena = {0};
    struct compared_point points[VERDICT_COUNT + 1] = {{0}};
    struct comparison c = {.points = points, .count = VERDICT_COUNT + 1};
    for (size_t i = 0; i <= VERDICT_COUNT; i++) {
        points[i].name = i == VERDICT_SLOWER ? "one" : i == VERDICT_COUNT ? "two" : "no";
        points[i].verdict = i == VERDICT_COUNT ? VERDICT_SLOWER : (enum verdict)i;
        c.verdicts[points[i].verdict]++;
    }
    const char **names = again_names(&arena, &c);
    assert_string_equal(names[0], "one");
    assert_string_equal(names[1], "two");
    assert_null(names[2]);
    arena_free(&arena);
}

// On another device the times would be of that one.
static void the_second_measurement_is_on_the_first_s_device(void **state) {
    const char *words[] = {"matmul.*", "add.*"}, *names[] = {"one"};
    const struct options first = {
        .words = words, .word_count = 2, .device = "1", .junit = "gate.xml", .suite = "mine", .only = "folder"};
    const struct device_info device = {.device_uuid = "000102030405060708090a0b0c0d0e0f"};
    const struct options second = again_options(&first, &device, names, 1);
    assert_string_equal(second.device, device.device_uuid);
    assert_true(second.words == names && second.word_count == 1);
    assert_null(second.junit);
    assert_string_equal(second.suite, "mine");
    assert_string_equal(second.only, "folder");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faster_and_failed_records_count),
        cmocka_unit_test(some_slower_points_and_none_wrong_are_measured_again),
        cmocka_unit_test(only_slower_points_are_named),
        cmocka_unit_test(the_second_measurement_is_on_the_first_s_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
