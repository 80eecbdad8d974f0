// SPDX-License-Identifier: Apache-2.0
// How long a silent process is waited for.
#include "../patience.h"

#include "../../../../reference/tests/unit.h"

#include <math.h>

static void only_a_process_short_of_cores_has_more_time(void **state) {
    static const struct {
        double waited_s, cpu_s, load;
        bool starved;
    } cases[] = {
        {60, 6, 1, true},    // one core among ten others' work
        {60, 6, 0.5, false}, // cores were free: it slept
        {60, 6, NAN, false}, // nothing is known of the host
        {60, 0.1, 1, false}, // it waits for its device
        {60, 58, 1, false},  // it had its time
        {300, 30, 1, true},  // still short of cores
        {300, 60, 1, false}, // it had its time by now
        {601, 30, 1, false}, // ten times the limit
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(patience_starved(60, cases[i].waited_s, cases[i].cpu_s, cases[i].load), cases[i].starved);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_a_process_short_of_cores_has_more_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
