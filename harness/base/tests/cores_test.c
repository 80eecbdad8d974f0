// SPDX-License-Identifier: Apache-2.0
#include "../cores.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void a_process_that_is_kept_to_a_core_has_one(void **state) {
    (void)state;
    cpu_set_t all, one;
    size_t first = 0;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_int_equal(cores_usable(), CPU_COUNT(&all));
    while (!CPU_ISSET(first, &all)) first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(cores_usable(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

static void hardware_threads_of_a_core_are_in_one_share(void **state) {
    (void)state;
    // Four cores of two threads each, numbered as Linux does: 0 to 3, then their second threads.
    const int of_core[8] = {0, 1, 2, 3, 0, 1, 2, 3}, two[8] = {0, 0, 1, 1, 0, 0, 1, 1},
              three[8] = {0, 0, 1, 2, 0, 0, 1, 2};
    int share[8];
    assert_int_equal(cores_share_out(of_core, 8, 2, share), 4);
    assert_memory_equal(share, two, sizeof two);
    assert_int_equal(cores_share_out(of_core, 8, 3, share), 4);
    assert_memory_equal(share, three, sizeof three);
    assert_int_equal(cores_share_out(of_core, 8, 5, share), 4);
}

static void a_share_is_taken_by_a_thread_alone(void **state) {
    (void)state;
    cpu_set_t all;
    const int whole = cores_whole();
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_true(whole >= 1 && whole <= cores_usable());
    assert_false(cores_take_share(0, whole + 1));
    assert_int_equal(cores_usable(), CPU_COUNT(&all));
    int sum = 0;
    for (int i = 0; i < whole; i++) {
        assert_true(cores_take_share(i, whole));
        sum += cores_usable();
        assert_int_equal(cores_whole(), 1);
        assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    }
    assert_int_equal(sum, CPU_COUNT(&all));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_that_is_kept_to_a_core_has_one),
        cmocka_unit_test(hardware_threads_of_a_core_are_in_one_share),
        cmocka_unit_test(a_share_is_taken_by_a_thread_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
