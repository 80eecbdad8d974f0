// SPDX-License-Identifier: Apache-2.0
// Made-up spaces: a grid of shapes with known times, noise, hiccups and wrong shapes.
#ifndef VKASSAY_TUNE_MADE_UP_H
#define VKASSAY_TUNE_MADE_UP_H

#include "../prng.h"
#include "../search.h"
#include "../../../reference/tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MADE_UP = 1024 };
struct made_up {
    double ns[MADE_UP]; // true times
    bool wrong[MADE_UP];
    size_t asked[MADE_UP];
    struct shape_place places[MADE_UP];
    double noise;      // standard deviation as a share
    double hiccups;    // chance of a sample three times as long
    size_t stop_after; // 0: never
    size_t asks;
    uint64_t random;
    struct space space;
    struct arena arena;
    struct error err;
};

static inline double made_up_uniform(struct made_up *m) {
    return ((double)random_below(&m->random, 1u << 30) + 0.5) / (1u << 30);
}

static inline enum answer made_up_ask(void *user, size_t shape, double *ns) {
    struct made_up *m = user;
    assert_true(shape < m->space.count);
    if (m->stop_after && m->asks >= m->stop_after) return ANSWER_STOP;
    m->asks++;
    m->asked[shape]++;
    if (m->wrong[shape]) return ANSWER_WRONG;
    double normal = sqrt(-2 * log(made_up_uniform(m))) * cos(6.283185307179586 * made_up_uniform(m));
    *ns = m->ns[shape] * (1 + m->noise * normal);
    if (made_up_uniform(m) < m->hiccups) *ns *= 3;
    return ANSWER_TIME;
}

// Makes a valley over a grid of `width` x `height`: 1 % and more slower with each step from (x, y).
static inline void made_up_valley(struct made_up *m, int width, int height, int x, int y, double slope) {
    memset(m, 0, sizeof *m);
    m->random = 7;
    m->space = (struct space){
        .count = (size_t)(width * height), .axes = 2, .places = m->places, .ask = made_up_ask, .user = m};
    for (int i = 0; i < width * height; i++) {
        int a = i % width, b = i / width;
        m->places[i] = (struct shape_place){.step = {a, b}, .expected = NAN, .start = i == 0};
        m->ns[i] = 1000 * (1 + slope * (abs(a - x) + abs(b - y)));
    }
}

#endif
