// SPDX-License-Identifier: Apache-2.0
// Tests of the interval of a share, against the formula computed in Python.
#include "../share.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void expect(int64_t events, int64_t trials, double low, double high) {
    const struct share_interval in = share_interval(events, trials);
    assert_true(fabs(in.low - low) < 1e-4 && fabs(in.high - high) < 1e-4);
}

static void intervals_are_those_of_the_score(void **state) {
    (void)state;
    expect(5, 10, 0.2366, 0.7634);
    expect(0, 10, 0, 0.2775);
    expect(10, 10, 0.7225, 1);
    expect(23, 100, 0.1584, 0.3215);
    expect(0, 0, 0, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(intervals_are_those_of_the_score)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
