// SPDX-License-Identifier: Apache-2.0
#include "../shared_timer.h"
#include "../../../../reference/tests/unit.h"

#include <time.h>

static void pass_time(void) {
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

// While the device works, time is compute, whatever the other threads do. Once it is done and a thread still judges,
// time is judge.
static void time_is_the_devices_then_the_judges(void **state) {
    struct wall wall = {0};
    struct phase_timer phases = phase_timer_start(&wall, WALL_IDLE);
    struct shared_timer shared;
    shared_timer_open(&shared, &phases);
    struct timer_share a = timer_share_start(&shared), b = timer_share_start(&shared);
    static const struct {
        bool second;
        enum wall_part turn, expected;
    } steps[] = {
        {false, WALL_UPLOAD, WALL_UPLOAD},
        {false, WALL_COMPUTE, WALL_COMPUTE},
        {true, WALL_UPLOAD, WALL_COMPUTE},
        {false, WALL_DOWNLOAD, WALL_DOWNLOAD},
        {true, WALL_COMPUTE, WALL_COMPUTE},
        {false, WALL_JUDGE, WALL_COMPUTE},
        {true, WALL_DOWNLOAD, WALL_JUDGE},
        {true, WALL_UPLOAD, WALL_JUDGE},
        {false, WALL_IDLE, WALL_UPLOAD},
        {true, WALL_IDLE, WALL_IDLE},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        timer_share_switch(steps[i].second ? &b : &a, steps[i].turn);
        assert_int_equal(phases.part, steps[i].expected);
        int64_t before = wall.ns[steps[i].expected];
        pass_time();
        phase_timer_switch(&phases, phases.part);
        assert_true(wall.ns[steps[i].expected] >= before + 1000000);
    }
    shared_timer_close(&shared);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(time_is_the_devices_then_the_judges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
