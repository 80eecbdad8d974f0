// SPDX-License-Identifier: Apache-2.0
// Tests uses that share an upload against sums computed by hand.
#include "../charts/chart.h"
#include "../../stats/summary.h"
#include "../../record/record.h"
#include "expect.h"

#include <math.h>

static struct record record_of(double write, double up, double submit, double compute, double down, double read) {
    const double figures[FIGURE_COUNT] = {[FIGURE_HOST_WRITE] = write,
        [FIGURE_UPLOAD] = up,
        [FIGURE_SUBMIT] = submit,
        [FIGURE_COMPUTE] = compute,
        [FIGURE_DOWNLOAD] = down,
        [FIGURE_HOST_READ] = read};
    struct record record = {.status = RECORD_PASS, .dtype = "f32"};
    for (int i = 0; i < FIGURE_COUNT; i++) {
        record.time[i] = summarize(NULL, 0);
        if (figures[i] > 0) record.time[i] = summarize(&figures[i], 1);
    }
    return record;
}

static void uses_share_what_is_moved_once(void **state) {
    struct record record = record_of(300, 700, 20, 100, 50, 30);
    struct uses uses;
    assert_true(uses_of(&record, &uses));
    near(time_per_use(&uses, 1), 1200);
    near(time_per_use(&uses, 4), 250 + 120 + 80);
    near(time_per_use(&uses, 1000), 1 + 120 + 80);
    near(time_per_resident_use(&uses, 1), 1200);
    near(time_per_resident_use(&uses, 4), 250 + 120 + 20);
}

static void enough_uses_beat_another_way(void **state) {
    struct record record = record_of(300, 700, 20, 100, 50, 30);
    struct uses uses;
    assert_true(uses_of(&record, &uses));
    near(uses_to_beat(&uses, 5000), 1);
    near(uses_to_beat(&uses, 1201), 1);
    near(uses_to_beat(&uses, 1200), 2); // equal is not faster
    near(uses_to_beat(&uses, 450), 5);  // 4 uses take 450
    near(uses_to_beat(&uses, 451), 4);
    assert_true(isnan(uses_to_beat(&uses, 200))); // computing and reading back already take this long
    assert_true(isnan(uses_to_beat(&uses, NAN)));
}

static void figures_that_lack_are_nothing_to_wait_for(void **state) {
    struct record record = record_of(0, 70, 0, 100, 50, 0), bare = record_of(300, 700, 20, 0, 50, 30),
                  still = record_of(0, 0, 20, 100, 50, 30), wrong = record_of(300, 700, 20, 100, 50, 30);
    struct uses uses;
    assert_true(uses_of(&record, &uses));
    near(time_per_use(&uses, 7), 160);
    assert_false(uses_of(&bare, &uses));  // nothing was computed
    assert_false(uses_of(&still, &uses)); // nothing is uploaded
    wrong.status = RECORD_FAIL;
    assert_false(uses_of(&wrong, &uses));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uses_share_what_is_moved_once),
        cmocka_unit_test(enough_uses_beat_another_way),
        cmocka_unit_test(figures_that_lack_are_nothing_to_wait_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
