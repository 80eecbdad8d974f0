// SPDX-License-Identifier: Apache-2.0
// The loop over cores, host noise, and float controls read from SPIR-V.
#include "../../../base/cores.h"
#include "../../../base/tests/needs.h"
#include "../../program/controls.h"
#include "../noise.h"
#include "../../../base/parallel.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONG = 100001 };
static atomic_uchar visits[LONG];

static void visit(void *context, int64_t first, int64_t count) {
    int64_t grain = *(const int64_t *)context;
    if (first % grain) fail_msg("a chunk begins at %lld, no multiple of %lld", (long long)first, (long long)grain);
    for (int64_t i = first; i < first + count; i++) atomic_fetch_add(&visits[i], 1);
}

static void every_index_is_visited_once(void **state) {
    static const int64_t totals[] = {0, 1, 63, 64, 65, 1000, LONG}, grains[] = {1, 7, 64, 1 << 20};
    for (size_t t = 0; t < sizeof totals / sizeof totals[0]; t++) {
        for (size_t g = 0; g < sizeof grains / sizeof grains[0]; g++) {
            memset(visits, 0, sizeof visits);
            int64_t grain = grains[g];
            parallel_for(totals[t], grain, visit, &grain);
            for (int64_t i = 0; i < LONG; i++) assert_int_equal(visits[i], i < totals[t]);
        }
    }
}

static void each_index_is_visited_alone(void **state) {
    int64_t grain = 1;
    memset(visits, 0, sizeof visits);
    parallel_each(1000, visit, &grain);
    for (int64_t i = 0; i < LONG; i++) assert_int_equal(visits[i], i < 1000);
}

// Three threads waiting for each other: the caller's, and two helpers.
struct meeting {
    pthread_barrier_t all;
    cpu_set_t seen[3];
};

static void meet(void *context, int64_t first, int64_t count) {
    struct meeting *meeting = context;
    (void)count;
    pthread_barrier_wait(&meeting->all);
    sched_getaffinity(0, sizeof(cpu_set_t), &meeting->seen[first]);
}

// Starts no more threads than pieces, even if more are usable; with two pieces, one thread helps.
static void work_beside(int pieces) {
    struct core_part part;
    struct meeting meeting;
    cpu_set_t rest, own;
    int at_home = 0, away = 0;
    pthread_barrier_init(&meeting.all, NULL, (unsigned)pieces);
    if (!cores_leave(0, 1, &part) || sched_getaffinity(0, sizeof rest, &rest) != 0 || !cores_take(part.own)) _exit(1);
    sched_getaffinity(0, sizeof own, &own);
    parallel_each(pieces, meet, &meeting);
    for (int i = 0; i < pieces; i++) {
        at_home += CPU_EQUAL(&meeting.seen[i], &own);
        away += CPU_EQUAL(&meeting.seen[i], &rest);
    }
    _exit(at_home == 1 && away == pieces - 1 ? 0 : 2);
}

static void helpers_leave_the_caller_s_core(void **state) {
    int status;
    needs_hardware(cores_whole() >= 2, "second core");
    pid_t pid = fork();
    if (pid == 0) work_beside(cores_usable() < 3 ? 2 : 3);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void host_noise_is_what_others_took(void **state) {
    struct noise before, after;
    double load, steal;
    assert_true(noise_parse("cpu  1000 0 500 8000 100 0 0 50 0 0", 100, &before));
    assert_true(noise_parse("cpu  1150 0 550 8180 110 5 5 100 0 0", 100, &after)); // 4.5 s of all cores
    before.known = after.known = true;
    before.own = 1;
    after.own = 1.6; // of 2.1 busy seconds, 0.6 were ours
    noise_between(&before, &after, &load, &steal);
    assert_true(fabs(load - 1.5 / 4.5) < 1e-9 && fabs(steal - 0.5 / 4.5) < 1e-9);
    noise_between(&before, &before, &load, &steal);
    assert_true(isnan(load) && isnan(steal));
    assert_false(noise_parse("cpu0 1 2 3", 100, &before));
    assert_false(noise_parse("", 100, &before));
    assert_true(noise_read().known);
}

// A module's header, then OpExecutionMode %1 RoundingModeRTE 32, %1 SignedZeroInfNanPreserve 16, %1 LocalSize 1 1 1.
static const uint32_t module[] = {
    0x07230203, 0x00010300, 0, 10, 0, 0x00040010, 1, 4462, 32, 0x00040010, 1, 4461, 16, 0x00060010, 1, 17, 1, 1, 1};
enum { WORDS = sizeof module / sizeof module[0] };

static void controls_are_read_by_width(void **state) {
    struct policy p32 = controls_declared(module, WORDS, 32), p16 = controls_declared(module, WORDS, 16);
    assert_true(p32.rte && !p32.specials && !p32.denorms);
    assert_true(!p16.rte && p16.specials && !p16.denorms);
}

static void damaged_modules_declare_nothing_beyond_the_damage(void **state) {
    uint32_t damaged[WORDS];
    assert_false(controls_declared(module, 4, 32).rte);
    memcpy(damaged, module, sizeof module);
    damaged[0] = 1;
    assert_false(controls_declared(damaged, WORDS, 32).rte);
    memcpy(damaged, module, sizeof module);
    damaged[5] = 0x00000010; // a length of zero must not loop forever
    assert_false(controls_declared(damaged, WORDS, 32).rte);
    damaged[5] = 0xffff0010; // a length past the end must not be followed
    assert_false(controls_declared(damaged, WORDS, 32).rte);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_is_visited_once),
        cmocka_unit_test(each_index_is_visited_alone),
        cmocka_unit_test(helpers_leave_the_caller_s_core),
        cmocka_unit_test(host_noise_is_what_others_took),
        cmocka_unit_test(controls_are_read_by_width),
        cmocka_unit_test(damaged_modules_declare_nothing_beyond_the_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
