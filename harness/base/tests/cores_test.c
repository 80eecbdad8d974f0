// SPDX-License-Identifier: Apache-2.0
#include "../cores.h"
#include "../parallel.h"
#include "../../../reference/tests/unit.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void a_process_that_is_kept_to_a_core_has_one(void **state) {
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
    // Four cores of two threads each, numbered as in Linux: 0 to 3, then their second threads.
    const int of_core[8] = {0, 1, 2, 3, 0, 1, 2, 3}, two[8] = {0, 0, 1, 1, 0, 0, 1, 1},
              three[8] = {0, 0, 1, 2, 0, 0, 1, 2};
    int share[8];
    assert_int_equal(cores_share_out(of_core, 8, 2, share), 4);
    assert_memory_equal(share, two, sizeof two);
    assert_int_equal(cores_share_out(of_core, 8, 3, share), 4);
    assert_memory_equal(share, three, sizeof three);
    assert_int_equal(cores_share_out(of_core, 8, 5, share), 4);
}

static void a_core_is_set_apart_for_each(void **state) {
    const int of_core[8] = {0, 1, 2, 3, 0, 1, 2, 3}, two[8] = {0, -1, 1, -1, 0, -1, 1, -1},
              four[8] = {0, 1, 2, 3, 0, 1, 2, 3};
    int owner[8];
    assert_int_equal(cores_set_out(of_core, 8, 2, owner), 4);
    assert_memory_equal(owner, two, sizeof two);
    assert_int_equal(cores_set_out(of_core, 8, 4, owner), 4);
    assert_memory_equal(owner, four, sizeof four);
    assert_int_equal(cores_set_out(of_core, 8, 5, owner), 4);
}

enum { PIECES = 100 };
struct loop_seen {
    pthread_t caller;
    atomic_int times[PIECES + 1], elsewhere; // the last one is behind the end
};

static void note_pieces(void *context, int64_t first, int64_t count) {
    struct loop_seen *seen = context;
    for (int64_t i = first; i < first + count; i++) atomic_fetch_add(&seen->times[i < PIECES ? i : PIECES], 1);
    if (!pthread_equal(pthread_self(), seen->caller)) atomic_fetch_add(&seen->elsewhere, 1);
    usleep(500); // another thread would take the next pieces
}

static void a_loop_takes_each_piece_once(void **state) {
    for (int threads = 1; threads <= 3; threads++)
        for (int64_t total = 0; total <= PIECES; total += total < 4 ? 1 : 24)
            for (int64_t grain = 1; grain <= 7; grain += 3) {
                struct loop_seen seen = {.caller = pthread_self()};
                parallel_limit(threads);
                parallel_for(total, grain, note_pieces, &seen);
                for (int64_t i = 0; i <= PIECES; i++) assert_int_equal(seen.times[i], i < total);
                parallel_each(total, note_pieces, &seen);
                for (int64_t i = 0; i <= PIECES; i++) assert_int_equal(seen.times[i], i < total ? 2 : 0);
                if (threads == 1) assert_int_equal(seen.elsewhere, 0);
            }
    parallel_limit(0);
}

static void bytes_differ_at_any_place(void **state) {
    enum { BYTES = 3 << 20, PLACES = 6 }; // several chunks
    static const int places[PLACES] = {0, 1, (1 << 20) - 1, 1 << 20, (2 << 20) + 7, BYTES - 1};
    char *a = calloc(BYTES, 1), *b = calloc(BYTES, 1);
    memset(a, 'a', BYTES), memset(b, 'a', BYTES);
    assert_true(parallel_equal(a, b, BYTES) && parallel_equal(a, b, 0));
    for (int i = 0; i < PLACES; i++)
        for (int by = -1; by <= 1; by += 2) {
            b[places[i]] = (char)('a' + by);
            assert_false(parallel_equal(a, b, BYTES));
            assert_true(parallel_equal(a, b, (uint64_t)places[i]));
            assert_false(parallel_equal(a, b, (uint64_t)places[i] + 1));
            b[places[i]] = 'a';
        }
    free(a), free(b);
}

static void *see(void *seen) {
    sched_getaffinity(0, sizeof(cpu_set_t), seen);
    return NULL;
}

// Runs in a process of its own, because a core is taken for good.
static void take_what_is_left(void) {
    cpu_set_t all, rest, own, joined, seen;
    struct core_part part;
    pthread_t helper, other;
    see(&all);
    if (!cores_leave(0, 1, &part)) _exit(1);
    see(&rest);
    if (!cores_take(part.own)) _exit(2);
    see(&own);
    if (CPU_COUNT(&own) != part.own_threads || cores_usable() != part.threads) _exit(3);
    CPU_AND(&joined, &rest, &own);
    if (cores_whole() != 1 || (CPU_COUNT(&joined) && !CPU_EQUAL(&rest, &own))) _exit(4);
    CPU_OR(&joined, &rest, &own);
    if (!CPU_EQUAL(&joined, &all)) _exit(5);
    if (pthread_create(&helper, cores_helper(), see, &seen) || pthread_join(helper, NULL)) _exit(6);
    if (!CPU_EQUAL(&seen, &rest)) _exit(7);
    if (pthread_create(&other, NULL, see, &seen) || pthread_join(other, NULL)) _exit(8);
    _exit(CPU_EQUAL(&seen, &own) ? 0 : 9);
}

static void a_thread_has_its_core_and_helpers_the_rest(void **state) {
    int status;
    struct core_part part;
    assert_null(cores_helper());
    assert_false(cores_leave(0, cores_whole() + 1, &part));
    assert_false(cores_take("3,x"));
    assert_false(cores_take(""));
    pid_t pid = fork();
    if (pid == 0) take_what_is_left();
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_that_is_kept_to_a_core_has_one),
        cmocka_unit_test(hardware_threads_of_a_core_are_in_one_share),
        cmocka_unit_test(a_core_is_set_apart_for_each),
        cmocka_unit_test(a_loop_takes_each_piece_once),
        cmocka_unit_test(bytes_differ_at_any_place),
        cmocka_unit_test(a_thread_has_its_core_and_helpers_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
