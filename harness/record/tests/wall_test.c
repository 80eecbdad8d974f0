// SPDX-License-Identifier: Apache-2.0
// Wall time: a phase timer loses nothing, a split survives JSON, and its words add up.
#include "../wall.h"

#include "../../base/clock.h"
#include "../../base/tests/within.h"
#include "../../../reference/tests/unit.h"

#include <string.h>
#include <unistd.h>

static void a_watch_loses_nothing(void **state) {
    struct wall one = {0}, other = {0};
    int64_t start = clock_ns();
    struct phase_timer phases = phase_timer_start(&one, WALL_IDLE);
    usleep(3000);
    assert_int_equal(phase_timer_switch(&phases, WALL_COMPUTE), WALL_IDLE);
    usleep(5000);
    phase_timer_move(&phases, &other);
    usleep(2000);
    assert_int_equal(phase_timer_switch(&phases, WALL_JUDGE), WALL_COMPUTE);
    int64_t took = clock_ns() - start;
    assert_true(one.ns[WALL_IDLE] >= 3000000 && one.ns[WALL_COMPUTE] >= 5000000 && other.ns[WALL_COMPUTE] >= 2000000);
    assert_int_equal(wall_total(&other), other.ns[WALL_COMPUTE]);
    assert_within(wall_total(&one) + wall_total(&other), took - 1000000, took);
}

static void parts_are_added_each_to_its_own(void **state) {
    struct wall sum, more;
    for (int part = 0; part < WALL_COUNT; part++) sum.ns[part] = 1 << part, more.ns[part] = 100 * (part + 1);
    wall_add(&sum, &more);
    for (int part = 0; part < WALL_COUNT; part++) assert_int_equal(sum.ns[part], (1 << part) + 100 * (part + 1));
}

static void a_split_survives_json(void **state) {
    struct wall wall = {{1000000000, 31 * 1000000000ll, 0, 40 * 1000000000ll, 2000000000, 0, 18 * 1000000000ll, 0, 0}},
                got;
    struct arena arena = {0};
    struct json_object *run = json_object_new_object();
    assert_false(wall_from_json(run, &got));
    assert_null(wall_words(&arena, run));
    json_put(run, "wall", wall_to_json(&wall));
    assert_true(wall_from_json(run, &got));
    assert_memory_equal(&got, &wall, sizeof got);
    assert_string_equal(wall_words(&arena, run),
        "wall 92 s: start 1 %, compile 34 %, upload 0 %, compute 43 %, download 2 %, "
        "reference 0 %, judge 20 %, idle 0 %");
    wall.ns[WALL_WAIT] = 8000000000;
    json_put(run, "wall", wall_to_json(&wall));
    assert_true(strstr(wall_words(&arena, run), "judge 18 %, wait 8 %, idle 0 %") != NULL);
    json_put_double(json_get(run, "wall"), "idle_s", -1e300);
    assert_true(wall_from_json(run, &got));
    assert_int_equal(got.ns[WALL_IDLE], 0);
    json_object_put(run);
    arena_free(&arena);
}

static void a_wait_is_reported_where_it_matters(void **state) {
    struct arena arena = {0};
    struct wall wall = {.ns = {[WALL_COMPUTE] = 90000000000, [WALL_WAIT] = 800000000}};
    struct json_object *run = json_object_new_object();
    assert_null(wall_slowed(&arena, run, 0, 10)); // an older run
    json_put(run, "wall", wall_to_json(&wall));
    assert_null(wall_slowed(&arena, run, 0, 10));
    assert_string_equal(wall_slowed(&arena, run, 2, 10),
        "the device slowed down: 2 of 10 timed points are marked as throttled, 0.8 s went on waiting");
    wall.ns[WALL_WAIT] = 8000000000;
    json_put(run, "wall", wall_to_json(&wall));
    assert_string_equal(wall_slowed(&arena, run, 0, 10),
        "the device slowed down: 0 of 10 timed points are marked as throttled, 8.0 s went on waiting");
    json_object_put(run);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_watch_loses_nothing),
        cmocka_unit_test(parts_are_added_each_to_its_own),
        cmocka_unit_test(a_split_survives_json),
        cmocka_unit_test(a_wait_is_reported_where_it_matters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
