// SPDX-License-Identifier: Apache-2.0
#include "next_problem.h"

#include "../../base/cores.h"
#include "../check/inputs/placement.h"

static void *make(void *argument) {
    struct next_problem *next = argument;
    const struct point *point = &next->point;
    struct error err;
    next->made = problem_fill(next->gpu, point, next->seed, NEXT_BYTES, &next->problem, &err) &&
                 placement_choose(&next->problem, point, next->settings, &err);
    if (!next->made) return NULL;
    const int64_t depth = kernel_depth(point->kernel, point->dims, &point->shape);
    truth_make(&next->problem, next->settings, depth, true, false, &next->truth); // another rounding needs only bounds
    truth_measure_error(&next->problem, &next->truth);
    return NULL;
}

void next_problem_begin(struct next_problem *next, const struct gpu *gpu, const struct point *point,
    const struct settings *settings, uint64_t seed) {
    next_problem_join(next);
    if (next->made && next->problem.key == problem_key(point, seed)) return;
    next->made = false;
    next->gpu = gpu;
    next->settings = settings;
    next->point = *point;
    next->seed = seed;
    next->running = pthread_create(&next->thread, cores_helper(), make, next) == 0;
}

void next_problem_join(struct next_problem *next) {
    if (next->running) pthread_join(next->thread, NULL);
    next->running = false;
}

bool next_problem_take(struct next_problem *next, struct gpu *gpu, uint64_t key, struct problem *problem,
    struct truth *truth, bool *taken, struct error *err) {
    next_problem_join(next);
    *taken = next->made && next->problem.key == key;
    if (!*taken) return false;
    next->made = false;
    truth_free(truth);
    *truth = next->truth;
    next->truth = (struct truth){0};
    return problem_take_filled(gpu, &next->problem, problem, err);
}

void next_problem_close(struct next_problem *next) {
    next_problem_join(next);
    truth_free(&next->truth);
    problem_close(NULL, &next->problem);
    *next = (struct next_problem){0};
}
