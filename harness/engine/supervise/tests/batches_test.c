// SPDX-License-Identifier: Apache-2.0
// Batches: how a plan is cut into them, and their order.
#include "../batches.h"
#include "session.h"

static struct batches batches_of(struct scene *scene) {
    static const bool none[MOST_POINTS];
    return batches_make(&scene->arena, &scene->session.plan, none);
}

static void points_of_a_kernel_and_shape_are_one_batch(void **state) {
    struct scene scene;
    scene_open(&scene, "a b a a");
    struct batches batches = batches_of(&scene);
    assert_int_equal(batches.count, 2);
    assert_int_equal(batches.items[0].count, 3);
    assert_int_equal(batches.items[0].points[1], 2);
    assert_int_equal(batches.items[1].points[0], 1);
    scene_close(&scene);
}

static void batches_of_most_work_are_first(void **state) {
    struct scene scene;
    scene_open(&scene, "a b c d e");
    struct point *points = scene.session.plan.points;
    points[1].dims[0] = 1000;
    points[3].dims[0] = 300;
    points[3].draws = 4;                   // five times 300
    points[4].dims[0] = points[2].dims[0]; // as much as the batch before it
    struct batches batches = batches_of(&scene);
    batches_longest_first(&batches);
    static const size_t order[] = {3, 1, 2, 4, 0};
    for (size_t i = 0; i < batches.count; i++) assert_int_equal(batches.items[i].points[0], order[i]);
    scene_close(&scene);
}

static void mutants_of_a_kernel_are_one_batch(void **state) {
    struct scene scene;
    scene_open(&scene, "a b");
    struct plan plan = {.points = arena_alloc(&scene.arena, 9, sizeof *plan.points)};
    static const bool none[9];
    struct mutant_set sets[2];
    struct mutant_of mutants[2];
    for (size_t k = 0; k < 2; k++) {
        sets[k] = (struct mutant_set){.points = &scene.session.plan.points[k], .point_count = 1};
        mutants[k] = (struct mutant_of){"constant.zero@:0#3", &sets[k]};
    }
    for (size_t i = 0; i < 9; i++) plan.points[plan.count++] = point_of_mutant(&scene.arena, &mutants[i >= 3]);
    struct batches batches = batches_make(&scene.arena, &plan, none);
    assert_int_equal(batches.count, 2);
    assert_int_equal(batches.items[0].count, 3);
    scene_close(&scene);
}

static void workers_join_long_batches_when_all_are_begun(void **state) {
    struct scene scene;
    scene_open(&scene, "a a b b b b b b");
    struct batches batches = batches_of(&scene);
    struct batch *own[3] = {0};
    size_t point;
    assert_int_equal(batches_workers(&batches), 2);
    for (size_t i = 0; i < 2; i++) assert_true(batches_take(&batches, &own[i], &point));
    assert_int_equal(point, 2); // the first of b
    assert_true(batches_take(&batches, &own[2], &point));
    assert_ptr_equal(own[2], own[1]);
    assert_int_equal(point, 3);
    assert_true(batches_take(&batches, &own[0], &point)); // the last of a
    assert_true(batches_take(&batches, &own[0], &point)); // four of b are left
    assert_ptr_equal(own[0], own[1]);
    for (size_t left = 3; left > 0; left--) assert_true(batches_take(&batches, &own[1], &point));
    assert_int_equal(point, 7);
    for (size_t i = 0; i < 3; i++) assert_false(batches_take(&batches, &own[i], &point));
    scene_close(&scene);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "worker") == 0) return fake_worker();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_a_kernel_and_shape_are_one_batch),
        cmocka_unit_test(batches_of_most_work_are_first),
        cmocka_unit_test(mutants_of_a_kernel_are_one_batch),
        cmocka_unit_test(workers_join_long_batches_when_all_are_begun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
